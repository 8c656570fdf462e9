import type { Sql } from '../../lib/sqlite.ts';
import { hasRoom, readItemRow, splitKey, CHUNK_NUMBERS, insertRows, PIECE_BYTES } from './tables.ts';
import { computeVectorBytes, quantiseVector } from './vectors.ts';
import {
  MAX_CHUNKS,
  MAX_DATABASE_BYTES,
  MAX_ITEM_BYTES,
  MAX_ITEM_CHUNKS,
  MAX_ITEMS,
  type NewChunk,
  type NewItem,
  type PutFailure,
  type PutOutcome,
  type ItemRecord,
} from './item.ts';
import { pruneWords, pruneWordsIfFull } from './forgotten-words.ts';
import { forgetBytes, forgetContent, type IndexTools } from './remove.ts';
import { estimateWordBytes, writeWords } from './word-tables.ts';
import { normaliseStoredText } from './words.ts';

const ID_BYTES = 16;
const COLUMNS = [
  'id',
  'source',
  'key',
  'filename',
  'folder',
  'status',
  'checksum',
  'size',
  'type',
  'title',
  'metadata',
  'created_ms',
  'seen_ms',
  'modified_ms',
  'chunks',
  'vectors',
  'error',
] as const;
const PUT = `INSERT INTO item (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})
  ON CONFLICT (source, key) DO UPDATE SET ${COLUMNS.filter((name) => name !== 'id' && name !== 'created_ms')
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}, next_action = NULL RETURNING *`;
const SEEN = `UPDATE item SET seen_ms = ?, metadata = ?, modified_ms = ?, error = NULL
  WHERE source = ? AND key = ? RETURNING *`;

/**
 * Puts an item into the index in the place of the one with its source and key, all at once: nothing of the former content
 * is left. One that is completed and has the same content, type and title keeps its chunks; so does one that is only queued:
 * until it is indexed it is found as it was.
 * @param vectors one for each chunk; undefined where they come later
 */
export function putItem(
  tools: IndexTools,
  item: NewItem,
  chunks: readonly NewChunk[],
  vectors: readonly Float32Array[] = [],
): PutOutcome {
  if (vectors.length > 0 && vectors.length !== chunks.length) throw new Error('Vectors are not as many as chunks');
  return tools.transaction(() => {
    const before = findItemRow(tools.sql, item.source, item.key);
    const known = before && readItemRow(before);
    if (known !== undefined && isSame(known, item)) return markSeen(tools, item, known);
    const failure = findPutFailure(tools, item, chunks, vectors, known);
    if (failure !== undefined) return failure;
    const kept = item.status === 'queued' && known !== undefined ? known : NOTHING;
    let forgotten = 0;
    if (before === undefined) tools.sql.exec('UPDATE total SET items = items + 1');
    else if (kept.chunks > 0) forgetBytes(tools.sql, Number(before['n']));
    else forgotten = forgetContent(tools.sql, Number(before['n']));
    const stored = write(tools, item, chunks, vectors, kept);
    pruneWords(tools.sql, forgotten);
    return { ok: true, item: stored, effect: known === undefined ? 'created' : 'replaced' };
  });
}

export const findItemRow = (sql: Sql, source: string, key: string) =>
  sql.exec('SELECT * FROM item WHERE source = ? AND key = ?', source, key).toArray()[0];

type ExistingItem = Pick<ItemRecord, 'chunks' | 'vectors' | 'title'>;
const NOTHING: ExistingItem = { chunks: 0, vectors: 0, title: '' };

const isSame = (known: ItemRecord, item: NewItem): boolean =>
  known.status === 'completed' &&
  item.status === 'completed' &&
  known.checksum === item.checksum &&
  known.type === item.type &&
  known.title === normaliseStoredText(item.title);

function markSeen({ sql, now }: IndexTools, item: NewItem, known: ItemRecord): PutOutcome {
  const { source, key, metadata, modifiedMs = known.modifiedMs } = item;
  const [row = {}] = sql.exec(SEEN, now(), JSON.stringify(metadata), modifiedMs, source, key).toArray();
  return { ok: true, item: readItemRow(row), effect: 'unchanged' };
}

