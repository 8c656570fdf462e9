import type { TokenProps } from '../oauth/tokens.ts';

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

/** What an issued token stands for. `key` is the service-account key that it was got with. */
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
export type MachineRequest = { form: URLSearchParams; authorization: string | null };

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

export const refuse = (error: TokenError, detail: string): TokenRefusal => ({ ok: false, error, detail });

export const MAX_MACHINE_CLIENTS = 100;
export const MAX_SERVICE_ACCOUNTS = 100;
/** Living keys of one service account, and public keys of one client. */
export const MAX_KEYS = 10;
export const MAX_NAME_CHARS = 80;
/** Scopes of a client or service account: with the delegation rows they fit one account's grant table. */
export const MAX_SCOPES = 80;
export const MAX_ACTS_FOR = 20;
/** Longest `scope` of a request or claim. */
export const MAX_SCOPE_CHARS = 8192;
export const MAX_ASSERTION_BYTES = 16 * 1024;

/** A grant row with this as scope names, as tenant, a user that a service account may act for (`sub`). */
export const DELEGATION = 'delegation';
export const ANY_TENANT = '*';
