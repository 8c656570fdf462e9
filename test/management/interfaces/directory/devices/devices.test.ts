import { expect, test } from 'vitest';
import { seedChromeDevice, seedMobileDevice } from '../../../../../src/management/emulator/enrolments.ts';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { testTenant, type TestTenant } from '../../../../support/management/management.ts';

/** A text of an answer. */
function text(value: unknown): string {
  if (typeof value !== 'string') throw new Error('Not a text');
  return value;
}

const customerId = 'my_customer';
const LIST = 'directory.chromeosdevices.list';
const ACTION = 'CHANGE_CHROME_OS_DEVICE_STATUS_ACTION_';
const ILLEGAL = '412 conditionNotMet: Illegal device state transition.';

const chrome = (tenant: TestTenant, given: JsonObject): string => seedChromeDevice(tenant.context(LIST), given);
const mobile = (tenant: TestTenant, given: JsonObject): string => seedMobileDevice(tenant.context(LIST), given);
const get = (tenant: TestTenant, deviceId: string, query = {}) =>
  tenant.ok('directory.chromeosdevices.get', { path: { customerId, deviceId }, query });
const ids = (tenant: TestTenant, query: Record<string, string | number | boolean>): unknown[] => {
  const { chromeosdevices } = tenant.ok(LIST, { path: { customerId }, query });
  return Array.isArray(chromeosdevices) ? chromeosdevices.map((device) => (device as JsonObject)['deviceId']) : [];
};
const unit = (tenant: TestTenant, name: string, parentOrgUnitPath = '/') =>
  tenant.ok('directory.orgunits.insert', { path: { customerId }, body: { name, parentOrgUnitPath } });

/** Three devices in two org units below each other. */
function school(): TestTenant {
  const tenant = testTenant();
  unit(tenant, 'School');
  unit(tenant, 'Lab', '/School');
  chrome(tenant, {
    deviceId: 'a',
    serialNumber: 'SN3',
    annotatedUser: 'Tom Sawyer',
    annotatedAssetId: '1234',
    lastSync: '2026-03-01T10:00:00.000Z',
    model: 'HP Chromebook 14',
  });
  chrome(tenant, {
    deviceId: 'b',
    serialNumber: 'SN1',
    annotatedUser: 'Joe',
    annotatedLocation: 'Seattle',
    status: 'DISABLED',
    lastSync: '2026-03-02T00:00:00.000Z',
    orgUnitPath: '/School',
    model: 'Acer',
  });
  chrome(tenant, {
    deviceId: 'c',
    serialNumber: 'SN2',
    notes: 'loaned from john',
    status: 'DEPROVISIONED',
    lastSync: '2026-04-01T00:00:00.000Z',
    orgUnitPath: '/School/Lab',
    kiosk: true,
    model: 'Lenovo',
  });
  return tenant;
}

test('a seeded device is read, in full or in its basic fields', () => {
  const tenant = school();
  expect(get(tenant, 'b')).toMatchObject({
    kind: 'admin#directory#chromeosdevice',
    deviceId: 'b',
    orgUnitPath: '/School',
    orgUnitId: expect.stringMatching(/^03ph/) as unknown,
    osVersion: '142.0.7444.59',
  });
  expect(get(tenant, 'c')).not.toHaveProperty('kiosk');
  expect(Object.keys(get(tenant, 'a', { projection: 'BASIC' })).toSorted()).toEqual([
    'annotatedAssetId',
    'annotatedUser',
    'deviceId',
    'etag',
    'kind',
    'lastSync',
    'orgUnitId',
    'orgUnitPath',
    'serialNumber',
    'status',
  ]);
  expect(tenant.refused('directory.chromeosdevices.get', { path: { customerId, deviceId: 'z' } })).toBe(
    '404 notFound: Resource Not Found: deviceId',
  );
});

test.each([
  ['status:provisioned', ['a']],
  ['status:managed', ['a', 'b']],
  ['status:deprovisioned', ['c']],
  ['id:sn', ['a', 'b', 'c']],
  ['id:SN1', ['b']],
  ['asset_id:1234', ['a']],
  ['user:joe', ['b']],
  ['user:"tom sawyer"', ['a']],
  ['user:tom sawyer', ['a']],
  ['location:sea*', ['b']],
  ['note:"loaned from john"', ['c']],
  ['sync:2026-03-01', ['a']],
  ['sync:2026-03-01..2026-03-02', ['a', 'b']],
  ['sync:2026-03-02T00:00:00..', ['b', 'c']],
  ['sync:..2026-03-01', ['a']],
  ['public_model_name:chromebook status:provisioned', ['a']],
  ['user:nobody', []],
  ['status:constructor', []],
])('chromeosdevices.list query %s', (query, found) => {
  expect(ids(school(), { query })).toEqual(found);
});

