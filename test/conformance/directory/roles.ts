import { expect } from 'vitest';
import { refusal, type MethodCase, type World } from '../support/method-cases.ts';
import { newGroup } from './groups.ts';

const customer = 'my_customer';
const NO_ROLE = '404 notFound: Resource Not Found: roleId';
const NO_ASSIGNMENT = '404 notFound: Resource Not Found: roleAssignmentId';
const FORBIDDEN = '403 forbidden: Not Authorized to access this resource/api';

/** A privilege as the list shows it. */
async function somePrivilege({ admin }: World): Promise<{ privilegeName: string; serviceId: string }> {
  const { data } = await admin.privileges.list({ customer });
  const [first] = data.items ?? [];
  return { privilegeName: first?.privilegeName ?? '', serviceId: first?.serviceId ?? '' };
}

async function newRole(world: World): Promise<string> {
  const requestBody = { roleName: world.fresh('role'), rolePrivileges: [await somePrivilege(world)] };
  const { data } = await world.admin.roles.insert({ customer, requestBody });
  return data.roleId ?? '';
}

async function systemRole({ admin }: World): Promise<string> {
  const { data } = await admin.roles.list({ customer });
  return data.items?.find(({ roleName }) => roleName === '_GROUPS_ADMIN_ROLE')?.roleId ?? '';
}

/** A fresh role that a fresh group has. */
async function assigned(world: World): Promise<{ roleId: string; assignedTo: string; roleAssignmentId: string }> {
  const roleId = await newRole(world);
  const group = await world.admin.groups.get({ groupKey: await newGroup(world) });
  const assignedTo = group.data.id ?? '';
  const requestBody = { roleId, assignedTo, scopeType: 'CUSTOMER' };
  const { data } = await world.admin.roleAssignments.insert({ customer, requestBody });
  return { roleId, assignedTo, roleAssignmentId: data.roleAssignmentId ?? '' };
}

