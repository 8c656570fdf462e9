import { MAX_CLIENT_ID_CHARS, USED_CLIENT_S } from './clients.ts';
import { type ClientMetadata, MAX_REGISTRATION_BYTES, parseRegistration } from './registration.ts';
import { sealClient, type SealedClient, type SealedMetadata } from './sealed-client.ts';
import type { SealingKey } from '../oauth/sealing-keys.ts';
import { NO_STORE, buildOAuthError, type WireAnswer } from '../oauth/store-protocol.ts';

/** What a client that does not say gets (RFC 7591, section 2). */
const DEFAULTS = { grants: ['authorization_code'], method: 'client_secret_basic' } as const;

export type Registered = { answer: WireAnswer; clientId?: string };

/**
 * Answers the registration endpoint (RFC 7591) by our policy. Nothing is stored: the client id holds the registration
 * (rule A8). `clientId` is there when the answer is 201.
 * @param body the text of the request, not verified
 */
export async function registerClient(body: string, keys: readonly SealingKey[], nowMs: number): Promise<Registered> {
  const read = readMetadata(body);
  if (!read.ok) return { answer: read.answer };
  const metadata = extractSealedMetadata(read.metadata);
  const sealed = await sealClient(metadata, keys, nowMs);
  if (sealed === undefined) return { answer: refuse(400, 'invalid_client_metadata', TOO_LONG) };
  return { answer: buildRegistrationResponse(read.metadata, metadata, sealed), clientId: sealed.clientId };
}

const TOO_LONG = `The name and the redirect URIs are too long together: the client id holds them and has at most ${MAX_CLIENT_ID_CHARS} characters. Register fewer or shorter redirect URIs`;

/** Only this is needed later. The addresses of the client's pages are judged and answered, and not shown to anyone. */
function extractSealedMetadata(metadata: ClientMetadata): SealedMetadata {
  const { client_name: clientName, redirect_uris, grant_types, token_endpoint_auth_method: method } = metadata;
  return {
    redirectUris: redirect_uris,
    ...(clientName === undefined ? {} : { clientName }),
    grantTypes: [...(grant_types ?? DEFAULTS.grants)],
    tokenEndpointAuthMethod: method ?? DEFAULTS.method,
    ...(method === undefined ? {} : { authMethodExplicit: true }),
  };
}

function buildRegistrationResponse(
  metadata: ClientMetadata,
  { grantTypes, tokenEndpointAuthMethod }: SealedMetadata,
  { clientId, clientSecret, issuedAtS }: SealedClient,
): WireAnswer {
  const { redirect_uris, client_name, client_uri, policy_uri, tos_uri } = metadata;
  const secret = {
    client_secret: clientSecret,
    client_secret_expires_at: issuedAtS + USED_CLIENT_S,
    client_secret_issued_at: issuedAtS,
  };
  const body = {
    client_id: clientId,
    redirect_uris,
    client_name,
    client_uri,
    policy_uri,
    tos_uri,
    grant_types: grantTypes,
    response_types: ['code'],
    token_endpoint_auth_method: tokenEndpointAuthMethod,
    client_id_issued_at: issuedAtS,
    ...(clientSecret === undefined ? {} : secret),
  };
  return { status: 201, headers: { ...NO_STORE }, body: JSON.stringify(body) };
}

function readMetadata(body: string): { ok: true; metadata: ClientMetadata } | { ok: false; answer: WireAnswer } {
  if (new TextEncoder().encode(body).byteLength > MAX_REGISTRATION_BYTES) {
    const description = `The metadata is larger than ${MAX_REGISTRATION_BYTES} bytes`;
    return { ok: false, answer: refuse(413, 'invalid_client_metadata', description) };
  }
  const parsed = parseRegistration(parseRegistrationBody(body));
  return parsed.ok ? parsed : { ok: false, answer: refuse(400, parsed.error, parsed.description) };
}

function parseRegistrationBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // No object: the policy says so.
  }
}

const refuse = (status: number, error: string, description: string): WireAnswer =>
  buildOAuthError(status, error, description);