test.each(['colour:red', 'user:', 'sync:yesterday', 'sync:..', 'user:"x', 'user:a '.repeat(21), 'x'.repeat(2_001)])(
  'chromeosdevices.list refuses the query %s',
  (query) => {
    expect(school().refused(LIST, { path: { customerId }, query: { query } })).toBe('400 invalid: Invalid query');
  },
);

test.each([
  ['serialNumber', ['b', 'c', 'a']],
  ['lastSync', ['a', 'b', 'c']],
  ['status', ['a', 'c', 'b']],
  ['annotatedUser', ['c', 'b', 'a']],
  ['annotatedLocation', ['a', 'c', 'b']],
  ['notes', ['a', 'b', 'c']],
])('chromeosdevices.list orders by %s from an index, page by page, both ways', (orderBy, found) => {
  const tenant = school();
  expect(ids(tenant, { orderBy })).toEqual(found);
  expect(ids(tenant, { orderBy, sortOrder: 'DESCENDING' })).toEqual(found.toReversed());
  const first = tenant.ok(LIST, { path: { customerId }, query: { orderBy, maxResults: 2 } });
  expect(ids(tenant, { orderBy, maxResults: 2, pageToken: text(first['nextPageToken']) })).toEqual(found.slice(2));
});

test('an order follows what is changed', () => {
  const tenant = school();
  tenant.ok('directory.chromeosdevices.patch', { path: { customerId, deviceId: 'c' }, body: { annotatedUser: 'Zoe' } });
  expect(ids(tenant, { orderBy: 'annotatedUser' })).toEqual(['b', 'a', 'c']);
});

test.each([
  [{ orgUnitPath: '/' }, ['a']],
  [{ orgUnitPath: 'School' }, ['b']],
  [{ orgUnitPath: '/school/lab' }, ['c']],
  [{ orgUnitPath: '/School', includeChildOrgunits: true }, ['b', 'c']],
  [{ orgUnitPath: '/', includeChildOrgunits: true }, ['a', 'b', 'c']],
  [{ orgUnitPath: '/School', includeChildOrgunits: true, orderBy: 'serialNumber' }, ['b', 'c']],
  [{ orgUnitPath: '/School', includeChildOrgunits: true, query: 'status:disabled' }, ['b']],
])('chromeosdevices.list and count of %j', (query, found) => {
  const tenant = school();
  expect(new Set(ids(tenant, query))).toEqual(new Set(found));
  const { query: filter, orderBy: _order, ...where } = { orderBy: '', query: '', ...query };
  const counted = tenant.ok('admin.customer.devices.chromeos.countChromeOsDevices', {
    path: { customerId },
    query: { ...where, filter },
  });
  expect(counted).toEqual({ count: String(found.length) });
});

test('a list over several org units goes on where it stopped', () => {
  const tenant = school();
  const query = { orgUnitPath: '/', includeChildOrgunits: true, maxResults: 1 };
  const seen: unknown[] = [];
  let pageToken: string | undefined;
  for (let page = 0; page < 5 && (page === 0 || pageToken !== undefined); page += 1) {
    const sent = { ...query, ...(pageToken !== undefined && { pageToken }) };
    const answer = tenant.ok(LIST, { path: { customerId }, query: sent });
    seen.push(...(answer['chromeosdevices'] as JsonObject[]).map(({ deviceId }) => deviceId));
    pageToken = answer['nextPageToken'] as string | undefined;
  }
  expect(seen).toHaveLength(3);
  expect(new Set(seen)).toEqual(new Set(['a', 'b', 'c']));
});

test.each([
  [{ orgUnitPath: '/None' }, '400 invalid: Invalid Input: INVALID_OU_ID'],
  [{ includeChildOrgunits: true }, '400 required: Missing required field: orgUnitPath'],
  [{ sortOrder: 'DESCENDING' }, '400 invalid: Invalid Input: sortOrder'],
  [{ orderBy: 'colour' }, '400 invalid: Invalid Input: orderBy'],
])('chromeosdevices.list with %j is refused', (query, refusal) => {
  expect(school().refused(LIST, { path: { customerId }, query })).toBe(refusal);
});

