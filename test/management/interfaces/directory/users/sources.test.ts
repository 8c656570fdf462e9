import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createResourceStore } from '../../../../../src/management/core/engine/resources.ts';
import type { NewRow } from '../../../../../src/management/core/engine/stored-row.ts';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { interfaces } from '../../../../../src/management/core/interfaces.ts';
import { INDEXED_FLAGS } from '../../../../../src/management/interfaces/directory/users/fields-data.ts';
import { addUser, allPages, listed, text } from '../../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';
import { memorySqlite } from '../../../../support/management/sqlite.ts';
import { budgetFor } from '../../../../support/runner/budget.ts';

const COLLECTION = 'directory.users';
const LIST = 'directory.users.list';

type Person = { flags: readonly boolean[]; unit: number; given: string; family: string; org: string };

const UNITS = ['/', '/corp', '/corp/sales', '/lab'];

/** Names with letters that are lowered to ASCII, and one beyond the first plane, which UTF-16 sorts elsewhere. */
const NAMES = ['Ann', 'Kim', '\u{212A}im', 'İda', 'Ida', 'Ås', '\u{FF21}b', '\u{1F600}z', "O'Neil", 'Ann Lee'];
const person: fc.Arbitrary<Person> = fc.record({
  flags: fc.array(fc.boolean(), { minLength: INDEXED_FLAGS.length, maxLength: INDEXED_FLAGS.length }),
  unit: fc.nat(UNITS.length - 1),
  given: fc.constantFrom(...NAMES),
  family: fc.constantFrom(...NAMES),
  org: fc.constantFrom('', 'Kiel Works', 'works'),
});

const userId = (n: number): string => `1${String(n).padStart(20, '0')}`;

/** A tenant with org units and these people. */
function world(people: readonly Person[]): TestTenant {
  const tenant = testTenant();
  const ids = UNITS.map((path) => (path === '/' ? '' : addUnit(tenant, path)));
  tenant.engine.store.insertMany(
    people.map((each, n) => rowOf(each, n, ids[each.unit] ?? '')),
    [],
  );
  return tenant;
}

function addUnit(tenant: TestTenant, path: string): string {
  const at = path.lastIndexOf('/');
  const body = { name: path.slice(at + 1), parentOrgUnitPath: path.slice(0, at) || '/' };
  const made = tenant.ok('directory.orgunits.insert', { path: { customerId: 'my_customer' }, body });
  return text(made['orgUnitId']).slice('id:'.length);
}

function rowOf({ flags, given, family, org }: Person, n: number, orgUnitId: string): NewRow {
  const [id, primaryEmail] = [userId(n), `u${String((n * 7) % 1_000).padStart(4, '0')}@example.com`];
  const body: JsonObject = {
    id,
    primaryEmail,
    name: { givenName: given, familyName: family, fullName: `${given} ${family}` },
    ...Object.fromEntries(INDEXED_FLAGS.map((flag, at) => [flag, flags[at] ?? false])),
    ...(orgUnitId !== '' && { orgUnitId }),
    ...(org !== '' && { organizations: [{ name: org }] }),
  };
  const index = { s1: primaryEmail, s2: family.toLowerCase(), s3: given.toLowerCase() };
  return { collection: COLLECTION, parent: '', id, body, ...index, ...(orgUnitId !== '' && { ref: orgUnitId }) };
}

const FLAG_FIELDS = [
  'isSuspended',
  'isArchived',
  'isAdmin',
  'isDelegatedAdmin',
  'isEnrolledIn2Sv',
  'isEnforcedIn2Sv',
  'isGuest',
];
const clause = fc.oneof(
  fc.tuple(fc.constantFrom(...FLAG_FIELDS), fc.boolean()).map(([field, value]) => `${field}=${value}`),
  fc.constantFrom(...UNITS, '/none', '/CORP').map((path) => `orgUnitPath='${path}'`),
  fc.constantFrom(...NAMES, 'lee', 'nobody').map((name) => `name:"${name}"`),
  fc.constantFrom('orgName=works', "orgName:'kiel'", 'orgName:kiel*', 'orgName=nowhere', 'ki*'),
);
const asked = fc.record({
  clauses: fc.array(clause, { minLength: 1, maxLength: 3 }),
  orderBy: fc.constantFrom(undefined, 'email', 'familyName', 'givenName'),
  sortOrder: fc.constantFrom('ASCENDING', 'DESCENDING'),
  maxResults: fc.constantFrom(1, 3, 100),
});

