import type { Provider } from './provider.ts';

/** What a grant of a person says about itself on the account page. */
export type GrantNote = { clientName: string; capMicroUsdc?: number };

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
const MAX_GRANTS = 200;

/** Which clients hold access to an account, and the end of that. */
export function accessDesk({ api, revokeGrant }: Pick<Provider, 'api' | 'revokeGrant'>) {
  const grantsOf = async (accountId: string) => (await api.listUserGrants(accountId, { limit: MAX_GRANTS })).items;
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
    /** Ends a client's access: its tokens are good for nothing from now on. Undefined when the account has no such grant. */
    revoke: async (accountId: string, grantId: string): Promise<{ clientId: string } | undefined> => {
      const grant = (await grantsOf(accountId)).find(({ id }) => id === grantId);
      if (grant === undefined) return undefined;
      await revokeGrant(grantId, accountId);
      return { clientId: grant.clientId };
    },
  };
}
