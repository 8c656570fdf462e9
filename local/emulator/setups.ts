import type { AdminClient, TenantSetupRequest } from './admin-client.ts';
import { type FolderTenant, readEmulatorFolder, refuseHeldFolder } from './folder.ts';
import type { EmulatorOptions } from './options.ts';
import { readSeedFile, type SeedTenant } from './seed-file.ts';
import { writeOwnFile } from '../stack-file.ts';
import { join } from 'node:path';

/** The tenant that is there without a seed, with its project. */
const DEFAULT_TENANT = 'C00000001';
const DEFAULT_PROJECT = 'local';
const EMPTY: Omit<SeedTenant, 'id'> = { accounts: [], calls: [], entries: [] };

/** What an emulator begins with, read and judged before anything is started. */
export type Beginning = { seeds: readonly SeedTenant[]; imported: readonly FolderTenant[] };

/** @throws WrongInput for a seed or folder that cannot be used */
export function readBeginning({ seed, importFrom }: EmulatorOptions): Beginning {
  const seeds = seed === undefined ? [] : readSeedFile(seed);
  if (importFrom !== undefined) refuseHeldFolder(importFrom);
  return { seeds, imported: importFrom === undefined ? [] : readEmulatorFolder(importFrom) };
}

/** The tenants of seed and import together, and the one that is always there: a setup each. */
export function planSetups(beginning: Beginning, options: EmulatorOptions): readonly TenantSetupRequest[] {
  const { seeds, imported } = beginning;
  const ids = new Set([DEFAULT_TENANT, ...seeds.map(({ id }) => id), ...imported.map(({ id }) => id)]);
  const { clock, randomSeed, faults } = options;
  return [...ids].map((id) => {
    const { generate, calls, entries } = seeds.find((one) => one.id === id) ?? EMPTY;
    const from = imported.find((one) => one.id === id);
    const project = `${PROJECTS}${findProject(id, beginning)}`;
    return {
      id,
      faults,
      calls,
      ...(clock === undefined ? {} : { clock }),
      ...(randomSeed === undefined ? {} : { randomSeed }),
      ...(generate === undefined ? {} : { generate }),
      ...(from === undefined ? {} : { resources: from.resources }),
      containers: [...new Set([...(from?.containers ?? []), project])],
      entries: [...(from?.entries ?? []), ...entries],
    };
  });
}

const PROJECTS = 'projects/';

/** The project of a tenant: the seed's, or the first that it had; else `local` for the first tenant, and one of its own for every other. */
export function findProject(id: string, { seeds, imported }: Beginning): string {
  const had = imported.find((one) => one.id === id)?.containers.find((name) => name.startsWith(PROJECTS));
  const own = id === DEFAULT_TENANT ? DEFAULT_PROJECT : `local-${id.toLowerCase()}`;
  return seeds.find((one) => one.id === id)?.project ?? had?.slice(PROJECTS.length) ?? own;
}

export type WrittenKey = { tenant: string; account: string; file: string; actsFor: readonly string[] };

/** Makes the accounts of a seed, and writes their key files, which only their owner may read. */
export async function writeKeyFiles(
  beginning: Beginning,
  folder: string,
  admin: AdminClient,
): Promise<readonly WrittenKey[]> {
  const wanted = beginning.seeds.flatMap((tenant) => tenant.accounts.map((account) => ({ tenant, account })));
  return Promise.all(
    wanted.map(async ({ tenant, account: { name, scopes, acts_for: actsFor } }) => {
      const project = findProject(tenant.id, beginning);
      const key = await admin.createAccount({ tenant: tenant.id, project, name, scopes, actsFor });
      const file = join(folder, `${tenant.id}-${name}.json`);
      writeOwnFile(key, file);
      return { tenant: tenant.id, account: name, file, actsFor };
    }),
  );
}
