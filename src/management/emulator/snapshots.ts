import { byteLength } from '../core/engine/keys.ts';
import type { Interface } from '../core/engine/operation.ts';
import type { Tenant } from '../core/engine/tenant.ts';
import type { NewName, NewRow, Resources } from '../core/engine/stored-row.ts';
import type { Sql } from '../../lib/sqlite.ts';
import { Refusal, refuse } from '../../lib/refusal.ts';
import type { SnapshotRow } from '../core/tenant-object.ts';
import { type SnapshotLine, lineOf } from './snapshot-rows.ts';
import { savedLines } from './saved-lines.ts';
import { clearData, isTaken } from './data.ts';

/** Bytes of one snapshot, and snapshots of a tenant (rule K3). */
export const MAX_SNAPSHOT_BYTES = 64 * 1_048_576;
export const MAX_SNAPSHOTS = 10;
/** A chunk has so many characters of three bytes at most: below 1 MiB. */
const CHUNK_CHARS = 349_000;
/** Lines that are put back at once. */
const BATCH_LINES = 2_000;

const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS snapshot (name TEXT PRIMARY KEY, rows INTEGER NOT NULL, bytes INTEGER NOT NULL,
     created INTEGER NOT NULL) WITHOUT ROWID`,
  'CREATE TABLE IF NOT EXISTS snapshot_chunk (name TEXT NOT NULL, n INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (name, n))',
];

/** Snapshots of one tenant. All of them run inside a transaction. */
export type Snapshots = {
  all: () => readonly SnapshotRow[];
  /** Keeps what the tenant has now. @throws Refusal for one that is too large, or one too many */
  take: (name: string, tenant: Tenant, nowMs: number) => SnapshotRow;
  /** Puts it in the place of what the tenant has. @throws Refusal for one that is not there or does not fit */
  restore: (name: string, tenant: Tenant, store: Resources) => void;
  /** @returns whether it was there */
  remove: (name: string) => boolean;
};

export function snapshotsOf(sql: Sql, interfaces: readonly Interface[], maxBytes = MAX_SNAPSHOT_BYTES): Snapshots {
  for (const statement of SCHEMA) sql.exec(statement);
  const all = (): SnapshotRow[] =>
    sql
      .exec('SELECT name, rows, bytes, created FROM snapshot ORDER BY name')
      .toArray()
      .map((row) => ({
        name: String(row['name']),
        rows: Number(row['rows']),
        bytes: Number(row['bytes']),
        createdMs: Number(row['created']),
      }));
  const remove = (name: string): boolean => {
    sql.exec('DELETE FROM snapshot_chunk WHERE name = ?', name);
    return sql.exec('DELETE FROM snapshot WHERE name = ? RETURNING name', name).toArray().length > 0;
  };
  return {
    all,
    remove,
    take: (name, tenant, nowMs) => {
      remove(name);
      if (all().length >= MAX_SNAPSHOTS) throw refuse.limitExceeded(`A tenant has at most ${MAX_SNAPSHOTS} snapshots`);
      const { rows, bytes } = writeChunks(name, tenant, sql, interfaces, maxBytes);
      sql.exec('INSERT INTO snapshot VALUES (?, ?, ?, ?)', name, rows, bytes, nowMs);
      return { name, rows, bytes, createdMs: nowMs };
    },
    restore: (name, tenant, store) => {
      if (!all().some((each) => each.name === name)) throw refuse.notFound('name');
      clearData(sql);
      putBack(linesIn(name, sql), tenant, store, interfaces);
      if (hasStrayNames(sql)) throw unfit();
    },
  };
}

function writeChunks(name: string, tenant: Tenant, sql: Sql, interfaces: readonly Interface[], maxBytes: number) {
  let [rows, bytes, chunks, text] = [0, 0, 0, `${JSON.stringify(['tenant', tenant.id])}\n`];
  const keep = (chunk: string): void => {
    bytes += byteLength(chunk);
    if (bytes > maxBytes) throw refuse.limitExceeded(`A snapshot has at most ${maxBytes} bytes`);
    sql.exec('INSERT INTO snapshot_chunk VALUES (?, ?, ?)', name, chunks, chunk);
    chunks += 1;
  };
  for (const line of savedLines(sql, interfaces)) {
    text += `${line}\n`;
    rows += 1;
    while (text.length >= CHUNK_CHARS) {
      const end = CHUNK_CHARS - (isHighSurrogate(text.charCodeAt(CHUNK_CHARS - 1)) ? 1 : 0);
      keep(text.slice(0, end));
      text = text.slice(end);
    }
  }
  keep(text);
  return { rows, bytes };
}

/** A character of two halves stays in one chunk. */
const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

function* linesIn(name: string, sql: Sql): Generator<string> {
  let rest = '';
  for (let n = 0; ; n += 1) {
    const [chunk] = sql.exec('SELECT text FROM snapshot_chunk WHERE name = ? AND n = ?', name, n).toArray();
    if (chunk === undefined) break;
    const lines = `${rest}${String(chunk['text'])}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function putBack(texts: Iterable<string>, tenant: Tenant, store: Resources, interfaces: readonly Interface[]): void {
  let rows: NewRow[] = [];
  let names: NewName[] = [];
  let isOwn = false;
  const write = (): void => {
    insertAll(store, rows, names);
    [rows, names] = [[], []];
  };
  for (const text of texts) {
    const line: SnapshotLine | undefined = lineOf(text, interfaces);
    if (line === undefined) throw unfit();
    if (line.is === 'tenant') isOwn = line.id === tenant.id;
    if (!isOwn) throw unfit();
    if (line.is === 'row') rows.push(line.row);
    if (line.is === 'name') names.push(line.name);
    if (rows.length + names.length >= BATCH_LINES) write();
  }
  if (!isOwn) throw unfit();
  write();
}

/** @throws Refusal when a row or a name is there twice */
function insertAll(store: Resources, rows: readonly NewRow[], names: readonly NewName[]): void {
  try {
    store.insertMany(rows, names);
  } catch (error) {
    if (isTaken(error)) throw unfit();
    throw error;
  }
}

/** Whether a name belongs to a row that is not there. */
const hasStrayNames = (sql: Sql): boolean =>
  sql
    .exec(
      `SELECT 1 AS stray FROM name n WHERE NOT EXISTS (SELECT 1 FROM resource r WHERE r.collection = n.collection
       AND r.parent = n.parent AND r.id = n.id) LIMIT 1`,
    )
    .toArray().length > 0;

const unfit = (): Refusal => refuse.failedPrecondition('The snapshot does not fit this tenant: nothing was restored');
