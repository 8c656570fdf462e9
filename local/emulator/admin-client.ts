import * as z from 'zod';
import type { ClockBody, FaultBody } from '../../src/management/emulator/bodies.ts';
import type { FolderTenant } from './folder.ts';
import type { SeedTenant } from './seed-file.ts';
import { WrongInput } from './wrong-input.ts';

/** Made-up data of the largest plan takes two minutes. */
const SETUP_TIMEOUT_MS = 360_000;
const EXPORT_TIMEOUT_MS = 120_000;
/** Entries of one tenant that a folder holds: no import takes more. */
const MAX_EXPORTED_ENTRIES = 100_000;

export type TenantSetupRequest = {
  id: string;
  clock?: ClockBody;
  randomSeed?: string;
  faults: readonly FaultBody[];
  containers: readonly string[];
  resources?: string;
  generate?: SeedTenant['generate'];
  calls: SeedTenant['calls'];
  entries: SeedTenant['entries'];
};

export type AccountRequest = {
  tenant: string;
  project: string;
  name: string;
  scopes?: readonly string[] | undefined;
  actsFor: readonly string[];
};

/** What the emulator's program asks its Worker. */
export type AdminClient = {
  /** @returns what the tenant lacks of its log entries, if anything @throws WrongInput where seed or import cannot be made */
  setUpTenant: (setup: TenantSetupRequest) => Promise<string | undefined>;
  /** @returns the key file @throws WrongInput for scopes that no account can have */
  createAccount: (account: AccountRequest) => Promise<object>;
  /** Every tenant that was set up or called. */
  tenants: () => Promise<readonly string[]>;
  /** @throws Error where a tenant cannot be exported */
  exportTenant: (id: string) => Promise<FolderTenant>;
};

const failed = z.object({ ok: z.literal(false), detail: z.string() });
const setUpSchema = z.object({ untaken: z.string().optional() });
const containersSchema = z.object({ containers: z.array(z.string()) });
const entriesSchema = z.object({
  entries: z.array(z.record(z.string(), z.json())),
  next: z.string().optional(),
});

export function createAdminClient(control: string, secret: string): AdminClient {
  const ask = async (path: string, timeoutMs: number, body?: object): Promise<Response> => {
    const answer = await fetch(`${control}/emulator/admin/${path}`, {
      headers: { 'x-emulator-admin': secret, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!answer.ok)
      throw new Error(`The emulator's Worker answers ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
    return answer;
  };
  const read = async (path: string): Promise<unknown> => {
    const answer: unknown = await (await ask(path, EXPORT_TIMEOUT_MS)).json();
    const refusal = failed.safeParse(answer);
    if (refusal.success) throw new Error(refusal.data.detail);
    return answer;
  };
  const readEntries = async (id: string): Promise<FolderTenant['entries']> => {
    const entries: FolderTenant['entries'][number][] = [];
    for (let from: string | undefined = ''; from !== undefined;) {
      const page = entriesSchema.parse(await read(`export/entries?tenant=${id}&from=${encodeURIComponent(from)}`));
      entries.push(...page.entries);
      if (entries.length > MAX_EXPORTED_ENTRIES)
        throw new Error(`it has more than ${MAX_EXPORTED_ENTRIES} log entries`);
      from = page.next;
    }
    return entries;
  };
  const order = async (path: string, body: object): Promise<unknown> => {
    const answer: unknown = await (await ask(path, SETUP_TIMEOUT_MS, body)).json();
    const refusal = failed.safeParse(answer);
    if (refusal.success) throw new WrongInput(refusal.data.detail);
    return answer;
  };
  return {
    setUpTenant: async (setup) => setUpSchema.parse(await order('tenants', setup)).untaken,
    createAccount: async (account) =>
      z.object({ file: z.looseObject({}) }).parse(await order('accounts', account)).file,
    tenants: async () => z.object({ tenants: z.array(z.string()) }).parse(await read('tenants')).tenants,
    exportTenant: async (id) => {
      const { containers } = containersSchema.parse(await read(`export/containers?tenant=${id}`));
      const resources = await (await ask(`export/resources?tenant=${id}`, EXPORT_TIMEOUT_MS)).text();
      return { id, containers, resources, entries: await readEntries(id) };
    },
  };
}
