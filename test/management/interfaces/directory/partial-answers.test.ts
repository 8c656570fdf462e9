import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedChromeDevice, seedMobileDevice } from '../../../../src/management/emulator/enrolments.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { applyFields } from '../../../../src/lib/member-mask.ts';
import { readAnswerMask, selectAnswerMembers } from '../../../../src/management/core/conventions/fields.ts';
import type { QueryValue } from '../../../../src/management/core/engine/operation.ts';
import { requireMethod, type SchemaField } from '../../../../src/management/core/table/method-row.ts';
import { getSchemas } from '../../../../src/management/core/table/schemas.ts';
import { addGroup, addUser, text } from '../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../support/management/management.ts';
import { budgetFor } from '../../../support/runner/budget.ts';

const customer = 'my_customer';
const PNG = 'iVBORw0KGgo_-w==';

/** A tenant in which everything that a list shows is there somewhere, stored in an order of its own. */
function world(): TestTenant {
  const tenant = testTenant();
  const fields = [{ fieldName: 'size', fieldType: 'STRING', displayName: 'Size', readAccessType: 'ALL_DOMAIN_USERS' }];
  const schema = { schemaName: 'Shoes', displayName: 'Shoes', fields };
  tenant.ok('directory.schemas.insert', { path: { customerId: customer }, body: schema });
  tenant.ok('directory.orgunits.insert', {
    path: { customerId: customer },
    body: { name: 'corp', parentOrgUnitPath: '/' },
  });
  const alias = { domainAliasName: 'example.net', parentDomainName: 'example.com' };
  tenant.ok('directory.domainAliases.insert', { path: { customer }, body: alias });
  addUser(tenant, 'ann@example.com', { phones: [{ type: 'work', value: '1' }], orgUnitPath: '/corp', suspended: true });
  const emails = [{ address: 'ben@elsewhere.org', type: 'home' }];
  addUser(tenant, 'ben@example.com', {
    emails,
    customSchemas: { Shoes: { size: '42' } },
    recoveryEmail: 'b@elsewhere.org',
  });
  tenant.ok('directory.users.aliases.insert', {
    path: { userKey: 'ben@example.com' },
    body: { alias: 'b@example.com' },
  });
  tenant.ok('directory.users.photos.update', { path: { userKey: 'ben@example.com' }, body: { photoData: PNG } });
  tenant.ok('directory.users.patch', { path: { userKey: 'ann@example.com' }, body: { websites: [{ value: 'w' }] } });
  tenant.ok('directory.users.createGuest', { body: { primaryGuestEmail: 'guest@elsewhere.org' } });
  addGroup(tenant, 'team@example.com');
  addGroup(tenant, 'crew@example.com');
  tenant.ok('directory.groups.aliases.insert', {
    path: { groupKey: 'crew@example.com' },
    body: { alias: 'c@example.com' },
  });
  for (const body of [
    { email: 'ann@example.com', role: 'OWNER', delivery_settings: 'DIGEST' },
    { email: 'crew@example.com' },
    { email: 'far@elsewhere.org' },
    { type: 'CUSTOMER' },
  ])
    tenant.ok('directory.members.insert', { path: { groupKey: 'team@example.com' }, body });
  const context = tenant.context('directory.chromeosdevices.list');
  seedChromeDevice(context, { deviceId: 'd1', orgUnitPath: '/corp', notes: 'n', kiosk: true });
  seedChromeDevice(context, { deviceId: 'd2', osUpdateStatus: { state: 'updateStateNeedReboot' } });
  seedMobileDevice(context, { resourceId: 'm1' });
  tenant.ok('directory.resources.buildings.insert', {
    path: { customer },
    body: { buildingId: 'b1', buildingName: 'Barn', floorNames: ['1'] },
  });
  tenant.ok('directory.resources.features.insert', { path: { customer }, body: { name: 'Screen' } });
  const featureInstances = [{ feature: { name: 'Screen' } }];
  const room = {
    resourceId: 'r1',
    resourceName: 'Blue',
    buildingId: 'b1',
    floorName: '1',
    capacity: 4,
    featureInstances,
  };
  tenant.ok('directory.resources.calendars.insert', { path: { customer }, body: room });
  const { items } = tenant.ok('directory.roles.list', { path: { customer } });
  const roleId = Array.isArray(items) ? text((items[0] as JsonObject)['roleId']) : '';
  const { id = '' } = tenant.ok('directory.users.get', { path: { userKey: 'ben@example.com' } });
  const assignment = { roleId, assignedTo: id, scopeType: 'CUSTOMER' };
  tenant.ok('directory.roleAssignments.insert', { path: { customer }, body: assignment });
  return tenant;
}

