import * as z from 'zod';
import { seedCallBody, seedPlanBody } from '../../src/management/emulator/bodies.ts';
import { isTenantId } from '../../src/management/core/tenants.ts';
import { readJsonFile } from './options.ts';
import { WrongInput } from './wrong-input.ts';

/** The version of seed files that this build reads. */
export const SEED_VERSION = 1;
const MAX_SEED_BYTES = 64 * 1_048_576;
const MAX_TENANTS = 100;
const MAX_ACCOUNTS = 100;
const MAX_CALLS = 10_000;
const MAX_ENTRIES = 100_000;
const MAX_NAME_CHARS = 64;
const MAX_USERS_ACTED_FOR = 100;

const account = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/, 'lower-case letters, digits and hyphens')
    .max(MAX_NAME_CHARS),
  /** Every scope when absent; bare names or full URLs. */
  scopes: z.array(z.string().min(1)).min(1).optional(),
  /** Users that it may act for: `subject` of the vendors' libraries. */
  acts_for: z.array(z.email()).max(MAX_USERS_ACTED_FOR).default([]),
});

const tenant = z.strictObject({
  id: z.string().refine(isTenantId, 'an id is C and up to 31 digits or lower-case letters, such as C00000002'),
  /** Its project: `projects/local` for `local`. */
  project: z
    .string()
    .regex(/^[a-z0-9-]{1,63}$/)
    .optional(),
  accounts: z.array(account).max(MAX_ACCOUNTS).default([]),
  /** Data that is made up, as `:seed` takes it. */
  generate: seedPlanBody.optional(),
  /** Calls that are made one after the other, as `:seed` takes them. */
  calls: z.array(seedCallBody).max(MAX_CALLS).default([]),
  /** Log entries, as `entries.write` takes them. */
  entries: z.array(z.record(z.string(), z.json())).max(MAX_ENTRIES).default([]),
});

const seedFile = z.strictObject({ version: z.literal(SEED_VERSION), tenants: z.array(tenant).min(1).max(MAX_TENANTS) });

export type SeedTenant = z.output<typeof tenant>;

/** What a seed file says. @throws WrongInput for a file that is none, of another version, or with unknown members */
export function readSeedFile(file: string): readonly SeedTenant[] {
  const content = readJsonFile(file, MAX_SEED_BYTES, '--seed');
  const version = z.looseObject({ version: z.json() }).safeParse(content);
  if (!version.success)
    throw new WrongInput(`--seed ${file}: it says no version: begin with { "version": ${SEED_VERSION} }.`);
  if (version.data.version !== SEED_VERSION)
    throw new WrongInput(
      `--seed ${file}: it is of version ${JSON.stringify(version.data.version)}, and this emulator reads ${SEED_VERSION}.`,
    );
  const parsed = seedFile.safeParse(content);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0] ?? { path: [], message: '' };
    throw new WrongInput(`--seed ${file}: ${path.join('.') || 'top level'}: ${message}`);
  }
  const { tenants } = parsed.data;
  if (new Set(tenants.map(({ id }) => id)).size < tenants.length)
    throw new WrongInput(`--seed ${file}: a tenant is there twice.`);
  for (const { id, accounts } of tenants) {
    const names = accounts.map(({ name }) => name);
    const twice = names.find((name, place) => names.indexOf(name) < place);
    if (twice !== undefined) throw new WrongInput(`--seed ${file}: ${id}: the account ${twice} is there twice.`);
  }
  return tenants;
}
