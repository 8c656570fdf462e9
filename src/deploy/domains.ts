import * as z from 'zod';
import type { PlatformApi } from './api.ts';
import { type DeployedWorker, deployedWorkers, HIDDEN_WORKERS, type WorkerPlan } from './configuration.ts';
import { type DeployRefusal, refuseByPlatform, refuseDeploy } from './refusal.ts';
import type { PlatformState } from './state.ts';

const HOST = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
const zoneSchema = z.looseObject({ id: z.string(), name: z.string(), status: z.string().optional() });
const recordSchema = z.looseObject({ type: z.string(), name: z.string(), meta: z.looseObject({}).nullish() });
/** Labels of a domain that may be the name of its zone. */
const MAX_LABELS = 8;

/** Reads `--domain api=audits.example`. */
export function parseDomains(
  words: readonly string[],
): { ok: true; domains: ReadonlyMap<DeployedWorker, string> } | DeployRefusal {
  const domains = new Map<DeployedWorker, string>();
  for (const word of words) {
    const [name = '', host = '', ...more] = word.toLowerCase().split('=');
    const worker = deployedWorkers.find((one) => one === name);
    if (worker === undefined || HIDDEN_WORKERS.has(worker) || more.length > 0 || !HOST.test(host))
      return refuseDeploy(
        'usage',
        `--domain takes <worker>=<host>, not ${word}.`,
        'For example: --domain api=audits.example.com. Workers with an address are api, control and webhook.',
      );
    if (domains.has(worker))
      return refuseDeploy('usage', `--domain names ${worker} twice.`, 'Give one domain a Worker.');
    domains.set(worker, host);
  }
  const hosts = [...domains.values()];
  if (new Set(hosts).size === hosts.length) return { ok: true, domains };
  return refuseDeploy('usage', 'Two Workers cannot have one domain.', 'Give each a domain of its own.');
}

/** A domain that is to be attached, with its zone. */
export type DomainPlan = {
  worker: DeployedWorker;
  service: string;
  hostname: string;
  zoneId: string;
  /** Whether this login may not read its DNS records: the platform judges them when it attaches the domain. */
  isUnread: boolean;
};

/**
 * Judges the domains of a deployment before anything is uploaded: each must be of an active zone of this account, of no
 * other Worker, and, where the login may read them, free of DNS records. wrangler would overwrite both without a question
 * where no one can be asked.
 */
export async function planDomains(
  api: PlatformApi,
  accountId: string,
  asked: readonly { plan: WorkerPlan; hostname: string }[],
  state: PlatformState,
): Promise<{ ok: true; domains: readonly DomainPlan[] } | DeployRefusal> {
  const domains: DomainPlan[] = [];
  for (const { plan, hostname } of asked) {
    const attached = state.domains.find((one) => one.hostname === hostname);
    if (attached?.service === plan.name) continue;
    if (attached !== undefined)
      return refuseDeploy(
        'domain_taken',
        `${hostname} belongs to the Worker ${attached.service}.`,
        'Give another domain, or remove it from that Worker first. Nothing was changed.',
      );
    const zone = await findZone(api, accountId, hostname);
    if (!zone.ok) return zone;
    const name = await judgeName(api, zone.id, hostname);
    if (!name.ok) return name;
    domains.push({ worker: plan.worker, service: plan.name, hostname, zoneId: zone.id, isUnread: name.isUnread });
  }
  return { ok: true, domains };
}

async function findZone(
  api: PlatformApi,
  accountId: string,
  hostname: string,
): Promise<{ ok: true; id: string } | DeployRefusal> {
  const labels = hostname.split('.');
  for (let from = Math.max(0, labels.length - MAX_LABELS); from < labels.length - 1; from += 1) {
    const name = labels.slice(from).join('.');
    const listed = await api.list(`/zones?name=${encodeURIComponent(name)}&account.id=${accountId}`, zoneSchema);
    if (!listed.ok) return refuseByPlatform(listed, `look for the zone of ${hostname}`);
    const zone = listed.result.find((one) => one.name === name);
    if (zone === undefined) continue;
    if (zone.status === undefined || zone.status === 'active') return { ok: true, id: zone.id };
    return refuseDeploy(
      'zone_inactive',
      `The zone ${name} is ${zone.status}, so that ${hostname} would get no certificate.`,
      'Point the name servers of the domain to Cloudflare, wait until the zone is active, and run the same command again.',
    );
  }
  return refuseDeploy(
    'domain_foreign',
    `${hostname} is of no zone in this account. Nothing was uploaded.`,
    'Add its zone to this account, choose the account that has it (--account), or leave out --domain for an address at workers.dev.',
  );
}

async function judgeName(
  api: PlatformApi,
  zoneId: string,
  hostname: string,
): Promise<{ ok: true; isUnread: boolean } | DeployRefusal> {
  const records = await api.list(`/zones/${zoneId}/dns_records?name=${encodeURIComponent(hostname)}`, recordSchema);
  // A login of wrangler may not read DNS records: attaching refuses as well, and overwrites none.
  if (!records.ok)
    return records.status === 403 || records.code === 10_000
      ? { ok: true, isUnread: true }
      : refuseByPlatform(records, `read the DNS records of ${hostname}`);
  const taken = records.result.filter(({ type }) => ['A', 'AAAA', 'CNAME'].includes(type));
  if (taken.length === 0) return { ok: true, isUnread: false };
  return refuseDeploy(
    'domain_taken',
    `${hostname} has DNS records already (${taken.map(({ type }) => type).join(', ')}).`,
    'Remove them, or give another domain. Nothing was changed.',
  );
}
