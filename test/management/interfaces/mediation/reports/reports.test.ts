import { describe, expect, test } from 'vitest';
import { getObjectMember, isObject, type JsonObject } from '../../../../../src/lib/json.ts';
import { TENANT, testTenant } from '../../../../support/management/management.ts';
import { itemsOf, PUBLISHER, publishing, textOf, type Publishing } from '../publisher.ts';

const NETWORK = 'admob.v1.accounts.networkReport.generate';
const MEDIATION = 'admob.v1.accounts.mediationReport.generate';
const path = { parent: PUBLISHER };
const DAY = { year: 2026, month: 1, day: 5 };
const dateRange = { startDate: { year: 2026, month: 1, day: 1 }, endDate: DAY };

/** A publisher with an ad unit in an app of each platform. */
function withUnits(): Publishing {
  const mediation = publishing();
  for (const platform of ['ANDROID', 'IOS']) {
    const app = mediation.create('apps', { platform, manualAppInfo: { displayName: `App ${platform}` } });
    mediation.create('adUnits', {
      appId: textOf(app, 'appId'),
      displayName: `Banner ${platform}`,
      adFormat: 'BANNER',
      adTypes: ['RICH_MEDIA'],
    });
  }
  return mediation;
}

const partsOf = ({ tenant }: Publishing, spec: JsonObject, method = NETWORK): JsonObject[] =>
  itemsOf(tenant.ok(method, { path, body: { reportSpec: { dateRange, ...spec } } }), 'parts');
const rowsOf = (parts: readonly JsonObject[]): JsonObject[] => parts.flatMap(({ row }) => (isObject(row) ? [row] : []));
const valueOf = (row: JsonObject | undefined, name: string): string =>
  textOf(getObjectMember(getObjectMember(row ?? {}, 'dimensionValues'), name), 'value');
const countOf = (row: JsonObject | undefined, metric: string): number =>
  Number(textOf(getObjectMember(getObjectMember(row ?? {}, 'metricValues'), metric), 'integerValue'));

test('a report is a header, its rows and a footer that counts them', () => {
  const mediation = withUnits();
  const parts = partsOf(mediation, { dimensions: ['PLATFORM'], metrics: ['IMPRESSIONS', 'ESTIMATED_EARNINGS'] });
  expect(parts[0]).toEqual({
    header: {
      dateRange,
      localizationSettings: { currencyCode: 'USD', languageCode: 'en-US' },
      reportingTimeZone: 'America/Los_Angeles',
    },
  });
  expect(rowsOf(parts).map((row) => valueOf(row, 'PLATFORM'))).toEqual(['Android', 'iOS']);
  expect(parts.at(-1)).toEqual({ footer: { matchingRowCount: '2' } });
});

test('figures are the same each time, and those of a group are the sum of those in it', () => {
  const mediation = withUnits();
  const metrics = ['AD_REQUESTS', 'IMPRESSIONS'];
  const [total] = rowsOf(partsOf(mediation, { metrics }));
  for (const dimensions of [['DATE'], ['COUNTRY', 'AD_UNIT'], ['MONTH'], ['WEEK', 'APP']]) {
    const rows = rowsOf(partsOf(mediation, { dimensions, metrics }));
    for (const metric of metrics)
      expect(rows.reduce((sum, row) => sum + countOf(row, metric), 0)).toBe(countOf(total, metric));
  }
  expect(countOf(total, 'IMPRESSIONS')).toBeGreaterThan(0);
  expect(countOf(total, 'IMPRESSIONS')).toBeLessThan(countOf(total, 'AD_REQUESTS'));
});

test('days are shown as the vendor writes them, in order, and weeks by their Sunday', () => {
  const mediation = withUnits();
  const days = rowsOf(partsOf(mediation, { dimensions: ['DATE', 'WEEK'], metrics: ['CLICKS'] }));
  expect(days.map((row) => `${valueOf(row, 'DATE')} ${valueOf(row, 'WEEK')}`)).toEqual([
    '20260101 20251228',
    '20260102 20251228',
    '20260103 20251228',
    '20260104 20260104',
    '20260105 20260104',
  ]);
});

