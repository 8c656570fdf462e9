import { computeSha256Hex } from '../../lib/digest.ts';
import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts';
import { createRateWindow, type StoreTools } from '../oauth/rows.ts';
import { type CallerLimits, createCallerAttempts } from './attempts.ts';
import { type EmailLink, formatBrowserKey, formatLinkKey, type StoredEmailLink } from './email-link-rows.ts';
import type { Browser, Wait } from './sign-in.ts';

/** A link is good this long after it was asked for, in milliseconds. */
export const EMAIL_LINK_MS = 10 * MINUTE_MS;
/** Links that one e-mail address is sent in an hour, by all callers together. */
export const MAX_LINKS_OF_ADDRESS = 3;
/** Links that one caller asks for in an hour: each is a mail to someone. */
export const EMAIL_LINK_LIMITS: CallerLimits = { perCaller: 20, perNetwork: 80, windowMs: HOUR_MS };

const MAX_EMAIL_CHARS = 254;
/** One address of the form that servers of this day take: printable ASCII without what separates addresses or headers. */
const EMAIL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}$/;

/** 128 bits in hexadecimal. */
export const EMAIL_TOKEN_BYTES = 16;
const TOKEN = /^[0-9a-f]{32}$/;

export const isEmailToken = (text: string): boolean => TOKEN.test(text);

/** What the store knows of a link: a copy of its rows signs no one in. */
export const hashEmailToken = (token: string): Promise<string> => computeSha256Hex(`e-mail link\n${token}`);

/** Names the rows of an e-mail address. */
export const hashEmail = (email: string): Promise<string> => computeSha256Hex(`e-mail address\n${email}`);

/** An e-mail address in the one spelling that it has here; undefined for what is none, or more than one. */
export function normaliseEmail(given: string): string | undefined {
  const email = given.trim().toLowerCase();
  return email.length <= MAX_EMAIL_CHARS && EMAIL.test(email) && !email.includes('..') ? email : undefined;
}

/** `elsewhere`: another browser asked for it. `gone`: it was used, is over, or never was. */
export type LinkSeen = { is: 'good'; link: EmailLink } | { is: 'elsewhere' } | { is: 'gone' };

const OF_ADDRESS = 'own:email-links-sent:';

/** Links that were sent, by the hash of what is in them. */
export function createEmailLinks(tools: StoreTools) {
  const { rows, now } = tools;
  const ofAddress = createRateWindow(rows, now, { prefix: OF_ADDRESS, max: MAX_LINKS_OF_ADDRESS, windowMs: HOUR_MS });
  const ofCaller = createCallerAttempts(tools, 'email-link', EMAIL_LINK_LIMITS);
  const look = (tokenHash: string, browser: string): LinkSeen => {
    const stored = rows.get<StoredEmailLink>(formatLinkKey(tokenHash));
    if (stored === undefined) return { is: 'gone' };
    const { browser: asking, ...link } = stored;
    return asking === browser ? { is: 'good', link } : { is: 'elsewhere' };
  };
  return {
    /** Stores a link. `isSent` false: the address had its links of this hour, and gets none; the answer does not say so. */
    ask: ({ session, caller }: Browser, tokenHash: string, link: EmailLink): { ok: true; isSent: boolean } | Wait => {
      const retryAfterS = ofCaller.waitS(caller);
      if (retryAfterS !== undefined) return { ok: false, reason: 'too_many_attempts', retryAfterS };
      ofCaller.count(caller);
      if (!ofAddress.count(link.emailHash).allowed) return { ok: true, isSent: false };
      const stored: StoredEmailLink = { ...link, browser: session };
      const endsAtMs = now() + EMAIL_LINK_MS;
      rows.put(formatLinkKey(tokenHash), stored, endsAtMs);
      if (link.accountId !== undefined) rows.put(formatBrowserKey(session, tokenHash), tokenHash, endsAtMs);
      return { ok: true, isSent: true };
    },
    look,
    /** The same, and a good link is used up with it. */
    take: (tokenHash: string, browser: string): LinkSeen => {
      const seen = look(tokenHash, browser);
      if (seen.is !== 'good') return seen;
      rows.delete(formatLinkKey(tokenHash));
      rows.delete(formatBrowserKey(browser, tokenHash));
      return seen;
    },
  };
}
