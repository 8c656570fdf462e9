import { beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { listSinkRoutes } from '../../../../../src/management/interfaces/logging/sinks/rows.ts';
import { toTextOrEmpty } from '../../../../../src/management/interfaces/logging/schemas.ts';
import { type TestTenant, testTenant } from '../../../../support/management/management.ts';

const FIRST = '2026-11-21T00:00:00.000Z';
const PARENTS = ['projects/p', 'folders/1', 'organizations/2', 'billingAccounts/0A-1'];

let tenant: TestTenant;
beforeEach(() => {
  tenant = testTenant();
});

const CREATE = 'logging.projects.exclusions.create';
const PATCH = 'logging.projects.exclusions.patch';
const path = { parent: 'projects/p' };
const named = (id: string) => ({ path: { name: `projects/p/exclusions/${id}` } });
const make = (name: string, filter = 'a'): JsonObject => tenant.ok(CREATE, { path, body: { name, filter } });
const list = (query = {}): JsonObject => tenant.ok('logging.projects.exclusions.list', { path, query });
const exclusionsOf = (sink: string): readonly string[] | undefined =>
  listSinkRoutes('projects/p', tenant.context(CREATE)).find((route) => route.sink === `projects/p/sinks/${sink}`)
    ?.exclusions;

test.each(PARENTS)('an exclusion of %s is made, read, changed and deleted', (parent) => {
  const row = (verb: string) => `logging.${parent.split('/')[0]}.exclusions.${verb}`;
  const name = `${parent}/exclusions/e`;
  const body = { name: 'e', filter: 'severity<ERROR sample(insertId, 0.99)', description: 'Most' };
  const made = tenant.ok(row('create'), { path: { parent }, body });
  expect(made).toEqual({ ...body, createTime: FIRST, updateTime: FIRST });
  expect(tenant.ok(row('get'), { path: { name } })).toEqual(made);
  tenant.later(1_000);
  const query = { updateMask: 'filter,disabled' };
  const changed = tenant.ok(row('patch'), {
    path: { name },
    query,
    body: { filter: 'severity=DEBUG', disabled: true },
  });
  expect(changed).toEqual({
    name: 'e',
    filter: 'severity=DEBUG',
    description: 'Most',
    disabled: true,
    createTime: FIRST,
    updateTime: '2026-11-21T00:00:01.000Z',
  });
  expect(tenant.ok('logging.exclusions.list', { path: { parent } })).toEqual({ exclusions: [changed] });
  expect(tenant.ok(row('delete'), { path: { name } })).toEqual({});
  expect(tenant.refused(row('get'), { path: { name } })).toBe(`404 notFound: Resource not found: ${name}`);
  expect(tenant.ok(row('list'), { path: { parent } })).toEqual({});
});

test('they are those of the _Default sink, and leave out of no other', () => {
  const body = { name: 's', destination: 'storage.googleapis.com/a-bucket' };
  tenant.ok('logging.projects.sinks.create', { path, body });
  const made = make('e', 'textPayload:probe');
  const sink = tenant.ok('logging.projects.sinks.get', { path: { sinkName: 'projects/p/sinks/_Default' } });
  expect(sink['exclusions']).toEqual([made]);
  expect([exclusionsOf('_Default'), exclusionsOf('_Required'), exclusionsOf('s')]).toEqual([
    ['textPayload:probe'],
    [],
    [],
  ]);
  tenant.ok(PATCH, { ...named('e'), query: { updateMask: 'disabled' }, body: { disabled: true } });
  expect(exclusionsOf('_Default')).toEqual([]);
});

test('what is written to the sink is seen as exclusions', () => {
  const body = { exclusions: [{ name: 'e', filter: 'a' }] };
  const query = { updateMask: 'exclusions' };
  tenant.ok('logging.projects.sinks.patch', { path: { sinkName: 'projects/p/sinks/_Default' }, query, body });
  expect(tenant.ok('logging.projects.exclusions.get', named('e'))).toEqual({
    name: 'e',
    filter: 'a',
    createTime: FIRST,
    updateTime: FIRST,
  });
});

test('lists are in the order of names, with pages', () => {
  for (const name of ['c', 'a', 'b']) make(name);
  const first = list({ pageSize: 2 });
  const names = (answer: JsonObject) => (answer['exclusions'] as JsonObject[]).map(({ name }) => name);
  expect(names(first)).toEqual(['a', 'b']);
  expect(names(list({ pageSize: 2, pageToken: toTextOrEmpty(first['nextPageToken']) }))).toEqual(['c']);
});

test.each<[string, JsonObject, RegExp]>([
  ['no name', { filter: 'a' }, /^400 invalid: Invalid name/],
  ['a bad name', { name: 'a b', filter: 'a' }, /^400 invalid: Invalid name/],
  ['no filter', { name: 'x' }, /^400 required: Missing required field: filter/],
  ['a bad filter', { name: 'x', filter: 'a AND' }, /^400 invalid: Unparseable filter/],
  ['a name that is taken', { name: 'e', filter: 'a' }, /^409 duplicate: .*projects\/p\/exclusions\/e$/],
])('create refuses %s', (_what, body, why) => {
  make('e');
  expect(tenant.refused(CREATE, { path, body })).toMatch(why);
});

test('a 51st exclusion is refused', () => {
  for (let at = 0; at < 50; at += 1) make(`e${at}`);
  expect(tenant.refused(CREATE, { path, body: { name: 'more', filter: 'a' } })).toMatch(/^429 limitExceeded/);
});

test.each<[string, Record<string, string>, JsonObject, RegExp]>([
  ['without a mask', {}, { filter: 'b' }, /^400 invalid: An update_mask must be given/],
  ['with an empty mask', { updateMask: '' }, { filter: 'b' }, /^400 invalid: An update_mask must be given/],
  ['that clears the filter', { updateMask: 'filter' }, {}, /^400 required/],
  ['with a mask of what is not there', { updateMask: 'nonsense' }, {}, /^400 invalid: Invalid field mask/],
])('a patch %s is refused, and nothing changes', (_what, query, body, why) => {
  const before = make('e');
  expect(tenant.refused(PATCH, { ...named('e'), query, body })).toMatch(why);
  expect(tenant.ok('logging.projects.exclusions.get', named('e'))).toEqual(before);
});

test('a patch cannot rename, and one of what is not there is refused', () => {
  make('e');
  const sent = { query: { updateMask: 'name,filter' }, body: { name: 'f', filter: 'b' } };
  expect(tenant.ok(PATCH, { ...named('e'), ...sent })).toMatchObject({ name: 'e', filter: 'b' });
  for (const verb of ['get', 'delete'])
    expect(tenant.refused(`logging.projects.exclusions.${verb}`, named('f'))).toMatch(/^404/);
  expect(tenant.refused(PATCH, { ...named('f'), ...sent })).toMatch(/^404 notFound/);
});
