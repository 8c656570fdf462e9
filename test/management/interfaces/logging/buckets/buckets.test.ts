import { describe, expect, test } from 'vitest';
import { bucketAsks } from '../../../../../src/management/interfaces/logging/buckets/handlers.ts';
import {
  findBucketFacts,
  listBucketFacts,
  listGoneBucketFacts,
} from '../../../../../src/management/interfaces/logging/buckets/rows.ts';
import { defineParentHandlers } from '../../../../../src/management/interfaces/logging/handlers.ts';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';
import { listedIn, text } from '../answers.ts';

const DAY = 86_400_000;
const NOW = '2026-11-21T00:00:00.000Z';
const GLOBAL = 'projects/p/locations/global';
const DEFAULT = `${GLOBAL}/buckets/_Default`;
const REQUIRED = `${GLOBAL}/buckets/_Required`;
const MINE = `${GLOBAL}/buckets/mine`;
const KEY = 'projects/p/locations/us/keyRings/r/cryptoKeys/k';
const CREATE = 'logging.projects.locations.buckets.create';
const GET = 'logging.projects.locations.buckets.get';
const LIST = 'logging.projects.locations.buckets.list';
const PATCH = 'logging.projects.locations.buckets.patch';
const DELETE = 'logging.projects.locations.buckets.delete';
const UNDELETE = 'logging.projects.locations.buckets.undelete';
const generation = expect.any(String);

const created = (body: JsonObject = {}, bucketId = 'mine', parent = GLOBAL) => ({
  path: { parent },
  query: { bucketId },
  body,
});
const named = (name = MINE) => ({ path: { name } });
const change = (updateMask: string, body: JsonObject, name = MINE) => ({ path: { name }, query: { updateMask }, body });
const names = (answer: JsonObject) => listedIn(answer, 'buckets');

/** A tenant with the bucket `mine`. */
function withBucket(body: JsonObject = {}): TestTenant {
  const tenant = testTenant();
  tenant.ok(CREATE, created(body));
  tenant.handed.length = 0;
  return tenant;
}

test('every container has two buckets that nobody made', () => {
  const tenant = testTenant();
  expect(tenant.ok(GET, named(DEFAULT))).toEqual({
    name: DEFAULT,
    description: 'Default bucket',
    retentionDays: 30,
    lifecycleState: 'ACTIVE',
  });
  expect(
    tenant.ok('logging.folders.locations.buckets.get', named(REQUIRED.replace('projects/p', 'folders/7'))),
  ).toEqual({
    name: 'folders/7/locations/global/buckets/_Required',
    description: 'Audit bucket',
    retentionDays: 400,
    locked: true,
    lifecycleState: 'ACTIVE',
  });
  expect(tenant.refused(GET, named('projects/p/locations/eu/buckets/_Default'))).toBe(
    '404 notFound: Resource not found: projects/p/locations/eu/buckets/_Default',
  );
});

test('a bucket is made, read, and told to the store of entries', () => {
  const tenant = testTenant();
  const body = {
    name: 'other',
    lifecycleState: 'FAILED',
    description: 'audit',
    retentionDays: 7,
    locked: false,
    restrictedFields: ['jsonPayload.secret', 'jsonPayload.secret'],
    indexConfigs: [{ fieldPath: 'jsonPayload.a', type: 'INDEX_TYPE_STRING', createTime: '2001-01-01T00:00:00Z' }],
  };
  const shown = {
    name: MINE,
    description: 'audit',
    retentionDays: 7,
    restrictedFields: ['jsonPayload.secret'],
    indexConfigs: [{ fieldPath: 'jsonPayload.a', type: 'INDEX_TYPE_STRING', createTime: NOW }],
    createTime: NOW,
    updateTime: NOW,
    lifecycleState: 'ACTIVE',
  };
  expect(tenant.ok(CREATE, created(body))).toEqual(shown);
  expect(tenant.ok(GET, named())).toEqual(shown);
  expect(tenant.handed).toEqual([{ do: 'buckets', buckets: [{ name: MINE, retentionDays: 7, generation }] }]);
});

test.each([
  [{}, 30],
  [{ retentionDays: 0 }, 30],
  [{ retentionDays: 1 }, 1],
  [{ retentionDays: 3650 }, 3650],
])('a new bucket of %j keeps entries for %i days', (body, days) => {
  expect(testTenant().ok(CREATE, created(body))['retentionDays']).toBe(days);
});

