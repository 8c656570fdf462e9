import { expect } from 'vitest';
import { refusal, type MethodCase, type World } from '../support/method-cases.ts';

const customer = 'my_customer';
const NO_DOMAIN = '404 notFound: Domain not found';
const NO_ALIAS = '404 notFound: Domain alias does not exist';
const DUPLICATE = '409 duplicate: Entity already exists.';
const FORBIDDEN = '403 forbidden: Not Authorized to access this resource/api';

async function newDomain({ admin, fresh }: World): Promise<string> {
  const domainName = `${fresh('domain')}.example.net`;
  await admin.domains.insert({ customer, requestBody: { domainName } });
  return domainName;
}

async function newAlias(world: World): Promise<{ domainAliasName: string; parentDomainName: string }> {
  const names = { domainAliasName: `${world.fresh('alias')}.example.net`, parentDomainName: await newDomain(world) };
  await world.admin.domainAliases.insert({ customer, requestBody: names });
  return names;
}

export const domainCases: readonly MethodCase[] = [
  {
    method: 'directory.domains.insert',
    right: async (world) => {
      const domainName = await newDomain(world);
      const { data } = await world.admin.domains.get({ customer, domainName });
      expect(data).toMatchObject({ kind: 'admin#directory#domain', domainName, isPrimary: false, verified: true });
    },
    wrong: async ({ admin, domain }) => {
      const insert = (domainName: string) => refusal(admin.domains.insert({ customer, requestBody: { domainName } }));
      expect(await insert(domain)).toBe(DUPLICATE);
      expect(await insert('no domain')).toBe('400 invalid: Invalid Input: domainName');
    },
  },
  {
    method: 'directory.domains.get',
    right: async (world) => {
      const { domainAliasName, parentDomainName } = await newAlias(world);
      const { data } = await world.admin.domains.get({ customer, domainName: parentDomainName });
      expect(data.domainAliases).toMatchObject([{ domainAliasName, parentDomainName }]);
    },
    wrong: async ({ admin, fresh }) => {
      expect(await refusal(admin.domains.get({ customer, domainName: `${fresh('no')}.org` }))).toBe(NO_DOMAIN);
    },
  },
  {
    method: 'directory.domains.list',
    right: async (world) => {
      const domainName = await newDomain(world);
      const { data } = await world.admin.domains.list({ customer });
      const names = data.domains?.map((each) => each.domainName);
      expect(names).toEqual(expect.arrayContaining([domainName, world.domain]));
    },
    wrong: async ({ admin }) => {
      expect(await refusal(admin.domains.list({ customer: 'C0foreign' }))).toBe(FORBIDDEN);
    },
  },
  {
    method: 'directory.domains.delete',
    right: async (world) => {
      const domainName = await newDomain(world);
      await world.admin.domains.delete({ customer, domainName });
      expect(await refusal(world.admin.domains.get({ customer, domainName }))).toBe(NO_DOMAIN);
    },
    wrong: async (world) => {
      const domainName = await newDomain(world);
      await world.admin.groups.insert({ requestBody: { email: `team@${domainName}` } });
      expect(await refusal(world.admin.domains.delete({ customer, domainName }))).toBe(
        '412 conditionNotMet: Domain is in use: remove its users, groups and aliases first',
      );
      expect(await refusal(world.admin.domains.delete({ customer, domainName: world.domain }))).toBe(
        '412 conditionNotMet: The primary domain cannot be deleted',
      );
    },
  },
  {
    method: 'directory.domainAliases.insert',
    right: async (world) => {
      const names = await newAlias(world);
      const { data } = await world.admin.domainAliases.get({ customer, domainAliasName: names.domainAliasName });
      expect(data).toMatchObject({ kind: 'admin#directory#domainAlias', ...names, verified: true });
    },
    wrong: async (world) => {
      const names = await newAlias(world);
      const insert = (requestBody: typeof names) =>
        refusal(world.admin.domainAliases.insert({ customer, requestBody }));
      expect(await insert(names)).toBe(DUPLICATE);
      const orphan = { domainAliasName: `${world.fresh('alias')}.org`, parentDomainName: `${world.fresh('no')}.org` };
      expect(await insert(orphan)).toBe(NO_DOMAIN);
    },
  },
  {
    method: 'directory.domainAliases.get',
    right: async (world) => {
      const { domainAliasName, parentDomainName } = await newAlias(world);
      const { data } = await world.admin.domainAliases.get({
        customer,
        domainAliasName: domainAliasName.toUpperCase(),
      });
      expect(data.parentDomainName).toBe(parentDomainName);
    },
    wrong: async ({ admin, fresh }) => {
      const get = admin.domainAliases.get({ customer, domainAliasName: `${fresh('no')}.org` });
      expect(await refusal(get)).toBe(NO_ALIAS);
    },
  },
  {
    method: 'directory.domainAliases.list',
    right: async (world) => {
      const { domainAliasName, parentDomainName } = await newAlias(world);
      const { data } = await world.admin.domainAliases.list({ customer, parentDomainName });
      expect(data.domainAliases?.map((each) => each.domainAliasName)).toEqual([domainAliasName]);
    },
    wrong: async ({ admin, fresh }) => {
      const list = admin.domainAliases.list({ customer, parentDomainName: `${fresh('no')}.org` });
      expect(await refusal(list)).toBe(NO_DOMAIN);
    },
  },
  {
    method: 'directory.domainAliases.delete',
    right: async (world) => {
      const { domainAliasName, parentDomainName } = await newAlias(world);
      await world.admin.domainAliases.delete({ customer, domainAliasName });
      const { data } = await world.admin.domains.get({ customer, domainName: parentDomainName });
      expect(data.domainAliases ?? []).toEqual([]);
    },
    wrong: async ({ admin, fresh }) => {
      const gone = admin.domainAliases.delete({ customer, domainAliasName: `${fresh('no')}.org` });
      expect(await refusal(gone)).toBe(NO_ALIAS);
    },
  },
  {
    method: 'directory.customers.get',
    right: async ({ admin, customer: id, domain }) => {
      const { data } = await admin.customers.get({ customerKey: 'my_customer' });
      expect(data).toMatchObject({ kind: 'admin#directory#customer', id, customerDomain: domain });
      const byId = await admin.customers.get({ customerKey: id });
      const byDomain = await admin.customers.get({ customerKey: domain });
      expect([byId.data, byDomain.data]).toEqual([data, data]);
    },
    wrong: async ({ admin }) => {
      expect(await refusal(admin.customers.get({ customerKey: 'C0foreign' }))).toBe(FORBIDDEN);
    },
  },
  {
    method: 'directory.customers.patch',
    right: async ({ admin, customer: customerKey }) => {
      const requestBody = {
        alternateEmail: 'owner@elsewhere.invalid',
        postalAddress: { countryCode: 'NL', locality: 'Delft' },
      };
      await admin.customers.patch({ customerKey, requestBody });
      await admin.customers.patch({ customerKey, requestBody: { postalAddress: { locality: 'Leiden' } } });
      const { data } = await admin.customers.get({ customerKey });
      expect(data).toMatchObject({ ...requestBody, postalAddress: { countryCode: 'NL', locality: 'Leiden' } });
    },
    wrong: async ({ admin, customer: customerKey, domain }) => {
      const patch = admin.customers.patch({ customerKey, requestBody: { alternateEmail: `me@${domain}` } });
      expect(await refusal(patch)).toBe('400 invalid: Invalid Input: alternateEmail');
    },
  },
  {
    method: 'directory.customers.update',
    right: async (world) => {
      const { admin, customer: customerKey, domain } = world;
      const customerDomain = await newDomain(world);
      await admin.customers.update({ customerKey, requestBody: { customerDomain, language: 'nl' } });
      const { data } = await admin.domains.get({ customer, domainName: customerDomain });
      await admin.customers.update({ customerKey, requestBody: { customerDomain: domain } });
      expect(data.isPrimary).toBe(true);
    },
    wrong: async ({ admin, customer: customerKey, fresh }) => {
      const requestBody = { customerDomain: `${fresh('no')}.org` };
      expect(await refusal(admin.customers.update({ customerKey, requestBody }))).toBe(NO_DOMAIN);
    },
  },
];
