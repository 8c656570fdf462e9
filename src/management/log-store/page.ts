import type { Sql } from '../../lib/sqlite.ts';
import { FilterTooSlow, type Meter, runWithLimit } from '../core/filter/index.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Buckets } from './buckets.ts';
import type { Compiled, Matchers } from './matchers.ts';
import { comparePlaces, type EntryPlace, type StreamRow } from './stream-merge.ts';
import { readLanes } from './reading.ts';
import type { Streams } from './streams.ts';
import { createEntryJudge, listStreamRanges, type Sight, type Views, buildSourceViews } from './visible.ts';

/** Entries that one page looks at, and their characters, whatever its filter: less than a tenth of a second. */
export const MAX_ENTRY_PAGE_SCAN = 2_000;
export const MAX_SCANNED_CHARS = 8_000_000;
/** Work of the filters of one page (filter/meter.ts): a page ends behind the entry that passes it ... */
export const MAX_PAGE_WORK = 4_000_000;
/** ... and before one that would pass this. One that passes it alone, first on its page, is not taken. */
export const MAX_ENTRY_WORK = 8_000_000;
/** Statements of one page, a few more or less: a page ends there, and the next goes on. */
export const MAX_READS_PER_PAGE = 1_000;
/** Characters of the entries of one page: what fits into an answer between Worker and object. */
export const MAX_PAGE_CHARS = 8_000_000;

/** Which of the kept entries are asked for. */
export type EntryQuery = Sight & {
  filter: Compiled;
  /** The newest first. */
  isDescending: boolean;
  /** Goes on behind this place. */
  after?: EntryPlace | undefined;
  /** Entries at most. */
  limit: number;
  /** Characters of their JSON at most, but for the first. */
  maxChars?: number;
};

/** Entries in order. With `next` there may be more behind it: a page that looked at much may have few entries, or none. */
export type EntryPage = { entries: JsonObject[]; next?: EntryPlace };

export type PageTools = { sql: Sql; streams: Streams; buckets: Buckets; matchers: Matchers };

/** An entry with its place: what pages of several stores are merged by. */
export type EntryRow = [ts: string, insertId: string, container: string, json: string];
export type EntryRowPage = { items: EntryRow[]; next?: EntryPlace };

/** One page of entries, each place once however many buckets and views show it. */
export function readEntryPage(ask: EntryQuery, tools: PageTools): EntryPage {
  const { items, ...rest } = readShownPage(ask, tools, (entry) => entry);
  return { entries: items, ...rest };
}

/** The same page as rows. */
export const readEntryRowPage = (ask: EntryQuery, tools: PageTools): EntryRowPage =>
  readShownPage(ask, tools, (_entry, { place: { ts, insertId, container }, json }) => [ts, insertId, container, json]);

type Show<T> = (entry: JsonObject, read: StreamRow) => T;

function readShownPage<T>(ask: EntryQuery, tools: PageTools, show: Show<T>): { items: T[]; next?: EntryPlace } {
  const views = buildSourceViews(ask.sources, tools.matchers);
  // The call's own filter, and those of the views, which share a meter.
  const meters = new Set([ask.filter, ...[...views.values()].flat()].map(({ meter }) => meter));
  return runWithLimit(meters, MAX_ENTRY_WORK, () => fillEntryPage(ask, { views, meters, show }, tools));
}

function fillEntryPage<T>(
  ask: EntryQuery,
  { views, meters, show }: { views: Views; meters: ReadonlySet<Meter>; show: Show<T> },
  tools: PageTools,
): { items: T[]; next?: EntryPlace } {
  const { limit, maxChars = MAX_PAGE_CHARS } = ask;
  const lanes = [...listStreamRanges(ask, ask.filter, views, tools)];
  const judge = createEntryJudge(ask.filter, views);
  const items: T[] = [];
  const spent = { statements: 0 };
  let [scanned, scannedChars, pageChars] = [0, 0, 0];
  let seen: ScannedRow | undefined;
  for (const read of readLanes(lanes, { ...ask, expected: limit + 1, spent }, tools.sql)) {
    const chars = read.json.length;
    const isTired =
      scanned >= MAX_ENTRY_PAGE_SCAN ||
      scannedChars >= MAX_SCANNED_CHARS ||
      spent.statements >= MAX_READS_PER_PAGE ||
      sumFilterWork(meters) >= MAX_PAGE_WORK;
    const isShown = seen?.isShown === true && comparePlaces(seen.read.place, read.place) === 0;
    if (isShown && !isTired) continue;
    const isFull = items.length >= limit || (items.length > 0 && pageChars + chars > maxChars);
    if (seen !== undefined && (isFull || isTired)) return { items, next: getNextPlace(seen) };
    scanned += 1;
    scannedChars += chars;
    const judged = judgeStreamRow(judge, read);
    if (!judged.ok && seen !== undefined) return { items, next: getNextPlace(seen) };
    const entry = judged.ok ? judged.entry : undefined;
    seen = { read, isShown: entry !== undefined };
    if (entry === undefined) continue;
    pageChars += chars;
    items.push(show(entry, read));
  }
  return { items };
}

type ScannedRow = { read: StreamRow; isShown: boolean };

/** Where the next page begins: an entry that was shown is not shown again, whatever stream has it too. */
const getNextPlace = ({ read: { place, stream }, isShown }: ScannedRow): EntryPlace =>
  isShown ? place : { ...place, stream: stream.id };

function sumFilterWork(meters: ReadonlySet<Meter>): number {
  let work = 0;
  for (const { spent } of meters) work += spent;
  return work;
}

/** The entry of a row where it is shown; not `ok` where the filters take too much work on it. */
function judgeStreamRow(
  judge: ReturnType<typeof createEntryJudge>,
  read: StreamRow,
): { ok: true; entry: JsonObject | undefined } | { ok: false } {
  try {
    return { ok: true, entry: judge(read) };
  } catch (error) {
    if (error instanceof FilterTooSlow) return { ok: false };
    throw error;
  }
}
