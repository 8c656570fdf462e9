import { expect } from 'vitest';
import { enrolChrome, enrolMobile } from '../support/enrol.ts';
import { refusal, type MethodCase, type World } from '../support/method-cases.ts';

const customerId = 'my_customer';
const ACTION = 'CHANGE_CHROME_OS_DEVICE_STATUS_ACTION_';
const NO_DEVICE = '404 notFound: Resource Not Found: deviceId';
const NO_RESOURCE = '404 notFound: Resource Not Found: resourceId';
const ILLEGAL = '412 conditionNotMet: Illegal device state transition.';

const readChrome = async ({ admin }: World, deviceId: string) =>
  (await admin.chromeosdevices.get({ customerId, deviceId })).data;
const readMobile = async ({ admin }: World, resourceId: string) =>
  (await admin.mobiledevices.get({ customerId, resourceId })).data;

async function newUnit({ admin, fresh }: World): Promise<string> {
  const name = fresh('unit');
  await admin.orgunits.insert({ customerId, requestBody: { name, parentOrgUnitPath: '/' } });
  return `/${name}`;
}

const chromeCases: readonly MethodCase[] = [
  {
    method: 'directory.chromeosdevices.list',
    right: async (world) => {
      const orgUnitPath = await newUnit(world);
      const first = await enrolChrome(world, { orgUnitPath, annotatedUser: 'ann', notes: 'kept' });
      const second = await enrolChrome(world, { orgUnitPath, annotatedUser: 'bob' });
      const { data } = await world.admin.chromeosdevices.list({
        customerId,
        orgUnitPath,
        orderBy: 'annotatedUser',
        sortOrder: 'DESCENDING',
        projection: 'BASIC',
      });
      expect(data.chromeosdevices?.map(({ deviceId }) => deviceId)).toEqual([second, first]);
      expect(data.chromeosdevices?.[1]).not.toHaveProperty('model');
      const found = await world.admin.chromeosdevices.list({ customerId, orgUnitPath, query: 'user:ann' });
      expect(found.data.chromeosdevices).toMatchObject([{ deviceId: first, notes: 'kept' }]);
    },
    wrong: async ({ admin }) => {
      expect(await refusal(admin.chromeosdevices.list({ customerId, query: 'colour:red' }))).toBe(
        '400 invalid: Invalid query',
      );
    },
  },
  {
    method: 'directory.chromeosdevices.get',
    right: async (world) => {
      const deviceId = await enrolChrome(world, { serialNumber: 'SN-9' });
      expect(await readChrome(world, deviceId)).toMatchObject({
        kind: 'admin#directory#chromeosdevice',
        serialNumber: 'SN-9',
        status: 'ACTIVE',
        orgUnitPath: '/',
      });
    },
    wrong: async ({ admin, fresh }) => {
      expect(await refusal(admin.chromeosdevices.get({ customerId, deviceId: fresh('no') }))).toBe(NO_DEVICE);
    },
  },
  {
    method: 'directory.chromeosdevices.patch',
    right: async (world) => {
      const deviceId = await enrolChrome(world, { notes: 'kept' });
      const requestBody = { annotatedUser: 'ann', serialNumber: 'not mine' };
      await world.admin.chromeosdevices.patch({ customerId, deviceId, requestBody });
      const read = await readChrome(world, deviceId);
      expect(read).toMatchObject({ annotatedUser: 'ann', notes: 'kept' });
      expect(read.serialNumber).not.toBe('not mine');
    },
    wrong: async (world) => {
      const deviceId = await enrolChrome(world);
      const requestBody = { notes: 'x'.repeat(501) };
      expect(await refusal(world.admin.chromeosdevices.patch({ customerId, deviceId, requestBody }))).toBe(
        '400 invalid: Invalid Input: notes',
      );
    },
  },
  {
    method: 'directory.chromeosdevices.update',
    right: async (world) => {
      const deviceId = await enrolChrome(world, { notes: 'kept' });
      const orgUnitPath = await newUnit(world);
      await world.admin.chromeosdevices.update({
        customerId,
        deviceId,
        requestBody: { annotatedLocation: 'Rome', orgUnitPath },
      });
      const read = await readChrome(world, deviceId);
      expect(read).toMatchObject({ annotatedLocation: 'Rome', orgUnitPath, notes: 'kept' });
    },
    wrong: async (world) => {
      const deviceId = await enrolChrome(world);
      const requestBody = { orgUnitPath: `/${world.fresh('no')}` };
      expect(await refusal(world.admin.chromeosdevices.update({ customerId, deviceId, requestBody }))).toBe(
        '400 invalid: Invalid Input: INVALID_OU_ID',
      );
    },
  },
  {
    method: 'directory.chromeosdevices.action',
    right: async (world) => {
      const resourceId = await enrolChrome(world);
      const act = (requestBody: object) => world.admin.chromeosdevices.action({ customerId, resourceId, requestBody });
      expect((await act({ action: 'disable' })).status).toBe(204);
      expect((await readChrome(world, resourceId)).status).toBe('DISABLED');
      await act({ action: 'reenable' });
      expect((await readChrome(world, resourceId)).status).toBe('ACTIVE');
      await act({ action: 'deprovision', deprovisionReason: 'retiring_device' });
      expect(await readChrome(world, resourceId)).toMatchObject({
        status: 'DEPROVISIONED',
        deprovisionReason: 'DEPROVISION_REASON_RETIRING_DEVICE',
      });
    },
    wrong: async (world) => {
      const resourceId = await enrolChrome(world);
      const requestBody = { action: 'reenable' };
      expect(await refusal(world.admin.chromeosdevices.action({ customerId, resourceId, requestBody }))).toBe(ILLEGAL);
    },
  },
  {
    method: 'directory.chromeosdevices.moveDevicesToOu',
    right: async (world) => {
      const [orgUnitPath, deviceId] = [await newUnit(world), await enrolChrome(world)];
      const requestBody = { deviceIds: [deviceId] };
      const moved = await world.admin.chromeosdevices.moveDevicesToOu({ customerId, orgUnitPath, requestBody });
      expect(moved.status).toBe(204);
      expect((await readChrome(world, deviceId)).orgUnitPath).toBe(orgUnitPath);
    },
    wrong: async (world) => {
      const deviceIds = Array.from({ length: 51 }, (_, n) => `device-${n}`);
      const move = world.admin.chromeosdevices.moveDevicesToOu({
        customerId,
        orgUnitPath: '/',
        requestBody: { deviceIds },
      });
      expect(await refusal(move)).toBe('400 invalid: Invalid Input: deviceIds');
    },
  },
];

