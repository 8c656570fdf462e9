import { expect } from 'vitest';
import { refusal, type MethodCase, type World } from '../support/method-cases.ts';

const customerId = 'my_customer';
const GONE = '404 notFound: Resource Not Found: schemaKey';
const size = { fieldName: 'size', fieldType: 'INT64', displayName: 'Size' };

/** A fresh schema with one field. @returns its name */
async function newSchema({ admin, fresh }: World): Promise<string> {
  const schemaName = fresh('Schema');
  await admin.schemas.insert({ customerId, requestBody: { schemaName, displayName: schemaName, fields: [size] } });
  return schemaName;
}

export const schemaCases: readonly MethodCase[] = [
  {
    method: 'directory.schemas.insert',
    right: async ({ admin, fresh }) => {
      const schemaName = fresh('Schema');
      const skills = { fieldName: 'skills', fieldType: 'STRING', displayName: 'Skills', multiValued: true };
      const { data } = await admin.schemas.insert({
        customerId,
        requestBody: { schemaName, displayName: 'Work', fields: [size, skills] },
      });
      expect(data).toMatchObject({ kind: 'admin#directory#schema', schemaName, fields: [size, skills] });
      const read = await admin.schemas.get({ customerId, schemaKey: data.schemaId ?? '' });
      expect(read.data).toEqual(data);
    },
    wrong: async (world) => {
      const schemaName = await newSchema(world);
      const insert = (fieldType: string, name: string) =>
        refusal(
          world.admin.schemas.insert({
            customerId,
            requestBody: { schemaName: name, displayName: 'x', fields: [{ ...size, fieldType }] },
          }),
        );
      expect(await insert('INT64', schemaName)).toBe('409 duplicate: Entity already exists.');
      expect(await insert('BLOB', world.fresh('Schema'))).toBe('400 invalid: Invalid Input: fieldType');
    },
  },
  {
    method: 'directory.schemas.get',
    right: async (world) => {
      const schemaKey = await newSchema(world);
      const { data } = await world.admin.schemas.get({ customerId, schemaKey });
      expect(data.schemaName).toBe(schemaKey);
    },
    wrong: async ({ admin, fresh }) => {
      expect(await refusal(admin.schemas.get({ customerId, schemaKey: fresh('None') }))).toBe(GONE);
    },
  },
  {
    method: 'directory.schemas.list',
    right: async (world) => {
      const [first, second] = [await newSchema(world), await newSchema(world)];
      const { data } = await world.admin.schemas.list({ customerId });
      expect(data.schemas?.map(({ schemaName }) => schemaName)).toEqual(expect.arrayContaining([first, second]));
    },
    wrong: async ({ admin }) => {
      const foreign = admin.schemas.list({ customerId: 'C0foreign' });
      expect(await refusal(foreign)).toBe('403 forbidden: Not Authorized to access this resource/api');
    },
  },
  {
    method: 'directory.schemas.patch',
    right: async (world) => {
      const schemaKey = await newSchema(world);
      await world.admin.schemas.patch({ customerId, schemaKey, requestBody: { displayName: 'Shown' } });
      const { data } = await world.admin.schemas.get({ customerId, schemaKey });
      expect(data).toMatchObject({ displayName: 'Shown', fields: [size] });
    },
    wrong: async (world) => {
      const schemaKey = await newSchema(world);
      const requestBody = { fields: [{ ...size, fieldType: 'BOOL' }] };
      const patch = world.admin.schemas.patch({ customerId, schemaKey, requestBody });
      expect(await refusal(patch)).toBe('400 invalid: Invalid Input: fieldType');
    },
  },
  {
    method: 'directory.schemas.update',
    right: async (world) => {
      const schemaKey = await newSchema(world);
      const { data: before } = await world.admin.schemas.get({ customerId, schemaKey });
      const colour = { fieldName: 'colour', fieldType: 'STRING', displayName: 'Colour' };
      await world.admin.schemas.update({ customerId, schemaKey, requestBody: { fields: [size, colour] } });
      const { data } = await world.admin.schemas.get({ customerId, schemaKey });
      expect(data.fields?.map(({ fieldName }) => fieldName)).toEqual(['size', 'colour']);
      expect(data.fields?.[0]?.fieldId).toBe(before.fields?.[0]?.fieldId);
    },
    wrong: async (world) => {
      const schemaKey = await newSchema(world);
      const update = world.admin.schemas.update({ customerId, schemaKey, requestBody: { displayName: 'x' } });
      expect(await refusal(update)).toBe('400 required: Missing required field: fields');
    },
  },
  {
    method: 'directory.schemas.delete',
    right: async (world) => {
      const schemaKey = await newSchema(world);
      await world.admin.schemas.delete({ customerId, schemaKey });
      expect(await refusal(world.admin.schemas.get({ customerId, schemaKey }))).toBe(GONE);
    },
    wrong: async ({ admin, fresh }) => {
      expect(await refusal(admin.schemas.delete({ customerId, schemaKey: fresh('None') }))).toBe(GONE);
    },
  },
];
