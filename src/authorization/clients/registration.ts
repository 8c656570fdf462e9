import * as z from 'zod';
import { isFairClientName } from './client-document.ts';
import { judgeRedirectUri } from './redirect-uri.ts';

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
