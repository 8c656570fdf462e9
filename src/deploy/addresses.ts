import { computeSha256Hex } from '../lib/digest.ts';
import type { WorkerAddresses } from './checks/check.ts';
import { type DeployedWorker, HIDDEN_WORKERS, type WorkerPlan } from './configuration.ts';
import { type DeployRefusal, refuseDeploy } from './refusal.ts';
import { deploySettings } from './settings-data.ts';
import type { PlatformState } from './state.ts';
import { STUB_MARK } from './state-shapes.ts';

const HASH_CHARS = 8;

export type AddressFacts = {
  /** Of --domain. */
  domains: ReadonlyMap<DeployedWorker, string>;
  plans: readonly WorkerPlan[];
  chosen: readonly WorkerPlan[];
  state: PlatformState;
  subdomain: string | undefined;
};

export type LocatedWorkers = {
  ok: true;
  addresses: WorkerAddresses;
  /** By the name of the setting: `BASE_URL`. */
  settings: ReadonlyMap<string, string>;
  hash: string;
  /** Domains that must be attached, or are. */
  domains: readonly { plan: WorkerPlan; hostname: string }[];
};

/** Where each Worker answers: at the domain that was given or is attached, else at workers.dev. */
export async function buildAddresses(facts: AddressFacts): Promise<LocatedWorkers | DeployRefusal> {
  const { plans, chosen, state } = facts;
  const origins = new Map<DeployedWorker, string>();
  const asked: { plan: WorkerPlan; hostname: string }[] = [];
  for (const plan of plans) {
    const marker = state.workers.get(plan.name)?.marker;
    const isThere = state.workers.has(plan.name) && marker !== STUB_MARK;
    if (HIDDEN_WORKERS.has(plan.worker) || (!chosen.includes(plan) && !isThere)) continue;
    const host = locate(plan, facts);
    if (typeof host !== 'string') return host;
    origins.set(plan.worker, `https://${host}`);
    const given = facts.domains.get(plan.worker);
    for (const hostname of new Set([...(given === undefined ? [] : [given]), ...plan.domains]))
      if (chosen.includes(plan)) asked.push({ plan, hostname });
  }
  const api = origins.get('api');
  if (api === undefined)
    return refuseDeploy(
      'api_missing',
      'The api Worker is not deployed, and the others need it.',
      'Add api to --workers.',
    );
  const settings = new Map(
    deploySettings.flatMap(({ name, address }) => {
      const origin = address === undefined ? undefined : origins.get(address);
      return origin === undefined ? [] : [[name, origin] as const];
    }),
  );
  const text = [...settings].map((pair) => pair.join('=')).join('\n');
  const hash = (await computeSha256Hex(text)).slice(0, HASH_CHARS);
  const addresses = { api, control: origins.get('control'), webhook: origins.get('webhook') };
  return { ok: true, addresses, settings, hash, domains: asked };
}

function locate(plan: WorkerPlan, { domains, state, subdomain }: AddressFacts): string | DeployRefusal {
  const given = domains.get(plan.worker);
  if (given !== undefined) return given;
  const [named, ...others] = plan.domains.length > 0 ? plan.domains : listAttached(plan, state);
  if (named !== undefined && others.length === 0) return named;
  if (named !== undefined)
    return refuseDeploy(
      'domain_open',
      `${plan.name} has several domains: ${[named, ...others].join(', ')}.`,
      `Say which one clients use: --domain ${plan.worker}=${named}`,
    );
  if (subdomain !== undefined) return `${plan.name}.${subdomain}.workers.dev`;
  return refuseDeploy(
    'subdomain_missing',
    'The account has no name at workers.dev yet, which is part of the address of a Worker.',
    `Open https://dash.cloudflare.com/?to=/:account/workers-and-pages once, which makes one, or give a domain for each Worker: --domain ${plan.worker}=audits.example.com`,
  );
}

const listAttached = ({ name }: WorkerPlan, { domains }: PlatformState): readonly string[] =>
  domains.filter(({ service }) => service === name).map(({ hostname }) => hostname);
