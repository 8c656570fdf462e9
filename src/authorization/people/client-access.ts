import { HOUR_MS } from '../../lib/time.ts';
import type { OAuthProvider } from '../oauth/provider.ts';
import { type StoreTools, createRateWindow } from '../oauth/rows.ts';
import { REFRESH_TOKEN_S } from '../oauth/tokens.ts';
import { computeCallerNetwork } from '../../net/caller-network.ts';

/** What a grant of a person says about itself on the account page. */
export type GrantNote = { clientName: string; capMicroUsdc?: number };

/** A grant that was just made, with what its client may spend of the credits where the person said so. */
export type MadeGrant = { accountId: string; clientId: string; grantId: string; capMicroUsdc?: number };
/** One that a shard has taken. `number`: of this decision; `capBefore`: what the client was allowed to spend before. */
export type PlacedGrant = MadeGrant & { shard: number; number: number; capBefore?: number };

/** One client with access to an account. Its name is its own claim: hostile text. */
export type ClientAccess = {
  grantId: string;
  clientId: string;
  clientName: string;
  scopes: readonly string[];
  redirectHost?: string;
  /** What it may spend of the credits in 24 hours. */
  capMicroUsdc?: number;
  /** Unix seconds. */
  grantedAtS: number;
};

/** Grants of one account that are looked at. */
export const MAX_GRANTS_SHOWN = 200;

/** Grants that one client may hold of an account at the same time: one for each device it is installed on. */
const MAX_GRANTS_OF_CLIENT = 10;
/** Clients that had access at some time. */
const MAX_CAPS_CLEARED = 1_000;
const CAP = 'own:credit-cap:';

/** What a client may spend of an account's credits in 24 hours, in micro-USDC: what the person said last holds for all its tokens (rule A5). */
export const createCreditCaps = ({ rows, now }: Pick<StoreTools, 'rows' | 'now'>) => ({
  /** Without a number, what each grant of the client says holds for its tokens. */
  set: (accountId: string, clientId: string, capMicroUsdc: number | undefined): void => {
    const key = `${CAP}${accountId}:${clientId}`;
    if (capMicroUsdc === undefined) rows.delete(key);
    else rows.put(key, capMicroUsdc, now() + REFRESH_TOKEN_S * 1000);
  },
  get: (accountId: string, clientId: string): number | undefined => rows.get<number>(`${CAP}${accountId}:${clientId}`),
  /** Forgets what was said of every client of an account; of any beyond the limit the rows end by themselves. */
  clear: (accountId: string): void => {
    for (const { key } of rows.list(`${CAP}${accountId}:`, MAX_CAPS_CLEARED)) rows.delete(key);
  },
});

/** Which clients hold access to an account, and the end of that. */
export function createClientAccess({ api, revokeGrant }: Pick<OAuthProvider, 'api' | 'revokeGrant'>) {
  const grantsOf = async (accountId: string) =>
    (await api.listUserGrants(accountId, { limit: MAX_GRANTS_SHOWN })).items;
  return {
    list: async (accountId: string): Promise<readonly ClientAccess[]> =>
      (await grantsOf(accountId)).map(({ id, clientId, scope, createdAt, redirectUri, metadata }) => {
        const { clientName, capMicroUsdc } = metadata as GrantNote; // Written at consent.
        return {
          grantId: id,
          clientId,
          clientName,
          scopes: scope,
          grantedAtS: createdAt,
          ...(redirectUri === undefined ? {} : { redirectHost: new URL(redirectUri).host }),
          ...(capMicroUsdc === undefined ? {} : { capMicroUsdc }),
        };
      }),
    /**
     * Ends the oldest grants of a client beyond ten. Identical installations share one registration, so that a consent
     * on one device must not end the access of another. `newestId` stays: grants of one second have no order.
     */
    trim: async (accountId: string, clientId: string, newestId: string): Promise<void> => {
      const others = (await grantsOf(accountId)).filter(
        (grant) => grant.clientId === clientId && grant.id !== newestId,
      );
      const oldest = others.toSorted((left, right) => right.createdAt - left.createdAt).slice(MAX_GRANTS_OF_CLIENT - 1);
      for (const { id } of oldest) await revokeGrant(id, accountId);
    },
    /** Ends the access of every client; which that were, each once. */
    revokeAll: async (accountId: string): Promise<readonly string[]> => {
      const clientIds = new Set<string>();
      for (let grants = await grantsOf(accountId); grants.length > 0; grants = await grantsOf(accountId)) {
        for (const { id, clientId } of grants) {
          await revokeGrant(id, accountId);
          clientIds.add(clientId);
        }
      }
      return [...clientIds];
    },
    /** Ends a client's access: its tokens are good for nothing from now on. Undefined when the account has no such grant. */
    revoke: async (accountId: string, grantId: string): Promise<{ clientId: string } | undefined> => {
      const grant = (await grantsOf(accountId)).find(({ id }) => id === grantId);
      if (grant === undefined) return undefined;
      await revokeGrant(grantId, accountId);
      return { clientId: grant.clientId };
    },
  };
}

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
