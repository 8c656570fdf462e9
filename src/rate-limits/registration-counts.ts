import { networkOf } from '../net/caller-network.ts';
import { type Counter, createCounter } from './caller-counts.ts';

const WINDOW_MS = 3_600_000;
/** Different clients that one caller, and all callers of one IPv6 /48, may register in an hour. */
const MAX_CLIENTS_OF_CALLER = 20;
const MAX_CLIENTS_OF_NETWORK = 80;
/** Registrations of clients that the caller has registered before: hosted agents register the same one again and again. */
const MAX_REPEATS_OF_CALLER = 300;

/**
 * Counts registrations in the memory of this isolate. A registration stores nothing, so these numbers only keep off what
 * is useless and need not be exact. Nobody is counted together with strangers.
 */
export function registrationCounts() {
  const made = (): Counter => createCounter(WINDOW_MS);
  const [known, callers, networks, repeats] = [made(), made(), made(), made()];
  return {
    /** Seconds until the caller may register this client; 0 when it may now, which counts it. */
    waitS: (caller: string, clientId: string, nowMs: number): number => {
      const network = networkOf(caller);
      const pair = `${caller} ${clientId}`;
      if (known.peek(pair, nowMs) > 0)
        return repeats.count(caller, nowMs) <= MAX_REPEATS_OF_CALLER ? 0 : repeats.waitS(caller, nowMs);
      if (callers.peek(caller, nowMs) >= MAX_CLIENTS_OF_CALLER) return callers.waitS(caller, nowMs);
      if (networks.peek(network, nowMs) >= MAX_CLIENTS_OF_NETWORK) return networks.waitS(network, nowMs);
      known.count(pair, nowMs);
      callers.count(caller, nowMs);
      networks.count(network, nowMs);
      return 0;
    },
  };
}