test('of 301 devices a page shows 100, or 300 where more is asked for', () => {
  const tenant = testTenant();
  for (let n = 0; n < 301; n += 1) chrome(tenant, { deviceId: `d${n}` });
  expect(ids(tenant, {})).toHaveLength(100);
  expect(ids(tenant, { maxResults: 1_000 })).toHaveLength(300);
  expect(tenant.ok('admin.customer.devices.chromeos.countChromeOsDevices', { path: { customerId } })).toEqual({
    count: '301',
  });
});

test('a page of 1,000 devices in an order is one statement, and one for each org unit on it', () => {
  const tenant = testTenant();
  for (let n = 0; n < 1_000; n += 1) chrome(tenant, { deviceId: `d${n}` });
  const before = tenant.engine.store.statements();
  ids(tenant, { maxResults: 300, orderBy: 'serialNumber' });
  expect(tenant.engine.store.statements() - before).toBe(2);
});

test('only what an administrator may write is written; PUT keeps the rest of it', () => {
  const tenant = school();
  const path = { customerId, deviceId: 'a' };
  tenant.ok('directory.chromeosdevices.patch', {
    path,
    body: { notes: 'n', serialNumber: 'FAKE', status: 'DISABLED', orgUnitPath: '/School/Lab' },
  });
  expect(get(tenant, 'a')).toMatchObject({
    notes: 'n',
    serialNumber: 'SN3',
    status: 'ACTIVE',
    annotatedUser: 'Tom Sawyer',
    orgUnitPath: '/School/Lab',
  });
  tenant.ok('directory.chromeosdevices.update', { path, body: { annotatedLocation: 'Rome' } });
  const after = get(tenant, 'a');
  expect([after['notes'], after['annotatedUser'], after['annotatedLocation']]).toEqual(['n', 'Tom Sawyer', 'Rome']);
  expect([after['serialNumber'], after['orgUnitPath']]).toEqual(['SN3', '/School/Lab']);
});

test.each([
  [{ annotatedUser: 'x'.repeat(101) }, '400 invalid: Invalid Input: annotatedUser'],
  [{ annotatedLocation: 'x'.repeat(201) }, '400 invalid: Invalid Input: annotatedLocation'],
  [{ notes: 'x'.repeat(501) }, '400 invalid: Invalid Input: notes'],
  [{ orgUnitPath: '/None' }, '400 invalid: Invalid Input: INVALID_OU_ID'],
])('a patch of a device with %j leaves it as it was', (body, refusal) => {
  const tenant = school();
  const before = get(tenant, 'a');
  expect(tenant.refused('directory.chromeosdevices.patch', { path: { customerId, deviceId: 'a' }, body })).toBe(
    refusal,
  );
  expect(get(tenant, 'a')).toEqual(before);
});

test('of the path and the id of an org unit, the one that names another moves the device', () => {
  const tenant = school();
  const path = { customerId, deviceId: 'b' };
  const seen = get(tenant, 'b');
  const lab = get(tenant, 'c')['orgUnitId'] ?? '';
  const put = (changes: JsonObject) => ({ path, body: { ...seen, etag: '', ...changes } });
  const update = 'directory.chromeosdevices.update';
  expect(tenant.ok(update, put({ notes: 'n' }))['orgUnitPath']).toBe('/School');
  expect(tenant.ok(update, put({ orgUnitId: lab }))['orgUnitPath']).toBe('/School/Lab');
  expect(tenant.ok(update, put({ orgUnitId: lab, orgUnitPath: '/School' }))['orgUnitPath']).toBe('/School');
  expect(tenant.ok(update, put({ orgUnitId: lab, orgUnitPath: '/School/Lab' }))['orgUnitPath']).toBe('/School/Lab');
  expect(tenant.refused(update, put({ orgUnitPath: '/' }))).toBe('400 invalid: Invalid Input: orgUnitId');
});

test('an org unit is moved with its devices', () => {
  const tenant = school();
  tenant.ok('directory.orgunits.patch', { path: { customerId, orgUnitPath: 'School' }, body: { name: 'College' } });
  expect(get(tenant, 'c')['orgUnitPath']).toBe('/College/Lab');
});

