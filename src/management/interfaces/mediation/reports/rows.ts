import { getObjectMember, getTextMember, type JsonObject } from '../../../../lib/json.ts';
import { DAY_MS, formatIsoTimestamp } from '../../../../lib/time.ts';
import { hashNumber } from '../../../core/engine/hash.ts';
import type { Context } from '../../../core/engine/operation.ts';
import type { ResourceRow } from '../../../core/engine/stored-row.ts';
import { ADMOB_NETWORK, findAdSource, MEDIATION, type Publisher } from '../rows.ts';
import { refuseMediationField } from '../refusals.ts';
import { DIMENSIONS, type Dimension, type ReportKind, type ReportSpec } from './schemas.ts';

const COUNTS = ['AD_REQUESTS', 'MATCHED_REQUESTS', 'IMPRESSIONS', 'CLICKS', 'ESTIMATED_EARNINGS'];

export const networkReport: ReportKind = {
  dimensions: DIMENSIONS,
  metrics: [...COUNTS, 'IMPRESSION_CTR', 'IMPRESSION_RPM', 'MATCH_RATE', 'SHOW_RATE'],
};
export const mediationReport: ReportKind = {
  dimensions: [...DIMENSIONS, 'AD_SOURCE'],
  metrics: [...COUNTS, 'IMPRESSION_CTR', 'MATCH_RATE', 'OBSERVED_ECPM'],
};

/** Where the made-up people are. */
const COUNTRIES = ['DE', 'JP', 'US'];
/** Figures that one report is made of: days, by ad units, by countries. */
const MAX_FIGURES = 20_000;
const PLATFORM_NAMES: ReadonlyMap<string, string> = new Map([
  ['ANDROID', 'Android'],
  ['IOS', 'iOS'],
]);

/** A value of a dimension, with what people read for it. */
type Value = { value: string; displayLabel?: string };
/** What one ad unit did on a day in a country; also a sum of such. */
type Figures = { requests: number; matched: number; impressions: number; clicks: number; micros: number };
type Group = { values: Record<string, Value>; figures: Figures };

/** The rows of a report, in their order, cut where the caller wants fewer; `count` is of all. */
export function buildReportRows(
  spec: ReportSpec,
  publisher: Publisher,
  context: Context,
): { rows: readonly JsonObject[]; count: number } {
  const groups = new Map<string, Group>();
  for (const { values, figures } of listFigures(spec, publisher, context)) {
    if (!spec.filters.every(({ dimension, values: any }) => any.includes(values[dimension]?.value ?? ''))) continue;
    const shown = Object.fromEntries(spec.dimensions.map((name) => [name, values[name] ?? { value: '' }]));
    const key = JSON.stringify(spec.dimensions.map((name) => shown[name]?.value));
    const before = groups.get(key);
    groups.set(key, { values: shown, figures: before === undefined ? figures : addFigures(before.figures, figures) });
  }
  const sorted = [...groups.values()].toSorted((a, b) => compareGroups(a, b, spec));
  const rows = sorted.slice(0, spec.maxRows).map(({ values, figures }) => ({
    row: {
      ...(spec.dimensions.length > 0 && { dimensionValues: values }),
      metricValues: Object.fromEntries(spec.metrics.map((metric) => [metric, formatMetric(metric, figures)])),
    },
  }));
  return { rows, count: sorted.length };
}

/** The figures of a sandbox up to today; none of a live tenant. */
function* listFigures(spec: ReportSpec, { name }: Publisher, context: Context): Generator<Group> {
  if (context.tenant.mode !== 'sandbox') return;
  const today = formatIsoTimestamp(context.now()).slice(0, 10);
  const days = spec.days.filter((day) => day <= today);
  const limit = Math.floor(MAX_FIGURES / Math.max(days.length * COUNTRIES.length, 1)) + 1;
  const units = context.store.list({ collection: MEDIATION.adUnits, parent: name, limit });
  if (units.length * days.length * COUNTRIES.length > MAX_FIGURES)
    throw refuseMediationField('report_spec.date_range', 'it has too many days for so many ad units: ask for fewer');
  for (const { row } of units) {
    const fixed = describeUnit(row, name, context);
    for (const day of days)
      for (const country of COUNTRIES)
        yield {
          values: { ...fixed, ...describeDay(day), COUNTRY: { value: country } },
          figures: generateFigures(`${row.id} ${day} ${country}`),
        };
  }
}

