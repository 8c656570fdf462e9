import { describe, expect, test } from 'vitest';
import { seedChromeDevice, seedMobileDevice } from '../../../../src/management/emulator/enrolments.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import {
  CHROME_QUERY_FIELDS,
  MOBILE_QUERY_FIELDS,
} from '../../../../src/management/interfaces/directory/devices/query-data.ts';
import { addUser, listed } from '../../../support/management/directory.ts';
import { testTenant, type TestTenant } from '../../../support/management/management.ts';
import { GAM_QUERIES } from './gam-queries-data.ts';

const ask = (tenant: TestTenant, method: string, query: string): JsonObject =>
  tenant.ok(method, { path: { customerId: 'my_customer' }, query: { customer: 'my_customer', query } });

const queries = Object.entries(GAM_QUERIES).flatMap(([method, each]) => each.map((query) => [method, query] as const));

test.each(queries)('%s takes %s, as GAM sends it', (method, query) => {
  const tenant = testTenant();
  addUser(tenant, 'ann@example.com');
  expect(() => ask(tenant, method, query)).not.toThrow();
});

describe('isGuest', () => {
  const addresses = (tenant: TestTenant, query: string) =>
    listed(ask(tenant, 'directory.users.list', query), 'users').map(({ primaryEmail }) => primaryEmail);

  test.each([
    ['isGuest=True', ['guest@elsewhere.org']],
    ['isGuest=False', ['ann@example.com', 'ben@example.com']],
    ['isSuspended=False isGuest=False', ['ann@example.com']],
    ['isSuspended=True isGuest=False', ['ben@example.com']],
  ])('%s finds %j', (query, found) => {
    const tenant = testTenant();
    addUser(tenant, 'ann@example.com');
    addUser(tenant, 'ben@example.com', { suspended: true });
    tenant.ok('directory.users.createGuest', { body: { primaryGuestEmail: 'guest@elsewhere.org' } });
    expect(addresses(tenant, query)).toEqual(found);
  });
});

describe('a Chrome device', () => {
  const DEVICES = {
    a: { osVersionCompliance: 'compliant', deviceLicenseType: 'enterprise', autoUpdateThrough: '2031-06-01' },
    b: {
      osVersionCompliance: 'notCompliant',
      deviceLicenseType: 'kioskUpgrade',
      osUpdateStatus: { state: 'updateStateNeedReboot' },
      autoUpdateExpiration: '1577836800000',
      activeTimeRanges: [
        { date: '2019-12-30', activeTime: 5 },
        { date: '2020-01-02', activeTime: 5 },
      ],
      annotatedUser: 'A. Tom Sawyer',
    },
  };
  const world = (): TestTenant => {
    const tenant = testTenant();
    for (const [deviceId, more] of Object.entries(DEVICES))
      seedChromeDevice(tenant.context('directory.chromeosdevices.list'), { deviceId, ...more });
    return tenant;
  };

  test.each([
    ['compliance:compliant', ['a']],
    ['compliance:not_compliant', ['b']],
    ['compliance:pending_update', []],
    ['update_status:default_os_up_to_date', ['a']],
    ['update_status:pending_update', ['b']],
    ['update_status:os_update_need_reboot', ['b']],
    ['update_status:os_image_download_in_progress', []],
    ['policy_status:true', ['a', 'b']],
    ['policy_status:false', []],
    ['sku:enterprise', ['a']],
    ['license_sku:chrome_enterprise_upgrade_bundled', ['a']],
    ['license_sku:standalone_kiosk_and_signage_upgrade', ['b']],
    ['aue:2031-01-01..', ['a']],
    ['aue:..2020-06-01', ['b']],
    ['last_user_activity:2020-01-02', ['b']],
    ['last_user_activity:2020-01-03..', []],
    ["user:'tom sawyer'", ['b']],
    ['user:"tom sawyer"', ['b']],
    ["user:'tom a. sawyer'", []],
  ])('is found by %s: %j', (query, found) => {
    const devices = listed(ask(world(), 'directory.chromeosdevices.list', query), 'chromeosdevices');
    expect(devices.map(({ deviceId }) => deviceId)).toEqual(found);
  });

  test('is not found by a quote that does not end, and may have one in a word', () => {
    const refused = (query: string): string =>
      world().refused('directory.chromeosdevices.list', { path: { customerId: 'my_customer' }, query: { query } });
    expect(refused("user:'tom")).toBe('400 invalid: Invalid query');
    expect(listed(ask(world(), 'directory.chromeosdevices.list', "user:o'brien"), 'chromeosdevices')).toEqual([]);
  });
});

test('a mobile device is found by its applications, its encryption and whether it was compromised', () => {
  const tenant = testTenant();
  const device = {
    resourceId: 'm1',
    encryptionStatus: 'Encrypted',
    deviceCompromisedStatus: 'No compromise detected',
    applications: [{ packageName: 'com.android.mms', displayName: 'Messages', versionName: '4.0.4-253145' }],
  };
  seedMobileDevice(tenant.context('directory.mobiledevices.list'), device);
  const count = (query: string): number =>
    listed(ask(tenant, 'directory.mobiledevices.list', query), 'mobiledevices').length;
  const found = [
    'apps:com.android.mms',
    'apps:messages',
    'encryption_status:encrypted',
    'compromised_status:uncompromised',
  ];
  expect(found.map(count)).toEqual([1, 1, 1, 1]);
  const none = ['apps:calendar', 'encryption_status:not_encrypted', 'compromised_status:compromised'];
  expect([...none, 'endpoint_verification_cert_fingerprint:abc'].map(count)).toEqual([0, 0, 0, 0]);
});

/** Fields that the vendor's two pages name, read 2026-11-26. */
const DOCUMENTED = {
  chrome:
    'status id asset_id register sync user location note public_model_name meid last_user_activity update_status compliance policy_status sku license_sku chrome_version',
  mobile:
    'apps bootloader_version brand build_number carrier compromised_status default_language email encryption_status endpoint_verification_cert_fingerprint endpoint_verification_cert_thumbprint hardware serial status sync type',
};

test('every field that the vendor documents is known', () => {
  const missing = (words: string, fields: object): string[] => words.split(' ').filter((word) => !(word in fields));
  expect(missing(DOCUMENTED.chrome, CHROME_QUERY_FIELDS)).toEqual([]);
  expect(missing(DOCUMENTED.mobile, MOBILE_QUERY_FIELDS)).toEqual([]);
});
