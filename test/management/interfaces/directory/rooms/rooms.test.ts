import { expect, test } from 'vitest';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';

/** A text of an answer. */
function text(value: unknown): string {
  if (typeof value !== 'string') throw new Error('Not a text');
  return value;
}

const HQ = { buildingId: 'HQ', buildingName: 'Head Office', floorNames: ['1', '2'] };
const customer = 'my_customer';

const building = (tenant: TestTenant, body: object = {}) =>
  tenant.ok('directory.resources.buildings.insert', { path: { customer }, body: { ...HQ, ...body } });
const feature = (tenant: TestTenant, name: string) =>
  tenant.ok('directory.resources.features.insert', { path: { customer }, body: { name } });
const room = (tenant: TestTenant, resourceId: string, body: object = {}) =>
  tenant.ok('directory.resources.calendars.insert', {
    path: { customer },
    body: { resourceId, resourceName: `Room ${resourceId}`, ...body },
  });
const getRoom = (tenant: TestTenant, calendarResourceId: string) =>
  tenant.ok('directory.resources.calendars.get', { path: { customer, calendarResourceId } });
const listed = (tenant: TestTenant, query: Record<string, string | number>) => {
  const { items } = tenant.ok('directory.resources.calendars.list', { path: { customer }, query });
  return Array.isArray(items) ? items.map((item) => (item as { resourceId: string }).resourceId) : [];
};

test('a building is inserted, read, patched, replaced, listed and deleted', () => {
  const tenant = testTenant();
  expect(building(tenant, { description: 'old' })).toMatchObject({
    kind: 'admin#directory#resources#buildings#Building',
    buildingId: 'HQ',
    etags: expect.stringMatching(/^".+"$/) as unknown,
  });
  const path = { customer, buildingId: 'HQ' };
  tenant.ok('directory.resources.buildings.patch', { path, body: { floorNames: ['3'] } });
  expect(tenant.ok('directory.resources.buildings.get', { path })).toMatchObject({
    description: 'old',
    floorNames: ['3'],
  });
  const put = tenant.ok('directory.resources.buildings.update', {
    path,
    body: { buildingId: 'HQ', buildingName: 'New' },
  });
  expect([put['description'], put['floorNames'], put['buildingName']]).toEqual([undefined, undefined, 'New']);
  building(tenant, { buildingId: 'B2' });
  const { buildings } = tenant.ok('directory.resources.buildings.list', { path: { customer } });
  expect(buildings).toMatchObject([{ buildingId: 'B2' }, { buildingId: 'HQ' }]);
  tenant.ok('directory.resources.buildings.delete', { path });
  expect(tenant.refused('directory.resources.buildings.get', { path })).toBe(
    '404 notFound: Resource Not Found: buildingId',
  );
});

test.each([
  ['no id', { buildingName: 'X' }, '400 required: Missing required field: buildingId'],
  ['no name', { buildingId: 'X' }, '400 required: Missing required field: buildingName'],
  ['an id that is taken', { buildingId: 'HQ', buildingName: 'X' }, '409 duplicate: Entity already exists.'],
  ['a name that is taken', { buildingId: 'X', buildingName: 'head office' }, '409 duplicate: Entity already exists.'],
  ['no floor at all', { buildingId: 'X', buildingName: 'X', floorNames: [] }, '400 invalid: Invalid Input: floorNames'],
  [
    'an id of 101 characters',
    { buildingId: 'x'.repeat(101), buildingName: 'X' },
    '400 invalid: Invalid Input: buildingId',
  ],
  [
    'a place off the earth',
    { buildingId: 'X', buildingName: 'X', coordinates: { latitude: 91, longitude: 0 } },
    '400 invalid: Invalid Input: coordinates',
  ],
  [
    'an address without region',
    { buildingId: 'X', buildingName: 'X', address: { locality: 'Rome' } },
    '400 required: Missing required field: address.regionCode',
  ],
])('a building with %s is refused', (_what, body, refusal) => {
  const tenant = testTenant();
  building(tenant);
  expect(tenant.refused('directory.resources.buildings.insert', { path: { customer }, body })).toBe(refusal);
});

