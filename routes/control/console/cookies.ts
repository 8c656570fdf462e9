import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { isSessionValue } from '../../../src/authorization/people/sessions.ts';
import { HOUR_MS } from '../../../src/lib/time.ts';
import { classifyHost } from '../../../src/net/address.ts';
import { createCounter } from '../../../src/rate-limits/caller-counts.ts';
import { type BrowserSession, createBrowserSession, buildBrowserSession } from '../../shared/cookies.ts';
import type { ControlSettings } from '../../../src/settings/control-settings.ts';

/** Browsers by the hash of their session, whose sign-in was good when this isolate last asked, within an hour. */
const known = createCounter(HOUR_MS);

/** Its sign-in is asked about each time all the same: only limits of its address are passed. */
export const isKnownBrowser = (sessionHash: string): boolean => known.peek(sessionHash, Date.now()) > 0;

export const rememberBrowser = (sessionHash: string): void => void known.count(sessionHash, Date.now());

export const forgetBrowser = (sessionHash: string): void => known.forget(sessionHash);

/**
 * The cookies of the console. `__Host-` would demand `Path=/`, and rule K10 a path of the console's own, so that no
 * management row ever gets one: hence `__Secure-`, without `Domain`.
 */
const COOKIES = {
  /** Who is signed in. */
  session: { name: 'sightline-console', path: '/console/', maxAgeS: 8 * 3600 },
  /** Ties the sign-in form to its browser. By itself, so that a link from elsewhere, with which browsers send no such cookie, ends no session. */
  form: { name: 'sightline-console-form', path: '/console/signin', maxAgeS: 3600 },
} as const;

export type CookieKind = keyof typeof COOKIES;

/** What decides a cookie's name: whether this is the local stack, which only its entry can say. */
export type CookieWorld = { settings: ControlSettings; local: boolean };

/** The value of the browser's cookie; undefined without a good one. */
export async function readConsoleCookie(
  c: Context,
  kind: CookieKind,
  world: CookieWorld,
): Promise<BrowserSession | undefined> {
  const value = getCookie(c, getCookieName(kind, world));
  return value !== undefined && isSessionValue(value) ? buildBrowserSession(value) : undefined;
}

/** The token of the browser's sign-in form, which it gets with the form. */
export async function ensureFormCookie(c: Context, world: CookieWorld): Promise<BrowserSession> {
  const given = await readConsoleCookie(c, 'form', world);
  const cookie = given ?? (await createBrowserSession());
  if (given === undefined) setConsoleCookie(c, 'form', cookie.value, world);
  return cookie;
}

export const setConsoleCookie = (c: Context, kind: CookieKind, value: string, world: CookieWorld): void =>
  set(c, kind, world, value, COOKIES[kind].maxAgeS);

export const dropCookie = (c: Context, kind: CookieKind, world: CookieWorld): void => set(c, kind, world, '', 0);

function set(c: Context, kind: CookieKind, world: CookieWorld, value: string, maxAge: number): void {
  const secure = !isPlain(world);
  const { path } = COOKIES[kind];
  setCookie(c, getCookieName(kind, world), value, { path, httpOnly: true, sameSite: 'Strict', secure, maxAge });
}

const getCookieName = (kind: CookieKind, world: CookieWorld): string =>
  `${isPlain(world) ? '' : '__Secure-'}${COOKIES[kind].name}`;

/** Some browsers drop `Secure` cookies on plain http: the local stack goes without, on loopback only. */
function isPlain({ settings, local }: CookieWorld): boolean {
  const { protocol, hostname } = new URL(settings.CONTROL_URL);
  return local && protocol === 'http:' && classifyHost(hostname).kind === 'loopback';
}