function findPutFailure(
  { sql, databaseBytes }: IndexTools,
  item: NewItem,
  chunks: readonly NewChunk[],
  vectors: readonly Float32Array[],
  known: ItemRecord | undefined,
): PutFailure | undefined {
  const bytes = measureItem(item);
  if (bytes > MAX_ITEM_BYTES) return refuseTooLarge(`An item has at most ${MAX_ITEM_BYTES} bytes`);
  if (chunks.length > MAX_ITEM_CHUNKS) return refuseTooLarge(`An item has at most ${MAX_ITEM_CHUNKS} chunks`);
  const [total = {}] = sql.exec('SELECT items, chunks FROM total').toArray();
  if (known === undefined && Number(total['items']) >= MAX_ITEMS)
    return refuseFull(`An instance has at most ${MAX_ITEMS} items`);
  if (Number(total['chunks']) - (known?.chunks ?? 0) + chunks.length > MAX_CHUNKS)
    return refuseFull(`An instance has at most ${MAX_CHUNKS} chunks`);
  const textBytes = chunks.reduce((sum, { startByte, endByte }) => sum + endByte - startByte, 0);
  const more = (item.bytes?.length ?? 0) + textBytes + estimateWordBytes(sql, textBytes) + computeVectorBytes(vectors);
  if (!hasRoom(databaseBytes, more) && !(pruneWordsIfFull(sql) && hasRoom(databaseBytes, more)))
    return refuseFull(`An instance takes at most ${MAX_DATABASE_BYTES} bytes with its index`);
  return undefined;
}

const refuseFull = (message: string): PutFailure => ({ ok: false, reason: 'full', message });
const refuseTooLarge = (message: string): PutFailure => ({ ok: false, reason: 'too_large', message });
const measureItem = ({ bytes, size = 0 }: NewItem): number => bytes?.length ?? size;

function write(
  { sql, now, random }: IndexTools,
  item: NewItem,
  chunks: readonly NewChunk[],
  vectors: readonly Float32Array[],
  kept: ExistingItem,
): ItemRecord {
  const nowMs = now();
  const { source, key, status, checksum, type, metadata, modifiedMs = nowMs, error = null } = item;
  const { filename, folder } = splitKey(key);
  // Words and vectors of chunks that stay were made with the former title.
  const title = kept.chunks > 0 ? kept.title : normaliseStoredText(item.title);
  const values = {
    id: random(ID_BYTES),
    source,
    key,
    filename,
    folder,
    status,
    checksum,
    size: measureItem(item),
    type,
    title,
    metadata: JSON.stringify(metadata),
    created_ms: nowMs,
    seen_ms: nowMs,
    modified_ms: modifiedMs,
    chunks: kept.chunks || chunks.length,
    vectors: kept.vectors || vectors.length,
    error,
  } satisfies Record<(typeof COLUMNS)[number], string | number | null>;
  const [row = {}] = sql.exec(PUT, ...COLUMNS.map((name) => values[name])).toArray();
  writeContent(sql, Number(row['n']), { ...item, title }, chunks, vectors);
  return readItemRow(row);
}

function writeContent(
  sql: Sql,
  n: number,
  { title, bytes, size = 0 }: NewItem,
  chunks: readonly NewChunk[],
  vectors: readonly Float32Array[],
): void {
  const first = n * CHUNK_NUMBERS;
  for (let start = 0; start < (bytes?.length ?? 0); start += PIECE_BYTES) {
    const piece = bytes?.slice(start, start + PIECE_BYTES) ?? new Uint8Array();
    sql.exec('INSERT INTO piece VALUES (?, ?)', first + start / PIECE_BYTES, piece);
  }
  const stored = chunks.map(({ text, heading, startByte, endByte }, position) => ({
    id: first + position,
    startByte,
    endByte,
    heading: normaliseStoredText(heading),
    text: normaliseStoredText(text),
  }));
  const rows = stored.map(({ id, startByte, endByte, heading, text }) => [id, startByte, endByte, heading, text]);
  insertRows(sql, 'chunk', ['id', 'start_byte', 'end_byte', 'heading', 'text'], rows);
  writeWords(
    sql,
    stored.map(({ id, heading, text }) => ({ id, title: `${title} ${heading}`, text })),
  );
  const blobs = vectors.map((vector, position) => [first + position, quantiseVector(vector)]);
  insertRows(sql, 'vector', ['chunk', 'bytes'], blobs);
  sql.exec(
    'UPDATE total SET chunks = chunks + ?, vectors = vectors + ?, bytes = bytes + ?',
    chunks.length,
    vectors.length,
    bytes?.length ?? size,
  );
}