describe('a new bucket is refused', () => {
  const index = (n: number): JsonObject[] =>
    Array.from({ length: n }, (_, at) => ({ fieldPath: `labels.l${at}`, type: 'INDEX_TYPE_STRING' }));
  test.each<[string, JsonObject, RegExp]>([
    ['negative retention', { retentionDays: -1 }, /^400 invalid: retentionDays must be from 1 to 3650/],
    ['retention above ten years', { retentionDays: 3651 }, /^400 invalid: retentionDays must be/],
    ['half a day', { retentionDays: 1.5 }, /^400 invalid: retentionDays must be/],
    ['a long description', { description: 'd'.repeat(8001) }, /^400 invalid: description has more than 8000/],
    ['21 indexes', { indexConfigs: index(21) }, /^400 invalid: A bucket has at most 20 indexes/],
    ['an index without type', { indexConfigs: [{ fieldPath: 'labels.a' }] }, /^400 invalid: An index has a fieldPath/],
    [
      'an index twice',
      { indexConfigs: [...index(1), ...index(1)] },
      /^400 invalid: There are two indexes of labels.l0/,
    ],
    ['a field that cannot be restricted', { restrictedFields: ['timestamp'] }, /^400 invalid: Only textPayload/],
    ['21 restricted fields', { restrictedFields: Array.from({ length: 21 }, (_, at) => `labels.${at}`) }, /at most 20/],
    [
      'what is no key',
      { cmekSettings: { kmsKeyName: 'k' } },
      /^400 invalid: cmekSettings.kmsKeyName must have the form/,
    ],
  ])('%s', (_what, body, refusal) => {
    const tenant = testTenant();
    expect(tenant.refused(CREATE, created(body))).toMatch(refusal);
    expect(tenant.refused(GET, named())).toMatch(/^404/);
    expect(tenant.handed).toEqual([]);
  });

  test.each(['', '_mine', '-a', '.a', 'a b', 'a/b', 'a'.repeat(101), 'ä'])('with the id %j', (bucketId) => {
    expect(testTenant().refused(CREATE, created({}, bucketId))).toMatch(/^400 invalid: Invalid bucketId/);
  });

  test('without an id, in a place that is none, in every place, in nobody', () => {
    const tenant = testTenant();
    expect(tenant.refused(CREATE, { path: { parent: GLOBAL } })).toMatch(/^400 invalid: Invalid bucketId/);
    expect(tenant.refused(CREATE, created({}, 'b', 'projects/p/locations/atlantis'))).toBe(
      '400 invalid: Location atlantis is not found or access is unauthorized.',
    );
    expect(tenant.refused(CREATE, created({}, 'b', 'projects/p/locations/-'))).toMatch(/^400 invalid: Location -/);
    expect(tenant.refused('logging.locations.buckets.create', created({}, 'b', 'users/u/locations/global'))).toBe(
      '400 invalid: Invalid resource name: users/u/locations/global',
    );
  });

  test('under an id that is taken, also by a deleted bucket', () => {
    const tenant = withBucket();
    expect(tenant.refused(CREATE, created())).toBe(`409 duplicate: Resource already exists: ${MINE}`);
    tenant.ok(DELETE, named());
    expect(tenant.refused(CREATE, created())).toMatch(/^409 duplicate/);
    expect(tenant.ok(CREATE, created({}, 'mine', 'projects/p/locations/eu'))['name']).toBe(
      'projects/p/locations/eu/buckets/mine',
    );
  });

  test('when the container has 100', () => {
    const tenant = testTenant();
    for (let n = 0; n < 98; n += 1) tenant.ok(CREATE, created({}, `b${n}`));
    expect(tenant.refused(CREATE, created({}, 'more'))).toBe('429 limitExceeded: A container has at most 100 buckets');
    expect(tenant.ok(CREATE, created({}, 'more', 'projects/q/locations/global'))['retentionDays']).toBe(30);
  });
});

