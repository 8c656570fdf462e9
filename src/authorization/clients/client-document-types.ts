import type { ClientAssertionAlgorithm, JwkSet } from '../service-accounts/client-assertion.ts';

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
