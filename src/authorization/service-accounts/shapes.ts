import { base64url, exportJWK, exportPKCS8, generateKeyPair } from 'jose';
import { computeSha256Hex } from '../../lib/digest.ts';
import type { StoreTools } from '../oauth/rows.ts';
import { classifyScope } from '../oauth/scopes.ts';
import { MACHINE_TOKEN_PREFIX, type TokenProps, type ValidToken } from '../oauth/tokens.ts';

/** Where tokens of machines are, by their SHA-256. */
export const MACHINE_TOKEN_ROWS = 'own:machine:token:';
const SECRET_BYTES = 32;
/** Prefix and 43 characters; longer text is no token of ours and is not hashed. */
const MAX_TOKEN_CHARS = 64;

/** 256 random bits as base64url. */
export const generateMachineSecret = (random: StoreTools['random']): string =>
  base64url.encode(Uint8Array.from(random(SECRET_BYTES).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));

/**
 * Opaque tokens of machine clients, kept by their SHA-256 and gone at their end.
 * @param lives whether the client, account and key behind a token still are: when one is gone, so is the token (rule A2).
 */
export function createMachineTokens({ rows, random }: StoreTools, lives: (token: MachineToken) => boolean) {
  const keyOf = async (token: string): Promise<string | undefined> =>
    token.startsWith(MACHINE_TOKEN_PREFIX) && token.length <= MAX_TOKEN_CHARS
      ? `${MACHINE_TOKEN_ROWS}${await computeSha256Hex(token)}`
      : undefined;
  return {
    /** @param keyEndsAtMs when the key that it was got with ends, and the token with it */
    issue: async (granted: MachineToken, keyEndsAtMs = Infinity): Promise<string> => {
      const token = `${MACHINE_TOKEN_PREFIX}${generateMachineSecret(random)}`;
      const endsAtMs = Math.min(granted.expiresAt * 1000, keyEndsAtMs);
      rows.put(`${MACHINE_TOKEN_ROWS}${await computeSha256Hex(token)}`, granted, endsAtMs);
      return token;
    },
    /** What a token is good for at `resource`; null for any other text, an ended token, or one for another resource. */
    validate: async (token: string, resource: string): Promise<ValidToken | null> => {
      const key = await keyOf(token);
      const row = key === undefined ? undefined : rows.get<MachineToken>(key);
      if (row === undefined || row.audience !== resource || !lives(row)) return null;
      const { props, audience, expiresAt, scope, account, client } = row;
      return { props, audience, expiresAt, scope: [...scope], userId: account, clientId: client };
    },
    /** What a token represents, no matter what it is good for. */
    find: async (token: string): Promise<MachineToken | undefined> => {
      const key = await keyOf(token);
      return key === undefined ? undefined : rows.get<MachineToken>(key);
    },
    /** Ends a token. Unknown ones are no error. */
    revoke: async (token: string): Promise<void> => {
      const key = await keyOf(token);
      if (key !== undefined) rows.delete(key);
    },
  };
}

const KEY_ID_BYTES = 20;

/** What a program reads to sign in as a service account, in the form of the vendors' key files. */
export type KeyFile = {
  type: 'service_account';
  project_id: string;
  private_key_id: string;
  private_key: string;
  client_email: string;
  client_id: string;
  auth_uri: string;
  token_uri: string;
  universe_domain: string;
};

/**
 * Makes an RSA key of 2048 bits. The private half exists in the returned file alone.
 * @param random this many random bytes as hex.
 */
export async function makeServiceKey(
  account: ServiceAccount,
  settings: Pick<MachineSettings, 'issuer' | 'tokenEndpoint'>,
  times: Pick<ServiceKey, 'createdAtMs' | 'expiresAtMs'>,
  random: (bytes: number) => string,
): Promise<{ key: ServiceKey; file: KeyFile }> {
  const pair = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true });
  const { kty = '', n = '', e = '' } = await exportJWK(pair.publicKey);
  const id = random(KEY_ID_BYTES);
  const file: KeyFile = {
    type: 'service_account',
    project_id: account.project,
    private_key_id: id,
    private_key: await exportPKCS8(pair.privateKey),
    client_email: account.email,
    client_id: account.id,
    auth_uri: `${settings.issuer}/authorize`,
    token_uri: settings.tokenEndpoint,
    // With any other word the vendors' libraries sign requests themselves and never ask `token_uri` for a token.
    universe_domain: 'googleapis.com',
  };
  return { key: { id, publicKey: { kty, n, e }, ...times }, file };
}

