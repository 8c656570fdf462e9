import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { addGroup, addUser, listed } from '../../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';

const CUSTOMER = { customer: 'my_customer' };
const TAKEN = '409 duplicate: Entity already exists.';
const IN_USE = '412 conditionNotMet: Domain is in use: remove its users, groups and aliases first';
const PERSON = { password: 'correct horse', name: { givenName: 'Eve', familyName: 'Lee' } };

let tenant: TestTenant;
let bob: string;
beforeEach(() => {
  tenant = testTenant();
  bob = addUser(tenant, 'bob@example.com');
});

const addAlias = (domainAliasName = 'alias.com', parentDomainName = 'example.com') =>
  tenant.ok('directory.domainAliases.insert', { path: CUSTOMER, body: { domainAliasName, parentDomainName } });
const refusedAlias = (domainAliasName: string) => {
  const body = { domainAliasName, parentDomainName: 'example.com' };
  return tenant.refused('directory.domainAliases.insert', { path: CUSTOMER, body });
};
const addDomain = (domainName: string) =>
  tenant.ok('directory.domains.insert', { path: CUSTOMER, body: { domainName } });
const user = (userKey: string) => tenant.ok('directory.users.get', { path: { userKey } });
const rename = (userKey: string, primaryEmail: string) =>
  tenant.ok('directory.users.patch', { path: { userKey }, body: { primaryEmail } });
const giveAlias = (userKey: string, alias: string) =>
  tenant.ok('directory.users.aliases.insert', { path: { userKey }, body: { alias } });

/** Every way to take an address: the method, and what is sent. */
const claims = (address: string): [string, { path?: Record<string, string>; body: JsonObject }][] => [
  ['directory.users.insert', { body: { ...PERSON, primaryEmail: address } }],
  ['directory.users.patch', { path: { userKey: 'eve@example.com' }, body: { primaryEmail: address } }],
  ['directory.users.aliases.insert', { path: { userKey: 'eve@example.com' }, body: { alias: address } }],
  ['directory.groups.insert', { body: { email: address } }],
  ['directory.groups.patch', { path: { groupKey: 'team@example.com' }, body: { email: address } }],
  ['directory.groups.aliases.insert', { path: { groupKey: 'team@example.com' }, body: { alias: address } }],
];
const METHODS = claims('').map(([method]) => method);
const claim = (method: string, address: string): [string, { path?: Record<string, string>; body: JsonObject }] => {
  const found = claims(address).find(([each]) => each === method);
  if (found === undefined) throw new Error(method);
  return found;
};

