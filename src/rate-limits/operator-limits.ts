import { limitsOf, type ServiceLimits } from './own-quotas.ts';

/** Who knows what the operator's quota preferences set: `Quotas` of the control Worker. */
export type LimitsReader = { read: () => Promise<ServiceLimits> };

/** `askedMs`: when it was last asked for, whatever came of it. */
type Known = { limits: ServiceLimits; askedMs: number };

/** A change of a preference is felt after so long, in every isolate. */
const MAX_AGE_MS = 30_000;
/** An answer that is not there by then is not waited for. */
const READ_TIMEOUT_MS = 2_000;
const NONE: ServiceLimits = {};

const known = new WeakMap<object, Known>();

/**
 * The limits that the operator chose, as this isolate last heard of them; none before it heard of any. Never waits: what
 * is older than 30 seconds is read anew behind the request that found it. A reading that fails leaves what was known.
 */
export function limitsNow(
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

/** What `limitsNow` would say of a reader, without having it read. */
export const heardOf = (reader: LimitsReader): ServiceLimits => known.get(reader)?.limits ?? NONE;

async function readAnew(reader: LimitsReader, before: ServiceLimits, askedMs: number): Promise<void> {
  known.set(reader, { limits: await orElse(reader, before), askedMs });
}

async function orElse(reader: LimitsReader, before: ServiceLimits): Promise<ServiceLimits> {
  try {
    const late = scheduler.wait(READ_TIMEOUT_MS).then(() => before);
    return await Promise.race([reader.read().then(limitsOf), late]);
  } catch {
    return before; // The control Worker is down: it is asked again after the next half minute.
  }
}
