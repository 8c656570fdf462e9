import { describe, expect, test } from 'vitest';
import { makeCalls } from '../../../src/management/emulator/seed-calls.ts';
import { testTenant } from '../../support/management/management.ts';

const CHROME = 'emulator.chromeosdevices.enroll';
const MOBILE = 'emulator.mobiledevices.enroll';

test('a seed enrols devices, which the vendor has no method for, and answers their ids', () => {
  const tenant = testTenant();
  const answers = makeCalls(
    [
      { method: CHROME, params: { kiosk: true }, body: { deviceId: 'd1', annotatedUser: 'joe' } },
      { method: MOBILE, params: {}, body: { resourceId: 'm1', email: ['joe@example.com'] } },
      { method: CHROME, params: {}, body: {} },
    ],
    tenant.engine,
  );
  expect(answers).toMatchObject([
    { ok: true, body: { deviceId: 'd1' } },
    { ok: true, body: { resourceId: 'm1' } },
    { ok: true, body: { deviceId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as unknown } },
  ]);
  const path = { customerId: 'my_customer', deviceId: 'd1' };
  expect(tenant.ok('directory.chromeosdevices.get', { path })).toMatchObject({
    annotatedUser: 'joe',
    orgUnitPath: '/',
  });
  const shot = { path, body: { commandType: 'TAKE_A_SCREENSHOT' } };
  expect(tenant.ok('admin.customer.devices.chromeos.issueCommand', shot)).toHaveProperty('commandId');
});

test.each([
  [{ deviceId: 'd1' }, 409, 'Entity already exists.'],
  [{ orgUnitPath: '/None' }, 400, 'Invalid Input: INVALID_OU_ID'],
  [{ colour: 'red' }, 400, expect.stringContaining('colour')],
])('a seed that enrols %j is refused, and leaves nothing', (body, status, message: unknown) => {
  const tenant = testTenant();
  makeCalls([{ method: CHROME, params: {}, body: { deviceId: 'd1' } }], tenant.engine);
  const answers = makeCalls([{ method: CHROME, params: {}, body }], tenant.engine);
  expect(answers).toMatchObject([{ ok: false, refusal: { status, message } }]);
  const counted = tenant.ok('admin.customer.devices.chromeos.countChromeOsDevices', {
    path: { customerId: 'my_customer' },
  });
  expect(counted).toEqual({ count: '1' });
});

describe('K9: a seed that enrols', () => {
  test('is refused where the tenant keeps as much as it may', () => {
    const tenant = testTenant();
    const engine = { ...tenant.engine, databaseBytes: () => 1_073_741_824 };
    expect(makeCalls([{ method: CHROME, params: {}, body: { deviceId: 'd1' } }], engine)).toMatchObject([
      { ok: false, refusal: { status: 403, reason: 'quotaExceeded' } },
    ]);
    expect(makeCalls([{ method: CHROME, params: {}, body: { deviceId: 'd1' } }], tenant.engine)).toMatchObject([
      { ok: true },
    ]);
  });

  test('has as many statements as any call', () => {
    const tenant = testTenant();
    const { store } = tenant.engine;
    const few: typeof store.bounded = (bounds, work) => {
      expect(bounds).toEqual({ statements: 5_000, writes: true });
      return store.bounded({ ...bounds, statements: 1 }, work);
    };
    const engine = { ...tenant.engine, store: { ...store, bounded: few } };
    expect(makeCalls([{ method: CHROME, params: {}, body: {} }], engine)).toMatchObject([
      { ok: false, refusal: { reason: 'limitExceeded', message: 'The request is too large' } },
    ]);
  });
});
