import { type ParsedFilter, FilterProblem, type Profile } from './ast.ts';
import { parse } from './parser.ts';

// This module is independent of the rest (`sightline/filter`): its whole surface is named here.
export type { ParsedFilter, Profile } from './ast.ts';
export { createFilterMatcher } from './evaluate.ts';
export { FilterTooSlow, type Meter, createMeter, resetMeter, runWithLimit } from './meter.ts';
export { type Pushdown, computePushdown } from './pushdown.ts';
export { sample } from './evaluate.ts';
export { getSeverityRank } from './severity.ts';
export { parseNanoTimestamp } from './timestamps.ts';
export { findViewFilterProblem } from './view-filter.ts';

/** `at` counts UTF-16 units from 0; the message is the vendor's as far as it is known. */
export type Parsed = { ok: true; filter: ParsedFilter } | { ok: false; message: string; at: number };

/**
 * The filter that a text of the Logging query language (or, by the profile `aip`, of AIP-160) means. Never throws: a text
 * that is none, that names a field no log entry has, or that goes beyond the limits answers with a message and a place.
 * @see https://cloud.google.com/logging/docs/view/logging-query-language
 * @see https://google.aip.dev/160
 */
export function parseFilter(text: string, { profile = 'logging' }: { profile?: Profile } = {}): Parsed {
  try {
    return { ok: true, filter: parse(text, profile) };
  } catch (error) {
    if (!(error instanceof FilterProblem)) throw error;
    return { ok: false, message: `Unparseable filter: ${error.message}`, at: error.at };
  }
}
