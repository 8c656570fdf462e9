import { expect, test } from 'vitest';
import { addUser, allPages, listed, text } from '../../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';

const group = (tenant: TestTenant, email: string, more: Record<string, string> = {}) =>
  tenant.ok('directory.groups.insert', { body: { email, ...more } });

test('a group is made with an address alone: id, name and counts are the server`s', () => {
  const tenant = testTenant();
  const made = group(tenant, 'Sales@Example.com');
  expect(made).toMatchObject({
    kind: 'admin#directory#group',
    email: 'sales@example.com',
    name: 'sales',
    description: '',
    adminCreated: true,
    directMembersCount: '0',
  });
  expect(made['id']).toMatch(/^[0-9a-z]{15}$/);
  expect(made).not.toHaveProperty('aliases');
  for (const groupKey of [text(made['id']), 'sales@example.com', 'SALES@example.com'])
    expect(tenant.ok('directory.groups.get', { path: { groupKey } })).toEqual(made);
});

test('what only the server sets is ignored in a body', () => {
  const tenant = testTenant();
  const body = {
    email: 'a@example.com',
    id: 'mine',
    adminCreated: false,
    directMembersCount: '7',
    aliases: ['x@example.com'],
  };
  const made = tenant.ok('directory.groups.insert', { body });
  expect(made).toMatchObject({ adminCreated: true, directMembersCount: '0' });
  expect(made['id']).not.toBe('mine');
  expect(tenant.refused('directory.groups.get', { path: { groupKey: 'x@example.com' } })).toBe(
    '404 notFound: Resource Not Found: groupKey',
  );
});

test.each([
  ['no address', {}, '400 required: Missing required field: email'],
  ['no address at all', { email: 'sales' }, '400 invalid: Invalid Input: email'],
  ['a foreign domain', { email: 'sales@example.org' }, '404 notFound: Domain not found.'],
  ['a long name', { email: 'b@example.com', name: 'n'.repeat(74) }, '400 invalid: Invalid Input: name'],
  [
    'a long description',
    { email: 'b@example.com', description: 'd'.repeat(4_097) },
    '400 invalid: Invalid Input: description',
  ],
  ['a group`s address', { email: 'TAKEN@example.com' }, '409 duplicate: Entity already exists.'],
  ['a user`s address', { email: 'ann@example.com' }, '409 duplicate: Entity already exists.'],
  ['a group`s alias', { email: 'alias@example.com' }, '409 duplicate: Entity already exists.'],
])('insert refuses %s', (_what, body, refusal) => {
  const tenant = testTenant();
  addUser(tenant, 'ann@example.com');
  group(tenant, 'taken@example.com');
  tenant.ok('directory.groups.aliases.insert', {
    path: { groupKey: 'taken@example.com' },
    body: { alias: 'alias@example.com' },
  });
  expect(tenant.refused('directory.groups.insert', { body })).toBe(refusal);
  expect(listed(tenant.ok('directory.groups.list', { query: { customer: 'my_customer' } }), 'groups')).toHaveLength(1);
});

test('a renamed group keeps its old address as an alias, and can take it back', () => {
  const tenant = testTenant();
  const { id } = group(tenant, 'old@example.com');
  const renamed = tenant.ok('directory.groups.patch', {
    path: { groupKey: 'old@example.com' },
    body: { email: 'new@example.com' },
  });
  expect(renamed).toMatchObject({ id, email: 'new@example.com', aliases: ['old@example.com'] });
  expect(tenant.ok('directory.groups.get', { path: { groupKey: 'old@example.com' } })['id']).toBe(id);
  const back = tenant.ok('directory.groups.update', {
    path: { groupKey: text(id) },
    body: { email: 'old@example.com' },
  });
  expect(back).toMatchObject({ email: 'old@example.com', aliases: ['new@example.com'] });
});

test('PATCH and PUT change what is sent', () => {
  const tenant = testTenant();
  group(tenant, 'a@example.com', { name: 'Name', description: 'Words' });
  const path = { groupKey: 'a@example.com' };
  expect(tenant.ok('directory.groups.patch', { path, body: { description: 'New' } })).toMatchObject({
    name: 'Name',
    description: 'New',
  });
  expect(tenant.ok('directory.groups.update', { path, body: { name: 'Other' } })).toMatchObject({
    email: 'a@example.com',
    name: 'Other',
    description: 'New',
  });
});

