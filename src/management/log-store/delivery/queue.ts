import { DAY_MS } from '../../../lib/time.ts';
import type { RunStatement, Sql } from '../../../lib/sqlite.ts';
import { keepDeliveries, createDeliveryTables } from './outbox.ts';
import type { PlacedEntry } from '../routing.ts';

/** One post has so many entries at most, and ends with the entry that passes so many bytes. */
export const MAX_BATCH_ENTRIES = 100;
export const BATCH_BYTES = 256 * 1024;
/** Entries that waited longer are dropped: news that old is of no use. */
const MAX_WAIT_MS = 3 * DAY_MS;
/** Posts to one host are so far apart at least, of all sinks of the tenant, and one at a time (rule F5). */
const HOST_GAP_MS = 100;
/** Waits after posts that failed in a row; the last one holds for all further ones. A batch is tried once more than there are. */
export const BACKOFF_MS = [1_000, 5_000, 30_000, 60_000, 300_000, 900_000, 1_800_000, 3_600_000, 3_600_000] as const;
/** Half of a wait is left to chance: sinks that failed together do not come back together. */
const JITTER = 0.5;
/** A post of which nothing is heard for so long, far beyond its own time, is sent again. */
const LEASE_MS = 60_000;
/** Sinks with nothing to send are forgotten after this. */
const IDLE_MS = 7 * DAY_MS;

/** A batch as it is posted: the same id and body however often. */
export type Post = {
  key: number;
  id: string;
  sink: string;
  url: string;
  body: string;
  entries: number;
  attempt: number;
};

/** What came of a post. `refused`: it will never be taken. */
export type PostOutcome = { is: 'taken' | 'refused' } | { is: 'again'; afterMs?: number };

/** The outbox of webhooks. Each call runs in a transaction of its caller. */
export type DeliveryQueue = {
  /** Keeps the entries that go to webhooks. */
  keep: (placed: readonly PlacedEntry[]) => void;
  /** Forgets what waits for a sink, as lost. */
  dropSink: (sink: string) => void;
  /** Posts that are due, at most so many, one a host; they are not due again until they are booked or their lease is over. */
  claim: (count: number) => readonly Post[];
  /** @returns how many entries are lost with it */
  book: (post: Post, outcome: PostOutcome) => number;
  /** When the next post is due, Unix milliseconds; undefined when nothing waits. */
  nextMs: () => number | undefined;
  /** Forgets sinks that have not been used. */
  prune: () => void;
  /** Forgets what waits. */
  reset: () => void;
};

type Tools = {
  sql: Sql;
  /** Real time, Unix milliseconds. */
  now: () => number;
  /** Random bytes as hex. */
  random: (bytes: number) => string;
};
type QueueContext = Omit<Tools, 'sql'> & { run: RunStatement };

const ID_BYTES = 16;
/** The first due of each host: bare columns come from the row of `min()` (sqlite.org/lang_select.html). */
const DUE = `SELECT id, min(due_ms) AS due FROM delivery_sink WHERE waiting > 0 AND due_ms <= ?
  GROUP BY host ORDER BY due LIMIT ?`;

export function createDeliveryQueue({ sql, now, random }: Tools): DeliveryQueue {
  const context: QueueContext = { run: createDeliveryTables(sql), now, random };
  return {
    keep: (placed) => keepDeliveries(placed, context),
    dropSink: (sink) => dropSink(sink, context),
    claim: (count) => context.run(DUE, now(), count).flatMap(({ id }) => claimOne(Number(id), context)),
    book: (post, outcome) => book(post, outcome, context),
    nextMs: () => {
      const [row] = context.run('SELECT min(due_ms) AS due FROM delivery_sink WHERE waiting > 0');
      return typeof row?.['due'] === 'number' ? row['due'] : undefined;
    },
    prune: () => void context.run('DELETE FROM delivery_sink WHERE waiting = 0 AND used_ms < ?', now() - IDLE_MS),
    reset: () => {
      context.run('DELETE FROM delivery_entry');
      context.run('DELETE FROM delivery_sink');
    },
  };
}

/** What a post that is under way comes to changes nothing then. */
function dropSink(sink: string, { run }: QueueContext): void {
  run('DELETE FROM delivery_entry WHERE sink IN (SELECT id FROM delivery_sink WHERE sink = ?)', sink);
  run(
    `UPDATE delivery_sink SET lost = lost + waiting, waiting = 0, waiting_bytes = 0, batch_id = NULL, batch_last = 0,
     attempts = 0 WHERE sink = ?`,
    sink,
  );
}

