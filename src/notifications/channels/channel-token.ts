import { hmac } from '@noble/hashes/hmac';
import { sha256 } from '@noble/hashes/sha2';
import { encodeBase64url } from '../../lib/base64url.ts';

/** A secret that channel tokens are made with, by its number. */
export type ChannelKey = { number: number; secret: Uint8Array };

const KEYS = /^\d{1,6}:[^\s,]{32,256}(?:,\d{1,6}:[^\s,]{32,256})?$/;
const MAC_BYTES = 32;
/** `v`, six digits, a point and 43 characters: a token is never longer (the vendor allows 256). */
const MAX_TOKEN_CHARS = 64;
const NO_KEY: ChannelKey = { number: -1, secret: new Uint8Array(MAC_BYTES) };

/** Reads `<number>:<secret>[,<number>:<secret>]`; undefined for anything else, and for one number twice. */
export function parseChannelKeys(text: string): readonly ChannelKey[] | undefined {
  if (!KEYS.test(text)) return undefined;
  const keys = text.split(',').map((part) => {
    const colon = part.indexOf(':');
    return { number: Number(part.slice(0, colon)), secret: new TextEncoder().encode(part.slice(colon + 1)) };
  });
  return new Set(keys.map(({ number }) => number)).size === keys.length ? keys : undefined;
}

/**
 * The token of a channel (rule W1): `v<key>.` and the HMAC-SHA256 of channel id and address path. The Worker can tell
 * a good one without asking anyone.
 */
export function computeChannelToken(channelId: string, path: string, keys: readonly ChannelKey[]): string {
  const [key = NO_KEY] = keys;
  return `v${key.number}.${encodeBase64url(computeChannelMac(channelId, path, key))}`;
}

/**
 * Whether a token is that of the channel at this path. Takes the same steps for every text: one HMAC with the key that
 * it names, or with one that no one has, and a comparison of buffers of fixed length.
 */
export function isChannelToken(
  presented: string,
  { channelId, path }: { channelId: string; path: string },
  keys: readonly ChannelKey[],
): boolean {
  const dot = presented.indexOf('.');
  const named = keys.find(({ number }) => presented.slice(0, Math.max(dot, 0)) === `v${number}`);
  const key = named ?? NO_KEY;
  const expected = `v${key.number}.${encodeBase64url(computeChannelMac(channelId, path, key))}`;
  const isSame = hasSameBytes(padToFixedLength(presented), padToFixedLength(expected));
  // By its length too: what a buffer is filled up with would count as part of the text.
  return isSame && named !== undefined && presented.length === expected.length;
}

const computeChannelMac = (channelId: string, path: string, { secret }: ChannelKey): Uint8Array =>
  hmac(sha256, secret, new TextEncoder().encode(`${channelId}\n${path}`));

/** Text in a buffer of fixed length; what is longer is cut, and refused by its length besides. */
function padToFixedLength(text: string): Uint8Array {
  const buffer = new Uint8Array(MAX_TOKEN_CHARS);
  new TextEncoder().encodeInto(text.slice(0, MAX_TOKEN_CHARS), buffer);
  return buffer;
}

function hasSameBytes(left: Uint8Array, right: Uint8Array): boolean {
  let difference = 0;
  for (let index = 0; index < MAX_TOKEN_CHARS; index += 1) difference |= (left[index] ?? 0) ^ (right[index] ?? 0);
  return difference === 0;
}