describe('a search by flags, org unit and text', () => {
  test('finds who is found by looking at everybody, in the same order, whatever the pages', () => {
    const check = fc.property(fc.array(person, { minLength: 1, maxLength: 25 }), asked, (people, wanted) => {
      const { clauses, orderBy, sortOrder, maxResults } = wanted;
      const query = { customer: 'my_customer', query: clauses.join(' '), sortOrder, ...(orderBy && { orderBy }) };
      const tenant = world(people);
      const found = allPages(tenant, LIST, 'users', { query: { ...query, maxResults } });
      // The same search of the deleted ones is served by no index of flags or units: all are looked at.
      const plain = world([]);
      const rows = people.map((each, n) => rowOf(each, n, unitId(plain, UNITS[each.unit] ?? '/')));
      const deletionTime = new Date(plain.engine.now()).toISOString();
      plain.engine.store.insertMany(
        rows.map((row) => ({ ...row, collection: `${COLLECTION}.deleted`, body: { ...row.body, deletionTime } })),
        [],
      );
      plain.engine.store.count = () => Number.POSITIVE_INFINITY; // Too many to search for a text at once.
      const expected = allPages(plain, LIST, 'users', { query: { ...query, showDeleted: true, maxResults: 500 } });
      expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    });
    fc.assert(check, { numRuns: budgetFor(60, 2_000) });
  });

  test.each([
    'isSuspended=true',
    'isAdmin=true orderBy',
    'orgUnitPath=/lab',
    'orgUnitPath=/nowhere',
    'orgName=Nowhere',
    'isGuest=true isSuspended=false',
    'name:Nobody',
  ])('that finds nobody, %s, is one page that says so, in few statements', (search) => {
    const nobody: Person = { flags: [], unit: 1, given: 'Ann', family: 'Lee', org: 'Works' };
    const tenant = world(Array.from({ length: 6_000 }, () => nobody));
    const { store } = tenant.engine;
    const before = store.statements();
    const [query = '', ordered] = search.split(' orderBy');
    const answer = tenant.ok(LIST, {
      query: { customer: 'my_customer', query, ...(ordered === '' && { orderBy: 'familyName' }) },
    });
    expect(answer).not.toHaveProperty('users');
    expect(answer).not.toHaveProperty('nextPageToken');
    expect(store.statements() - before).toBeLessThan(8);
  });

  test.each([
    'isSuspended=true orgName=Nowhere',
    'isSuspended=true orgUnitPath=/lab',
    'orgUnitPath=/corp orgName=Nowhere',
    'orgUnitPath=/corp isAdmin=true',
    'isSuspended=true orgUnitPath=/corp name:Nobody',
  ])('of clauses that many users fit each, but none all of them, %s, is one page that says so', (query) => {
    const suspended = { flags: [true], unit: 1, given: 'Ann', family: 'Lee', org: 'Works' };
    const tenant = world(Array.from({ length: 9_000 }, () => suspended));
    const { store } = tenant.engine;
    const before = store.statements();
    const answer = tenant.ok(LIST, { query: { customer: 'my_customer', query } });
    expect(answer).not.toHaveProperty('users');
    expect(answer).not.toHaveProperty('nextPageToken');
    expect(store.statements() - before).toBeLessThan(10);
  });

  test('of large users is refused where its page is too large, by an index as without one', () => {
    const tenant = world([]);
    const body = (n: number): NewRow => {
      const row = rowOf({ flags: [true], unit: 0, given: 'Ann', family: 'Lee', org: 'Works' }, n, '');
      return { ...row, body: { ...row.body, notes: { value: 'x'.repeat(82_000) } } };
    };
    for (let from = 0; from < 120; from += 5)
      tenant.engine.store.insertMany(
        Array.from({ length: 5 }, (_, n) => body(from + n)),
        [],
      );
    const query = { customer: 'my_customer', maxResults: 120 };
    for (const more of [{}, { query: 'isSuspended=true' }, { query: 'orgName=Works' }]) {
      expect(tenant.refused(LIST, { query: { ...query, ...more } })).toMatch(
        /^403 .*: The page is too large: ask for fewer$/,
      );
      expect(listed(tenant.ok(LIST, { query: { ...query, ...more, maxResults: 20 } }), 'users')).toHaveLength(20);
    }
  });

  test('reads no more users than its page shows, however many there are', () => {
    const few = { flags: [true], unit: 3, given: 'Zoe', family: 'Zed', org: '' };
    const many = { flags: [], unit: 1, given: 'Ann', family: 'Lee', org: 'Works' };
    const tenant = world(Array.from({ length: 3_000 }, (_, n) => (n % 300 === 0 ? few : many)));
    const { sql } = tenant;
    let read = 0;
    const exec = sql.exec.bind(sql);
    sql.exec = (query, ...bindings) => {
      const rows = exec(query, ...bindings).toArray();
      read += rows.filter((row) => typeof row['json'] === 'string').length;
      return { toArray: () => rows, [Symbol.iterator]: () => rows[Symbol.iterator]() };
    };
    for (const [query, count] of [
      ['isSuspended=true', 10],
      ['isSuspended=true orgUnitPath=/lab', 10],
      ['orgUnitPath=/lab', 10],
      ['name:Zoe', 10],
      ['isSuspended=false isGuest=false', 100],
    ] as const) {
      read = 0;
      const users = listed(tenant.ok(LIST, { query: { customer: 'my_customer', query, orderBy: 'email' } }), 'users');
      expect([query, users.length]).toEqual([query, count]);
      expect(read).toBeLessThan(count + 8);
    }
  });
});

