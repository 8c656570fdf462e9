import * as z from 'zod';
import type { ApiAnswer, PlatformApi } from './api.ts';
import type { WorkerPlan } from './configuration.ts';
import { type DeployRefusal, refuseByPlatform } from './refusal.ts';
import {
  attachedDomainSchema,
  type PlatformBinding,
  type LifecycleRule,
  queueSchema,
  rulesSchema,
  schedulesSchema,
  scriptSettingsSchema,
  scriptSubdomainSchema,
  serviceSchema,
} from './state-shapes.ts';
import { findMarker, listWorkerVersions } from './versions.ts';

const WORKER_MISSING = new Set([10_007, 10_090, 10_092]);
const BUCKET_MISSING = 10_006;
const NO_RULES = 10_059;

export type WorkerState = {
  bindings: readonly PlatformBinding[];
  marker: string | undefined;
  migrationTag: string | undefined;
  isOnWorkersDev: boolean;
  crons: readonly string[];
  /** Whether the version that answers is not the newest: settings cannot be changed before another upload. */
  isRolledBack: boolean;
};
export type FoundBucket = { rules: readonly LifecycleRule[] };
export type QueueState = { consumers: readonly string[] };
export type AttachedDomain = { hostname: string; service: string };

/** What is at the platform. Absent from a map: it does not exist. */
export type PlatformState = {
  workers: ReadonlyMap<string, WorkerState>;
  buckets: ReadonlyMap<string, FoundBucket>;
  queues: ReadonlyMap<string, QueueState>;
  domains: readonly AttachedDomain[];
};

/** Names of secrets and variables that a Worker has. */
export const listSettingNames = (state: WorkerState | undefined): ReadonlySet<string> =>
  new Set(
    (state?.bindings ?? [])
      .filter(({ type }) => type === 'secret_text' || type === 'plain_text')
      .map(({ name }) => name),
  );

/** Reads all that a deployment may meet. Nothing is taken from a file of an earlier run. */
export async function readPlatformState(
  api: PlatformApi,
  accountId: string,
  plans: readonly WorkerPlan[],
): Promise<{ ok: true; state: PlatformState } | DeployRefusal> {
  const root = `/accounts/${accountId}`;
  const workers = new Map<string, WorkerState>();
  const names = new Set(plans.flatMap(({ name, services }) => [name, ...services.map(({ service }) => service)]));
  for (const name of names) {
    const read = await readWorker(api, root, name);
    if (!read.ok) return refuseByPlatform(read, `read the Worker ${name}`);
    if (read.result !== undefined) workers.set(name, read.result);
  }
  const queues = await api.list(`${root}/queues`, queueSchema);
  if (!queues.ok) return refuseByPlatform(queues, 'list the queues');
  const buckets = new Map<string, FoundBucket>();
  for (const name of new Set(plans.flatMap((plan) => plan.buckets))) {
    const read = await readBucket(api, root, name);
    if (!read.ok) return refuseByPlatform(read, `read the bucket ${name}`);
    if (read.result !== undefined) buckets.set(name, read.result);
  }
  const domains = await api.list(`${root}/workers/domains`, attachedDomainSchema);
  if (!domains.ok) return refuseByPlatform(domains, 'list the custom domains');
  return {
    ok: true,
    state: {
      workers,
      buckets,
      queues: new Map(
        queues.result.map(({ queue_name: name, consumers }) => [
          name,
          { consumers: consumers.flatMap((one) => one.script ?? one.service ?? one.script_name ?? []) },
        ]),
      ),
      domains: domains.result,
    },
  };
}

async function readWorker(api: PlatformApi, root: string, name: string): Promise<ApiAnswer<WorkerState | undefined>> {
  const service = await api.get(`${root}/workers/services/${name}`, serviceSchema);
  if (!service.ok) return WORKER_MISSING.has(service.code ?? 0) ? { ok: true, result: undefined } : service;
  const path = `${root}/workers/scripts/${name}`;
  const [settings, subdomain, schedules, versions] = await Promise.all([
    api.get(`${path}/settings`, scriptSettingsSchema),
    api.get(`${path}/subdomain`, scriptSubdomainSchema),
    api.get(`${path}/schedules`, schedulesSchema),
    listWorkerVersions(api, path),
  ]);
  if (!settings.ok) return settings;
  if (!subdomain.ok) return subdomain;
  if (!schedules.ok) return schedules;
  if (!versions.ok) return versions;
  const { bindings } = settings.result;
  const [newest] = versions.result.versions;
  return {
    ok: true,
    result: {
      bindings,
      marker: findMarker(bindings),
      migrationTag: service.result.default_environment.script.migration_tag ?? undefined,
      isOnWorkersDev: subdomain.result.enabled,
      crons: schedules.result.schedules.map(({ cron }) => cron),
      isRolledBack: newest !== undefined && versions.result.live !== newest.id,
    },
  };
}

async function readBucket(api: PlatformApi, root: string, name: string): Promise<ApiAnswer<FoundBucket | undefined>> {
  const bucket = await api.get(`${root}/r2/buckets/${name}`, z.unknown());
  if (!bucket.ok)
    return bucket.code === BUCKET_MISSING || bucket.status === 404 ? { ok: true, result: undefined } : bucket;
  const rules = await api.get(`${root}/r2/buckets/${name}/lifecycle`, rulesSchema);
  if (!rules.ok) return rules.code === NO_RULES ? { ok: true, result: { rules: [] } } : rules;
  return { ok: true, result: { rules: rules.result.rules } };
}

/**
 * Whether a Worker is of this service: it has our mark, or, deployed before there was one, all Durable Objects of the
 * Worker that should have its name. A Worker without objects is ours where one of ours calls it.
 */
export function isOwnWorker(plan: WorkerPlan, plans: readonly WorkerPlan[], state: PlatformState): boolean {
  const found = state.workers.get(plan.name);
  if (found === undefined) return true;
  if (found.marker !== undefined) return true;
  const classes = new Set(
    found.bindings.flatMap(({ type, class_name: name }) =>
      type === 'durable_object_namespace' && name !== undefined ? [name] : [],
    ),
  );
  // Classes of earlier versions: newer ones may have come since.
  if (plan.classes.length > 0) return classes.size > 0 && [...classes].every((name) => plan.classes.includes(name));
  return plans.some(
    (other) =>
      other.name !== plan.name &&
      other.classes.length > 0 &&
      isOwnWorker(other, plans, state) &&
      (state.workers.get(other.name)?.bindings ?? []).some(
        ({ type, service }) => type === 'service' && service === plan.name,
      ),
  );
}
