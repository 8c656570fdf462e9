import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { DIGITS, itemsOf, PUBLISHER, publishing, textOf } from './publisher.ts';

describe('apps', () => {
  test.each<[string, JsonObject, JsonObject]>([
    [
      'of no store',
      { platform: 'ANDROID', manualAppInfo: { displayName: 'Puzzle' } },
      { platform: 'ANDROID', manualAppInfo: { displayName: 'Puzzle' }, appApprovalState: 'ACTION_REQUIRED' },
    ],
    [
      'without a name',
      { platform: 'iOS' },
      { platform: 'IOS', manualAppInfo: { displayName: 'Unnamed app' }, appApprovalState: 'ACTION_REQUIRED' },
    ],
    [
      'of Google Play',
      { platform: 'ANDROID', linkedAppInfo: { appStoreId: 'com.example.myapp', displayName: 'theirs' } },
      { linkedAppInfo: { appStoreId: 'com.example.myapp', androidAppStores: ['GOOGLE_PLAY_APP_STORE'] } },
    ],
    [
      'of the App Store, which other stores say nothing of',
      { platform: 'IOS', linkedAppInfo: { appStoreId: '105169111', androidAppStores: ['AMAZON_APP_STORE'] } },
      { linkedAppInfo: { appStoreId: '105169111' }, appApprovalState: 'IN_REVIEW' },
    ],
  ])('one %s is created and listed', (_what, body, expected) => {
    const { create, list } = publishing();
    const app = create('apps', { ...body, appId: 'mine', name: 'mine', appApprovalState: 'APPROVED' });
    expect(app).toMatchObject(expected);
    const [, fragment = ''] = textOf(app, 'appId').split('~');
    expect(fragment).toMatch(/^\d{10}$/);
    expect(app).toMatchObject({ name: `${PUBLISHER}/apps/${fragment}`, appId: `ca-app-pub-${DIGITS}~${fragment}` });
    expect(list('apps')).toEqual({ apps: [app] });
    expect(list('apps', {}, 'accounts/pub-7')).toEqual({});
  });

  test.each<[string, JsonObject, RegExp]>([
    ['no platform', {}, /required: .*platform$/],
    ['another platform', { platform: 'WINDOWS_PHONE' }, /platform: it must be one of ANDROID, IOS/],
    [
      'a long name',
      { platform: 'IOS', manualAppInfo: { displayName: 'x'.repeat(81) } },
      /it has more than 80 characters/,
    ],
    ['a link to nothing', { platform: 'IOS', linkedAppInfo: {} }, /required: .*linkedAppInfo.appStoreId$/],
    ['a package on iOS', { platform: 'IOS', linkedAppInfo: { appStoreId: 'com.example.a' } }, /in a store for IOS/],
    ['a number on Android', { platform: 'ANDROID', linkedAppInfo: { appStoreId: '1' } }, /in a store for ANDROID/],
    [
      'what is no store',
      { platform: 'ANDROID', linkedAppInfo: { appStoreId: 'a.b', androidAppStores: ['a store'] } },
      /names of app stores/,
    ],
  ])('%s is refused, and nothing is created', (_what, body, reason) => {
    const { refused, list } = publishing();
    const refusal = refused('apps.create', { path: { parent: PUBLISHER }, body });
    expect(refusal).toMatch(/^400 /);
    expect(refusal).toMatch(reason);
    expect(list('apps')).toEqual({});
  });

  test('K9: a publisher has at most 1,000 apps', () => {
    const { tenant, create, refused } = publishing();
    const { store } = tenant.context('admob.accounts.apps.create');
    const rows = Array.from({ length: 999 }, (_, at) => ({
      collection: 'mediation.apps',
      parent: PUBLISHER,
      id: String(at),
      body: {},
    }));
    store.insertMany(rows, []);
    create('apps', { platform: 'IOS' });
    expect(refused('apps.create', { path: { parent: PUBLISHER }, body: { platform: 'IOS' } })).toBe(
      '429 quotaExceeded: A publisher has at most 1000 apps',
    );
  });
});

