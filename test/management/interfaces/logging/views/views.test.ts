import { describe, expect, test } from 'vitest';
import { requireViewSource } from '../../../../../src/management/interfaces/logging/views/rows.ts';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';
import { listedIn, text } from '../answers.ts';

const NOW = '2026-11-21T00:00:00.000Z';
const GLOBAL = 'projects/p/locations/global';
const DEFAULT = `${GLOBAL}/buckets/_Default`;
const BUCKET = `${GLOBAL}/buckets/mine`;
const VIEW = `${BUCKET}/views/v`;
const FILTER = 'SOURCE("projects/p") AND NOT LOG_ID("stdout")';
const CREATE = 'logging.projects.locations.buckets.views.create';
const GET = 'logging.projects.locations.buckets.views.get';
const LIST = 'logging.projects.locations.buckets.views.list';
const PATCH = 'logging.projects.locations.buckets.views.patch';
const DELETE = 'logging.projects.locations.buckets.views.delete';

const created = (body: JsonObject = {}, viewId = 'v', parent = BUCKET) => ({
  path: { parent },
  query: { viewId },
  body,
});
const named = (name = VIEW) => ({ path: { name } });
const names = (answer: JsonObject) => listedIn(answer, 'views');

function withBucket(): TestTenant {
  const tenant = testTenant();
  tenant.ok('logging.projects.locations.buckets.create', {
    path: { parent: GLOBAL },
    query: { bucketId: 'mine' },
    body: {},
  });
  return tenant;
}

test('every bucket has a view of everything, and _Default one without who read what', () => {
  const tenant = withBucket();
  expect(tenant.ok(LIST, { path: { parent: BUCKET } })).toEqual({ views: [{ name: `${BUCKET}/views/_AllLogs` }] });
  expect(names(tenant.ok(LIST, { path: { parent: `${GLOBAL}/buckets/_Required` } }))).toEqual([
    `${GLOBAL}/buckets/_Required/views/_AllLogs`,
  ]);
  expect(tenant.ok(LIST, { path: { parent: DEFAULT } })).toEqual({
    views: [
      { name: `${DEFAULT}/views/_AllLogs` },
      {
        name: `${DEFAULT}/views/_Default`,
        filter:
          'NOT LOG_ID("cloudaudit.googleapis.com/data_access") AND NOT LOG_ID("externalaudit.googleapis.com/data_access")',
      },
    ],
  });
  expect(tenant.refused(LIST, { path: { parent: `${GLOBAL}/buckets/none` } })).toMatch(/^404/);
});

test('a view is made, changed and deleted', () => {
  const tenant = withBucket();
  const made = { name: VIEW, filter: FILTER, createTime: NOW, updateTime: NOW };
  expect(tenant.ok(CREATE, created({ filter: FILTER, name: 'x' }))).toEqual(made);
  expect(tenant.ok(GET, named())).toEqual(made);
  tenant.later(1_000);
  const later = '2026-11-21T00:00:01.000Z';
  const described = { ...made, description: 'd', updateTime: later };
  expect(tenant.ok(PATCH, { ...named(), query: { updateMask: 'description' }, body: { description: 'd' } })).toEqual(
    described,
  );
  expect(tenant.ok(PATCH, { ...named(), body: { filter: '' } })).toEqual({
    name: VIEW,
    description: 'd',
    createTime: NOW,
    updateTime: later,
  });
  expect(tenant.call(DELETE, named())).toEqual({ ok: true, status: 200, body: {} });
  expect(tenant.refused(GET, named())).toBe(`404 notFound: Resource not found: ${VIEW}`);
});

test('a list comes page by page', () => {
  const tenant = withBucket();
  tenant.ok(CREATE, created({}, 'a'));
  const first = tenant.ok(LIST, { path: { parent: BUCKET }, query: { pageSize: 1 } });
  expect(names(first)).toEqual([`${BUCKET}/views/_AllLogs`]);
  const query = { pageSize: 1, pageToken: text(first['nextPageToken']) };
  const last = tenant.ok(LIST, { path: { parent: BUCKET }, query });
  expect(last).toEqual({ views: [expect.objectContaining({ name: `${BUCKET}/views/a` })] });
});

