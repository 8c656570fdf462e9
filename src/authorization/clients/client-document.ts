import * as z from 'zod';
import { removeHiddenCharacters } from '../../lib/safe-text.ts';
import {
  CLIENT_ASSERTION_ALGORITHMS,
  type ClientAssertionAlgorithm,
  type JwkSet,
} from '../service-accounts/client-assertion.ts';
import { judgeRedirectUri } from './redirect-uri.ts';

/** A client as the provider library stores one. */
export type DocumentClient = {
  clientId: string;
  clientName: string;
  redirectUris: string[];
  clientUri?: string;
  policyUri?: string;
  tosUri?: string;
  grantTypes: string[];
  responseTypes: string[];
  /** To the library these are public clients: what else they must show is verified before it is asked. */
  tokenEndpointAuthMethod: 'none';
};

/** Where the keys of a client are, and what they may sign. */
export type DocumentKeys = { algorithms: readonly ClientAssertionAlgorithm[] } & (
  | { jwks: JwkSet }
  | { jwksUri: string }
);

/** A client that a metadata document describes, checked, and until when the document may be believed. */
export type ClientDocument = { client: DocumentClient; authentication: DocumentAuthentication; expiresAtMs: number };

/** Why a client id gives no client; `detail` is a sentence for the log and for an error page, without text of the site. */
export type DocumentRefusal = {
  ok: false;
  reason: 'invalid_client_id' | 'document_unreachable' | 'document_refused' | 'document_invalid';
  detail: string;
};

/** How a client with a metadata document proves itself at the token endpoint. */
export type DocumentAuthentication = { methods: readonly ('none' | 'private_key_jwt')[]; keys?: DocumentKeys };

/** Longest name of a client, in characters. */
const MAX_CLIENT_NAME_CHARS = 80;

/** Whether a client may be called this: short, and without characters that no one sees or that turn the line around. */
export const isFairClientName = (name: string): boolean =>
  name.trim() !== '' && Array.from(name).length <= MAX_CLIENT_NAME_CHARS && removeHiddenCharacters(name) === name;

export type ParsedDocument =
  | { ok: true; client: DocumentClient; authentication: DocumentAuthentication }
  | { ok: false; detail: string };

const MAX_REDIRECT_URIS = 20;
const MAX_KEYS = 20;
const MAX_WORDS = 20;
const MAX_WORD_CHARS = 200;
const MAX_URI_CHARS = 2_048;
/** Members of private and of symmetric keys (RFC 7518, section 6). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
const GRANTS = ['authorization_code', 'refresh_token'];

const words = z.array(z.string().max(MAX_WORD_CHARS)).max(MAX_WORDS);
const webUri = z.url({ protocol: /^https?$/ }).max(MAX_URI_CHARS);
const jwksSchema = z.object({
  keys: z
    .array(
      z
        .looseObject({ kty: z.enum(['RSA', 'EC']) })
        .refine((key) => PRIVATE_MEMBERS.every((member) => !Object.hasOwn(key, member))),
    )
    .min(1)
    .max(MAX_KEYS),
});
const schema = z.object({
  client_id: z.string(),
  client_name: z.string().refine(isFairClientName),
  redirect_uris: z
    .array(z.string().refine((uri) => judgeRedirectUri(uri) !== 'refused'))
    .min(1)
    .max(MAX_REDIRECT_URIS)
    .refine((uris) => uris.some((uri) => judgeRedirectUri(uri) === 'usable')),
  client_uri: webUri.optional(),
  policy_uri: webUri.optional(),
  tos_uri: webUri.optional(),
  grant_types: words.default(['authorization_code']),
  response_types: words.default(['code']),
  token_endpoint_auth_method: z.string().max(MAX_WORD_CHARS).optional(),
  token_endpoint_auth_methods_supported: words.optional(),
  token_endpoint_auth_signing_alg: z.string().max(MAX_WORD_CHARS).optional(),
  token_endpoint_auth_signing_alg_values_supported: words.optional(),
  jwks: jwksSchema.optional(),
  jwks_uri: webUri.optional(),
  /** What a document that anyone can read must not hold. */
  client_secret: z.undefined().optional(),
  client_secret_expires_at: z.undefined().optional(),
});
type Document = z.infer<typeof schema>;

