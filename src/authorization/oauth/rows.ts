import type { Sql } from '../../lib/sqlite.ts';
import { computeSecondsUntil } from '../../lib/time.ts';

export type RateVerdict = { allowed: true } | { allowed: false; retryAfterS: number };

type Window = { count: number; endsAtMs: number };

type RateOptions = {
  /** Where the counters are; nothing else may be there. */
  prefix: string;
  /** Events allowed in one window. */
  max: number;
  windowMs: number;
};

/** Counts events by name in fixed windows that survive eviction. A refused event is not counted. */
export function createRateWindow(rows: Rows, now: () => number, { prefix, max, windowMs }: RateOptions) {
  const current = (name: string): Window => rows.get<Window>(prefix + name) ?? { count: 0, endsAtMs: now() + windowMs };
  const check = (name: string): RateVerdict => {
    const { count, endsAtMs } = current(name);
    if (count < max) return { allowed: true };
    return { allowed: false, retryAfterS: computeSecondsUntil(endsAtMs, now()) };
  };
  return {
    check,
    /** Counts an event if it is allowed. */
    count: (name: string): RateVerdict => {
      const verdict = check(name);
      if (!verdict.allowed) return verdict;
      const { count, endsAtMs } = current(name);
      rows.put(prefix + name, { count: count + 1, endsAtMs } satisfies Window, endsAtMs);
      return verdict;
    },
  };
}

// oxlint-disable typescript/no-unnecessary-type-parameters -- who reads a key wrote it, and says here what is in it.
/**
 * The one table of the authorization store: JSON values by key, each with an optional end (Unix milliseconds).
 * Synchronous, so that an operation which reads and then writes cannot be interrupted between the two.
 */
export type Rows = {
  /** The value of a key; undefined when there is none or it has expired. */
  get: <T>(key: string) => T | undefined;
  put: (key: string, value: unknown, expiresAtMs?: number) => void;
  delete: (key: string) => void;
  /** Living rows whose key starts with `prefix`, in the order of their keys, after the key `after`, at most `limit`. */
  list: <T>(prefix: string, limit: number, after?: string) => readonly KeyValueRow<T>[];
  /** How many living rows start with `prefix`. */
  count: (prefix: string) => number;
};

export type KeyValueRow<T> = { key: string; value: T; expiresAtMs: number | null };

/** What every module of the authorization store works with. */
export type StoreTools = {
  rows: Rows;
  /** Unix milliseconds. */
  now: () => number;
  /** This many random bytes as lower-case hex. */
  random: (bytes: number) => string;
};

const CREATE =
  'CREATE TABLE IF NOT EXISTS rows (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER) WITHOUT ROWID';
/** The sweep finds what is over without a scan. */
const CREATE_INDEX = 'CREATE INDEX IF NOT EXISTS rows_by_end ON rows (expires_at) WHERE expires_at IS NOT NULL';
const ALIVE = '(expires_at IS NULL OR expires_at > ?)';

/** `Rows` over SQLite. The table is made when it is not there. */
export function createSqlRows(sql: Sql, now: () => number): Rows {
  sql.exec(CREATE);
  sql.exec(CREATE_INDEX);
  const parsed = <T>(value: unknown): T => JSON.parse(String(value)) as T; // Written by `put` below.
  return {
    get: <T>(key: string) => {
      const [row] = sql.exec(`SELECT value FROM rows WHERE key = ? AND ${ALIVE}`, key, now()).toArray();
      return row === undefined ? undefined : parsed<T>(row['value']);
    },
    put: (key, value, expiresAtMs) => {
      const json = JSON.stringify(value);
      sql.exec('INSERT OR REPLACE INTO rows (key, value, expires_at) VALUES (?, ?, ?)', key, json, expiresAtMs ?? null);
    },
    delete: (key) => {
      sql.exec('DELETE FROM rows WHERE key = ?', key);
    },
    list: <T>(prefix: string, limit: number, after = '') =>
      sql
        .exec(
          `SELECT key, value, expires_at FROM rows WHERE key >= ? AND key < ? AND key > ? AND ${ALIVE} ORDER BY key LIMIT ?`,
          prefix,
          computePrefixEnd(prefix),
          after,
          now(),
          limit,
        )
        .toArray()
        .map((row) => ({
          key: typeof row['key'] === 'string' ? row['key'] : '',
          value: parsed<T>(row['value']),
          expiresAtMs: typeof row['expires_at'] === 'number' ? row['expires_at'] : null,
        })),
    count: (prefix) => {
      const [row] = sql
        .exec(
          `SELECT count(*) AS n FROM rows WHERE key >= ? AND key < ? AND ${ALIVE}`,
          prefix,
          computePrefixEnd(prefix),
          now(),
        )
        .toArray();
      return Number(row?.['n'] ?? 0);
    },
  };
}

/** Deletes at most `limit` expired rows; how many it deleted. */
export function sweepRows(sql: Sql, nowMs: number, limit: number): number {
  const doomed = 'SELECT key FROM rows WHERE expires_at IS NOT NULL AND expires_at <= ? LIMIT ?';
  return sql.exec(`DELETE FROM rows WHERE key IN (${doomed}) RETURNING key`, nowMs, limit).toArray().length;
}

/** The first key after all that start with `prefix`: keys are ASCII, so the highest code point ends every range. */
const computePrefixEnd = (prefix: string): string => `${prefix}\u{10FFFF}`;
