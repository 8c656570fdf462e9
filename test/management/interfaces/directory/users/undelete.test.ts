import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { addUser, listed, text } from '../../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';

const CUSTOMER = { customer: 'my_customer' };

let tenant: TestTenant;
beforeEach(() => {
  tenant = testTenant();
});

const get = (userKey: string): JsonObject => tenant.ok('directory.users.get', { path: { userKey } });
const remove = (userKey: string) => tenant.ok('directory.users.delete', { path: { userKey } });
const undelete = (userKey: string, body = {}) => tenant.ok('directory.users.undelete', { path: { userKey }, body });
const addDomain = (domainName: string) =>
  tenant.ok('directory.domains.insert', { path: CUSTOMER, body: { domainName } });
const dropDomain = (domainName: string) => tenant.ok('directory.domains.delete', { path: { ...CUSTOMER, domainName } });

describe('a user who comes back', () => {
  test('has no rights of an administrator, as no role came back', () => {
    const id = addUser(tenant, 'ann@example.com');
    tenant.ok('directory.users.makeAdmin', { path: { userKey: id }, body: { status: true } });
    const roles = tenant.ok('directory.roles.list', { path: CUSTOMER });
    const roleId = text(listed(roles, 'items')[0]?.['roleId']);
    const body = { roleId, assignedTo: id, scopeType: 'CUSTOMER' };
    tenant.ok('directory.roleAssignments.insert', { path: CUSTOMER, body });
    expect(get(id)).toMatchObject({ isAdmin: true, isDelegatedAdmin: true });
    remove(id);
    undelete(id);
    expect(get(id)).toMatchObject({ isAdmin: false, isDelegatedAdmin: false });
    const assignments = tenant.ok('directory.roleAssignments.list', { path: CUSTOMER, query: { userKey: id } });
    expect(listed(assignments, 'items')).toEqual([]);
  });

  test('is in the root when no org unit is named, wherever it was before', () => {
    const body = { name: 'Sales', parentOrgUnitPath: '/' };
    tenant.ok('directory.orgunits.insert', { path: { customerId: 'my_customer' }, body });
    const id = addUser(tenant, 'ann@example.com', { orgUnitPath: '/Sales' });
    remove(id);
    undelete(id);
    expect(get(id)['orgUnitPath']).toBe('/');
    const query = { ...CUSTOMER, query: 'orgUnitPath=/Sales' };
    expect(listed(tenant.ok('directory.users.list', { query }), 'users')).toEqual([]);
  });

  test('is refused when the domain is gone', () => {
    addDomain('other.com');
    const id = addUser(tenant, 'ann@other.com');
    remove(id);
    dropDomain('other.com');
    expect(tenant.refused('directory.users.undelete', { path: { userKey: id } })).toBe(
      '404 notFound: Domain not found.',
    );
    addDomain('other.com');
    undelete(id);
    expect(get('ann@other.com')['id']).toBe(id);
  });

  test('has the aliases that are free, in domains that are there', () => {
    addDomain('other.com');
    const id = addUser(tenant, 'ann@example.com');
    for (const alias of ['a@other.com', 'b@example.com', 'c@example.com', 'd@example.com'])
      tenant.ok('directory.users.aliases.insert', { path: { userKey: id }, body: { alias } });
    remove(id);
    dropDomain('other.com');
    const body = { domainAliasName: 'alias.com', parentDomainName: 'example.com' };
    tenant.ok('directory.domainAliases.insert', { path: CUSTOMER, body });
    addUser(tenant, 'b@example.com');
    addUser(tenant, 'c@alias.com');
    undelete(id);
    expect(get(id)['aliases']).toEqual(['d@example.com']);
    expect(get('c@alias.com')['id']).not.toBe(id);
  });

  test('is refused when somebody has the address in an alias of the domain', () => {
    const id = addUser(tenant, 'ann@example.com');
    const body = { domainAliasName: 'alias.com', parentDomainName: 'example.com' };
    tenant.ok('directory.domainAliases.insert', { path: CUSTOMER, body });
    remove(id);
    addUser(tenant, 'ann@alias.com');
    expect(tenant.refused('directory.users.undelete', { path: { userKey: id } })).toBe(
      '409 duplicate: Entity already exists.',
    );
  });
});

