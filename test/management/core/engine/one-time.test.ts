import { expect, test } from 'vitest';
import * as z from 'zod';
import { seedChromeDevice } from '../../../../src/management/emulator/enrolments.ts';
import { testTenant } from '../../../support/management/management.ts';

test('an operation has one time, however often it looks: what it writes agrees', () => {
  const tenant = testTenant();
  const deviceId = seedChromeDevice(tenant.context('directory.chromeosdevices.get'));
  let clock = Date.UTC(2026, 0, 1);
  tenant.engine.now = () => (clock += 1);
  const path = { customerId: 'my_customer', deviceId };
  const { commandId } = z
    .object({ commandId: z.string() })
    .parse(tenant.ok('admin.customer.devices.chromeos.issueCommand', { path, body: { commandType: 'WIPE_USERS' } }));
  const { issueTime, commandExpireTime } = z
    .object({ issueTime: z.string(), commandExpireTime: z.string() })
    .parse(tenant.ok('admin.customer.devices.chromeos.commands.get', { path: { ...path, commandId } }));
  expect(Date.parse(commandExpireTime) - Date.parse(issueTime)).toBe(180 * 86_400_000);
});
