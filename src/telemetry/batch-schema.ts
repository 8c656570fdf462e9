import * as z from 'zod';
import {
  MAX_ATTRIBUTE_CHARS,
  MAX_ATTRIBUTES,
  MAX_BATCH_RECORDS,
  MAX_LINE_CHARS,
  MAX_NAME_CHARS,
  SERVICES,
  SPAN_KINDS,
  type TelemetryBatch,
} from './wire.ts';

/** The last moment that a date can hold. */
const MAX_MS = 8_640_000_000_000_000;
const MAX_METHOD_CHARS = 16;

const traceId = z.string().regex(/^[0-9a-f]{32}$/);
const spanId = z.string().regex(/^[0-9a-f]{16}$/);
const moment = z.int().min(0).max(MAX_MS);
const count = z.int().min(0);
const name = z.string().max(MAX_NAME_CHARS);

const line = z.strictObject({
  atMs: moment,
  line: z.string().max(MAX_LINE_CHARS),
  insertId: name.min(1).exactOptional(),
  trace: z.strictObject({ traceId, spanId, isSampled: z.boolean() }).exactOptional(),
  http: z
    .strictObject({
      method: z.string().max(MAX_METHOD_CHARS),
      route: name,
      status: z.int().min(0).max(999),
      latencyMs: moment,
    })
    .exactOptional(),
});

const span = z.strictObject({
  traceId,
  spanId,
  parentSpanId: spanId.exactOptional(),
  isRemoteChild: z.literal(true).exactOptional(),
  name: name.min(1),
  kind: z.enum(SPAN_KINDS),
  startMs: moment,
  endMs: moment,
  attributes: z
    .record(name, z.union([z.string().max(MAX_ATTRIBUTE_CHARS), z.number(), z.boolean()]))
    .refine((all) => Object.keys(all).length <= MAX_ATTRIBUTES, 'too many attributes'),
  isError: z.literal(true).exactOptional(),
});

/** What another Worker may hand over. Only what it says of itself is in it, so anything else is a fault of ours. */
export const batchSchema = z.strictObject({
  service: z.enum(SERVICES),
  instance: z.string().regex(/^[0-9a-f]{8}$/),
  lines: z.array(line).max(MAX_BATCH_RECORDS),
  spans: z.array(span).max(MAX_BATCH_RECORDS),
  dropped: z.strictObject({ lines: count, spans: count }),
}) satisfies z.ZodType<TelemetryBatch>;
