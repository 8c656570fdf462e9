import * as z from 'zod';
import { countUtf8Bytes } from '../../lib/utf8.ts';
import { isFairClientName } from './client-document.ts';
import { judgeRedirectUri } from './redirect-uri.ts';
import { MAX_CLIENT_ID_CHARS, USED_CLIENT_S } from './clients.ts';
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
  if (countUtf8Bytes(body) > MAX_REGISTRATION_BYTES) {
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

/** Largest registration (rule A8). */
export const MAX_REGISTRATION_BYTES = 8_192;
const MAX_REDIRECT_URIS = 10;
const MAX_URI_CHARS = 2_048;

/** Grants that a registered client can use. */
const GRANTS = ['authorization_code', 'refresh_token'];
/** Asked for by a wide-spread editor beside the others; not registered, and no reason to turn it away. */
const TOLERATED_GRANTS = ['urn:ietf:params:oauth:grant-type:device_code'];

/** The metadata of a registration that we keep; all else is dropped, `software_statement` and logos with it. */
export type ClientMetadata = z.infer<typeof schema>;

export type RegistrationRefusal = {
  ok: false;
  error: 'invalid_client_metadata' | 'invalid_redirect_uri';
  description: string;
};

const webUri = z.url({ protocol: /^https?$/ }).max(MAX_URI_CHARS);
const schema = z.object({
  redirect_uris: z
    .array(z.string().refine((uri) => judgeRedirectUri(uri) !== 'refused'))
    .min(1)
    .max(MAX_REDIRECT_URIS)
    .refine((uris) => uris.some((uri) => judgeRedirectUri(uri) === 'usable')),
  client_name: z.string().refine(isFairClientName).optional(),
  token_endpoint_auth_method: z.enum(['none', 'client_secret_basic', 'client_secret_post']).optional(),
  grant_types: z
    .array(z.enum([...GRANTS, ...TOLERATED_GRANTS]))
    .refine((grants) => grants.includes('authorization_code'))
    .transform((grants) => GRANTS.filter((grant) => grants.includes(grant)))
    .optional(),
  response_types: z.tuple([z.literal('code')]).optional(),
  application_type: z.enum(['web', 'native']).optional(),
  client_uri: webUri.optional(),
  policy_uri: webUri.optional(),
  tos_uri: webUri.optional(),
  /** Judged and then dropped: no logo is ever loaded. */
  logo_uri: webUri.optional().transform(() => undefined),
});

/**
 * Reads a registration (RFC 7591, section 2) by our policy: names and redirect URIs that can be shown and trusted, and
 * no grant but those of a person's consent (rule A1). `software_statement` is not verified and therefore ignored.
 */
export function parseRegistration(value: unknown): { ok: true; metadata: ClientMetadata } | RegistrationRefusal {
  const outcome = schema.safeParse(value);
  if (outcome.success) return { ok: true, metadata: outcome.data };
  const member = String(outcome.error.issues[0]?.path[0] ?? '');
  if (member === 'redirect_uris') return { ok: false, error: 'invalid_redirect_uri', description: REDIRECT_RULE };
  return {
    ok: false,
    error: 'invalid_client_metadata',
    description: DESCRIPTIONS[member] ?? `${member}: not accepted`,
  };
}

const REDIRECT_RULE =
  'redirect_uris: one to ten, https or http on loopback among them; no wildcard, user name, fragment or script scheme';
/** What each member must be. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  '': 'The metadata must be a JSON object',
  client_name: 'client_name: at most 80 characters, all of them visible',
  grant_types: `grant_types: ${GRANTS.join(' and ')} only`,
  response_types: 'response_types: code only',
  token_endpoint_auth_method: 'token_endpoint_auth_method: none, client_secret_basic or client_secret_post',
};
