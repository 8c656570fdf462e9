import type { Sql } from '../engine/sql.ts';
import { refuse } from '../refusal.ts';
import type { Buckets } from './buckets.ts';
import type { CheckedEntry } from './entry-check.ts';
import type { PlacedEntry } from './placed.ts';
import type { Placement, Router } from './routing.ts';
import type { Streams } from './streams.ts';
import { DAY_MS, nanoTime } from './times.ts';

/** An entry may be so far ahead of the tenant's clock; one that is further is taken, but never listed (the vendor's). */
export const MAX_AHEAD_MS = DAY_MS;

/** Prepared once, and run for each row: as many rows in one statement, as JSON, take longer in either SQLite. */
const INSERT = `INSERT INTO entry (stream, ts, insert_id, received_ms, trace, json) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`;
/** Rows that one call may come to: an entry is kept by each bucket that a sink sends it to. */
export const MAX_ROWS = 20_000;

type Tools = { sql: Sql; streams: Streams; buckets: Buckets; receivedMs: number };
type Wish = { nowMs: number; isOwn: boolean; route: Router };

/**
 * Stores entries in the buckets that their sinks name: one of the same time and id in a stream is there already. What is
 * too old for its bucket or too far ahead is not kept, but goes to the other targets all the same (the vendor's).
 * @returns each entry wherever it went
 * @throws Refusal where sinks make too many of them
 */
export function keepEntries(entries: readonly CheckedEntry[], wish: Wish, tools: Tools): readonly PlacedEntry[] {
  const placed: PlacedEntry[] = [];
  const isKept = windowsOf(wish.nowMs, tools.buckets);
  for (const checked of entries) {
    for (const placement of wish.route(checked)) {
      const { target } = placement;
      if (target.kind !== 'bucket') placed.push(placedOf(checked, placement));
      else if (isKept(target.bucket, checked.ts)) {
        insert(checked, target.bucket, wish, tools);
        placed.push({ ...placedOf(checked, placement), bucket: target.bucket });
      }
    }
    if (placed.length > MAX_ROWS) throw refuse.invalid('Too many sinks take these entries: send fewer in one call');
  }
  tools.streams.save();
  return placed;
}

function insert(checked: CheckedEntry, bucket: string, { isOwn }: Wish, { sql, streams, receivedMs }: Tools): void {
  const { log, severity, ts, insertId, trace, json } = checked;
  const { id } = streams.take({ bucket, log: log.name, severity, isOwn }, ts);
  sql.exec(INSERT, id, ts, insertId, receivedMs, trace, json);
}

/** Whether a bucket keeps an entry of this time. One that no order spoke of keeps none. */
function windowsOf(nowMs: number, buckets: Buckets): (bucket: string, ts: string) => boolean {
  const until = nanoTime(nowMs + MAX_AHEAD_MS + 1);
  const oldest = new Map<string, string | undefined>();
  return (bucket, ts) => {
    if (!oldest.has(bucket)) {
      const days = buckets.retentionDays(bucket);
      oldest.set(bucket, days === undefined ? undefined : nanoTime(nowMs - days * DAY_MS));
    }
    const from = oldest.get(bucket);
    return from !== undefined && ts >= from && ts < until;
  };
}

const placedOf = (checked: CheckedEntry, { sink, target }: Placement): PlacedEntry => ({
  target,
  sink,
  container: checked.log.container,
  logName: checked.log.name,
  ts: checked.ts,
  insertId: checked.insertId,
  severity: checked.severity,
  entry: checked.entry,
});