describe('an address that works in an alias of its domain', () => {
  beforeEach(() => {
    addUser(tenant, 'eve@example.com');
    addGroup(tenant, 'team@example.com');
    addAlias();
  });

  test.each(METHODS)('cannot be taken there by somebody else: %s', (method) => {
    expect(tenant.refused(...claim(method, 'Bob@Alias.com'))).toBe(TAKEN);
    expect(user('bob@alias.com')['id']).toBe(bob);
  });

  test.each(METHODS)('of an alias of the holder cannot be taken there: %s', (method) => {
    giveAlias(bob, 'bobby@example.com');
    expect(tenant.refused(...claim(method, 'bobby@alias.com'))).toBe(TAKEN);
  });

  test.each(METHODS)('cannot be taken in the domain while somebody has it in the alias: %s', (method) => {
    const dan = addUser(tenant, 'dan@alias.com');
    expect(tenant.refused(...claim(method, 'dan@example.com'))).toBe(TAKEN);
    expect(user('dan@alias.com')['id']).toBe(dan);
  });

  test.each(METHODS)('can be taken where nobody has it in either: %s', (method) => {
    expect(tenant.ok(...claim(method, 'free@alias.com'))).toMatchObject({ kind: expect.any(String) });
    expect(tenant.refused('directory.users.insert', { body: { ...PERSON, primaryEmail: 'free@example.com' } })).toBe(
      TAKEN,
    );
  });

  test('is not given to its holder once more as an alias', () => {
    const path = { userKey: bob, groupKey: 'team@example.com' };
    expect(tenant.refused('directory.users.aliases.insert', { path, body: { alias: 'bob@alias.com' } })).toBe(TAKEN);
    expect(tenant.refused('directory.groups.aliases.insert', { path, body: { alias: 'team@alias.com' } })).toBe(TAKEN);
  });

  test('can become the primary one of its holder and back, and is shown once', () => {
    expect(rename(bob, 'bob@alias.com')).toMatchObject({ id: bob, aliases: ['bob@example.com'] });
    const back = rename(bob, 'bob@example.com');
    expect(back).toMatchObject({ id: bob, aliases: ['bob@alias.com'] });
    expect(back).not.toHaveProperty('nonEditableAliases');
    expect(back['emails']).toEqual([{ address: 'bob@example.com', primary: true }, { address: 'bob@alias.com' }]);
    const path = { groupKey: 'team@example.com' };
    tenant.ok('directory.groups.patch', { path, body: { email: 'team@alias.com' } });
    const group = tenant.ok('directory.groups.patch', { path, body: { email: 'team@example.com' } });
    expect(group).toMatchObject({ email: 'team@example.com', aliases: ['team@alias.com'] });
    expect(group).not.toHaveProperty('nonEditableAliases');
  });

  test('finds its holder in a search', () => {
    const found = (query: string) =>
      listed(tenant.ok('directory.users.list', { query: { ...CUSTOMER, query } }), 'users').map(({ id }) => id);
    expect(found('email=BOB@alias.com')).toEqual([bob]);
    expect(found('email:bob@alias.com givenName:ann')).toEqual([bob]);
    expect(found('email=bob@alias.com givenName:nobody')).toEqual([]);
    expect(found('email=nobody@alias.com')).toEqual([]);
    expect(found('email=team@alias.com')).toEqual([]);
  });

  test('names a manager, in the search and in the user', () => {
    const relations = (value: string) => [{ type: 'manager', value }];
    const eve = user('eve@example.com')['id'];
    const dan = addUser(tenant, 'dan@example.com', { relations: relations('eve@alias.com') });
    tenant.ok('directory.users.patch', {
      path: { userKey: 'eve@example.com' },
      body: { relations: relations('bob@alias.com') },
    });
    const below = (query: string) =>
      listed(tenant.ok('directory.users.list', { query: { ...CUSTOMER, query } }), 'users').map(({ id }) => id);
    for (const key of ['bob@example.com', 'bob@alias.com']) {
      expect(below(`directManager=${key}`)).toEqual([eve]);
      expect(below(`manager=${key}`)).toEqual([dan, eve]);
    }
    expect(below(`directManagerId=${bob}`)).toEqual([eve]);
  });
});

describe('users.list by an alias of a domain', () => {
  test('shows those of the domain, who all have an address there', () => {
    addDomain('other.com');
    addUser(tenant, 'cid@other.com');
    addAlias();
    addUser(tenant, 'dan@alias.com');
    const emails = (domain: string) =>
      listed(tenant.ok('directory.users.list', { query: { domain } }), 'users').map(({ primaryEmail }) => primaryEmail);
    expect(emails('Alias.com')).toEqual(['bob@example.com', 'dan@alias.com']);
    expect(emails('example.com')).toEqual(['bob@example.com']);
    expect(emails('other.com')).toEqual(['cid@other.com']);
  });
});

describe('an alias of a domain', () => {
  test('cannot be added where somebody has an address already', () => {
    tenant.ok('directory.users.createGuest', { body: { primaryGuestEmail: 'bob@alias.com' } });
    expect(refusedAlias('alias.com')).toBe(IN_USE);
    expect(tenant.refused('directory.domainAliases.get', { path: { ...CUSTOMER, domainAliasName: 'alias.com' } })).toBe(
      '404 notFound: Domain alias does not exist',
    );
    addAlias('lias.com');
  });

  test.each<[string, () => unknown, () => unknown]>([
    [
      'user',
      () => addUser(tenant, 'dan@alias.com'),
      () => tenant.ok('directory.users.delete', { path: { userKey: 'dan@alias.com' } }),
    ],
    [
      'group',
      () => addGroup(tenant, 'team@alias.com'),
      () => tenant.ok('directory.groups.delete', { path: { groupKey: 'team@alias.com' } }),
    ],
    [
      'alias',
      () => giveAlias(bob, 'al@alias.com'),
      () => tenant.ok('directory.users.aliases.delete', { path: { userKey: bob, alias: 'al@alias.com' } }),
    ],
  ])('cannot be deleted while there is a %s in it', (_what, take, leave) => {
    addAlias();
    take();
    const gone = { path: { ...CUSTOMER, domainAliasName: 'alias.com' } };
    expect(tenant.refused('directory.domainAliases.delete', gone)).toBe(IN_USE);
    leave();
    expect(tenant.ok('directory.domainAliases.delete', gone)).toEqual({});
    expect(tenant.refused('directory.users.get', { path: { userKey: 'bob@alias.com' } })).toContain('404');
  });
});
