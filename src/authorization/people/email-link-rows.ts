import type { Rows } from '../oauth/rows.ts';

/** A link that was asked for. `accountId`: of the account that gets the address as a way; absent for a sign-in. */
export type EmailLink = { email: string; emailHash: string; returnTo: string; accountId?: string };
/** `browser`: the hash of the session of the browser that asked. */
export type StoredEmailLink = EmailLink & { browser: string };

const LINK = 'own:email-link:';

export const formatLinkKey = (tokenHash: string): string => `${LINK}${tokenHash}`;

/** The links for accounts that a browser asked for, by its session: they go along when that is renewed. */
const OF_BROWSER = 'own:email-links-of:';
/** Links that go along with a browser: as many as its caller can have asked for in an hour. */
const MAX_MOVED = 20;
export const formatBrowserKey = (browser: string, tokenHash: string): string => `${OF_BROWSER}${browser}:${tokenHash}`;

/**
 * A browser signs in again, which the link of an account may take before it is used: it is bound to the same browser as
 * before. A link that signs in needs no sign-in before it, and stays where it is.
 */
export function moveLinks(rows: Pick<Rows, 'get' | 'put' | 'delete' | 'list'>, from: string, to: string): void {
  for (const { key, value: tokenHash, expiresAtMs } of rows.list<string>(`${OF_BROWSER}${from}:`, MAX_MOVED)) {
    rows.delete(key);
    const link = rows.get<StoredEmailLink>(formatLinkKey(tokenHash));
    if (link === undefined || expiresAtMs === null) continue;
    rows.put(formatLinkKey(tokenHash), { ...link, browser: to }, expiresAtMs);
    rows.put(formatBrowserKey(to, tokenHash), tokenHash, expiresAtMs);
  }
}
