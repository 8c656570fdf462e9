import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { google } from 'googleapis';
import { operatorAccess } from '../../../local/operator.ts';
import { freePort } from '../../../local/ports.ts';
import { startWorkers, type WorkerChoices } from '../../../local/stack-workers.ts';
import type { World } from './method-cases.ts';

/** The tenant of the local stack. */
export const TENANT = { customerId: 'C00000001', domain: 'example.com' } as const;

/** The api and the control Worker of the local stack, without chain and sites. */
export type ControlStack = {
  /** As a service account with every scope, in the local tenant. */
  world: World;
  api: string;
  /** The key file of that account. */
  keyFile: string;
  /** A token of another service account with every scope; of another tenant where one is named. */
  anotherToken: (tenant?: string) => Promise<string>;
  /** Kills workerd and waits until it runs again on the same state. */
  crash: () => Promise<void>;
  stop: () => Promise<void>;
};

/** Starts within a few seconds. State is temporary. */
export async function startControlStack(choices: WorkerChoices = {}): Promise<ControlStack> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-control-'));
  const secret = randomBytes(32).toString('base64url');
  const ports = {
    api: await freePort(0, 'the api', '--port'),
    control: await freePort(0, 'the control Worker', '--control-port'),
  };
  const { api, controlUrl = '' } = await startWorkers({
    ...choices,
    ports,
    persistTo: join(folder, 'state'),
    blockedPorts: [],
    bindings: { ANSWER_ENGINE: 'none', OPERATOR_SECRET: secret, ...choices.bindings },
  });
  let accounts = 0;
  const access = async (tenant: string) => {
    accounts += 1;
    const keyFile = join(folder, `key-${accounts}.json`);
    const made = await operatorAccess(api.url, { secret, keyFile, resource: controlUrl, tenant });
    if (made === undefined) throw new Error('the api Worker has no operator sign-in');
    return made.access;
  };
  const { token, keyFile } = await access(TENANT.customerId);
  return {
    world: worldOf(controlUrl, token),
    api: api.url,
    keyFile,
    anotherToken: async (tenant = TENANT.customerId) => (await access(tenant)).token,
    crash: api.crash,
    stop: async () => {
      await api.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The official clients at a control Worker, with a token of the local tenant. */
export function worldOf(url: string, token: string): World {
  const auth = new google.auth.OAuth2();
  auth.setCredentials({ access_token: token });
  const at = { rootUrl: `${url}/`, auth };
  let made = 0;
  return {
    admin: google.admin({ version: 'directory_v1', ...at }),
    reseller: google.reseller({ version: 'v1', ...at }),
    drive: google.drive({ version: 'v3', ...at }),
    url,
    token,
    customer: TENANT.customerId,
    domain: TENANT.domain,
    fresh: (word) => `${word}-${(made += 1)}`,
  };
}
