import { expect, test } from 'vitest';
import { addGroup, addUser, allPages, listed, text } from '../../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';

const GROUP = { groupKey: 'team@example.com' };
const MISSING = '404 notFound: Resource Not Found: memberKey';

/** A tenant with the group `team`, and a user `ann`. */
function world(): { tenant: TestTenant; team: string; ann: string } {
  const tenant = testTenant();
  return { tenant, team: addGroup(tenant, 'team@example.com'), ann: addUser(tenant, 'ann@example.com') };
}

const add = (tenant: TestTenant, groupKey: string, body: Record<string, string>) =>
  tenant.ok('directory.members.insert', { path: { groupKey }, body });

const has = (tenant: TestTenant, groupKey: string, memberKey: string) =>
  tenant.ok('directory.members.hasMember', { path: { groupKey, memberKey } })['isMember'];

test('a member is added by address, alias or id, with role MEMBER and all mail', () => {
  const { tenant, ann } = world();
  const made = add(tenant, 'team@example.com', { email: 'ANN@example.com' });
  expect(made).toMatchObject({
    kind: 'admin#directory#member',
    id: ann,
    email: 'ann@example.com',
    role: 'MEMBER',
    type: 'USER',
    status: 'ACTIVE',
    delivery_settings: 'ALL_MAIL',
  });
  for (const memberKey of [ann, 'ann@example.com', 'Ann@Example.com'])
    expect(tenant.ok('directory.members.get', { path: { ...GROUP, memberKey } })).toEqual(made);
  tenant.ok('directory.members.delete', { path: { ...GROUP, memberKey: 'ann@example.com' } });
  expect(add(tenant, 'team@example.com', { id: ann, role: 'OWNER' })).toMatchObject({ id: ann, role: 'OWNER' });
});

test('groups, everybody and people outside can be members', () => {
  const { tenant } = world();
  const inner = addGroup(tenant, 'inner@example.com');
  expect(add(tenant, 'team@example.com', { email: 'inner@example.com' })).toMatchObject({ id: inner, type: 'GROUP' });
  const everybody = add(tenant, 'team@example.com', { type: 'CUSTOMER' });
  expect(everybody).toMatchObject({ id: 'C00000001', type: 'CUSTOMER' });
  expect(everybody).not.toHaveProperty('email');
  const outside = add(tenant, 'team@example.com', { email: 'Bob@Elsewhere.org' });
  expect(outside).toMatchObject({ email: 'bob@elsewhere.org', type: 'USER' });
  expect(outside['id']).toMatch(/^9\d{20}$/);
  expect(add(tenant, 'inner@example.com', { email: 'bob@elsewhere.org' })['id']).toBe(outside['id']);
  for (const memberKey of [text(outside['id']), 'bob@elsewhere.org'])
    expect(tenant.ok('directory.members.get', { path: { ...GROUP, memberKey } })['email']).toBe('bob@elsewhere.org');
});

test.each([
  ['nobody named', {}, '400 required: Missing required field: memberKey'],
  ['an own address nobody has', { email: 'nobody@example.com' }, MISSING],
  ['an id nobody has', { id: '123' }, MISSING],
  ['no address', { email: 'a b@c' }, MISSING],
  ['a role that is none', { email: 'bob@elsewhere.org', role: 'KING' }, '400 invalid: Invalid Input: role'],
  [
    'a delivery that is none',
    { email: 'bob@elsewhere.org', delivery_settings: 'PIGEON' },
    '400 invalid: Invalid Input: delivery_settings',
  ],
  ['a member twice', { email: 'ann@example.com' }, '409 duplicate: Member already exists.'],
  ['the group itself', { email: 'team@example.com' }, '412 conditionNotMet: Cyclic memberships not allowed'],
])('members.insert refuses %s', (_what, body, refusal) => {
  const { tenant } = world();
  add(tenant, 'team@example.com', { email: 'ann@example.com' });
  expect(tenant.refused('directory.members.insert', { path: GROUP, body })).toBe(refusal);
  expect(tenant.ok('directory.groups.get', { path: GROUP })['directMembersCount']).toBe('1');
});

