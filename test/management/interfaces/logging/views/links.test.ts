import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../../src/lib/json.ts';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';
import { text } from '../answers.ts';

const NOW = '2026-11-21T00:00:00.000Z';
const GLOBAL = 'projects/p/locations/global';
const BUCKET = `${GLOBAL}/buckets/mine`;
const LINK = `${BUCKET}/links/my_link`;
const CREATE = 'logging.projects.locations.buckets.links.create';
const GET = 'logging.projects.locations.buckets.links.get';
const LIST = 'logging.projects.locations.buckets.links.list';
const DELETE = 'logging.projects.locations.buckets.links.delete';
const OPERATION = 'logging.projects.locations.operations.get';
const CANCEL = 'logging.projects.locations.operations.cancel';
const METADATA = 'type.googleapis.com/google.logging.v2.LinkMetadata';

const created = (linkId = 'my_link', body: JsonObject = {}, parent = BUCKET) => ({
  path: { parent },
  query: { linkId },
  body,
});
const named = (name: Json = LINK) => ({ path: { name: text(name) } });
const listed = (tenant: TestTenant): JsonObject => tenant.ok(LIST, { path: { parent: BUCKET } });

function withBucket(body: JsonObject = { analyticsEnabled: true }): TestTenant {
  const tenant = testTenant();
  const sent = { path: { parent: GLOBAL }, query: { bucketId: 'mine' }, body };
  tenant.ok('logging.projects.locations.buckets.create', sent);
  return tenant;
}

function withLink(): TestTenant {
  const tenant = withBucket();
  tenant.ok(CREATE, created());
  tenant.later(1_000);
  return tenant;
}

test('a link is made by an operation, read, and deleted by another', () => {
  const tenant = withBucket();
  const link = { description: 'd', name: 'x', lifecycleState: 'FAILED' };
  const { name, ...begun } = tenant.ok(CREATE, created('my_link', link));
  const request = { parent: BUCKET, linkId: 'my_link', link: { description: 'd' } };
  expect(begun).toEqual({
    metadata: { '@type': METADATA, startTime: NOW, state: 'OPERATION_STATE_RUNNING', createLinkRequest: request },
  });
  expect(tenant.ok(GET, named())['lifecycleState']).toBe('CREATING');
  tenant.later(1_000);
  const made = {
    name: LINK,
    description: 'd',
    createTime: NOW,
    lifecycleState: 'ACTIVE',
    bigqueryDataset: { datasetId: 'bigquery.googleapis.com/projects/p/datasets/my_link' },
  };
  expect(tenant.ok(GET, named())).toEqual(made);
  expect(listed(tenant)).toEqual({ links: [made] });
  expect(tenant.ok(OPERATION, named(name))).toMatchObject({
    done: true,
    response: { '@type': 'type.googleapis.com/google.logging.v2.Link', ...made },
  });
  const ending = tenant.ok(DELETE, named());
  expect(ending['metadata']).toMatchObject({ '@type': METADATA, deleteLinkRequest: { name: LINK } });
  expect(tenant.ok(GET, named())['lifecycleState']).toBe('DELETE_REQUESTED');
  tenant.later(1_000);
  expect(tenant.refused(GET, named())).toBe(`404 notFound: Resource not found: ${LINK}`);
  expect(listed(tenant)).toEqual({});
  expect(tenant.ok(OPERATION, named(ending['name']))).toMatchObject({
    done: true,
    response: { '@type': 'type.googleapis.com/google.protobuf.Empty' },
  });
  tenant.ok(CREATE, created());
});

describe('a cancelled operation', () => {
  test('makes no link', () => {
    const tenant = withBucket();
    tenant.ok(CANCEL, named(tenant.ok(CREATE, created())['name']));
    tenant.later(1_000);
    expect(tenant.refused(GET, named())).toMatch(/^404/);
    expect(listed(tenant)).toEqual({});
  });

  test('deletes no link', () => {
    const tenant = withLink();
    tenant.ok(CANCEL, named(tenant.ok(DELETE, named())['name']));
    tenant.later(1_000);
    expect(tenant.ok(GET, named())['lifecycleState']).toBe('ACTIVE');
  });
});

test('a bucket without Log Analytics has no link', () => {
  expect(withBucket({}).refused(CREATE, created())).toBe(
    '400 failedPrecondition: Only a bucket with Log Analytics can have a link: set analyticsEnabled first',
  );
});

test.each(['', 'my-link', 'a.b', 'a'.repeat(101)])('a link cannot have the id %j', (linkId) => {
  expect(withBucket().refused(CREATE, created(linkId))).toMatch(/^400 invalid: linkId must have/);
});

test('a link is refused that is there, a second one, one that says too much, one in no bucket', () => {
  const tenant = withLink();
  expect(tenant.refused(CREATE, created())).toBe(`409 duplicate: Resource already exists: ${LINK}`);
  expect(tenant.refused(CREATE, created('other'))).toBe('400 failedPrecondition: A bucket has at most 1 link');
  expect(tenant.refused(CREATE, created('other', { description: 'd'.repeat(8_001) }))).toMatch(/^400 invalid: descr/);
  expect(tenant.refused(CREATE, created('other', {}, `${BUCKET}2`))).toMatch(/^404/);
  expect(tenant.refused(LIST, { path: { parent: `${BUCKET}2` } })).toMatch(/^404/);
  expect(tenant.refused(DELETE, named(`${LINK}2`))).toMatch(/^404/);
  tenant.ok(DELETE, named());
  expect(tenant.refused(DELETE, named())).toBe('400 failedPrecondition: The link is in the state DELETE_REQUESTED');
  expect(tenant.refused(CREATE, created())).toMatch(/^409 duplicate/);
  tenant.ok('logging.projects.locations.buckets.delete', { path: { name: BUCKET } });
  expect(tenant.refused(CREATE, created('other'))).toMatch(/^400 failedPrecondition/);
});