test('coordinatesSource says where coordinates come from', () => {
  const tenant = testTenant();
  const coordinates = { latitude: 41.9, longitude: 12.5 };
  const insert = (query: Record<string, string>, body: object) =>
    ({ path: { customer }, query, body: { ...HQ, ...body } }) as const;
  const method = 'directory.resources.buildings.insert';
  expect(tenant.refused(method, insert({ coordinatesSource: 'CLIENT_SPECIFIED' }, {}))).toBe(
    '400 required: Missing required field: coordinates',
  );
  expect(tenant.refused(method, insert({ coordinatesSource: 'RESOLVED_FROM_ADDRESS' }, { coordinates }))).toBe(
    '400 required: Missing required field: address',
  );
  expect(tenant.ok(method, insert({ coordinatesSource: 'CLIENT_SPECIFIED' }, { coordinates }))).toMatchObject({
    coordinates,
  });
});

test('a building that rooms are in is not deleted; a name is free again after a change', () => {
  const tenant = testTenant();
  building(tenant);
  room(tenant, 'r1', { buildingId: 'HQ', floorName: '2', capacity: 16 });
  const path = { customer, buildingId: 'HQ' };
  expect(tenant.refused('directory.resources.buildings.delete', { path })).toBe(
    '412 conditionNotMet: The building cannot be deleted: it has resources.',
  );
  tenant.ok('directory.resources.buildings.patch', { path, body: { buildingName: 'NYC' } });
  expect(getRoom(tenant, 'r1')['generatedResourceName']).toBe('NYC-2-Room r1 (16)');
  building(tenant, { buildingId: 'B2' });
  tenant.ok('directory.resources.calendars.delete', { path: { customer, calendarResourceId: 'r1' } });
  tenant.ok('directory.resources.buildings.delete', { path });
});

test('a room on a floor that its building lost is changed as long as it stays there', () => {
  const tenant = testTenant();
  building(tenant);
  const made = room(tenant, 'r1', { buildingId: 'HQ', floorName: '2', capacity: 4 });
  tenant.ok('directory.resources.buildings.patch', {
    path: { customer, buildingId: 'HQ' },
    body: { floorNames: ['1'] },
  });
  const path = { customer, calendarResourceId: 'r1' };
  expect(tenant.ok('directory.resources.calendars.patch', { path, body: { capacity: 6 } })['capacity']).toBe(6);
  const body = { ...made, etag: '', capacity: 8 };
  expect(tenant.ok('directory.resources.calendars.update', { path, body })['capacity']).toBe(8);
  tenant.ok('directory.resources.calendars.patch', { path, body: { floorName: '1' } });
  expect(tenant.refused('directory.resources.calendars.patch', { path, body: { floorName: '2' } })).toBe(
    '400 invalid: Invalid Input: floorName',
  );
});

test('a renamed feature is renamed in every room; a deleted one is gone from them', () => {
  const tenant = testTenant();
  feature(tenant, 'Phone');
  feature(tenant, 'Video');
  room(tenant, 'r1', { featureInstances: [{ feature: { name: 'phone' } }, { feature: { name: 'Video' } }] });
  expect(
    tenant.ok('directory.resources.features.rename', {
      path: { customer, oldName: 'Phone' },
      body: { newName: 'Telephone' },
    }),
  ).toEqual({});
  expect(getRoom(tenant, 'r1')['featureInstances']).toEqual([
    { feature: { name: 'Telephone' } },
    { feature: { name: 'Video' } },
  ]);
  tenant.ok('directory.resources.features.delete', { path: { customer, featureKey: 'video' } });
  expect(getRoom(tenant, 'r1')['featureInstances']).toEqual([{ feature: { name: 'Telephone' } }]);
  const { features } = tenant.ok('directory.resources.features.list', { path: { customer } });
  expect(features).toMatchObject([{ name: 'Telephone' }]);
  tenant.ok('directory.resources.features.update', {
    path: { customer, featureKey: 'Telephone' },
    body: { name: 'TV' },
  });
  expect(tenant.ok('directory.resources.features.get', { path: { customer, featureKey: 'TV' } })).toMatchObject({
    kind: 'admin#directory#resources#features#Feature',
    name: 'TV',
  });
});