describe('ad units', () => {
  const made = () => {
    const world = publishing();
    const appId = textOf(world.create('apps', { platform: 'ANDROID' }), 'appId');
    return { ...world, appId };
  };

  test.each<[string, JsonObject, JsonObject]>([
    ['BANNER', {}, { adTypes: ['RICH_MEDIA', 'VIDEO'] }],
    ['NATIVE', { adTypes: ['RICH_MEDIA'] }, { adTypes: ['RICH_MEDIA'] }],
    ['REWARDED_INTERSTITIAL', {}, { adTypes: ['VIDEO'] }],
    [
      'REWARDED',
      { rewardSettings: { unitAmount: '10', unitType: 'coins' } },
      { rewardSettings: { unitAmount: '10', unitType: 'coins' } },
    ],
  ])('one of the format %s with %j is created and listed', (adFormat, more, expected) => {
    const { appId, create, list } = made();
    const unit = create('adUnits', { appId, adFormat, displayName: 'Unit', ...more });
    const [, fragment = ''] = textOf(unit, 'adUnitId').split('/');
    expect(fragment).toMatch(/^\d{10}$/);
    expect(unit).toMatchObject({
      name: `${PUBLISHER}/adUnits/${fragment}`,
      adUnitId: `ca-app-pub-${DIGITS}/${fragment}`,
      appId,
      adFormat,
      displayName: 'Unit',
      ...expected,
    });
    expect(list('adUnits')).toEqual({ adUnits: [unit] });
  });

  const BANNER = { adFormat: 'BANNER', displayName: 'Unit' };
  const reward = (unitAmount: string, unitType: string) => ({
    adFormat: 'REWARDED',
    rewardSettings: { unitAmount, unitType },
  });

  test.each<[string, JsonObject, RegExp]>([
    ['no app', { appId: '' }, /required: .*appId$/],
    ['an app that is not there', { appId: `ca-app-pub-${DIGITS}~0000000000` }, /is no app of accounts/],
    ['what is no id of an app', { appId: '1' }, /is no app of accounts/],
    ['no name', { displayName: ' ' }, /required: .*displayName$/],
    ['a long name', { displayName: 'x'.repeat(81) }, /it has more than 80 characters/],
    ['no format', { adFormat: '' }, /required: .*adFormat$/],
    ['a format that can only be targeted', { adFormat: 'BANNER_INTERSTITIAL' }, /ad_format: it must be one of/],
    ['an unknown type', { adTypes: ['AUDIO'] }, /ad_types/],
    ['rewards without video', { adFormat: 'REWARDED', adTypes: ['RICH_MEDIA'] }, /ad_types/],
    ['pictures between levels', { adFormat: 'REWARDED_INTERSTITIAL', adTypes: ['RICH_MEDIA', 'VIDEO'] }, /ad_types/],
    ['a reward for a banner', { rewardSettings: { unitAmount: '1', unitType: 'coins' } }, /only ad units .* REWARDED/],
    ['a reward of nothing', reward('0', 'coins'), /from 1 to 2147483647/],
    ['a reward beyond all', reward('2147483648', 'coins'), /from 1 to 2147483647/],
    ['a reward of no kind', reward('1', ''), /required: .*rewardSettings.unitType$/],
  ])('%s is refused, and nothing is created', (_what, more, reason) => {
    const { appId, refused, list } = made();
    const body = { appId, ...BANNER, ...more };
    const refusal = refused('adUnits.create', { path: { parent: PUBLISHER }, body });
    expect(refusal).toMatch(/^400 /);
    expect(refusal).toMatch(reason);
    expect(list('adUnits')).toEqual({});
  });

  test('an app of another publisher is none of this one', () => {
    const { appId, refused } = made();
    const sent = { path: { parent: 'accounts/pub-7' }, body: { appId, ...BANNER } };
    expect(refused('adUnits.create', sent)).toMatch(/^400 invalid: .* is no app of accounts\/pub-7\.$/);
    // K1: the digits of another publisher before an app that this one has.
    const theirs = appId.replace(DIGITS, '7');
    expect(refused('adUnits.create', { path: { parent: PUBLISHER }, body: { appId: theirs, ...BANNER } })).toMatch(
      /^400 invalid: .* is no app of accounts\/pub-1234567890123456\.$/,
    );
    const stolen = appId.replace(DIGITS, '7');
    expect(refused('adUnits.create', { ...sent, body: { appId: stolen, ...BANNER } })).toMatch(/^400 invalid: /);
  });

  test('are found by their app', () => {
    const { appId, create, list } = made();
    const unit = create('adUnits', { appId, ...BANNER });
    const targeting = { platform: 'ANDROID', format: 'BANNER', adUnitIds: [unit['adUnitId'] ?? ''] };
    const group = create('mediationGroups', { displayName: 'Group', targeting });
    const found = (app: string) =>
      itemsOf(list('mediationGroups', { filter: `CONTAINS_ANY(APP_IDS, "${app}")` }), 'mediationGroups');
    expect(found(appId).map(({ name }) => name)).toEqual([group['name']]);
    expect(found(`ca-app-pub-${DIGITS}~0000000000`)).toEqual([]);
  });
});
