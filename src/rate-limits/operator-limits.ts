import { parseServiceLimits, type ServiceLimits } from './own-quotas.ts';

/** Who knows what the operator's quota preferences set: `Quotas` of the control Worker. */
export type LimitsReader = { read: () => Promise<ServiceLimits> };

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
 * is older than 30 seconds is read anew behind the request that found it. A reading that fails leaves what was known.
 */
export function getCurrentLimits(
  reader: LimitsReader | undefined,
  nowMs: number,
  waitUntil: (promise: Promise<unknown>) => void,
): ServiceLimits {
  if (reader === undefined) return NONE;
  const { limits, askedMs } = known.get(reader) ?? { limits: NONE, askedMs: -Infinity };
  if (nowMs - askedMs < MAX_AGE_MS) return limits;
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
  try {
    const late = scheduler.wait(READ_TIMEOUT_MS).then(() => before);
    return await Promise.race([reader.read().then(parseServiceLimits), late]);
  } catch {
    return before; // The control Worker is down: it is asked again after the next half minute.
  }
}
