import * as z from 'zod';
import type { JsonObject } from '../../../lib/json.ts';
import { BUCKETS } from './buckets/stored.ts';
import { POLICIES } from './access/iam-policy.ts';
import { LINKS } from './views/stored-links.ts';
import { OPERATIONS } from './operations-kept.ts';
import { SETTINGS } from './settings.ts';
import { VIEWS } from './views/stored.ts';

/** The schema that the rows of each collection have; '' for rows of our own, which `LOGGING_CONFIG_ROWS` judges. */
export const LOGGING_CONFIG_COLLECTIONS: Readonly<Record<string, string>> = {
  [BUCKETS]: '',
  [VIEWS]: 'LogView',
  [POLICIES]: 'Policy',
  [LINKS]: '',
  [OPERATIONS]: '',
  [SETTINGS]: 'Settings',
};

const time = z.int();
const object = z.record(z.string(), z.json());

/** What is counted with, of a bucket; the rest is only shown. */
const logBucket = z.looseObject({
  retentionDays: z.int().positive(),
  locked: z.literal(true).optional(),
  analyticsEnabled: z.literal(true).optional(),
  cmekSettings: z.looseObject({ kmsKeyName: z.string() }).optional(),
});

const keptBucket = z.strictObject({
  bucket: logBucket,
  generation: z.string().optional(),
  deletedMs: time.optional(),
  pending: z.strictObject({ operation: z.string(), untilMs: time, before: logBucket.optional() }).optional(),
});

const keptLink = z.strictObject({
  createTime: z.string(),
  description: z.string().optional(),
  pending: z.strictObject({ operation: z.string(), untilMs: time, isDeleting: z.literal(true).optional() }).optional(),
});

const keptOperation = z.strictObject({
  startMs: time,
  doneMs: time,
  metadata: object,
  response: object,
  target: z.string().optional(),
  cancelledMs: time.optional(),
});

const keptPolicy = z.strictObject({
  bindings: z.array(z.strictObject({ role: z.string(), members: z.array(z.string()), condition: object.optional() })),
});

const createSchemaTest =
  (schema: z.ZodType) =>
  (body: JsonObject): boolean =>
    schema.safeParse(body).success;

/** Judges rows that no schema of the vendor describes whole (`Interface.rows`). */
export const LOGGING_CONFIG_ROWS: Readonly<Record<string, (body: JsonObject) => boolean>> = {
  [BUCKETS]: createSchemaTest(keptBucket),
  [LINKS]: createSchemaTest(keptLink),
  [OPERATIONS]: createSchemaTest(keptOperation),
  [POLICIES]: createSchemaTest(keptPolicy),
};
