import { beforeEach, expect, test } from 'vitest';
import { addGroup, addUser, listed, text } from '../../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';

const OUTSIDE = 'bob@elsewhere.org';
const TEAM = 'team@example.com';

let tenant: TestTenant;
beforeEach(() => {
  tenant = testTenant();
  addGroup(tenant, TEAM);
  addMember(TEAM, { email: OUTSIDE, role: 'OWNER', delivery_settings: 'DIGEST' });
});

function addMember(groupKey: string, body: Record<string, string>) {
  return tenant.ok('directory.members.insert', { path: { groupKey }, body });
}

const addDomain = () =>
  tenant.ok('directory.domains.insert', { path: { customer: 'my_customer' }, body: { domainName: 'elsewhere.org' } });
const shownMembers = (groupKey: string) =>
  listed(tenant.ok('directory.members.list', { path: { groupKey } }), 'members');
const count = (groupKey: string) => tenant.ok('directory.groups.get', { path: { groupKey } })['directMembersCount'];
const isMember = (memberKey: string, groupKey = TEAM) =>
  tenant.ok('directory.members.hasMember', { path: { groupKey, memberKey } })['isMember'];
const createGuest = () =>
  text(tenant.ok('directory.users.createGuest', { body: { primaryGuestEmail: OUTSIDE } })['id']);

const BECOMING: [string, () => string][] = [
  ['guest', createGuest],
  [
    'user',
    () => {
      addDomain();
      return addUser(tenant, OUTSIDE);
    },
  ],
  [
    'user by an alias',
    () => {
      addDomain();
      const id = addUser(tenant, 'ann@example.com');
      tenant.ok('directory.users.aliases.insert', { path: { userKey: id }, body: { alias: OUTSIDE } });
      return id;
    },
  ],
  [
    'user by an alias of the domain',
    () => {
      const body = { domainAliasName: 'elsewhere.org', parentDomainName: 'example.com' };
      tenant.ok('directory.domainAliases.insert', { path: { customer: 'my_customer' }, body });
      return addUser(tenant, 'bob@example.com');
    },
  ],
];

test.each(BECOMING)('a member from outside who becomes a %s stays the same member', (_what, become) => {
  const id = become();
  expect(shownMembers(TEAM)).toMatchObject([{ id, role: 'OWNER', type: 'USER' }]);
  expect(tenant.ok('directory.members.get', { path: { groupKey: TEAM, memberKey: id } })).toMatchObject({
    id,
    role: 'OWNER',
    delivery_settings: 'DIGEST',
  });
  for (const key of [id, OUTSIDE]) {
    expect(isMember(key)).toBe(true);
    expect(tenant.refused('directory.members.insert', { path: { groupKey: TEAM }, body: { email: key } })).toBe(
      '409 duplicate: Member already exists.',
    );
  }
  expect(count(TEAM)).toBe('1');
  expect(listed(tenant.ok('directory.groups.list', { query: { userKey: id } }), 'groups')).toMatchObject([
    { email: TEAM },
  ]);
  tenant.ok('directory.users.delete', { path: { userKey: id } });
  expect(count(TEAM)).toBe('0');
});

test('who was in the group by another address too is in it once, with the role of the own membership', () => {
  const id = addUser(tenant, 'ann@example.com');
  addMember(TEAM, { id, role: 'MANAGER' });
  addGroup(tenant, 'other@example.com');
  addMember('other@example.com', { email: OUTSIDE });
  addDomain();
  tenant.ok('directory.users.patch', { path: { userKey: id }, body: { primaryEmail: OUTSIDE } });
  expect(shownMembers(TEAM)).toMatchObject([{ id, role: 'MANAGER', email: OUTSIDE }]);
  expect(count(TEAM)).toBe('1');
  expect(shownMembers('other@example.com')).toMatchObject([{ id, role: 'MEMBER' }]);
});

test('a group that takes the address is a member, but where that would close a circle', () => {
  const inner = addGroup(tenant, 'inner@example.com');
  addMember(TEAM, { email: 'inner@example.com' });
  addMember('inner@example.com', { email: OUTSIDE });
  addGroup(tenant, 'wide@example.com');
  addMember('wide@example.com', { email: OUTSIDE });
  addDomain();
  tenant.ok('directory.groups.aliases.insert', { path: { groupKey: TEAM }, body: { alias: OUTSIDE } });
  expect(shownMembers('wide@example.com')).toMatchObject([{ email: TEAM, type: 'GROUP' }]);
  expect(shownMembers('inner@example.com')).toEqual([]);
  expect(shownMembers(TEAM)).toMatchObject([{ id: inner, type: 'GROUP' }]);
  expect(count(TEAM)).toBe('1');
});

test('an address that an alias of its domain made somebody`s since is no second member', () => {
  const id = addUser(tenant, 'bob@example.com');
  const body = { domainAliasName: 'elsewhere.org', parentDomainName: 'example.com' };
  tenant.ok('directory.domainAliases.insert', { path: { customer: 'my_customer' }, body });
  expect(tenant.ok('directory.users.get', { path: { userKey: OUTSIDE } })['id']).toBe(id);
  expect(isMember(OUTSIDE)).toBe(true);
  expect(tenant.refused('directory.members.insert', { path: { groupKey: TEAM }, body: { email: OUTSIDE } })).toBe(
    '409 duplicate: Member already exists.',
  );
  expect(count(TEAM)).toBe('1');
});

test('K9: an address that is in thousands of groups is claimed with few statements', () => {
  const { store } = tenant.engine;
  const [member] = shownMembers(TEAM);
  const ref = text(member?.['id']);
  const rows = Array.from({ length: 5_000 }, (_, n) => ({
    collection: 'directory.members',
    parent: `group${n}`,
    id: ref,
    ref,
    s1: 'MEMBER',
    body: { role: 'MEMBER', type: 'USER', email: OUTSIDE },
  }));
  store.insertMany(rows, []);
  const before = store.statements();
  const id = createGuest();
  expect(store.statements() - before).toBeLessThan(40);
  expect(store.byRef('directory.members', id, 9_999)).toHaveLength(5_001);
  expect(store.byRef('directory.members', ref, 1)).toEqual([]);
  expect(store.count('directory.members', 'group7')).toBe(1);
});