/** Why a client or service account cannot be given these scopes and resources; undefined when it can. */
export function findUnknownGrant(
  scopes: readonly string[],
  resources: readonly string[],
  settings: Pick<MachineSettings, 'resources'>,
): OperatorRefusal | undefined {
  if (scopes.some((scope) => classifyScope(scope) === undefined)) return { ok: false, reason: 'unknown_scope' };
  if (resources.some((resource) => !settings.resources.includes(resource)))
    return { ok: false, reason: 'unknown_resource' };
  return undefined;
}

/** What the machine side has to know of the service. All URLs are exact strings without a trailing slash. */
export type MachineSettings = {
  /** The authorization server's own URL (`BASE_URL`). */
  issuer: string;
  tokenEndpoint: string;
  /** Every resource that tokens may be made for; the first is what an account gets that names none. */
  resources: readonly string[];
  /** The resource of management interfaces, where they are deployed: see `Principal.home`. */
  control?: string | undefined;
  /** Audiences of service-account assertions besides the two above: the vendors' token URLs in the local stack, else none. */
  otherAudiences: readonly string[];
};

/** A public key as a JSON Web Key (RFC 7517): the edge lets no private member through. */
export type PublicKey = { kty: string; [member: string]: string | undefined };

/** How a machine client proves itself at the token endpoint. */
export type MachineAuthMethod = 'client_secret_basic' | 'private_key_jwt';

/** A client the operator made for `client_credentials`. The secret is kept as its SHA-256 only. */
export type MachineClient = {
  id: string;
  name: string;
  /** The account its tokens belong to, and that account's name. */
  account: string;
  accountName: string;
  method: MachineAuthMethod;
  secretHash?: string;
  /** Public keys only. */
  jwks?: readonly PublicKey[];
  scopes: readonly string[];
  resources: readonly string[];
  createdAtMs: number;
};

/** An account for a program that signs assertions (RFC 7523) with a key made here. `id` is the account's. */
export type ServiceAccount = {
  id: string;
  accountName: string;
  name: string;
  /** What assertions carry as `iss`. */
  email: string;
  /** The project that its key files name. */
  project: string;
  scopes: readonly string[];
  tenant: string;
  /** Users it may act for (delegation grants). */
  actsFor: readonly string[];
  resources: readonly string[];
  createdAtMs: number;
};

/** One key of a service account: the public half. The private half was shown once. */
export type ServiceKey = { id: string; publicKey: PublicKey; createdAtMs: number; expiresAtMs: number };

/** What an issued token represents. `key` is the service-account key that it was got with. */
export type MachineToken = {
  client: string;
  account: string;
  key?: string;
  scope: readonly string[];
  audience: string;
  props: TokenProps;
  /** Unix seconds. */
  expiresAt: number;
};

/** What a request for a token comes to, before a resource and scopes are chosen. */
export type Principal = {
  client: string;
  account: string;
  key?: string;
  props: TokenProps;
  resources: readonly string[];
  /** What a token of control scopes only is for when the request names no resource; absent: the first of `resources`. */
  home?: string;
  /** Scopes that were asked for; undefined asks for all that there are. */
  asked: readonly string[] | undefined;
};

/** A request of the token endpoint: its form, and its Authorization header. */
export type MachineRequest = {
  form: URLSearchParams;
  authorization: string | null;
  /** The client that was found to send it, where that was looked at elsewhere. */
  authenticatedAs?: string | undefined;
};

/** Error codes of the token endpoint (RFC 6749 section 5.2, RFC 8707 section 2). */
export type TokenError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'invalid_scope'
  | 'invalid_target';

export type TokenRefusal = { ok: false; error: TokenError; detail: string };
export type OperatorRefusal = { ok: false; reason: 'not_found' | 'too_many' | 'unknown_scope' | 'unknown_resource' };

export const refuseToken = (error: TokenError, detail: string): TokenRefusal => ({ ok: false, error, detail });

export const MAX_MACHINE_CLIENTS = 100;
export const MAX_SERVICE_ACCOUNTS = 100;
/** Living keys of one service account, and public keys of one client. */
export const MAX_KEYS = 10;
export const MAX_ACCOUNT_NAME_CHARS = 80;
/** Scopes of a client or service account: with the delegation rows they fit one account's grant table. */
export const MAX_SCOPES = 80;
export const MAX_ACTS_FOR = 20;
/** Longest `scope` of a request or claim. */
export const MAX_SCOPE_CHARS = 8192;
export const MAX_ASSERTION_BYTES = 16 * 1024;

/** A grant row with this as scope names, as tenant, a user that a service account may act for (`sub`). */
export const DELEGATION = 'delegation';
export const ANY_TENANT = '*';
