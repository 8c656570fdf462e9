import {
  type ParsedFilter,
  createFilterMatcher,
  type Meter,
  createMeter,
  parseFilter,
  type Pushdown,
  computePushdown,
} from '../core/filter/index.ts';
import type { JsonObject } from '../../lib/json.ts';
import { vendorRefusals } from '../../lib/refusal.ts';

export type Matcher = (entry: JsonObject) => boolean;

/** A filter as entries are found and judged by it. `meter` counts what that takes. */
export type Compiled = { filter: ParsedFilter; matches: Matcher; pushdown: Pushdown; meter: Meter };

/** Compiled filters of sinks, views and exclusions, by their text. Undefined for a text that is no filter. */
export type Matchers = (text: string) => Compiled | undefined;

/** Filters that are kept compiled; those of a tenant's sinks and views are far fewer. */
const MAX_KEPT = 1_000;
/** Characters of their texts: a compiled filter takes some sixty bytes for each (rule K9). */
export const MAX_KEPT_CHARS = 250_000;

const cannot = Symbol('no filter');

/**
 * Filters are compiled once; of too many, the one that was not used for longest is forgotten.
 * @param meter counts the work of them all
 */
export function createFilterMatchers(meter: Meter = createMeter()): Matchers {
  const kept = new Map<string, Compiled | typeof cannot>();
  let chars = 0;
  return (text) => {
    const before = kept.get(text);
    const known = before ?? compileFilter(text, meter) ?? cannot;
    if (before === undefined) chars += text.length;
    kept.delete(text);
    kept.set(text, known);
    for (const [oldest] of kept) {
      if (kept.size <= MAX_KEPT && chars <= MAX_KEPT_CHARS) break;
      kept.delete(oldest);
      chars -= oldest.length;
    }
    return known === cannot ? undefined : known;
  };
}

/** The filter of a call, with a meter of its own. @throws Refusal for a text that is none */
export function requireCompiledFilter(text: string): Compiled {
  const parsed = parseFilter(text);
  if (!parsed.ok) throw vendorRefusals.invalid(parsed.message);
  return buildCompiledFilter(parsed.filter, createMeter());
}

function compileFilter(text: string, meter: Meter): Compiled | undefined {
  const parsed = parseFilter(text);
  return parsed.ok ? buildCompiledFilter(parsed.filter, meter) : undefined;
}

const buildCompiledFilter = (filter: ParsedFilter, meter: Meter): Compiled => ({
  filter,
  meter,
  matches: createFilterMatcher(filter, { isLogEntry: true, meter }),
  pushdown: computePushdown(filter),
});
