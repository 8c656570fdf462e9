import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/lib/json.ts';
import { testTenant } from '../../../../support/management/management.ts';
import {
  ADMOB,
  FOREIGN_UNIT,
  grouped,
  type Grouped,
  LINE,
  lineOf,
  OTHER_UNIT,
  PUBLISHER,
  text,
  UNIT,
  UNITY,
} from './grouped.ts';

/** Three groups A, B and C that differ in everything that can be filtered by. */
function filled(): { all: Grouped; app: string; idOfA: string } {
  const all = grouped();
  const { create, patch, tenant } = all;
  const app = text(
    tenant.ok('admob.accounts.apps.create', {
      path: { parent: PUBLISHER },
      body: { platform: 'ANDROID', manualAppInfo: { displayName: 'App' } },
    })['appId'],
  );
  const unit = text(
    tenant.ok('admob.accounts.adUnits.create', {
      path: { parent: PUBLISHER },
      body: { appId: app, displayName: 'Unit', adFormat: 'BANNER', adTypes: ['RICH_MEDIA'] },
    })['adUnitId'],
  );
  const android = { platform: 'ANDROID', format: 'BANNER' };
  const a = create({
    displayName: 'A',
    targeting: { ...android, adUnitIds: [UNIT, unit], targetedRegionCodes: ['US', 'DE'] },
    mediationGroupLines: { '-1': LINE },
  });
  create({ displayName: 'B, "too"', state: 'DISABLED', targeting: { ...android, platform: 'IOS', adUnitIds: [UNIT] } });
  const c = create({
    displayName: 'C',
    targeting: { ...android, format: 'NATIVE', adUnitIds: [OTHER_UNIT], targetedRegionCodes: ['FR'] },
    mediationGroupLines: { '-1': LINE },
  });
  const { id } = lineOf(c);
  patch(c, `mediationGroupLines["${id}"].state`, { mediationGroupLines: { [id]: { state: 'REMOVED' } } });
  return { all, app, idOfA: text(a['mediationGroupId']) };
}

const namesOf = (groups: readonly JsonObject[]): string =>
  groups
    .map(({ displayName }) => text(displayName).slice(0, 1))
    .toSorted()
    .join('');

