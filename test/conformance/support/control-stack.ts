import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { google } from 'googleapis';
import { inject } from 'vitest';
import { createOperatorAccess } from '../../../local/operator.ts';
import { reservePort } from '../../../local/ports.ts';
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

/** What an account of a control stack may: the users of its tenant that it acts for, by the local part of their address. */
export type AccountChoices = { actsFor?: readonly string[] };

/** Where the Workers of a control stack are, and the secret that signs its operator in. */
export type ControlAddress = { api: string; control: string; secret: string };

type RunningWorkers = ControlAddress & { crash: () => Promise<void>; stop: () => Promise<void> };

/** Starts the Workers of a control stack within a few seconds. State is temporary. */
export async function startControlWorkers(choices: WorkerChoices = {}): Promise<RunningWorkers> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-control-'));
  const secret = randomBytes(32).toString('base64url');
  const ports = {
    api: await reservePort(0, 'the api', '--port'),
    control: await reservePort(0, 'the control Worker', '--control-port'),
  };
  const { api, controlUrl = '' } = await startWorkers({
    ...choices,
    ports,
    persistTo: join(folder, 'state'),
    blockedPorts: [],
    bindings: { ANSWER_ENGINE: 'none', OPERATOR_SECRET: secret, ...choices.bindings },
  });
  const stop = async (): Promise<void> => {
    await api.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { api: api.url, control: controlUrl, secret, crash: api.crash, stop };
}

/** A control stack of this file alone. */
export async function startControlStack(choices: WorkerChoices = {}): Promise<ControlStack> {
  const workers = await startControlWorkers(choices);
  const stack = await signIn(workers, TENANT, (tenant) => tenant);
  const stop = async (): Promise<void> => {
    await stack.stop();
    await workers.stop();
  };
  return { ...stack, crash: workers.crash, stop };
}

/**
 * A tenant of its own on the control stack that all files of a run share (`shared-control-stack.ts`), with tenants of its
 * own for `anotherToken`: for tests that need no settings and no crash.
 */
export async function joinControlStack(choices: AccountChoices = {}): Promise<Omit<ControlStack, 'crash'>> {
  const own = randomBytes(4).toString('hex');
  const customerId = `C${own}`;
  const tenant = { customerId, domain: `${customerId.toLowerCase()}.${TENANT.domain}` };
  const toTenant = (other: string): string => (other === customerId ? other : `${other}${own}`);
  return signIn(inject('controlStack'), tenant, toTenant, choices);
}

/** Signs in as a service account of a tenant. `toTenant`: the tenant that a name of a test stands for. */
async function signIn(
  { api, control, secret }: ControlAddress,
  tenant: { customerId: string; domain: string },
  toTenant: (name: string) => string,
  { actsFor = [] }: AccountChoices = {},
): Promise<Omit<ControlStack, 'crash'>> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-keys-'));
  let accounts = 0;
  const access = async (name: string) => {
    accounts += 1;
    const keyFile = join(folder, `key-${accounts}.json`);
    const users = actsFor.map((user) => `${user}@${tenant.domain}`);
    const order = { secret, keyFile, resource: control, tenant: toTenant(name), actsFor: users };
    const made = await createOperatorAccess(api, order);
    if (made === undefined) throw new Error('the api Worker has no operator sign-in');
    return made.access;
  };
  const { token, keyFile } = await access(tenant.customerId);
  return {
    world: worldOf(control, token, tenant),
    api,
    keyFile,
    anotherToken: async (name = tenant.customerId) => (await access(name)).token,
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The official clients at a control Worker, with a token of the local tenant. */
export function worldOf(
  url: string,
  token: string,
  { customerId, domain }: { customerId: string; domain: string } = TENANT,
): World {
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
    customer: customerId,
    domain,
    fresh: (word) => `${word}-${(made += 1)}`,
  };
}