test('a cycle is refused however long it is', () => {
  const { tenant } = world();
  for (const name of ['b', 'c', 'd']) addGroup(tenant, `${name}@example.com`);
  add(tenant, 'team@example.com', { email: 'b@example.com' });
  add(tenant, 'b@example.com', { email: 'c@example.com' });
  add(tenant, 'c@example.com', { email: 'd@example.com' });
  const closing = { path: { groupKey: 'd@example.com' }, body: { email: 'team@example.com' } };
  expect(tenant.refused('directory.members.insert', closing)).toBe(
    '412 conditionNotMet: Cyclic memberships not allowed',
  );
  expect(add(tenant, 'team@example.com', { email: 'd@example.com' })['type']).toBe('GROUP');
});

test('a member is shown with its present address, and found by its aliases', () => {
  const { tenant, ann } = world();
  add(tenant, 'team@example.com', { id: ann });
  tenant.ok('directory.users.patch', { path: { userKey: ann }, body: { primaryEmail: 'anne@example.com' } });
  for (const memberKey of ['ann@example.com', 'anne@example.com'])
    expect(tenant.ok('directory.members.get', { path: { ...GROUP, memberKey } })['email']).toBe('anne@example.com');
});

test('a suspended user is a suspended member', () => {
  const { tenant, ann } = world();
  add(tenant, 'team@example.com', { id: ann });
  tenant.ok('directory.users.patch', { path: { userKey: ann }, body: { suspended: true } });
  expect(tenant.ok('directory.members.get', { path: { ...GROUP, memberKey: ann } })['status']).toBe('SUSPENDED');
});

test('a deleted user is in no group', () => {
  const { tenant, ann } = world();
  add(tenant, 'team@example.com', { id: ann });
  tenant.ok('directory.users.delete', { path: { userKey: ann } });
  expect(tenant.ok('directory.groups.get', { path: GROUP })['directMembersCount']).toBe('0');
});

test('PATCH and PUT change role and delivery, never who it is', () => {
  const { tenant, ann } = world();
  add(tenant, 'team@example.com', { id: ann });
  const path = { ...GROUP, memberKey: 'ann@example.com' };
  const patched = tenant.ok('directory.members.patch', {
    path,
    body: { role: 'OWNER', delivery_settings: 'DIGEST', type: 'GROUP', email: 'other@example.com' },
  });
  expect(patched).toMatchObject({
    id: ann,
    role: 'OWNER',
    delivery_settings: 'DIGEST',
    type: 'USER',
    email: 'ann@example.com',
  });
  expect(tenant.ok('directory.members.update', { path, body: { role: 'MANAGER' } })).toMatchObject({
    role: 'MANAGER',
    delivery_settings: 'DIGEST',
  });
  expect(tenant.refused('directory.members.patch', { path, body: { role: 'KING' } })).toBe(
    '400 invalid: Invalid Input: role',
  );
});

test.each(['get', 'patch', 'update', 'delete'])('members.%s of somebody who is no member is a 404', (verb) => {
  const { tenant, ann } = world();
  for (const memberKey of [ann, 'nobody@example.com', 'bob@elsewhere.org', '12'])
    expect(tenant.refused(`directory.members.${verb}`, { path: { ...GROUP, memberKey } })).toBe(MISSING);
  expect(tenant.refused(`directory.members.${verb}`, { path: { groupKey: 'none@example.com', memberKey: ann } })).toBe(
    '404 notFound: Resource Not Found: groupKey',
  );
});

test('hasMember follows groups in groups', () => {
  const { tenant, ann } = world();
  for (const name of ['middle', 'inner', 'all']) addGroup(tenant, `${name}@example.com`);
  add(tenant, 'team@example.com', { email: 'middle@example.com' });
  add(tenant, 'middle@example.com', { email: 'inner@example.com' });
  add(tenant, 'inner@example.com', { email: 'bob@elsewhere.org' });
  expect(has(tenant, 'team@example.com', 'ann@example.com')).toBe(false);
  add(tenant, 'inner@example.com', { email: 'ann@example.com' });
  expect(has(tenant, 'team@example.com', ann)).toBe(true);
  expect(has(tenant, 'team@example.com', 'bob@elsewhere.org')).toBe(true);
  expect(has(tenant, 'team@example.com', 'inner@example.com')).toBe(true);
  expect(has(tenant, 'inner@example.com', 'team@example.com')).toBe(false);
  expect(has(tenant, 'team@example.com', 'team@example.com')).toBe(false);
  add(tenant, 'all@example.com', { type: 'CUSTOMER' });
  expect(has(tenant, 'all@example.com', ann)).toBe(true);
});

