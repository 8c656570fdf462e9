import type { Sql } from '../../lib/sqlite.ts';
import type { Bound } from './filter-sql.ts';
import type { EmbeddedChunk, UnembeddedChunk } from './item.ts';
import type { Ranked } from './keyword.ts';
import { hasRoom, toBytes, CHUNK_NUMBERS } from './tables.ts';

/** Of one call: each is two statements. */
const MAX_SET = 1_000;
/** The room that must be there before vectors are asked for: those of one question take less. */
const BATCH_BYTES = 1_048_576;
/**
 * Vectors come in the order of the chunks: where an item's last one is where it is without a gap, chunks are looked for behind
 * it alone.
 */
const buildWaitingQuery = (
  items: string,
): string => `SELECT chunk.id AS id, item.title AS title, chunk.heading AS heading, chunk.text AS text
  FROM (SELECT n, title, CASE
      (SELECT max(chunk) FROM vector WHERE chunk BETWEEN item.n * 1000000 AND item.n * 1000000 + 999999)
      WHEN item.n * 1000000 + item.vectors - 1 THEN item.vectors ELSE 0 END AS done
    FROM item WHERE ${items} ORDER BY n) AS item
  JOIN chunk ON chunk.id BETWEEN item.n * 1000000 + item.done AND item.n * 1000000 + 999999
  WHERE NOT EXISTS (SELECT 1 FROM vector WHERE vector.chunk = chunk.id) LIMIT ?`;
const CHUNK = `SELECT item.title AS title, chunk.heading AS heading, chunk.text AS text
  FROM chunk JOIN item ON item.n = chunk.id / 1000000 WHERE chunk.id = ?`;
const WAITING = buildWaitingQuery('vectors < chunks');
const WAITING_OF_ITEM = buildWaitingQuery('vectors < chunks AND id = ?');

type RoomTools = { sql: Sql; databaseBytes: () => number };

/**
 * Chunks without a vector, with what is to be embedded of them. None where the instance has no room for vectors.
 * @param itemId only those of this item
 */
export function listUnembeddedChunks(
  { sql, databaseBytes }: RoomTools,
  limit: number,
  itemId?: string,
): readonly UnembeddedChunk[] {
  if (!hasRoom(databaseBytes, BATCH_BYTES)) return [];
  const found = itemId === undefined ? sql.exec(WAITING, limit) : sql.exec(WAITING_OF_ITEM, itemId, limit);
  const rows = found.toArray();
  return rows.map((row) => ({ number: Number(row['id']), text: formatEmbeddingText(row) }));
}

/** What is to be embedded of a chunk. */
const formatEmbeddingText = ({ title, heading, text }: Record<string, unknown>): string =>
  [String(title), String(heading), String(text)].filter((part) => part !== '').join('\n');

/** Whether there are chunks that get no vectors because the instance has no room for them. */
export const hasNoVectorRoom = ({ sql, databaseBytes }: RoomTools): boolean =>
  !hasRoom(databaseBytes, BATCH_BYTES) &&
  sql.exec('SELECT 1 FROM item WHERE vectors > 0 LIMIT 1').toArray().length > 0 &&
  sql.exec('SELECT 1 FROM item WHERE vectors < chunks LIMIT 1').toArray().length > 0;

/**
 * Gives chunks their vectors. Numbers are used again: one that has another text meanwhile, is gone or has a vector gets none.
 * Where there is no room for all, none does.
 * @returns whether there was room
 */
