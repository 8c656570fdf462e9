import { toHex, isSameText } from '../../lib/digest.ts';
import { getCurrentSealingKey, computeSealingMac, type SealingKey } from './sealing-keys.ts';

/** A nonce of a sign-in message is good this long, in milliseconds (rule A3). */
export const NONCE_LIFE_MS = 5 * 60_000;
/** Clocks of the machines that make and judge nonces may differ by so much. */
export const CLOCKS_MS = 5_000;

/** Bytes, written as hex: the key's id, the time in Unix seconds, what makes two nonces of one second differ, the HMAC. */
const BYTES = { key: 1, time: 4, salt: 8, mac: 16 } as const;
const HEAD_CHARS = 2 * (BYTES.key + BYTES.time + BYTES.salt);
const MAC_CHARS = 2 * BYTES.mac;

/** What a nonce of ours looks like. EIP-4361 wants at least eight letters and digits. */
export const NONCE_FORM = /^[0-9a-f]{58}$/;

/** What a nonce is for: one of a message that a wallet signs is no challenge of a passkey, nor the other way round. */
export type NoncePurpose = 'sign-in nonce' | 'passkey sign-in' | 'passkey registration';

/**
 * Makes a nonce for a session that nothing has to remember: 128 bits of HMAC over key, time, salt and session. Only a
 * nonce that is used becomes a row.
 * @param session the hash of the browser's session
 */
export async function makeNonce(
  keys: readonly SealingKey[],
  session: string,
  nowMs: number,
  purpose: NoncePurpose = 'sign-in nonce',
): Promise<{ nonce: string; expiresAtMs: number }> {
  const key = getCurrentSealingKey(keys, nowMs);
  const seconds = Math.floor(nowMs / 1000);
  const salt = toHex(crypto.getRandomValues(new Uint8Array(BYTES.salt)));
  const head = `${formatHexNumber(key.id, BYTES.key)}${formatHexNumber(seconds, BYTES.time)}${salt}`;
  return {
    nonce: head + (await computeNonceMac(key, head, session, purpose)),
    expiresAtMs: seconds * 1000 + NONCE_LIFE_MS,
  };
}

/** Whether we made this nonce for this session and it is still good. Whether it was used is the store's to say. */
export async function isNonceOf(
  keys: readonly SealingKey[],
  session: string,
  nonce: string,
  nowMs: number,
  purpose: NoncePurpose = 'sign-in nonce',
): Promise<boolean> {
  if (!NONCE_FORM.test(nonce)) return false;
  const head = nonce.slice(0, HEAD_CHARS);
  const keyId = Number.parseInt(head.slice(0, 2 * BYTES.key), 16);
  const madeAtMs = Number.parseInt(head.slice(2 * BYTES.key, 2 * (BYTES.key + BYTES.time)), 16) * 1000;
  const key = keys.find(({ id }) => id === keyId);
  if (key === undefined || madeAtMs > nowMs + CLOCKS_MS || nowMs >= madeAtMs + NONCE_LIFE_MS) return false;
  return isSameText(nonce.slice(HEAD_CHARS), await computeNonceMac(key, head, session, purpose));
}

const computeNonceMac = async (
  key: SealingKey,
  head: string,
  session: string,
  purpose: NoncePurpose,
): Promise<string> => toHex(await computeSealingMac(key, purpose, `${head}\n${session}`)).slice(0, MAC_CHARS);

const formatHexNumber = (value: number, bytes: number): string => value.toString(16).padStart(2 * bytes, '0');
