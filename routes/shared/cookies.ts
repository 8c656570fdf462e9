import { getCookie, setCookie } from 'hono/cookie';
import { isSameText, toHex } from '../../src/lib/digest.ts';
import {
  deriveCsrfToken,
  isSessionValue,
  SESSION_BYTES,
  hashSessionValue,
} from '../../src/authorization/people/sessions.ts';
import { classifyHost } from '../../src/net/address.ts';
import type { AppContext, AppOptions } from '../api/context.ts';

/** The browser that calls, signed in or not: its secret value, what the store knows of it, and the token of its forms. */
export type BrowserSession = { value: string; hash: string; csrf: string };

const NAME = 'sightline-session';
const SECURE_PREFIX = '__Host-';
/** The longest session's life; the store ends it, whatever the browser keeps. */
const MAX_AGE_S = 12 * 3600;
const MAX_COOKIE_HEADER_CHARS = 8_192;

/**
 * Whether this deployment's cookies go without the `__Host-` prefix and `Secure`: some browsers drop such cookies on
 * plain http. Only the entry of the local stack can say so, and only for loopback (rule A11).
 */
export function isPlain(c: AppContext, { local }: AppOptions): boolean {
  const { protocol, hostname } = new URL(c.get('settings').BASE_URL);
  return local && protocol === 'http:' && classifyHost(hostname).kind === 'loopback';
}

/** The value of the browser's cookie, where it has one: nothing is made for a browser that has none. */
export function findBrowserSession(c: AppContext, options: AppOptions): string | undefined {
  const given = getCookie(c, getCookieName(isPlain(c, options)));
  return given !== undefined && isSessionValue(given) ? given : undefined;
}

/** The session of the browser's cookie. A browser without one gets a value of its own with the next page. */
export async function readBrowserSession(c: AppContext, options: AppOptions): Promise<BrowserSession> {
  const given = findBrowserSession(c, options);
  if (given !== undefined) return buildBrowserSession(given);
  const fresh = await createBrowserSession();
  setSessionCookie(c, options, fresh);
  return fresh;
}

/** A new session value: at sign-in the browser's old one is worth nothing any more (rule A3). */
export const createBrowserSession = (): Promise<BrowserSession> =>
  buildBrowserSession(toHex(crypto.getRandomValues(new Uint8Array(SESSION_BYTES))));

/** Has the answer hand the session to the browser. */
export function setSessionCookie(c: AppContext, options: AppOptions, { value }: BrowserSession): void {
  const plain = isPlain(c, options);
  setCookie(c, getCookieName(plain), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: !plain,
    maxAge: MAX_AGE_S,
  });
}

/** Has the browser forget its session. */
export function dropSession(c: AppContext, options: AppOptions): void {
  const plain = isPlain(c, options);
  setCookie(c, getCookieName(plain), '', { path: '/', httpOnly: true, sameSite: 'Lax', secure: !plain, maxAge: 0 });
}

/** Whether a form carries the token of the browser's session. */
export const hasFormToken = ({ csrf }: BrowserSession, given: string | undefined): boolean =>
  isSameText(given ?? '', csrf);

/**
 * Whether a request was made by a page of ours. `Sec-Fetch-Site` decides where the browser sends it: our pages are
 * `no-referrer`, and for those browsers send `Origin: null` with a form. Programs send neither header.
 */
export function isSameOrigin(request: Request, baseUrl: string): boolean {
  const site = request.headers.get('sec-fetch-site');
  const origin = request.headers.get('origin');
  const isOurs = origin === new URL(baseUrl).origin;
  if (site !== null) return site === 'same-origin' && (origin === null || origin === 'null' || isOurs);
  return origin === null || isOurs;
}

/** The cookies that the provider library set, under the names that it knows. */
export function readLibraryCookies(c: AppContext, options: AppOptions): string {
  const header = (c.req.header('cookie') ?? '').slice(0, MAX_COOKIE_HEADER_CHARS);
  return isPlain(c, options) ? header.replaceAll('sightline-oauth-', `${SECURE_PREFIX}oauth-`) : header;
}

/** Hands cookies of the provider library to the browser: on the local stack under names that plain http may use. */
export function setLibraryCookies(c: AppContext, options: AppOptions, cookies: readonly string[]): void {
  for (const cookie of cookies) {
    const plain = cookie.replace(`${SECURE_PREFIX}oauth-`, 'sightline-oauth-').replace(/; ?Secure/i, '');
    c.header('set-cookie', isPlain(c, options) ? plain : cookie, { append: true });
  }
}

const getCookieName = (plain: boolean): string => (plain ? NAME : `${SECURE_PREFIX}${NAME}`);

/** A session value that a cookie had, with what is made of it. */
export const buildBrowserSession = async (value: string): Promise<BrowserSession> => {
  const [hash, csrf] = await Promise.all([hashSessionValue(value), deriveCsrfToken(value)]);
  return { value, hash, csrf };
};
