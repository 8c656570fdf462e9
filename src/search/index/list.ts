import type { Sql } from '../../lib/sqlite.ts';
import { buildItemFilter } from './filter-sql.ts';
import type { IndexStats, ItemPage, ItemQuery, ChunkRecord, ItemRecord } from './item.ts';
import { readChunkRow, readItemRow, toBytes, CHUNK_NUMBERS } from './tables.ts';
import { hasNoVectorRoom } from './vectors.ts';
import { hasFormerTokenizer } from './reindex.ts';

const MAX_PAGE = 100;
/** Of one answer. */
const MAX_CHUNKS_SHOWN = 1_000;

const ORDERS = {
  status: `CASE status WHEN 'running' THEN 0 WHEN 'queued' THEN 1 WHEN 'error' THEN 2 WHEN 'outdated' THEN 3
    WHEN 'skipped' THEN 4 ELSE 5 END, seen_ms DESC, n DESC`,
  modified_at: 'modified_ms DESC, n DESC',
} as const;

/** A page of the items that fit all that is asked, and how many do. */
export function listItems(sql: Sql, query: ItemQuery): ItemPage {
  const { page, perPage, sortBy, itemId, key, source, status, search, filter } = query;
  const conditions = ['1'];
  const bindings: (string | number)[] = [];
  const require = (condition: string, ...bound: readonly (string | number)[]): void => {
    conditions.push(condition);
    bindings.push(...bound);
  };
  if (itemId !== undefined) require('id = ?', itemId);
  if (key !== undefined) require('key = ?', key);
  if (source !== undefined) require('source = ?', source);
  if (status !== undefined) require('status = ?', status);
  if (search !== undefined) require('instr(lower(key), lower(?)) > 0', search);
  const fit = filter && buildItemFilter(filter);
  if (fit !== undefined) require(`n IN (${fit.text})`, ...fit.bindings);
  const where = conditions.join(' AND ');
  const size = Math.min(perPage, MAX_PAGE);
  const rows = sql.exec(
    `SELECT * FROM item WHERE ${where} ORDER BY ${ORDERS[sortBy]} LIMIT ? OFFSET ?`,
    ...bindings,
    size,
    (page - 1) * size,
  );
  const [counted = {}] = sql.exec(`SELECT count(*) AS total FROM item WHERE ${where}`, ...bindings).toArray();
  return { items: [...rows].map(readItemRow), total: Number(counted['total']) };
}

export function findItemById(sql: Sql, id: string): ItemRecord | undefined {
  const [row] = sql.exec('SELECT * FROM item WHERE id = ?', id).toArray();
  return row && readItemRow(row);
}

/** Chunks of an item in their order; none for an item that is not there. */
export function listItemChunks(sql: Sql, id: string, limit: number, offset: number): readonly ChunkRecord[] {
  const query = `SELECT chunk.* FROM item JOIN chunk
    ON chunk.id BETWEEN item.n * ${CHUNK_NUMBERS} + ? AND item.n * ${CHUNK_NUMBERS} + ?
    WHERE item.id = ? ORDER BY chunk.id`;
  const first = Math.min(offset, CHUNK_NUMBERS);
  const last = Math.min(first + Math.min(limit, MAX_CHUNKS_SHOWN), CHUNK_NUMBERS) - 1;
  return sql
    .exec(query, first, last, id)
    .toArray()
    .map((row) => readChunkRow(row, id));
}

/** The content of an item as it came; undefined where none is kept. */
export function findRawContent(sql: Sql, id: string): Uint8Array | undefined {
  const query = `SELECT bytes FROM piece WHERE id BETWEEN (SELECT n FROM item WHERE item.id = ?) * ${CHUNK_NUMBERS}
    AND (SELECT n FROM item WHERE item.id = ?) * ${CHUNK_NUMBERS} + ${CHUNK_NUMBERS - 1} ORDER BY id`;
  const pieces = sql
    .exec(query, id, id)
    .toArray()
    .map(({ bytes }) => toBytes(bytes));
  if (pieces.length === 0) return undefined;
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    whole.set(piece, end);
    end += piece.length;
  }
  return whole;
}

export function computeIndexStats({ sql, databaseBytes }: { sql: Sql; databaseBytes: () => number }): IndexStats {
  const [total = {}] = sql.exec('SELECT * FROM total').toArray();
  const rows = sql.exec('SELECT status, count(*) AS n FROM item GROUP BY status').toArray();
  const counts = new Map(rows.map(({ status, n }) => [String(status), Number(n)]));
  const of = (status: ItemRecord['status']): number => counts.get(status) ?? 0;
  return {
    completed: of('completed'),
    error: of('error'),
    queued: of('queued'),
    running: of('running'),
    skipped: of('skipped'),
    outdated: of('outdated'),
    items: Number(total['items']),
    chunks: Number(total['chunks']),
    vectors: Number(total['vectors']),
    bytes: Number(total['bytes']),
    databaseBytes: databaseBytes(),
    noRoom: { words: hasFormerTokenizer(sql), vectors: hasNoVectorRoom({ sql, databaseBytes }) },
  };
}
