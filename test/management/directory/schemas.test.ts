import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/management/json.ts';
import { addUser, listed, text } from '../../support/directory.ts';
import { testTenant, type TestTenant } from '../../support/management.ts';

const CUSTOMER = { customerId: 'my_customer' };
const field = (fieldName: string, fieldType = 'STRING', more: JsonObject = {}): JsonObject => ({
  fieldName,
  fieldType,
  displayName: fieldName,
  ...more,
});
const add = (tenant: TestTenant, schemaName: string, fields: JsonObject[] = [field('size')]) =>
  tenant.ok('directory.schemas.insert', { path: CUSTOMER, body: { schemaName, displayName: schemaName, fields } });

test('a schema and its fields get ids, kinds and defaults', () => {
  const tenant = testTenant();
  const made = add(tenant, 'Employment', [
    field('grade', 'INT64', { numericIndexingSpec: { minValue: 1, maxValue: 9 } }),
    field('skills', 'STRING', { multiValued: true, readAccessType: 'ADMINS_AND_SELF', indexed: false }),
  ]);
  expect(made).toMatchObject({
    kind: 'admin#directory#schema',
    schemaName: 'Employment',
    displayName: 'Employment',
    fields: [
      {
        kind: 'admin#directory#schema#fieldspec',
        fieldName: 'grade',
        fieldType: 'INT64',
        multiValued: false,
        indexed: true,
        readAccessType: 'ALL_DOMAIN_USERS',
        numericIndexingSpec: { minValue: 1, maxValue: 9 },
      },
      { fieldName: 'skills', multiValued: true, readAccessType: 'ADMINS_AND_SELF', indexed: false },
    ],
  });
  expect(made['schemaId']).toMatch(/^[\w+/]{20,24}==$/);
  for (const schemaKey of [text(made['schemaId']), 'Employment', 'employment'])
    expect(tenant.ok('directory.schemas.get', { path: { ...CUSTOMER, schemaKey } })).toEqual(made);
  expect(listed(tenant.ok('directory.schemas.list', { path: CUSTOMER }), 'schemas')).toEqual([made]);
});

test.each([
  ['no fields', { schemaName: 'a', displayName: 'a' }, '400 required: Missing required field: fields'],
  ['no name', { displayName: 'a', fields: [field('x')] }, '400 required: Missing required field: schemaName'],
  [
    'a name with blanks',
    { schemaName: 'a b', displayName: 'a', fields: [field('x')] },
    '400 invalid: Invalid Input: schemaName',
  ],
  [
    'a taken name',
    { schemaName: 'TAKEN', displayName: 'a', fields: [field('x')] },
    '409 duplicate: Entity already exists.',
  ],
  [
    'an unknown type',
    { schemaName: 'a', displayName: 'a', fields: [field('x', 'BLOB')] },
    '400 invalid: Invalid Input: fieldType',
  ],
  [
    'equal field names',
    { schemaName: 'a', displayName: 'a', fields: [field('x'), field('X')] },
    '400 invalid: Invalid Input: fieldName',
  ],
  [
    'unknown access',
    { schemaName: 'a', displayName: 'a', fields: [field('x', 'STRING', { readAccessType: 'WORLD' })] },
    '400 invalid: Invalid Input: readAccessType',
  ],
  [
    'a range on text',
    { schemaName: 'a', displayName: 'a', fields: [field('x', 'STRING', { numericIndexingSpec: { minValue: 1 } })] },
    '400 invalid: Invalid Input: numericIndexingSpec',
  ],
  [
    'too many fields',
    { schemaName: 'a', displayName: 'a', fields: Array.from({ length: 101 }, (_, i) => field(`f${i}`)) },
    '403 limitExceeded: A schema has at most 100 fields',
  ],
])('schemas.insert refuses %s', (_what, body, refusal) => {
  const tenant = testTenant();
  add(tenant, 'Taken');
  expect(tenant.refused('directory.schemas.insert', { path: CUSTOMER, body })).toBe(refusal);
  expect(listed(tenant.ok('directory.schemas.list', { path: CUSTOMER }), 'schemas')).toHaveLength(1);
});