/** Every list of the directory that the engine reads, with the name of its items. */
const LISTS: readonly [
  method: string,
  items: string,
  path: Record<string, string>,
  query: Record<string, QueryValue>,
][] = [
  ['directory.users.list', 'users', {}, { customer }],
  ['directory.users.list', 'users', {}, { customer, maxResults: 1 }],
  ['directory.users.list', 'users', {}, { customer, query: 'isSuspended=False isGuest=False', orderBy: 'email' }],
  ['directory.users.list', 'users', {}, { customer, query: 'givenName:A*', projection: 'full' }],
  ['directory.users.list', 'users', {}, { customer, projection: 'full' }],
  [
    'directory.users.list',
    'users',
    {},
    { customer, projection: 'full', viewType: 'domain_public', orderBy: 'familyName' },
  ],
  ['directory.groups.list', 'groups', {}, { customer }],
  ['directory.groups.list', 'groups', {}, { customer, query: 'email:c*' }],
  ['directory.groups.list', 'groups', {}, { userKey: 'ann@example.com' }],
  ['directory.members.list', 'members', { groupKey: 'team@example.com' }, {}],
  ['directory.members.list', 'members', { groupKey: 'team@example.com' }, { roles: 'OWNER,MEMBER', maxResults: 2 }],
  ['directory.members.list', 'members', { groupKey: 'team@example.com' }, { includeDerivedMembership: true }],
  ['directory.chromeosdevices.list', 'chromeosdevices', { customerId: customer }, {}],
  [
    'directory.chromeosdevices.list',
    'chromeosdevices',
    { customerId: customer },
    { projection: 'BASIC', orderBy: 'notes' },
  ],
  ['directory.chromeosdevices.list', 'chromeosdevices', { customerId: customer }, { orgUnitPath: '/corp' }],
  ['directory.chromeosdevices.list', 'chromeosdevices', { customerId: customer }, { query: 'note:n' }],
  ['directory.mobiledevices.list', 'mobiledevices', { customerId: customer }, { projection: 'BASIC' }],
  ['directory.mobiledevices.list', 'mobiledevices', { customerId: customer }, {}],
  ['directory.orgunits.list', 'organizationUnits', { customerId: customer }, { type: 'all' }],
  ['directory.roles.list', 'items', { customer }, { maxResults: 2 }],
  ['directory.roleAssignments.list', 'items', { customer }, {}],
  ['directory.schemas.list', 'schemas', { customerId: customer }, {}],
  ['directory.domains.list', 'domains', { customer }, {}],
  ['directory.resources.calendars.list', 'items', { customer }, {}],
  ['directory.resources.calendars.list', 'items', { customer }, { orderBy: 'resourceName' }],
  ['directory.resources.buildings.list', 'buildings', { customer }, {}],
  ['directory.resources.features.list', 'features', { customer }, {}],
];

/** The answer with a selection, cut as the Worker cuts it, as text. */
function partOf(
  tenant: TestTenant,
  [method, , path, query]: (typeof LISTS)[number],
  fields: string,
  isPushed: boolean,
): string {
  const row = requireMethod(method);
  const mask = readAnswerMask(row, fields, getSchemas(row.interface, row.version));
  if (!mask.ok || mask.value === undefined) throw new Error(`${method} has no ${fields}`);
  const selection = isPushed ? selectAnswerMembers(mask.value) : undefined;
  const body = tenant.ok(method, { path, query, ...(selection && { selection }) });
  return JSON.stringify(applyFields(mask.value, body));
}

