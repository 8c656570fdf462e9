import * as z from 'zod';
import { MAX_ACTS_FOR, MAX_KEYS, MAX_ACCOUNT_NAME_CHARS, MAX_SCOPES } from '../service-accounts/shapes.ts';
import { judgeRedirectUri } from '../clients/redirect-uri.ts';
import { normaliseScope } from '../oauth/scopes.ts';
import { formatPlainLine } from '../../lib/safe-text.ts';

const MAX_RESOURCES = 10;
const MAX_REDIRECT_URIS = 10;
const MAX_URL_CHARS = 2_048;
const MAX_KEY_DAYS = 365;
const DEFAULT_KEY_DAYS = 90;

/** A name as it will be shown and logged: one line without hidden characters. */
const name = z
  .string()
  .min(1)
  .max(MAX_ACCOUNT_NAME_CHARS)
  .refine((text) => formatPlainLine(text, MAX_ACCOUNT_NAME_CHARS) === text, 'one line without hidden characters');
const scope = z
  .string()
  .regex(/^[\x21\x23-\x5B\x5D-\x7E]{1,200}$/)
  .transform(normaliseScope);
const scopes = z.array(scope).min(1).max(MAX_SCOPES).transform(removeDuplicates);
const resources = z
  .array(z.string().max(MAX_URL_CHARS))
  .min(1)
  .max(MAX_RESOURCES)
  .transform(removeDuplicates)
  .optional();
const tenant = z.string().regex(/^[A-Za-z0-9*][A-Za-z0-9._:-]{0,99}$/);
const user = z.string().regex(/^[\x21-\x7E]{1,254}$/);

/** `POST /operator/service-accounts`. */
export const serviceAccountBody = z.strictObject({
  name,
  scopes,
  resources,
  tenant: tenant.optional(),
  project: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,61}[a-z0-9]$/)
    .optional(),
  acts_for: z.array(user).max(MAX_ACTS_FOR).transform(removeDuplicates).optional(),
});

/** `POST /operator/service-accounts/:id/keys`; no body is a key of 90 days. */
export const keyBody = z.strictObject({
  expires_in_days: z.number().int().min(1).max(MAX_KEY_DAYS).default(DEFAULT_KEY_DAYS),
});

/** A directory's own id of a user, as an operator may hold it: printable ASCII without spaces. */
export const directoryUserId = z.string().regex(/^[\x21-\x7E]{1,128}$/);

/** `POST /operator/operators`. */
export const operatorBody = z.strictObject({ name, directory_user_id: directoryUserId.optional() });

const base64url = z.string().regex(/^[A-Za-z0-9_-]{1,1024}$/);
const keyNames = { kid: z.string().max(200).optional(), use: z.literal('sig').optional() };
/** Public keys only: a member of a private one (`d`, `k`, ...) is refused by name. RSA from 2048 bits on. */
const publicKey = z.discriminatedUnion('kty', [
  z.strictObject({
    kty: z.literal('RSA'),
    n: base64url.min(342),
    e: base64url,
    alg: z.literal('RS256').optional(),
    ...keyNames,
  }),
  z.strictObject({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: base64url,
    y: base64url,
    alg: z.literal('ES256').optional(),
    ...keyNames,
  }),
]);

const redirectUri = z
  .string()
  .max(MAX_URL_CHARS)
  .refine(
    (uri) => judgeRedirectUri(uri) === 'usable',
    'https, or http on 127.0.0.1, [::1] or localhost; no fragment and no credentials',
  );

/** `POST /operator/clients`: a machine client, or one with a person behind it. */
export const clientBody = z.discriminatedUnion('grant', [
  z.strictObject({
    grant: z.literal('client_credentials'),
    name,
    scopes,
    resources,
    /** With keys the client proves itself by private_key_jwt, without by a secret. */
    jwks: z.strictObject({ keys: z.array(publicKey).min(1).max(MAX_KEYS) }).optional(),
  }),
  z.strictObject({
    grant: z.literal('authorization_code'),
    name,
    redirect_uris: z.array(redirectUri).min(1).max(MAX_REDIRECT_URIS).transform(removeDuplicates),
    token_endpoint_auth_method: z.enum(['none', 'client_secret_basic']).default('none'),
  }),
]);

function removeDuplicates(list: readonly string[]): readonly string[] {
  return [...new Set(list)];
}