const newerCases: readonly MethodCase[] = [
  {
    method: 'admin.customer.devices.chromeos.batchChangeStatus',
    right: async (world) => {
      const deviceId = await enrolChrome(world);
      const { data } = await world.admin.customer.devices.chromeos.batchChangeStatus({
        customerId,
        requestBody: { deviceIds: [deviceId, 'unknown'], changeChromeOsDeviceStatusAction: `${ACTION}DISABLE` },
      });
      expect(data.changeChromeOsDeviceStatusResults).toEqual([
        { deviceId, response: {} },
        { deviceId: 'unknown', error: { code: 5, message: 'Resource Not Found: deviceId' } },
      ]);
      expect((await readChrome(world, deviceId)).status).toBe('DISABLED');
    },
    wrong: async (world) => {
      const deviceIds = [await enrolChrome(world)];
      const requestBody = { deviceIds, changeChromeOsDeviceStatusAction: `${ACTION}DEPROVISION` };
      expect(await refusal(world.admin.customer.devices.chromeos.batchChangeStatus({ customerId, requestBody }))).toBe(
        '400 required: Missing required field: deprovisionReason',
      );
    },
  },
  {
    method: 'admin.customer.devices.chromeos.countChromeOsDevices',
    right: async (world) => {
      const orgUnitPath = await newUnit(world);
      for (const status of ['ACTIVE', 'ACTIVE', 'DISABLED']) await enrolChrome(world, { orgUnitPath, status });
      const count = async (filter: string) =>
        (await world.admin.customer.devices.chromeos.countChromeOsDevices({ customerId, orgUnitPath, filter })).data
          .count;
      expect([await count(''), await count('status:provisioned')]).toEqual(['3', '2']);
      const listed = await world.admin.chromeosdevices.list({ customerId, orgUnitPath });
      expect(listed.data.chromeosdevices).toHaveLength(3);
    },
    wrong: async ({ admin }) => {
      const count = admin.customer.devices.chromeos.countChromeOsDevices({ customerId, includeChildOrgunits: true });
      expect(await refusal(count)).toBe('400 required: Missing required field: orgUnitPath');
    },
  },
  {
    method: 'admin.customer.devices.chromeos.issueCommand',
    right: async (world) => {
      const deviceId = await enrolChrome(world, {}, { kiosk: true });
      const requestBody = { commandType: 'SET_VOLUME', payload: '{"volume": 50}' };
      const { data } = await world.admin.customer.devices.chromeos.issueCommand({ customerId, deviceId, requestBody });
      const commandId = data.commandId ?? '';
      const read = await world.admin.customer.devices.chromeos.commands.get({ customerId, deviceId, commandId });
      expect(read.data).toMatchObject({ commandId, type: 'SET_VOLUME', payload: '{"volume": 50}', state: 'PENDING' });
    },
    wrong: async (world) => {
      const deviceId = await enrolChrome(world);
      const requestBody = { commandType: 'TAKE_A_SCREENSHOT' };
      const issue = world.admin.customer.devices.chromeos.issueCommand({ customerId, deviceId, requestBody });
      expect(await refusal(issue)).toBe('400 invalid: TAKE_A_SCREENSHOT is for devices in kiosk mode only');
    },
  },
  {
    method: 'admin.customer.devices.chromeos.commands.get',
    right: async (world) => {
      const deviceId = await enrolChrome(world);
      const issued = await world.admin.customer.devices.chromeos.issueCommand({
        customerId,
        deviceId,
        requestBody: { commandType: 'WIPE_USERS' },
      });
      const commandId = issued.data.commandId ?? '';
      const { data } = await world.admin.customer.devices.chromeos.commands.get({ customerId, deviceId, commandId });
      const [issuedMs, expiresMs] = [Date.parse(data.issueTime ?? ''), Date.parse(data.commandExpireTime ?? '')];
      expect(expiresMs - issuedMs).toBe(180 * 86_400_000);
    },
    wrong: async (world) => {
      const deviceId = await enrolChrome(world);
      const get = world.admin.customer.devices.chromeos.commands.get({ customerId, deviceId, commandId: '1' });
      expect(await refusal(get)).toBe('404 notFound: Resource Not Found: commandId');
    },
  },
];

