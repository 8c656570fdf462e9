import {
  getMember,
  getObjectMember,
  getTextList,
  getTextMember,
  toObjects,
  type JsonObject,
} from '../../../../lib/json.ts';
import { DAY_MS, formatIsoTimestamp } from '../../../../lib/time.ts';
import { refuseMediationField } from '../refusals.ts';

/** What a report may be grouped by here; the vendor has more, which no ad unit says anything of. */
export const DIMENSIONS = ['DATE', 'WEEK', 'MONTH', 'AD_UNIT', 'APP', 'COUNTRY', 'FORMAT', 'PLATFORM'] as const;
export type Dimension = (typeof DIMENSIONS)[number] | 'AD_SOURCE';

/** The longest range, in days. */
const MAX_DAYS = 400;
const MAX_ROWS = 100_000;

export type ReportKind = {
  dimensions: readonly string[];
  metrics: readonly string[];
};

/** What a report asks for, judged. */
export type ReportSpec = {
  /** `2026-11-25`, in order. */
  days: readonly string[];
  dateRange: JsonObject;
  dimensions: readonly string[];
  metrics: readonly string[];
  filters: readonly { dimension: string; values: readonly string[] }[];
  sorts: readonly { by: string; isMetric: boolean; descending: boolean }[];
  maxRows: number;
  currencyCode: string;
  languageCode: string;
};

/** @throws Refusal 400 for what a report of this kind has not */
export function readReportSpec(body: JsonObject, kind: ReportKind): ReportSpec {
  const spec = getObjectMember(body, 'reportSpec');
  const metrics = getTextList(spec, 'metrics');
  const dimensions = getTextList(spec, 'dimensions');
  if (metrics.length === 0) throw refuseMediationField('report_spec.metrics', 'a report has at least one metric');
  requireWords('report_spec.metrics', metrics, kind.metrics);
  requireWords('report_spec.dimensions', dimensions, kind.dimensions);
  const zone = getTextMember(spec, 'timeZone');
  if (zone !== '' && zone !== 'America/Los_Angeles')
    throw refuseMediationField('report_spec.time_zone', 'America/Los_Angeles is the only one');
  const localization = getObjectMember(spec, 'localizationSettings');
  return {
    ...readDays(getObjectMember(spec, 'dateRange')),
    dimensions,
    metrics,
    filters: readFilters(spec, kind),
    sorts: readSorts(spec, { dimensions, metrics }),
    maxRows: readMaxRows(getMember(spec, 'maxReportRows')),
    currencyCode: getTextMember(localization, 'currencyCode') || 'USD',
    languageCode: getTextMember(localization, 'languageCode') || 'en-US',
  };
}

function requireWords(field: string, words: readonly string[], known: readonly string[]): void {
  const strange = words.find((word) => !known.includes(word));
  if (strange !== undefined) throw refuseMediationField(field, `here it is one of ${known.join(', ')}`);
  if (new Set(words).size !== words.length) throw refuseMediationField(field, 'each is named once');
}

function readDays(range: JsonObject): Pick<ReportSpec, 'days' | 'dateRange'> {
  const [startDate, endDate] = [getObjectMember(range, 'startDate'), getObjectMember(range, 'endDate')];
  const [from, until] = [readDay(startDate, 'start_date'), readDay(endDate, 'end_date')];
  if (until < from) throw refuseMediationField('report_spec.date_range', 'it ends before it starts');
  const count = (until - from) / DAY_MS + 1;
  if (count > MAX_DAYS) throw refuseMediationField('report_spec.date_range', `it has at most ${MAX_DAYS} days`);
  const days = Array.from({ length: count }, (_, at) => formatIsoTimestamp(from + at * DAY_MS).slice(0, 10));
  return { days, dateRange: { startDate, endDate } };
}

function readDay(date: JsonObject, name: string): number {
  const [year, month, day] = ['year', 'month', 'day'].map((part) => Number(getMember(date, part) ?? 0));
  const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  const ms = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(ms) || !formatIsoTimestamp(ms).startsWith(text))
    throw refuseMediationField(`report_spec.date_range.${name}`, 'it is no day');
  return ms;
}

function readFilters(spec: JsonObject, { dimensions }: ReportKind): ReportSpec['filters'] {
  return toObjects(getMember(spec, 'dimensionFilters')).map((filter) => {
    const dimension = getTextMember(filter, 'dimension');
    requireWords('report_spec.dimension_filters.dimension', [dimension], dimensions);
    return { dimension, values: getTextList(getObjectMember(filter, 'matchesAny'), 'values') };
  });
}

function readSorts(spec: JsonObject, { dimensions, metrics }: ReportKind): ReportSpec['sorts'] {
  return toObjects(getMember(spec, 'sortConditions')).map((condition) => {
    const [dimension, metric] = [getTextMember(condition, 'dimension'), getTextMember(condition, 'metric')];
    const isMetric = metric !== '';
    if (isMetric === (dimension !== ''))
      throw refuseMediationField('report_spec.sort_conditions', 'it names a dimension or a metric');
    const by = isMetric ? metric : dimension;
    requireWords('report_spec.sort_conditions', [by], isMetric ? metrics : dimensions);
    return { by, isMetric, descending: getTextMember(condition, 'order') === 'DESCENDING' };
  });
}

function readMaxRows(sent: unknown): number {
  if (sent === undefined || sent === null || sent === 0) return MAX_ROWS;
  if (typeof sent === 'number' && sent >= 1 && sent <= MAX_ROWS) return sent;
  throw refuseMediationField('report_spec.max_report_rows', `it is from 1 to ${MAX_ROWS}`);
}
