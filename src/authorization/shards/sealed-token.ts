import { encodeBase64url } from '../../lib/base64url.ts';
import { isSameText, toHex } from '../../lib/digest.ts';
import { computeSealingMac, getCurrentSealingKey, type SealingKey } from '../oauth/sealing-keys.ts';

/** Objects that hold new grants and tokens. A token says which one holds it, so this number may only grow. */
export const TOKEN_SHARDS = 64;

/** What a seal says in the place of a shard where the root holds the grant, which is from before there were shards. */
export const ROOT_PLACE = 0xff;

const ROOM = 'authorization/';
const BYTE_CHARS = 2;
const MAC_BYTES = 16;
const MAC_CHARS = Math.ceil((MAC_BYTES * 8) / 6);
/** A dot, the key's id, the shard, 128 bits of HMAC-SHA-256. No token of before has a dot. */
const SEAL_CHARS = 1 + 2 * BYTE_CHARS + MAC_CHARS;

/** What a person reads where shards have not confirmed an end. */
export const describeUnreached = (unreached: number): string =>
  `${unreached} of ${TOKEN_SHARDS} stores of tokens have not confirmed it`;

/** The name of the object that holds a shard. */
export const getShardName = (shard: number): string => ROOM + formatByte(shard);

/** Whether an object by this name holds a shard. */
export const isShardName = (name: string | undefined): boolean => name?.startsWith(ROOM) ?? false;

/** A token, code or refresh token as the client has it: `text` is as its object knows it. `old`: from before there were seals. */
export type OpenedToken = SealedToken | { kind: 'old' } | { kind: 'forged' };
export type SealedToken = { kind: 'sealed'; text: string; shard: number };

/** Whether a text has a place for a seal: what has none was made before there were seals. */
export const hasSeal = (token: string): boolean => token.includes('.');

/**
 * Writes into a token which shard holds it. The HMAC covers all of the token, so that a text that we did not make is
 * known before any object is asked; that the token is good for something is for the shard to say.
 */
export async function sealToken(
  text: string,
  shard: number,
  keys: readonly SealingKey[],
  nowMs: number,
): Promise<string> {
  const key = getCurrentSealingKey(keys, nowMs);
  const head = `${text}.${formatByte(key.id)}${formatByte(shard)}`;
  return head + (await computeSealMac(key, head));
}

/** The token in a text with a seal of ours, and its shard. */
export async function openToken(token: string, keys: readonly SealingKey[]): Promise<OpenedToken> {
  const read = readSeal(token);
  if (read.kind !== 'sealed') return read;
  const key = keys.find(({ id }) => id === read.keyId);
  if (key === undefined) return { kind: 'forged' };
  const head = token.slice(0, token.length - MAC_CHARS);
  const isOurs = isSameText(token.slice(head.length), await computeSealMac(key, head));
  return isOurs ? { kind: 'sealed', text: read.text, shard: read.shard } : { kind: 'forged' };
}

/** What a seal says, no matter who wrote it: for objects, which ask no keys about what a Worker has looked at. */
export function readSeal(token: string): Exclude<OpenedToken, { kind: 'sealed' }> | (SealedToken & { keyId: number }) {
  if (!hasSeal(token)) return { kind: 'old' };
  const end = token.length - SEAL_CHARS;
  const [keyId, shard] = [parseByte(token, end + 1), parseByte(token, end + 1 + BYTE_CHARS)];
  const isSeal = end > 0 && token.lastIndexOf('.') === end;
  return isSeal && keyId !== undefined && shard !== undefined && (shard < TOKEN_SHARDS || shard === ROOT_PLACE)
    ? { kind: 'sealed', text: token.slice(0, end), shard, keyId }
    : { kind: 'forged' };
}

/** The shard that random bytes or a digest, as hex, lead to. */
export const chooseShard = (hex: string): number => Number.parseInt(hex.slice(0, 8), 16) % TOKEN_SHARDS;

const computeSealMac = async (key: SealingKey, head: string): Promise<string> =>
  encodeBase64url((await computeSealingMac(key, 'token shard', head)).slice(0, MAC_BYTES));

const formatByte = (value: number): string => toHex(Uint8Array.of(value));

/** The byte at a place, only as `formatByte` writes it. */
function parseByte(text: string, at: number): number | undefined {
  const digits = text.slice(at, at + BYTE_CHARS);
  const value = Number.parseInt(digits, 16);
  return Number.isInteger(value) && formatByte(value) === digits ? value : undefined;
}