test('a list shows one location, or all, page by page, with the default buckets', () => {
  const tenant = withBucket();
  tenant.ok(CREATE, created({}, 'far', 'projects/p/locations/eu'));
  const all = { path: { parent: 'projects/p/locations/-' } };
  const far = 'projects/p/locations/eu/buckets/far';
  expect(names(tenant.ok(LIST, all))).toEqual([far, DEFAULT, REQUIRED, MINE]);
  expect(names(tenant.ok(LIST, { path: { parent: GLOBAL } }))).toEqual([DEFAULT, REQUIRED, MINE]);
  expect(tenant.ok(LIST, { path: { parent: 'projects/p/locations/us' } })).toEqual({});
  const first = tenant.ok(LIST, { ...all, query: { pageSize: 3 } });
  expect(names(first)).toEqual([far, DEFAULT, REQUIRED]);
  const pageToken = text(first['nextPageToken']);
  expect(tenant.ok(LIST, { ...all, query: { pageSize: 3, pageToken } })).toEqual({
    buckets: [expect.objectContaining({ name: MINE })],
  });
  expect(tenant.refused(LIST, { path: { parent: GLOBAL }, query: { pageToken } })).toMatch(/^400/);
  expect(tenant.refused(LIST, { ...all, query: { pageSize: -1 } })).toMatch(/^400/);
});

describe('a change', () => {
  test('touches what the mask names, in either spelling', () => {
    const tenant = withBucket({ description: 'old' });
    tenant.later(1_000);
    const body = { retentionDays: 9, description: 'not named' };
    expect(tenant.ok(PATCH, change('retention_days', body))).toEqual({
      name: MINE,
      description: 'old',
      retentionDays: 9,
      createTime: NOW,
      updateTime: '2026-11-21T00:00:01.000Z',
      lifecycleState: 'ACTIVE',
    });
    expect(tenant.handed).toEqual([{ do: 'buckets', buckets: [{ name: MINE, retentionDays: 9, generation }] }]);
    expect(tenant.ok(PATCH, change('description', {}))['description']).toBeUndefined();
    expect(tenant.ok(PATCH, change('retentionDays', {}))['retentionDays']).toBe(30);
  });

  test('keeps the time of an index that was there', () => {
    const one = { fieldPath: 'labels.a', type: 'INDEX_TYPE_STRING' };
    const two = { fieldPath: 'labels.b', type: 'INDEX_TYPE_INTEGER' };
    const tenant = withBucket({ indexConfigs: [one] });
    tenant.later(1_000);
    expect(tenant.ok(PATCH, change('indexConfigs', { indexConfigs: [one, two] }))['indexConfigs']).toEqual([
      { ...one, createTime: NOW },
      { ...two, createTime: '2026-11-21T00:00:01.000Z' },
    ]);
  });

  test('makes a default bucket a row, which stays the default one', () => {
    const tenant = testTenant();
    expect(tenant.ok(PATCH, change('retentionDays', { retentionDays: 60 }, DEFAULT))).toMatchObject({
      name: DEFAULT,
      description: 'Default bucket',
      retentionDays: 60,
    });
    expect(names(tenant.ok(LIST, { path: { parent: GLOBAL } }))).toEqual([DEFAULT, REQUIRED]);
    expect(tenant.refused(DELETE, named(DEFAULT))).toBe('400 invalid: The bucket _Default cannot be deleted');
  });

  test('of _Required switches analytics on, and nothing else', () => {
    const tenant = testTenant();
    const refusal = '400 invalid: The bucket _Required cannot be changed';
    expect(tenant.refused(PATCH, change('retentionDays', { retentionDays: 500 }, REQUIRED))).toBe(refusal);
    expect(tenant.refused(PATCH, change('locked', {}, REQUIRED))).toBe(refusal);
    expect(tenant.refused(PATCH, change('description', { description: 'x' }, REQUIRED))).toBe(refusal);
    expect(tenant.ok(PATCH, change('analyticsEnabled', { analyticsEnabled: true }, REQUIRED))).toMatchObject({
      analyticsEnabled: true,
      locked: true,
    });
    expect(tenant.refused(DELETE, named(REQUIRED))).toBe('400 invalid: The bucket _Required cannot be deleted');
  });

  test.each<[JsonObject, string, JsonObject, string]>([
    [{ locked: true }, 'locked', { locked: false }, 'A locked bucket cannot be unlocked'],
    [{ locked: true }, 'retentionDays', { retentionDays: 31 }, 'The retention of a locked bucket cannot be changed'],
    [{ locked: true }, 'retentionDays', { retentionDays: 3 }, 'The retention of a locked bucket cannot be changed'],
    [{ analyticsEnabled: true }, 'analyticsEnabled', {}, 'Log Analytics cannot be switched off again'],
    [
      { cmekSettings: { kmsKeyName: KEY } },
      'cmekSettings',
      {},
      'The key of a bucket can be changed, but not taken away',
    ],
  ])('of %j by the mask %s to %j is refused', (before, mask, body, message) => {
    const tenant = withBucket(before);
    expect(tenant.refused(PATCH, change(mask, body))).toBe(`400 failedPrecondition: ${message}`);
    expect(tenant.ok(GET, named())).toMatchObject(before);
    expect(tenant.handed).toEqual([]);
  });

  test('of a locked bucket is allowed for all but its retention; a key can be another', () => {
    const tenant = withBucket({ cmekSettings: { kmsKeyName: KEY } });
    tenant.ok(PATCH, change('locked', { locked: true }));
    expect(
      tenant.ok(PATCH, change('description,retentionDays', { description: 'd', retentionDays: 30 })),
    ).toMatchObject({
      locked: true,
      description: 'd',
    });
    const cmekSettings = { kmsKeyName: `${KEY}2`, kmsKeyVersionName: 'mine', name: 'x' };
    expect(tenant.ok(PATCH, change('cmek_settings.kms_key_name', { cmekSettings }))['cmekSettings']).toEqual({
      kmsKeyName: `${KEY}2`,
      name: 'projects/p/cmekSettings',
      serviceAccountId: expect.stringMatching(/^cmek-p\d{12}@gcp-sa-logging\.iam\.gserviceaccount\.com$/),
    });
  });

  test.each([
    [{ path: { name: MINE }, body: { retentionDays: 9 } }, /^400 invalid: An update_mask must be given/],
    [change('', { retentionDays: 9 }), /^400 invalid: An update_mask must be given/],
    [change('colour', { retentionDays: 9 }), /^400 invalid: Invalid field mask/],
    [change('retentionDays', { retentionDays: 4000 }), /^400 invalid: retentionDays must be/],
    [change('retentionDays', { retentionDays: 9 }, `${GLOBAL}/buckets/none`), /^404 notFound/],
  ])('as %j is refused', (sent, refusal) => {
    const tenant = withBucket();
    expect(tenant.refused(PATCH, sent)).toMatch(refusal);
    expect(tenant.ok(GET, named())['retentionDays']).toBe(30);
  });
});