describe('a filter of groups', () => {
  let world: ReturnType<typeof filled>;
  beforeAll(() => {
    world = filled();
  });

  test.each([
    ['', 'ABC'],
    ['  ', 'ABC'],
    ['IN(DISPLAY_NAME, "A")', 'A'],
    ['IN(DISPLAY_NAME, "a")', ''],
    ['IN(DISPLAY_NAME,"A","C")', 'AC'],
    [String.raw`IN(DISPLAY_NAME, "B, \"too\"")`, 'B'],
    [`IN(DISPLAY_NAME, 'B, "too"')`, 'B'],
    ['IN(PLATFORM, "ANDROID")', 'AC'],
    ['IN(PLATFORM, "iOS")', 'B'],
    ['IN(PLATFORM, IOS)', 'B'],
    ['IN(FORMAT, "banner", "NATIVE")', 'ABC'],
    ['IN(STATE, "DISABLED")', 'B'],
    ['IN(STATE,"enabled")', 'AC'],
    ['IN(\tSTATE ,\n"DISABLED"\r\n)\nAND\tIN\t(PLATFORM,\t"IOS")', 'B'],
    ['IN(STATE, "NOT_RUNNING")', 'ABC'],
    ['IN(STATE, "RUNNING")', ''],
    [`CONTAINS_ANY(AD_SOURCE_IDS, "${UNITY}")`, 'A'],
    [`CONTAINS_ANY(AD_SOURCE_IDS, "${ADMOB}")`, 'ABC'],
    [`CONTAINS_ANY(AD_UNIT_IDS, "${UNIT}")`, 'AB'],
    ['CONTAINS_ANY(AD_UNIT_IDS, "2345678901", "1")', 'C'],
    [`CONTAINS_ANY(AD_UNIT_IDS, "${FOREIGN_UNIT}")`, ''],
    ['CONTAINS_ANY(TARGETED_REGION_CODES, "de", "FR")', 'AC'],
    ['CONTAINS_ANY(APP_IDS, "ca-app-pub-1~1")', ''],
    [`IN(PLATFORM, "ANDROID") AND CONTAINS_ANY(AD_UNIT_IDS, "${UNIT}")`, 'A'],
    ['IN( FORMAT , "BANNER" ) AND IN(STATE,"ENABLED") AND IN(DISPLAY_NAME,"A","B")', 'A'],
  ])('lets through by %s: %s', (filter, names) => {
    expect(namesOf(world.all.list({ filter }))).toBe(names);
  });

  test('lets through by the app of an ad unit, and by the id of a group', () => {
    const { all, app, idOfA } = world;
    expect(namesOf(all.list({ filter: `CONTAINS_ANY(APP_IDS, "${app}")` }))).toBe('A');
    expect(namesOf(all.list({ filter: `IN(MEDIATION_GROUP_ID, "${idOfA}")` }))).toBe('A');
  });

  test('looks up no app of another publisher', () => {
    const queries: string[] = [];
    const { list } = grouped(testTenant(undefined, (query) => queries.push(query)));
    const count = (filter: string): number => {
      queries.length = 0;
      expect(list({ filter })).toEqual([]);
      return queries.length;
    };
    list(); // The first call of a publisher writes it down.
    const foreign = Array.from({ length: 50 }, (_, at) => `"ca-app-pub-1~${1_000_000_000 + at}"`).join(',');
    const own = PUBLISHER.replace('accounts/', 'ca-app-');
    expect(count(`CONTAINS_ANY(APP_IDS, ${foreign}, "x")`)).toBe(count('CONTAINS_ANY(APP_IDS, "x")'));
    expect(count(`CONTAINS_ANY(APP_IDS, "${own}~1")`)).toBe(count('CONTAINS_ANY(APP_IDS, "x")') + 1);
  });

  test('fills pages with what it lets through', () => {
    const list = 'admob.accounts.mediationGroups.list';
    const query = { filter: 'IN(PLATFORM, "ANDROID")', pageSize: 1 };
    const sent = { path: { parent: PUBLISHER }, query };
    const first = world.all.tenant.ok(list, sent);
    const pageToken = text(first['nextPageToken']);
    const second = world.all.tenant.ok(list, { ...sent, query: { ...query, pageToken } });
    expect(first['mediationGroups']).toHaveLength(1);
    expect(second['mediationGroups']).toHaveLength(1);
    expect(second).not.toHaveProperty('nextPageToken');
    const other = { ...query, filter: 'IN(PLATFORM, "IOS")', pageToken };
    expect(world.all.tenant.refused(list, { ...sent, query: other })).toBe('400 invalid: Invalid Input: pageToken');
  });

  test.each([
    ['a word', 'x'],
    ['no values', 'IN(STATE)'],
    ['no value after a comma', 'IN(STATE,)'],
    ['no end', 'IN(STATE,"x"'],
    ['no end of a text', 'IN(STATE,"x)'],
    ['something behind', 'IN(STATE,"x"))'],
    ['two functions without AND', 'IN(STATE,"x") IN(STATE,"y")'],
    ['OR', 'IN(STATE,"x") OR IN(STATE,"y")'],
    ['NOT', 'NOT IN(STATE,"x")'],
    ['AND at the end', 'IN(STATE,"x") AND'],
    ['AND at the beginning', 'AND IN(STATE,"x")'],
    ['AND and nothing between', 'IN(STATE,"x") AND AND IN(STATE,"y")'],
    ['another function', 'LIKE(STATE,"x")'],
    ['a function in small letters', 'in(STATE,"x")'],
    ['a comparison', 'STATE="ENABLED"'],
    ['a field that there is not', 'IN(NAME,"x")'],
    ['a field in small letters', 'IN(state,"x")'],
    ['a field of the object prototype', 'IN(constructor,"x")'],
    ['IN of a field with several values', 'IN(AD_UNIT_IDS,"x")'],
    ['CONTAINS_ANY of a field with one value', 'CONTAINS_ANY(STATE,"x")'],
    ['21 functions', Array.from({ length: 21 }, () => 'IN(STATE,"x")').join(' AND ')],
    ['1,001 values', `IN(STATE${',x'.repeat(1_001)})`],
    ['101 apps', `CONTAINS_ANY(APP_IDS${',x'.repeat(101)})`],
    ['20,001 characters', `IN(STATE,"${'x'.repeat(19_989)}")`],
  ])('is refused with %s', (_what, filter) => {
    const sent = { path: { parent: PUBLISHER }, query: { filter } };
    const refused = world.all.tenant.refused('admob.accounts.mediationGroups.list', sent);
    expect(refused).toMatch(/^400 invalid: Invalid value for filter: /);
    expect(refused.length).toBeLessThan(400);
  });
});
