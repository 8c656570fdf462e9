import { encodeBase64url, decodeBase64url } from '../../lib/base64url.ts';
import { computeSha256Hex } from '../../lib/digest.ts';
import { HOUR_MS } from '../../lib/time.ts';
import { type ClientRecord, MAX_CLIENT_ID_CHARS } from './clients.ts';
import { getCurrentSealingKey, deriveSealingKey, computeSealingMac, type SealingKey } from '../oauth/sealing-keys.ts';

/** The part of a registration that the authorization server needs later: all that is sealed. */
export type SealedMetadata = Pick<
  ClientRecord,
  'clientName' | 'redirectUris' | 'grantTypes' | 'tokenEndpointAuthMethod' | 'authMethodExplicit'
>;

/** How the client of a registration is named. `clientSecret` only when the client authenticates by one. */
export type SealedClient = { clientId: string; clientSecret?: string; issuedAtS: number };

/** First version of the form `v1.` + base64url(key id, nonce, AES-256-GCM of the metadata as JSON). */
const VERSION = 'v1.';
const KEY_BYTES = 1;
const IV_BYTES = 12;
/** A client id that no one consented to is worth nothing after this (rule A8). */
export const SEALED_LIFE_MS = 24 * HOUR_MS;
const SALT_BYTES = 12;

/** Short names: every character of the metadata makes the client id longer. `s` is the salt of a client with a secret. */
type Packed = {
  t: number;
  r: string[];
  n?: string;
  g: string[];
  m: ClientRecord['tokenEndpointAuthMethod'];
  e?: 1;
  s?: string;
};

const encoder = new TextEncoder();

/**
 * Makes a client id that is its own registration, so that nothing has to be stored until someone consents to the client
 * (rule A8). The same metadata of a public client is the same id within an hour: AES-GCM gets its nonce from the HMAC
 * of what is sealed. Clients with a secret get an id of their own each time; the secret is an HMAC of the id.
 * @returns undefined when the id would be longer than `MAX_CLIENT_ID_CHARS`
 */
export async function sealClient(
  metadata: SealedMetadata,
  keys: readonly SealingKey[],
  nowMs: number,
): Promise<SealedClient | undefined> {
  const key = getCurrentSealingKey(keys, nowMs);
  const issuedAtS = Math.floor(nowMs / HOUR_MS) * (HOUR_MS / 1000);
  const hasSecret = metadata.tokenEndpointAuthMethod !== 'none';
  const text = JSON.stringify(encodeSealedClient(metadata, issuedAtS, hasSecret));
  const iv = (await computeSealingMac(key, 'client id nonce', text)).slice(0, IV_BYTES);
  const head = new Uint8Array([key.id, ...iv]);
  const sealing = await deriveSealingKey(key, 'client id');
  const box = await crypto.subtle.encrypt(buildCipherParameters(head), sealing, encoder.encode(text));
  const clientId = VERSION + encodeBase64url(new Uint8Array([...head, ...new Uint8Array(box)]));
  if (clientId.length > MAX_CLIENT_ID_CHARS) return undefined;
  return { clientId, issuedAtS, ...(hasSecret ? { clientSecret: await deriveClientSecret(key, clientId) } : {}) };
}

/** The client that an id describes, as the provider library stores one; undefined when it is not ours or too old. */
export async function openClient(
  clientId: string,
  keys: readonly SealingKey[],
  nowMs: number,
): Promise<ClientRecord | undefined> {
  if (!isSealedId(clientId)) return undefined;
  const bytes = decodeBase64url(clientId.slice(VERSION.length));
  const key = keys.find(({ id }) => id === bytes?.[0]);
  if (bytes === undefined || key === undefined) return undefined;
  const text = await openSealedClient(bytes, key);
  if (text === undefined || VERSION + encodeBase64url(bytes) !== clientId) return undefined; // One client has one spelling.
  const { t, r, n, g, m, e } = JSON.parse(text) as Packed; // Authenticated: `sealClient` wrote it.
  if (nowMs >= t * 1000 + SEALED_LIFE_MS) return undefined;
  return {
    clientId,
    redirectUris: r,
    ...(n === undefined ? {} : { clientName: n }),
    grantTypes: g,
    responseTypes: ['code'],
    registrationDate: t,
    tokenEndpointAuthMethod: m,
    ...(e === undefined ? {} : { authMethodExplicit: true }),
    ...(m === 'none' ? {} : { clientSecret: await computeSha256Hex(await deriveClientSecret(key, clientId)) }),
  };
}

/** Whether a client id has the form of a sealed one. */
export const isSealedId = (clientId: string): boolean =>
  clientId.startsWith(VERSION) && clientId.length <= MAX_CLIENT_ID_CHARS;

function encodeSealedClient(metadata: SealedMetadata, issuedAtS: number, hasSecret: boolean): Packed {
  const { clientName, redirectUris, grantTypes, tokenEndpointAuthMethod, authMethodExplicit } = metadata;
  return {
    t: issuedAtS,
    r: redirectUris.toSorted(),
    ...(clientName === undefined ? {} : { n: clientName }),
    g: grantTypes.toSorted(),
    m: tokenEndpointAuthMethod,
    ...(authMethodExplicit === true ? { e: 1 } : {}),
    ...(hasSecret ? { s: encodeBase64url(crypto.getRandomValues(new Uint8Array(SALT_BYTES))) } : {}),
  };
}

async function openSealedClient(bytes: Uint8Array<ArrayBuffer>, key: SealingKey): Promise<string | undefined> {
  const head = bytes.slice(0, KEY_BYTES + IV_BYTES);
  try {
    const opening = await deriveSealingKey(key, 'client id');
    const text = await crypto.subtle.decrypt(buildCipherParameters(head), opening, bytes.slice(head.byteLength));
    return new TextDecoder().decode(text);
  } catch {
    return undefined; // AES-GCM says no more than that it does not fit.
  }
}

/** Version and key id are authenticated too. */
const buildCipherParameters = (head: Uint8Array<ArrayBuffer>) => ({
  name: 'AES-GCM',
  iv: head.slice(KEY_BYTES),
  additionalData: new Uint8Array([...encoder.encode(VERSION), ...head]),
});

const deriveClientSecret = async (key: SealingKey, clientId: string): Promise<string> =>
  encodeBase64url(await computeSealingMac(key, 'client secret', clientId));
