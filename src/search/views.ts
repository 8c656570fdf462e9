import type { InstanceFacts } from './order.ts';
import type { JsonObject } from '../lib/json.ts';
import { formatIsoTimestamp } from '../lib/time.ts';
import type { IndexStats, IndexLogLine, ChunkRecord, ItemRecord, JobRecord } from './index/item.ts';
import { buildShownMetadata } from './index/tables.ts';

/** Shapes of the vendor's answers: npm `cloudflare` 7.3.0, resources/aisearch/namespaces/instances. */

export function formatItem(item: ItemRecord, { namespace }: InstanceFacts): JsonObject {
  const hasChunks = item.status === 'completed' || item.chunks > 0;
  return {
    id: item.id,
    key: item.key,
    checksum: item.checksum,
    chunks_count: hasChunks ? item.chunks : null,
    created_at: formatIsoTimestamp(item.createdMs),
    file_size: item.size,
    last_seen_at: formatIsoTimestamp(item.seenMs),
    metadata: { ...buildShownMetadata(item) },
    namespace,
    next_action: item.nextAction,
    source_id: item.source,
    status: item.status,
    ...(item.error !== null && { error: item.error }),
  };
}

export function formatChunk({ id, text, startByte, endByte }: ChunkRecord, item: ItemRecord): JsonObject {
  return {
    id,
    item: { key: item.key, metadata: { ...buildShownMetadata(item) }, timestamp: item.modifiedMs },
    text,
    start_byte: startByte,
    end_byte: endByte,
  };
}

/** A line of an item's log. */
export function formatItemLog(
  { action, level, message, chunks, tookMs, atMs }: IndexLogLine,
  item: ItemRecord,
): JsonObject {
  return {
    action,
    chunkCount: chunks,
    errorType: level === 'error' ? (message.split(':')[0] ?? '') : null,
    fileKey: item.key,
    message,
    processingTimeMs: tookMs,
    timestamp: formatIsoTimestamp(atMs),
  };
}

export function formatJob(job: JobRecord): JsonObject {
  const { id, source, description, startedMs, endedMs, endReason, seenMs } = job;
  return {
    id,
    source,
    ...(description !== null && { description }),
    ...(startedMs !== null && { started_at: formatIsoTimestamp(startedMs) }),
    ...(seenMs !== null && { last_seen_at: formatIsoTimestamp(seenMs) }),
    ...(endedMs !== null && { ended_at: formatIsoTimestamp(endedMs) }),
    ...(endReason !== null && { end_reason: endReason }),
  };
}

const MESSAGE_TYPES = { info: 0, warning: 1, error: 2 } as const;

/** A line of a job's log. `created_at` is in Unix milliseconds; the numbers of `message_type` are ours. */
export const formatJobLog = ({ id, atMs, level, message }: IndexLogLine): JsonObject => ({
  id,
  message,
  message_type: MESSAGE_TYPES[level],
  created_at: atMs,
});

/**
 * @param lastMs when something was last done, Unix milliseconds; undefined: never
 * @param dimensions numbers of each vector; 0 where there is none
 */
export function formatStats(
  stats: IndexStats,
  { lastMs, dimensions }: { lastMs: number | undefined; dimensions: number },
): JsonObject {
  const { completed, error, outdated, queued, running, skipped, items, vectors, bytes, databaseBytes, noRoom } = stats;
  return {
    completed,
    error,
    outdated,
    queued,
    running,
    skipped,
    file_embed_errors: noRoom.vectors ? { full: 'There is no room for more vectors' } : {},
    index_source_errors: noRoom.words ? { full: 'There is no room for the tokenizer: the former one is used' } : {},
    ...(lastMs !== undefined && { last_activity: formatIsoTimestamp(lastMs) }),
    engine: {
      r2: { metadataSizeBytes: Math.max(0, databaseBytes - bytes), objectCount: items, payloadSizeBytes: bytes },
      vectorize: { dimensions, vectorsCount: vectors },
    },
  };
}
