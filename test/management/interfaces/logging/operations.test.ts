import { describe, expect, test } from 'vitest';
import { findBucketFacts, listBucketFacts } from '../../../../src/management/interfaces/logging/buckets/rows.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { testTenant, type TestTenant } from '../../../support/management/management.ts';
import { listedIn, text } from './answers.ts';

const DAY = 86_400_000;
const NOW = '2026-11-21T00:00:00.000Z';
const DONE = '2026-11-21T00:00:01.000Z';
const GLOBAL = 'projects/p/locations/global';
const MINE = `${GLOBAL}/buckets/mine`;
const METADATA = 'type.googleapis.com/google.logging.v2.BucketMetadata';
const CREATE = 'logging.projects.locations.buckets.createAsync';
const UPDATE = 'logging.projects.locations.buckets.updateAsync';
const BUCKET = 'logging.projects.locations.buckets.get';
const GET = 'logging.projects.locations.operations.get';
const LIST = 'logging.projects.locations.operations.list';
const CANCEL = 'logging.projects.locations.operations.cancel';

const named = (name: string) => ({ path: { name } });
const begin = (tenant: TestTenant, body: JsonObject = {}, bucketId = 'mine'): string =>
  text(tenant.ok(CREATE, { path: { parent: GLOBAL }, query: { bucketId }, body })['name']);
const change = (tenant: TestTenant, retentionDays: number): string =>
  text(tenant.ok(UPDATE, { ...named(MINE), query: { updateMask: 'retentionDays' }, body: { retentionDays } })['name']);
const names = (answer: JsonObject) => listedIn(answer, 'operations');
const retentions = (tenant: TestTenant) =>
  listBucketFacts('projects/p', tenant.context(GET)).map(({ name, retentionDays }) => [
    name.split('/').at(-1),
    retentionDays,
  ]);

test('a bucket made by an operation is CREATING for a second, and there with its response', () => {
  const tenant = testTenant();
  const name = begin(tenant, { retentionDays: 9 });
  expect(name).toMatch(/^projects\/p\/locations\/global\/operations\/[0-9a-f]{28}$/);
  const createBucketRequest = { parent: GLOBAL, bucketId: 'mine', bucket: { retentionDays: 9 } };
  expect(tenant.ok(GET, named(name))).toEqual({
    name,
    metadata: { '@type': METADATA, startTime: NOW, state: 'OPERATION_STATE_RUNNING', createBucketRequest },
  });
  expect(tenant.ok(BUCKET, named(MINE))['lifecycleState']).toBe('CREATING');
  expect(retentions(tenant)).toEqual([
    ['_Default', 30],
    ['_Required', 400],
  ]);
  tenant.later(1_000);
  const bucket = { name: MINE, retentionDays: 9, createTime: NOW, updateTime: NOW, lifecycleState: 'ACTIVE' };
  expect(tenant.ok(GET, named(name))).toEqual({
    name,
    done: true,
    metadata: {
      '@type': METADATA,
      startTime: NOW,
      endTime: DONE,
      state: 'OPERATION_STATE_SUCCEEDED',
      createBucketRequest,
    },
    response: { '@type': 'type.googleapis.com/google.logging.v2.LogBucket', ...bucket },
  });
  expect(tenant.ok(BUCKET, named(MINE))).toEqual(bucket);
  expect(retentions(tenant)).toEqual([
    ['_Default', 30],
    ['_Required', 400],
    ['mine', 9],
  ]);
});

test('a bucket changed by an operation is UPDATING and as it was for a second', () => {
  const tenant = testTenant();
  begin(tenant);
  tenant.later(1_000);
  const name = change(tenant, 60);
  expect(tenant.ok(BUCKET, named(MINE))).toMatchObject({ lifecycleState: 'UPDATING', retentionDays: 30 });
  expect(retentions(tenant)).toContainEqual(['mine', 30]);
  tenant.later(1_000);
  expect(tenant.ok(BUCKET, named(MINE))).toMatchObject({ lifecycleState: 'ACTIVE', retentionDays: 60 });
  expect(tenant.ok(GET, named(name))).toMatchObject({
    done: true,
    metadata: { updateBucketRequest: { name: MINE, bucket: { retentionDays: 60 }, updateMask: 'retentionDays' } },
    response: { name: MINE, retentionDays: 60, lifecycleState: 'ACTIVE' },
  });
  expect(retentions(tenant)).toContainEqual(['mine', 60]);
});

