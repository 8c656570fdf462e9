import { isObject } from '../../lib/json.ts';
import type { SqlRow } from '../../lib/sqlite.ts';
import type { Metadata, ChunkRecord, ItemRecord } from './item.ts';
import { CHUNK_NUMBERS } from './tables.ts';

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
