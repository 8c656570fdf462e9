import type { ValidToken } from './tokens.ts';

/** How long an isolate may remember that a token was good, from when it asked, in milliseconds. */
export const REMEMBERED_MS = 10_000;
/** Tokens that an isolate remembers; beyond it the oldest are forgotten, and asked about again. */
export const MAX_REMEMBERED_TOKENS = 10_000;

/** What was said of a token, and when it was asked for, in Unix milliseconds. */
export type GoodToken = { valid: ValidToken; askedAtMs: number };

/** A token by its SHA-256, for one resource: the token itself is not kept. */
type TokenKey = { hash: string; resource: string };

/** Endings that answers on their way are held against, and since when all of them are kept. */
const MAX_ENDINGS = 256;

const remembered = new Map<string, GoodToken>();
const endings: { ended: EndedTokens; atMs: number }[] = [];
let endingsSinceMs = Number.NEGATIVE_INFINITY;

const formatKey = ({ hash, resource }: TokenKey): string => `${hash} ${resource}`;

/** What was said of a token in the last ten seconds; undefined where it must be asked about. Never past the token's end. */
export function findRemembered(key: TokenKey, nowMs: number): GoodToken | undefined {
  const known = remembered.get(formatKey(key));
  if (known === undefined) return undefined;
  const isFresh = nowMs - known.askedAtMs < REMEMBERED_MS && nowMs >= known.askedAtMs;
  if (isFresh && nowMs < known.valid.expiresAt * 1000) return known;
  remembered.delete(formatKey(key));
  return undefined;
}

/** Remembers a good token. Nothing else is remembered: what is not good may be good in a moment. */
export function rememberToken(key: TokenKey, good: GoodToken): void {
  const name = formatKey(key);
  // It may have ended while the answer was on its way.
  const hasEnded = endings.some(({ ended, atMs }) => atMs >= good.askedAtMs && isEnded(name, good, ended));
  if (hasEnded || good.askedAtMs <= endingsSinceMs) return;
  remembered.delete(name); // Re-inserted last, so that the first key is the oldest.
  remembered.set(name, good);
  for (const [oldest, { askedAtMs }] of remembered) {
    if (good.askedAtMs - askedAtMs < REMEMBERED_MS && remembered.size <= MAX_REMEMBERED_TOKENS) return;
    remembered.delete(oldest); // Each may hold a list of 80 scopes.
  }
}

/** Whose tokens an isolate forgets at once, because it has ended them: an account's, a client's, or all with one hash. */
export type EndedTokens = { userId?: string; clientId?: string; hash?: string };

/** Forgets tokens that fit all that is given. An answer about one that is still on its way is not remembered either. */
export function forgetTokens(ended: EndedTokens, nowMs: number): void {
  endings.push({ ended, atMs: nowMs });
  if (endings.length > MAX_ENDINGS) endingsSinceMs = endings.shift()?.atMs ?? endingsSinceMs;
  for (const [name, good] of remembered) if (isEnded(name, good, ended)) remembered.delete(name);
}

const isEnded = (name: string, { valid }: GoodToken, { userId, clientId, hash }: EndedTokens): boolean =>
  (userId === undefined || valid.userId === userId) &&
  (clientId === undefined || valid.clientId === clientId) &&
  (hash === undefined || name.startsWith(`${hash} `));