test('a change that would take another address leaves everything as it was', () => {
  const tenant = testTenant();
  group(tenant, 'a@example.com');
  group(tenant, 'b@example.com');
  const sent = { path: { groupKey: 'a@example.com' }, body: { email: 'b@example.com', name: 'Taken' } };
  expect(tenant.refused('directory.groups.patch', sent)).toBe('409 duplicate: Entity already exists.');
  expect(tenant.ok('directory.groups.get', { path: sent.path })).toMatchObject({ email: 'a@example.com', name: 'a' });
});

test('a group of 30 aliases is renamed to one of them only', () => {
  const tenant = testTenant();
  const path = { groupKey: 'g0@example.com' };
  group(tenant, 'g0@example.com');
  for (let n = 1; n <= 30; n += 1) {
    tenant.ok('directory.groups.aliases.insert', { path, body: { alias: `g${n}@example.com` } });
  }
  expect(tenant.refused('directory.groups.patch', { path, body: { email: 'g31@example.com' } })).toBe(
    '403 limitExceeded: A group has at most 30 aliases',
  );
  expect(tenant.ok('directory.groups.get', { path })['email']).toBe('g0@example.com');
  expect(tenant.ok('directory.groups.patch', { path, body: { email: 'g7@example.com' } })['aliases']).toHaveLength(30);
});

test('a deleted group leaves no members, memberships, aliases or assignments behind', () => {
  const tenant = testTenant();
  const { id } = group(tenant, 'inner@example.com');
  group(tenant, 'outer@example.com');
  const [inner, outer] = [{ groupKey: 'inner@example.com' }, { groupKey: 'outer@example.com' }];
  tenant.ok('directory.members.insert', { path: outer, body: { email: 'inner@example.com' } });
  tenant.ok('directory.members.insert', { path: inner, body: { email: 'somebody@elsewhere.org' } });
  tenant.ok('directory.groups.aliases.insert', { path: inner, body: { alias: 'alias@example.com' } });
  expect(tenant.ok('directory.groups.get', { path: outer })['directMembersCount']).toBe('1');
  tenant.ok('directory.groups.delete', { path: inner });
  expect(tenant.refused('directory.groups.get', { path: { groupKey: text(id) } })).toBe(
    '404 notFound: Resource Not Found: groupKey',
  );
  expect(tenant.ok('directory.groups.get', { path: outer })['directMembersCount']).toBe('0');
  expect(listed(tenant.ok('directory.members.list', { path: outer }), 'members')).toEqual([]);
  expect(group(tenant, 'alias@example.com')['email']).toBe('alias@example.com');
  expect(tenant.context('directory.groups.list').store.count('directory.members', text(id))).toBe(0);
});

test('aliases are listed, unique and taken away again', () => {
  const tenant = testTenant();
  const { id } = group(tenant, 'a@example.com');
  const path = { groupKey: 'a@example.com' };
  const body = { alias: 'B@example.com' };
  const alias = { kind: 'admin#directory#alias', id, primaryEmail: 'a@example.com', alias: 'b@example.com' };
  expect(tenant.ok('directory.groups.aliases.insert', { path, body })).toMatchObject(alias);
  expect(tenant.refused('directory.groups.aliases.insert', { path, body })).toBe(
    '409 duplicate: Entity already exists.',
  );
  expect(tenant.ok('directory.groups.aliases.list', { path })).toMatchObject({
    kind: 'admin#directory#aliases',
    aliases: [alias],
  });
  expect(tenant.ok('directory.groups.get', { path: { groupKey: 'b@example.com' } })['aliases']).toEqual([
    'b@example.com',
  ]);
  tenant.ok('directory.groups.aliases.delete', { path: { ...path, alias: 'b@example.com' } });
  expect(tenant.refused('directory.groups.aliases.delete', { path: { ...path, alias: 'b@example.com' } })).toBe(
    '404 notFound: Resource Not Found: alias',
  );
  expect(tenant.refused('directory.groups.get', { path: { groupKey: 'b@example.com' } })).toContain('404');
});

test('a group answers to its address in every alias of its domain', () => {
  const tenant = testTenant();
  group(tenant, 'a@example.com');
  tenant.ok('directory.domainAliases.insert', {
    path: { customer: 'my_customer' },
    body: { domainAliasName: 'example.net', parentDomainName: 'example.com' },
  });
  const found = tenant.ok('directory.groups.get', { path: { groupKey: 'a@example.net' } });
  expect(found).toMatchObject({ email: 'a@example.com', nonEditableAliases: ['a@example.net'] });
});

