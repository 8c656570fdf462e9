import * as z from 'zod';
import type { ClockBody, FaultBody } from '../../src/management/emulator/bodies.ts';
import type { FolderTenant } from './folder.ts';
import type { SeedTenant } from './seed-file.ts';
import { WrongInput } from './wrong-input.ts';

/** Made-up data of the largest plan takes two minutes. */
const SETUP_TIMEOUT_MS = 360_000;
const EXPORT_TIMEOUT_MS = 120_000;

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
  /** @throws WrongInput where seed or import cannot be made */
  setUpTenant: (setup: TenantSetupRequest) => Promise<void>;
  /** @returns the key file @throws WrongInput for scopes that no account can have */
  createAccount: (account: AccountRequest) => Promise<object>;
  /** Every tenant that was set up or called. */
  tenants: () => Promise<readonly string[]>;
  /** @throws Error where a tenant cannot be exported */
  exportTenant: (id: string) => Promise<FolderTenant>;
};

const failed = z.object({ ok: z.literal(false), detail: z.string() });
const exported = z.object({
  ok: z.literal(true),
  tenant: z.object({
    id: z.string(),
    containers: z.array(z.string()),
    resources: z.string(),
    entries: z.array(z.record(z.string(), z.json())),
  }),
});

export function createAdminClient(control: string, secret: string): AdminClient {
  const ask = async (path: string, timeoutMs: number, body?: object): Promise<unknown> => {
    const answer = await fetch(`${control}/emulator/admin/${path}`, {
      headers: { 'x-emulator-admin': secret, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!answer.ok)
      throw new Error(`The emulator's Worker answers ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
    return answer.json();
  };
  const order = async (path: string, body: object): Promise<unknown> => {
    const answer = await ask(path, SETUP_TIMEOUT_MS, body);
    const refusal = failed.safeParse(answer);
    if (refusal.success) throw new WrongInput(refusal.data.detail);
    return answer;
  };
  return {
    setUpTenant: async (setup) => void (await order('tenants', setup)),
    createAccount: async (account) =>
      z.object({ file: z.looseObject({}) }).parse(await order('accounts', account)).file,
    tenants: async () =>
      z.object({ tenants: z.array(z.string()) }).parse(await ask('tenants', EXPORT_TIMEOUT_MS)).tenants,
    exportTenant: async (id) => {
      const answer = await ask(`export?tenant=${id}`, EXPORT_TIMEOUT_MS);
      const refusal = failed.safeParse(answer);
      if (refusal.success) throw new Error(refusal.data.detail);
      return exported.parse(answer).tenant;
    },
  };
}
