import * as z from 'zod';
import { isLine, isSpan } from './record-check.ts';
import { type LineRecord, MAX_BATCH_RECORDS, SERVICES, type SpanRecord, type TelemetryBatch } from './wire.ts';

const count = z.int().min(0);

/** What another Worker may hand over. Only what it says of itself is in it, so anything else is a fault of ours. */
export const batchSchema = z.strictObject({
  service: z.enum(SERVICES),
  instance: z.string().regex(/^[0-9a-f]{8}$/),
  lines: z.array(z.custom<LineRecord>(isLine)).max(MAX_BATCH_RECORDS),
  spans: z.array(z.custom<SpanRecord>(isSpan)).max(MAX_BATCH_RECORDS),
  dropped: z.strictObject({ lines: count, spans: count }),
}) satisfies z.ZodType<TelemetryBatch>;
