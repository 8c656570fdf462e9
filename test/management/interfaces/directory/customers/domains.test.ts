import { expect, test } from 'vitest';
import { addGroup, addUser, listed } from '../../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';

const CUSTOMER = { customer: 'my_customer' };
const addDomain = (tenant: TestTenant, domainName: string) =>
  tenant.ok('directory.domains.insert', { path: CUSTOMER, body: { domainName } });
const addAlias = (tenant: TestTenant, domainAliasName: string, parentDomainName = 'example.com') =>
  tenant.ok('directory.domainAliases.insert', { path: CUSTOMER, body: { domainAliasName, parentDomainName } });

test('a tenant starts with its verified primary domain', () => {
  const domains = listed(testTenant().ok('directory.domains.list', { path: CUSTOMER }), 'domains');
  expect(domains).toMatchObject([
    { kind: 'admin#directory#domain', domainName: 'example.com', isPrimary: true, verified: true },
  ]);
  expect(domains[0]?.['creationTime']).toMatch(/^\d{13}$/);
});

test('a further domain is not primary; people and groups can be in it', () => {
  const tenant = testTenant();
  const made = addDomain(tenant, 'Example.ORG');
  expect(made).toMatchObject({ domainName: 'example.org', isPrimary: false, verified: true });
  expect(tenant.ok('directory.domains.get', { path: { ...CUSTOMER, domainName: 'EXAMPLE.org' } })).toEqual(made);
  addGroup(tenant, 'a@example.org');
  const found = tenant.ok('directory.groups.list', { query: { domain: 'example.org' } });
  expect(listed(found, 'groups')).toMatchObject([{ email: 'a@example.org' }]);
});

test('aliases are shown in their domain', () => {
  const tenant = testTenant();
  const made = addAlias(tenant, 'Example.net');
  expect(made).toMatchObject({
    kind: 'admin#directory#domainAlias',
    domainAliasName: 'example.net',
    parentDomainName: 'example.com',
    verified: true,
  });
  const domain = tenant.ok('directory.domains.get', { path: { ...CUSTOMER, domainName: 'example.com' } });
  expect(domain['domainAliases']).toEqual([made]);
  const get = { path: { ...CUSTOMER, domainAliasName: 'example.net' } };
  expect(tenant.ok('directory.domainAliases.get', get)).toEqual(made);
  addDomain(tenant, 'example.org');
  addAlias(tenant, 'example.info', 'example.org');
  const names = (query: Record<string, string>) =>
    listed(tenant.ok('directory.domainAliases.list', { path: CUSTOMER, query }), 'domainAliases').map(
      ({ domainAliasName }) => domainAliasName,
    );
  expect(names({})).toEqual(['example.info', 'example.net']);
  expect(names({ parentDomainName: 'example.org' })).toEqual(['example.info']);
  tenant.ok('directory.domainAliases.delete', get);
  expect(names({})).toEqual(['example.info']);
  expect(tenant.refused('directory.domainAliases.get', get)).toBe('404 notFound: Domain alias does not exist');
  expect(tenant.refused('directory.domainAliases.delete', get)).toBe('404 notFound: Domain alias does not exist');
});

test.each([
  ['nothing', {}, '400 required: Missing required field: domainName'],
  ['no domain', { domainName: 'example' }, '400 invalid: Invalid Input: domainName'],
  ['bad characters', { domainName: "a' OR 1=1.com" }, '400 invalid: Invalid Input: domainName'],
  ['a long label', { domainName: `${'a'.repeat(64)}.com` }, '400 invalid: Invalid Input: domainName'],
  ['a domain twice', { domainName: 'EXAMPLE.com' }, '409 duplicate: Entity already exists.'],
  ['an alias`s name', { domainName: 'example.net' }, '409 duplicate: Entity already exists.'],
])('domains.insert refuses %s', (_what, body, refusal) => {
  const tenant = testTenant();
  addAlias(tenant, 'example.net');
  expect(tenant.refused('directory.domains.insert', { path: CUSTOMER, body })).toBe(refusal);
});

test.each([
  ['an unknown parent', { domainAliasName: 'b.org', parentDomainName: 'c.org' }, '404 notFound: Domain not found'],
  ['no parent', { domainAliasName: 'b.org' }, '400 required: Missing required field: parentDomainName'],
  [
    'a domain`s name',
    { domainAliasName: 'example.com', parentDomainName: 'example.com' },
    '409 duplicate: Entity already exists.',
  ],
  [
    'an alias twice',
    { domainAliasName: 'example.net', parentDomainName: 'example.com' },
    '409 duplicate: Entity already exists.',
  ],
])('domainAliases.insert refuses %s', (_what, body, refusal) => {
  const tenant = testTenant();
  addAlias(tenant, 'example.net');
  expect(tenant.refused('directory.domainAliases.insert', { path: CUSTOMER, body })).toBe(refusal);
});

test('a domain that is primary or in use cannot be deleted', () => {
  const tenant = testTenant();
  const drop = (domainName: string) => ['directory.domains.delete', { path: { ...CUSTOMER, domainName } }] as const;
  const used = '412 conditionNotMet: Domain is in use: remove its users, groups and aliases first';
  expect(tenant.refused(...drop('example.com'))).toBe('412 conditionNotMet: The primary domain cannot be deleted');
  addDomain(tenant, 'example.org');
  const userKey = addUser(tenant, 'ann@example.org');
  expect(tenant.refused(...drop('example.org'))).toBe(used);
  tenant.ok('directory.users.delete', { path: { userKey } });
  addAlias(tenant, 'example.net', 'example.org');
  expect(tenant.refused(...drop('example.org'))).toBe(used);
  tenant.ok('directory.domainAliases.delete', { path: { ...CUSTOMER, domainAliasName: 'example.net' } });
  tenant.ok(...drop('example.org'));
  expect(tenant.refused(...drop('example.org'))).toBe('404 notFound: Domain not found');
});

test.each([
  ...['list', 'get', 'insert', 'delete'].map((verb) => `directory.domains.${verb}`),
  ...['list', 'get', 'insert', 'delete'].map((verb) => `directory.domainAliases.${verb}`),
])('K1: %s of another customer is a 403', (method) => {
  const path = { customer: 'C0foreign', domainName: 'example.com', domainAliasName: 'example.net' };
  const body = { domainName: 'example.org', domainAliasName: 'example.org', parentDomainName: 'example.com' };
  expect(testTenant().refused(method, { path, body })).toBe(
    '403 forbidden: Not Authorized to access this resource/api',
  );
});