test('moveDevicesToOu moves all or none', () => {
  const tenant = school();
  const sent = { path: { customerId }, query: { orgUnitPath: '/School/Lab' } };
  const method = 'directory.chromeosdevices.moveDevicesToOu';
  expect(tenant.refused(method, { ...sent, body: { deviceIds: ['a', 'z'] } })).toBe(
    '404 notFound: Resource Not Found: deviceId',
  );
  expect(ids(tenant, { orgUnitPath: '/School/Lab' })).toEqual(['c']);
  expect(tenant.ok(method, { ...sent, body: { deviceIds: ['a', 'b'] } })).toEqual({});
  expect(ids(tenant, { orgUnitPath: '/School/Lab' })).toEqual(['a', 'b', 'c']);
  const many = Array.from({ length: 51 }, (_, n) => `d${n}`);
  expect(tenant.refused(method, { ...sent, body: { deviceIds: many } })).toBe('400 invalid: Invalid Input: deviceIds');
});

test.each([
  ['a', { action: 'disable' }, 'DISABLED'],
  ['b', { action: 'reenable' }, 'ACTIVE'],
  ['a', { action: 'deprovision', deprovisionReason: 'retiring_device' }, 'DEPROVISIONED'],
  ['b', { action: 'deprovision', deprovisionReason: 'upgrade_transfer' }, 'DEPROVISIONED'],
])('device %s by %j is %s', (resourceId, body, status) => {
  const tenant = school();
  expect(tenant.ok('directory.chromeosdevices.action', { path: { customerId, resourceId }, body })).toEqual({});
  expect(get(tenant, resourceId)['status']).toBe(status);
});

test.each([
  ['b', { action: 'disable' }, ILLEGAL],
  ['a', { action: 'reenable' }, ILLEGAL],
  ['c', { action: 'reenable' }, ILLEGAL],
  ['c', { action: 'deprovision', deprovisionReason: 'retiring_device' }, ILLEGAL],
  ['a', { action: 'deprovision' }, '400 required: Missing required field: deprovisionReason'],
  ['a', { action: 'deprovision', deprovisionReason: 'bored' }, '400 invalid: Invalid Input: deprovisionReason'],
  ['a', { action: 'deprovision', deprovisionReason: 'constructor' }, '400 invalid: Invalid Input: deprovisionReason'],
  ['a', { action: 'explode' }, '400 invalid: Invalid Input: action'],
  ['a', { action: 'constructor' }, '400 invalid: Invalid Input: action'],
  ['a', {}, '400 required: Missing required field: action'],
  ['z', { action: 'disable' }, '404 notFound: Resource Not Found: resourceId'],
])('device %s by %j is refused: %s', (resourceId, body, refusal) => {
  expect(school().refused('directory.chromeosdevices.action', { path: { customerId, resourceId }, body })).toBe(
    refusal,
  );
});

test.each([
  'SAME_MODEL_REPLACEMENT',
  'UPGRADE',
  'DOMAIN_MOVE',
  'SERVICE_EXPIRATION',
  'OTHER',
  'DIFFERENT_MODEL_REPLACEMENT',
  'UPGRADE_TRANSFER',
  'NOT_REQUIRED',
  'REPAIR_CENTER',
])('batchChangeStatus deprovisions for the reason %s', (word) => {
  const tenant = school();
  const deprovisionReason = `DEPROVISION_REASON_${word}`;
  const body = { deviceIds: ['a'], changeChromeOsDeviceStatusAction: `${ACTION}DEPROVISION`, deprovisionReason };
  tenant.ok('admin.customer.devices.chromeos.batchChangeStatus', { path: { customerId }, body });
  expect(get(tenant, 'a')).toMatchObject({ status: 'DEPROVISIONED', deprovisionReason });
});

test('batchChangeStatus answers for each device', () => {
  const tenant = school();
  const body = {
    deviceIds: ['a', 'c', 'z'],
    changeChromeOsDeviceStatusAction: `${ACTION}DEPROVISION`,
    deprovisionReason: 'DEPROVISION_REASON_RETIRING_DEVICE',
  };
  expect(tenant.ok('admin.customer.devices.chromeos.batchChangeStatus', { path: { customerId }, body })).toEqual({
    changeChromeOsDeviceStatusResults: [
      { deviceId: 'a', response: {} },
      { deviceId: 'c', error: { code: 9, message: 'Illegal device state transition.' } },
      { deviceId: 'z', error: { code: 5, message: 'Resource Not Found: deviceId' } },
    ],
  });
  expect(get(tenant, 'a')).toMatchObject({
    status: 'DEPROVISIONED',
    deprovisionReason: 'DEPROVISION_REASON_RETIRING_DEVICE',
    lastDeprovisionTimestamp: '2026-11-21T00:00:00.000Z',
  });
});

