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

/** What is wrong with a value that was sent or given, as the end of a sentence that begins with its name. */
export function issueText(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'too_small':
      return issue.origin === 'string' ? 'is empty' : `is less than ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'number'
        ? `is more than ${issue.maximum}`
        : `has over ${issue.maximum} ${UNITS[issue.origin] ?? 'parts'}`;
    case 'invalid_type':
      // The only place where the parser says that there was nothing.
      return issue.message.endsWith('received undefined')
        ? 'is missing'
        : `takes ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `takes ${issue.values.map(String).join(', ')}`;
    case 'invalid_key':
      return issue.issues[0] ? `has a name that ${issueText(issue.issues[0])}` : 'has a wrong name';
    default:
      return issue.message; // Written for people where a schema has rules of its own.
  }
}

const UNITS: Readonly<Record<string, string>> = { string: 'characters', array: 'items' };
const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};
