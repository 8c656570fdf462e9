import { createTables, type Sql, type SqlRow } from '../../lib/sqlite.ts';
import { isObject } from '../../lib/json.ts';
import { type ChunkRecord, type ItemRecord, MAX_DATABASE_BYTES, type Metadata } from './item.ts';

/** A chunk's number is that of its item times this, and its position. */
export const CHUNK_NUMBERS = 1_000_000;
/** Of a piece of an item's content: a row of a Durable Object holds two megabytes. */
export const PIECE_BYTES = 1_000_000;
/** A statement of a Durable Object binds at most a hundred values. */
export const MAX_BOUND = 100;

/**
 * `item`: one row a file or page; `filename` and `folder` are of its key. `piece`: its content, in pieces whose number is
 * the item's times `CHUNK_NUMBERS` and their position; so are those of `chunk`, and `vector` has those of its chunks.
 * `total`: what all items take. `log`: of items and jobs, by their ids. `unsettled_word`: see `word-tables.ts`.
 */
const SCHEMA = [
  'CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
  `CREATE TABLE IF NOT EXISTS item (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, source TEXT NOT NULL, key TEXT NOT NULL,
     filename TEXT NOT NULL, folder TEXT NOT NULL, status TEXT NOT NULL, checksum TEXT NOT NULL, size INTEGER NOT NULL,
     type TEXT NOT NULL, title TEXT NOT NULL, metadata TEXT NOT NULL, created_ms INTEGER NOT NULL, seen_ms INTEGER NOT NULL,
     modified_ms INTEGER NOT NULL, chunks INTEGER NOT NULL, vectors INTEGER NOT NULL, error TEXT, next_action TEXT,
     UNIQUE (source, key))`,
  'CREATE INDEX IF NOT EXISTS item_status ON item (status, seen_ms)',
  'CREATE INDEX IF NOT EXISTS item_waiting ON item (next_action) WHERE next_action IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS item_unembedded ON item (n) WHERE vectors < chunks',
  'CREATE INDEX IF NOT EXISTS item_seen ON item (source, seen_ms)',
  'CREATE TABLE IF NOT EXISTS piece (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)',
  `CREATE TABLE IF NOT EXISTS chunk (id INTEGER PRIMARY KEY, start_byte INTEGER NOT NULL, end_byte INTEGER NOT NULL,
     heading TEXT NOT NULL, text TEXT NOT NULL)`,
  'CREATE TABLE IF NOT EXISTS vector (chunk INTEGER PRIMARY KEY, bytes BLOB NOT NULL)',
  `CREATE TABLE IF NOT EXISTS total (id INTEGER PRIMARY KEY CHECK (id = 1), items INTEGER NOT NULL, chunks INTEGER NOT NULL,
     vectors INTEGER NOT NULL, bytes INTEGER NOT NULL)`,
  'INSERT OR IGNORE INTO total VALUES (1, 0, 0, 0, 0)',
  `CREATE TABLE IF NOT EXISTS job (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, source TEXT NOT NULL, description TEXT,
     created_ms INTEGER NOT NULL, started_ms INTEGER, ended_ms INTEGER, end_reason TEXT, seen_ms INTEGER,
     state TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT NOT NULL, at_ms INTEGER NOT NULL,
     level TEXT NOT NULL, action TEXT NOT NULL, message TEXT NOT NULL, chunks INTEGER, took_ms INTEGER)`,
  'CREATE INDEX IF NOT EXISTS log_owner ON log (owner, id)',
  `CREATE TABLE IF NOT EXISTS unsettled_word (words TEXT NOT NULL, chunk INTEGER NOT NULL, title TEXT NOT NULL,
     text TEXT NOT NULL, PRIMARY KEY (words, chunk)) WITHOUT ROWID`,
  `INSERT OR IGNORE INTO meta VALUES ('version', '2'), ('tokenizer', 'porter')`,
];

