import { expect } from 'vitest';
import { refusal, type MethodCase } from '../support/method-cases.ts';
import { newUser, nobody, NO_USER } from './users.ts';

export const userAliasCases: readonly MethodCase[] = [
  {
    method: 'directory.users.aliases.insert',
    right: async (world) => {
      const { id, email } = await newUser(world);
      const alias = nobody(world);
      const { data } = await world.admin.users.aliases.insert({ userKey: email, requestBody: { alias } });
      expect(data).toMatchObject({ kind: 'admin#directory#alias', id, primaryEmail: email, alias });
      const read = await world.admin.users.get({ userKey: alias });
      expect(read.data).toMatchObject({ id, aliases: [alias] });
    },
    wrong: async (world) => {
      const [ann, bob] = [await newUser(world), await newUser(world)];
      const insert = (userKey: string, alias: string) =>
        refusal(world.admin.users.aliases.insert({ userKey, requestBody: { alias } }));
      expect(await insert(ann.id, bob.email)).toBe('409 duplicate: Entity already exists.');
      expect(await insert(ann.id, 'a@elsewhere.invalid')).toBe('404 notFound: Domain not found.');
      expect(await insert(nobody(world), nobody(world))).toBe(NO_USER);
    },
  },
  {
    method: 'directory.users.aliases.list',
    right: async (world) => {
      const { id, email } = await newUser(world);
      const aliases = [nobody(world), nobody(world)].toSorted();
      for (const alias of aliases) await world.admin.users.aliases.insert({ userKey: id, requestBody: { alias } });
      const { data } = await world.admin.users.aliases.list({ userKey: email });
      expect(data).toMatchObject({ kind: 'admin#directory#aliases', aliases: aliases.map((alias) => ({ id, alias })) });
    },
    wrong: async (world) => {
      expect(await refusal(world.admin.users.aliases.list({ userKey: nobody(world) }))).toBe(NO_USER);
    },
  },
  {
    method: 'directory.users.aliases.delete',
    right: async (world) => {
      const { id } = await newUser(world);
      const alias = nobody(world);
      await world.admin.users.aliases.insert({ userKey: id, requestBody: { alias } });
      expect((await world.admin.users.aliases.delete({ userKey: id, alias })).status).toBe(204);
      expect(await refusal(world.admin.users.get({ userKey: alias }))).toBe(NO_USER);
    },
    wrong: async (world) => {
      const { id, email } = await newUser(world);
      const remove = world.admin.users.aliases.delete({ userKey: id, alias: email });
      expect(await refusal(remove)).toBe('404 notFound: Resource Not Found: alias');
      const foreign = world.admin.users.aliases.delete({ userKey: nobody(world), alias: email });
      expect(await refusal(foreign)).toBe(NO_USER);
    },
  },
];
