import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { seedChromeDevice } from '../../../../src/management/emulator/enrolments.ts';
import { addGroup, addUser, text } from '../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../support/management/management.ts';

const customerId = 'my_customer';
const GROUP = { groupKey: 'team@example.com' };
const UNIT = { customerId, orgUnitPath: 'corp' };
const DEVICE = { customerId, deviceId: 'd1' };
const CUSTOMER = { customerKey: 'my_customer' };
const ROOM = { customer: 'my_customer', calendarResourceId: 'r1' };

/** A tenant in which every resource has more than a PUT will send. */
function world(isStrict: boolean): TestTenant {
  const tenant = testTenant();
  tenant.engine.isStrictPut = () => isStrict;
  addUser(tenant, 'ann@example.com', { recoveryEmail: 'ann@elsewhere.org', phones: [{ value: '1', type: 'work' }] });
  addGroup(tenant, 'team@example.com');
  tenant.ok('directory.groups.patch', { path: GROUP, body: { name: 'The team', description: 'All of us' } });
  const member = { email: 'ann@example.com', role: 'OWNER', delivery_settings: 'DIGEST' };
  tenant.ok('directory.members.insert', { path: GROUP, body: member });
  const unit = { name: 'corp', parentOrgUnitPath: '/', description: 'Sellers' };
  tenant.ok('directory.orgunits.insert', { path: { customerId }, body: unit });
  const contact = { phoneNumber: '+31 15 555 0100', alternateEmail: 'ann@elsewhere.org' };
  const postalAddress = { countryCode: 'NL', locality: 'Delft' };
  tenant.ok('directory.customers.patch', { path: CUSTOMER, body: { ...contact, postalAddress } });
  const noted = { notes: 'n', annotatedUser: 'ann', annotatedLocation: 'Rome', annotatedAssetId: '17' };
  seedChromeDevice(tenant.context('directory.chromeosdevices.list'), { deviceId: 'd1', ...noted });
  const room = { resourceId: 'r1', resourceName: 'Blue', resourceDescription: 'Quiet', capacity: 8 };
  tenant.ok('directory.resources.calendars.insert', { path: { customer: 'my_customer' }, body: room });
  return tenant;
}

/** What clients send, what of the rest is kept, and what the seed's rule makes of it. */
const PUTS: readonly {
  what: string;
  method: string;
  path: Record<string, string>;
  body: JsonObject;
  kept: JsonObject;
  cleared: JsonObject;
}[] = [
  {
    what: 'a group is renamed, as GAM does it',
    method: 'directory.groups.update',
    path: GROUP,
    body: { email: 'crew@example.com' },
    kept: { email: 'crew@example.com', name: 'The team', description: 'All of us' },
    cleared: { email: 'crew@example.com', name: 'crew', description: '' },
  },
  {
    what: 'a member gets another role',
    method: 'directory.members.update',
    path: { ...GROUP, memberKey: 'ann@example.com' },
    body: { role: 'MEMBER' },
    kept: { role: 'MEMBER', delivery_settings: 'DIGEST' },
    cleared: { role: 'MEMBER', delivery_settings: 'ALL_MAIL' },
  },
  {
    what: 'an org unit is renamed',
    method: 'directory.orgunits.update',
    path: UNIT,
    body: { name: 'company' },
    kept: { orgUnitPath: '/company', description: 'Sellers' },
    cleared: { orgUnitPath: '/company', description: '' },
  },
  {
    what: 'a customer gets another language',
    method: 'directory.customers.update',
    path: CUSTOMER,
    body: { language: 'fr' },
    kept: {
      language: 'fr',
      phoneNumber: '+31 15 555 0100',
      alternateEmail: 'ann@elsewhere.org',
      postalAddress: { countryCode: 'NL', locality: 'Delft' },
    },
    cleared: { language: 'fr' },
  },
  {
    what: 'a Chromebook is moved, as GAM does it',
    method: 'directory.chromeosdevices.update',
    path: DEVICE,
    body: { orgUnitPath: '/corp' },
    kept: {
      orgUnitPath: '/corp',
      notes: 'n',
      annotatedUser: 'ann',
      annotatedLocation: 'Rome',
      annotatedAssetId: '17',
    },
    cleared: { orgUnitPath: '/corp' },
  },
  {
    what: 'a user is suspended',
    method: 'directory.users.update',
    path: { userKey: 'ann@example.com' },
    body: { suspended: true },
    kept: { suspended: true, recoveryEmail: 'ann@elsewhere.org', phones: [{ value: '1', type: 'work' }] },
    cleared: { suspended: true },
  },
  {
    what: 'a room is described anew',
    method: 'directory.resources.calendars.update',
    path: ROOM,
    body: { resourceName: 'Red', resourceDescription: 'Loud' },
    kept: { resourceName: 'Red', resourceDescription: 'Loud', capacity: 8 },
    cleared: { resourceName: 'Red', resourceDescription: 'Loud' },
  },
];

describe('a PUT by which', () => {
  test.each(PUTS)('$what keeps what is left out', ({ method, path, body, kept }) => {
    expect(world(false).ok(method, { path, body })).toMatchObject(kept);
  });

  test.each(PUTS)('$what clears it where the tenant has strict_put', ({ method, path, body, kept, cleared }) => {
    const after = world(true).ok(method, { path, body });
    expect(after).toMatchObject(cleared);
    const gone = Object.keys(kept).filter((name) => !(name in cleared));
    expect(Object.keys(after).filter((name) => gone.includes(name))).toEqual([]);
  });
});

test('strict_put gives back the defaults of a user, and takes custom values', () => {
  const tenant = world(true);
  const fields = [{ fieldName: 'size', fieldType: 'STRING', displayName: 'Size' }];
  const schema = { schemaName: 'Shoes', displayName: 'Shoes', fields };
  tenant.ok('directory.schemas.insert', { path: { customerId }, body: schema });
  const path = { userKey: 'ann@example.com' };
  const custom = { customSchemas: { Shoes: { size: '42' } }, suspended: true, includeInGlobalAddressList: false };
  expect(tenant.ok('directory.users.patch', { path, body: custom })).toMatchObject(custom);
  const after = tenant.ok('directory.users.update', { path, body: { recoveryPhone: '+31155550100' } });
  expect(after).toMatchObject({ suspended: false, includeInGlobalAddressList: true, recoveryPhone: '+31155550100' });
  expect(after).toMatchObject({ primaryEmail: 'ann@example.com', name: { fullName: 'Ann Other' }, orgUnitPath: '/' });
  expect(after).not.toHaveProperty('customSchemas');
});

test('a schema and a role are replaced by PUT in any case', () => {
  const tenant = world(false);
  const rolePrivileges = [{ privilegeName: 'USERS_RETRIEVE', serviceId: '00haapch16h1ysv' }];
  const role = { roleName: 'Reader', roleDescription: 'Reads', rolePrivileges };
  const { roleId } = tenant.ok('directory.roles.insert', { path: { customer: 'my_customer' }, body: role });
  const path = { customer: 'my_customer', roleId: text(roleId) };
  const put = tenant.ok('directory.roles.update', { path, body: { roleName: 'Reader', rolePrivileges } });
  expect(put).not.toMatchObject({ roleDescription: 'Reads' });
});
