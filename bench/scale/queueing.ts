import { createRandomFromSeed } from '../../src/lib/seeded-random.ts';

/** Calls that come to one object: so many a second, each of which takes so long. */
export type Arrivals = { perS: number; serviceMs: number };

/** The share of its time that an object is busy, which does one call at a time. Above 1 the queue grows without end. */
export const computeUtilisation = (arrivals: readonly Arrivals[]): number =>
  arrivals.reduce((sum, { perS, serviceMs }) => sum + (perS * serviceMs) / 1000, 0);

/**
 * How long a call waits before its turn, in milliseconds: M/G/1 by Pollaczek and Khinchine, which for one kind of calls is
 * M/D/1. Arrivals are by chance and independent; service takes exactly its time.
 * @returns Infinity where the object is busy all the time
 */
export function computeWaitMs(arrivals: readonly Arrivals[]): number {
  const busy = computeUtilisation(arrivals);
  if (busy >= 1) return Number.POSITIVE_INFINITY;
  const squares = arrivals.reduce((sum, { perS, serviceMs }) => sum + (perS * serviceMs * serviceMs) / 1000, 0);
  return squares / (2 * (1 - busy));
}

export type Simulated = { meanWaitMs: number; utilisation: number };

/** Plays calls of one object through, one after the other in the order of their coming. The same seed gives the same times. */
export function simulateQueue(arrivals: readonly Arrivals[], calls: number, seed: number): Simulated {
  const random = createRandomFromSeed(String(seed));
  const perS = arrivals.reduce((sum, one) => sum + one.perS, 0);
  let nowMs = 0;
  let freeMs = 0;
  let waited = 0;
  let served = 0;
  for (let call = 0; call < calls; call += 1) {
    nowMs += (-Math.log(1 - random()) * 1000) / perS;
    const serviceMs = chooseService(arrivals, perS * random());
    waited += Math.max(0, freeMs - nowMs);
    freeMs = Math.max(freeMs, nowMs) + serviceMs;
    served += serviceMs;
  }
  return { meanWaitMs: waited / calls, utilisation: served / nowMs };
}

function chooseService(arrivals: readonly Arrivals[], at: number): number {
  let left = at;
  for (const { perS, serviceMs } of arrivals) {
    if (left < perS) return serviceMs;
    left -= perS;
  }
  return arrivals.at(-1)?.serviceMs ?? 0;
}