const mobileCases: readonly MethodCase[] = [
  {
    method: 'directory.mobiledevices.list',
    right: async (world) => {
      const owner = `${world.fresh('owner')}@example.com`;
      const old = await enrolMobile(world, { email: [owner], os: 'Android 12' });
      const recent = await enrolMobile(world, { email: [owner], os: 'Android 16' });
      const { data } = await world.admin.mobiledevices.list({
        customerId,
        query: `email:${owner}`,
        orderBy: 'os',
        sortOrder: 'DESCENDING',
      });
      expect(data.mobiledevices?.map(({ resourceId }) => resourceId)).toEqual([recent, old]);
    },
    wrong: async ({ admin }) => {
      expect(await refusal(admin.mobiledevices.list({ customerId, query: 'sync:yesterday' }))).toBe(
        '400 invalid: Invalid query',
      );
    },
  },
  {
    method: 'directory.mobiledevices.get',
    right: async (world) => {
      const resourceId = await enrolMobile(world, { model: 'Pixel 9' });
      expect(await readMobile(world, resourceId)).toMatchObject({
        kind: 'admin#directory#mobiledevice',
        model: 'Pixel 9',
      });
    },
    wrong: async ({ admin, fresh }) => {
      expect(await refusal(admin.mobiledevices.get({ customerId, resourceId: fresh('no') }))).toBe(NO_RESOURCE);
    },
  },
  {
    method: 'directory.mobiledevices.action',
    right: async (world) => {
      const resourceId = await enrolMobile(world);
      const acted = await world.admin.mobiledevices.action({
        customerId,
        resourceId,
        requestBody: { action: 'admin_account_wipe' },
      });
      expect(acted.status).toBe(204);
      expect((await readMobile(world, resourceId)).status).toBe('ACCOUNT_WIPING');
    },
    wrong: async (world) => {
      const resourceId = await enrolMobile(world);
      const requestBody = { action: 'cancel_remote_wipe_then_activate' };
      expect(await refusal(world.admin.mobiledevices.action({ customerId, resourceId, requestBody }))).toBe(ILLEGAL);
    },
  },
  {
    method: 'directory.mobiledevices.delete',
    right: async (world) => {
      const resourceId = await enrolMobile(world);
      expect((await world.admin.mobiledevices.delete({ customerId, resourceId })).status).toBe(204);
      expect(await refusal(world.admin.mobiledevices.get({ customerId, resourceId }))).toBe(NO_RESOURCE);
    },
    wrong: async ({ admin, fresh }) => {
      expect(await refusal(admin.mobiledevices.delete({ customerId, resourceId: fresh('no') }))).toBe(NO_RESOURCE);
    },
  },
];

export const deviceCases: readonly MethodCase[] = [...chromeCases, ...newerCases, ...mobileCases];
