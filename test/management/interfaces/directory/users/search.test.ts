import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { MAX_SCANNED_USERS } from '../../../../../src/management/interfaces/directory/users/handlers.ts';
import { allPages } from '../../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';

const DAY_MS = 86_400_000;

let tenant: TestTenant;
beforeEach(() => {
  tenant = testTenant();
});

function add(givenName: string, familyName: string, more: JsonObject = {}): JsonObject {
  const primaryEmail = `${givenName}.${familyName}@example.com`;
  const body = { primaryEmail, password: 'correct horse', name: { givenName, familyName }, ...more };
  return tenant.ok('directory.users.insert', { body });
}

function list(query = {}): JsonObject {
  return tenant.ok('directory.users.list', { query: { customer: 'my_customer', ...query } });
}

/** What stands before the `@` in the addresses of a page, in its order. */
function names({ users = [] }: JsonObject): string[] {
  return (users as JsonObject[]).map(({ primaryEmail }) => (primaryEmail as string).split('@')[0] ?? '');
}

const refused = (query = {}): string => tenant.refused('directory.users.list', { query });

describe('the list of users', () => {
  beforeEach(() => {
    add('Ann', 'Zola');
    add('Cid', 'Young');
    add('Ben', 'Xu');
  });

  test('is in the order of addresses, with kind and etag', () => {
    const answer = list();
    expect(names(answer)).toEqual(['ann.zola', 'ben.xu', 'cid.young']);
    expect(answer).toMatchObject({ kind: 'admin#directory#users', etag: expect.stringMatching(/^".+"$/) });
    expect(answer).not.toHaveProperty('nextPageToken');
  });

  test.each([
    [{ orderBy: 'email', sortOrder: 'DESCENDING' }, ['cid.young', 'ben.xu', 'ann.zola']],
    [{ orderBy: 'familyName' }, ['ben.xu', 'cid.young', 'ann.zola']],
    [{ orderBy: 'givenName', sortOrder: 'DESCENDING' }, ['cid.young', 'ben.xu', 'ann.zola']],
    [{ orderBy: 'familyName', sortOrder: 'ASCENDING', maxResults: 2 }, ['ben.xu', 'cid.young']],
  ])('is in the order asked for: %j', (query, expected) => {
    expect(names(list(query))).toEqual(expected);
  });

  test.each(['email', 'familyName', 'givenName'])('is read to its end by page tokens, ordered by %s', (orderBy) => {
    const whole = names(list({ orderBy }));
    const read: string[] = [];
    let pageToken: unknown;
    do {
      const page = list({ orderBy, maxResults: 1, ...(pageToken !== undefined && { pageToken }) });
      read.push(...names(page));
      ({ nextPageToken: pageToken } = page);
    } while (pageToken !== undefined);
    expect(read).toEqual(whole);
  });

  test('reads one row more than it shows', () => {
    const lists: number[] = [];
    const { store } = tenant.engine;
    const counting = {
      ...store,
      list: (query: Parameters<typeof store.list>[0]) => {
        const rows = store.list(query);
        lists.push(rows.length);
        return rows;
      },
    };
    tenant.engine.store = counting;
    list({ maxResults: 2 });
    list({ maxResults: 2, domain: 'example.com' });
    expect(lists).toEqual([3, 3]);
  });

  test.each([
    [{}, '400 badRequest: Bad Request'],
    [{ customer: 'C99999999' }, '403 forbidden: Not Authorized to access this resource/api'],
    [{ domain: 'elsewhere.com' }, '404 notFound: Domain not found.'],
    [{ customer: 'my_customer', pageToken: 'x.y' }, '400 invalid: Invalid Input: pageToken'],
  ])('is refused for %j', (query, refusal) => {
    expect(refused(query)).toBe(refusal);
  });

  test('a page token of another query is refused', () => {
    const { nextPageToken } = list({ maxResults: 1 });
    const pageToken = nextPageToken as string;
    expect(refused({ customer: 'my_customer', query: 'Ann', pageToken })).toBe('400 invalid: Invalid Input: pageToken');
    tenant.later(3 * DAY_MS + 1);
    expect(refused({ customer: 'my_customer', pageToken })).toBe('400 invalid: Invalid Input: pageToken');
  });

  test('of a domain has the users whose primary address is in it', () => {
    tenant.ok('directory.domains.insert', { path: { customer: 'my_customer' }, body: { domainName: 'other.com' } });
    add('Dot', 'Wei', { primaryEmail: 'dot@other.com' });
    expect(names(list({ domain: 'Other.com' }))).toEqual(['dot']);
    expect(names(list({ domain: 'example.com', maxResults: 2 }))).toEqual(['ann.zola', 'ben.xu']);
    expect(list({ domain: 'example.com', maxResults: 3 })).not.toHaveProperty('nextPageToken');
    expect(names(list())).toHaveLength(4);
  });

  test('of deleted users has those of the last 20 days', () => {
    tenant.ok('directory.users.delete', { path: { userKey: 'ann.zola@example.com' } });
    expect(names(list())).toEqual(['ben.xu', 'cid.young']);
    const deleted = list({ showDeleted: true });
    expect(names(deleted)).toEqual(['ann.zola']);
    expect(deleted['users']).toMatchObject([{ deletionTime: '2026-11-21T00:00:00.000Z' }]);
    expect(names(list({ showDeleted: true, query: 'givenName=Ben' }))).toEqual([]);
    tenant.later(20 * DAY_MS + 1);
    expect(list({ showDeleted: true })).not.toHaveProperty('users');
  });
});