/**
 * Checks a client metadata document: it names itself, its redirect URIs are ones that we could send a code to, and it
 * holds no secrets. What it offers beyond this server (grants, response types) is left out; its logo is never read.
 * @param isFetchable whether `jwks_uri` may be fetched.
 */
export function parseClientDocument(
  clientId: string,
  value: unknown,
  isFetchable: (uri: string) => boolean,
): ParsedDocument {
  const outcome = schema.safeParse(value);
  if (!outcome.success) {
    return {
      ok: false,
      detail: `the member ${String(outcome.error.issues[0]?.path[0] ?? '')} is missing or not accepted`,
    };
  }
  const { data } = outcome;
  if (data.client_id !== clientId) return { ok: false, detail: 'client_id is not the URL of the document' };
  const grantTypes = GRANTS.filter((grant) => data.grant_types.includes(grant));
  if (!grantTypes.includes('authorization_code') || !data.response_types.includes('code')) {
    return { ok: false, detail: 'the client does not use authorization codes' };
  }
  const authentication = resolveAuthenticationMethod(data, isFetchable);
  if (typeof authentication === 'string') return { ok: false, detail: authentication };
  const client: DocumentClient = {
    clientId,
    clientName: data.client_name,
    redirectUris: data.redirect_uris,
    ...(data.client_uri === undefined ? {} : { clientUri: data.client_uri }),
    ...(data.policy_uri === undefined ? {} : { policyUri: data.policy_uri }),
    ...(data.tos_uri === undefined ? {} : { tosUri: data.tos_uri }),
    grantTypes,
    responseTypes: ['code'],
    tokenEndpointAuthMethod: 'none',
  };
  return { ok: true, client, authentication };
}

/** A set of public keys, or undefined. Private and symmetric keys make the whole set unfit. */
export function parseJwks(value: unknown): JwkSet | undefined {
  const outcome = jwksSchema.safeParse(value);
  return outcome.success ? outcome.data : undefined;
}

/** The ways of authentication that both sides know, or what is wrong with the offer. */
function resolveAuthenticationMethod(
  data: Document,
  isFetchable: (uri: string) => boolean,
): DocumentAuthentication | string {
  const preferred = data.token_endpoint_auth_method;
  const offered = data.token_endpoint_auth_methods_supported ?? [preferred ?? 'none'];
  if (preferred !== undefined && !offered.includes(preferred))
    return 'token_endpoint_auth_method is not among those offered';
  const keys = offered.includes('private_key_jwt') ? readDocumentKeys(data, isFetchable) : undefined;
  const methods = (['none', 'private_key_jwt'] as const).filter(
    (method) => offered.includes(method) && (method === 'none' || typeof keys === 'object'),
  );
  if (methods.length > 0) return typeof keys === 'object' ? { methods, keys } : { methods };
  return typeof keys === 'string' ? keys : 'a client with a public document authenticates by none or private_key_jwt';
}

function readDocumentKeys(data: Document, isFetchable: (uri: string) => boolean): DocumentKeys | string {
  const { jwks, jwks_uri: jwksUri } = data;
  const only = data.token_endpoint_auth_signing_alg;
  const listed = data.token_endpoint_auth_signing_alg_values_supported;
  const algorithms = CLIENT_ASSERTION_ALGORITHMS.filter(
    (name) => (only === undefined || only === name) && (listed === undefined || listed.includes(name)),
  );
  if (algorithms.length === 0) return `private_key_jwt needs ${CLIENT_ASSERTION_ALGORITHMS.join(' or ')}`;
  if ((jwks === undefined) === (jwksUri === undefined)) return 'private_key_jwt needs jwks or jwks_uri, and not both';
  if (jwks !== undefined) return { algorithms, jwks };
  return jwksUri !== undefined && isFetchable(jwksUri) ? { algorithms, jwksUri } : 'jwks_uri may not be fetched';
}