/** Makes the tables where they are missing, but for those of words. */
export function makeTables(sql: Sql): void {
  createTables(sql, SCHEMA);
}

/** A value of the table of values; undefined for none. */
export function findMetaValue(sql: Sql, name: string): string | undefined {
  const value = sql.exec('SELECT value FROM meta WHERE name = ?', name).toArray()[0]?.['value'];
  return typeof value === 'string' ? value : undefined;
}

export function setMeta(sql: Sql, name: string, value: string): void {
  sql.exec('INSERT OR REPLACE INTO meta VALUES (?, ?)', name, value);
}

export function dropMeta(sql: Sql, name: string): void {
  sql.exec('DELETE FROM meta WHERE name = ?', name);
}

/** Deletes all rows, and makes those that each database has. */
export function clearTables(sql: Sql): void {
  for (const table of ['meta', 'item', 'piece', 'chunk', 'vector', 'total', 'job', 'log', 'unsettled_word'])
    sql.exec(`DELETE FROM ${table}`);
  makeTables(sql);
}

/** Inserts rows in as few statements as may be. @param columns of the table, all in order */
export function insertRows(
  sql: Sql,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number | Uint8Array)[])[],
): void {
  const atOnce = Math.floor((MAX_BOUND - 1) / columns.length);
  const row = `(${columns.map(() => '?').join(', ')})`;
  for (let start = 0; start < rows.length; start += atOnce) {
    const some = rows.slice(start, start + atOnce);
    const values = some.map(() => row).join(', ');
    sql.exec(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ${values}`, ...some.flat());
  }
}

/** A blob: a Durable Object gives an ArrayBuffer, other SQLites bytes. */
export function toBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw new Error('Not a blob');
}

/** Whether a database may still take so many bytes. @param databaseBytes what it takes now */
export const hasRoom = (databaseBytes: () => number, more: number): boolean =>
  databaseBytes() + more <= MAX_DATABASE_BYTES;

export function readItemRow(row: SqlRow): ItemRecord {
  const error = row['error'];
  const next = row['next_action'];
  return {
    id: String(row['id']),
    source: String(row['source']),
    key: String(row['key']),
    status: row['status'] as ItemRecord['status'], // Only what `ItemRecord` has is written.
    checksum: String(row['checksum']),
    size: Number(row['size']),
    type: String(row['type']),
    title: String(row['title']),
    metadata: readMetadata(row['metadata']),
    createdMs: Number(row['created_ms']),
    seenMs: Number(row['seen_ms']),
    modifiedMs: Number(row['modified_ms']),
    chunks: Number(row['chunks']),
    vectors: Number(row['vectors']),
    error: typeof error === 'string' ? error : null,
    nextAction: next === 'INDEX' || next === 'DELETE' ? next : null,
  };
}

/** Metadata as it was written by `putItem`. */
export function readMetadata(value: unknown): Metadata {
  const parsed: unknown = JSON.parse(String(value));
  return isObject(parsed) ? (parsed as Metadata) : {};
}

/** @param row of `chunk` */
export function readChunkRow(row: SqlRow, itemId: string): ChunkRecord {
  const position = Number(row['id']) % CHUNK_NUMBERS;
  return {
    id: `${itemId}-${position}`,
    position,
    text: String(row['text']),
    heading: String(row['heading']),
    startByte: Number(row['start_byte']),
    endByte: Number(row['end_byte']),
  };
}

/** What filters know of a key: its last segment, and all before it with its slash. */
export function splitKey(key: string): { filename: string; folder: string } {
  const end = key.lastIndexOf('/') + 1;
  return { filename: key.slice(end), folder: key.slice(0, end) };
}

/** The metadata of an item as it is shown: its own, and what each item has. */
export function buildShownMetadata({
  key,
  modifiedMs,
  metadata,
}: Pick<ItemRecord, 'key' | 'modifiedMs' | 'metadata'>): Metadata {
  return { ...splitKey(key), timestamp: modifiedMs, ...metadata };
}
