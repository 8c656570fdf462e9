import * as z from 'zod';

/** Of a value that is written into the file. */
const MAX_VALUE_CHARS = 1_024;
const MAX_GROUPS = 1_000;
/** Printable and on one line. */
const value = z
  .string()
  .min(1)
  .max(MAX_VALUE_CHARS)
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u, 'has a character that is not printable');

/**
 * What the caller decides; every value that a migration proposes can be given here. One that the file has already must be
 * the same (`contradicting-values`).
 */
export const migrateOptions = z.strictObject({
  /** New names of environment groups by the names of their virtual hosts. */
  groups: z
    .record(value, value)
    .refine((groups) => Object.keys(groups).length <= MAX_GROUPS, `has over ${MAX_GROUPS} names`)
    .optional(),
  instanceId: value.optional(),
  /** `gcp.region` where the file has none. */
  region: value.optional(),
  /** `serviceAccountPath` of each where the file has none. */
  connectAgentServiceAccountPath: value.optional(),
  metricsServiceAccountPath: value.optional(),
  watcherServiceAccountPath: value.optional(),
  /** Agrees that Connect is on in 1.3 although the file has `connectAgent.enabled: false`. */
  enableConnect: z.boolean().optional(),
  /** Whether this is a production installation: its Cassandra needs three nodes or a multiple. Not said: one node is let pass. */
  production: z.boolean().optional(),
});
export type MigrateOptions = z.infer<typeof migrateOptions>;

/** The flag of the command line that gives each option. */
export const OPTION_FLAGS = {
  groups: '--group',
  instanceId: '--instance-id',
  region: '--region',
  connectAgentServiceAccountPath: '--connect-agent-sa',
  metricsServiceAccountPath: '--metrics-sa',
  watcherServiceAccountPath: '--watcher-sa',
  enableConnect: '--enable-connect',
  production: '--production',
} as const satisfies Record<keyof MigrateOptions, string>;
