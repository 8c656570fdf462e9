import { computeCallerNetwork } from '../../net/caller-network.ts';
import { createRateWindow, type StoreTools } from '../oauth/rows.ts';

const HOUR_MS = 3_600_000;
/**
 * Clients that no one consented to before, and that become rows by a consent, in an hour: of one account, of one caller
 * ...
 */
export const MAX_FIRST_CONSENTS_OF_ACCOUNT = 20;
export const MAX_FIRST_CONSENTS_OF_CALLER = 100;
/** ... and of all callers of one IPv6 /48. */
export const MAX_FIRST_CONSENTS_OF_NETWORK = 400;

/** Counts first consents: the only way in which a stranger's client becomes a row. There is no number for everybody. */
export function createFirstConsents({ rows, now }: Pick<StoreTools, 'rows' | 'now'>) {
  const window = (name: string, max: number) =>
    createRateWindow(rows, now, { prefix: `own:first-consent:${name}:`, max, windowMs: HOUR_MS });
  const ofAccount = window('account', MAX_FIRST_CONSENTS_OF_ACCOUNT);
  const ofCaller = window('caller', MAX_FIRST_CONSENTS_OF_CALLER);
  const ofNetwork = window('network', MAX_FIRST_CONSENTS_OF_NETWORK);
  return {
    /** Seconds to wait before one more; undefined when it may be now, which counts it. */
    waitS: (accountId: string, caller: string): number | undefined => {
      const network = computeCallerNetwork(caller);
      for (const verdict of [ofAccount.check(accountId), ofCaller.check(caller), ofNetwork.check(network)])
        if (!verdict.allowed) return verdict.retryAfterS;
      ofAccount.count(accountId);
      ofCaller.count(caller);
      ofNetwork.count(network);
      return undefined;
    },
  };
}

export type FirstConsents = ReturnType<typeof createFirstConsents>;