test.each([
  [{ deviceIds: ['a'] }, '400 required: Missing required field: changeChromeOsDeviceStatusAction'],
  [{ changeChromeOsDeviceStatusAction: `${ACTION}DISABLE` }, '400 required: Missing required field: deviceIds'],
  [
    { deviceIds: ['a'], changeChromeOsDeviceStatusAction: `${ACTION}UNSPECIFIED` },
    '400 invalid: Invalid Input: changeChromeOsDeviceStatusAction',
  ],
  [
    { deviceIds: ['a'], changeChromeOsDeviceStatusAction: `${ACTION}DEPROVISION` },
    '400 required: Missing required field: deprovisionReason',
  ],
  [
    {
      deviceIds: ['a'],
      changeChromeOsDeviceStatusAction: `${ACTION}DISABLE`,
      deprovisionReason: 'DEPROVISION_REASON_RETIRING_DEVICE',
    },
    '400 invalid: Invalid Input: deprovisionReason',
  ],
  [
    { deviceIds: Array.from({ length: 51 }, (_, n) => `d${n}`), changeChromeOsDeviceStatusAction: `${ACTION}DISABLE` },
    '400 invalid: Invalid Input: deviceIds',
  ],
])('batchChangeStatus of %j is refused', (body, refusal) => {
  expect(school().refused('admin.customer.devices.chromeos.batchChangeStatus', { path: { customerId }, body })).toBe(
    refusal,
  );
});

test('a command is pending until its time is over', () => {
  const tenant = school();
  const path = { customerId, deviceId: 'a' };
  const { commandId } = tenant.ok('admin.customer.devices.chromeos.issueCommand', {
    path,
    body: { commandType: 'REBOOT', payload: '{"user_session_delay_seconds": 300}' },
  });
  expect(commandId).toMatch(/^[0-9]{18}$/);
  const read = () =>
    tenant.ok('admin.customer.devices.chromeos.commands.get', { path: { ...path, commandId: text(commandId) } });
  expect(read()).toEqual({
    commandId,
    type: 'REBOOT',
    payload: '{"user_session_delay_seconds": 300}',
    issueTime: '2026-11-21T00:00:00.000Z',
    commandExpireTime: '2026-11-21T00:10:00.000Z',
    state: 'PENDING',
  });
  tenant.later(600_000);
  expect(read()['state']).toBe('EXPIRED');
  const other = { customerId, deviceId: 'b', commandId: text(commandId) };
  expect(tenant.refused('admin.customer.devices.chromeos.commands.get', { path: other })).toBe(
    '404 notFound: Resource Not Found: commandId',
  );
});

test('a kiosk takes the commands of kiosks', () => {
  const tenant = testTenant();
  const deviceId = chrome(tenant, { kiosk: true });
  const body = { commandType: 'SET_VOLUME', payload: '{"volume":50}' };
  const answer = tenant.ok('admin.customer.devices.chromeos.issueCommand', { path: { customerId, deviceId }, body });
  expect(answer['commandId']).toBeTypeOf('string');
});

test.each([
  ['a', { commandType: 'TAKE_A_SCREENSHOT' }, '400 invalid: TAKE_A_SCREENSHOT is for devices in kiosk mode only'],
  ['a', { commandType: 'EXPLODE' }, '400 invalid: Invalid Input: commandType'],
  ['a', {}, '400 required: Missing required field: commandType'],
  ['b', { commandType: 'REBOOT' }, '400 invalid: The device is not active'],
  ['k', { commandType: 'SET_VOLUME' }, '400 required: Missing required field: payload'],
  ['k', { commandType: 'SET_VOLUME', payload: '{"volume":101}' }, '400 invalid: Invalid Input: payload'],
  ['k', { commandType: 'SET_VOLUME', payload: 'loud' }, '400 invalid: Invalid Input: payload'],
  ['a', { commandType: 'WIPE_USERS', payload: '{}' }, '400 invalid: Invalid Input: payload'],
  ['z', { commandType: 'REBOOT' }, '404 notFound: Resource Not Found: deviceId'],
])('device %s: the command %j is refused', (deviceId, body, refusal) => {
  const tenant = school();
  chrome(tenant, { deviceId: 'k', kiosk: true });
  expect(tenant.refused('admin.customer.devices.chromeos.issueCommand', { path: { customerId, deviceId }, body })).toBe(
    refusal,
  );
});

