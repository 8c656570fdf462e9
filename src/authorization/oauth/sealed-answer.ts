import { hexOf } from '../../lib/digest.ts';
import type { WireAnswer } from './store-protocol.ts';

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
  const key = await keyOf(secret, 'encrypt');
  const box = await crypto.subtle.encrypt(parameters(nonce, request), key, encoder.encode(JSON.stringify(answer)));
  return { nonce, box: hexOf(new Uint8Array(box)) };
}

/** The answer, or undefined when the secret or the request is another. */
export async function openSealed({ nonce, box }: Sealed, { secret, request }: Lock): Promise<WireAnswer | undefined> {
  const key = await keyOf(secret, 'decrypt');
  try {
    const bytes = await crypto.subtle.decrypt(parameters(nonce, request), key, bytesOf(box));
    return JSON.parse(new TextDecoder().decode(bytes)) as WireAnswer; // Authenticated: `seal` wrote it.
  } catch {
    return undefined; // AES-GCM says no more than that it does not fit.
  }
}

const parameters = (nonce: string, request: string) => ({
  name: 'AES-GCM',
  iv: bytesOf(nonce),
  additionalData: encoder.encode(request),
});

async function keyOf(secret: string, use: 'encrypt' | 'decrypt') {
  const material = await crypto.subtle.digest('SHA-256', encoder.encode(`sightline sealed answer\n${secret}`));
  return crypto.subtle.importKey('raw', material, 'AES-GCM', false, [use]);
}

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16));
