import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { findAdUnitMapping } from '../../../../src/management/interfaces/mediation/rows.ts';
import { itemsOf, MAPPING, PUBLISHER, publishing, UNIT, textOf } from './publisher.ts';

const MAPPINGS = 'adUnits.adUnitMappings';
const OTHER_UNIT = `${PUBLISHER}/adUnits/2222222222`;

describe('create', () => {
  test('gives a mapping its name, whatever was sent, and shows it as enabled', () => {
    const { create, list } = publishing();
    const mapping = create(MAPPINGS, { ...MAPPING, name: 'the seed sends one', state: 'STATE_UNSPECIFIED' }, UNIT);
    expect(mapping).toEqual({ ...MAPPING, name: mapping['name'], state: 'ENABLED' });
    expect(mapping['name']).toMatch(/^accounts\/pub-1234567890123456\/adUnits\/1111111111\/adUnitMappings\/\d{10}$/);
    expect(list(MAPPINGS, {}, UNIT)).toEqual({ adUnitMappings: [mapping] });
    expect(list(MAPPINGS, {}, OTHER_UNIT)).toEqual({});
    expect(list(MAPPINGS, {}, 'accounts/pub-7/adUnits/1111111111')).toEqual({});
  });

  test('takes what an adapter does not need as not given', () => {
    const { create } = publishing();
    expect(create(MAPPINGS, { adapterId: '107', adUnitConfigurations: { '1071': 'key' } }, UNIT)).toMatchObject({
      adUnitConfigurations: { '1071': 'key' },
    });
    expect(create(MAPPINGS, { adapterId: '101' }, UNIT)).toMatchObject({ adUnitConfigurations: {} });
  });

  test.each<[string, JsonObject, RegExp]>([
    ['no adapter', { adapterId: '' }, /required: .*adapterId$/],
    ['an unknown adapter', { adapterId: '999' }, /adapterId: "999" is the id of no adapter/],
    ['an ad source in the place of an adapter', { adapterId: '1063618907739174004' }, /is the id of no adapter/],
    ['a setting of another adapter', { adUnitConfigurations: { '1071': 'k', '1081': 'x' } }, /"1081" is none of/],
    [
      'a setting that all objects have',
      { adUnitConfigurations: { '1071': 'k', constructor: 'x' } },
      /"constructor" is/,
    ],
    ['a required setting left out', { adUnitConfigurations: { '1072': 'z' } }, /"1071" \(SDK Key\) is missing/],
    ['an empty setting', { adUnitConfigurations: { '1071': ' ' } }, /the value of "1071" is empty/],
    ['a long setting', { adUnitConfigurations: { '1071': 'x'.repeat(1_025) } }, /it has more than 1024 characters/],
    ['a long name', { displayName: 'x'.repeat(256) }, /it has more than 255 characters/],
  ])('refuses %s, and creates nothing', (_what, more, reason) => {
    const { refused, list } = publishing();
    const refusal = refused(`${MAPPINGS}.create`, { path: { parent: UNIT }, body: { ...MAPPING, ...more } });
    expect(refusal).toMatch(/^400 /);
    expect(refusal).toMatch(reason);
    expect(list(MAPPINGS, {}, UNIT)).toEqual({});
  });

  test.each(['1', '11111111111', 'ca-app-pub-1~1111111111', '１１１１１１１１１１', '-'])(
    'and listing refuse the ad unit %s',
    (fragment) => {
      const { refused } = publishing();
      const path = { parent: `${PUBLISHER}/adUnits/${fragment}` };
      const expected = /^400 invalid: .*is not accounts\/pub-\[PUBLISHER_DIGITS\]\/adUnits\/\[10 DIGITS\]\.$/;
      expect(refused(`${MAPPINGS}.create`, { path, body: MAPPING })).toMatch(expected);
      expect(refused(`${MAPPINGS}.list`, { path })).toMatch(expected);
    },
  );
});

