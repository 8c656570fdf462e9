import { expect, test } from 'vitest';
import { seedChromeDevice } from '../../../../../src/management/emulator/enrolments.ts';
import { addUser, listed, text } from '../../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';

const CUSTOMER = { customerId: 'my_customer' };
const GONE = '404 notFound: Org unit not found';

const add = (tenant: TestTenant, parentOrgUnitPath: string, name: string) =>
  tenant.ok('directory.orgunits.insert', { path: CUSTOMER, body: { name, parentOrgUnitPath } });

const get = (tenant: TestTenant, orgUnitPath: string) =>
  tenant.ok('directory.orgunits.get', { path: { ...CUSTOMER, orgUnitPath } });

const paths = (tenant: TestTenant, query: Record<string, string> = {}) =>
  listed(tenant.ok('directory.orgunits.list', { path: CUSTOMER, query }), 'organizationUnits').map(
    ({ orgUnitPath }) => orgUnitPath,
  );

/** `/corp`, `/corp/sales`, `/corp/sales/asia`, `/lab`. */
function world(): TestTenant {
  const tenant = testTenant();
  add(tenant, '/', 'corp');
  add(tenant, '/corp', 'sales');
  add(tenant, '/corp/sales', 'asia');
  add(tenant, '/', 'lab');
  return tenant;
}

test('an org unit has its path, id and parent from where it is made', () => {
  const tenant = world();
  const corp = get(tenant, 'corp');
  const made = tenant.ok('directory.orgunits.insert', {
    path: CUSTOMER,
    body: { name: 'Support', description: 'Help', parentOrgUnitId: text(corp['orgUnitId']), orgUnitPath: '/ignored' },
  });
  expect(made).toMatchObject({
    kind: 'admin#directory#orgUnit',
    name: 'Support',
    description: 'Help',
    orgUnitPath: '/corp/Support',
    parentOrgUnitPath: '/corp',
    parentOrgUnitId: corp['orgUnitId'],
  });
  expect(made['orgUnitId']).toMatch(/^id:03ph8a2z[0-9a-z]{7}$/);
  for (const key of ['corp/Support', '/corp/support', 'CORP/SUPPORT', 'corp,Support', text(made['orgUnitId'])])
    expect(get(tenant, key)).toEqual(made);
});

test.each([
  ['no name', { parentOrgUnitPath: '/' }, '400 required: Missing required field: name'],
  ['no parent', { name: 'x' }, '400 required: Missing required field: parentOrgUnitPath'],
  [
    'a parent path that is not there',
    { name: 'x', parentOrgUnitPath: '/no' },
    '400 invalid: Invalid Parent Orgunit Id',
  ],
  ['a parent id that is not there', { name: 'x', parentOrgUnitId: 'id:no' }, '400 invalid: Invalid Parent Orgunit Id'],
  ['a slash in the name', { name: 'a/b', parentOrgUnitPath: '/' }, '400 invalid: Invalid Ou Name'],
  ['an empty name', { name: ' ', parentOrgUnitPath: '/' }, '400 invalid: Invalid Ou Name'],
  ['a long name', { name: 'n'.repeat(257), parentOrgUnitPath: '/' }, '400 invalid: Invalid Ou Name'],
  ['a name that a sibling has', { name: 'SALES', parentOrgUnitPath: '/corp' }, '409 duplicate: Entity already exists.'],
])('orgunits.insert refuses %s', (_what, body, refusal) => {
  const tenant = world();
  expect(tenant.refused('directory.orgunits.insert', { path: CUSTOMER, body })).toBe(refusal);
  expect(paths(tenant, { type: 'all' })).toHaveLength(4);
});

test('the tree is 35 levels deep at most, moved units included', () => {
  const tenant = testTenant();
  let parent = '/';
  for (let level = 1; level <= 35; level++) parent = text(add(tenant, parent, `l${level}`)['orgUnitPath']);
  const deeper = { path: CUSTOMER, body: { name: 'l36', parentOrgUnitPath: parent } };
  expect(tenant.refused('directory.orgunits.insert', deeper)).toBe('400 invalid: Invalid Parent Orgunit Id');
  add(tenant, '/', 'top');
  const move = { path: { ...CUSTOMER, orgUnitPath: 'l1' }, body: { parentOrgUnitPath: '/top' } };
  expect(tenant.refused('directory.orgunits.patch', move)).toBe('400 invalid: Invalid Parent Orgunit Id');
});