describe('a guest', () => {
  const EMAIL = 'gus@partner.example';
  let gus: JsonObject;
  beforeEach(() => {
    gus = tenant.ok('directory.users.createGuest', { body: { primaryGuestEmail: EMAIL } });
  });

  test('that was read can be written back as it is', () => {
    const path = { userKey: EMAIL };
    const { etag: _, ...after } = tenant.ok('directory.users.update', { path, body: { ...gus, suspended: true } });
    expect(after).toMatchObject({ id: gus['id'], primaryEmail: EMAIL, suspended: true, isGuestUser: true });
    const again = tenant.ok('directory.users.patch', { path, body: { primaryEmail: 'GUS@partner.example' } });
    expect(again).toMatchObject({ primaryEmail: EMAIL });
    expect(again).not.toHaveProperty('aliases');
    expect(tenant.refused('directory.users.patch', { path, body: { primaryEmail: 'g@partner.example' } })).toBe(
      '404 notFound: Domain not found.',
    );
  });

  test('comes back to its address outside', () => {
    const id = text(gus['id']);
    remove(id);
    undelete(id);
    expect(get(EMAIL)).toMatchObject({ id, isGuestUser: true });
  });
});

describe('emails beside a new primary address', () => {
  const emails = (body: JsonObject) =>
    tenant.ok('directory.users.patch', { path: { userKey: 'ann@example.com' }, body })['emails'];
  const SHOWN = [{ address: 'anne@example.com', primary: true }, { address: 'ann@example.com' }];

  test.each<[string, JsonObject]>([
    ['the new address', { emails: [{ address: 'Anne@example.com', primary: true }] }],
    ['both addresses', { emails: [{ address: 'ann@example.com' }, { address: 'anne@example.com' }] }],
    ['nothing', {}],
  ])('with %s show each address once', (_what, body) => {
    addUser(tenant, 'ann@example.com');
    expect(emails({ ...body, primaryEmail: 'anne@example.com' })).toEqual(SHOWN);
  });

  test('that were written for it before are not shown beside it', () => {
    addUser(tenant, 'ann@example.com', { emails: [{ address: 'anne@example.com' }, { address: 'ann@home.example' }] });
    expect(emails({ primaryEmail: 'anne@example.com' })).toEqual([{ address: 'ann@home.example' }, ...SHOWN]);
  });
});

describe('custom values', () => {
  const value = (fieldType: string, sent: string): string => {
    const fields = [{ fieldName: 'f', displayName: 'f', fieldType }];
    const body = { schemaName: 'Job', displayName: 'Job', fields };
    tenant.ok('directory.schemas.insert', { path: { customerId: 'my_customer' }, body });
    const userKey = addUser(tenant, 'ann@example.com');
    const call = [
      'directory.users.patch',
      { path: { userKey }, body: { customSchemas: { Job: { f: sent } } } },
    ] as const;
    return tenant.call(...call).ok ? 'kept' : tenant.refused(...call);
  };
  const REFUSED = '400 invalid: Invalid Input: custom_schema';

  test.each([
    ['INT64', '9223372036854775807', 'kept'],
    ['INT64', '-9223372036854775808', 'kept'],
    ['INT64', '9223372036854775808', REFUSED],
    ['INT64', '-9223372036854775809', REFUSED],
    ['INT64', '9999999999999999999', REFUSED],
    ['DATE', '2024-02-29', 'kept'],
    ['DATE', '2023-02-29', REFUSED],
    ['DATE', '2021-02-31', REFUSED],
    ['DATE', '2021-04-31', REFUSED],
    ['DATE', '2021-13-01', REFUSED],
    ['DATE', '2021-00-10', REFUSED],
  ])('of the type %s: %s is %s', (fieldType, sent, expected) => {
    expect(value(fieldType, sent)).toBe(expected);
  });
});
