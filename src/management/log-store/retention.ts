import type { Sql } from '../../lib/sqlite.ts';
import { vendorRefusals } from '../../lib/refusal.ts';
import { DAY_MS } from '../../lib/time.ts';
import { countUtf8Bytes } from '../../lib/utf8.ts';
import type { Buckets } from './buckets.ts';
import type { CheckedEntry } from './entry-check.ts';
import type { PlacedEntry, Placement, EntryRouter } from './routing.ts';
import type { Streams } from './streams.ts';
import { formatNanoTime } from './times.ts';

/** An entry may be so far ahead of the tenant's clock; one that is further is taken, but never listed (the vendor's). */
export const MAX_AHEAD_MS = DAY_MS;

/** Rows of one statement: six values each, of a hundred that one may have. As JSON they take longer in either SQLite. */
const ROWS_A_STATEMENT = 16;
const ROW = '(?, ?, ?, ?, ?, ?)';
const buildInsertStatement = (rows: number): string =>
  `INSERT INTO entry (stream, ts, insert_id, received_ms, trace, json) VALUES ${Array<string>(rows).fill(ROW).join(', ')}
  ON CONFLICT DO NOTHING`;
/** Prepared once; the rest of a call goes row by row. */
const INSERT_MANY = buildInsertStatement(ROWS_A_STATEMENT);
const INSERT_ONE = buildInsertStatement(1);
/** Rows that one call may come to: an entry is kept by each bucket that a sink sends it to. */
export const MAX_ROWS = 20_000;
/** What they may take together: a call has 10 MB, and is kept some times over (rule K9). */
export const MAX_PLACED_BYTES = 32_000_000;
/** A row beside its texts, with its places in the indexes. */
const ROW_BYTES = 150;

/**
 * Where the entries of a call go, what that takes at most (each place has a row of its own), and their times where a bucket
 * takes any.
 */
export type EntryWritePlan = {
  places: readonly { checked: CheckedEntry; placement: Placement }[];
  bytes: number;
  first?: string;
  last?: string;
};

/**
 * Routes the entries of a call. What is too old for its bucket or too far ahead is not kept, but goes to the other targets
 * all the same (the vendor's).
 * @throws Refusal where sinks make too many of them, or too much
 */
export function planEntries(
  entries: readonly CheckedEntry[],
  { nowMs, route }: { nowMs: number; route: EntryRouter },
  buckets: Buckets,
): EntryWritePlan {
  const places: { checked: CheckedEntry; placement: Placement }[] = [];
  let [bytes, first, last] = [0, '~', ''];
  const isKept = createRetentionCheck(nowMs, buckets);
  for (const checked of entries) {
    const placements = route(checked).filter(
      ({ target }) => target.kind !== 'bucket' || isKept(target.bucket, checked.ts),
    );
    for (const placement of placements) {
      places.push({ checked, placement });
      if (placement.target.kind !== 'bucket') continue;
      if (checked.ts < first) first = checked.ts;
      if (checked.ts > last) last = checked.ts;
    }
    bytes += placements.length * computeRowBytes(checked);
    if (places.length > MAX_ROWS || bytes > MAX_PLACED_BYTES)
      throw vendorRefusals.invalid('Too many sinks take these entries: send fewer in one call');
  }
  return last === '' ? { places, bytes } : { places, bytes, first, last };
}

/** Id and trace are in an index too. */
const computeRowBytes = ({ json, insertId, trace }: CheckedEntry): number =>
  ROW_BYTES + countUtf8Bytes(json) + 2 * (countUtf8Bytes(insertId) + countUtf8Bytes(trace ?? ''));

type Tools = { sql: Sql; streams: Streams; receivedMs: number; isOwn: boolean };

/**
 * Stores entries in the buckets of a plan: one of the same time and id in a stream is there already.
 * @returns each entry wherever it went
 */
export function keepEntries({ places }: EntryWritePlan, tools: Tools): readonly PlacedEntry[] {
  const rows: Row[] = [];
  const placed = places.map(({ checked, placement }) => {
    const { target } = placement;
    if (target.kind !== 'bucket') return buildPlacedEntry(checked, placement);
    rows.push(buildEntryRow(checked, target.bucket, tools));
    return { ...buildPlacedEntry(checked, placement), bucket: target.bucket };
  });
  const whole = rows.length - (rows.length % ROWS_A_STATEMENT);
  for (let at = 0; at < whole; at += ROWS_A_STATEMENT)
    tools.sql.exec(INSERT_MANY, ...rows.slice(at, at + ROWS_A_STATEMENT).flat());
  for (const row of rows.slice(whole)) tools.sql.exec(INSERT_ONE, ...row);
  tools.streams.save();
  return placed;
}

type Row = readonly (string | number | null)[];

function buildEntryRow(checked: CheckedEntry, bucket: string, { streams, receivedMs, isOwn }: Tools): Row {
  const { log, severity, ts, insertId, trace, json } = checked;
  const { id } = streams.take({ bucket, log: log.name, severity, isOwn }, ts);
  return [id, ts, insertId, receivedMs, trace, json];
}

/** Whether a bucket keeps an entry of this time. One that no order spoke of keeps none. */
function createRetentionCheck(nowMs: number, buckets: Buckets): (bucket: string, ts: string) => boolean {
  const until = formatNanoTime(nowMs + MAX_AHEAD_MS + 1);
  const oldest = new Map<string, string | undefined>();
  return (bucket, ts) => {
    if (!oldest.has(bucket)) {
      const days = buckets.retentionDays(bucket);
      oldest.set(bucket, days === undefined ? undefined : formatNanoTime(nowMs - days * DAY_MS));
    }
    const from = oldest.get(bucket);
    return from !== undefined && ts >= from && ts < until;
  };
}

const buildPlacedEntry = (checked: CheckedEntry, { sink, target }: Placement): PlacedEntry => ({
  target,
  sink,
  container: checked.log.container,
  logName: checked.log.name,
  ts: checked.ts,
  insertId: checked.insertId,
  severity: checked.severity,
  entry: checked.entry,
});