test('a field that stays keeps its id and type; lists of fields are replaced whole', () => {
  const tenant = testTenant();
  const [before] = listed(add(tenant, 'a', [field('x'), field('y')]), 'fields');
  const path = { ...CUSTOMER, schemaKey: 'a' };
  const body = { fields: [field('x', 'STRING', { displayName: 'New' }), field('z')] };
  const after = listed(tenant.ok('directory.schemas.patch', { path, body }), 'fields');
  expect(after).toMatchObject([{ fieldId: before?.['fieldId'], displayName: 'New' }, { fieldName: 'z' }]);
  expect(after).toHaveLength(2);
  expect(tenant.refused('directory.schemas.patch', { path, body: { fields: [field('x', 'BOOL')] } })).toBe(
    '400 invalid: Invalid Input: fieldType',
  );
});

test('PUT needs the fields, PATCH does not; the name stays', () => {
  const tenant = testTenant();
  add(tenant, 'a');
  const path = { ...CUSTOMER, schemaKey: 'a' };
  expect(tenant.ok('directory.schemas.patch', { path, body: { displayName: 'Shown' } })['displayName']).toBe('Shown');
  expect(tenant.refused('directory.schemas.update', { path, body: { displayName: 'b' } })).toBe(
    '400 required: Missing required field: fields',
  );
  expect(tenant.ok('directory.schemas.update', { path, body: { fields: [field('y')] } })).toMatchObject({
    schemaName: 'a',
    fields: [{ fieldName: 'y' }],
  });
  expect(tenant.refused('directory.schemas.patch', { path, body: { schemaName: 'b' } })).toBe(
    '400 invalid: Invalid Input: schemaName',
  );
});

test('users have values of the fields, until the schema is deleted', () => {
  const tenant = testTenant();
  add(tenant, 'Body', [field('size', 'INT64')]);
  const userKey = addUser(tenant, 'ann@example.com', { customSchemas: { Body: { size: '7' } } });
  const path = { ...CUSTOMER, schemaKey: 'Body' };
  expect(tenant.ok('directory.users.get', { path: { userKey }, query: { projection: 'full' } })).toMatchObject({
    customSchemas: { Body: { size: '7' } },
  });
  tenant.ok('directory.schemas.delete', { path });
  expect(tenant.refused('directory.schemas.get', { path })).toBe('404 notFound: Resource Not Found: schemaKey');
  tenant.ok('directory.users.patch', { path: { userKey }, body: { suspended: true } });
  expect(tenant.ok('directory.users.get', { path: { userKey }, query: { projection: 'full' } })).not.toHaveProperty(
    'customSchemas',
  );
  expect(
    tenant.refused('directory.users.patch', { path: { userKey }, body: { customSchemas: { Body: { size: '8' } } } }),
  ).toBe('400 invalid: Invalid Input: custom_schema');
  expect(add(tenant, 'Body')['schemaName']).toBe('Body');
});

test('a user with a value of a field that is gone can still be changed', () => {
  const tenant = testTenant();
  add(tenant, 'Body', [field('size', 'INT64'), field('hat')]);
  const userKey = addUser(tenant, 'ann@example.com', { customSchemas: { Body: { size: '7', hat: 'red' } } });
  tenant.ok('directory.schemas.update', {
    path: { ...CUSTOMER, schemaKey: 'Body' },
    body: { fields: [field('size', 'INT64')] },
  });
  const patched = tenant.ok('directory.users.patch', {
    path: { userKey },
    body: { customSchemas: { Body: { size: '8' } } },
  });
  expect(patched['customSchemas']).toEqual({ Body: { size: '8' } });
});

test('a customer has at most 100 schemas', () => {
  const tenant = testTenant();
  for (let i = 0; i < 100; i++) add(tenant, `s${i}`);
  const body = { schemaName: 'more', displayName: 'more', fields: [field('x')] };
  expect(tenant.refused('directory.schemas.insert', { path: CUSTOMER, body })).toBe(
    '403 limitExceeded: A customer has at most 100 schemas',
  );
});

test.each(['list', 'get', 'insert', 'patch', 'update', 'delete'])(
  'K1: schemas.%s of another customer is a 403',
  (verb) => {
    const sent = {
      path: { customerId: 'C0foreign', schemaKey: 'a' },
      body: { schemaName: 'a', displayName: 'a', fields: [field('x')] },
    };
    expect(testTenant().refused(`directory.schemas.${verb}`, sent)).toBe(
      '403 forbidden: Not Authorized to access this resource/api',
    );
  },
);