const MOBILE = 'directory.mobiledevices.list';
const mobileIds = (tenant: TestTenant, query: Record<string, string>): unknown[] => {
  const { mobiledevices } = tenant.ok(MOBILE, { path: { customerId }, query });
  return Array.isArray(mobiledevices) ? mobiledevices.map((device) => (device as JsonObject)['resourceId']) : [];
};

function phones(): TestTenant {
  const tenant = testTenant();
  mobile(tenant, {
    resourceId: 'p',
    email: ['joe@example.com'],
    name: ['Joe'],
    model: 'Pixel 9',
    brand: 'google',
    os: 'Android 16',
    type: 'ANDROID',
    status: 'PENDING',
    serialNumber: '525A',
    deviceId: 'z',
  });
  mobile(tenant, {
    resourceId: 'q',
    email: ['ann@example.com'],
    name: ['Ann'],
    model: 'iPhone 17',
    brand: 'apple',
    os: 'iOS 19',
    type: 'IOS_SYNC',
    serialNumber: '1525',
    deviceId: 'y',
  });
  return tenant;
}

test.each([
  ['serial:525*', ['p']],
  ['serial:525', ['p', 'q']],
  ['email:ann@example.com', ['q']],
  ['brand:goo*', ['p']],
  ['status:approved type:ios_sync', ['q']],
  ['status:pending', ['p']],
  ['os:android', ['p']],
  ['pixel', ['p']],
])('mobiledevices.list query %s', (query, found) => {
  expect(mobileIds(phones(), { query })).toEqual(found);
});

test.each([
  ['deviceId', ['q', 'p']],
  ['email', ['q', 'p']],
  ['name', ['q', 'p']],
  ['model', ['q', 'p']],
  ['os', ['p', 'q']],
  ['type', ['p', 'q']],
  ['status', ['q', 'p']],
])('mobiledevices.list orders by %s', (orderBy, found) => {
  expect(mobileIds(phones(), { orderBy })).toEqual(found);
  expect(mobileIds(phones(), { orderBy, sortOrder: 'DESCENDING' })).toEqual(found.toReversed());
});

test('a mobile device is approved, blocked, wiped, and brought back from a wipe', () => {
  const tenant = phones();
  const path = { customerId, resourceId: 'p' };
  const status = (action: string): unknown => {
    expect(tenant.ok('directory.mobiledevices.action', { path, body: { action } })).toEqual({});
    return tenant.ok('directory.mobiledevices.get', { path })['status'];
  };
  expect(status('approve')).toBe('APPROVED');
  expect(status('block')).toBe('BLOCKED');
  expect(status('admin_remote_wipe')).toBe('WIPING');
  expect(tenant.refused('directory.mobiledevices.action', { path, body: { action: 'approve' } })).toBe(ILLEGAL);
  expect(status('cancel_remote_wipe_then_activate')).toBe('APPROVED');
  expect(
    tenant.refused('directory.mobiledevices.action', { path, body: { action: 'cancel_remote_wipe_then_block' } }),
  ).toBe(ILLEGAL);
  expect(status('admin_account_wipe')).toBe('ACCOUNT_WIPING');
  expect(mobileIds(tenant, { query: 'status:account_wiping' })).toEqual(['p']);
  expect(tenant.refused('directory.mobiledevices.action', { path, body: { action: 'sell' } })).toBe(
    '400 invalid: Invalid Input: action',
  );
});

test('a deleted mobile device is in no list any more', () => {
  const tenant = phones();
  const path = { customerId, resourceId: 'p' };
  expect(tenant.ok('directory.mobiledevices.delete', { path })).toEqual({});
  expect(mobileIds(tenant, {})).toEqual(['q']);
  expect(mobileIds(tenant, { orderBy: 'os' })).toEqual(['q']);
  expect(tenant.refused('directory.mobiledevices.get', { path })).toBe('404 notFound: Resource Not Found: resourceId');
  expect(tenant.refused('directory.mobiledevices.delete', { path })).toBe(
    '404 notFound: Resource Not Found: resourceId',
  );
});

test('a device is not seeded twice', () => {
  const tenant = testTenant();
  chrome(tenant, { deviceId: 'a' });
  mobile(tenant, { resourceId: 'a' });
  expect(() => chrome(tenant, { deviceId: 'a' })).toThrow('Entity already exists.');
  expect(() => mobile(tenant, { resourceId: 'a' })).toThrow('Entity already exists.');
});
