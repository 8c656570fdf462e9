import type { JsonObject } from '../lib/json.ts';
import { applyFields, type Mask, parseMask } from '../lib/member-mask.ts';
import { type BoughtResult, parseBought } from './bought.ts';
import { formatReportUrl, type ReportPlace } from './links.ts';
import { buildStandard } from './standard.ts';
import { buildSummary } from './summary.ts';

/** The sizes in which a result is read. */
export const resultViews = ['summary', 'standard', 'full'] as const;
export type ResultView = (typeof resultViews)[number];

/** Longest `fields`, in characters: as with calls of the management interfaces. */
const MAX_FIELDS_CHARS = 20_000;
/** Characters of a Prefer header that are read. */
const MAX_PREFER_CHARS = 1_000;

/** How a result is to be read. `applied`: the preference of the caller that decided it, for `Preference-Applied`. */
export type Reading = { view: ResultView; mask?: Mask | undefined; applied?: string | undefined };

/** What a request says of it. */
export type ReadingRequest = {
  view?: string | undefined;
  fields?: string | undefined;
  prefer?: string | null | undefined;
};

export type ParsedReading =
  | { ok: true; reading: Reading }
  | { ok: false; reason: 'invalid_view' | 'invalid_fields'; detail: string };

/** `?view=` decides; without it `Prefer: return=minimal` or `return=representation` (RFC 7240); else `fallback`. */
export function parseReading({ view, fields, prefer }: ReadingRequest, fallback: ResultView): ParsedReading {
  if (view !== undefined && !isResultView(view)) {
    return { ok: false, reason: 'invalid_view', detail: `view is one of ${resultViews.join(', ')}` };
  }
  const preferred = view === undefined ? findPreference(prefer ?? '') : undefined;
  const chosen = { view: view ?? preferred?.view ?? fallback, applied: preferred?.applied };
  if (fields === undefined || fields.trim() === '') return { ok: true, reading: chosen };
  const parsed = fields.length > MAX_FIELDS_CHARS ? undefined : parseMask(fields);
  if (parsed?.ok === true) return { ok: true, reading: { ...chosen, mask: parsed.mask } };
  const detail = 'fields is a list of members such as scores/aeo/score,summary(text): at most 100 paths, each 10 deep';
  return { ok: false, reason: 'invalid_fields', detail };
}

const isResultView = (text: string): text is ResultView => (resultViews as readonly string[]).includes(text);

const PREFERENCES = { 'return=minimal': 'summary', 'return=representation': 'full' } as const;

function findPreference(header: string): { view: ResultView; applied: keyof typeof PREFERENCES } | undefined {
  const asked = header
    .slice(0, MAX_PREFER_CHARS)
    .split(',')
    .map((part) => (part.split(';')[0] ?? '').replaceAll(/[\s"]/g, '').toLowerCase());
  for (const applied of ['return=minimal', 'return=representation'] as const)
    if (asked.includes(applied)) return { view: PREFERENCES[applied], applied };
  return undefined;
}

/**
 * A result as text in the wanted view. The full one keeps its bytes; a result of a shape that this version does not read,
 * and one that is no capability's, is always full.
 * @param json a stored result or a buyer's answer
 */
export function renderView(json: string, { view, mask }: Reading, place: ReportPlace): string {
  const bought = view === 'full' ? undefined : parseBought(json);
  const text = bought === undefined ? json : JSON.stringify(buildView(bought, view, place));
  return mask === undefined ? text : JSON.stringify(applyFields(mask, JSON.parse(text) as JsonObject));
}

const buildView = (bought: BoughtResult, view: ResultView, place: ReportPlace): object =>
  view === 'standard' ? buildStandard(bought, place) : buildSummary(bought, place);

/** A buyer's answer with the address of its report as last member. */
export const addReportUrl = (json: string, place: ReportPlace): string =>
  `${json.slice(0, -1)},"report_url":${JSON.stringify(formatReportUrl(place))}}`;
