import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { findAdapter, ADMOB_NETWORK, findAdSource } from '../../../../src/management/interfaces/mediation/rows.ts';
import { AD_SOURCES } from '../../../../src/management/interfaces/mediation/adapters-data.ts';
import { APPLOVIN, itemsOf, PUBLISHER, publishing, textOf } from './publisher.ts';

describe('the catalogue', () => {
  test('lists ad sources by id, under the publisher that is asked for', () => {
    const sources = itemsOf(publishing().list('adSources', {}, 'accounts/pub-7'), 'adSources');
    expect(sources).toHaveLength(26);
    expect(sources).toContainEqual({
      name: 'accounts/pub-7/adSources/5450213213286189855',
      adSourceId: '5450213213286189855',
      title: 'AdMob Network',
    });
    const ids = sources.map((source) => textOf(source, 'adSourceId'));
    expect(ids).toEqual(ids.toSorted());
  });

  test('has bidding and waterfall sources', () => {
    const kinds = Map.groupBy(AD_SOURCES, ({ kind }) => kind);
    expect([...kinds].map(([kind, rows]) => [kind, rows.length])).toEqual([
      ['network', 1],
      ['waterfall', 17],
      ['bidding', 8],
    ]);
  });

  test('has every ad source and adapter once, by digits', () => {
    const adapters = AD_SOURCES.flatMap(({ adapter }) => [adapter, adapter + 1]);
    expect(new Set(AD_SOURCES.map(({ id }) => id)).size).toBe(AD_SOURCES.length);
    expect(new Set(adapters).size).toBe(adapters.length);
    expect(AD_SOURCES.filter(({ id }) => !/^\d{16,20}$/.test(id))).toEqual([]);
  });

  test('is asked by id', () => {
    expect(findAdSource(ADMOB_NETWORK)).toEqual({ id: ADMOB_NETWORK, title: 'AdMob Network', kind: 'network' });
    expect(findAdapter('108')).toMatchObject({ adSourceId: APPLOVIN, platform: 'IOS' });
    expect([findAdSource('1'), findAdapter('1'), findAdapter('constructor')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

test('adapters say which settings a mapping must give', () => {
  const parent = `${PUBLISHER}/adSources/${APPLOVIN}`;
  const adapters = itemsOf(publishing().list('adSources.adapters', {}, parent), 'adapters');
  expect(adapters.map(({ adapterId, platform }) => [adapterId, platform])).toEqual([
    ['107', 'ANDROID'],
    ['108', 'IOS'],
  ]);
  expect(adapters[0]).toEqual({
    name: `${parent}/adapters/107`,
    adapterId: '107',
    title: 'AppLovin (Android)',
    platform: 'ANDROID',
    formats: ['BANNER', 'INTERSTITIAL', 'REWARDED', 'NATIVE', 'REWARDED_INTERSTITIAL', 'APP_OPEN'],
    adapterConfigMetadata: [
      { adapterConfigMetadataId: '1071', adapterConfigMetadataLabel: 'SDK Key', isRequired: true },
      { adapterConfigMetadataId: '1072', adapterConfigMetadataLabel: 'Zone ID', isRequired: false },
    ],
  });
});

const setting = (id: string, label: string, isRequired = true): JsonObject => ({
  adapterConfigMetadataId: id,
  adapterConfigMetadataLabel: label,
  isRequired,
});
const customEvent = (label: string, className: string, parameter: string): JsonObject[] => [
  setting(label, 'Label'),
  setting(className, 'Class Name'),
  setting(parameter, 'Parameter', false),
];

test('custom events have the ids that the vendor’s sample code has', () => {
  const parent = `${PUBLISHER}/adSources/18351550913290782395`;
  const adapters = itemsOf(publishing().list('adSources.adapters', {}, parent), 'adapters');
  const shown = adapters.map(({ adapterId, platform, adapterConfigMetadata: settings }) => [
    adapterId,
    platform,
    settings,
  ]);
  expect(shown).toEqual([
    ['12', 'ANDROID', customEvent('13', '14', '15')],
    ['13', 'IOS', customEvent('16', '17', '18')],
  ]);
});

test('every source has an adapter for either platform', () => {
  const { list } = publishing();
  const platforms = AD_SOURCES.map(({ id }) =>
    itemsOf(list('adSources.adapters', {}, `${PUBLISHER}/adSources/${id}`), 'adapters').map(({ platform }) => platform),
  );
  expect(new Set(platforms.map((each) => JSON.stringify(each)))).toEqual(new Set(['["ANDROID","IOS"]']));
});

test.each(['1', 'none', 'constructor', `${APPLOVIN}0`])(
  'the adapters of the unknown ad source %s are not found',
  (id) => {
    const parent = `${PUBLISHER}/adSources/${id}`;
    expect(publishing().refused('adSources.adapters.list', { path: { parent } })).toBe(
      `404 notFound: Resource not found: ${parent}`,
    );
  },
);

test('lists go on by pages, and take no token of another publisher', () => {
  const { list, refused } = publishing();
  const first = list('adSources', { pageSize: 20 });
  const pageToken = textOf(first, 'nextPageToken');
  expect(itemsOf(first, 'adSources')).toHaveLength(20);
  const second = list('adSources', { pageSize: 20, pageToken });
  expect(itemsOf(second, 'adSources')).toHaveLength(6);
  expect(second).not.toHaveProperty('nextPageToken');
  expect(refused('adSources.list', { path: { parent: 'accounts/pub-7' }, query: { pageSize: 20, pageToken } })).toBe(
    '400 invalid: Invalid Input: pageToken',
  );
  expect(refused('adSources.list', { path: { parent: PUBLISHER }, query: { pageSize: -1 } })).toMatch(/^400 invalid: /);
});
