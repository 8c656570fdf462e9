import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { addUser, listed, text } from '../../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';

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

const custom = (tenant: TestTenant, userKey: string) =>
  tenant.ok('directory.users.get', { path: { userKey }, query: { projection: 'full' } })['customSchemas'];
const found = (tenant: TestTenant, query: string) =>
  listed(tenant.ok('directory.users.list', { query: { customer: 'my_customer', query } }), 'users').length;

test('values of a deleted schema do not come back with a new one of its name, whatever its types', () => {
  const tenant = testTenant();
  for (const type of ['INT64', 'DOUBLE', 'DATE', 'STRING']) {
    add(tenant, 'Emp', [field('lvl'), field('team')]);
    const userKey = addUser(tenant, `${type}@example.com`, { customSchemas: { Emp: { lvl: 'abc', team: 'x' } } });
    tenant.ok('directory.schemas.delete', { path: { ...CUSTOMER, schemaKey: 'Emp' } });
    expect(custom(tenant, userKey)).toBeUndefined();
    add(tenant, 'Emp', [field('lvl', type, { multiValued: type === 'DATE' }), field('team')]);
    expect(custom(tenant, userKey)).toBeUndefined();
    expect(found(tenant, type === 'DATE' ? 'Emp.lvl>=2020-01-01' : `Emp.lvl=${type === 'STRING' ? 'abc' : 1}`)).toBe(0);
    expect(tenant.ok('directory.users.patch', { path: { userKey }, body: { suspended: true } })['suspended']).toBe(
      true,
    );
    const body = { customSchemas: { Emp: { team: 'y' } } };
    expect(tenant.ok('directory.users.patch', { path: { userKey }, body })['customSchemas']).toEqual({
      Emp: { team: 'y' },
    });
    tenant.ok('directory.schemas.delete', { path: { ...CUSTOMER, schemaKey: 'Emp' } });
  }
});

test('a stored value that has not the form of its field is not found, and refuses no search', () => {
  const tenant = testTenant();
  add(tenant, 'Emp', [field('lvl', 'INT64')]);
  addUser(tenant, 'ann@example.com', { customSchemas: { Emp: { lvl: '3' } } });
  expect(found(tenant, 'Emp.lvl>=1')).toBe(1);
  tenant.sql.exec(`UPDATE resource SET json = replace(json, '"lvl":"3"', '"lvl":"abc"')`);
  expect(found(tenant, 'Emp.lvl>=1')).toBe(0);
});

test('a field cannot begin or cease to have many values', () => {
  const tenant = testTenant();
  add(tenant, 'a', [field('one'), field('many', 'STRING', { multiValued: true })]);
  const path = { ...CUSTOMER, schemaKey: 'a' };
  for (const fields of [
    [field('one', 'STRING', { multiValued: true })],
    [field('many', 'STRING', { multiValued: false })],
  ]) {
    expect(tenant.refused('directory.schemas.patch', { path, body: { fields } })).toBe(
      '400 invalid: Invalid Input: multiValued',
    );
  }
  const after = tenant.ok('directory.schemas.patch', { path, body: { fields: [field('many'), field('one')] } });
  expect(after['fields']).toMatchObject([{ multiValued: true }, { multiValued: false }]);
});

test('schemas are written, cleared, searched and masked by their names in any case, and kept in their own spelling', () => {
  const tenant = testTenant();
  add(tenant, 'Emp', [field('f'), field('g')]);
  const userKey = addUser(tenant, 'ann@example.com', { customSchemas: { emp: { f: 'old' } } });
  const patch = (customSchemas: JsonObject | null) =>
    tenant.ok('directory.users.patch', { path: { userKey }, body: { customSchemas } })['customSchemas'];
  expect(patch({ EMP: { f: 'abc', g: 'x' } })).toEqual({ Emp: { f: 'abc', g: 'x' } });
  expect([found(tenant, 'Emp.f=abc'), found(tenant, 'eMP.f=abc'), found(tenant, 'Emp.f=old')]).toEqual([1, 1, 0]);
  const query = { projection: 'custom', customFieldMask: 'emp' };
  expect(tenant.ok('directory.users.get', { path: { userKey }, query })['customSchemas']).toEqual({
    Emp: { f: 'abc', g: 'x' },
  });
  expect(patch({ emp: { g: null } })).toEqual({ Emp: { f: 'abc' } });
  expect(patch({})).toEqual({ Emp: { f: 'abc' } });
  expect(patch({ EMP: null })).toBeUndefined();
  patch({ Emp: { f: 'abc' } });
  expect(patch(null)).toBeUndefined();
});

test('users show nothing of how values are tied to their fields', () => {
  const tenant = testTenant();
  add(tenant, 'Emp', [field('f')]);
  const userKey = addUser(tenant, 'ann@example.com', { customSchemas: { Emp: { f: 'a' } }, customFieldIds: ['x'] });
  expect(tenant.ok('directory.users.get', { path: { userKey } })).not.toHaveProperty('customFieldIds');
});

test.each([
  ['INT64', ['9223372036854775807', '-9223372036854775808'], ['9223372036854775808', '-9223372036854775809', '1.5']],
  ['DATE', ['2024-02-29', '2021-12-31'], ['2021-02-29', '2021-02-31', '2021-04-31', '2021-13-01', '2021-00-10']],
  ['DOUBLE', ['1e308', '-2.5'], ['1e309', '-1e400', 'x']],
])('a %s takes what there is of its kind', (type, taken, refused) => {
  const tenant = testTenant();
  add(tenant, 'Emp', [field('f', type)]);
  const path = { userKey: addUser(tenant, 'ann@example.com') };
  const sent = (f: string) => ({ path, body: { customSchemas: { Emp: { f } } } });
  for (const value of taken) {
    const after = tenant.ok('directory.users.patch', sent(value))['customSchemas'];
    expect(after).toEqual({ Emp: { f: type === 'DOUBLE' ? Number(value) : value } });
  }
  for (const value of refused) {
    expect(tenant.refused('directory.users.patch', sent(value))).toBe('400 invalid: Invalid Input: custom_schema');
  }
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
