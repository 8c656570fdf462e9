import type { ClientDocument } from './client-document-types.ts';

/** A client as the provider library stores one. `clientSecret` is the SHA-256 of the secret, as hex. */
export type ClientRecord = {
  clientId: string;
  clientName?: string;
  redirectUris: string[];
  clientUri?: string;
  policyUri?: string;
  tosUri?: string;
  grantTypes: string[];
  responseTypes: string[];
  /** Unix seconds. */
  registrationDate?: number;
  tokenEndpointAuthMethod: 'none' | 'client_secret_basic' | 'client_secret_post';
  authMethodExplicit?: boolean;
  clientSecret?: string;
};

/**
 * A client that nobody has consented to, read by the Worker from its sealed id or from its metadata document. It goes
 * along with each request that needs it: the store keeps nothing of it before the first consent.
 */
export type IntroducedClient = { from: 'id'; client: ClientRecord } | { from: 'document'; document: ClientDocument };

/** Lends introduced clients to the provider library, one for the length of one call. The object runs each call alone. */
export function lentClients() {
  let lent: ClientRecord | undefined;
  return {
    during: async <T>(introduced: IntroducedClient | undefined, task: () => Promise<T>): Promise<T> => {
      lent = introduced?.from === 'document' ? introduced.document.client : introduced?.client;
      try {
        return await task();
      } finally {
        lent = undefined;
      }
    },
    find: (clientId: string): ClientRecord | undefined => (lent?.clientId === clientId ? lent : undefined),
  };
}

export type LentClients = ReturnType<typeof lentClients>;
