import { toHex } from '../../lib/digest.ts';
import { parseMediaType } from '../../lib/media-type.ts';
import { countUtf8Bytes } from '../../lib/utf8.ts';
import type { ClientDocument } from '../clients/client-document.ts';
import type { ClientNeed, KeysNeed } from '../clients/clients.ts';
import type { ClientSurvey } from '../clients/survey.ts';
import type { DirectoryUserGone } from '../operators/accounts.ts';
import type { OperatorCommands } from '../operators/commands.ts';
import type { Account, AccountStanding } from '../people/account.ts';
import type { PayersAsked, PayersPage } from '../people/payers.ts';
import type { EndedAccess } from './kv-facade.ts';
import { parseScope } from './scopes.ts';
import type { SealingKey } from './sealing-keys.ts';
import type { ValidToken } from './tokens.ts';

/** Largest body of a token request: the longest parameter is an assertion. */
export const MAX_TOKEN_BODY_BYTES = 16_384;
const MAX_PARAMETERS = 40;

/** No answer of the token endpoint is ever cached (RFC 6749, section 5.1). */
export const NO_STORE = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  pragma: 'no-cache',
} as const;

type TokenForm = { ok: true; form: URLSearchParams } | { ok: false; answer: WireAnswer };

/**
 * Reads the body of a token request: a form, within its size, each parameter once (RFC 6749, section 3.2). `resource`
 * alone may repeat (RFC 8707, section 2): whether its values make sense is for the provider library. Scopes are made
 * canonical, for all who read the form.
 */
export function readTokenForm({ contentType, body }: TokenRequest): TokenForm {
  if (parseMediaType(contentType) !== 'application/x-www-form-urlencoded') {
    return refuse(400, 'Send the parameters as application/x-www-form-urlencoded');
  }
  if (countUtf8Bytes(body) > MAX_TOKEN_BODY_BYTES) {
    return refuse(413, `The body is larger than ${MAX_TOKEN_BODY_BYTES} bytes`);
  }
  const form = new URLSearchParams(body);
  if (form.size > MAX_PARAMETERS) return refuse(400, `There are more than ${MAX_PARAMETERS} parameters`);
  const names = [...form.keys()].filter((name) => name !== 'resource');
  if (new Set(names).size < names.length) return refuse(400, 'A parameter is given more than once');
  const scope = form.get('scope');
  if (scope !== null) form.set('scope', parseScope(scope).join(' '));
  return { ok: true, form };
}

/** An error answer of the token or registration endpoint (RFC 6749, section 5.2). */
export const buildOAuthError = (
  status: number,
  error: string,
  description: string,
  headers: Record<string, string> = {},
): WireAnswer => ({
  status,
  headers: { ...NO_STORE, ...headers },
  body: JSON.stringify({ error, error_description: description }),
});

const refuse = (status: number, description: string): TokenForm => ({
  ok: false,
  answer: buildOAuthError(status, 'invalid_request', description),
});

/** An encrypted answer, as hex. */
export type Sealed = { nonce: string; box: string };

type Lock = {
  /** What the key is derived from: at least 128 random bits, and never stored beside the box. */
  secret: string;
  /** The request that the answer belongs to: for any other the box does not open. */
  request: string;
};

const NONCE_BYTES = 12;
const encoder = new TextEncoder();

/** Encrypts an answer (AES-256-GCM), so that a copy of the table reveals nothing without the secret. */
export async function seal(
  answer: WireAnswer,
  { secret, request, random }: Lock & { random: (bytes: number) => string },
): Promise<Sealed> {
  const nonce = random(NONCE_BYTES);
  const key = await importStoreKey(secret, 'encrypt');
  const box = await crypto.subtle.encrypt(
    buildCipherParameters(nonce, request),
    key,
    encoder.encode(JSON.stringify(answer)),
  );
  return { nonce, box: toHex(new Uint8Array(box)) };
}

/** The answer, or undefined when the secret or the request is another. */
export async function openSealed({ nonce, box }: Sealed, { secret, request }: Lock): Promise<WireAnswer | undefined> {
  const key = await importStoreKey(secret, 'decrypt');
  try {
    const bytes = await crypto.subtle.decrypt(buildCipherParameters(nonce, request), key, decodeHexBytes(box));
    return JSON.parse(new TextDecoder().decode(bytes)) as WireAnswer; // Authenticated: `seal` wrote it.
  } catch {
    return undefined; // AES-GCM says no more than that it does not fit.
  }
}