test.each([
  ['nobody@example.com', MISSING],
  ['12345', MISSING],
  ['bob@elsewhere.org', '400 invalid: Invalid Input: memberKey'],
])('hasMember of %s, who is nobody here, is refused', (memberKey, refusal) => {
  const { tenant } = world();
  expect(tenant.refused('directory.members.hasMember', { path: { ...GROUP, memberKey } })).toBe(refusal);
});

test('members.list filters by role and leaves the delivery out', () => {
  const { tenant } = world();
  for (const [name, role] of Object.entries({ a: 'OWNER', b: 'MEMBER', c: 'MANAGER', d: 'MEMBER' }))
    add(tenant, 'team@example.com', { email: `${name}@elsewhere.org`, role });
  const emails = (roles: string, maxResults = 200) =>
    allPages(tenant, 'directory.members.list', 'members', { path: GROUP, query: { roles, maxResults } })
      .map(({ email }) => text(email).slice(0, 1))
      .toSorted();
  expect(emails('OWNER')).toEqual(['a']);
  expect(emails('OWNER,MANAGER')).toEqual(['a', 'c']);
  expect(emails('MEMBER,OWNER', 1)).toEqual(['a', 'b', 'd']);
  expect(emails('')).toEqual(['a', 'b', 'c', 'd']);
  const [first] = listed(tenant.ok('directory.members.list', { path: GROUP }), 'members');
  expect(first).not.toHaveProperty('delivery_settings');
  expect(tenant.refused('directory.members.list', { path: GROUP, query: { roles: 'KING' } })).toBe(
    '400 invalid: Invalid Input: roles',
  );
});

test('derived members are shown once each, page by page', () => {
  const { tenant } = world();
  for (const name of ['inner', 'other']) {
    addGroup(tenant, `${name}@example.com`);
    add(tenant, 'team@example.com', { email: `${name}@example.com` });
  }
  for (let i = 0; i < 30; i++) {
    add(tenant, 'inner@example.com', { email: `p${i}@elsewhere.org`, role: 'OWNER' });
    if (i % 2 === 0) add(tenant, 'other@example.com', { email: `p${i}@elsewhere.org` });
    if (i % 3 === 0) add(tenant, 'team@example.com', { email: `p${i}@elsewhere.org`, role: 'MANAGER' });
  }
  const query = { includeDerivedMembership: true, maxResults: 7 };
  const seen = allPages(tenant, 'directory.members.list', 'members', { path: GROUP, query });
  expect(seen).toHaveLength(32);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(32);
  expect(seen.filter(({ role }) => role === 'MANAGER')).toHaveLength(10);
  const owners = allPages(tenant, 'directory.members.list', 'members', {
    path: GROUP,
    query: { ...query, roles: 'MANAGER' },
  });
  expect(owners).toHaveLength(10);
});

test('K9: a group of 20,000 members costs no call more statements than a small one', () => {
  const { tenant, team, ann } = world();
  const { store } = tenant.engine;
  const small = costs(tenant, ann);
  store.insertMany(
    Array.from({ length: 20_000 }, (_, i) => ({
      collection: 'directory.members',
      parent: team,
      id: `8${i}`,
      ref: `8${i}`,
      s1: 'MEMBER',
      body: { role: 'MEMBER', type: 'USER', email: `p${i}@elsewhere.org` },
    })),
    [],
  );
  expect(costs(tenant, ann)).toEqual(small);
  const before = store.statements();
  tenant.ok('directory.groups.delete', { path: GROUP });
  expect(store.statements() - before).toBeLessThan(20);
  expect(listed(tenant.ok('directory.groups.list', { query: { customer: 'my_customer' } }), 'groups')).toEqual([]);
});

/** Statements of each call on a group. */
function costs(tenant: TestTenant, member: string): number[] {
  const path = { ...GROUP, memberKey: member };
  const calls = [
    () => add(tenant, GROUP.groupKey, { id: member }),
    () => tenant.ok('directory.groups.get', { path: GROUP }),
    () => tenant.ok('directory.members.get', { path }),
    () => tenant.ok('directory.members.hasMember', { path }),
    () => tenant.ok('directory.members.patch', { path, body: { role: 'OWNER' } }),
    () => tenant.ok('directory.members.list', { path: GROUP, query: { roles: 'OWNER' } }),
    () => tenant.ok('directory.members.delete', { path }),
  ];
  return calls.map((call) => {
    const before = tenant.engine.store.statements();
    call();
    return tenant.engine.store.statements() - before;
  });
}