describe('list', () => {
  const three = () => {
    const world = publishing();
    for (const [displayName, adapterId] of [
      ['A', '101'],
      ['B', '102'],
      ['say "so", b\\c', '102'],
    ] as const)
      world.create(MAPPINGS, { displayName, adapterId }, UNIT);
    world.create(MAPPINGS, { displayName: 'A', adapterId: '101' }, OTHER_UNIT);
    const names = (query: Record<string, string | number>): string[] =>
      itemsOf(world.list(MAPPINGS, query, UNIT), 'adUnitMappings').map((each) => textOf(each, 'displayName'));
    return { ...world, names };
  };

  test.each([
    ['IN(DISPLAY_NAME, "A", "B")', ['A', 'B']],
    ['IN(DISPLAY_NAME,"a")', []],
    ['IN(ADAPTER_ID, "102")', ['B', 'say "so", b\\c']],
    ['IN(ADAPTER_ID, 102) AND IN(DISPLAY_NAME, "A", "B")', ['B']],
    ['IN(DISPLAY_NAME, "say \\"so\\", b\\\\c")', ['say "so", b\\c']],
    ['', ['A', 'B', 'say "so", b\\c']],
  ])('filters by %s', (filter, expected) => {
    expect(three().names({ filter }).toSorted()).toEqual(expected);
  });

  test.each([
    'IN(STATE, "ENABLED")',
    'CONTAINS_ANY(DISPLAY_NAME, "A")',
    'IN(DISPLAY_NAME)',
    'IN(DISPLAY_NAME, "A") OR IN(DISPLAY_NAME, "B")',
    'IN(DISPLAY_NAME, "A") IN(DISPLAY_NAME, "B")',
    'IN(DISPLAY_NAME, "A") AND',
    'IN(DISPLAY_NAME, "A',
    'IN(__proto__, "A")',
    'DISPLAY_NAME = "A"',
    Array.from({ length: 21 }, () => 'IN(ADAPTER_ID, "1")').join(' AND '),
    `IN(ADAPTER_ID, ${Array.from({ length: 1_001 }, () => '1').join(',')})`,
  ])('refuses the filter %s', (filter) => {
    const { refused } = three();
    expect(refused(`${MAPPINGS}.list`, { path: { parent: UNIT }, query: { filter } })).toMatch(
      /^400 invalid: Invalid value for filter: /,
    );
  });

  test('fills its pages with what matches, and ends with the last of them', () => {
    const { create, list } = publishing();
    for (let at = 0; at < 30; at += 1) create(MAPPINGS, { displayName: `n${at % 3}`, adapterId: '101' }, UNIT);
    const query = { filter: 'IN(DISPLAY_NAME, "n0")', pageSize: 4 };
    const sizes: number[] = [];
    let pageToken: string | undefined = '';
    while (pageToken !== undefined && sizes.length < 9) {
      const page = list(MAPPINGS, { ...query, pageToken }, UNIT);
      sizes.push(itemsOf(page, 'adUnitMappings').length);
      const next = page['nextPageToken'];
      pageToken = typeof next === 'string' ? next : undefined;
    }
    expect(sizes).toEqual([4, 4, 2]);
  });

  test('K9: a page of large mappings ends before its answer is too large', () => {
    const { tenant, list } = publishing();
    const { store } = tenant.context('admob.accounts.adUnits.adUnitMappings.create');
    const rows = Array.from({ length: 400 }, (_, at) => ({
      collection: 'mediation.ad-unit-mappings',
      parent: PUBLISHER,
      id: `1${String(at).padStart(9, '0')}`,
      s1: '1111111111',
      body: { displayName: 'x'.repeat(30_000) },
    }));
    store.insertMany(rows, []);
    const page = list(MAPPINGS, {}, UNIT);
    expect(itemsOf(page, 'adUnitMappings')).toHaveLength(199);
    expect(page).toHaveProperty('nextPageToken');
  });
});