const units = new WeakMap<TestTenant, Map<string, string>>();
function unitId(tenant: TestTenant, path: string): string {
  const known = units.get(tenant) ?? new Map<string, string>();
  units.set(tenant, known);
  if (path === '/') return '';
  const found =
    known.get(path) ??
    text(
      tenant.ok('directory.orgunits.get', { path: { customerId: 'my_customer', orgUnitPath: path.slice(1) } })[
        'orgUnitId'
      ],
    ).slice('id:'.length);
  known.set(path, found);
  return found;
}

describe('the indexes of users', () => {
  const indexes = interfaces.flatMap((each) => each.indexes ?? []);
  const namesOf = (sql: ReturnType<typeof memorySqlite>['sql']): string[] =>
    sql
      .exec("SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'directory%' ORDER BY name")
      .toArray()
      .map((row) => String(row['name']));

  test('are made once in a store of before, of the rows that are there, and kept up to date', () => {
    const { sql } = memorySqlite();
    const before = createResourceStore(sql);
    const row = (n: number, suspended: boolean): NewRow => ({
      collection: COLLECTION,
      parent: '',
      id: userId(n),
      body: { suspended },
      s1: `u${n}`,
      ref: 'unit',
    });
    before.insertMany([row(1, true), row(2, false), row(3, true)], []);
    expect(namesOf(sql)).toEqual([]);
    const after = createResourceStore(sql, indexes);
    expect(namesOf(sql)).toEqual(['directory_users_ref_1', 'directory_users_state_1']);
    expect(createResourceStore(sql, indexes).states(COLLECTION)).toEqual(['0000000', '1000000']);
    const suspended = () => after.places({ collection: COLLECTION, by: 'state', value: '1000000', limit: 9 });
    expect(suspended().map(({ sort }) => sort)).toEqual(['u1', 'u3']);
    after.put(row(1, false));
    after.remove(row(3, true));
    after.insert(row(4, true));
    expect(suspended().map(({ sort }) => sort)).toEqual(['u4']);
    after.removeByRef(COLLECTION, 'unit');
    expect([suspended(), after.states(COLLECTION)]).toEqual([[], []]);
  });

  test('follow a user who is suspended, moved, deleted and brought back', () => {
    const tenant = testTenant();
    addUnit(tenant, '/corp');
    const userKey = addUser(tenant, 'ann@example.com');
    const count = (query: string): number =>
      listed(tenant.ok(LIST, { query: { customer: 'my_customer', query } }), 'users').length;
    const counts = (): number[] => ['isSuspended=true', 'isSuspended=false', 'orgUnitPath=/corp'].map(count);
    expect(counts()).toEqual([0, 1, 0]);
    tenant.ok('directory.users.patch', { path: { userKey }, body: { suspended: true, orgUnitPath: '/corp' } });
    expect(counts()).toEqual([1, 0, 1]);
    tenant.ok('directory.users.delete', { path: { userKey } });
    expect(counts()).toEqual([0, 0, 0]);
    tenant.ok('directory.users.undelete', { path: { userKey }, body: { orgUnitPath: '/corp' } });
    expect(counts()).toEqual([1, 0, 1]);
    tenant.ok('directory.orgunits.patch', {
      path: { customerId: 'my_customer', orgUnitPath: 'corp' },
      body: { name: 'co' },
    });
    expect([count('orgUnitPath=/corp'), count('orgUnitPath=/co')]).toEqual([0, 1]);
  });

  test.each([
    ['by state', `SELECT s1 AS sort, id FROM resource INDEXED BY directory_users_state_1`],
    ['by org unit', `SELECT s1 AS sort, id FROM resource INDEXED BY directory_users_ref_1`],
  ])('are what SQLite reads places %s from, and nothing else', (_what, beginning) => {
    const queries: string[] = [];
    const tenant = testTenant(undefined, (query) => queries.push(query));
    addUnit(tenant, '/corp');
    addUser(tenant, 'ann@example.com', { orgUnitPath: '/corp', suspended: true });
    for (const query of ['isSuspended=true', 'orgUnitPath=/corp'])
      tenant.ok(LIST, { query: { customer: 'my_customer', query, orderBy: 'email' } });
    const [found = ''] = queries.filter((query) => query.startsWith(beginning));
    const plan = tenant.sql.exec(`EXPLAIN QUERY PLAN ${found}`, ...(found.match(/\?/g) ?? []).map(() => '')).toArray();
    expect(plan.map((row) => String(row['detail']))).toEqual([
      expect.stringMatching(/^SEARCH .* USING COVERING INDEX/),
    ]);
  });
});
