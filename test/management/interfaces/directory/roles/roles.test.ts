import { expect, test } from 'vitest';
import {
  INTERFACE_SERVICE,
  SYSTEM_ROLES,
} from '../../../../../src/management/interfaces/directory/roles/roles-data.ts';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { addGroup, addUser, allPages, listed, text } from '../../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';

const CUSTOMER = { customer: 'my_customer' };
const READ_USERS = { privilegeName: 'USERS_RETRIEVE', serviceId: INTERFACE_SERVICE };

const addRole = (tenant: TestTenant, roleName: string, rolePrivileges: JsonObject[] = [READ_USERS]): string =>
  text(tenant.ok('directory.roles.insert', { path: CUSTOMER, body: { roleName, rolePrivileges } })['roleId']);
const assign = (tenant: TestTenant, body: JsonObject) =>
  tenant.ok('directory.roleAssignments.insert', { path: CUSTOMER, body });
const systemRole = (tenant: TestTenant, name: string): JsonObject =>
  listed(tenant.ok('directory.roles.list', { path: CUSTOMER }), 'items').find(({ roleName }) => roleName === name) ??
  {};

test('a tenant starts with the roles of the system', () => {
  const tenant = testTenant();
  expect(systemRole(tenant, '_SEED_ADMIN_ROLE')).toMatchObject({
    kind: 'admin#directory#role',
    isSystemRole: true,
    isSuperAdminRole: true,
  });
  for (const name of [
    '_GROUPS_ADMIN_ROLE',
    '_USER_MANAGEMENT_ADMIN_ROLE',
    '_HELP_DESK_ADMIN_ROLE',
    '_SERVICES_ADMIN_ROLE',
  ])
    expect(systemRole(tenant, name)['roleId']).toMatch(/^\d{17}$/);
});

test('a role has its privileges once each, and an id of digits', () => {
  const tenant = testTenant();
  const made = tenant.ok('directory.roles.insert', {
    path: CUSTOMER,
    body: {
      roleName: 'Reader',
      roleDescription: 'Reads',
      rolePrivileges: [READ_USERS, READ_USERS],
      isSystemRole: true,
      isSuperAdminRole: true,
      roleId: '1',
    },
  });
  expect(made).toMatchObject({
    roleName: 'Reader',
    roleDescription: 'Reads',
    rolePrivileges: [READ_USERS],
    isSystemRole: false,
    isSuperAdminRole: false,
  });
  expect(made['roleId']).toMatch(/^\d{17}$/);
  const path = { ...CUSTOMER, roleId: text(made['roleId']) };
  expect(tenant.ok('directory.roles.get', { path })).toEqual(made);
  expect(tenant.ok('directory.roles.patch', { path, body: { roleName: 'Reader' } })['roleDescription']).toBe('Reads');
  expect(
    tenant.ok('directory.roles.update', { path, body: { roleName: 'Other', rolePrivileges: [READ_USERS] } }),
  ).toMatchObject({ roleName: 'Other', roleDescription: '' });
  tenant.ok('directory.roles.delete', { path });
  expect(tenant.refused('directory.roles.get', { path })).toBe('404 notFound: Resource Not Found: roleId');
});

test.each([
  ['no name', { rolePrivileges: [READ_USERS] }, '400 required: Missing required field: roleName'],
  ['no privileges', { roleName: 'a' }, '400 required: Missing required field: rolePrivileges'],
  ['an empty list', { roleName: 'a', rolePrivileges: [] }, '400 required: Missing required field: rolePrivileges'],
  ['a taken name', { roleName: 'taken', rolePrivileges: [READ_USERS] }, '409 duplicate: Entity already exists.'],
  [
    'a system role`s name',
    { roleName: '_SEED_ADMIN_ROLE', rolePrivileges: [READ_USERS] },
    '409 duplicate: Entity already exists.',
  ],
  [
    'an unknown privilege',
    { roleName: 'a', rolePrivileges: [{ ...READ_USERS, privilegeName: 'FLY' }] },
    '400 invalid: Invalid Input: rolePrivileges',
  ],
  [
    'a privilege of another service',
    { roleName: 'a', rolePrivileges: [{ ...READ_USERS, serviceId: '0' }] },
    '400 invalid: Invalid Input: rolePrivileges',
  ],
  [
    'the privilege of super administrators',
    { roleName: 'a', rolePrivileges: [{ privilegeName: 'SUPER_ADMIN', serviceId: INTERFACE_SERVICE }] },
    '400 invalid: Invalid Input: rolePrivileges',
  ],
])('roles.insert refuses %s', (_what, body, refusal) => {
  const tenant = testTenant();
  addRole(tenant, 'Taken');
  expect(tenant.refused('directory.roles.insert', { path: CUSTOMER, body })).toBe(refusal);
});

