import * as z from 'zod';
import { MAX_SHARD_PARTS } from './placement.ts';

const convertEmptyToUndefined = (given: unknown): unknown => (given === '' ? undefined : given);

/** A whole number of a variable; the usual one where it is not set, or empty. */
const defineCount = (usual: number, most: number) =>
  z.preprocess(convertEmptyToUndefined, z.coerce.number().int().min(1).max(most).default(usual));

/** Shards that the writes of a live tenant spread over. One takes as many writes as a tenant without shards. */
export const LIVE_PARTS = 8;
/** Of a sandbox: its own object is all, so that start and reset stay cheap. */
const SANDBOX_PARTS = 1;
/** Bytes that a tenant may be allowed, in GiB: a thousand are far beyond what lists are made for. */
const MAX_GIB = 1_024;

/** Variables of the control Worker that say how entries and spans are kept. */
export const entryVariables = {
  /** Shards of a live tenant, and of a sandbox. */
  ENTRY_SHARDS: defineCount(LIVE_PARTS, MAX_SHARD_PARTS),
  SANDBOX_ENTRY_SHARDS: defineCount(SANDBOX_PARTS, MAX_SHARD_PARTS),
  /** GiB of entries and spans that a live tenant keeps (rule K9 has 1). */
  LIVE_ENTRY_GIB: defineCount(1, MAX_GIB),
};

const settingsSchema = z.object(entryVariables);

export type EntrySettings = z.infer<typeof settingsSchema>;

/** @throws ZodError for variables that do not parse: the deployment is broken */
export const readEntrySettings = (env: unknown): EntrySettings => settingsSchema.parse(env);

/** Shards that the writes of a tenant spread over. */
export const countParts = (mode: 'sandbox' | 'live', settings: EntrySettings): number =>
  mode === 'live' ? settings.ENTRY_SHARDS : settings.SANDBOX_ENTRY_SHARDS;