describe('a deleted bucket', () => {
  test('waits for seven days, unchangeable, and can be had back', () => {
    const tenant = withBucket();
    expect(tenant.call(DELETE, named())).toEqual({ ok: true, status: 200, body: {} });
    expect(tenant.ok(GET, named())['lifecycleState']).toBe('DELETE_REQUESTED');
    expect(tenant.refused(PATCH, change('retentionDays', { retentionDays: 9 }))).toBe(
      `400 failedPrecondition: The bucket ${MINE} is in the state DELETE_REQUESTED`,
    );
    expect(tenant.refused(DELETE, named())).toMatch(/^400 failedPrecondition/);
    const facts = { name: MINE, retentionDays: 30, generation };
    expect(findBucketFacts(MINE, tenant.context(GET))).toEqual({ ...facts, goneInMs: 7 * DAY });
    expect(tenant.handed.at(-1)).toEqual({ do: 'buckets', buckets: [{ ...facts, goneInMs: 7 * DAY }] });
    tenant.later(7 * DAY - 1);
    expect(findBucketFacts(MINE, tenant.context(GET))).toEqual({ ...facts, goneInMs: 1 });
    expect(tenant.call(UNDELETE, named())).toEqual({ ok: true, status: 200, body: {} });
    expect(tenant.ok(GET, named())['lifecycleState']).toBe('ACTIVE');
    expect(tenant.handed.at(-1)).toEqual({ do: 'buckets', buckets: [facts] });
    expect(tenant.refused(UNDELETE, named())).toMatch(/^400 failedPrecondition/);
    tenant.later(8 * DAY);
    expect(tenant.ok(GET, named())['lifecycleState']).toBe('ACTIVE');
  });

  test('is gone after seven days, which the store of entries hears with the next change', () => {
    const tenant = withBucket({ retentionDays: 9 });
    tenant.ok(DELETE, named());
    tenant.later(7 * DAY);
    expect(tenant.refused(GET, named())).toMatch(/^404/);
    expect(tenant.refused(UNDELETE, named())).toMatch(/^404/);
    expect(names(tenant.ok(LIST, { path: { parent: GLOBAL } }))).toEqual([DEFAULT, REQUIRED]);
    const gone = { name: MINE, retentionDays: 9, generation, isGone: true };
    expect(listBucketFacts('projects/p', tenant.context(GET)).map(({ name }) => name)).toEqual([DEFAULT, REQUIRED]);
    expect(listGoneBucketFacts('projects/p', tenant.context(GET))).toEqual([gone]);
    tenant.handed.length = 0;
    expect(tenant.ok(CREATE, created())['retentionDays']).toBe(30);
    expect(tenant.handed).toEqual([{ do: 'buckets', buckets: [gone, { name: MINE, retentionDays: 30, generation }] }]);
    expect(listGoneBucketFacts('projects/p', tenant.context(GET))).toEqual([]);
  });

  test('is another than the next one of its name, whatever happens to either', () => {
    const tenant = withBucket();
    const generationNow = () => findBucketFacts(MINE, tenant.context(GET))?.generation;
    const before = generationNow();
    tenant.ok(PATCH, change('retentionDays', { retentionDays: 9 }));
    tenant.ok(DELETE, named());
    tenant.ok(UNDELETE, named());
    tenant.ok(DELETE, named());
    expect(generationNow()).toBe(before);
    tenant.later(7 * DAY);
    tenant.ok(CREATE, created());
    expect(generationNow()).not.toBe(before);
    expect(findBucketFacts(DEFAULT, tenant.context(GET))).toEqual({ name: DEFAULT, retentionDays: 30 });
  });

  test.each([
    ['logging.entries.list', { resourceNames: ['projects/p'] }],
    ['logging.entries.write', { containers: ['projects/p'] }],
  ])('that is gone is told to the store of entries with each %s, until a change sweeps it', (method, body) => {
    const tenant = withBucket();
    tenant.ok(DELETE, named());
    tenant.later(7 * DAY);
    const told = () => {
      tenant.ok(method, { body });
      const order = tenant.handed.at(-1);
      return order !== undefined && 'buckets' in order ? order.buckets.filter(({ isGone }) => isGone) : [];
    };
    expect(told()).toEqual([{ name: MINE, retentionDays: 30, generation, isGone: true }]);
    expect(told()).toHaveLength(1);
    tenant.ok(CREATE, created({}, 'other'));
    expect(told()).toEqual([]);
  });

  test('takes its views with it', () => {
    const tenant = withBucket();
    const view = { path: { parent: MINE }, query: { viewId: 'v' }, body: {} };
    tenant.ok('logging.projects.locations.buckets.views.create', view);
    tenant.ok(DELETE, named());
    tenant.later(7 * DAY);
    tenant.ok(CREATE, created());
    expect(tenant.refused('logging.projects.locations.buckets.views.get', named(`${MINE}/views/v`))).toMatch(/^404/);
  });

  test('was empty if it was locked', () => {
    const tenant = withBucket({ locked: true });
    const refusal = '400 failedPrecondition: A locked bucket can only be deleted when it is empty';
    expect(tenant.refused(DELETE, named())).toBe(refusal);
    expect(tenant.refused(DELETE, { ...named(), known: { isBucketEmpty: false } })).toBe(refusal);
    tenant.ok(DELETE, { ...named(), known: { isBucketEmpty: true } });
    expect(tenant.ok(GET, named())['lifecycleState']).toBe('DELETE_REQUESTED');
  });
});

test('the store of entries is asked for every bucket that is to be deleted, under every parent', () => {
  expect(Object.keys(bucketAsks).toSorted()).toEqual([
    'logging.billingAccounts.locations.buckets.delete',
    'logging.folders.locations.buckets.delete',
    'logging.locations.buckets.delete',
    'logging.organizations.locations.buckets.delete',
    DELETE,
  ]);
  expect(bucketAsks[DELETE]?.({ ...named(), method: DELETE } as never)).toBe(MINE);
});

test('handlers are those of methods that the table has', () => {
  expect(() => defineParentHandlers('locations.buckets.burn', () => ({}))).toThrow('Logging has no method');
});