describe('a search', () => {
  beforeEach(() => {
    const path = { customerId: 'my_customer' };
    tenant.ok('directory.orgunits.insert', { path, body: { name: 'Sales', parentOrgUnitPath: '/' } });
    tenant.ok('directory.orgunits.insert', { path, body: { name: 'North', parentOrgUnitPath: '/Sales' } });
    const types = { level: 'INT64', ratio: 'DOUBLE', since: 'DATE', remote: 'BOOL', badge: 'STRING' };
    const fields = Object.entries(types).map(([fieldName, fieldType]) => ({
      fieldName,
      fieldType,
      displayName: fieldName,
    }));
    tenant.ok('directory.schemas.insert', { path, body: { schemaName: 'Job', displayName: 'Job', fields } });
    const boss = add('Ann', 'Zola', { orgUnitPath: '/Sales' });
    add('Mary Ann', "O'Neil", {
      orgUnitPath: '/Sales/North',
      relations: [{ type: 'manager', value: 'ann.zola@example.com' }],
      phones: [{ value: '+1 555 0100' }],
      primaryEmail: 'mary@example.com',
    });
    add('Annabel', 'Young', {
      suspended: true,
      relations: [{ type: 'manager', value: 'mary@example.com' }],
      organizations: [{ name: 'Acme', title: 'Chief Pilot', department: 'R&D', costCenter: '77' }],
      addresses: [{ locality: 'Rome', country: 'Italy', postalCode: '00100' }],
      externalIds: [{ value: 'E-1' }],
      ims: [{ im: 'annabel' }],
      customSchemas: { Job: { level: 7, ratio: 0.5, since: '2020-02-03', remote: true, badge: 'Blue One' } },
      primaryEmail: 'bel@example.com',
    });
    tenant.ok('directory.users.aliases.insert', {
      path: { userKey: 'bel@example.com' },
      body: { alias: 'zed@example.com' },
    });
    tenant.ok('directory.users.makeAdmin', { path: { userKey: 'mary@example.com' }, body: { status: true } });
    bossId = boss['id'] as string;
  });
  let bossId = '';

  const ANN = 'ann.zola';
  const MARY = 'mary';
  const BEL = 'bel';

  test.each<[string, string[]]>([
    ['', [ANN, BEL, MARY]],
    ['name:Ann*', [ANN, BEL]],
    ["name='Ann Zola'", [ANN]],
    ["name:'ann zola'", [ANN]],
    ['name:ann', [ANN, MARY]],
    ["familyName='O\\'Neil'", [MARY]],
    ['familyName="O\'Neil"', [MARY]],
    ['givenName=ann', [ANN]],
    ['givenName:ann', [ANN, MARY]],
    ['givenName:ann*', [ANN, BEL]],
    ["givenName:'mary a*'", [MARY]],
    ["givenName:'mary a'*", [MARY]],
    ['givenName:a\\*', []],
    ['familyName:zo*', [ANN]],
    ['email=MARY@example.com', [MARY]],
    ['email:mary@example.com', [MARY]],
    ['email=zed@example.com', [BEL]],
    ['email:z*', [BEL]],
    ['email:m* familyName:x*', []],
    ['email=nobody@example.com', []],
    ['email:example.com', [ANN, BEL, MARY]],
    ['ann', [ANN, BEL]],
    ['Zola', [ANN]],
    ['mary@', [MARY]],
    ['zed', [BEL]],
    ['isAdmin=true', [MARY]],
    ['isAdmin=false isSuspended=false', [ANN]],
    ['isSuspended=TRUE', [BEL]],
    ['isArchived=false', [ANN, BEL, MARY]],
    ['isDelegatedAdmin=true', []],
    ['isEnrolledIn2Sv=true', []],
    ['isEnforcedIn2Sv=false givenName:annabel', [BEL]],
    ["orgUnitPath='/sales'", [ANN, MARY]],
    ['orgUnitPath=/Sales/North', [MARY]],
    ['orgUnitPath=/Sale', []],
    ['orgUnitPath=/', [ANN, BEL, MARY]],
    ['directManager=ann.zola@example.com', [MARY]],
    ['manager=ann.zola@example.com', [BEL, MARY]],
    ['manager=nobody@example.com', []],
    ['phone:555', [MARY]],
    ["phone='+1 555 0100'", [MARY]],
    ['address:rome', [BEL]],
    ['addressLocality=Rome addressCountry=italy', [BEL]],
    ['addressPostalCode=00101', []],
    ['orgName=acme', [BEL]],
    ['orgTitle:pilot', [BEL]],
    ["orgTitle='Chief Pilot' orgDepartment='R&D'", [BEL]],
    ['orgCostCenter=77', [BEL]],
    ['externalId=E-1', [BEL]],
    ['im:annabel', [BEL]],
    ['Job.level=7', [BEL]],
    ['Job.level>6 Job.level<8', [BEL]],
    ['Job.level>=8', []],
    ['Job.level:[7,9]', [BEL]],
    ['Job.level:(7,9]', []],
    ['Job.level:[1,7)', []],
    ['Job.ratio<=0.5', [BEL]],
    ['Job.since>2020-01-01', [BEL]],
    ['Job.since:[2019-01-01,2020-02-02]', []],
    ['Job.remote=true', [BEL]],
    ['Job.badge:one', [BEL]],
    ['Job.badge:blue*', [BEL]],
    ['Job.badge=blue', []],
  ])('for %s finds %j', (query, expected) => {
    expect(names(list({ query })).toSorted()).toEqual(expected);
  });

  test('for a manager by id finds those below', () => {
    expect(names(list({ query: `directManagerId=${bossId}` }))).toEqual([MARY]);
    expect(names(list({ query: `managerId=${bossId}` })).toSorted()).toEqual([BEL, MARY]);
    expect(names(list({ query: 'managerId=7' }))).toEqual([]);
  });

  test('ends where managers manage each other', () => {
    const body = { relations: [{ type: 'manager', value: 'bel@example.com' }] };
    tenant.ok('directory.users.patch', { path: { userKey: 'ann.zola@example.com' }, body });
    expect(names(list({ query: 'manager=nobody@example.com' }))).toEqual([]);
    expect(names(list({ query: 'manager=bel@example.com' })).toSorted()).toEqual([ANN, BEL, MARY]);
  });

  test.each([
    'unknown=1',
    'toString=1',
    'isAdmin=maybe',
    'isAdmin:true',
    'isAdmin>true',
    'name>Ann',
    'name=',
    "name=''",
    "name:'Ann",
    'givenName=a*',

    "'Ann'Zola",
    '=Ann',
    'Job.other=1',
    'None.level=1',
    'Job.level=high',
    'Job.level:7',
    'Job.since>yesterday',
    'manager:a*',
    'orgUnitPath>/Sales',
    ' '.repeat(5_000),
    'a '.repeat(21),
  ])('that cannot be understood is refused (%#): %s', (query) => {
    expect(refused({ customer: 'my_customer', query })).toBe('400 invalid: Invalid Input: query');
  });

  test.each(['email:*', 'email:m*', 'name:*', 'givenName:*'])('%s keeps to pages, and no user comes twice', (query) => {
    const whole = names(list({ query }));
    const read: string[] = [];
    let pageToken: unknown;
    do {
      const page = list({ query, maxResults: 1, ...(pageToken !== undefined && { pageToken }) });
      read.push(...names(page));
      ({ nextPageToken: pageToken } = page);
    } while (pageToken !== undefined);
    expect(read).toEqual(whole);
    expect(new Set(read).size).toBe(read.length);
  });
});

