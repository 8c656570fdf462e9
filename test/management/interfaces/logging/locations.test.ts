import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { testTenant } from '../../../support/management/management.ts';
import { listedIn, text } from './answers.ts';

const GET = 'logging.projects.locations.get';
const LIST = 'logging.projects.locations.list';
const ids = (answer: JsonObject) => listedIn(answer, 'locations', 'locationId');

test('a location is read and found by filter', () => {
  const tenant = testTenant();
  const name = 'projects/p/locations/europe-west1';
  const belgium = {
    name,
    locationId: 'europe-west1',
    displayName: 'Belgium',
    labels: { 'cloud.googleapis.com/region': 'europe-west1' },
  };
  expect(tenant.ok(GET, { path: { name } })).toEqual(belgium);
  const filter = 'displayName="Belgium"';
  expect(tenant.ok(LIST, { path: { name: 'projects/p' }, query: { filter } })).toEqual({ locations: [belgium] });
});

test('a list comes page by page', () => {
  const tenant = testTenant();
  const all = ids(tenant.ok('logging.locations.list', { path: { name: 'folders/1' } }));
  expect(all).toContain('global');
  expect(all).toHaveLength(46);
  const first = tenant.ok(LIST, { path: { name: 'projects/p' }, query: { pageSize: 45 } });
  expect(ids(first)).toEqual(all.slice(0, 45));
  const query = { pageSize: 45, pageToken: text(first['nextPageToken']) };
  expect(ids(tenant.ok(LIST, { path: { name: 'projects/p' }, query }))).toEqual(['us-west4']);
});

test.each([
  [GET, { path: { name: 'projects/p/locations/atlantis' } }, /^404 notFound/],
  [GET, { path: { name: 'projects/p/locations/-' } }, /^404 notFound/],
  ['logging.locations.get', { path: { name: 'users/u/locations/global' } }, /^400 invalid: Invalid resource name/],
  ['logging.locations.list', { path: { name: 'users/u' } }, /^400 invalid: Invalid resource name/],
  [LIST, { path: { name: 'projects/p' }, query: { filter: 'a AND' } }, /^400 invalid: Unparseable filter/],
  [LIST, { path: { name: 'projects/p' }, query: { pageSize: -1 } }, /^400/],
])('%s with %j is refused', (method, sent, refusal) => {
  expect(testTenant().refused(method, sent)).toMatch(refusal);
});