test('rows are filtered, sorted by a metric and cut; the footer counts all that fit', () => {
  const mediation = withUnits();
  const spec = {
    dimensions: ['DATE', 'COUNTRY'],
    metrics: ['CLICKS', 'IMPRESSION_CTR'],
    dimensionFilters: [{ dimension: 'COUNTRY', matchesAny: { values: ['US', 'DE'] } }],
    sortConditions: [{ metric: 'CLICKS', order: 'DESCENDING' }],
    maxReportRows: 4,
  };
  const parts = partsOf(mediation, spec);
  const clicks = rowsOf(parts).map((row) => countOf(row, 'CLICKS'));
  expect(clicks).toEqual(clicks.toSorted((a, b) => b - a));
  expect(clicks).toHaveLength(4);
  expect(new Set(rowsOf(parts).map((row) => valueOf(row, 'COUNTRY'))).has('JP')).toBe(false);
  expect(parts.at(-1)).toEqual({ footer: { matchingRowCount: '10' } });
});

test('a mediation report has the source of the ads, and its own metrics', () => {
  const mediation = withUnits();
  const parts = partsOf(mediation, { dimensions: ['AD_SOURCE'], metrics: ['OBSERVED_ECPM'] }, MEDIATION);
  expect(rowsOf(parts)).toMatchObject([
    {
      dimensionValues: { AD_SOURCE: { displayLabel: 'AdMob Network' } },
      metricValues: { OBSERVED_ECPM: { microsValue: expect.stringMatching(/^\d+$/) } },
    },
  ]);
});

test('a publisher without ad units, days to come and live tenants have no rows', () => {
  const spec = { metrics: ['CLICKS'] };
  const none = { footer: { matchingRowCount: '0' } };
  expect(partsOf(publishing(), spec)).toMatchObject([{ header: {} }, none]);
  const tomorrow = { startDate: { year: 2999, month: 1, day: 1 }, endDate: { year: 2999, month: 1, day: 2 } };
  expect(partsOf(withUnits(), { ...spec, dateRange: tomorrow }).slice(1)).toEqual([none]);
  const live = testTenant({ ...TENANT, mode: 'live' });
  const app = live.ok('admob.accounts.apps.create', { path, body: { platform: 'IOS' } });
  const body = { appId: textOf(app, 'appId'), displayName: 'Banner', adFormat: 'BANNER', adTypes: ['RICH_MEDIA'] };
  live.ok('admob.accounts.adUnits.create', { path, body });
  const answer = live.ok(NETWORK, { path, body: { reportSpec: { dateRange, ...spec } } });
  expect(itemsOf(answer, 'parts').slice(1)).toEqual([none]);
});

describe('a report is refused', () => {
  test.each<[string, JsonObject]>([
    ['report_spec.metrics', {}],
    ['report_spec.metrics', { metrics: ['OBSERVED_ECPM'] }],
    ['report_spec.metrics', { metrics: ['CLICKS', 'CLICKS'] }],
    ['report_spec.dimensions', { metrics: ['CLICKS'], dimensions: ['AD_SOURCE'] }],
    ['report_spec.date_range.start_date', { metrics: ['CLICKS'], dateRange: { endDate: DAY } }],
    [
      'report_spec.date_range.start_date',
      { metrics: ['CLICKS'], dateRange: { startDate: { year: 2026, month: 2, day: 30 }, endDate: DAY } },
    ],
    ['report_spec.date_range', { metrics: ['CLICKS'], dateRange: { startDate: DAY, endDate: dateRange.startDate } }],
    [
      'report_spec.date_range',
      { metrics: ['CLICKS'], dateRange: { startDate: { year: 2000, month: 1, day: 1 }, endDate: DAY } },
    ],
    ['report_spec.time_zone', { metrics: ['CLICKS'], timeZone: 'Europe/Berlin' }],
    ['report_spec.sort_conditions', { metrics: ['CLICKS'], sortConditions: [{ metric: 'IMPRESSIONS' }] }],
    ['report_spec.sort_conditions', { metrics: ['CLICKS'], sortConditions: [{}] }],
    ['report_spec.max_report_rows', { metrics: ['CLICKS'], maxReportRows: 100_001 }],
  ])('for %s: %j', (field, spec) => {
    const { tenant } = withUnits();
    const refusal = tenant.refused(NETWORK, { path, body: { reportSpec: { dateRange, ...spec } } });
    expect(refusal).toMatch(/^400 /);
    expect(refusal).toContain(field);
  });
});
