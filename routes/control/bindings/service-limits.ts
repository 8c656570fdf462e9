import { callWithTimeout } from '../../../src/lib/concurrency.ts';
import type { Caller } from '../../../src/management/core/engine/tenant.ts';
import { isObject } from '../../../src/lib/json.ts';
import {
  computeEffectiveLimits,
  OWN_SERVICE,
  type ServiceLimits,
  getCachedLimits,
  type LimitsReader,
} from '../../../src/rate-limits/service-limits.ts';
import { logLine } from '../../shared/telemetry.ts';
import { type ControlEnv, readControlSettings } from './env.ts';
import { getResourceStore, ensureTenant } from './tenants.ts';

/** What the ids of methods end in that change a preference, in each version. */
const CHANGES = ['.projects.locations.quotaPreferences.create', '.projects.locations.quotaPreferences.patch'] as const;
/** Preferences are read again after this, whatever was called: what an earlier hand-over missed comes by now. */
const READ_EVERY_MS = 5_000;
/** What was handed over already is so again after this: the other side may have lost it. */
const REPEAT_EVERY_MS = 600_000;
/** A call that changes a preference waits no longer than this for the other Worker. */
const PUSH_TIMEOUT_MS = 2_000;
const LIST = 'cloudquotas.projects.locations.quotaPreferences.list';
/** The service has four quotas, and one preference for each. */
const PAGE_SIZE = 100;

/**
 * The limits that quota preferences set: only those of the operator's project in the operator's tenant (rule K2). None
 * without such a project.
 * @throws what asking an object throws
 */
export async function readServiceLimits(env: ControlEnv): Promise<ServiceLimits> {
  const settings = readControlSettings(env);
  const { OPERATOR_TENANT: id, OPERATOR_PROJECT: projectId } = settings;
  if (id === undefined || projectId === undefined) return {};
  const tenant = await ensureTenant(id, env, settings);
  const { answer } = await getResourceStore(env, tenant).call(tenant, {
    method: LIST,
    path: { parent: `projects/${projectId}/locations/global` },
    query: { filter: `service="${OWN_SERVICE}"`, pageSize: PAGE_SIZE },
    body: {},
    caller: buildServiceCaller(id),
    isOwn: true,
  });
  if (!answer.ok || answer.status !== 200) throw new Error('The quota preferences cannot be read');
  const { quotaPreferences = [] } = answer.body;
  return computeEffectiveLimits(Array.isArray(quotaPreferences) ? quotaPreferences.filter(isObject) : []);
}

type HandedOver = { text: string; atMs: number; readMs: number };

const handedOver = new WeakMap<object, HandedOver>();

/**
 * Hands the limits over to the api Worker, which stores them: it has no way to ask. Where the service's telemetry comes
 * here, every few seconds with that. Never throws; what fails is tried again with the next telemetry.
 */
export async function pushServiceLimits(env: ControlEnv, nowMs: number, isChanged = false): Promise<void> {
  if (readControlSettings(env).TELEMETRY !== 'control') return;
  const { RATE_COUNTER } = env; // The same in every copy that is made of an environment.
  const before = handedOver.get(RATE_COUNTER) ?? { text: '', atMs: -Infinity, readMs: -Infinity };
  if (!isChanged && nowMs - before.readMs < READ_EVERY_MS) return;
  handedOver.set(RATE_COUNTER, { ...before, readMs: nowMs });
  const pushing = async (): Promise<string> => {
    const limits = await readServiceLimits(env);
    const text = JSON.stringify(limits);
    if (isChanged || text !== before.text || nowMs - before.atMs >= REPEAT_EVERY_MS)
      await env.OPERATIONS.chooseLimits(limits);
    return text;
  };
  const outcome = await callWithTimeout(pushing, PUSH_TIMEOUT_MS);
  if (!outcome.ok) return logLine({ event: 'limits_not_handed_over', name: outcome.name });
  const atMs = isChanged || outcome.value !== before.text ? nowMs : before.atMs;
  handedOver.set(RATE_COUNTER, { text: outcome.value, atMs, readMs: nowMs });
}

/** After a call of a tenant: where it changed one of our limits, the api Worker has the new one before the answer is sent. */
export async function pushChangedLimits(tenant: string, method: string, env: ControlEnv): Promise<void> {
  if (!CHANGES.some((end) => method.endsWith(end)) || tenant !== readControlSettings(env).OPERATOR_TENANT) return;
  await pushServiceLimits(env, Date.now(), true);
}

/** The service itself. */
const buildServiceCaller = (tenant: string): Caller => ({
  tenant,
  kind: 'operator',
  userId: '',
  clientId: '',
  scopes: [],
});

const readers = new WeakMap<object, LimitsReader>();

/** The same for the control Worker's own limits: it asks the object itself. One for all requests of an isolate. */
export function getOwnLimitsReader(env: ControlEnv): LimitsReader | undefined {
  if (readControlSettings(env).TELEMETRY !== 'control') return undefined;
  const { RATE_COUNTER } = env; // The same in every copy that is made of an environment.
  const known = readers.get(RATE_COUNTER);
  if (known !== undefined) return known;
  const reader = { read: () => readServiceLimits(env) };
  readers.set(RATE_COUNTER, reader);
  return reader;
}

/** The limits as this isolate last read them; none before the first read. Asks no object. */
export function getKnownLimits({ RATE_COUNTER }: ControlEnv): ServiceLimits {
  const reader = readers.get(RATE_COUNTER);
  return reader === undefined ? {} : getCachedLimits(reader);
}
