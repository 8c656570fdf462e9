import type { Account } from '../people/account.ts';
import type { ClientDocument } from '../clients/client-document-types.ts';
import type { ClientNeed, KeysNeed } from '../clients/clients.ts';
import type { EndedAccess } from '../people/ended-access.ts';
import type { DirectoryUserGone } from '../operators/accounts.ts';
import type { OperatorDesk } from '../operators/commands.ts';
import type { SealingKey } from './sealing-keys.ts';
import type { ValidToken } from './tokens.ts';

/** The name of the one object of its class. */
export const AUTHORIZATION_STORE_NAME = 'authorization';

/** An HTTP answer as plain data: bodies are small JSON texts. */
export type WireAnswer = { status: number; headers: Record<string, string>; body: string };

/** A POST to the token endpoint. The Worker has bounded the body; nothing of it is verified. */
export type TokenRequest = { contentType: string; authorization: string | null; body: string };

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
  payerAccount: (address: string) => Promise<Account>;
  /** Carries out what an operator asks for, if the session is an operator's. */
  operate: OperatorDesk;
  /** Ends the access of the operator who is this directory user (rule W6), unless nobody else could sign in then. */
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
