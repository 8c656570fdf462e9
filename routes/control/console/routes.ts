import type { Hono, MiddlewareHandler } from 'hono';
import { SECOND_MS, MINUTE_MS } from '../../../src/lib/time.ts';
import type { ControlAppEnv } from '../call-context.ts';
import { getCallerAddress, createCounter } from '../../../src/rate-limits/caller-counts.ts';
import { readControlSettings } from '../bindings/env.ts';
import { answerAction } from './act.ts';
import { consoleActions, consoleDownloads, consolePages } from './console-pages.ts';
import { answerDownload, showConsolePage } from './show.ts';
import { readConsoleCookie, isKnownBrowser } from './cookies.ts';
import { resolveConsoleReturn, signInPath } from './return-url.ts';
import { redirectSeeOther, showSignIn, signIn, signOut } from './sign-in.ts';
import {
  type ConsoleOptions,
  type ConsoleRequest,
  buildCookieContext,
  NOT_REACHED,
  refuseWith,
  type SignedIn,
  findSignedIn,
} from './dependencies.ts';

/** Requests of an address beyond its limit, by browsers that are not known to be signed in, that go on each second. */
const LOOKS_A_SECOND = 4;
/** For one address in one isolate: far more than a person needs, and no more than the sign-ins can bear. */
const MAX_REQUESTS_A_MINUTE = 600;

/**
 * The operator's console (rule K10): below `/console/`, with cookies, which no other route of this Worker reads; and
 * without bearer tokens, which no route of the console reads.
 */
export function registerConsoleRoutes(app: Hono<ControlAppEnv>, options: ConsoleOptions): void {
  app.get('/console', (c) => redirectSeeOther(c, '/console/'));
  app.use('/console/*', requireOwnHost, createAddressLimiter(options));
  app.get('/console/signin', (c) => showSignIn(c, options));
  app.post('/console/signin', (c) => signIn(c, options));
  app.post('/console/signout', (c) => signOut(c, options));
  for (const page of consolePages)
    app.get(page.path, (c) => requireSignedIn(c, options, (browser) => showConsolePage(c, page, browser)));
  for (const download of consoleDownloads)
    app.get(download.path, (c) => requireSignedIn(c, options, (browser) => answerDownload(c, download, browser)));
  for (const action of consoleActions) app.post(action.path, (c) => answerAction(c, action, options));
  app.all('/console/*', (c) => refuseWith(c, NOT_FOUND));
}

/** Redirects a visitor who is not signed in to the sign-in, and from there back. */
async function requireSignedIn(
  c: ConsoleRequest,
  options: ConsoleOptions,
  answer: (browser: SignedIn) => Response | Promise<Response>,
) {
  const browser = await findSignedIn(c, options);
  if (browser === 'unreachable') return refuseWith(c, NOT_REACHED);
  if (browser !== undefined) return answer(browser);
  const { pathname, search } = new URL(c.req.url);
  return redirectSeeOther(
    c,
    signInPath(resolveConsoleReturn(`${pathname}${search}`, readControlSettings(c.env).CONTROL_URL)),
  );
}

/** A browser comes here under another name when that name was rebound to us: its pages would be of the console's origin. */
const requireOwnHost: MiddlewareHandler<ControlAppEnv> = async (c, next) => {
  const isOurs = new URL(c.req.url).host === new URL(readControlSettings(c.env).CONTROL_URL).host;
  if (!isOurs) return refuseWith(c, WRONG_HOST);
  await next();
  return undefined;
};

const counter = createCounter(MINUTE_MS);
const looks = createCounter(SECOND_MS);

/**
 * Limits an address. Strangers may share it: a browser that was signed in goes on, and a few requests a second of the others
 * do too, so that an operator can sign in (rule A4).
 */
const createAddressLimiter =
  (options: ConsoleOptions): MiddlewareHandler<ControlAppEnv> =>
  async (c, next) => {
    const [caller, nowMs] = [getCallerAddress(c.req.raw), Date.now()];
    const isOver = counter.count(caller, nowMs) > MAX_REQUESTS_A_MINUTE;
    if (isOver && !(await hasKnownSession(c, options)) && looks.count(caller, nowMs) > LOOKS_A_SECOND)
      return refuseWith(c, refuseTooManyRequests(counter.waitS(caller, nowMs)));
    await next();
    return undefined;
  };

async function hasKnownSession(c: ConsoleRequest, options: ConsoleOptions): Promise<boolean> {
  const browser = await readConsoleCookie(c, 'session', buildCookieContext(c, options));
  return browser !== undefined && isKnownBrowser(browser.hash);
}

const NOT_FOUND = {
  status: 404,
  code: 'not_found',
  title: 'There is no such page',
  detail: 'The console has no page of this address.',
} as const;

const WRONG_HOST = {
  status: 421,
  code: 'wrong_host',
  title: 'This host name is not served here',
  detail: 'Open the console at the address of this deployment.',
} as const;

const refuseTooManyRequests = (retryAfterS: number) =>
  ({
    status: 429,
    code: 'rate_limited',
    title: 'Too many requests',
    detail: `Too many requests came from this address. Wait ${retryAfterS} seconds.`,
    retryAfterS,
  }) as const;
