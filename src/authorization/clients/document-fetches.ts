import { networkOf } from '../../net/caller-network.ts';
import { type RateVerdict, rateWindow } from '../oauth/rate-window.ts';
import type { StoreTools } from '../oauth/rows.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Documents of clients without access that one caller, and all callers of one IPv6 /48, can make us fetch in an hour. */
export const MAX_FETCHES_OF_CALLER = 60;
export const MAX_FETCHES_OF_NETWORK = 240;
/** Of these, what may go to one host. */
export const MAX_FETCHES_OF_CALLER_FROM_HOST = 10;
/** Fetches that one host gets from us in a minute, for clients without access; clients with access have as many again. */
export const MAX_FETCHES_FROM_HOST = 60;
/** Of these, what is for networks that had nothing from this host in the last hour: who asks once finds a place. */
export const KEPT_FOR_FIRST_FETCHES = 30;

type Tools = Pick<StoreTools, 'rows' | 'now'>;

/**
 * Says whether a client document or key set may be fetched now, and counts it. No number is for all callers and all hosts
 * together: strangers who use up their own, or a host's, close nothing for clients of other hosts, and nothing for
 * clients that somebody has consented to.
 */
export function documentFetchesOf({ rows, now }: Tools) {
  const windows = {
    caller: rateWindow(rows, now, { prefix: 'own:client:fetches:', max: MAX_FETCHES_OF_CALLER, windowMs: HOUR_MS }),
    network: rateWindow(rows, now, {
      prefix: 'own:client:network-fetches:',
      max: MAX_FETCHES_OF_NETWORK,
      windowMs: HOUR_MS,
    }),
    pair: rateWindow(rows, now, {
      prefix: 'own:client:pair-fetches:',
      max: MAX_FETCHES_OF_CALLER_FROM_HOST,
      windowMs: HOUR_MS,
    }),
    first: rateWindow(rows, now, { prefix: 'own:client:pair-fetches:', max: 1, windowMs: HOUR_MS }),
    host: rateWindow(rows, now, {
      prefix: 'own:client:host-fetches:',
      max: MAX_FETCHES_FROM_HOST,
      windowMs: MINUTE_MS,
    }),
    hostAgain: rateWindow(rows, now, {
      prefix: 'own:client:host-fetches:',
      max: MAX_FETCHES_FROM_HOST - KEPT_FOR_FIRST_FETCHES,
      windowMs: MINUTE_MS,
    }),
    withAccess: rateWindow(rows, now, {
      prefix: 'own:client:access-fetches:',
      max: MAX_FETCHES_FROM_HOST,
      windowMs: MINUTE_MS,
    }),
  };
  return {
    /** A fetch that anybody can ask for. @param url an absolute one */
    forStranger: (url: string, caller: string): RateVerdict => {
      const { hostname } = new URL(url);
      const network = networkOf(caller);
      const pair = `${network} ${hostname}`;
      const host = windows.first.check(pair).allowed ? windows.host : windows.hostAgain;
      const refusal = [
        windows.caller.check(caller),
        windows.network.check(network),
        windows.pair.check(pair),
        host.check(hostname),
      ].find(({ allowed }) => !allowed);
      if (refusal !== undefined) return refusal;
      windows.caller.count(caller);
      windows.network.count(network);
      windows.pair.count(pair);
      return windows.host.count(hostname);
    },
    /** A fetch for a client that somebody has consented to. */
    forAccess: (url: string): RateVerdict => windows.withAccess.count(new URL(url).hostname),
  };
}