/** Names of the items' members, and of what is in those that are objects. */
function namesOf(method: string, items: string): string[] {
  const { response = '', interface: name, version } = requireMethod(method);
  const schemas = getSchemas(name, version);
  const schemaOf = (field: SchemaField | undefined) => schemas[field?.ref ?? field?.items?.ref ?? ''] ?? {};
  const members = schemaOf(schemas[response]?.[items]);
  return Object.entries(members).flatMap(([member, field]) => [
    member,
    ...Object.keys(schemaOf(field)).map((inner) => `${member}/${inner}`),
  ]);
}

describe('a partial answer is the cut of the whole one, byte by byte:', () => {
  const tenant = world();

  test.each(LISTS)('%s (%s) of %j %j', (...list) => {
    const [method, items] = list;
    const names = namesOf(method, items);
    expect(names.length).toBeGreaterThan(1);
    const same = (fields: string): void =>
      expect([fields, partOf(tenant, list, fields, true)]).toEqual([fields, partOf(tenant, list, fields, false)]);
    for (const name of names) same(`${items}(${name})`);
    for (const fields of [items, 'kind', 'etag', '*', `${items}/*`, `etag,${items}(kind)`, `${items}(kind,etag)`])
      same(fields);
    const selection = fc.record({
      chosen: fc.uniqueArray(fc.constantFrom(...names, 'kind', 'etag', '*'), { minLength: 1, maxLength: 5 }),
      outer: fc.subarray(['kind', 'nextPageToken']),
    });
    const check = fc.property(selection, ({ chosen, outer }) => {
      same([...outer, `${items}(${chosen.join(',')})`].join(','));
    });
    fc.assert(check, { numRuns: budgetFor(15, 300) });
  });
});

test('a selection is an answer of its own: it has an entity tag, which changes with what is shown, and only with that', () => {
  const tenant = world();
  const selection = { users: ['primaryEmail', 'suspended'] };
  const list = (more: object = {}) => tenant.call('directory.users.list', { query: { customer }, selection, ...more });
  const tagOf = (answer: ReturnType<typeof list>): string => ('etag' in answer ? (answer.etag ?? '') : '');
  const tag = tagOf(list());
  expect(tag).toMatch(/^".+"$/);
  expect(list({ ifNoneMatch: tag })).toEqual({ ok: true, status: 304, etag: tag });
  tenant.ok('directory.users.patch', { path: { userKey: 'ann@example.com' }, body: { keywords: [{ value: 'k' }] } });
  expect(tagOf(list())).toBe(tag);
  tenant.ok('directory.users.patch', { path: { userKey: 'ann@example.com' }, body: { suspended: false } });
  expect(tagOf(list({ ifNoneMatch: tag }))).not.toBe(tag);
  expect(tagOf(tenant.call('directory.users.list', { query: { customer } }))).not.toBe(tag);
});

test('what is not selected is not read: no count of members, no address of a member, no body where one member will do', () => {
  const seen: string[] = [];
  const tenant = testTenant(undefined, (query) => seen.push(query));
  addUser(tenant, 'ann@example.com');
  addGroup(tenant, 'team@example.com');
  tenant.ok('directory.members.insert', { path: { groupKey: 'team@example.com' }, body: { email: 'ann@example.com' } });
  const asked = (method: string, items: string, member: string, path = {}): string[] => {
    seen.length = 0;
    const query = method === 'directory.members.list' ? {} : { customer };
    tenant.ok(method, { path, query, selection: { [items]: [member] } });
    return [...seen];
  };
  expect(asked('directory.groups.list', 'groups', 'email')).toHaveLength(1);
  expect(asked('directory.members.list', 'members', 'role', { groupKey: 'team@example.com' })).toHaveLength(2);
  const [only = '', ...more] = asked('directory.users.list', 'users', 'primaryEmail');
  expect(more).toEqual([]);
  expect(
    tenant.sql.exec(only, '{"primaryEmail":', '$."primaryEmail"', 'directory.users', '', 9, 9).toArray()[0],
  ).toMatchObject({
    json: '{"primaryEmail":"ann@example.com"}',
  });
});
