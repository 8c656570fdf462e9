import * as z from 'zod';

/** Latest time that a tenant's clock shows: a year before dates get a fifth digit, for there are some that lie ahead. */
export const MAX_TENANT_CLOCK_MS = Date.UTC(9999, 0) - 1;
const MAX_SEED_CHARS = 128;
/** Calls of one `seed`. */
export const MAX_SEED_CALLS = 1_000;
/** What `generate` makes at most. */
export const MAX_USERS = 100_000;
export const MAX_GROUPS = 10_000;
export const MAX_MEMBERSHIPS = 1_000_000;
const MAX_MEMBERS_PER_GROUP = 100_000;
const MAX_ORG_UNITS = 1_000;
/** Longest latency of a fault. */
export const MAX_LATENCY_MS = 30_000;
const MAX_RETRY_AFTER_S = 86_400;
const MAX_METHOD_CHARS = 128;
const MAX_REASON_CHARS = 64;
const MAX_MESSAGE_CHARS = 512;
const MAX_PARAMETERS = 100;

/** Statuses that a fault can answer with. */
export const FAULT_STATUSES = [400, 401, 403, 404, 408, 409, 412, 429, 500, 501, 502, 503, 504] as const;

/** The tenant's clock: it is frozen at `nowMs`, or runs on from there. Without `nowMs`, from the time it shows now. */
export const clockBody = z.strictObject({
  mode: z.enum(['frozen', 'running']),
  nowMs: z.int().min(0).max(MAX_TENANT_CLOCK_MS).optional(),
});

/** What a tenant decides about itself; what is left out stays as it is. */
export const settingsBody = z.strictObject({
  /** PUT clears what is left out, also where the vendor keeps it. */
  strict_put: z.boolean().optional(),
});

/** Empties the tenant, and sets its settings back to those of the deployment, or to those that are given. With `randomSeed` the ids that follow are the same from run to run. */
export const resetBody = z.strictObject({
  clock: clockBody.optional(),
  randomSeed: z.string().min(1).max(MAX_SEED_CHARS).optional(),
  settings: settingsBody.optional(),
});

export const seedPlanBody = z
  .strictObject({
    users: z.int().min(0).max(MAX_USERS).default(0),
    groups: z.int().min(0).max(MAX_GROUPS).default(0),
    /** Members that each group gets of the users made; no more than there are. */
    membersPerGroup: z.int().min(0).max(MAX_MEMBERS_PER_GROUP).default(0),
    orgUnits: z.int().min(0).max(MAX_ORG_UNITS).default(0),
  })
  .refine(({ groups, membersPerGroup }) => groups * membersPerGroup <= MAX_MEMBERSHIPS, {
    message: `More than ${MAX_MEMBERSHIPS} memberships`,
  });

const parameter = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()).max(MAX_PARAMETERS)]);

export const seedCallBody = z.strictObject({
  method: z.string().min(1).max(MAX_METHOD_CHARS),
  params: z.record(z.string(), parameter).default({}),
  body: z.record(z.string(), z.json()).default({}),
});

/** Either data that is made up, or calls that are made one after the other. */
export const seedBody = z.union([
  z.strictObject({ generate: seedPlanBody }),
  z.strictObject({ calls: z.array(seedCallBody).min(1).max(MAX_SEED_CALLS) }),
]);

/** Names a snapshot: lower-case letters, digits and hyphens. */
export const snapshotBody = z.strictObject({ name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/) });

/** Of calls of `method` (an id, or `*` for all), which ones fail or are slow, and how. */
export const faultBody = z
  .strictObject({
    method: z.string().min(1).max(MAX_METHOD_CHARS),
    /** Which calls: by chance, or each n-th. All when neither is given. */
    probability: z.number().min(0).max(1).optional(),
    every: z.int().min(1).max(1_000_000).optional(),
    /** Without a status the call is only slow. */
    status: z.literal(FAULT_STATUSES).optional(),
    /** Word of the vendor; the usual one of the status when absent. */
    reason: z.string().min(1).max(MAX_REASON_CHARS).optional(),
    message: z.string().min(1).max(MAX_MESSAGE_CHARS).optional(),
    retryAfterS: z.int().min(0).max(MAX_RETRY_AFTER_S).optional(),
    latencyMs: z.int().min(0).max(MAX_LATENCY_MS).optional(),
    /** Strikes so often and no more; for ever when absent. */
    times: z.int().min(1).max(1_000_000).optional(),
  })
  .refine(({ probability, every }) => probability === undefined || every === undefined, {
    message: 'Either probability or every',
  })
  .refine(({ status, latencyMs }) => status !== undefined || latencyMs !== undefined, {
    message: 'A fault needs a status or a latency',
  });

export type ClockBody = z.output<typeof clockBody>;
export type SettingsBody = z.output<typeof settingsBody>;
export type ResetBody = z.output<typeof resetBody>;
export type SeedBody = z.output<typeof seedBody>;
export type SeedCall = z.output<typeof seedCallBody>;
export type SeedPlan = z.output<typeof seedPlanBody>;
export type FaultBody = z.output<typeof faultBody>;
