import type { Sql } from '../../lib/sqlite.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Buckets } from './buckets.ts';
import type { OldestOwn } from './shards/directory.ts';
import type { Stream, Streams } from './streams.ts';

/** An entry: its number, and its stream's id. */
type Place = { seq: number; stream: number };

/** From NOTICE up, the service's entries are its audit trail and its faults; requests, from any caller, are below. */
const LASTING_SEVERITY = 300;

/**
 * The oldest entries that the service wrote itself, about as many as asked for, and one at least where there is one. Those
 * of NOTICE and above are not among them while there are others: traffic does not push the audit trail out.
 */
function findOwnToEvict({ sql, streams }: { sql: Sql; streams: Streams }, count: number): readonly Place[] {
  const own = [...streams.all()].filter(({ isOwn }) => isOwn);
  const passing = findOldestPlaces(
    own.filter(({ severity }) => severity < LASTING_SEVERITY),
    count,
    sql,
  );
  if (passing.length > 0) return passing;
  return findOldestPlaces(
    own.filter(({ severity }) => severity >= LASTING_SEVERITY),
    count,
    sql,
  );
}

/** By the index of each stream, so that what others wrote is not looked at. None is left that is older than one of them. */
function findOldestPlaces(streams: readonly Stream[], count: number, sql: Sql): readonly Place[] {
  const share = Math.ceil(count / Math.max(1, streams.length));
  const lasts = streams.flatMap(({ id }) => {
    const query = 'SELECT ts FROM entry WHERE stream = ? ORDER BY ts, insert_id LIMIT 1 OFFSET ?';
    return sql.exec(query, id, share - 1).toArray();
  });
  const until = lasts.map(({ ts }) => String(ts)).reduce((a, b) => (a < b ? a : b), LAST_TIME);
  return streams.flatMap(({ id }) => {
    const query = 'SELECT seq FROM entry WHERE stream = ? AND ts <= ? ORDER BY ts, insert_id LIMIT ?';
    const rows = sql.exec(query, id, until, share).toArray();
    return rows.map(({ seq }) => ({ seq: Number(seq), stream: id }));
  });
}

/** After every timestamp. */
const LAST_TIME = '~';

function findOldestOwn({ sql, streams }: Pick<Tools, 'sql' | 'streams'>): OldestOwn {
  let [passing, lasting] = [LAST_TIME, LAST_TIME];
  for (const { id, severity, isOwn } of streams.all()) {
    if (!isOwn) continue;
    const query = 'SELECT ts FROM entry WHERE stream = ? ORDER BY ts, insert_id LIMIT 1';
    const [row] = sql.exec(query, id).toArray();
    const ts = row === undefined ? LAST_TIME : String(row['ts']);
    if (severity < LASTING_SEVERITY && ts < passing) passing = ts;
    if (severity >= LASTING_SEVERITY && ts < lasting) lasting = ts;
  }
  return { ...(passing !== LAST_TIME && { passing }), ...(lasting !== LAST_TIME && { lasting }) };
}

/** Entries that one step deletes or passes by: a step holds up the tenant for a moment only. */
export const PURGE_STEP = 2_000;
/** Entries may outlive their retention by so much, unseen: what came close together is deleted together. */
const PURGE_PAUSE_MS = 3_600_000;

type Tools = {
  sql: Sql;
  streams: Streams;
  buckets: Buckets;
  /** Real time: what the tenant's clock says deletes nothing (rule K2). */
  now: () => number;
};

/** Deletes what is no longer kept, a bounded step at a time. */
export type Purge = {
  /** Does one step. To be called in a transaction. */
  step: () => void;
  /** When the next step is due, Unix milliseconds; undefined while there is nothing to wait for. */
  nextMs: () => number | undefined;
  /** Deletes the oldest entries that the service wrote itself (evict.ts). @returns how many; 0 where there are none */
  makeRoom: () => number;
  /** Times of the oldest entries that it would delete then. */
  oldestOwn: () => OldestOwn;
  /** Whether there is nothing left to delete, nor anything else. */
  isVoid: () => boolean;
};

type Passed = Place & { receivedMs: number };

