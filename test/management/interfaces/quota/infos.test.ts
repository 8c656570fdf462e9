import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { CPUS, EMAIL, FREE, PARENT, quotaWorld, requested, textOf } from './quota-world.ts';

const LIST = 'cloudquotas.projects.locations.services.quotaInfos.list';
const GET = 'cloudquotas.v1beta.projects.locations.services.quotaInfos.get';
const parentOf = (service: string): string => `${PARENT}/services/${service}`;
const nameOf = ({ service, quotaId }: typeof CPUS): string => `${parentOf(service)}/quotaInfos/${quotaId}`;
const idsOf = ({ quotaInfos = [] }: JsonObject): unknown[] =>
  (quotaInfos as JsonObject[]).map(({ quotaId }) => quotaId);

test('an info shows what a quota is, and the values that hold: more dimensions first', () => {
  const { tenant, create } = quotaWorld();
  create(requested(CPUS, 30, { contactEmail: EMAIL }));
  create(requested(CPUS, 22, { dimensions: { region: 'us-east1' } }));
  const name = nameOf(CPUS);
  expect(tenant.ok(GET, { path: { name } })).toEqual({
    name,
    quotaId: 'CPUS-per-project-region',
    metric: 'compute.googleapis.com/cpus',
    service: 'compute.googleapis.com',
    isPrecise: false,
    containerType: 'PROJECT',
    dimensions: ['region'],
    metricDisplayName: 'CPUs',
    quotaDisplayName: 'CPUs per region',
    metricUnit: '1',
    quotaIncreaseEligibility: { isEligible: true },
    isFixed: false,
    dimensionsInfos: [
      { dimensions: { region: 'us-east1' }, details: { value: '22' }, applicableLocations: ['us-east1'] },
      {
        dimensions: {},
        details: { value: '24' },
        applicableLocations: ['asia-east1', 'europe-west1', 'us-central1', 'us-east1', 'us-west1'],
      },
    ],
    isConcurrent: false,
  });
  tenant.later(1_000);
  const { dimensionsInfos } = tenant.ok(GET, { path: { name } });
  expect((dimensionsInfos as JsonObject[]).map(({ details }) => details)).toEqual([{ value: '22' }, { value: '30' }]);
});

test('the quotas of our own service are its limits', () => {
  const { tenant } = quotaWorld();
  const listed = tenant.ok(LIST, { path: { parent: parentOf('sightline') } });
  expect(idsOf(listed)).toEqual([
    'FreeRequestsPerMinutePerCaller',
    'ManagementRequestsPerMinutePerTenant',
    'McpRequestsPerMinutePerCaller',
    'PaidRequestsPerMinutePerCaller',
  ]);
  const values = (listed['quotaInfos'] as JsonObject[]).map(({ dimensionsInfos, refreshInterval }) => [
    (dimensionsInfos as JsonObject[])[0]?.['details'],
    refreshInterval,
  ]);
  expect(values).toEqual([
    [{ value: '300' }, 'minute'],
    [{ value: '60000' }, 'minute'],
    [{ value: '300' }, 'minute'],
    [{ value: '-1' }, 'minute'],
  ]);
});

test('pages go through the quotas of a service by their ids', () => {
  const { tenant } = quotaWorld();
  const path = { parent: parentOf('logging.googleapis.com') };
  const first = tenant.ok(LIST, { path, query: { pageSize: 2 } });
  const pageToken = textOf(first['nextPageToken']);
  const second = tenant.ok(LIST, { path, query: { pageSize: 2, pageToken } });
  expect([...idsOf(first), ...idsOf(second)]).toEqual([
    'ControlRequestsPerMinutePerProject',
    'ReadRequestsPerMinutePerProject',
    'WriteRequestsPerMinutePerProject',
  ]);
  expect(second).not.toHaveProperty('nextPageToken');
  const other = { path: { parent: parentOf('sightline') }, query: { pageSize: 2, pageToken } };
  expect(tenant.refused(LIST, other)).toBe('400 invalid: Invalid Input: pageToken');
});

test('a service that the catalogue lacks has none; its quotas are 404', () => {
  const { tenant } = quotaWorld();
  expect(tenant.ok(LIST, { path: { parent: parentOf('pubsub.googleapis.com') } })).toEqual({});
  const name = nameOf({ service: 'pubsub.googleapis.com', quotaId: 'Topics' });
  expect(tenant.refused(GET, { path: { name } })).toBe(`404 notFound: Resource not found: ${name}`);
});

test('folders and organizations have the same, of their own kind', () => {
  const { tenant } = quotaWorld();
  const name = `organizations/9/locations/global/services/sightline/quotaInfos/${FREE.quotaId}`;
  const read = { path: { name } };
  expect(tenant.ok('cloudquotas.organizations.locations.services.quotaInfos.get', read)).toMatchObject({
    name,
    containerType: 'ORGANIZATION',
  });
});

test.each([
  `projects/local/locations/us-east1/services/sightline`,
  `projects/local/locations/global/services/Sight Line`,
  `projects/-/locations/global/services/sightline`,
])('the parent %s is refused', (parent) => {
  expect(quotaWorld().tenant.refused(LIST, { path: { parent } })).toMatch(/^400 invalid: /);
});
