import * as z from 'zod';
import type { JsonObject } from '../../../lib/json.ts';

const sink = z.strictObject({
  outputConfig: z.strictObject({ destination: z.string().min(1) }),
  writerIdentity: z.string().min(1),
});

/** Whether a row of a snapshot is a trace sink as it is kept (rule K3). */
export const isKeptSink = (body: JsonObject): boolean => sink.safeParse(body).success;