export function createEntryPurge(tools: Tools): Purge {
  return {
    step() {
      if (tools.buckets.bury(tools.now()) || deleteDropped(tools)) return;
      for (const days of tools.buckets.retentions()) if (deleteOld(days, tools)) return;
    },
    nextMs() {
      const { sql, buckets, now } = tools;
      if (readFirstNumber(sql, 'SELECT stream AS n FROM dropped LIMIT 1') !== undefined) return now();
      const ends = [...buckets.retentions()].flatMap((days) => {
        const next = readFirstNumber(
          sql,
          'SELECT received_ms AS n FROM entry WHERE seq > ? ORDER BY seq LIMIT 1',
          getPurgedSequence(days, sql),
        );
        return next === undefined ? [] : [next + days * DAY_MS + PURGE_PAUSE_MS];
      });
      const due = [...ends, ...[buckets.nextBurialMs() ?? []].flat()];
      return due.length === 0 ? undefined : Math.max(now(), Math.min(...due));
    },
    makeRoom: () => deleteEntries(findOwnToEvict(tools, PURGE_STEP), tools),
    oldestOwn: () => findOldestOwn(tools),
    isVoid: () => readFirstNumber(tools.sql, 'SELECT seq AS n FROM entry LIMIT 1') === undefined,
  };
}

/** Deletes entries of a stream that was dropped. @returns whether there was one */
function deleteDropped({ sql }: Tools): boolean {
  const stream = readFirstNumber(sql, 'SELECT stream AS n FROM dropped LIMIT 1');
  if (stream === undefined) return false;
  const rows = sql.exec('SELECT seq FROM entry WHERE stream = ? LIMIT ?', stream, PURGE_STEP).toArray();
  deleteRows(
    rows.map((row) => Number(row['seq'])),
    sql,
  );
  if (rows.length < PURGE_STEP) sql.exec('DELETE FROM dropped WHERE stream = ?', stream);
  return true;
}

/**
 * Passes by entries in the order in which they came, and deletes those of buckets with this retention, until one came
 * too lately. Others stay, and are not looked at again for this retention.
 * @returns whether any was passed by
 */
function deleteOld(days: number, tools: Tools): boolean {
  const { sql, streams, buckets, now } = tools;
  const until = now() - days * DAY_MS;
  const next = listEntriesAfter(getPurgedSequence(days, sql), sql);
  const tooLate = next.findIndex(({ receivedMs }) => receivedMs >= until);
  const old = tooLate < 0 ? next : next.slice(0, tooLate);
  const last = old.at(-1);
  if (last === undefined) return false;
  const isOurs = ({ stream }: Passed): boolean => buckets.retentionDays(streams.byId(stream)?.bucket ?? '') === days;
  sql.exec('INSERT INTO purged VALUES (?, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq', days, last.seq);
  deleteEntries(old.filter(isOurs), tools);
  return true;
}

/** Streams that have no entries left go with the last. @returns how many were deleted */
function deleteEntries(entries: readonly Place[], { sql, streams }: Tools): number {
  deleteRows(
    entries.map(({ seq }) => seq),
    sql,
  );
  for (const id of new Set(entries.map(({ stream }) => stream)))
    if (readFirstNumber(sql, 'SELECT seq AS n FROM entry WHERE stream = ? LIMIT 1', id) === undefined)
      streams.forget(id);
  return entries.length;
}

/** Numbers of the last entries are given again once those are gone: none that comes then has been passed by. */
function deleteRows(seqs: readonly number[], sql: Sql): void {
  if (seqs.length === 0) return;
  sql.exec('DELETE FROM entry WHERE seq IN (SELECT value FROM json_each(?))', JSON.stringify(seqs));
  const last = readFirstNumber(sql, 'SELECT max(seq) AS n FROM entry') ?? 0;
  sql.exec('UPDATE purged SET seq = ? WHERE seq > ?', last, last);
}

const listEntriesAfter = (seq: number, sql: Sql): Passed[] =>
  sql
    .exec('SELECT seq, stream, received_ms FROM entry WHERE seq > ? ORDER BY seq LIMIT ?', seq, PURGE_STEP)
    .toArray()
    .map((row) => ({ seq: Number(row['seq']), stream: Number(row['stream']), receivedMs: Number(row['received_ms']) }));

const getPurgedSequence = (days: number, sql: Sql): number =>
  readFirstNumber(sql, 'SELECT seq AS n FROM purged WHERE retention_days = ?', days) ?? 0;

function readFirstNumber(sql: Sql, query: string, ...bindings: (string | number)[]): number | undefined {
  const [row] = sql.exec(query, ...bindings).toArray();
  return row === undefined ? undefined : Number(row['n']);
}
