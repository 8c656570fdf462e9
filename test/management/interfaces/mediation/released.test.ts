import { expect, test } from 'vitest';
import { DIGITS, itemsOf, PUBLISHER, publishing, textOf } from './publisher.ts';

const parent = PUBLISHER;

test('the released version lists what the beta made, without the fields that it has not', () => {
  const { create, tenant, list } = publishing();
  const app = create('apps', { platform: 'ANDROID', linkedAppInfo: { appStoreId: 'com.example.myapp' } });
  const unit = create('adUnits', {
    appId: textOf(app, 'appId'),
    displayName: 'Prize',
    adFormat: 'REWARDED',
    adTypes: ['VIDEO'],
    rewardSettings: { unitAmount: '3', unitType: 'coins' },
  });
  expect(unit).toHaveProperty('rewardSettings');
  const [shownApp] = itemsOf(tenant.ok('admob.v1.accounts.apps.list', { path: { parent } }), 'apps');
  const { linkedAppInfo: _, ...rest } = app;
  expect(shownApp).toEqual({ ...rest, linkedAppInfo: { appStoreId: 'com.example.myapp' } });
  const [shownUnit] = itemsOf(tenant.ok('admob.v1.accounts.adUnits.list', { path: { parent } }), 'adUnits');
  const { rewardSettings: __, ...withoutReward } = unit;
  expect(shownUnit).toEqual(withoutReward);
  expect(list('adUnits')).toEqual({ adUnits: [unit] });
});

test('its pages go on where they end, by tokens of its own', () => {
  const { create, tenant, list } = publishing();
  for (const name of ['a', 'b', 'c']) create('apps', { platform: 'IOS', manualAppInfo: { displayName: name } });
  const first = tenant.ok('admob.v1.accounts.apps.list', { path: { parent }, query: { pageSize: 2 } });
  const query = { pageSize: 2, pageToken: textOf(first, 'nextPageToken') };
  const second = tenant.ok('admob.v1.accounts.apps.list', { path: { parent }, query });
  expect([...itemsOf(first, 'apps'), ...itemsOf(second, 'apps')]).toEqual(itemsOf(list('apps'), 'apps'));
  expect(tenant.refused('admob.accounts.apps.list', { path: { parent }, query })).toMatch(/^400 /);
});

test('an account that a call of it names is in the lists of both versions', () => {
  const { tenant, ok } = publishing();
  const account = tenant.ok('admob.v1.accounts.get', { path: { name: PUBLISHER } });
  expect(account).toMatchObject({ name: PUBLISHER, publisherId: `pub-${DIGITS}` });
  expect(tenant.ok('admob.v1.accounts.list')).toEqual({ account: [account] });
  expect(ok('list')).toEqual({ account: [account] });
});
