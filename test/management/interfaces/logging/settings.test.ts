import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { readDefaultSinkSettings } from '../../../../src/management/interfaces/logging/rows.ts';
import { testTenant } from '../../../support/management/management.ts';

const KEY = 'projects/p/locations/us/keyRings/r/cryptoKeys/k';
const GET = 'logging.organizations.getSettings';
const UPDATE = 'logging.organizations.updateSettings';
const GET_KEY = 'logging.organizations.getCmekSettings';
const UPDATE_KEY = 'logging.organizations.updateCmekSettings';

const named = (name = 'organizations/1') => ({ path: { name } });
const change = (body: JsonObject, updateMask = '', name = 'organizations/1') => ({
  path: { name },
  query: { updateMask },
  body,
});
const said = (name: string) => ({
  name: `${name}/settings`,
  kmsServiceAccountId: expect.stringMatching(/^cmek-p\d{12}@gcp-sa-logging\.iam\.gserviceaccount\.com$/),
  loggingServiceAccountId: expect.stringMatching(/^service-[a-z0-9-]+@gcp-sa-logging\.iam\.gserviceaccount\.com$/),
});

test.each([
  ['logging.projects.getSettings', 'projects/p'],
  ['logging.folders.getSettings', 'folders/1'],
  ['logging.billingAccounts.getSettings', 'billingAccounts/b'],
  [GET, 'organizations/1'],
  ['logging.getSettings', 'projects/p'],
])('%s shows what nobody set', (method, name) => {
  expect(testTenant().ok(method, named(name))).toEqual(said(name));
});

test('settings are changed by mask, or by what is sent', () => {
  const tenant = testTenant();
  const sent = { storageLocation: 'eu', disableDefaultSink: true, kmsServiceAccountId: 'mine', name: 'x' };
  expect(tenant.ok(UPDATE, change(sent, 'storage_location'))).toEqual({
    ...said('organizations/1'),
    storageLocation: 'eu',
  });
  expect(tenant.ok(UPDATE, change({ kmsKeyName: KEY }))).toMatchObject({ storageLocation: 'eu', kmsKeyName: KEY });
  expect(tenant.ok(UPDATE, change({}, 'storageLocation,kmsServiceAccountId'))).toEqual({
    ...said('organizations/1'),
    kmsKeyName: KEY,
  });
  expect(tenant.ok(GET, named())['kmsKeyName']).toBe(KEY);
  expect(tenant.ok(GET, named('organizations/2'))).toEqual(said('organizations/2'));
});

test('what they say of the default sink is read by whoever routes', () => {
  const tenant = testTenant();
  const context = tenant.context(GET);
  expect(readDefaultSinkSettings('folders/1', context)).toEqual({ isDisabled: false, filter: '', exclusions: [] });
  const exclusions = [{ name: 'debug', filter: 'severity<INFO' }];
  const defaultSinkConfig = { mode: 'OVERWRITE', filter: 'severity>=ERROR', exclusions };
  const body = { disableDefaultSink: true, defaultSinkConfig };
  tenant.ok('logging.folders.updateSettings', change(body, '', 'folders/1'));
  expect(readDefaultSinkSettings('folders/1', context)).toEqual({
    isDisabled: true,
    mode: 'OVERWRITE',
    filter: 'severity>=ERROR',
    exclusions,
  });
});

