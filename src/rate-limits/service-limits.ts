import { callWithTimeout } from '../lib/concurrency.ts';
import { isObject, isText, type Json, type JsonObject } from '../lib/json.ts';

/** The service whose quotas are limits of our own. */
export const OWN_SERVICE = 'sightline';

/** What is limited, each caller or tenant by itself. */
export type LimitName = 'free' | 'mcp' | 'management' | 'paid';

/** Events a minute that the operator chose, between floor and ceiling. A name that is not there is as the code has it. */
export type ServiceLimits = Partial<Record<LimitName, number>>;

type OwnLimit = {
  quotaId: string;
  /** Without a preference, as the deployment has it; -1: there is none. */
  default: number;
  /**
   * No preference sets less or more (rule K2): an operator cannot lock itself out, nor open the doors altogether. A
   * ceiling of -1 is none: what is paid for has no limit as it is deployed.
   */
  floor: number;
  ceiling: number;
};

/** The quotas of our own service, all per minute. */
export const OWN_LIMITS: Readonly<Record<LimitName, OwnLimit>> = {
  free: { quotaId: 'FreeRequestsPerMinutePerCaller', default: 300, floor: 10, ceiling: 6_000 },
  mcp: { quotaId: 'McpRequestsPerMinutePerCaller', default: 300, floor: 10, ceiling: 6_000 },
  management: { quotaId: 'ManagementRequestsPerMinutePerTenant', default: 60_000, floor: 600, ceiling: 600_000 },
  paid: { quotaId: 'PaidRequestsPerMinutePerCaller', default: -1, floor: 30, ceiling: -1 },
};

/**
 * The limits that quota preferences set: what was granted of those for our own service. All else in the list is left out.
 * @param preferences as the vendor's list shows them, of the operator's project
 */
export function computeEffectiveLimits(preferences: readonly JsonObject[]): ServiceLimits {
  const names = Object.keys(OWN_LIMITS) as LimitName[]; // Its own keys.
  const found = names.flatMap((name) => {
    const { quotaId } = OWN_LIMITS[name];
    const own = preferences.find((each) => each['service'] === OWN_SERVICE && each['quotaId'] === quotaId);
    return clampLimit(name, own && parseGrantedValue(own['quotaConfig']));
  });
  return Object.fromEntries(found);
}

/** What came from elsewhere as limits: known names with numbers, between floor and ceiling. */
export function parseServiceLimits(given: unknown): ServiceLimits {
  if (!isObject(given)) return {};
  const names = Object.keys(OWN_LIMITS) as LimitName[]; // Its own keys.
  const read = names.flatMap((name) => {
    const value = given[name];
    return clampLimit(name, typeof value === 'number' && Number.isInteger(value) ? value : undefined);
  });
  return Object.fromEntries(read);
}

/** A value between floor and ceiling; -1, unlimited, is the ceiling. Nothing where that is none. */
function clampLimit(name: LimitName, value: number | undefined): [LimitName, number][] {
  if (value === undefined) return [];
  const { floor, ceiling } = OWN_LIMITS[name];
  const highest = ceiling < 0 ? Number.MAX_SAFE_INTEGER : ceiling;
  if (value < 0) return ceiling < 0 ? [] : [[name, ceiling]];
  return [[name, Math.min(Math.max(value, floor), highest)]];
}

function parseGrantedValue(config: Json | undefined): number | undefined {
  const granted = isObject(config) ? config['grantedValue'] : undefined;
  if (!isText(granted) || !/^-?\d{1,19}$/.test(granted)) return undefined;
  return Number(granted);
}

/** Who knows what the operator's quota preferences set: the control Worker, or where it stored them for the api Worker. */
export type LimitsReader = {
  read: () => Promise<ServiceLimits>;
  /** What was read is read anew after this; without it after half a minute. */
  maxAgeMs?: number;
};

/** `askedMs`: when it was last asked for, whatever came of it. */
type CachedLimits = { limits: ServiceLimits; askedMs: number };

/** A change of a preference is felt after so long, in every isolate. */
const MAX_AGE_MS = 30_000;
/** An answer that is not there by then is not waited for. */
const READ_TIMEOUT_MS = 2_000;
const NONE: ServiceLimits = {};

const known = new WeakMap<object, CachedLimits>();

/**
 * The limits that the operator chose, as this isolate last heard of them; none before it heard of any. Never waits: what
 * is too old is read anew behind the request that found it. A reading that fails leaves what was known.
 */
export function getCurrentLimits(
  reader: LimitsReader | undefined,
  nowMs: number,
  waitUntil: (promise: Promise<unknown>) => void,
): ServiceLimits {
  if (reader === undefined) return NONE;
  const { limits, askedMs } = known.get(reader) ?? { limits: NONE, askedMs: -Infinity };
  if (nowMs - askedMs < (reader.maxAgeMs ?? MAX_AGE_MS)) return limits;
  known.set(reader, { limits, askedMs: nowMs });
  waitUntil(readAnew(reader, limits, nowMs));
  return limits;
}

/** What `getCurrentLimits` would say of a reader, without having it read. */
export const getCachedLimits = (reader: LimitsReader): ServiceLimits => known.get(reader)?.limits ?? NONE;

async function readAnew(reader: LimitsReader, before: ServiceLimits, askedMs: number): Promise<void> {
  known.set(reader, { limits: await readLimitsOrKeep(reader, before), askedMs });
}

async function readLimitsOrKeep(reader: LimitsReader, before: ServiceLimits): Promise<ServiceLimits> {
  const outcome = await callWithTimeout(() => reader.read(), READ_TIMEOUT_MS);
  // Without an answer the control Worker is down: it is asked again after the next half minute.
  return outcome.ok ? parseServiceLimits(outcome.value) : before;
}