export const roleCases: readonly MethodCase[] = [
  {
    method: 'directory.roles.insert',
    right: async (world) => {
      const privilege = await somePrivilege(world);
      const roleName = world.fresh('role');
      const { data } = await world.admin.roles.insert({
        customer,
        requestBody: { roleName, rolePrivileges: [privilege] },
      });
      expect(data).toMatchObject({
        kind: 'admin#directory#role',
        roleName,
        rolePrivileges: [privilege],
        isSystemRole: false,
      });
      const read = await world.admin.roles.get({ customer, roleId: data.roleId ?? '' });
      expect(read.data).toEqual(data);
    },
    wrong: async (world) => {
      const rolePrivileges = [{ ...(await somePrivilege(world)), privilegeName: 'FLY' }];
      const insert = world.admin.roles.insert({
        customer,
        requestBody: { roleName: world.fresh('role'), rolePrivileges },
      });
      expect(await refusal(insert)).toBe('400 invalid: Invalid Input: rolePrivileges');
    },
  },
  {
    method: 'directory.roles.get',
    right: async (world) => {
      const { data } = await world.admin.roles.get({ customer, roleId: await systemRole(world) });
      expect(data).toMatchObject({ roleName: '_GROUPS_ADMIN_ROLE', isSystemRole: true });
    },
    wrong: async ({ admin }) => {
      expect(await refusal(admin.roles.get({ customer, roleId: '1' }))).toBe(NO_ROLE);
    },
  },
  {
    method: 'directory.roles.list',
    right: async (world) => {
      const roleId = await newRole(world);
      const { data } = await world.admin.roles.list({ customer });
      const ids = data.items?.map((role) => role.roleId);
      expect(ids).toEqual(expect.arrayContaining([roleId, await systemRole(world)]));
      const page = await world.admin.roles.list({ customer, maxResults: 1 });
      expect(page.data.items).toHaveLength(1);
      expect(page.data.nextPageToken).toEqual(expect.any(String));
    },
    wrong: async ({ admin }) => {
      expect(await refusal(admin.roles.list({ customer: 'C0foreign' }))).toBe(FORBIDDEN);
    },
  },
  {
    method: 'directory.roles.patch',
    right: async (world) => {
      const roleId = await newRole(world);
      await world.admin.roles.patch({ customer, roleId, requestBody: { roleDescription: 'Words' } });
      const { data } = await world.admin.roles.get({ customer, roleId });
      expect(data).toMatchObject({ roleDescription: 'Words', rolePrivileges: [await somePrivilege(world)] });
    },
    wrong: async (world) => {
      const roleId = await systemRole(world);
      const patch = world.admin.roles.patch({ customer, roleId, requestBody: { roleName: 'Mine' } });
      expect(await refusal(patch)).toBe(FORBIDDEN);
    },
  },
  {
    method: 'directory.roles.update',
    right: async (world) => {
      const roleId = await newRole(world);
      await world.admin.roles.patch({ customer, roleId, requestBody: { roleDescription: 'Words' } });
      const requestBody = { roleName: world.fresh('role'), rolePrivileges: [await somePrivilege(world)] };
      await world.admin.roles.update({ customer, roleId, requestBody });
      const { data } = await world.admin.roles.get({ customer, roleId });
      expect(data).toMatchObject({ roleName: requestBody.roleName, roleDescription: '' });
    },
    wrong: async (world) => {
      const requestBody = { roleName: '_GROUPS_ADMIN_ROLE', rolePrivileges: [await somePrivilege(world)] };
      const update = world.admin.roles.update({ customer, roleId: await newRole(world), requestBody });
      expect(await refusal(update)).toBe('409 duplicate: Entity already exists.');
    },
  },
  {
    method: 'directory.roles.delete',
    right: async (world) => {
      const roleId = await newRole(world);
      await world.admin.roles.delete({ customer, roleId });
      expect(await refusal(world.admin.roles.get({ customer, roleId }))).toBe(NO_ROLE);
    },
    wrong: async (world) => {
      const { roleId } = await assigned(world);
      expect(await refusal(world.admin.roles.delete({ customer, roleId }))).toBe(
        '412 conditionNotMet: Role is assigned: delete its assignments first',
      );
    },
  },
  {
    method: 'directory.privileges.list',
    right: async (world) => {
      const { data } = await world.admin.privileges.list({ customer });
      expect(data.kind).toBe('admin#directory#privileges');
      const tree = data.items?.find(({ childPrivileges }) => childPrivileges !== undefined);
      const [child] = tree?.childPrivileges ?? [];
      const rolePrivileges = [{ privilegeName: child?.privilegeName ?? '', serviceId: child?.serviceId ?? '' }];
      const role = await world.admin.roles.insert({
        customer,
        requestBody: { roleName: world.fresh('role'), rolePrivileges },
      });
      expect(role.data.rolePrivileges).toEqual(rolePrivileges);
    },
    wrong: async ({ admin }) => {
      expect(await refusal(admin.privileges.list({ customer: 'C0foreign' }))).toBe(FORBIDDEN);
    },
  },
  {
    method: 'directory.roleAssignments.insert',
    right: async (world) => {
      const { roleId, assignedTo, roleAssignmentId } = await assigned(world);
      const { data } = await world.admin.roleAssignments.get({ customer, roleAssignmentId });
      expect(data).toMatchObject({ roleId, assignedTo, assigneeType: 'group', scopeType: 'CUSTOMER' });
    },
    wrong: async (world) => {
      const { roleId, assignedTo } = await assigned(world);
      const insert = (requestBody: Record<string, string>) =>
        refusal(world.admin.roleAssignments.insert({ customer, requestBody }));
      expect(await insert({ roleId, assignedTo, scopeType: 'CUSTOMER' })).toBe('409 duplicate: Entity already exists.');
      expect(await insert({ roleId, assignedTo: '1' })).toBe('404 notFound: Resource Not Found: assignedTo');
      expect(await insert({ roleId: '1', assignedTo })).toBe(NO_ROLE);
    },
  },
  {
    method: 'directory.roleAssignments.get',
    right: async (world) => {
      const { roleAssignmentId } = await assigned(world);
      const { data } = await world.admin.roleAssignments.get({ customer, roleAssignmentId });
      expect(data).toMatchObject({ kind: 'admin#directory#roleAssignment', roleAssignmentId });
    },
    wrong: async ({ admin }) => {
      const get = admin.roleAssignments.get({ customer, roleAssignmentId: '1' });
      expect(await refusal(get)).toBe(NO_ASSIGNMENT);
    },
  },
  {
    method: 'directory.roleAssignments.list',
    right: async (world) => {
      const { roleId, assignedTo, roleAssignmentId } = await assigned(world);
      for (const filter of [{ roleId }, { userKey: assignedTo }, { roleId, userKey: assignedTo }]) {
        const { data } = await world.admin.roleAssignments.list({ customer, ...filter });
        expect(data.items?.map((each) => each.roleAssignmentId)).toEqual([roleAssignmentId]);
      }
    },
    wrong: async (world) => {
      const list = world.admin.roleAssignments.list({ customer, userKey: `${world.fresh('nobody')}@${world.domain}` });
      expect(await refusal(list)).toBe('404 notFound: Resource Not Found: userKey');
    },
  },
  {
    method: 'directory.roleAssignments.delete',
    right: async (world) => {
      const { roleId, roleAssignmentId } = await assigned(world);
      await world.admin.roleAssignments.delete({ customer, roleAssignmentId });
      const { data } = await world.admin.roleAssignments.list({ customer, roleId });
      expect(data.items ?? []).toEqual([]);
    },
    wrong: async ({ admin }) => {
      expect(await refusal(admin.roleAssignments.delete({ customer, roleAssignmentId: '1' }))).toBe(NO_ASSIGNMENT);
    },
  },
];