test.each([
  ['directory.resources.features.insert', {}, { name: 'phone' }, '409 duplicate: Entity already exists.'],
  ['directory.resources.features.insert', {}, {}, '400 required: Missing required field: name'],
  [
    'directory.resources.features.rename',
    { oldName: 'Video' },
    { newName: 'Phone' },
    '409 duplicate: Entity already exists.',
  ],
  ['directory.resources.features.rename', { oldName: 'Video' }, {}, '400 required: Missing required field: newName'],
  [
    'directory.resources.features.rename',
    { oldName: 'None' },
    { newName: 'X' },
    '404 notFound: Resource Not Found: oldName',
  ],
  [
    'directory.resources.features.patch',
    { featureKey: 'None' },
    { name: 'X' },
    '404 notFound: Resource Not Found: featureKey',
  ],
])('%s %j %j is refused: %s', (method, path, body, refusal) => {
  const tenant = testTenant();
  feature(tenant, 'Phone');
  feature(tenant, 'Video');
  expect(tenant.refused(method, { path: { customer, ...path }, body })).toBe(refusal);
});

test('a room gets an address and a category of the server; PUT keeps what is not sent, null and [] clear features', () => {
  const tenant = testTenant();
  feature(tenant, 'Phone');
  const made = room(tenant, 'r1', {
    capacity: 4,
    resourceEmail: 'mine@example.com',
    featureInstances: [{ feature: { name: 'Phone' } }],
  });
  expect(made).toMatchObject({
    kind: 'admin#directory#resources#calendars#CalendarResource',
    resourceEmail: expect.stringMatching(/^c_[0-9a-f]{32}@resource\.calendar\.google\.com$/) as unknown,
    resourceCategory: 'CATEGORY_UNKNOWN',
    generatedResourceName: 'Room r1 (4)',
  });
  const path = { customer, calendarResourceId: 'r1' };
  tenant.ok('directory.resources.calendars.update', { path, body: { resourceCategory: 'CONFERENCE_ROOM' } });
  expect(getRoom(tenant, 'r1')).toMatchObject({
    capacity: 4,
    resourceCategory: 'CONFERENCE_ROOM',
    resourceEmail: made['resourceEmail'],
    featureInstances: [{ feature: { name: 'Phone' } }],
  });
  tenant.ok('directory.resources.calendars.patch', { path, body: { featureInstances: null } });
  expect(getRoom(tenant, 'r1')['featureInstances']).toBeUndefined();
});

test.each([
  ['no id', { resourceId: '' }, '400 required: Missing required field: resourceId'],
  ['no name', { resourceName: '' }, '400 required: Missing required field: resourceName'],
  ['an id that is taken', { resourceId: 'r1' }, '409 duplicate: Entity already exists.'],
  ['an unknown building', { buildingId: 'B9' }, '400 invalid: Invalid Input: buildingId'],
  ['a floor that the building lacks', { buildingId: 'HQ', floorName: '9' }, '400 invalid: Invalid Input: floorName'],
  [
    'an unknown feature',
    { featureInstances: [{ feature: { name: 'X' } }] },
    '400 invalid: Invalid Input: featureInstances',
  ],
  ['features that are no list', { featureInstances: 'Phone' }, '400 invalid: Invalid Input: featureInstances'],
  ['a category that is none', { resourceCategory: 'ROOM' }, '400 invalid: Invalid Input: resourceCategory'],
  ['a negative capacity', { capacity: -1 }, '400 invalid: Invalid Input: capacity'],
])('a room with %s is refused', (_what, body, refusal) => {
  const tenant = testTenant();
  building(tenant);
  room(tenant, 'r1');
  const sent = { resourceId: 'r2', resourceName: 'Room', ...body };
  expect(tenant.refused('directory.resources.calendars.insert', { path: { customer }, body: sent })).toBe(refusal);
});

