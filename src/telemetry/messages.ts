import * as z from 'zod';
import { countUtf8Bytes } from '../lib/utf8.ts';
import { batchSchema } from './batch-schema.ts';
import type { Dropped, LineRecord, SpanRecord, TelemetryBatch, TelemetryPort } from './wire.ts';

/** A message of a queue may have 128,000 bytes, and one call 256,000: the rest is for what the platform puts around. */
export const MAX_MESSAGE_BYTES = 120_000;
export const MAX_CALL_BYTES = 240_000;
const NONE: Dropped = { lines: 0, spans: 0 };

/** What distinguishes a message from others: the same in all of its deliveries, so that entries made of it are the same. */
export type MessageOrigin = {
  /** Random, in hex. */
  id: string;
  sentAtMs: number;
  /** Its lines are an audit trail: what is not kept of it comes again, as long as the queue has it. */
  isAudit?: true;
};

/** A part of a batch on its way through the queue. */
export type TelemetryMessage = MessageOrigin & { batch: TelemetryBatch };

/** A message as text, and what is lost with it. */
export type SerializedMessage = { text: string; bytes: number; lost: Dropped };

const messageSchema = z.strictObject({
  id: z.string().regex(/^[0-9a-f-]{1,64}$/),
  sentAtMs: z.int().min(0),
  isAudit: z.literal(true).optional(),
  batch: batchSchema,
});

/** What the other side put into the queue; undefined for what is none of ours. */
export function parseTelemetryMessage(body: unknown): TelemetryMessage | undefined {
  if (typeof body !== 'string') return undefined;
  try {
    const { data } = messageSchema.safeParse(JSON.parse(body));
    if (data === undefined) return undefined;
    const { isAudit, ...message } = data;
    return isAudit === undefined ? message : { ...message, isAudit };
  } catch {
    return undefined;
  }
}

type Piece = { of: 'lines' | 'spans'; json: string; bytes: number };

/** The messages of a batch, each within the size of one. Records are serialized once, and never cut. */
export function serializeBatch(
  { service, instance, lines, spans, dropped }: TelemetryBatch,
  { id, sentAtMs, isAudit }: MessageOrigin,
): readonly SerializedMessage[] {
  const head = { service, instance };
  const buildText = (part: readonly Piece[], at: number): string => {
    const list = (of: Piece['of']): string =>
      part
        .filter((piece) => piece.of === of)
        .map(({ json }) => json)
        .join(',');
    const outer = JSON.stringify({ id: `${id}-${at}`, sentAtMs, ...(isAudit && { isAudit }) }).slice(0, -1);
    const inner = JSON.stringify({ ...head, dropped: at === 0 ? dropped : NONE }).slice(0, -1);
    return `${outer},"batch":${inner},"lines":[${list('lines')}],"spans":[${list('spans')}]}}`;
  };
  const envelopeBytes = countUtf8Bytes(buildText([], 0)) + id.length;
  const parts = groupWithin(
    [...serializeRecords('lines', lines), ...serializeRecords('spans', spans)],
    ({ bytes }) => bytes + 1,
    MAX_MESSAGE_BYTES - envelopeBytes,
  );
  return (parts.length === 0 ? [[]] : parts).map((part, at) => {
    const text = buildText(part, at);
    return { text, bytes: countUtf8Bytes(text), lost: countLost(part, at === 0 ? dropped : NONE) };
  });
}

const serializeRecords = (of: Piece['of'], records: readonly (LineRecord | SpanRecord)[]): Piece[] =>
  records.map((record) => {
    const json = JSON.stringify(record);
    return { of, json, bytes: countUtf8Bytes(json) };
  });

const countLost = (part: readonly Piece[], dropped: Dropped): Dropped => ({
  lines: dropped.lines + part.filter(({ of }) => of === 'lines').length,
  spans: dropped.spans + part.filter(({ of }) => of === 'spans').length,
});

/** Consecutive items in groups whose sizes add up to at most `limit`; an item alone may be larger. */
function groupWithin<T>(items: readonly T[], sizeOf: (item: T) => number, limit: number): T[][] {
  const groups: T[][] = [];
  let left = 0;
  for (const item of items) {
    const size = sizeOf(item);
    const last = groups.at(-1);
    if (last !== undefined && size <= left) last.push(item);
    else groups.push([item]);
    left = last !== undefined && size <= left ? left - size : limit - size;
  }
  return groups;
}

/** The queue that the control Worker reads, as a producer has it. */
export type TelemetryQueue = {
  sendBatch: (messages: Iterable<{ body: string; contentType: 'text' }>) => Promise<unknown>;
};

type QueueTools = { now: () => number; randomHex: () => string; isAudit?: true };

/**
 * Takes batches for the control Worker by way of a queue: a batch is sent once, and counts as taken when the queue has it.
 * @returns of `write`: what the queue did not take after it had taken a part of the batch
 * @throws of `write`: what the queue throws where it took nothing
 */
export const createQueuePort = (queue: TelemetryQueue, { now, randomHex, isAudit }: QueueTools): TelemetryPort => ({
  write: async (batch) => {
    const messages = serializeBatch(batch, { id: randomHex(), sentAtMs: now(), ...(isAudit && { isAudit }) });
    const calls = groupWithin(messages, ({ bytes }) => bytes, MAX_CALL_BYTES);
    for (const [at, call] of calls.entries()) {
      try {
        await queue.sendBatch(call.map(({ text }) => ({ body: text, contentType: 'text' })));
      } catch (error) {
        if (at === 0) throw error;
        return sumDropped(calls.slice(at).flatMap((each) => each.map(({ lost }) => lost)));
      }
    }
    return NONE;
  },
});

/** All that was left out, together. */
export const sumDropped = (all: readonly Dropped[]): Dropped => ({
  lines: all.reduce((sum, { lines }) => sum + lines, 0),
  spans: all.reduce((sum, { spans }) => sum + spans, 0),
});
