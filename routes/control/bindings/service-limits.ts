import type { Caller } from '../../../src/management/core/engine/tenant.ts';
import { isObject } from '../../../src/lib/json.ts';
import {
  computeEffectiveLimits,
  OWN_SERVICE,
  type ServiceLimits,
  getCachedLimits,
  type LimitsReader,
} from '../../../src/rate-limits/service-limits.ts';
import { type ControlEnv, readControlSettings } from './env.ts';
import { getResourceStore, ensureTenant } from './tenants.ts';

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