test.each([
  [60, { retentionDays: 30, keptDays: 60 }, { retentionDays: 60 }],
  [9, { retentionDays: 30 }, { retentionDays: 9 }],
])('entries are kept by the longer retention while an operation changes it to %i days', (days, during, after) => {
  const tenant = testTenant();
  begin(tenant);
  tenant.later(1_000);
  change(tenant, days);
  const facts = { name: MINE, generation: expect.any(String) };
  expect(tenant.handed.at(-1)).toEqual({ do: 'buckets', buckets: [{ ...facts, ...during }] });
  expect(findBucketFacts(MINE, tenant.context(GET))).toEqual({ ...facts, ...during });
  tenant.later(1_000);
  expect(findBucketFacts(MINE, tenant.context(GET))).toEqual({ ...facts, ...after });
});

test('the store of entries hears that a change was cancelled', () => {
  const tenant = testTenant();
  begin(tenant);
  tenant.later(1_000);
  tenant.ok(CANCEL, named(change(tenant, 60)));
  const facts = { name: MINE, retentionDays: 30, generation: expect.any(String) };
  expect(tenant.handed.at(-1)).toEqual({ do: 'buckets', buckets: [facts] });
});

test('a default bucket is changed by an operation too', () => {
  const tenant = testTenant();
  const path = { name: `folders/1/locations/global/buckets/_Default` };
  const query = { updateMask: 'retention_days' };
  tenant.ok('logging.locations.buckets.updateAsync', { path, query, body: { retentionDays: 5 } });
  expect(tenant.ok('logging.folders.locations.buckets.get', { path })['retentionDays']).toBe(30);
  tenant.later(1_000);
  expect(tenant.ok('logging.folders.locations.buckets.get', { path })['retentionDays']).toBe(5);
});

describe('what runs', () => {
  test('is cancelled, and the bucket is not made', () => {
    const tenant = testTenant();
    const name = begin(tenant);
    tenant.later(400);
    expect(tenant.call(CANCEL, { ...named(name), body: {} })).toEqual({ ok: true, status: 200, body: {} });
    expect(tenant.ok(GET, named(name))).toMatchObject({
      done: true,
      error: { code: 1, message: 'The operation was cancelled.' },
      metadata: { state: 'OPERATION_STATE_CANCELLED', endTime: '2026-11-21T00:00:00.400Z' },
    });
    expect(tenant.refused(BUCKET, named(MINE))).toMatch(/^404/);
    tenant.later(DAY);
    expect(tenant.ok(GET, named(name))['response']).toBeUndefined();
    expect(tenant.refused(BUCKET, named(MINE))).toMatch(/^404/);
    expect(begin(tenant)).not.toBe(name);
  });

  test('is cancelled, and the bucket is as it was', () => {
    const tenant = testTenant();
    begin(tenant);
    tenant.later(1_000);
    tenant.ok(CANCEL, named(change(tenant, 60)));
    tenant.later(1_000);
    expect(tenant.ok(BUCKET, named(MINE))).toMatchObject({ lifecycleState: 'ACTIVE', retentionDays: 30 });
  });

  test('keeps other changes away', () => {
    const tenant = testTenant();
    begin(tenant);
    const refusal = `400 failedPrecondition: The bucket ${MINE} is in the state CREATING`;
    const sent = { ...named(MINE), query: { updateMask: 'retentionDays' }, body: { retentionDays: 3 } };
    expect(tenant.refused('logging.projects.locations.buckets.patch', sent)).toBe(refusal);
    expect(tenant.refused(UPDATE, sent)).toBe(refusal);
    expect(tenant.refused('logging.projects.locations.buckets.delete', named(MINE))).toBe(refusal);
    expect(tenant.refused(CREATE, { path: { parent: GLOBAL }, query: { bucketId: 'mine' } })).toMatch(/^409 duplicate/);
  });
});

test('a cancel of what is done changes nothing', () => {
  const tenant = testTenant();
  const name = begin(tenant);
  tenant.later(1_000);
  const done = tenant.ok(GET, named(name));
  expect(tenant.ok(CANCEL, named(name))).toEqual({});
  expect(tenant.ok(GET, named(name))).toEqual(done);
  expect(tenant.ok(BUCKET, named(MINE))['lifecycleState']).toBe('ACTIVE');
});

describe('a copy', () => {
  const FILTER = 'metadata.state="OPERATION_STATE_RUNNING"';
  const copy = (tenant: TestTenant): string => {
    const body = { name: `${GLOBAL}/buckets/_Default`, destination: 'storage.googleapis.com/archive' };
    return text(tenant.ok('logging.entries.copy', { body })['name']);
  };

  test('is cancelled by the store of entries, however long it runs', () => {
    const tenant = testTenant();
    const operation = copy(tenant);
    tenant.later(DAY);
    expect(tenant.ok(CANCEL, named(operation))).toEqual({});
    expect(tenant.handed.at(-1)).toEqual({ do: 'cancelCopy', operation });
    expect(tenant.ok(GET, named(operation))['error']).toBeUndefined();
  });

  test('is listed by the store of entries, which judges it by the filter; a page without one is not handed on', () => {
    const tenant = testTenant();
    begin(tenant);
    const operation = copy(tenant);
    const handed = tenant.handed.length;
    tenant.later(1_000);
    const page = tenant.ok(LIST, { ...named(GLOBAL), query: { filter: FILTER } });
    expect(names(page)).toEqual([operation]);
    expect(tenant.handed.slice(handed)).toEqual([{ do: 'operations', page, filter: FILTER }]);
    expect(names(tenant.ok(LIST, { ...named(GLOBAL), query: { pageSize: 1 } }))).not.toEqual([operation]);
    expect(tenant.handed).toHaveLength(handed + 1);
  });
});

