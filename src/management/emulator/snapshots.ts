import * as z from 'zod';
import { parseJson, isObject, isText, type Json, type JsonObject, getMember } from '../../lib/json.ts';
import { Refusal, vendorRefusals } from '../../lib/refusal.ts';
import { createTables, type Sql } from '../../lib/sqlite.ts';
import { countUtf8Bytes } from '../../lib/utf8.ts';
import { isKey, type NewName, type NewRow, type Resources } from '../core/engine/stored-row.ts';
import type { Interface } from '../core/engine/operation.ts';
import type { Tenant } from '../core/engine/tenant.ts';
import type { SchemaField, Schemas } from '../core/table/method-row.ts';
import { getSchemas } from '../core/table/schemas.ts';
import type { SnapshotRow } from '../core/tenant-object.ts';
import { clearData, isTaken } from './data.ts';
import { readTextSetting } from './settings.ts';

const keySchema = z.string().refine(isKey);
const optionalKey = z.union([keySchema, z.null()]);

/** One line of a snapshot: what it belongs to, a resource, or a name. */
const lineSchema = z.union([
  z.tuple([z.literal('tenant'), z.string()]),
  z.tuple([
    z.literal('row'),
    keySchema,
    keySchema,
    keySchema,
    optionalKey,
    optionalKey,
    optionalKey,
    optionalKey,
    z.string(),
  ]),
  z.tuple([
    z.literal('name'),
    keySchema,
    keySchema,
    keySchema,
    keySchema,
    keySchema,
    z.union([z.literal(0), z.literal(1)]),
  ]),
]);

type SnapshotLine = { is: 'tenant'; id: string } | { is: 'row'; row: NewRow } | { is: 'name'; name: NewName };

/**
 * Reads one line back and judges it: a known collection that snapshots hold, keys of the right length, a body of the
 * right types (rule K3). Undefined for any other.
 */
function parseSnapshotLine(text: string, interfaces: readonly Interface[]): SnapshotLine | undefined {
  const parsed = lineSchema.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const { data } = parsed;
  if (data[0] === 'tenant') return { is: 'tenant', id: data[1] };
  if (data[0] === 'name') {
    const [, namespace, name, collection, parent, id, primary] = data;
    if (!isSaved(collection, interfaces)) return undefined;
    return { is: 'name', name: { namespace, name, owner: { collection, parent, id }, primary: primary === 1 } };
  }
  const [, collection, parent, id, s1, s2, s3, ref, json] = data;
  const body = parseJson(json);
  if (!isObject(body) || !isSaved(collection, interfaces) || !isValidForCollection(collection, body, interfaces))
    return undefined;
  const indexed = Object.entries({ s1, s2, s3, ref }).filter(([, value]) => value !== null);
  return { is: 'row', row: { collection, parent, id, body, ...Object.fromEntries(indexed) } };
}

/** Whether snapshots hold a collection: one of an interface that is served, and none of credentials. */
export function isSaved(collection: string, interfaces: readonly Interface[]): boolean {
  const owner = findOwnerInterface(collection, interfaces);
  if (owner === undefined || owner.unsaved?.includes(collection) === true) return false;
  return owner.collections === undefined || Object.hasOwn(owner.collections, collection);
}

/** Collections are named after their interface: `directory.users`. */
const findOwnerInterface = (collection: string, interfaces: readonly Interface[]): Interface | undefined =>
  interfaces.find(({ name }) => collection.startsWith(`${name}.`));

function isValidForCollection(collection: string, body: JsonObject, interfaces: readonly Interface[]): boolean {
  const owner = findOwnerInterface(collection, interfaces);
  const schema = owner?.collections?.[collection] ?? '';
  if (owner?.rows?.[collection]?.(body) === false) return false;
  if (owner === undefined || schema === '') return true;
  return isValidForReference(body, schema, getSchemas(owner.name, owner.version));
}

/** Fields that the schema knows must have its types; an interface may keep others beside them for itself. */
function isValidForReference(body: JsonObject, ref: string, schemas: Schemas): boolean {
  return Object.entries(schemas[ref] ?? {}).every(([name, field]) => {
    const value = getMember(body, name);
    return value === undefined || isValidForField(value, field, schemas);
  });
}

function isValidForField(value: Json, field: SchemaField, schemas: Schemas): boolean {
  const { items, ref, values } = field;
  switch (field.type) {
    case 'any':
      return true;
    case 'array':
      return (
        Array.isArray(value) && (items === undefined || value.every((item) => isValidForField(item, items, schemas)))
      );
    case 'object':
      if (!isObject(value)) return false;
      if (ref !== undefined) return isValidForReference(value, ref, schemas);
      return values === undefined || Object.values(value).every((each) => isValidForField(each, values, schemas));
    case 'integer':
    case 'number':
      return typeof value === 'number' || (isText(value) && field.format !== undefined);
    case 'string':
      return isText(value);
    case 'boolean':
      return typeof value === 'boolean';
  }
}

/** Rows and characters that are read at once. */
const PAGE_ROWS = 1_000;
const PAGE_CHARS = 1_000_000;

const ROWS = `SELECT collection, parent, id, s1, s2, s3, ref, json FROM resource
  WHERE (collection, parent, id) > (?, ?, ?) ORDER BY collection, parent, id LIMIT ${PAGE_ROWS}`;
const NAMES = `SELECT namespace, name, collection, parent, id, is_primary FROM name
  WHERE (namespace, name) > (?, ?) ORDER BY namespace, name LIMIT ${PAGE_ROWS}`;

