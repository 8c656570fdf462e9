import { type Filter, matcherOf, parseFilter, type Pushdown, pushdownOf } from '../filter/index.ts';
import type { JsonObject } from '../json.ts';
import { refuse } from '../refusal.ts';

export type Matcher = (entry: JsonObject) => boolean;

/** A filter as entries are found and judged by it. */
export type Compiled = { filter: Filter; matches: Matcher; pushdown: Pushdown };

/** Compiled filters of sinks, views and exclusions, by their text. Undefined for a text that is no filter. */
export type Matchers = (text: string) => Compiled | undefined;

/** Filters that are kept compiled; those of a tenant's sinks and views are far fewer. */
const MAX_KEPT = 1_000;

const cannot = Symbol('no filter');

/** Filters are compiled once; of too many, the one that was not used for longest is forgotten. */
export function matchersOf(): Matchers {
  const kept = new Map<string, Compiled | typeof cannot>();
  return (text) => {
    const known = kept.get(text) ?? compiled(text) ?? cannot;
    kept.delete(text);
    kept.set(text, known);
    for (const [oldest] of kept) {
      if (kept.size <= MAX_KEPT) break;
      kept.delete(oldest);
    }
    return known === cannot ? undefined : known;
  };
}

/** The filter of a call. @throws Refusal for a text that is none */
export function requiredFilter(text: string): Compiled {
  const parsed = parseFilter(text);
  if (!parsed.ok) throw refuse.invalid(parsed.message);
  return made(parsed.filter);
}

function compiled(text: string): Compiled | undefined {
  const parsed = parseFilter(text);
  return parsed.ok ? made(parsed.filter) : undefined;
}

const made = (filter: Filter): Compiled => ({
  filter,
  matches: matcherOf(filter, { isLogEntry: true }),
  pushdown: pushdownOf(filter),
});
