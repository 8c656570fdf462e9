import type { ConsoleSession } from '../../../src/authorization/operators/console-sessions.ts';
import { renderConsoleSignIn } from '../../../src/web/console/sign-in.tsx';
import { createBrowserSession } from '../../shared/cookies.ts';
import { getCallerAddress } from '../../../src/rate-limits/caller-counts.ts';
import { logLine } from '../../shared/telemetry.ts';
import { readControlSettings } from '../bindings/env.ts';
import { dropCookie, ensureFormCookie, setConsoleCookie, readConsoleCookie } from './cookies.ts';
import { FOREIGN, isOwnPost, readForm } from './posted-form.ts';
import { resolveConsoleReturn, SIGN_IN } from './return-url.ts';
import {
  answerPage,
  type ConsoleOptions,
  type ConsoleRefusal,
  type ConsoleRequest,
  buildCookieContext,
  NOT_REACHED,
  refuseWith,
} from './dependencies.ts';

/** Where the local stack writes it. */
const LOCAL_SECRET_PLACE = 'operator.secret in .local/stack.json';
const WRONG_SECRET = 'That is not the secret of an operator.';

/** Without operators there is no sign-in (rule A4). */
const NO_OPERATORS: ConsoleRefusal = {
  status: 404,
  code: 'no_operators',
  title: 'There is no console here',
  detail: 'This deployment has no operator: it has no operator secret, or one that is too short.',
};

/** `GET /console/signin`. */
export async function showSignIn(c: ConsoleRequest, options: ConsoleOptions) {
  const absent = await findSignInObstacle(c);
  if (absent !== undefined) return refuseWith(c, absent);
  const { csrf } = await ensureFormCookie(c, buildCookieContext(c, options));
  const returnTo = resolveConsoleReturn(c.req.query('return_to'), readControlSettings(c.env).CONTROL_URL);
  return answerPage(c, renderConsoleSignIn({ csrf, returnTo, secretPlace: describeSecretPlace(options) }));
}

const describeSecretPlace = ({ local }: ConsoleOptions): string | undefined => (local ? LOCAL_SECRET_PLACE : undefined);

/** Why sign-in is not possible now. */
async function findSignInObstacle({ env }: ConsoleRequest): Promise<ConsoleRefusal | undefined> {
  const hasOperators = await env.CONSOLE_ACCESS.hasOperators().catch(() => undefined);
  if (hasOperators === undefined) return NOT_REACHED;
  return hasOperators ? undefined : NO_OPERATORS;
}

/** `POST /console/signin`. The browser gets a session with a value of its own; what it had before is worth nothing (rule A3). */
export async function signIn(c: ConsoleRequest, options: ConsoleOptions) {
  const absent = await findSignInObstacle(c);
  if (absent !== undefined) return refuseWith(c, absent);
  const { CONTROL_URL } = readControlSettings(c.env);
  if (!isOwnPost(c.req, CONTROL_URL)) return refuseWith(c, FOREIGN);
  const world = buildCookieContext(c, options);
  const browser = await readConsoleCookie(c, 'form', world);
  const posted = await readForm(c.req, browser);
  if (!posted.ok || browser === undefined) return refuseWith(c, posted.ok ? NOT_REACHED : posted.refusal);
  const before = (await readConsoleCookie(c, 'session', world)) ?? browser;
  const renewed = await createBrowserSession();
  const order = {
    secret: posted.form.get('secret') ?? '',
    caller: getCallerAddress(c.req.raw),
    previous: before.hash,
    renewed: renewed.hash,
  };
  const outcome = await c.env.CONSOLE_ACCESS.signIn(order).catch(() => undefined);
  if (outcome === undefined) return refuseWith(c, NOT_REACHED);
  const returnTo = resolveConsoleReturn(posted.form.get('return_to'), CONTROL_URL);
  if (outcome.ok) {
    logSignIn(c, outcome.session);
    setConsoleCookie(c, 'session', renewed.value, world);
    dropCookie(c, 'form', world);
    return redirectSeeOther(c, returnTo);
  }
  if (outcome.reason === 'too_many_attempts') return refuseWith(c, refuseTooManyAttempts(outcome.retryAfterS));
  const page = renderConsoleSignIn({
    csrf: browser.csrf,
    returnTo,
    secretPlace: describeSecretPlace(options),
    alert: WRONG_SECRET,
  });
  return answerPage(c, page, { status: 403 });
}

/** `POST /console/signout`. */
export async function signOut(c: ConsoleRequest, options: ConsoleOptions) {
  if (!isOwnPost(c.req, readControlSettings(c.env).CONTROL_URL)) return refuseWith(c, FOREIGN);
  const world = buildCookieContext(c, options);
  const browser = await readConsoleCookie(c, 'session', world);
  const posted = await readForm(c.req, browser);
  if (!posted.ok) return refuseWith(c, posted.refusal);
  const isOver = browser && (await isDone(c.env.CONSOLE_ACCESS.signOut(browser.hash)));
  if (isOver !== true) return refuseWith(c, NOT_REACHED); // The cookie stays: who sees this is still signed in.
  dropCookie(c, 'session', world);
  return redirectSeeOther(c, SIGN_IN);
}

/** A redirect after which nothing is posted again. */
export function redirectSeeOther(c: ConsoleRequest, to: string) {
  c.header('cache-control', 'no-store');
  c.header('referrer-policy', 'no-referrer');
  return c.redirect(to, 303);
}

const isDone = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

const logSignIn = (c: ConsoleRequest, { operator }: ConsoleSession): void =>
  logLine({ event: 'console_signed_in', request_id: c.get('requestId'), operator: operator.id });

const refuseTooManyAttempts = (retryAfterS: number): ConsoleRefusal => ({
  status: 429,
  code: 'too_many_attempts',
  title: 'Too many attempts',
  detail: `Wait ${retryAfterS} seconds before the next one.`,
  retryAfterS,
});
