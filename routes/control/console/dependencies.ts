import type { Context } from 'hono';
import type { ConsoleSession } from '../../../src/authorization/operators/console-sessions.ts';
import { type RefusalPage, renderRefusalPage } from '../../../src/web/console/refusal.tsx';
import type { Html } from '../../../src/web/design/shell.tsx';
import type { ControlAppEnv } from '../call-context.ts';
import type { BrowserSession } from '../../shared/cookies.ts';
import { logLine } from '../../shared/telemetry.ts';
import { buildPageHeaders } from '../../shared/page-headers.ts';
import { readControlSettings } from '../bindings/env.ts';
import { type CookieWorld, dropCookie, forgetBrowser, readConsoleCookie, rememberBrowser } from './cookies.ts';

export type ConsoleRequest = Context<ControlAppEnv>;

/** What the entry decides, and no variable can. */
export type ConsoleOptions = { local: boolean };

/** A browser with a session that holds. */
export type SignedIn = BrowserSession & { session: ConsoleSession };

export type ConsoleRefusal = Pick<RefusalPage, 'title' | 'detail' | 'way'> & {
  status: 400 | 403 | 404 | 405 | 413 | 415 | 421 | 429 | 500 | 503;
  /** A stable word, for the log. */
  code: string;
  retryAfterS?: number;
};

export const buildCookieContext = (c: ConsoleRequest, { local }: ConsoleOptions): CookieWorld => ({
  settings: readControlSettings(c.env),
  local,
});

/** A page as the answer: no cache, nothing from elsewhere. */
export function answerPage(c: ConsoleRequest, content: Html, { status = 200, script = false } = {}) {
  const headers = { ...buildPageHeaders({ script }), 'x-content-type-options': 'nosniff' };
  return c.html(content, status as 200, headers); // A status of our own tables.
}

/** A refusal as a page. */
export function refuseWith(c: ConsoleRequest, refusal: ConsoleRefusal) {
  const { status, code, retryAfterS, ...shown } = refusal;
  const requestId = c.get('requestId');
  logLine({ event: 'console_refused', request_id: requestId, status, code });
  if (retryAfterS !== undefined) c.header('retry-after', String(retryAfterS));
  return answerPage(c, renderRefusalPage({ ...shown, requestId }), { status });
}

/** The api Worker, which knows who is signed in, does not answer: that is no sign-out. */
export const NOT_REACHED: ConsoleRefusal = {
  status: 503,
  code: 'sign_in_unreachable',
  title: 'The console cannot ask who is signed in',
  detail: 'The service that keeps the sign-ins does not answer. Try again in a moment.',
  retryAfterS: 5,
};

/**
 * Who is signed in, by the cookie alone: anything else in the request, even a bearer token, counts for nothing here.
 * Undefined when no operator is signed in.
 */
export async function findSignedIn(
  c: ConsoleRequest,
  options: ConsoleOptions,
): Promise<SignedIn | undefined | 'unreachable'> {
  const world = buildCookieContext(c, options);
  const browser = await readConsoleCookie(c, 'session', world);
  if (browser === undefined) return undefined;
  const session = await c.env.CONSOLE_ACCESS.session(browser.hash).catch(() => 'unreachable' as const);
  if (session === 'unreachable') return session;
  if (session === null) {
    forgetBrowser(browser.hash);
    dropCookie(c, 'session', world);
    return undefined;
  }
  rememberBrowser(browser.hash);
  return { ...browser, session };
}