test.each([
  [{}, ['/corp', '/lab']],
  [{ type: 'children' }, ['/corp', '/lab']],
  [{ type: 'all' }, ['/corp', '/corp/sales', '/corp/sales/asia', '/lab']],
  [{ type: 'allIncludingParent' }, ['/', '/corp', '/corp/sales', '/corp/sales/asia', '/lab']],
  [{ type: 'all', orgUnitPath: '/corp' }, ['/corp/sales', '/corp/sales/asia']],
  [{ type: 'allIncludingParent', orgUnitPath: 'corp/sales' }, ['/corp/sales', '/corp/sales/asia']],
  [{ orgUnitPath: '/lab' }, []],
])('orgunits.list by %j shows %j', (query, expected) => {
  expect(paths(world(), query)).toEqual(expected);
});

test('a unit whose name begins like another one is not below it', () => {
  const tenant = world();
  add(tenant, '/', 'corp-2');
  expect(paths(tenant, { type: 'all', orgUnitPath: '/corp' })).toEqual(['/corp/sales', '/corp/sales/asia']);
  expect(tenant.refused('directory.orgunits.get', { path: { ...CUSTOMER, orgUnitPath: 'cor' } })).toBe(GONE);
});

test('a renamed or moved unit takes all below it along, with the people in it', () => {
  const tenant = world();
  const user = addUser(tenant, 'ann@example.com', { orgUnitPath: '/corp/sales/asia' });
  const id = get(tenant, 'corp/sales/asia')['orgUnitId'];
  tenant.ok('directory.orgunits.patch', { path: { ...CUSTOMER, orgUnitPath: 'corp' }, body: { name: 'company' } });
  expect(paths(tenant, { type: 'all' })).toEqual(['/company', '/company/sales', '/company/sales/asia', '/lab']);
  const moved = tenant.ok('directory.orgunits.update', {
    path: { ...CUSTOMER, orgUnitPath: 'company/sales' },
    body: { name: 'sales', parentOrgUnitPath: '/lab' },
  });
  expect(moved).toMatchObject({ orgUnitPath: '/lab/sales', parentOrgUnitPath: '/lab' });
  expect(paths(tenant, { orgUnitPath: '/lab/sales' })).toEqual(['/lab/sales/asia']);
  expect(get(tenant, text(id))).toMatchObject({
    orgUnitPath: '/lab/sales/asia',
    parentOrgUnitPath: '/lab/sales',
    parentOrgUnitId: moved['orgUnitId'],
  });
  expect(tenant.ok('directory.users.get', { path: { userKey: user } })['orgUnitPath']).toBe('/lab/sales/asia');
});

test('a unit that is sent back whole with a new parent path moves there', () => {
  const tenant = world();
  const { kind: _, etag: __, ...body } = get(tenant, 'corp/sales');
  const sent = { path: { ...CUSTOMER, orgUnitPath: 'corp/sales' }, body: { ...body, parentOrgUnitPath: '/lab' } };
  expect(tenant.ok('directory.orgunits.update', sent)['orgUnitPath']).toBe('/lab/sales');
});

test('PUT keeps description, name and place when they are left out', () => {
  const tenant = world();
  const path = { ...CUSTOMER, orgUnitPath: 'corp/sales' };
  tenant.ok('directory.orgunits.patch', { path, body: { description: 'Sellers' } });
  expect(get(tenant, 'corp/sales')['description']).toBe('Sellers');
  expect(tenant.ok('directory.orgunits.update', { path, body: {} })).toMatchObject({
    name: 'sales',
    description: 'Sellers',
    orgUnitPath: '/corp/sales',
  });
});

test.each([
  ['into itself', { parentOrgUnitPath: '/corp' }],
  ['below itself', { parentOrgUnitPath: '/corp/sales/asia' }],
  ['nowhere', { parentOrgUnitPath: '/no' }],
])('a unit cannot be moved %s', (_where, body) => {
  const tenant = world();
  const path = { ...CUSTOMER, orgUnitPath: 'corp' };
  expect(tenant.refused('directory.orgunits.patch', { path, body })).toBe('400 invalid: Invalid Parent Orgunit Id');
  expect(paths(tenant, { type: 'all' })).toEqual(['/corp', '/corp/sales', '/corp/sales/asia', '/lab']);
});

test('a unit cannot take the place of a sibling', () => {
  const path = { ...CUSTOMER, orgUnitPath: 'corp' };
  expect(world().refused('directory.orgunits.patch', { path, body: { name: 'Lab' } })).toBe(
    '409 duplicate: Entity already exists.',
  );
});

test('only an empty unit can be deleted', () => {
  const tenant = world();
  const drop = (orgUnitPath: string) => ['directory.orgunits.delete', { path: { ...CUSTOMER, orgUnitPath } }] as const;
  const full = '412 conditionNotMet: Org unit is not empty: move its users, devices, printers and org units first';
  expect(tenant.refused(...drop('corp'))).toBe(full);
  const userKey = addUser(tenant, 'ann@example.com', { orgUnitPath: '/lab' });
  expect(tenant.refused(...drop('lab'))).toBe(full);
  tenant.ok('directory.users.patch', { path: { userKey }, body: { orgUnitPath: '/' } });
  tenant.ok(...drop('lab'));
  expect(tenant.refused(...drop('lab'))).toBe(GONE);
  expect(paths(tenant)).toEqual(['/corp']);
});

