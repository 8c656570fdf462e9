import * as z from 'zod';
import { formatJsonPointer } from '../../lib/json.ts';

/** Faults that are listed of one 402. */
const MAX_FAULTS = 5;

const extensions = z.record(z.string(), z.unknown()).nullish();

/** PaymentRequired of version 2. Members that are optional may be null: clients in Go and Python send and take it. */
const required = z.looseObject({
  x402Version: z.literal(2),
  error: z.string().nullish(),
  resource: z.looseObject({
    url: z.string().min(1),
    description: z.string().nullish(),
    mimeType: z.string().nullish(),
  }),
  accepts: z
    .array(
      z.looseObject({
        scheme: z.string().min(1),
        network: z.string().min(1),
        amount: z.string().min(1),
        asset: z.string().min(1),
        payTo: z.string().min(1),
        maxTimeoutSeconds: z.number().positive(),
        extra: z.record(z.string(), z.unknown()).nullish(),
      }),
    )
    .min(1),
  extensions,
});

/** The same of version 1. */
const requiredV1 = z.looseObject({
  x402Version: z.literal(1),
  error: z.string().nullish(),
  accepts: z
    .array(
      z.looseObject({
        scheme: z.string().min(1),
        network: z.string().min(1),
        maxAmountRequired: z.string().min(1),
        resource: z.string().min(1),
        asset: z.string().min(1),
        payTo: z.string().min(1),
        maxTimeoutSeconds: z.number().positive(),
      }),
    )
    .min(1),
});

/** What is wrong with the shape of terms, a text each; none where they are well-formed. */
export function listSchemaFaults(value: unknown, version: number): readonly string[] {
  const read = (version === 1 ? requiredV1 : required).safeParse(value);
  if (read.success) return [];
  return read.error.issues
    .slice(0, MAX_FAULTS)
    .map(({ path, message }) => `${formatJsonPointer(path) || '/'}: ${message}`);
}