describe('batchCreate', () => {
  const requests = (count: number, last: JsonObject = {}) =>
    Array.from({ length: count }, (_, at) => ({
      parent: at % 2 === 0 ? UNIT : OTHER_UNIT,
      adUnitMapping: { adapterId: '101', displayName: `n${at}` },
      ...(at === count - 1 && last),
    }));
  const batch = (items: JsonObject[], parent = PUBLISHER) => ({ path: { parent }, body: { requests: items } });

  test('creates a hundred mappings of several ad units, in the order of the requests', () => {
    const { ok, list } = publishing();
    const made = itemsOf(ok('adUnitMappings.batchCreate', batch(requests(100))), 'adUnitMappings');
    expect(made.map(({ displayName }) => displayName)).toEqual(Array.from({ length: 100 }, (_, at) => `n${at}`));
    expect(itemsOf(list(MAPPINGS, {}, UNIT), 'adUnitMappings')).toHaveLength(50);
    expect(itemsOf(list(MAPPINGS, {}, OTHER_UNIT), 'adUnitMappings')).toHaveLength(50);
    expect(ok('list')).toMatchObject({ account: [{ name: PUBLISHER }] });
  });

  test('K9: needs some hundred statements for a hundred mappings', () => {
    const seen: string[] = [];
    const { ok } = publishing((query) => seen.push(query));
    const before = seen.length;
    ok('adUnitMappings.batchCreate', batch(requests(100)));
    expect(seen.length - before).toBeLessThanOrEqual(310);
  });

  test.each<[string, JsonObject[], RegExp]>([
    ['none', [], /required: .*requests$/],
    ['more than a hundred', requests(101), /at most 100 ad unit mappings/],
    ['one without a mapping', [{ parent: UNIT }], /required: .*requests\[0\]\.adUnitMapping$/],
    ['one without a parent', [{ adUnitMapping: MAPPING }], /requests\[0\]\.parent: /],
    [
      'one of another publisher',
      requests(3, { parent: 'accounts/pub-7/adUnits/1111111111' }),
      /requests\[2\]\.parent: /,
    ],
    [
      'one without an adapter',
      requests(3, { adUnitMapping: {} }),
      /required: .*requests\[2\]\.adUnitMapping\.adapterId$/,
    ],
    [
      'one with a strange setting',
      requests(3, { adUnitMapping: { adapterId: '101', adUnitConfigurations: { x: 'y' } } }),
      /requests\[2\]\.adUnitMapping\.adUnitConfigurations: "x"/,
    ],
  ])('refuses %s, and creates none of them', (_what, items, reason) => {
    const { ok, refused, list } = publishing();
    const refusal = refused('adUnitMappings.batchCreate', batch(items));
    expect(refusal).toMatch(/^400 /);
    expect(refusal).toMatch(reason);
    expect(ok('list')).toEqual({});
    expect(list(MAPPINGS, {}, UNIT)).toEqual({});
  });

  test('K9: a publisher has at most 10,000 mappings; a batch that does not fit is refused whole', () => {
    const { tenant, ok, refused } = publishing();
    const { store } = tenant.context('admob.accounts.adUnitMappings.batchCreate');
    const rows = Array.from({ length: 9_998 }, (_, at) => ({
      collection: 'mediation.ad-unit-mappings',
      parent: PUBLISHER,
      id: String(at),
      body: {},
    }));
    store.insertMany(rows, []);
    expect(refused('adUnitMappings.batchCreate', batch(requests(3)))).toBe(
      '429 quotaExceeded: A publisher has at most 10000 ad unit mappings',
    );
    ok('adUnitMappings.batchCreate', batch(requests(2)));
    expect(refused(`${MAPPINGS}.create`, { path: { parent: UNIT }, body: MAPPING })).toMatch(/^429 /);
  });
});

test('a mapping is found by its whole name only', () => {
  const { tenant, create } = publishing();
  const name = textOf(create(MAPPINGS, MAPPING, UNIT), 'name');
  const context = tenant.context('admob.accounts.mediationGroups.patch');
  expect(findAdUnitMapping(name, context)?.body).toMatchObject({ name, adapterId: '107' });
  const others = [
    name.replace('1111111111', '2222222222'),
    name.replace(PUBLISHER, 'accounts/pub-7'),
    `${name}0`,
    `${name}/x`,
    '',
  ];
  expect(others.map((other) => findAdUnitMapping(other, context))).toEqual(others.map(() => undefined));
});
