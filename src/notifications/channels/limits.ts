const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Bounds and rates of the registry. Tests set smaller ones. */
export const REGISTRY_LIMITS = {
  /** Open watches of the one registry. */
  watches: 100_000,
  /** Vendor calls of each kind in one pass, and local steps. */
  passSize: 500,
  /** The platform has six connections. */
  callsAtOnce: 6,
  /** After this a pass starts no more calls; what is left is due in the next. */
  passMs: MINUTE_MS,
  /** In the long run; 100,000 channels of six hours need 5.4 of each. `burst` is what may go at once. */
  watchesPerSecond: 30,
  stopsPerSecond: 15,
  burst: 500,
  /** A claim is good for so long: more than a vendor call may take. */
  leaseMs: MINUTE_MS,
  /** A vendor call, and an errand, that has not ended by then counts as failed: nothing waits for it any longer. */
  callMs: 45_000,
  errandMs: 15_000,
  /** After this a pass tells no more errands. */
  errandsMs: MINUTE_MS,
  /** Nobody waits for a pass that is older: it went away with whoever asked for it. */
  stuckMs: 5 * MINUTE_MS,
  /** A sync is to come within this time of a grant. */
  syncMs: MINUTE_MS,
  /** A superseded channel is left open so long, for messages that the vendor sends again. */
  drainMs: MINUTE_MS,
  /** Nothing is asked with credentials that were refused, and no watch again that was. */
  credentialsMs: 15 * MINUTE_MS,
  refusedMs: 60 * MINUTE_MS,
  /** A grant of less is none: a vendor that grants no life must not be asked without end. */
  shortestLifeMs: 30_000,
  /** Ended channels are shown for so long, and the last ones of each watch; watches are somewhat longer. */
  keptMs: 14 * DAY_MS,
  endedKept: 20,
  resyncEveryMs: DAY_MS,
  /** Errands told in a pass. */
  errands: 500,
  /** Customers that a tick names: no more than the cron looks after in its minute. */
  customers: 60,
  pageSize: 500,
} as const satisfies Record<string, number>;

export type RegistryLimits = { [limit in keyof typeof REGISTRY_LIMITS]: number };