export function setVectors({ sql, databaseBytes }: RoomTools, chunks: readonly EmbeddedChunk[]): boolean {
  if (chunks.length > MAX_SET) throw new RangeError(`At most ${MAX_SET} vectors are set at once`);
  if (!hasRoom(databaseBytes, computeVectorBytes(chunks.map(({ vector }) => vector)))) return false;
  const set = 'INSERT INTO vector VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING chunk';
  const grown = new Map<number, number>();
  for (const { number, text, vector } of chunks) {
    const [row] = sql.exec(CHUNK, number).toArray();
    if (row === undefined || formatEmbeddingText(row) !== text) continue;
    if (sql.exec(set, number, quantiseVector(vector)).toArray().length === 0) continue;
    const n = Math.floor(number / CHUNK_NUMBERS);
    grown.set(n, (grown.get(n) ?? 0) + 1);
  }
  for (const [n, more] of grown) {
    sql.exec('UPDATE item SET vectors = vectors + ? WHERE n = ?', more, n);
    sql.exec('UPDATE total SET vectors = vectors + ?', more);
  }
  return true;
}

/** Forgets all vectors: those of another model compare with nothing. */
export function dropVectors(sql: Sql): void {
  sql.exec('DELETE FROM vector');
  sql.exec('UPDATE item SET vectors = 0 WHERE vectors > 0');
  sql.exec('UPDATE total SET vectors = 0');
}

/**
 * The chunks whose vectors are nearest, by their cosine: each that fits is compared.
 * @param threshold those below it are left out
 */
export function searchByVector(
  sql: Sql,
  query: Float32Array,
  within: Bound | undefined,
  threshold: number,
  limit: number,
): readonly Ranked[] {
  const inside = within === undefined ? '' : `WHERE chunk / 1000000 IN (${within.text})`;
  const to = normaliseVector(query);
  const found: Ranked[] = [];
  for (const { chunk, bytes } of sql.exec(`SELECT chunk, bytes FROM vector ${inside}`, ...(within?.bindings ?? []))) {
    const score = computeCosine(to, toBytes(bytes));
    if (score > 0 && score >= threshold) found.push({ chunk: Number(chunk), score });
  }
  return found.toSorted((a, b) => b.score - a.score || a.chunk - b.chunk).slice(0, limit);
}

const STEPS = 127;
const SCALE_BYTES = 4;
/** Of a row beside its blob. */
const ROW_BYTES = 16;

/**
 * A vector of length one in a byte a number, behind what one step is worth (float32, little-endian). A vector of nothing
 * but zeros, or with what is no number, is zeros: it is like none.
 */
export function quantiseVector(vector: Float32Array): Uint8Array {
  const length = computeVectorLength(vector);
  const isUsable = length > 0 && Number.isFinite(length);
  const largest = isUsable ? vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / length : 0;
  const bytes = new Uint8Array(SCALE_BYTES + vector.length);
  new DataView(bytes.buffer).setFloat32(0, largest / STEPS, true);
  if (!isUsable) return bytes;
  const steps = new Int8Array(bytes.buffer, SCALE_BYTES);
  const step = length * (largest / STEPS);
  for (let at = 0; at < vector.length; at += 1) steps[at] = Math.round((vector[at] ?? 0) / step);
  return bytes;
}

/** A vector of length one; zeros where it has no length. */
export function normaliseVector(vector: Float32Array): Float32Array {
  const length = computeVectorLength(vector);
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : vector.map(() => 0);
}

/** The cosine of a unit vector and a quantised one, -1 to 1; 0 where they have not as many numbers. */
export function computeCosine(query: Float32Array, bytes: Uint8Array): number {
  if (bytes.length !== SCALE_BYTES + query.length) return 0;
  const scale = new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true);
  const steps = new Int8Array(bytes.buffer, bytes.byteOffset + SCALE_BYTES, query.length);
  let sum = 0;
  for (let at = 0; at < steps.length; at += 1) sum += (query[at] ?? 0) * (steps[at] ?? 0);
  return Math.min(1, Math.max(-1, sum * scale));
}

function computeVectorLength(vector: Float32Array): number {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return Math.sqrt(sum);
}

/** What vectors take once they are stored. */
export const computeVectorBytes = (vectors: readonly Float32Array[]): number =>
  vectors.reduce((sum, { length }) => sum + ROW_BYTES + SCALE_BYTES + length, 0);