function describeUnit({ body }: ResourceRow, publisher: string, { store }: Context): Partial<Record<Dimension, Value>> {
  const appId = getTextMember(body, 'appId');
  const app = store.get(MEDIATION.apps, publisher, appId.slice(appId.indexOf('~') + 1));
  const appBody = app?.body ?? {};
  const [linked, manual] = [getObjectMember(appBody, 'linkedAppInfo'), getObjectMember(appBody, 'manualAppInfo')];
  const appName = getTextMember(linked, 'displayName') || getTextMember(manual, 'displayName') || appId;
  const platform = getTextMember(appBody, 'platform');
  return {
    AD_UNIT: { value: getTextMember(body, 'adUnitId'), displayLabel: getTextMember(body, 'displayName') },
    APP: { value: appId, displayLabel: appName },
    FORMAT: { value: getTextMember(body, 'adFormat') },
    PLATFORM: { value: PLATFORM_NAMES.get(platform) ?? platform },
    AD_SOURCE: { value: ADMOB_NETWORK, displayLabel: findAdSource(ADMOB_NETWORK)?.title ?? '' },
  };
}

/** A day, its month, and the Sunday that its week begins with. */
function describeDay(day: string): Partial<Record<Dimension, Value>> {
  const ms = Date.parse(`${day}T00:00:00Z`);
  const sunday = formatIsoTimestamp(ms - new Date(ms).getUTCDay() * DAY_MS).slice(0, 10);
  return {
    DATE: { value: day.replaceAll('-', '') },
    MONTH: { value: day.slice(0, 7).replace('-', '') },
    WEEK: { value: sunday.replaceAll('-', '') },
  };
}

/** The same for the same text: some hundred requests, most matched and shown, a few clicked. */
function generateFigures(seed: string): Figures {
  const drawn = hashNumber(seed);
  const requests = 200 + (drawn % 1_800);
  const matched = Math.floor((requests * (80 + (drawn % 19))) / 100);
  const impressions = Math.floor((matched * (60 + (drawn % 37))) / 100);
  const clicks = Math.floor((impressions * (1 + (drawn % 4))) / 100);
  return { requests, matched, impressions, clicks, micros: impressions * (500 + (drawn % 4_500)) };
}

const addFigures = (a: Figures, b: Figures): Figures => ({
  requests: a.requests + b.requests,
  matched: a.matched + b.matched,
  impressions: a.impressions + b.impressions,
  clicks: a.clicks + b.clicks,
  micros: a.micros + b.micros,
});

const computeRatio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** The number of a metric: counts, rates from 0 to 1, micros. */
function computeMetric(metric: string, { requests, matched, impressions, clicks, micros }: Figures): number {
  const byName: Readonly<Record<string, number>> = {
    AD_REQUESTS: requests,
    MATCHED_REQUESTS: matched,
    IMPRESSIONS: impressions,
    CLICKS: clicks,
    ESTIMATED_EARNINGS: micros,
    IMPRESSION_CTR: computeRatio(clicks, impressions),
    IMPRESSION_RPM: computeRatio(micros, impressions) / 1_000,
    MATCH_RATE: computeRatio(matched, requests),
    SHOW_RATE: computeRatio(impressions, matched),
    OBSERVED_ECPM: Math.round(computeRatio(micros, impressions) * 1_000),
  };
  return byName[metric] ?? 0;
}

const MICROS: ReadonlySet<string> = new Set(['ESTIMATED_EARNINGS', 'OBSERVED_ECPM']);

function formatMetric(metric: string, figures: Figures): JsonObject {
  const value = computeMetric(metric, figures);
  if (MICROS.has(metric)) return { microsValue: String(value) };
  return COUNTS.includes(metric) ? { integerValue: String(value) } : { doubleValue: value };
}

function compareGroups(a: Group, b: Group, { sorts, dimensions }: ReportSpec): number {
  for (const { by, isMetric, descending } of sorts) {
    const order = isMetric
      ? computeMetric(by, a.figures) - computeMetric(by, b.figures)
      : compareValues(a.values[by], b.values[by]);
    if (order !== 0) return descending ? -order : order;
  }
  return dimensions.map((name) => compareValues(a.values[name], b.values[name])).find((order) => order !== 0) ?? 0;
}

function compareValues(a: Value | undefined, b: Value | undefined): number {
  const [left, right] = [a?.value ?? '', b?.value ?? ''];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
