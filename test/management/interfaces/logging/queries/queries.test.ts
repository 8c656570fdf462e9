import { beforeEach, describe, expect, test } from 'vitest';
import { parseQueryFilter } from '../../../../../src/management/interfaces/logging/queries/schemas.ts';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { toTextOrEmpty } from '../../../../../src/management/interfaces/logging/schemas.ts';
import { type TestTenant, testTenant } from '../../../../support/management/management.ts';

const FIRST = '2026-11-21T00:00:00.000Z';
const DAY = 86_400_000;
const GLOBAL = 'projects/p/locations/global';
const ROW = 'logging.projects.locations.savedQueries';
const OTHER = { caller: { userId: 'b'.repeat(32) } };

let tenant: TestTenant;
beforeEach(() => {
  tenant = testTenant();
});

const PRIVATE = { displayName: 'Mine', visibility: 'PRIVATE', loggingQuery: { filter: 'severity>=ERROR' } };
const SHARED = { displayName: 'Ours', visibility: 'SHARED', opsAnalyticsQuery: { sqlQueryText: 'SELECT 1' } };
const save = (savedQueryId: string, body: JsonObject, parent = GLOBAL, sent = {}): JsonObject =>
  tenant.ok(`${ROW}.create`, { path: { parent }, query: { savedQueryId }, body, ...sent });