test.each(['patch', 'update', 'delete'])('roles.%s of a system role is refused', (verb) => {
  const tenant = testTenant();
  const path = { ...CUSTOMER, roleId: text(systemRole(tenant, '_GROUPS_ADMIN_ROLE')['roleId']) };
  expect(
    tenant.refused(`directory.roles.${verb}`, { path, body: { roleName: 'Mine', rolePrivileges: [READ_USERS] } }),
  ).toBe('403 forbidden: Not Authorized to access this resource/api');
});

test('roles come in pages of 100 at most', () => {
  const tenant = testTenant();
  for (let i = 0; i < 250; i++) addRole(tenant, `role ${i}`);
  const first = tenant.ok('directory.roles.list', { path: CUSTOMER, query: { maxResults: 500 } });
  expect(listed(first, 'items')).toHaveLength(100);
  const all = allPages(tenant, 'directory.roles.list', 'items', { path: CUSTOMER });
  expect(new Set(all.map(({ roleId }) => roleId)).size).toBe(250 + SYSTEM_ROLES.length);
});

test('an assignment says who has which role where', () => {
  const tenant = testTenant();
  const [roleId, userId, groupId] = [
    addRole(tenant, 'r'),
    addUser(tenant, 'ann@example.com'),
    addGroup(tenant, 'g@example.com'),
  ];
  const unit = tenant.ok('directory.orgunits.insert', {
    path: { customerId: 'my_customer' },
    body: { name: 'lab', parentOrgUnitPath: '/' },
  });
  const made = assign(tenant, { roleId, assignedTo: userId, scopeType: 'CUSTOMER' });
  expect(made).toMatchObject({
    kind: 'admin#directory#roleAssignment',
    roleId,
    assignedTo: userId,
    assigneeType: 'user',
    scopeType: 'CUSTOMER',
  });
  expect(made['roleAssignmentId']).toMatch(/^\d{17}$/);
  const isDelegate = () => tenant.ok('directory.users.get', { path: { userKey: userId } })['isDelegatedAdmin'];
  expect(isDelegate()).toBe(true);
  const path = { ...CUSTOMER, roleAssignmentId: text(made['roleAssignmentId']) };
  expect(tenant.ok('directory.roleAssignments.get', { path })).toEqual(made);
  const scoped = { roleId, assignedTo: groupId, scopeType: 'ORG_UNIT', orgUnitId: text(unit['orgUnitId']) };
  expect(assign(tenant, scoped)).toMatchObject({
    assigneeType: 'group',
    orgUnitId: text(unit['orgUnitId']).slice(3),
  });
  tenant.ok('directory.orgunits.delete', { path: { customerId: 'my_customer', orgUnitPath: 'lab' } });
  expect(listed(tenant.ok('directory.roleAssignments.list', { path: CUSTOMER }), 'items')).toEqual([made]);
  expect(tenant.refused('directory.roles.delete', { path: { ...CUSTOMER, roleId } })).toBe(
    '412 conditionNotMet: Role is assigned: delete its assignments first',
  );
  tenant.ok('directory.roleAssignments.delete', { path });
  expect(isDelegate()).toBe(false);
  expect(tenant.refused('directory.roleAssignments.get', { path })).toBe(
    '404 notFound: Resource Not Found: roleAssignmentId',
  );
  tenant.ok('directory.roles.delete', { path: { ...CUSTOMER, roleId } });
});

test.each([
  ['no role', { assignedTo: 'ann@example.com' }, '400 required: Missing required field: roleId'],
  ['nobody', { roleId: 'ROLE' }, '400 required: Missing required field: assignedTo'],
  ['an unknown role', { roleId: '12', assignedTo: 'ann@example.com' }, '404 notFound: Resource Not Found: roleId'],
  ['an unknown person', { roleId: 'ROLE', assignedTo: '12' }, '404 notFound: Resource Not Found: assignedTo'],
  [
    'a person outside',
    { roleId: 'ROLE', assignedTo: 'bob@elsewhere.org' },
    '404 notFound: Resource Not Found: assignedTo',
  ],
  [
    'an unknown scope',
    { roleId: 'ROLE', assignedTo: 'ann@example.com', scopeType: 'MOON' },
    '400 invalid: Invalid Input: scopeType',
  ],
  [
    'no org unit',
    { roleId: 'ROLE', assignedTo: 'ann@example.com', scopeType: 'ORG_UNIT' },
    '400 required: Missing required field: orgUnitId',
  ],
  [
    'an unknown org unit',
    { roleId: 'ROLE', assignedTo: 'ann@example.com', scopeType: 'ORG_UNIT', orgUnitId: 'no' },
    '400 invalid: Invalid Input: INVALID_OU_ID',
  ],
  ['the same once more', { roleId: 'TAKEN', assignedTo: 'ann@example.com' }, '409 duplicate: Entity already exists.'],
])('roleAssignments.insert refuses %s', (_what, body, refusal) => {
  const tenant = testTenant();
  addUser(tenant, 'ann@example.com');
  const roles: Record<string, string> = { ROLE: addRole(tenant, 'r'), TAKEN: addRole(tenant, 't') };
  assign(tenant, { roleId: roles['TAKEN'] ?? '', assignedTo: 'ann@example.com' });
  const sent = 'roleId' in body ? { ...body, roleId: roles[body.roleId] ?? body.roleId } : body;
  expect(tenant.refused('directory.roleAssignments.insert', { path: CUSTOMER, body: sent })).toBe(refusal);
});

