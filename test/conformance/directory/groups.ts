import { expect } from 'vitest';
import { refusal, type MethodCase, type World } from '../support/method-cases.ts';

const NO_GROUP = '404 notFound: Resource Not Found: groupKey';
const DUPLICATE = '409 duplicate: Entity already exists.';

/** A fresh group. @returns its address */
export async function newGroup({ admin, domain, fresh }: World): Promise<string> {
  const email = `${fresh('group')}@${domain}`;
  await admin.groups.insert({ requestBody: { email } });
  return email;
}

const nobody = ({ domain, fresh }: World): string => `${fresh('nobody')}@${domain}`;

export const groupCases: readonly MethodCase[] = [
  {
    method: 'directory.groups.insert',
    right: async ({ admin, domain, fresh }) => {
      const email = `${fresh('group')}@${domain}`;
      const { data } = await admin.groups.insert({
        requestBody: { email, name: 'Sellers', description: 'All of them' },
      });
      expect(data).toMatchObject({ kind: 'admin#directory#group', email, name: 'Sellers', directMembersCount: '0' });
      const read = await admin.groups.get({ groupKey: data.id ?? '' });
      expect(read.data).toEqual(data);
    },
    wrong: async (world) => {
      const email = await newGroup(world);
      expect(await refusal(world.admin.groups.insert({ requestBody: { email } }))).toBe(DUPLICATE);
      const foreign = world.admin.groups.insert({ requestBody: { email: 'a@elsewhere.invalid' } });
      expect(await refusal(foreign)).toBe('404 notFound: Domain not found.');
    },
  },
  {
    method: 'directory.groups.get',
    right: async (world) => {
      const groupKey = await newGroup(world);
      const { data } = await world.admin.groups.get({ groupKey: groupKey.toUpperCase() });
      expect(data.email).toBe(groupKey);
    },
    wrong: async (world) => {
      expect(await refusal(world.admin.groups.get({ groupKey: nobody(world) }))).toBe(NO_GROUP);
    },
  },
  {
    method: 'directory.groups.list',
    right: async (world) => {
      const [first, second] = [await newGroup(world), await newGroup(world)];
      const seen: string[] = [];
      let pageToken: string | undefined;
      do {
        const { data } = await world.admin.groups.list({
          customer: 'my_customer',
          maxResults: 2,
          orderBy: 'email',
          ...(pageToken !== undefined && { pageToken }),
        });
        seen.push(...(data.groups ?? []).map(({ email }) => email ?? ''));
        pageToken = data.nextPageToken ?? undefined;
      } while (pageToken !== undefined && seen.length < 1_000);
      expect(seen).toEqual(expect.arrayContaining([first, second]));
      expect(new Set(seen).size).toBe(seen.length);
      const found = await world.admin.groups.list({ domain: world.domain, query: `email=${first}` });
      expect(found.data.groups?.map(({ email }) => email)).toEqual([first]);
    },
    wrong: async ({ admin }) => {
      const foreign = admin.groups.list({ customer: 'C0foreign' });
      expect(await refusal(foreign)).toBe('403 forbidden: Not Authorized to access this resource/api');
      const both = admin.groups.list({ customer: 'my_customer', userKey: 'a@example.com' });
      expect(await refusal(both)).toBe('400 invalid: Invalid Input: userKey cannot be used with customer');
    },
  },
  {
    method: 'directory.groups.patch',
    right: async (world) => {
      const groupKey = await newGroup(world);
      const email = `${world.fresh('renamed')}@${world.domain}`;
      await world.admin.groups.patch({ groupKey, requestBody: { email, description: 'New' } });
      const { data } = await world.admin.groups.get({ groupKey });
      expect(data).toMatchObject({ email, description: 'New', aliases: [groupKey] });
    },
    wrong: async (world) => {
      const [groupKey, email] = [await newGroup(world), await newGroup(world)];
      expect(await refusal(world.admin.groups.patch({ groupKey, requestBody: { email } }))).toBe(DUPLICATE);
      const long = world.admin.groups.patch({ groupKey, requestBody: { name: 'n'.repeat(74) } });
      expect(await refusal(long)).toBe('400 invalid: Invalid Input: name');
    },
  },
  {
    method: 'directory.groups.update',
    right: async (world) => {
      const groupKey = await newGroup(world);
      await world.admin.groups.patch({ groupKey, requestBody: { description: 'Old' } });
      await world.admin.groups.update({ groupKey, requestBody: { email: groupKey, name: 'Only the name' } });
      const { data } = await world.admin.groups.get({ groupKey });
      expect(data).toMatchObject({ name: 'Only the name', description: 'Old' });
    },
    wrong: async (world) => {
      const missing = world.admin.groups.update({ groupKey: nobody(world), requestBody: { name: 'x' } });
      expect(await refusal(missing)).toBe(NO_GROUP);
    },
  },
  {
    method: 'directory.groups.delete',
    right: async (world) => {
      const groupKey = await newGroup(world);
      const { status } = await world.admin.groups.delete({ groupKey });
      expect(status).toBe(204);
      expect(await refusal(world.admin.groups.get({ groupKey }))).toBe(NO_GROUP);
    },
    wrong: async (world) => {
      expect(await refusal(world.admin.groups.delete({ groupKey: nobody(world) }))).toBe(NO_GROUP);
    },
  },
  {
    method: 'directory.groups.aliases.insert',
    right: async (world) => {
      const groupKey = await newGroup(world);
      const alias = `${world.fresh('alias')}@${world.domain}`;
      const { data } = await world.admin.groups.aliases.insert({ groupKey, requestBody: { alias } });
      expect(data).toMatchObject({ kind: 'admin#directory#alias', alias, primaryEmail: groupKey });
      const read = await world.admin.groups.get({ groupKey: alias });
      expect(read.data).toMatchObject({ email: groupKey, aliases: [alias] });
    },
    wrong: async (world) => {
      const [groupKey, alias] = [await newGroup(world), await newGroup(world)];
      expect(await refusal(world.admin.groups.aliases.insert({ groupKey, requestBody: { alias } }))).toBe(DUPLICATE);
    },
  },
  {
    method: 'directory.groups.aliases.list',
    right: async (world) => {
      const groupKey = await newGroup(world);
      const alias = `${world.fresh('alias')}@${world.domain}`;
      await world.admin.groups.aliases.insert({ groupKey, requestBody: { alias } });
      const { data } = await world.admin.groups.aliases.list({ groupKey });
      expect(data).toMatchObject({ kind: 'admin#directory#aliases', aliases: [{ alias, primaryEmail: groupKey }] });
    },
    wrong: async (world) => {
      expect(await refusal(world.admin.groups.aliases.list({ groupKey: nobody(world) }))).toBe(NO_GROUP);
    },
  },
  {
    method: 'directory.groups.aliases.delete',
    right: async (world) => {
      const groupKey = await newGroup(world);
      const alias = `${world.fresh('alias')}@${world.domain}`;
      await world.admin.groups.aliases.insert({ groupKey, requestBody: { alias } });
      await world.admin.groups.aliases.delete({ groupKey, alias });
      expect(await refusal(world.admin.groups.get({ groupKey: alias }))).toBe(NO_GROUP);
    },
    wrong: async (world) => {
      const gone = world.admin.groups.aliases.delete({ groupKey: await newGroup(world), alias: nobody(world) });
      expect(await refusal(gone)).toBe('404 notFound: Resource Not Found: alias');
    },
  },
];
