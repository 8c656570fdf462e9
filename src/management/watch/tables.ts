import type { Sql } from '../../lib/sqlite.ts';

/**
 * Channels and their messages, beside the tenant's resources: in no snapshot (rule K3). `channel_id` holds every id ever
 * used. `failures` counts those in a row; `sent` and `taken` are how many messages went to the queue and to the address
 * in the second that starts at the time beside it. `push_flight` holds messages that are with the queue, or, `taken`, on
 * their way.
 */
const SCHEMA = [
  'CREATE TABLE IF NOT EXISTS channel_id (id TEXT PRIMARY KEY) WITHOUT ROWID',
  `CREATE TABLE IF NOT EXISTS channel (id TEXT PRIMARY KEY, resource_id TEXT NOT NULL, resource_uri TEXT NOT NULL,
     address TEXT NOT NULL, host TEXT NOT NULL, token TEXT NOT NULL, expires_ms INTEGER NOT NULL,
     watched TEXT NOT NULL, scope TEXT NOT NULL, event TEXT NOT NULL,
     opener_kind TEXT NOT NULL, opener_user TEXT NOT NULL, opener_client TEXT NOT NULL,
     number INTEGER NOT NULL DEFAULT 0, queued INTEGER NOT NULL DEFAULT 0, refused INTEGER NOT NULL DEFAULT 0,
     lost INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0, paused_until_ms INTEGER NOT NULL DEFAULT 0,
     probe INTEGER NOT NULL DEFAULT 0, sent_ms INTEGER NOT NULL DEFAULT 0, sent INTEGER NOT NULL DEFAULT 0,
     taken_ms INTEGER NOT NULL DEFAULT 0, taken INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS channel_watched ON channel (watched, scope)',
  'CREATE INDEX IF NOT EXISTS channel_host ON channel (host)',
  `CREATE TABLE IF NOT EXISTS push (channel TEXT NOT NULL, number INTEGER NOT NULL, state TEXT NOT NULL,
     user_id TEXT NOT NULL, email TEXT NOT NULL, wake_ms INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
     PRIMARY KEY (channel, number)) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS push_due ON push (channel, wake_ms)',
  `CREATE TABLE IF NOT EXISTS push_flight (channel TEXT NOT NULL, number INTEGER NOT NULL, taken INTEGER NOT NULL,
     until_ms INTEGER NOT NULL, PRIMARY KEY (channel, number)) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS push_flight_taken ON push_flight (until_ms) WHERE taken = 1',
  `CREATE TABLE IF NOT EXISTS push_host (host TEXT PRIMARY KEY, taken_ms INTEGER NOT NULL, taken INTEGER NOT NULL) WITHOUT ROWID`,
];

/** A row of a table; texts and numbers only. */
export type Row = Record<string, unknown>;
export type Run = (query: string, ...bindings: (string | number)[]) => Row[];

/** Makes the tables where they are missing. */
export function watchTables(sql: Sql): Run {
  for (const statement of SCHEMA) sql.exec(statement);
  return (query, ...bindings) => sql.exec(query, ...bindings).toArray();
}

/** Ends a channel: it sends no more. Its id stays used. */
export function dropChannel(run: Run, id: string): void {
  for (const table of ['push', 'push_flight']) run(`DELETE FROM ${table} WHERE channel = ?`, id);
  run('DELETE FROM channel WHERE id = ?', id);
}
