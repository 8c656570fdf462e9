import type { Sql } from '../../lib/sqlite.ts';

/**
 * Entries lie in streams: those of one log and severity in one bucket, by time and id; what the service wrote itself
 * (`own`) in streams of their own. `first` and `last` are times that no entry of the stream is outside of. `dropped` are
 * streams that are gone, whose entries are still to be deleted. `purged`: of buckets with this retention, entries up to
 * `seq` have been deleted; a `seq` is never smaller than that of an entry that came before and is still there. `bucket` is
 * what the tenant's resources said of each (order.ts, `BucketFacts`).
 */
const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS stream (id INTEGER PRIMARY KEY, bucket TEXT NOT NULL, log TEXT NOT NULL,
     severity INTEGER NOT NULL, own INTEGER NOT NULL, first TEXT NOT NULL, last TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS entry (seq INTEGER PRIMARY KEY, stream INTEGER NOT NULL, ts TEXT NOT NULL,
     insert_id TEXT NOT NULL, received_ms INTEGER NOT NULL, trace TEXT, json TEXT NOT NULL)`,
  'CREATE UNIQUE INDEX IF NOT EXISTS entry_place ON entry (stream, ts, insert_id)',
  `CREATE INDEX IF NOT EXISTS entry_trace ON entry (trace, stream, ts, insert_id) WHERE trace IS NOT NULL`,
  'CREATE TABLE IF NOT EXISTS dropped (stream INTEGER PRIMARY KEY)',
  `CREATE TABLE IF NOT EXISTS bucket (name TEXT PRIMARY KEY, retention_days INTEGER NOT NULL, generation TEXT NOT NULL,
     gone_ms INTEGER, told_ms INTEGER NOT NULL) WITHOUT ROWID`,
  'CREATE TABLE IF NOT EXISTS purged (retention_days INTEGER PRIMARY KEY, seq INTEGER NOT NULL)',
];

/** Makes the tables of entries where they are missing. */
export function entryTables(sql: Sql): void {
  for (const statement of SCHEMA) sql.exec(statement);
}
