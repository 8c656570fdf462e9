import type { Sql } from '../engine/sql.ts';
import type { JsonObject } from '../json.ts';
import type { Buckets } from './buckets.ts';
import type { Compiled, Matchers } from './matchers.ts';
import { comparePlaces, type Place } from './places.ts';
import { readLanes } from './reading.ts';
import type { Streams } from './streams.ts';
import { judgeOf, lanesOf, type Sight, viewsOf } from './visible.ts';

/** Entries that one page looks at, and their characters, whatever its filter: less than a tenth of a second. */
export const MAX_SCANNED = 5_000;
const MAX_SCANNED_CHARS = 8_000_000;
/** Characters of the entries of one page: what fits into an answer between Worker and object. */
export const MAX_PAGE_CHARS = 8_000_000;

/** Which of the kept entries are asked for. */
export type Ask = Sight & {
  filter: Compiled;
  /** The newest first. */
  isDescending: boolean;
  /** Goes on behind this place. */
  after?: Place | undefined;
  /** Entries at most. */
  limit: number;
};

/** Entries in order. With `next` there may be more behind it: a page that looked at much may have few entries, or none. */
export type Page = { entries: JsonObject[]; next?: Place };

export type PageTools = { sql: Sql; streams: Streams; buckets: Buckets; matchers: Matchers };

/** One page of entries, each place once however many buckets and views show it. */
export function pageOf(ask: Ask, tools: PageTools): Page {
  const views = viewsOf(ask.sources, tools.matchers);
  const lanes = [...lanesOf(ask, ask.filter, views, tools)];
  const judge = judgeOf(ask.filter, views);
  const entries: JsonObject[] = [];
  let [scanned, scannedChars, pageChars] = [0, 0, 0];
  let seen: { place: Place; isShown: boolean } | undefined;
  for (const read of readLanes(lanes, { ...ask, expected: ask.limit + 1 }, tools.sql)) {
    const chars = read.json.length;
    const isSame = seen !== undefined && comparePlaces(seen.place, read.place) === 0;
    if (isSame && seen?.isShown === true) continue;
    const isFull = entries.length >= ask.limit || (entries.length > 0 && pageChars + chars > MAX_PAGE_CHARS);
    const isTired = scanned >= MAX_SCANNED || scannedChars >= MAX_SCANNED_CHARS;
    // Entries of one place are looked at together: the next page begins behind all of them.
    if (seen !== undefined && !isSame && (isFull || isTired)) return { entries, next: seen.place };
    scanned += 1;
    scannedChars += chars;
    const entry = judge(read);
    seen = { place: read.place, isShown: entry !== undefined };
    if (entry === undefined) continue;
    pageChars += chars;
    entries.push(entry);
  }
  return { entries };
}