const buildCipherParameters = (nonce: string, request: string) => ({
  name: 'AES-GCM',
  iv: decodeHexBytes(nonce),
  additionalData: encoder.encode(request),
});

async function importStoreKey(secret: string, use: 'encrypt' | 'decrypt') {
  const material = await crypto.subtle.digest('SHA-256', encoder.encode(`sightline sealed answer\n${secret}`));
  return crypto.subtle.importKey('raw', material, 'AES-GCM', false, [use]);
}

const decodeHexBytes = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16));

/** The name of the one object of its class. */
export const AUTHORIZATION_STORE_NAME = 'authorization';

/** An HTTP answer as plain data: bodies are small JSON texts. */
export type WireAnswer = { status: number; headers: Record<string, string>; body: string };

/** A POST to the token endpoint. The Worker has bounded the body; nothing of it is verified. */
export type TokenRequest = {
  contentType: string;
  authorization: string | null;
  body: string;
  /** The client whose assertion another store of ours found good and used up; no request from outside says so. */
  authenticatedAs?: string;
};

/** A client whose assertion was found good. */
export type AuthenticatedClient = { kind: 'authenticated'; clientId: string };

/**
 * What became of a token request: an answer, or what the Worker must fetch (through `src/net`) and put into the store
 * before it asks again. Nothing has changed in the latter cases. `ended` says whose reserved credits to free.
 */
export type TokenOutcome =
  | ({ kind: 'answer'; ended?: EndedAccess } & WireAnswer)
  | { kind: 'client_document_needed'; clientId: string }
  | { kind: 'client_keys_needed'; clientId: string; jwksUri: string };

/** The methods of the `AuthorizationStore` object as the Worker calls them. */
export type AuthorizationStoreObject = {
  /** What a token says, if it is good for this resource now; null otherwise, whatever the reason. */
  validate: (token: string, resource: string) => Promise<ValidToken | null>;
  /** Answers the token endpoint, revocation (RFC 7009) included. */
  token: (request: TokenRequest) => Promise<TokenOutcome>;
  /** The keys that nonces and client ids are made with: a Worker asks once and remembers them for a while. */
  sealingKeys: () => Promise<readonly SealingKey[]>;
  /** The account of an Ethereum address, made when it is new. Only for addresses that proved themselves: by sign-in, or by paying. */
  payerAccount: (address: string) => Promise<Account | undefined>;
  /** What an account is now, and what it lets a client spend: for work that the account ordered for later. */
  accountStanding: (accountId: string, clientId: string) => Promise<AccountStanding>;
  /** Carries out what an operator asks for, if the session is an operator's. */
  operate: OperatorCommands;
  /** The same by a session of the operator's console. */
  operateConsole: OperatorCommands;
  /** Clients with a row of their own, and how many grants each has; a page of them. */
  listRegisteredClients: (after?: string) => Promise<ClientSurvey>;
  /** Accounts of payers that are stored for good, by address; a page of them. */
  listPayers: (asked: PayersAsked) => Promise<PayersPage>;
  /** Ends the access of the operator who is this directory user (rule W6), unless no one else could sign in then. */
  directoryUserGone: (directoryUserId: string) => Promise<DirectoryUserGone>;
  /** Whether a client is known, or its metadata document has to be fetched first; counts fetches against the caller. */
  clientNeed: (clientId: string, caller: string) => Promise<ClientNeed>;
  /** Renews a client with access by its fetched and checked metadata document. */
  putClientDocument: (document: ClientDocument) => Promise<void>;
  /** Whether a client's `jwks_uri` may be fetched now; counts as a document. */
  keysNeed: (jwksUri: string) => Promise<KeysNeed>;
  /** Says that keys could not be fetched. */
  keysFailed: (jwksUri: string) => Promise<void>;
  /** Keeps the keys that a client's `jwks_uri` answered. */
  putClientKeys: (
    clientId: string,
    jwks: { keys: readonly Record<string, unknown>[] },
    expiresAtMs: number,
  ) => Promise<void>;
};
