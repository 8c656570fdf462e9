import { expect } from 'vitest';
import { refusal, type MethodCase, type World } from '../support/method-cases.ts';
import { newGroup } from './groups.ts';

const NO_MEMBER = '404 notFound: Resource Not Found: memberKey';

/** A group with one member from outside. */
async function joined(world: World, role = 'MEMBER'): Promise<{ groupKey: string; memberKey: string }> {
  const groupKey = await newGroup(world);
  const memberKey = `${world.fresh('guest')}@elsewhere.invalid`;
  await world.admin.members.insert({ groupKey, requestBody: { email: memberKey, role } });
  return { groupKey, memberKey };
}

/** Two groups, the second in the first. */
async function nested(world: World): Promise<{ outer: string; inner: string }> {
  const [outer, inner] = [await newGroup(world), await newGroup(world)];
  await world.admin.members.insert({ groupKey: outer, requestBody: { email: inner } });
  return { outer, inner };
}

export const memberCases: readonly MethodCase[] = [
  {
    method: 'directory.members.insert',
    right: async (world) => {
      const { outer, inner } = await nested(world);
      const { data } = await world.admin.members.get({ groupKey: outer, memberKey: inner });
      expect(data).toMatchObject({ kind: 'admin#directory#member', email: inner, role: 'MEMBER', type: 'GROUP' });
      const group = await world.admin.groups.get({ groupKey: outer });
      expect(group.data.directMembersCount).toBe('1');
    },
    wrong: async (world) => {
      const { outer, inner } = await nested(world);
      const again = world.admin.members.insert({ groupKey: outer, requestBody: { email: inner } });
      expect(await refusal(again)).toBe('409 duplicate: Member already exists.');
      const cycle = world.admin.members.insert({ groupKey: inner, requestBody: { email: outer } });
      expect(await refusal(cycle)).toBe('412 conditionNotMet: Cyclic memberships not allowed');
      const email = `${world.fresh('nobody')}@${world.domain}`;
      expect(await refusal(world.admin.members.insert({ groupKey: outer, requestBody: { email } }))).toBe(NO_MEMBER);
    },
  },
  {
    method: 'directory.members.get',
    right: async (world) => {
      const { groupKey, memberKey } = await joined(world, 'OWNER');
      const { data } = await world.admin.members.get({ groupKey, memberKey });
      expect(data).toMatchObject({ email: memberKey, role: 'OWNER', delivery_settings: 'ALL_MAIL' });
      const byId = await world.admin.members.get({ groupKey, memberKey: data.id ?? '' });
      expect(byId.data).toEqual(data);
    },
    wrong: async (world) => {
      const missing = world.admin.members.get({ groupKey: await newGroup(world), memberKey: 'none@elsewhere.invalid' });
      expect(await refusal(missing)).toBe(NO_MEMBER);
    },
  },
  {
    method: 'directory.members.list',
    right: async (world) => {
      const { outer, inner } = await nested(world);
      const email = `${world.fresh('guest')}@elsewhere.invalid`;
      await world.admin.members.insert({ groupKey: inner, requestBody: { email, role: 'MANAGER' } });
      const direct = await world.admin.members.list({ groupKey: outer });
      expect(direct.data.members?.map((member) => member.email)).toEqual([inner]);
      const derived = await world.admin.members.list({ groupKey: outer, includeDerivedMembership: true });
      expect(derived.data.members?.map((member) => member.email).toSorted()).toEqual([inner, email].toSorted());
      const managers = await world.admin.members.list({ groupKey: inner, roles: 'OWNER,MANAGER' });
      expect(managers.data.members?.map((member) => member.email)).toEqual([email]);
    },
    wrong: async (world) => {
      const roles = world.admin.members.list({ groupKey: await newGroup(world), roles: 'KING' });
      expect(await refusal(roles)).toBe('400 invalid: Invalid Input: roles');
    },
  },
  {
    method: 'directory.members.patch',
    right: async (world) => {
      const { groupKey, memberKey } = await joined(world);
      await world.admin.members.patch({ groupKey, memberKey, requestBody: { delivery_settings: 'DIGEST' } });
      const { data } = await world.admin.members.get({ groupKey, memberKey });
      expect(data).toMatchObject({ role: 'MEMBER', delivery_settings: 'DIGEST' });
    },
    wrong: async (world) => {
      const { groupKey, memberKey } = await joined(world);
      const patch = world.admin.members.patch({ groupKey, memberKey, requestBody: { role: 'KING' } });
      expect(await refusal(patch)).toBe('400 invalid: Invalid Input: role');
    },
  },
  {
    method: 'directory.members.update',
    right: async (world) => {
      const { groupKey, memberKey } = await joined(world);
      await world.admin.members.update({ groupKey, memberKey, requestBody: { role: 'OWNER' } });
      const { data } = await world.admin.members.list({ groupKey, roles: 'OWNER' });
      expect(data.members?.map(({ email }) => email)).toEqual([memberKey]);
    },
    wrong: async (world) => {
      const groupKey = await newGroup(world);
      const update = world.admin.members.update({ groupKey, memberKey: groupKey, requestBody: { role: 'OWNER' } });
      expect(await refusal(update)).toBe(NO_MEMBER);
    },
  },
  {
    method: 'directory.members.delete',
    right: async (world) => {
      const { groupKey, memberKey } = await joined(world);
      await world.admin.members.delete({ groupKey, memberKey });
      const { data } = await world.admin.members.list({ groupKey });
      expect(data.members ?? []).toEqual([]);
    },
    wrong: async (world) => {
      const { groupKey, memberKey } = await joined(world);
      await world.admin.members.delete({ groupKey, memberKey });
      expect(await refusal(world.admin.members.delete({ groupKey, memberKey }))).toBe(NO_MEMBER);
    },
  },
  {
    method: 'directory.members.hasMember',
    right: async (world) => {
      const { outer, inner } = await nested(world);
      const { groupKey: innermost, memberKey } = await joined(world);
      const ask = async () =>
        (await world.admin.members.hasMember({ groupKey: outer, memberKey: innermost })).data.isMember;
      expect(await ask()).toBe(false);
      await world.admin.members.insert({ groupKey: inner, requestBody: { email: innermost } });
      expect(await ask()).toBe(true);
      const { data } = await world.admin.members.hasMember({ groupKey: outer, memberKey });
      expect(data.isMember).toBe(true);
    },
    wrong: async (world) => {
      const groupKey = await newGroup(world);
      const outside = world.admin.members.hasMember({ groupKey, memberKey: 'stranger@elsewhere.invalid' });
      expect(await refusal(outside)).toBe('400 invalid: Invalid Input: memberKey');
      const unknown = world.admin.members.hasMember({
        groupKey,
        memberKey: `${world.fresh('nobody')}@${world.domain}`,
      });
      expect(await refusal(unknown)).toBe(NO_MEMBER);
    },
  },
];