function claimOne(key: number, context: QueueContext): readonly Post[] {
  const { run, now } = context;
  const nowMs = now();
  const [before] = run('SELECT batch_id FROM delivery_sink WHERE id = ?', key);
  if (before?.['batch_id'] === null) {
    drop(key, 'old', nowMs - MAX_WAIT_MS, context);
    makeNextBatch(key, context);
  }
  const leased =
    'UPDATE delivery_sink SET attempts = attempts + 1, due_ms = ? WHERE id = ? AND waiting > 0 RETURNING *';
  const [row] = run(leased, nowMs + LEASE_MS, key);
  if (row === undefined) return [];
  const last = Number(row['batch_last']);
  const texts = run('SELECT json FROM delivery_entry WHERE sink = ? AND seq <= ? ORDER BY seq', key, last).map(
    ({ json }) => String(json),
  );
  const sink = String(row['sink']);
  const body = `{"entries":[${texts.join(',')}],"sink":${JSON.stringify(sink)}}`;
  const [id, url, attempt] = [String(row['batch_id']), String(row['url']), Number(row['attempts'])];
  return [{ key, id, sink, url, body, entries: texts.length, attempt }];
}

/** Makes a batch of the first that wait. */
function makeNextBatch(key: number, { run, random }: QueueContext): void {
  const waiting = run(
    'SELECT seq, bytes FROM delivery_entry WHERE sink = ? ORDER BY seq LIMIT ?',
    key,
    MAX_BATCH_ENTRIES,
  );
  let bytes = 0;
  let last = 0;
  for (const row of waiting) {
    if (bytes >= BATCH_BYTES) break;
    bytes += Number(row['bytes']);
    last = Number(row['seq']);
  }
  const id = `batch_${random(ID_BYTES)}`;
  run('UPDATE delivery_sink SET batch_id = ?, batch_last = ?, attempts = 0 WHERE id = ?', id, last, key);
}

function book({ key, id, attempt }: Post, outcome: PostOutcome, context: QueueContext): number {
  const { run, now } = context;
  const nowMs = now();
  const [row] = run('SELECT failures, batch_last, host FROM delivery_sink WHERE id = ? AND batch_id = ?', key, id);
  if (row === undefined) return 0; // Booked already: by another post of it, after its lease.
  const failures = outcome.is === 'taken' ? 0 : Number(row['failures']) + 1;
  const waitMs = outcome.is === 'again' ? Math.max(computeBackoffMs(failures, context), outcome.afterMs ?? 0) : 0;
  run('UPDATE delivery_sink SET failures = ?, due_ms = ? WHERE id = ?', failures, nowMs + waitMs, key);
  run('UPDATE delivery_sink SET due_ms = max(due_ms, ?) WHERE host = ?', nowMs + HOST_GAP_MS, String(row['host']));
  if (outcome.is === 'again' && attempt <= BACKOFF_MS.length) return 0;
  const entries = drop(key, 'batch', Number(row['batch_last']), context, outcome.is === 'taken' ? 'taken' : 'lost');
  run('UPDATE delivery_sink SET batch_id = NULL, batch_last = 0, attempts = 0, used_ms = ? WHERE id = ?', nowMs, key);
  return outcome.is === 'taken' ? 0 : entries;
}

const DROPS = {
  old: 'DELETE FROM delivery_entry WHERE sink = ? AND at_ms < ? RETURNING bytes',
  batch: 'DELETE FROM delivery_entry WHERE sink = ? AND seq <= ? RETURNING bytes',
} as const;
const COUNTS = {
  lost: 'UPDATE delivery_sink SET waiting = waiting - ?, waiting_bytes = waiting_bytes - ?, lost = lost + ? WHERE id = ?',
  taken:
    'UPDATE delivery_sink SET waiting = waiting - ?, waiting_bytes = waiting_bytes - ?, taken = taken + ? WHERE id = ?',
} as const;

/** Takes entries of a sink away: those from before a time, or up to the last of its batch. @returns how many */
function drop(
  key: number,
  which: keyof typeof DROPS,
  limit: number,
  { run }: QueueContext,
  counted: keyof typeof COUNTS = 'lost',
): number {
  const gone = run(DROPS[which], key, limit);
  if (gone.length === 0) return 0;
  const bytes = gone.reduce((sum, row) => sum + Number(row['bytes']), 0);
  run(COUNTS[counted], gone.length, bytes, gone.length, key);
  return gone.length;
}

/** The wait after so many failures in a row. */
function computeBackoffMs(failures: number, { random }: QueueContext): number {
  const wholeMs = BACKOFF_MS[Math.min(failures, BACKOFF_MS.length) - 1] ?? 0;
  const chance = Number.parseInt(random(2), 16) / 0xffff;
  return Math.round(wholeMs * (1 - JITTER / 2 + JITTER * chance));
}