test('a refused change begins no operation', () => {
  const tenant = testTenant();
  const sent = { path: { parent: GLOBAL }, query: { bucketId: 'mine' }, body: { retentionDays: 4_000 } };
  expect(tenant.refused(CREATE, sent)).toMatch(/^400 invalid: retentionDays/);
  expect(tenant.refused(UPDATE, { ...named(`${GLOBAL}/buckets/_Default`), body: { retentionDays: 3 } })).toMatch(
    /^400 invalid: An update_mask must be given/,
  );
  expect(tenant.ok(LIST, named(GLOBAL))).toEqual({});
});

test('a list shows those of one location in their order, by pages and by a filter', () => {
  const tenant = testTenant();
  const made = ['a', 'b', 'c'].map((id) => {
    tenant.later(500);
    return begin(tenant, {}, id);
  });
  expect(names(tenant.ok(LIST, named(GLOBAL)))).toEqual(made);
  const first = tenant.ok(LIST, { ...named(GLOBAL), query: { pageSize: 2 } });
  expect(names(first)).toEqual(made.slice(0, 2));
  const query = { pageSize: 2, pageToken: text(first['nextPageToken']) };
  expect(names(tenant.ok(LIST, { ...named(GLOBAL), query }))).toEqual(made.slice(2));
  expect(names(tenant.ok(LIST, { ...named(GLOBAL), query: { filter: 'done=true' } }))).toEqual(made.slice(0, 1));
  expect(names(tenant.ok(LIST, named('projects/p/locations/eu')))).toEqual([]);
  expect(names(tenant.ok('logging.locations.operations.list', named('projects/q/locations/global')))).toEqual([]);
});

test('operations are kept for 30 days', () => {
  const tenant = testTenant();
  const name = begin(tenant);
  tenant.later(30 * DAY - 1);
  expect(names(tenant.ok(LIST, named(GLOBAL)))).toEqual([name]);
  tenant.later(1);
  expect(tenant.refused(GET, named(name))).toBe(`404 notFound: Resource not found: ${name}`);
  expect(tenant.refused(CANCEL, named(name))).toMatch(/^404/);
  expect(tenant.ok(LIST, named(GLOBAL))).toEqual({});
  const next = begin(tenant, {}, 'next');
  expect(names(tenant.ok(LIST, named(GLOBAL)))).toEqual([next]);
  expect(tenant.engine.store.count('logging.operations', GLOBAL)).toBe(1);
});

test('of 1,000 operations in a location the oldest makes room', () => {
  const tenant = testTenant();
  begin(tenant);
  const made = Array.from({ length: 1_001 }, () => {
    tenant.later(1_000);
    return change(tenant, 31);
  });
  expect(tenant.engine.store.count('logging.operations', GLOBAL)).toBe(1_000);
  expect(tenant.refused(GET, named(made[0] ?? ''))).toMatch(/^404/);
  expect(tenant.ok(GET, named(made[1] ?? ''))['done']).toBe(true);
});

test.each([
  [LIST, { ...named(GLOBAL), query: { filter: 'done=' } }, /^400 invalid: Unparseable filter/],
  [LIST, { ...named(GLOBAL), query: { filter: 'a'.repeat(20_001) } }, /^400 invalid: filter has more than 20000/],
  [LIST, { ...named(GLOBAL), query: { pageToken: 'mine' } }, /^400/],
  [LIST, { ...named(GLOBAL), query: { returnPartialSuccess: true } }, /^501 notImplemented/],
  [LIST, named('projects/p/regions/global'), /^400 invalid: Invalid resource name/],
  [GET, named(`${GLOBAL}/operations/none`), /^404 notFound/],
  [CANCEL, named(`${GLOBAL}/operations/none`), /^404 notFound/],
  [
    'logging.locations.operations.get',
    named('users/u/locations/global/operations/o'),
    /^400 invalid: Invalid resource/,
  ],
])('%s with %j is refused', (method, sent, refusal) => {
  expect(testTenant().refused(method, sent)).toMatch(refusal);
});
