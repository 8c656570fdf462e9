import type { Sql, SqlRow } from '../../../lib/sqlite.ts';

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

export type RunDeliveryStatement = (query: string, ...bindings: (string | number | null)[]) => SqlRow[];

/** Makes the tables where they are missing. */
export function createDeliveryTables(sql: Sql): RunDeliveryStatement {
  for (const statement of SCHEMA) sql.exec(statement);
  return (query, ...bindings) => sql.exec(query, ...bindings).toArray();
}
