import { DAY_MS } from '../../lib/time.ts';
import type { StoreTools } from './rows.ts';

/**
 * A key that nonces and client ids, or tokens, are made with. `id` is one byte; from `fromMs` (Unix milliseconds) on it makes new
 * ones. `secret` is 256 random bits as hex, never used itself: each purpose derives its own key from it.
 */
export type SealingKey = { id: number; secret: string; fromMs: number };

/** What a derived key is for. The words are part of the derivation: changing one makes all that it made worthless. */
export type SealingPurpose =
  | 'sign-in nonce'
  | 'passkey sign-in'
  | 'passkey registration'
  | 'client id'
  | 'client id nonce'
  | 'client secret'
  | 'token shard';

const ROW = 'own:sealing-keys';
const SECRET_BYTES = 32;
const IDS = 256;
/** How long a Worker may remember the keys before it asks again. */
export const KEYS_REMEMBERED_MS = 10 * 60_000;
/** A new key is known this long before anything is made with it, so that every Worker can read what another one makes. */
const ANNOUNCED_MS = 60 * 60_000;
const LIFE_MS = 30 * DAY_MS;
/** A key that was replaced reads what it made for a day (the life of a client id) and what clocks may differ by. */
const READS_ON_MS = 25 * 3_600_000;
/** Keys that seal tokens: they read on for 30 days, the life of a refresh token. */
const TOKEN_ROW = 'own:token-keys';
const TOKENS_READ_ON_MS = 30 * DAY_MS + 3_600_000;

/** The keys of this deployment, oldest first. They are made when they are first asked for, and replaced every 30 days. */
export const createSealingKeyring = (tools: StoreTools) => createKeyring(tools, ROW, READS_ON_MS);

/** The keys that write into tokens which shard holds them: a ring of their own, which is read for longer. */
export const createTokenKeyring = (tools: StoreTools) => createKeyring(tools, TOKEN_ROW, TOKENS_READ_ON_MS);

const createKeyring =
  ({ rows, now, random }: StoreTools, name: string, readsOnMs: number) =>
  (): readonly SealingKey[] => {
    const kept = rows.get<readonly SealingKey[]>(name) ?? [];
    const alive = kept.filter((_, index) => now() < (kept[index + 1]?.fromMs ?? Infinity) + readsOnMs);
    const newest = alive.at(-1);
    const isDue = newest === undefined || now() >= newest.fromMs + LIFE_MS;
    if (!isDue && alive.length === kept.length) return kept;
    const next: SealingKey = {
      id: newest === undefined ? 0 : (newest.id + 1) % IDS,
      secret: random(SECRET_BYTES),
      fromMs: newest === undefined ? now() : now() + ANNOUNCED_MS,
    };
    const keys = isDue ? [...alive, next] : alive;
    rows.put(name, keys);
    return keys;
  };

/** The key to make something with now. @throws Error when there is none, which `createSealingKeyring` never gives */
export function getCurrentSealingKey(keys: readonly SealingKey[], nowMs: number): SealingKey {
  const key = keys.findLast(({ fromMs }) => fromMs <= nowMs) ?? keys[0]; // The first one, where our clock runs behind.
  if (key === undefined) throw new Error('no sealing key');
  return key;
}

type Derived = Awaited<ReturnType<typeof crypto.subtle.deriveKey>>;

/** Derived keys of this isolate, a few for each key that lives. Never pending ones: no request may wait for another's promise. */
const derivedKeys = new Map<string, Derived>();
const MAX_DERIVED = 32;
const encoder = new TextEncoder();

/** The key for one purpose, by HKDF-SHA-256 (RFC 5869) with the purpose as its `info`: AES-256-GCM or HMAC-SHA-256. */
export async function deriveSealingKey({ secret }: SealingKey, purpose: SealingPurpose): Promise<Derived> {
  const name = `${purpose}\n${secret}`;
  const known = derivedKeys.get(name);
  if (known !== undefined) return known;
  const made = await derive(secret, purpose);
  if (derivedKeys.size >= MAX_DERIVED) derivedKeys.clear();
  derivedKeys.set(name, made);
  return made;
}

async function derive(secret: string, purpose: SealingPurpose): Promise<Derived> {
  const material = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey']);
  const parameters = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(),
    info: encoder.encode(`sightline ${purpose}`),
  };
  return purpose === 'client id'
    ? crypto.subtle.deriveKey(parameters, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
    : crypto.subtle.deriveKey(parameters, material, { name: 'HMAC', hash: 'SHA-256', length: 256 }, false, ['sign']);
}

/** HMAC-SHA-256 of the UTF-8 bytes of `text` under the key for a purpose. 32 bytes. */
export async function computeSealingMac(
  key: SealingKey,
  purpose: SealingPurpose,
  text: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', await deriveSealingKey(key, purpose), encoder.encode(text)));
}