describe('a new view is refused', () => {
  test.each<[string, JsonObject, RegExp]>([
    ['a filter of something else', { filter: 'severity>=ERROR' }, /^400 invalid: Invalid filter of a view/],
    ['a filter with OR', { filter: 'LOG_ID("a") OR LOG_ID("b")' }, /^400 invalid: Invalid filter of a view/],
    ['no filter at all', { filter: 'SOURCE(' }, /^400 invalid: Unparseable filter/],
    ['a long filter', { filter: 'a'.repeat(20_001) }, /^400 invalid: filter has more than 20000/],
    ['a long description', { description: 'd'.repeat(8_001) }, /^400 invalid: description has more than 8000/],
  ])('%s', (_what, body, refusal) => {
    const tenant = withBucket();
    expect(tenant.refused(CREATE, created(body))).toMatch(refusal);
    expect(tenant.refused(GET, named())).toMatch(/^404/);
  });

  test.each(['', 'a.b', 'a b', 'a'.repeat(101)])('with the id %j', (id) => {
    expect(withBucket().refused(CREATE, created({}, id))).toMatch(/^400 invalid: viewId must have/);
  });

  test('under an id that is taken, in a bucket that is not there or is to go, and as the 31st', () => {
    const tenant = withBucket();
    expect(tenant.refused(CREATE, created({}, '_AllLogs'))).toMatch(/^409 duplicate/);
    expect(tenant.refused(CREATE, created({}, '_Default', DEFAULT))).toMatch(/^409 duplicate/);
    for (let n = 0; n < 29; n += 1) tenant.ok(CREATE, created({}, `v${n}`));
    expect(tenant.refused(CREATE, created({}, 'v0'))).toMatch(/^409 duplicate/);
    expect(tenant.refused(CREATE, created())).toBe('429 limitExceeded: A bucket has at most 30 views');
    expect(tenant.refused(CREATE, created({}, 'v', `${GLOBAL}/buckets/none`))).toMatch(/^404/);
    tenant.ok('logging.projects.locations.buckets.delete', { path: { name: BUCKET } });
    expect(tenant.refused(CREATE, created())).toMatch(/^400 failedPrecondition/);
  });
});

test.each([`${DEFAULT}/views/_Default`, `${DEFAULT}/views/_AllLogs`, `${BUCKET}/views/_AllLogs`])(
  'nobody changes or deletes %s',
  (name) => {
    const tenant = withBucket();
    expect(tenant.refused(PATCH, { ...named(name), body: { filter: '' } })).toMatch(/cannot be changed or deleted$/);
    expect(tenant.refused(DELETE, named(name))).toMatch(/^400 invalid: The view _\w+ cannot be changed or deleted$/);
  },
);

test('a source is what a view shows of its bucket', () => {
  const tenant = withBucket();
  tenant.ok(CREATE, created({ filter: FILTER }));
  const source = (name: string) => requireViewSource(name, tenant.context(GET));
  expect(source(VIEW)).toEqual({ bucket: BUCKET, filter: FILTER });
  expect(source(`${BUCKET}/views/_AllLogs`)).toEqual({ bucket: BUCKET });
  expect(source('folders/1/locations/global/buckets/_Required/views/_AllLogs')).toEqual({
    bucket: 'folders/1/locations/global/buckets/_Required',
  });
  expect(() => source(`${BUCKET}/views/none`)).toThrow(`Resource not found: ${BUCKET}/views/none`);
  expect(() => source(`${GLOBAL}/buckets/none/views/_AllLogs`)).toThrow('Resource not found');
  expect(() => source(BUCKET)).toThrow(`Invalid resource name: ${BUCKET}`);
  expect(() => source(`users/u/locations/global/buckets/b/views/v`)).toThrow('Invalid resource name');
});