test.each([
  ['resourceCategory=CONFERENCE_ROOM', ['a', 'b']],
  ['resourceCategory!=CONFERENCE_ROOM', ['c']],
  ['NOT resourceCategory=CONFERENCE_ROOM', ['c']],
  ['name:al*', ['a']],
  ['name:pha', ['a']],
  ['name="Gamma AND Delta"', ['c']],
  ['name="Gamma or Delta"', []],
  ['buildingId=HQ AND capacity=8', ['b']],
  ['featureInstances.feature.name:Phone', ['a']],
  ['generatedResourceName:head*', ['a', 'b']],
  ['floor_name=2 AND NOT name:beta', ['a']],
])('calendars.list query %s', (query, ids) => {
  expect(listed(threeRooms(), { query })).toEqual(ids);
});

test.each([
  'color=red',
  'name',
  'name=',
  '="x"',
  'name="x',
  'AND',
  'name=Alpha OR name=Beta',
  'name=Alpha or name=Beta',
  'name=Alpha and capacity=16',
  `name=${'x'.repeat(2_000)}`,
])('calendars.list refuses the query %s', (query) => {
  expect(threeRooms().refused('directory.resources.calendars.list', { path: { customer }, query: { query } })).toBe(
    '400 invalid: Invalid query',
  );
});

test.each([
  ['resourceId desc', ['c', 'b', 'a']],
  ['capacity', ['c', 'b', 'a']],
  ['buildingId, capacity desc', ['c', 'a', 'b']],
  ['resourceName', ['a', 'b', 'c']],
])('calendars.list orders by %s, page by page', (orderBy, ids) => {
  const tenant = threeRooms();
  expect(listed(tenant, { orderBy })).toEqual(ids);
  const sent = { path: { customer }, query: { orderBy, maxResults: 2 } };
  const first = tenant.ok('directory.resources.calendars.list', sent);
  const pageToken = text(first['nextPageToken']);
  expect(listed(tenant, { orderBy, maxResults: 2, pageToken })).toEqual(ids.slice(2));
});

test.each(['colour', 'capacity up', 'capacity desc now'])('calendars.list refuses the order %s', (orderBy) => {
  expect(threeRooms().refused('directory.resources.calendars.list', { path: { customer }, query: { orderBy } })).toBe(
    '400 invalid: Invalid Input: orderBy',
  );
});

test('K1: another customer is refused in the same words, there or not', () => {
  const tenant = testTenant();
  for (const method of ['buildings', 'calendars', 'features']) {
    expect(tenant.refused(`directory.resources.${method}.list`, { path: { customer: 'C00000002' } })).toBe(
      '403 forbidden: Not Authorized to access this resource/api',
    );
  }
});

function threeRooms(): TestTenant {
  const tenant = testTenant();
  building(tenant);
  feature(tenant, 'Phone');
  const common = { resourceCategory: 'CONFERENCE_ROOM', buildingId: 'HQ', floorName: '2' };
  const featureInstances = [{ feature: { name: 'Phone' } }];
  room(tenant, 'a', { ...common, resourceName: 'Alpha', capacity: 16, featureInstances });
  room(tenant, 'b', { ...common, resourceName: 'Beta', capacity: 8 });
  room(tenant, 'c', { resourceName: 'Gamma AND Delta' });
  return tenant;
}
