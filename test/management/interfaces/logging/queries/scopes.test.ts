import { beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { type TestTenant, testTenant } from '../../../../support/management/management.ts';

const FIRST = '2026-11-21T00:00:00.000Z';
const PARENT = 'projects/p/locations/global';
const ROW = 'logging.projects.locations.logScopes';
const VIEW = `${PARENT}/buckets/b/views/v`;

let tenant: TestTenant;
beforeEach(() => {
  tenant = testTenant();
});

const named = (id: string, parent = PARENT) => ({ path: { name: `${parent}/logScopes/${id}` } });
const created = (logScopeId: string, body: JsonObject, parent = PARENT) => ({
  path: { parent },
  query: { logScopeId },
  body,
});
const namesIn = ({ logScopes }: JsonObject): unknown[] => (logScopes as JsonObject[]).map(({ name }) => name);

test.each(['projects/p', 'folders/1', 'organizations/2'])(
  'a log scope of %s is made, read, changed and deleted',
  (container) => {
    const row = (verb: string) => `logging.${container.split('/')[0]}.locations.logScopes.${verb}`;
    const parent = `${container}/locations/global`;
    const body = { resourceNames: ['projects/p', VIEW], description: 'D' };
    const made = tenant.ok(row('create'), created('s', body, parent));
    expect(made).toEqual({ name: `${parent}/logScopes/s`, ...body, createTime: FIRST, updateTime: FIRST });
    expect(tenant.ok(row('get'), named('s', parent))).toEqual(made);
    tenant.later(1_000);
    const change = { ...named('s', parent), query: { updateMask: 'description' }, body: { description: 'E' } };
    const changed = tenant.ok(row('patch'), change);
    expect(changed).toEqual({ ...made, description: 'E', updateTime: '2026-11-21T00:00:01.000Z' });
    expect(namesIn(tenant.ok(row('list'), { path: { parent } }))).toEqual([
      `${parent}/logScopes/_Default`,
      `${parent}/logScopes/s`,
    ]);
    expect(tenant.ok(row('delete'), named('s', parent))).toEqual({});
    expect(tenant.refused(row('get'), named('s', parent))).toBe(
      `404 notFound: Resource not found: ${parent}/logScopes/s`,
    );
  },
);

test('every container has the scope _Default, which can be changed but not deleted', () => {
  expect(tenant.ok(`${ROW}.get`, named('_Default'))).toEqual({
    name: `${PARENT}/logScopes/_Default`,
    resourceNames: ['projects/p'],
  });
  const body = { resourceNames: ['projects/p', 'projects/q'] };
  expect(tenant.ok(`${ROW}.patch`, { ...named('_Default'), body })).toMatchObject(body);
  expect(namesIn(tenant.ok(`${ROW}.list`, { path: { parent: PARENT } }))).toEqual([`${PARENT}/logScopes/_Default`]);
  expect(tenant.refused(`${ROW}.delete`, named('_Default'))).toMatch(/^400 failedPrecondition/);
});

test.each<[string, string, JsonObject, string, RegExp]>([
  ['no resources', 's', {}, PARENT, /^400 required: .*resourceNames/],
  [
    'six projects',
    's',
    { resourceNames: [1, 2, 3, 4, 5, 6].map((id) => `projects/p${id}`) },
    PARENT,
    /at most 5 projects/,
  ],
  [
    '101 resources',
    's',
    { resourceNames: Array.from({ length: 101 }, (_, at) => `${VIEW}${at}`) },
    PARENT,
    /100 resources/,
  ],
  ['a folder', 's', { resourceNames: ['folders/1'] }, PARENT, /^400 invalid/],
  ['a bucket', 's', { resourceNames: [`${PARENT}/buckets/b`] }, PARENT, /^400 invalid/],
  [
    'another location',
    's',
    { resourceNames: ['projects/p'] },
    'projects/p/locations/eu',
    /only in the location global/,
  ],
  ['no id', '', { resourceNames: ['projects/p'] }, PARENT, /Invalid logScopeId/],
  ['a restricted id', '_s', { resourceNames: ['projects/p'] }, PARENT, /Invalid logScopeId/],
  ['a long description', 's', { resourceNames: ['projects/p'], description: 'a'.repeat(8_001) }, PARENT, /8000/],
  ['an id that is taken', 'taken', { resourceNames: ['projects/p'] }, PARENT, /^409 duplicate/],
])('create refuses %s', (_what, id, body, parent, why) => {
  tenant.ok(`${ROW}.create`, created('taken', { resourceNames: ['projects/p'] }));
  expect(tenant.refused(`${ROW}.create`, created(id, body, parent))).toMatch(why);
});

test('a patch cannot clear the resources', () => {
  tenant.ok(`${ROW}.create`, created('s', { resourceNames: ['projects/p'] }));
  const sent = { ...named('s'), query: { updateMask: 'resourceNames' }, body: {} };
  expect(tenant.refused(`${ROW}.patch`, sent)).toMatch(/^400 required/);
});