test('a unit with a Chrome device in it cannot be deleted until the device is moved', () => {
  const tenant = world();
  const path = { ...CUSTOMER, orgUnitPath: 'lab' };
  const deviceId = seedChromeDevice(tenant.context('directory.chromeosdevices.list'), { orgUnitPath: '/lab' });
  expect(tenant.refused('directory.orgunits.delete', { path })).toMatch(/^412 conditionNotMet: Org unit is not empty/);
  const move = { path: { ...CUSTOMER, deviceId }, body: { orgUnitPath: '/corp' } };
  tenant.ok('directory.chromeosdevices.patch', move);
  tenant.ok('directory.orgunits.delete', { path });
  expect(paths(tenant)).toEqual(['/corp']);
});

test('a role that held in a unit ends with it, and with the last one the rights of its holder', () => {
  const tenant = world();
  const userKey = addUser(tenant, 'ann@example.com');
  const roles = listed(tenant.ok('directory.roles.list', { path: { customer: 'my_customer' } }), 'items');
  const orgUnitId = text(get(tenant, 'lab')['orgUnitId']);
  const body = { roleId: text(roles[1]?.['roleId']), assignedTo: userKey, scopeType: 'ORG_UNIT', orgUnitId };
  tenant.ok('directory.roleAssignments.insert', { path: { customer: 'my_customer' }, body });
  const isDelegate = () => tenant.ok('directory.users.get', { path: { userKey } })['isDelegatedAdmin'];
  expect(isDelegate()).toBe(true);
  tenant.ok('directory.orgunits.delete', { path: { ...CUSTOMER, orgUnitPath: 'lab' } });
  const left = tenant.ok('directory.roleAssignments.list', { path: { customer: 'my_customer' }, query: { userKey } });
  expect(listed(left, 'items')).toEqual([]);
  expect(isDelegate()).toBe(false);
});

test('a unit that is named like an id is found by its name, but an id comes first', () => {
  const tenant = world();
  add(tenant, '/', 'id:x');
  for (const key of ['id:x', '/id:x', 'ID:X']) expect(get(tenant, key)['orgUnitPath']).toBe('/id:x');
  const { orgUnitId } = get(tenant, 'corp');
  add(tenant, '/', text(orgUnitId));
  expect(get(tenant, text(orgUnitId))['orgUnitPath']).toBe('/corp');
  expect(get(tenant, `/${text(orgUnitId)}`)['name']).toBe(orgUnitId);
  const below = { path: CUSTOMER, body: { name: 'y', parentOrgUnitId: 'id:x' } };
  expect(tenant.refused('directory.orgunits.insert', below)).toBe('400 invalid: Invalid Parent Orgunit Id');
});

test('the root can be described, but neither moved, renamed nor deleted', () => {
  const tenant = world();
  const root = listed(
    tenant.ok('directory.orgunits.list', { path: CUSTOMER, query: { type: 'allIncludingParent' } }),
    'organizationUnits',
  )[0];
  expect(root).toMatchObject({ orgUnitPath: '/', name: 'example.com' });
  expect(root).not.toHaveProperty('parentOrgUnitPath');
  const path = { ...CUSTOMER, orgUnitPath: text(root?.['orgUnitId']) };
  expect(tenant.ok('directory.orgunits.patch', { path, body: { description: 'All' } })['description']).toBe('All');
  expect(tenant.refused('directory.orgunits.patch', { path, body: { name: 'x' } })).toBe(
    '400 invalid: Invalid Ou Name',
  );
  expect(tenant.refused('directory.orgunits.patch', { path, body: { parentOrgUnitPath: '/lab' } })).toBe(
    '400 invalid: Invalid Parent Orgunit Id',
  );
  expect(tenant.refused('directory.orgunits.delete', { path })).toBe('400 invalid: Invalid Input: INVALID_OU_ID');
});

test.each(['list', 'get', 'insert', 'patch', 'update', 'delete'])(
  'K1: orgunits.%s of another customer is a 403',
  (verb) => {
    for (const customerId of ['C0foreign', 'C99999999']) {
      const path = { customerId, orgUnitPath: 'corp' };
      const body = { name: 'x', parentOrgUnitPath: '/' };
      expect(world().refused(`directory.orgunits.${verb}`, { path, body })).toBe(
        '403 forbidden: Not Authorized to access this resource/api',
      );
    }
  },
);