describe('a search by the beginning of an address', () => {
  test.each([1, 2, 3])('shows who has it by several aliases once, in pages of %i', (maxResults) => {
    const aliasesOf = { ann: ['m2', 'm4'], bel: ['m1', 'm3', 'm5'] };
    for (const [name, aliases] of Object.entries(aliasesOf)) {
      const userKey = `${name}@example.com`;
      add(name, 'Lee', { primaryEmail: userKey });
      for (const alias of aliases)
        tenant.ok('directory.users.aliases.insert', {
          path: { userKey },
          body: { alias: `${alias}@example.com` },
        });
    }
    const sent = { query: { customer: 'my_customer', query: 'email:m*', maxResults } };
    expect(names({ users: allPages(tenant, 'directory.users.list', 'users', sent) })).toEqual(['bel', 'ann']);
  });
});

describe('a search that no index serves', () => {
  test('ends its page after so many users, with a token to go on with', () => {
    const { store } = tenant.engine;
    const rows = Array.from({ length: MAX_SCANNED_USERS + 100 }, (_, n) => {
      const id =
        String(10 ** 20 + n)
          .padEnd(21, '0')
          .slice(0, 17) + String(n).padStart(4, '0');
      const email = `user-${String(n).padStart(5, '0')}@example.com`;
      const body = { id, primaryEmail: email, name: { givenName: 'U', familyName: 'V', fullName: 'U V' } };
      return { collection: 'directory.users', parent: '', id, s1: email, s2: 'v', s3: 'u', body };
    });
    store.insertMany(rows, []);
    add('Zoe', 'Zed', { primaryEmail: 'zoe@example.com' });
    tenant.ok('directory.users.patch', {
      path: { userKey: 'zoe@example.com' },
      body: { relations: [{ type: 'manager', value: 'boss@example.com' }] },
    });
    const query = 'directManager=boss@example.com';
    const first = list({ query });
    expect(first).not.toHaveProperty('users');
    expect(first['nextPageToken']).toEqual(expect.any(String));
    const second = list({ query, pageToken: first['nextPageToken'] });
    expect(names(second)).toEqual(['zoe']);
    const before = store.statements();
    expect(names(list({ query: 'name:Zoe' }))).toEqual(['zoe']);
    expect(list({ query: 'orgName=Nowhere' })).not.toHaveProperty('nextPageToken');
    expect(names(list({ query: 'email:zo*' }))).toEqual(['zoe']);
    expect(names(list({ query: 'givenName=zoe' }))).toEqual(['zoe']);
    expect(names(list({ query: 'email=zoe@example.com' }))).toEqual(['zoe']);
    expect(store.statements() - before).toBeLessThan(20);
  });
});
