import { registerClient, RegistrationRejectedError } from '@modelcontextprotocol/client';
import type { Discovered } from './discovery.ts';
import type { LoginNet } from './net.ts';
import { LoginRefused } from './refused.ts';
import type { KeptClient, TokenStore } from './token-store.ts';

/** Who we are to an authorization server, where the user said so. */
export type GivenClient = {
  /** A client that the operator registered for us. */
  clientId?: string;
  /** A hosted client id metadata document. */
  metadataUrl?: string;
};

/**
 * The client to log in with: the given one, then the hosted document where the server reads such, then the one we
 * registered with this very issuer before, then a new registration (C6). Nothing of another issuer is used (C5).
 * @throws LoginRefused
 */
export async function clientFor(
  { issuer, resource, scope, metadata }: Discovered,
  given: GivenClient,
  kept: TokenStore,
  redirectUrl: string,
  net: LoginNet,
): Promise<KeptClient> {
  if (given.clientId !== undefined) return givenClient(given.clientId, issuer, resource, kept);
  if (given.metadataUrl !== undefined && metadata.client_id_metadata_document_supported === true)
    return { client_id: given.metadataUrl, origin: 'document', resource };
  const registered = Object.hasOwn(kept.clients, issuer) ? kept.clients[issuer] : undefined;
  if (registered?.origin === 'registered') return registered;
  if (metadata.registration_endpoint === undefined)
    throw new LoginRefused('no_registration', `${issuer} registers no clients: name one with --client-id`);
  const made = await register(issuer, metadata, redirectUrl, scope, net);
  const secret = made.client_secret === undefined ? {} : { client_secret: made.client_secret };
  return { client_id: made.client_id, ...secret, origin: 'registered', resource };
}

/** A client id is of one server: when the service names another, the user has to say again which client to be (C5). */
function givenClient(clientId: string, issuer: string, resource: string, kept: TokenStore): KeptClient {
  const other = Object.entries(kept.clients).find(
    ([name, client]) =>
      name !== issuer && client.origin === 'given' && client.client_id === clientId && client.resource === resource,
  );
  if (other !== undefined)
    throw new LoginRefused(
      'client_of_other_issuer',
      `the client ${clientId} was given for ${other[0]}, and ${resource} now names ${issuer}`,
    );
  return { client_id: clientId, origin: 'given', resource };
}

async function register(
  issuer: string,
  metadata: Discovered['metadata'],
  redirectUrl: string,
  scope: string | undefined,
  fetcher: LoginNet,
) {
  try {
    return await registerClient(issuer, {
      metadata,
      clientMetadata: {
        client_name: 'Sightline command line',
        redirect_uris: [redirectUrl],
        application_type: 'native',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      ...(scope === undefined ? {} : { scope }),
      fetchFn: fetcher.fetch,
    });
  } catch (error) {
    if (error instanceof LoginRefused) throw error;
    const status = error instanceof RegistrationRejectedError ? ` (${error.status})` : '';
    throw new LoginRefused('registration_refused', `${issuer} did not register this client${status}`);
  }
}