/** Every resource and name that a snapshot holds, a line each, in the order of their keys (rule K3: no credentials). */
function* listSnapshotLines(sql: Sql, interfaces: readonly Interface[]): Generator<string> {
  for (const row of listAllRows(sql, ROWS, ['collection', 'parent', 'id'])) {
    if (!isSaved(String(row['collection']), interfaces)) continue;
    const { collection, parent, id, s1, s2, s3, ref, json } = row;
    yield JSON.stringify(['row', collection, parent, id, s1, s2, s3, ref, json]);
  }
  for (const row of listAllRows(sql, NAMES, ['namespace', 'name'])) {
    if (!isSaved(String(row['collection']), interfaces)) continue;
    const { namespace, name, collection, parent, id, is_primary: primary } = row;
    yield JSON.stringify(['name', namespace, name, collection, parent, id, primary]);
  }
}

/** All rows of a query that goes on after a key: read page by page, so that writing in between disturbs nothing. */
function* listAllRows(sql: Sql, query: string, key: readonly string[]): Generator<Record<string, unknown>> {
  let after = key.map(() => '');
  for (;;) {
    const page = readRowPage(sql, query, after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = key.map((column) => String(last[column]));
  }
}

function readRowPage(sql: Sql, query: string, after: readonly string[]): Record<string, unknown>[] {
  const page: Record<string, unknown>[] = [];
  let chars = 0;
  for (const row of sql.exec(query, ...after)) {
    page.push(row);
    chars += readTextSetting(row['json'] ?? '').length;
    if (chars > PAGE_CHARS) break;
  }
  return page;
}

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
  /** What a snapshot of now would hold, as its lines: for a file, which is as long as it is. */
  listText: (tenant: Tenant) => Iterable<string>;
  /** Keeps such a text under a name, unjudged: `restore` judges it. @throws Refusal for one that is too large */
  keepText: (name: string, text: string, nowMs: number) => void;
};

export function createSnapshots(sql: Sql, interfaces: readonly Interface[], maxBytes = MAX_SNAPSHOT_BYTES): Snapshots {
  createTables(sql, SCHEMA);
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
  const requireKept = (name: string): void => {
    if (!all().some((each) => each.name === name)) throw vendorRefusals.notFound('name');
  };
  return {
    all,
    remove,
    listText: (tenant) => listAllLines(tenant, sql, interfaces),
    keepText: (name, text, nowMs) => {
      remove(name);
      const { rows, bytes } = writeChunks(name, [text], sql, maxBytes);
      sql.exec('INSERT INTO snapshot VALUES (?, ?, ?, ?)', name, rows, bytes, nowMs);
    },
    take: (name, tenant, nowMs) => {
      remove(name);
      if (all().length >= MAX_SNAPSHOTS)
        throw vendorRefusals.limitExceeded(`A tenant has at most ${MAX_SNAPSHOTS} snapshots`);
      const { rows, bytes } = writeChunks(name, listAllLines(tenant, sql, interfaces), sql, maxBytes);
      sql.exec('INSERT INTO snapshot VALUES (?, ?, ?, ?)', name, rows, bytes, nowMs);
      return { name, rows, bytes, createdMs: nowMs };
    },
    restore: (name, tenant, store) => {
      requireKept(name);
      clearData(sql);
      putBack(readSnapshotLines(name, sql), tenant, store, interfaces);
      if (hasStrayNames(sql)) throw refuseUnfitSnapshot();
    },
  };
}

function* listAllLines(tenant: Tenant, sql: Sql, interfaces: readonly Interface[]): Generator<string> {
  yield `${JSON.stringify(['tenant', tenant.id])}\n`;
  for (const line of listSnapshotLines(sql, interfaces)) yield `${line}\n`;
}

/** @returns how many rows and bytes the texts have, which come in pieces of one or more lines */
function writeChunks(name: string, texts: Iterable<string>, sql: Sql, maxBytes: number) {
  let [rows, bytes, chunks, text] = [-1, 0, 0, '']; // The first line is no row.
  const keep = (chunk: string): void => {
    bytes += countUtf8Bytes(chunk);
    if (bytes > maxBytes) throw vendorRefusals.limitExceeded(`A snapshot has at most ${maxBytes} bytes`);
    sql.exec('INSERT INTO snapshot_chunk VALUES (?, ?, ?)', name, chunks, chunk);
    chunks += 1;
  };
  for (const piece of texts) {
    text += piece;
    rows += piece.split('\n').length - 1;
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

function* readChunks(name: string, sql: Sql): Generator<string> {
  for (let n = 0; ; n += 1) {
    const [chunk] = sql.exec('SELECT text FROM snapshot_chunk WHERE name = ? AND n = ?', name, n).toArray();
    if (chunk === undefined) return;
    yield String(chunk['text']);
  }
}

function* readSnapshotLines(name: string, sql: Sql): Generator<string> {
  let rest = '';
  for (const chunk of readChunks(name, sql)) {
    const lines = `${rest}${chunk}`.split('\n');
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
    const line: SnapshotLine | undefined = parseSnapshotLine(text, interfaces);
    if (line === undefined) throw refuseUnfitSnapshot();
    if (line.is === 'tenant') isOwn = line.id === tenant.id;
    if (!isOwn) throw refuseUnfitSnapshot();
    if (line.is === 'row') rows.push(line.row);
    if (line.is === 'name') names.push(line.name);
    if (rows.length + names.length >= BATCH_LINES) write();
  }
  if (!isOwn) throw refuseUnfitSnapshot();
  write();
}

/** @throws Refusal when a row or a name is there twice */
function insertAll(store: Resources, rows: readonly NewRow[], names: readonly NewName[]): void {
  try {
    store.insertMany(rows, names);
  } catch (error) {
    if (isTaken(error)) throw refuseUnfitSnapshot();
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

const refuseUnfitSnapshot = (): Refusal =>
  vendorRefusals.failedPrecondition('The snapshot does not fit this tenant: nothing was restored');