const named = (id: string, parent = GLOBAL) => ({ path: { name: `${parent}/savedQueries/${id}` } });
const idsIn = (answer: JsonObject): string[] =>
  Array.isArray(answer['savedQueries'])
    ? answer['savedQueries'].map((each) => toTextOrEmpty((each as JsonObject)['name']).replace(/^.*\//, ''))
    : [];
const list = (filter = '', parent = GLOBAL, sent = {}): string[] =>
  idsIn(tenant.ok(`${ROW}.list`, { path: { parent }, query: { filter }, ...sent }));

describe('saved queries', () => {
  test.each(['projects/p', 'folders/1', 'organizations/2', 'billingAccounts/0A-1'])(
    'of %s are made, read, changed and deleted',
    (container) => {
      const row = (verb: string) => `logging.${container.split('/')[0]}.locations.savedQueries.${verb}`;
      const name = `${container}/locations/global/savedQueries/q`;
      const path = { parent: `${container}/locations/global` };
      const made = tenant.ok(row('create'), { path, query: { savedQueryId: 'q' }, body: PRIVATE });
      expect(made).toEqual({ name, ...PRIVATE, createTime: FIRST, updateTime: FIRST });
      expect(tenant.ok(row('get'), { path: { name } })).toEqual(made);
      tenant.later(1_000);
      const query = { updateMask: 'loggingQuery.filter,description' };
      const body = { description: 'D', loggingQuery: { filter: 'severity=INFO' } };
      const changed = tenant.ok(row('patch'), { path: { name }, query, body });
      expect(changed).toEqual({ ...made, ...body, updateTime: '2026-11-21T00:00:01.000Z' });
      expect(tenant.ok(row('list'), { path })).toEqual({ savedQueries: [changed] });
      expect(tenant.ok(row('delete'), { path: { name } })).toEqual({});
      expect(tenant.refused(row('get'), { path: { name } })).toBe(`404 notFound: Resource not found: ${name}`);
    },
  );

  test('get an id where none is given', () => {
    const made = tenant.ok(`${ROW}.create`, { path: { parent: GLOBAL }, body: PRIVATE });
    expect(made['name']).toMatch(/^projects\/p\/locations\/global\/savedQueries\/[0-9a-f]{32}$/);
  });

  test('private ones are there for who made them alone, shared ones for all of the tenant', () => {
    save('mine', PRIVATE);
    save('ours', SHARED);
    expect([list(), list('', GLOBAL, OTHER)]).toEqual([['mine', 'ours'], ['ours']]);
    const unknown = tenant.refused(`${ROW}.get`, named('none'));
    const body = { displayName: 'Theirs' };
    const query = { updateMask: 'displayName' };
    for (const refused of [
      tenant.refused(`${ROW}.get`, { ...named('mine'), ...OTHER }),
      tenant.refused(`${ROW}.delete`, { ...named('mine'), ...OTHER }),
      tenant.refused(`${ROW}.patch`, { ...named('mine'), ...OTHER, query, body }),
    ])
      expect(refused).toBe(unknown.replace('none', 'mine'));
    expect(tenant.ok(`${ROW}.patch`, { ...named('ours'), ...OTHER, query, body })['displayName']).toBe('Theirs');
    expect(JSON.stringify(tenant.ok(`${ROW}.get`, named('ours')))).not.toContain('owner');
  });

  test('are of one location; `-` lists all', () => {
    save('a', PRIVATE);
    save('b', PRIVATE, 'projects/p/locations/us-central1');
    expect([list(), list('', 'projects/p/locations/us-central1'), list('', 'projects/p/locations/-')]).toEqual([
      ['a'],
      ['b'],
      ['a', 'b'],
    ]);
    expect(tenant.refused(`${ROW}.create`, { path: { parent: 'projects/p/locations/moon' }, body: PRIVATE })).toMatch(
      /^400 /,
    );
  });

  test.each([
    ['visibility = PRIVATE', ['mine']],
    ['visibility="SHARED"', ['ours']],
    ['type("Logging")', ['mine']],
    ['type("OpsAnalytics") AND visibility=SHARED', ['ours']],
    ['visibility = PRIVATE type("OpsAnalytics")', []],
  ])('are listed by %s', (filter, expected) => {
    save('mine', PRIVATE);
    save('ours', SHARED);
    expect(list(filter)).toEqual(expected);
  });

  test('a page has a token for the rest', () => {
    for (const id of ['a', 'b', 'c']) save(id, PRIVATE);
    const first = tenant.ok(`${ROW}.list`, { path: { parent: GLOBAL }, query: { pageSize: 2 } });
    const query = { pageSize: 2, pageToken: toTextOrEmpty(first['nextPageToken']) };
    expect(idsIn(tenant.ok(`${ROW}.list`, { path: { parent: GLOBAL }, query }))).toEqual(['c']);
  });

  test.each<[string, JsonObject, string, RegExp]>([
    ['no display name', { displayName: '' }, 'q', /^400 required: .*displayName/],
    ['no visibility', { visibility: null }, 'q', /^400 required: .*visibility/],
    ['an unspecified visibility', { visibility: 'VISIBILITY_UNSPECIFIED' }, 'q', /^400 required: .*visibility/],
    ['no query', { loggingQuery: null }, 'q', /^400 required: .*loggingQuery/],
    ['two queries', { opsAnalyticsQuery: { sqlQueryText: 'SELECT 1' } }, 'q', /not both/],
    ['a bad filter', { loggingQuery: { filter: 'a AND' } }, 'q', /Unparseable filter/],
    ['an id of 101 characters', {}, 'a'.repeat(101), /Invalid savedQueryId/],
    ['an id with a slash', {}, 'a/b', /Invalid savedQueryId/],
    ['an id that is taken', {}, 'taken', /^409 duplicate: .*savedQueries\/taken$/],
  ])('create refuses %s', (_what, body, savedQueryId, why) => {
    save('taken', PRIVATE);
    const sent = { path: { parent: GLOBAL }, query: { savedQueryId }, body: { ...PRIVATE, ...body } };
    expect(tenant.refused(`${ROW}.create`, sent)).toMatch(why);
    expect(list()).toEqual(['taken']);
  });

  test('a patch needs a mask, and leaves a whole query', () => {
    save('q', PRIVATE);
    const patch = (query: Record<string, string>, body: JsonObject) =>
      tenant.refused(`${ROW}.patch`, { ...named('q'), query, body });
    expect(patch({}, { displayName: 'x' })).toMatch(/^400 invalid: An update_mask must be given/);
    expect(patch({ updateMask: 'loggingQuery' }, {})).toMatch(/^400 required: .*loggingQuery/);
    expect(patch({ updateMask: 'visibility' }, {})).toMatch(/^400 required: .*visibility/);
  });
});

test.each([
  'nonsense',
  'type(Logging)',
  'type("Logs")',
  'visibility = OPEN',
  'type("Logging") OR visibility = SHARED',
  'type("Logging") AND',
  'visibility = SHARED visibility = PRIVATE',
  'visibility = SHAREDX',
  ' '.repeat(201),
])('a list of queries by %j is refused', (filter) => {
  expect(() => parseQueryFilter(filter)).toThrow('filter must be type');
});

describe('recent queries', () => {
  const recent = (filter = '', parent = GLOBAL, sent = {}): JsonObject[] => {
    const method = 'logging.projects.locations.recentQueries.list';
    const { recentQueries = [] } = tenant.ok(method, { path: { parent }, query: { filter }, ...sent });
    return recentQueries as JsonObject[];
  };
  const filters = (rows: readonly JsonObject[]) =>
    rows.map(({ loggingQuery }) => (loggingQuery as JsonObject)['filter']);
  const ask = (filter: string, sent = {}, more = {}): JsonObject =>
    tenant.ok('logging.entries.list', { body: { resourceNames: ['projects/p'], filter, ...more }, ...sent });

  test('are what the caller asked of the entries, the newest first, each once', () => {
    for (const filter of ['a', 'b', 'a']) {
      ask(filter);
      tenant.later(1_000);
    }
    ask('c', OTHER);
    const rows = recent();
    expect(rows).toEqual([
      {
        name: expect.stringMatching(/^projects\/p\/locations\/global\/recentQueries\/[0-9a-f]{16}$/),
        loggingQuery: { filter: 'a' },
        lastRunTime: '2026-11-21T00:00:02.000Z',
      },
      expect.objectContaining({ loggingQuery: { filter: 'b' }, lastRunTime: '2026-11-21T00:00:01.000Z' }),
    ]);
    expect(filters(recent('', 'projects/p/locations/-'))).toEqual(['a', 'b']);
    expect(filters(recent('type("Logging")'))).toEqual(['a', 'b']);
    expect(recent('type("OpsAnalytics")')).toEqual([]);
    expect(recent('', 'projects/p/locations/us-central1')).toEqual([]);
    expect(recent('', 'projects/q/locations/global')).toEqual([]);
    expect(filters(recent('', GLOBAL, OTHER))).toEqual(['c']);
  });

  test('are forgotten after 30 days, and only the last 100 are kept', () => {
    ask('old');
    tenant.later(30 * DAY + 1);
    expect(recent()).toEqual([]);
    for (let at = 0; at < 101; at += 1) {
      ask(`q${at}`);
      tenant.later(1);
    }
    const kept = filters(recent());
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([100, 'q100', 'q1']);
  });

  test('have no lists without a filter, no further pages, and nothing of the service itself', () => {
    ask('');
    ask('next', {}, { pageToken: 'x' });
    ask('own', { isOwn: true });
    expect(recent()).toEqual([]);
    const method = 'logging.projects.locations.recentQueries.list';
    const query = { filter: 'visibility = SHARED' };
    expect(tenant.refused(method, { path: { parent: GLOBAL }, query })).toMatch(/^400 invalid: Recent queries/);
  });
});
