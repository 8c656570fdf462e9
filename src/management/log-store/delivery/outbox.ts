import { createTables, type RunStatement, type Sql, type SqlRow } from '../../../lib/sqlite.ts';
import type { PlacedEntry } from '../routing.ts';

/**
 * Entries that wait for the webhooks of sinks. A `delivery_sink` is one pair of sink and URL. Its first batch is formed
 * when it is first sent: it has an id and ends with the entry `batch_last`, and stays the same until it is taken or given
 * up. `failures` counts posts that failed in a row; `lost` and `taken` count entries.
 */
const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS delivery_sink (id INTEGER PRIMARY KEY, sink TEXT NOT NULL, url TEXT NOT NULL,
     host TEXT NOT NULL, waiting INTEGER NOT NULL DEFAULT 0, waiting_bytes INTEGER NOT NULL DEFAULT 0, due_ms INTEGER NOT NULL DEFAULT 0,
     batch_id TEXT, batch_last INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
     failures INTEGER NOT NULL DEFAULT 0, lost INTEGER NOT NULL DEFAULT 0, taken INTEGER NOT NULL DEFAULT 0,
     used_ms INTEGER NOT NULL DEFAULT 0, UNIQUE (sink, url))`,
  'CREATE INDEX IF NOT EXISTS delivery_due ON delivery_sink (due_ms) WHERE waiting > 0',
  'CREATE INDEX IF NOT EXISTS delivery_host ON delivery_sink (host)',
  `CREATE TABLE IF NOT EXISTS delivery_entry (sink INTEGER NOT NULL, seq INTEGER NOT NULL, at_ms INTEGER NOT NULL,
     bytes INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY (sink, seq)) WITHOUT ROWID`,
  'CREATE TABLE IF NOT EXISTS delivery_key (id INTEGER PRIMARY KEY CHECK (id = 1), public TEXT NOT NULL, private TEXT NOT NULL)',
];

/** Makes the tables where they are missing. */
export const createDeliveryTables = (sql: Sql): RunStatement => createTables(sql, SCHEMA);

/** What may wait for one sink, and for all of a tenant; entries beyond any of them are lost, and counted. */
export const MAX_WAITING_ENTRIES = 10_000;
export const MAX_WAITING_BYTES = 32 * 1024 * 1024;
export const MAX_OUTBOX_BYTES = 64 * 1024 * 1024;
/** One statement writes rows until they pass so many bytes: a text that is bound has 2 MB at most, quoted. */
const CHUNK_BYTES = 256 * 1024;
/** Sinks of one statement, each with a URL of 2,048 characters at most. */
const CHUNK_SINKS = 400;

type Group = { sink: string; url: string; entries: PlacedEntry[] };
type DeliveryContext = { run: RunStatement; now: () => number };
/** A row as JSON has it: sink, seq, bytes, text. */
type WaitingEntry = [sink: number, seq: number, bytes: number, json: string];

const MAKE = `INSERT OR IGNORE INTO delivery_sink (sink, url, host)
  SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`;
const FIND = `SELECT found.id, found.waiting, found.waiting_bytes,
  (SELECT ifnull(max(seq), 0) FROM delivery_entry WHERE delivery_entry.sink = found.id) AS seq
  FROM json_each(?) AS asked JOIN delivery_sink AS found
  ON found.sink = asked.value ->> 0 AND found.url = asked.value ->> 1 ORDER BY asked.key`;
const TOTAL = 'SELECT ifnull(sum(waiting_bytes), 0) AS bytes FROM delivery_sink WHERE waiting > 0';
const INSERT = `INSERT INTO delivery_entry
  SELECT value ->> 0, value ->> 1, ?, value ->> 2, value ->> 3 FROM json_each(?)`;
const COUNT = `UPDATE delivery_sink SET waiting = counted.value ->> 1, waiting_bytes = counted.value ->> 2,
  lost = lost + (counted.value ->> 3), used_ms = ? FROM json_each(?) AS counted WHERE delivery_sink.id = counted.value ->> 0`;
const encoder = new TextEncoder();

/** Keeps the entries that go to webhooks, in few statements however many there are (rule K9). */
export function keepDeliveries(placed: readonly PlacedEntry[], context: DeliveryContext): void {
  const groups = groupWebhookEntries(placed);
  if (groups.length === 0) return;
  const [total] = context.run(TOTAL);
  let room = MAX_OUTBOX_BYTES - Number(total?.['bytes']);
  for (let from = 0; from < groups.length; from += CHUNK_SINKS)
    room -= keepGroups(groups.slice(from, from + CHUNK_SINKS), room, context);
}

function groupWebhookEntries(placed: readonly PlacedEntry[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const each of placed) {
    if (each.target.kind !== 'webhook') continue;
    const { sink, target } = each;
    const key = JSON.stringify([sink, target.url]);
    const group = groups.get(key) ?? { sink, url: target.url, entries: [] };
    group.entries.push(each);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** @returns bytes that it kept */
function keepGroups(groups: readonly Group[], room: number, { run, now }: DeliveryContext): number {
  const nowMs = now();
  const names = JSON.stringify(groups.map(({ sink, url }) => [sink, url, new URL(url).hostname]));
  run(MAKE, names);
  const known = run(FIND, names);
  let left = room;
  let chunk: WaitingEntry[] = [];
  let bytes = 0;
  const save = (): void => {
    if (chunk.length > 0) run(INSERT, nowMs, JSON.stringify(chunk));
    [chunk, bytes] = [[], 0];
  };
  const counts = groups.map(({ entries }, at) => {
    const { rows, counted } = selectFittingEntries(entries, known[at], left);
    for (const row of rows) {
      chunk.push(row);
      bytes += row[2];
      left -= row[2];
      if (bytes >= CHUNK_BYTES) save();
    }
    return counted;
  });
  save();
  run(COUNT, nowMs, JSON.stringify(counts));
  return room - left;
}

/** What of the entries of a sink finds room, and how the sink is counted then: id, entries and bytes that wait, lost ones. */
function selectFittingEntries(entries: readonly PlacedEntry[], row: SqlRow | undefined, room: number) {
  const key = Number(row?.['id']);
  let [waiting, waitingBytes] = [Number(row?.['waiting']), Number(row?.['waiting_bytes'])];
  const most = Math.min(MAX_WAITING_BYTES, waitingBytes + room);
  let seq = Number(row?.['seq']);
  const rows: WaitingEntry[] = [];
  for (const { entry } of entries) {
    const json = JSON.stringify(entry);
    const bytes = encoder.encode(json).length;
    if (waiting >= MAX_WAITING_ENTRIES || waitingBytes + bytes > most) continue;
    seq += 1;
    waiting += 1;
    waitingBytes += bytes;
    rows.push([key, seq, bytes, json]);
  }
  return { rows, counted: [key, waiting, waitingBytes, entries.length - rows.length] };
}
