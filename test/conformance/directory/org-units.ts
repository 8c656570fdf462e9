import { expect } from 'vitest';
import { refusal, type MethodCase, type World } from '../support/method-cases.ts';

const customerId = 'my_customer';
const GONE = '404 notFound: Org unit not found';
const BAD_PARENT = '400 invalid: Invalid Parent Orgunit Id';

/** A fresh org unit below the root or another one. @returns its path without the leading slash */
async function newUnit({ admin, fresh }: World, below = ''): Promise<string> {
  const name = fresh('unit');
  const { data } = await admin.orgunits.insert({ customerId, requestBody: { name, parentOrgUnitPath: `/${below}` } });
  return (data.orgUnitPath ?? '').slice(1);
}

export const orgUnitCases: readonly MethodCase[] = [
  {
    method: 'directory.orgunits.insert',
    right: async ({ admin, fresh }) => {
      const name = `${fresh('sales')} team`;
      const { data } = await admin.orgunits.insert({
        customerId,
        requestBody: { name, parentOrgUnitPath: '/', description: 'Sellers' },
      });
      expect(data).toMatchObject({
        kind: 'admin#directory#orgUnit',
        name,
        orgUnitPath: `/${name}`,
        parentOrgUnitPath: '/',
      });
      const byPath = await admin.orgunits.get({ customerId, orgUnitPath: name });
      const byId = await admin.orgunits.get({ customerId, orgUnitPath: data.orgUnitId ?? '' });
      expect([byPath.data, byId.data]).toEqual([data, data]);
    },
    wrong: async (world) => {
      const name = await newUnit(world);
      const insert = (requestBody: Record<string, string>) =>
        refusal(world.admin.orgunits.insert({ customerId, requestBody }));
      expect(await insert({ name, parentOrgUnitPath: '/' })).toBe('409 duplicate: Entity already exists.');
      expect(await insert({ name: 'x', parentOrgUnitPath: '/no/where' })).toBe(BAD_PARENT);
      expect(await insert({ name: 'a/b', parentOrgUnitPath: '/' })).toBe('400 invalid: Invalid Ou Name');
    },
  },
  {
    method: 'directory.orgunits.get',
    right: async (world) => {
      const parent = await newUnit(world);
      const child = await newUnit(world, parent);
      const { data } = await world.admin.orgunits.get({ customerId, orgUnitPath: child });
      expect(data).toMatchObject({ orgUnitPath: `/${child}`, parentOrgUnitPath: `/${parent}` });
    },
    wrong: async ({ admin, fresh }) => {
      expect(await refusal(admin.orgunits.get({ customerId, orgUnitPath: fresh('no') }))).toBe(GONE);
    },
  },
  {
    method: 'directory.orgunits.list',
    right: async (world) => {
      const top = await newUnit(world);
      const middle = await newUnit(world, top);
      const bottom = await newUnit(world, middle);
      const paths = async (type?: string) => {
        const { data } = await world.admin.orgunits.list({ customerId, orgUnitPath: `/${top}`, ...(type && { type }) });
        return data.organizationUnits?.map(({ orgUnitPath }) => orgUnitPath);
      };
      expect(await paths()).toEqual([`/${middle}`]);
      expect(await paths('all')).toEqual([`/${middle}`, `/${bottom}`]);
      expect(await paths('allIncludingParent')).toEqual([`/${top}`, `/${middle}`, `/${bottom}`]);
    },
    wrong: async ({ admin, fresh }) => {
      expect(await refusal(admin.orgunits.list({ customerId, orgUnitPath: `/${fresh('no')}` }))).toBe(GONE);
    },
  },
  {
    method: 'directory.orgunits.patch',
    right: async (world) => {
      const top = await newUnit(world);
      const child = await newUnit(world, top);
      const name = world.fresh('renamed');
      await world.admin.orgunits.patch({ customerId, orgUnitPath: top, requestBody: { name } });
      const moved = `${name}/${child.slice(top.length + 1)}`;
      const { data } = await world.admin.orgunits.get({ customerId, orgUnitPath: moved });
      expect(data.parentOrgUnitPath).toBe(`/${name}`);
      expect(await refusal(world.admin.orgunits.get({ customerId, orgUnitPath: child }))).toBe(GONE);
    },
    wrong: async (world) => {
      const top = await newUnit(world);
      const child = await newUnit(world, top);
      const requestBody = { parentOrgUnitPath: `/${child}` };
      expect(await refusal(world.admin.orgunits.patch({ customerId, orgUnitPath: top, requestBody }))).toBe(BAD_PARENT);
    },
  },
  {
    method: 'directory.orgunits.update',
    right: async (world) => {
      const [from, to] = [await newUnit(world), await newUnit(world)];
      const { data } = await world.admin.orgunits.update({
        customerId,
        orgUnitPath: from,
        requestBody: { name: from, parentOrgUnitPath: `/${to}` },
      });
      expect(data.orgUnitPath).toBe(`/${to}/${from}`);
      const listed = await world.admin.orgunits.list({ customerId, orgUnitPath: `/${to}` });
      expect(listed.data.organizationUnits?.map(({ name }) => name)).toEqual([from]);
    },
    wrong: async (world) => {
      const orgUnitPath = await newUnit(world);
      const update = world.admin.orgunits.update({
        customerId,
        orgUnitPath,
        requestBody: { name: orgUnitPath, parentOrgUnitId: 'id:none' },
      });
      expect(await refusal(update)).toBe(BAD_PARENT);
    },
  },
  {
    method: 'directory.orgunits.delete',
    right: async (world) => {
      const orgUnitPath = await newUnit(world);
      const { status } = await world.admin.orgunits.delete({ customerId, orgUnitPath });
      expect(status).toBe(204);
      expect(await refusal(world.admin.orgunits.get({ customerId, orgUnitPath }))).toBe(GONE);
    },
    wrong: async (world) => {
      const orgUnitPath = await newUnit(world);
      await newUnit(world, orgUnitPath);
      expect(await refusal(world.admin.orgunits.delete({ customerId, orgUnitPath }))).toBe(
        '412 conditionNotMet: Org unit is not empty: move its users, devices, printers and org units first',
      );
    },
  },
];