describe('settings are refused', () => {
  const sink = (config: JsonObject): JsonObject => ({ defaultSinkConfig: config });
  test.each<[string, JsonObject, RegExp]>([
    ['with a key that is none', { kmsKeyName: 'k' }, /^400 invalid: kmsKeyName must have the form/],
    ['with a place that is none', { storageLocation: 'atlantis' }, /^400 invalid: Location atlantis is not found/],
    ['with a sink without mode', sink({ filter: 'a' }), /^400 invalid: mode must be APPEND or OVERWRITE/],
    ['with an unspecified mode', sink({ mode: 'FILTER_WRITE_MODE_UNSPECIFIED' }), /^400 invalid: mode must be/],
    ['with nothing instead of a filter', sink({ mode: 'OVERWRITE' }), /^400 invalid: filter must not be empty/],
    ['with a filter that is none', sink({ mode: 'APPEND', filter: 'a =' }), /^400 invalid: Unparseable filter/],
    [
      'with an exclusion without name',
      sink({ mode: 'APPEND', exclusions: [{ filter: 'a' }] }),
      /^400 invalid: Invalid defaultSinkConfig.exclusions.name/,
    ],
    [
      'with an exclusion of nothing',
      sink({ mode: 'APPEND', exclusions: [{ name: 'a' }] }),
      /^400 invalid: filter is required/,
    ],
    [
      'with 51 exclusions',
      sink({ mode: 'APPEND', exclusions: Array.from({ length: 51 }, (_, n) => ({ name: `e${n}`, filter: 'a' })) }),
      /at most 50/,
    ],
  ])('%s', (_what, body, refusal) => {
    const tenant = testTenant();
    expect(tenant.refused(UPDATE, change(body))).toMatch(refusal);
    expect(tenant.ok(GET, named())).toEqual(said('organizations/1'));
  });

  test('of projects, billing accounts and what is nobody', () => {
    const tenant = testTenant();
    const method = 'logging.updateSettings';
    const refusal = '400 invalid: Settings can be changed for organizations and folders only';
    expect(tenant.refused(method, change({ disableDefaultSink: true }, '', 'projects/p'))).toBe(refusal);
    expect(tenant.refused(method, change({ disableDefaultSink: true }, '', 'billingAccounts/b'))).toBe(refusal);
    expect(tenant.refused(method, change({}, '', 'users/u'))).toMatch(/^400 invalid: Invalid resource name/);
    expect(tenant.refused(method, change({}, 'colour', 'folders/1'))).toMatch(/^400 invalid: Invalid field mask/);
    expect(tenant.ok(method, change({ disableDefaultSink: true }, '', 'folders/1'))['disableDefaultSink']).toBe(true);
  });
});

describe('CMEK settings', () => {
  const own = {
    name: 'organizations/1/cmekSettings',
    serviceAccountId: expect.stringMatching(/^cmek-p\d{12}@gcp-sa-logging\.iam\.gserviceaccount\.com$/),
  };

  test('are the key of the settings', () => {
    const tenant = testTenant();
    tenant.ok(UPDATE, change({ storageLocation: 'eu' }));
    expect(tenant.ok(GET_KEY, named())).toEqual(own);
    const sent = { kmsKeyName: KEY, serviceAccountId: 'mine', kmsKeyVersionName: 'mine' };
    expect(tenant.ok(UPDATE_KEY, change(sent, 'kms_key_name'))).toEqual({ ...own, kmsKeyName: KEY });
    expect(tenant.ok(GET, named())).toMatchObject({ kmsKeyName: KEY, storageLocation: 'eu' });
    expect(tenant.ok(UPDATE_KEY, change({ kmsKeyName: '' }))).toEqual(own);
    expect(tenant.ok(GET, named())).toEqual({ ...said('organizations/1'), storageLocation: 'eu' });
  });

  test('are changed for organizations only, to a key', () => {
    const tenant = testTenant();
    expect(tenant.refused(UPDATE_KEY, change({ kmsKeyName: 'k' }))).toMatch(/^400 invalid: kmsKeyName must have/);
    expect(tenant.refused(UPDATE_KEY, change({}, 'colour'))).toMatch(/^400 invalid: Invalid field mask/);
    expect(tenant.refused('logging.updateCmekSettings', change({ kmsKeyName: KEY }, '', 'folders/1'))).toBe(
      '400 invalid: CMEK settings can be changed for organizations only',
    );
    expect(tenant.ok('logging.folders.getCmekSettings', named('folders/1'))['kmsKeyName']).toBeUndefined();
    expect(tenant.refused('logging.getCmekSettings', named('users/u'))).toMatch(/^400 invalid: Invalid resource name/);
  });
});