test('assignments are found by role, by assignee, and through groups', () => {
  const tenant = testTenant();
  const [one, two] = [addRole(tenant, 'one'), addRole(tenant, 'two')];
  const ann = addUser(tenant, 'ann@example.com');
  const [inner, outer] = [addGroup(tenant, 'inner@example.com'), addGroup(tenant, 'outer@example.com')];
  tenant.ok('directory.members.insert', { path: { groupKey: inner }, body: { id: ann } });
  tenant.ok('directory.members.insert', { path: { groupKey: outer }, body: { id: inner } });
  assign(tenant, { roleId: one, assignedTo: ann });
  assign(tenant, { roleId: two, assignedTo: ann });
  assign(tenant, { roleId: one, assignedTo: outer });
  const found = (query: Record<string, string | boolean>) =>
    allPages(tenant, 'directory.roleAssignments.list', 'items', { path: CUSTOMER, query: { maxResults: 1, ...query } })
      .map(({ roleId, assignedTo }) => `${roleId === one ? 'one' : 'two'} ${assignedTo === ann ? 'ann' : 'outer'}`)
      .toSorted();
  expect(found({})).toEqual(['one ann', 'one outer', 'two ann']);
  expect(found({ roleId: one })).toEqual(['one ann', 'one outer']);
  expect(found({ roleId: '1' })).toEqual([]);
  expect(found({ userKey: 'ann@example.com' })).toEqual(['one ann', 'two ann']);
  expect(found({ userKey: ann, roleId: two })).toEqual(['two ann']);
  expect(found({ userKey: ann, includeIndirectRoleAssignments: true })).toEqual(['one ann', 'one outer', 'two ann']);
  expect(found({ userKey: 'outer@example.com' })).toEqual(['one outer']);
  expect(
    tenant.refused('directory.roleAssignments.list', { path: CUSTOMER, query: { userKey: 'no@example.com' } }),
  ).toBe('404 notFound: Resource Not Found: userKey');
  tenant.ok('directory.users.delete', { path: { userKey: ann } });
  tenant.ok('directory.groups.delete', { path: { groupKey: outer } });
  expect(found({})).toEqual([]);
});

test('privileges are a tree; system roles hold listed ones and those of super administrators only', () => {
  const tenant = testTenant();
  const items = listed(tenant.ok('directory.privileges.list', { path: CUSTOMER }), 'items');
  const flat = (list: JsonObject[]): JsonObject[] =>
    list.flatMap((each) => [each, ...flat(listed(each, 'childPrivileges'))]);
  const all = flat(items);
  expect(items.length).toBeGreaterThan(5);
  expect(all.length).toBeGreaterThan(items.length);
  const keys = all.map(({ privilegeName, serviceId }) => `${text(privilegeName)} ${text(serviceId)}`);
  expect(new Set(keys).size).toBe(keys.length);
  for (const each of all)
    expect(each).toMatchObject({
      kind: 'admin#directory#privilege',
      isOuScopable: expect.any(Boolean),
      serviceName: expect.any(String),
    });
  const own = SYSTEM_ROLES.flatMap(({ privileges }) => privileges.map((pair) => pair.join(' ')));
  const unlisted = own.filter((key) => !keys.includes(key)).map((key) => key.split(' ')[0]);
  expect([...new Set(unlisted)].toSorted()).toEqual(['ROOT_APP_ADMIN', 'SUPER_ADMIN']);
});

test.each([
  ...['list', 'get', 'insert', 'patch', 'update', 'delete'].map((verb) => `directory.roles.${verb}`),
  ...['list', 'get', 'insert', 'delete'].map((verb) => `directory.roleAssignments.${verb}`),
  'directory.privileges.list',
])('K1: %s of another customer is a 403', (method) => {
  const path = { customer: 'C0foreign', roleId: '1', roleAssignmentId: '1' };
  const body = { roleName: 'a', rolePrivileges: [READ_USERS], roleId: '1', assignedTo: '1' };
  expect(testTenant().refused(method, { path, body })).toBe(
    '403 forbidden: Not Authorized to access this resource/api',
  );
});