test.each([
  [{ customer: 'my_customer' }, ['a', 'b', 'c']],
  [{ domain: 'example.com' }, ['a', 'b', 'c']],
  [{ customer: 'my_customer', orderBy: 'email', sortOrder: 'DESCENDING' }, ['c', 'b', 'a']],
  [{ userKey: 'somebody@elsewhere.org', orderBy: 'email' }, ['a', 'c']],
  [{ userKey: 'somebody@elsewhere.org', orderBy: 'email', sortOrder: 'DESCENDING' }, ['c', 'a']],
  [{ domain: 'example.com', query: 'memberKey=somebody@elsewhere.org', orderBy: 'email' }, ['a', 'c']],
  [{ customer: 'my_customer', query: 'email:b*' }, ['b']],
  [{ customer: 'my_customer', query: "name='The A team'" }, ['a']],
  [{ customer: 'my_customer', query: "name:'the*'" }, ['a', 'b']],
  [{ customer: 'my_customer', query: "name:'the*' email=b@example.com" }, ['b']],
  [{ customer: 'my_customer', query: 'email:nobody*' }, []],
])('groups.list by %j shows %j', (query, expected) => {
  const tenant = testTenant();
  group(tenant, 'c@example.com', { name: 'Other' });
  group(tenant, 'a@example.com', { name: 'The A team' });
  group(tenant, 'b@example.com', { name: 'The B team' });
  for (const groupKey of ['c@example.com', 'a@example.com'])
    tenant.ok('directory.members.insert', { path: { groupKey }, body: { email: 'somebody@elsewhere.org' } });
  const found = listed(tenant.ok('directory.groups.list', { query }), 'groups').map(({ email }) => email);
  expect(found).toEqual(expected.map((name) => `${name}@example.com`));
});

test.each([
  [{}, '400 required: Missing required field: customer, domain or userKey'],
  [{ customer: 'C0foreign' }, '403 forbidden: Not Authorized to access this resource/api'],
  [{ domain: 'example.org' }, '404 notFound: Domain not found.'],
  [
    { customer: 'my_customer', userKey: 'a@example.com' },
    '400 invalid: Invalid Input: userKey cannot be used with customer',
  ],
  [{ userKey: 'nobody@example.com' }, '404 notFound: Resource Not Found: userKey'],
  [{ customer: 'my_customer', query: 'colour=red' }, '400 invalid: Invalid Input: query'],
  [{ customer: 'my_customer', query: "name='open" }, '400 invalid: Invalid Input: query'],
  [{ customer: 'my_customer', query: "email:a' OR 1=1 --" }, '400 invalid: Invalid Input: query'],
  [{ customer: 'my_customer', pageToken: 'made-up' }, '400 invalid: Invalid Input: pageToken'],
])('groups.list by %j is refused', (query, refusal) => {
  expect(testTenant().refused('directory.groups.list', { query })).toBe(refusal);
});

test.each([
  [{ customer: 'my_customer' }, 450],
  [{ userKey: 'somebody@elsewhere.org' }, 450],
  [{ userKey: 'somebody@elsewhere.org', orderBy: 'email', sortOrder: 'DESCENDING' }, 450],
  [{ customer: 'my_customer', query: 'name:g1*' }, 111],
])('pages of groups by %j show each once', (query, count) => {
  const tenant = testTenant();
  for (let i = 0; i < 450; i++) {
    const { id } = group(tenant, `g${i}@example.com`);
    const path = { groupKey: text(id) };
    tenant.ok('directory.members.insert', { path, body: { email: 'somebody@elsewhere.org' } });
  }
  const sent = { query: { ...query, maxResults: 100 } };
  const seen = allPages(tenant, 'directory.groups.list', 'groups', sent).map(({ email }) => email);
  expect(seen).toHaveLength(count);
  expect(new Set(seen).size).toBe(count);
});

test('a group that was changed meanwhile is not overwritten', () => {
  const tenant = testTenant();
  const { etag } = group(tenant, 'a@example.com');
  const path = { groupKey: 'a@example.com' };
  tenant.ok('directory.groups.patch', { path, body: { name: 'First' }, ifMatch: text(etag) });
  expect(tenant.refused('directory.groups.patch', { path, body: { name: 'Second' }, ifMatch: text(etag) })).toBe(
    '412 conditionNotMet: Precondition Failed: the resource was changed meanwhile',
  );
});
