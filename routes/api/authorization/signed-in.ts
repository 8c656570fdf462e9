import type { Session } from '../../../src/authorization/people/sessions.ts';
import type { Renewal, Wait } from '../../../src/authorization/people/sign-in.ts';
import type { WayAddedHere, WayRemovedHere } from '../../../src/authorization/people/way-desk.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import type { ProblemInput } from '../../../src/problems/problem.ts';
import { getCallerAddress } from '../../../src/rate-limits/caller-counts.ts';
import {
  type BrowserSession,
  createBrowserSession,
  hasFormToken,
  readBrowserSession,
  setSessionCookie,
} from '../../shared/cookies.ts';
import { resolveSignInReturn } from '../bindings/people-store.ts';
import type { AppContext, AppOptions } from '../context.ts';
import { type FormInput, readPosted, refuseRequest } from '../pages/pages.ts';

/** What a form of the sign-in, or a program, wants done. */
export type SignInTask = (
  c: AppContext,
  options: AppOptions,
  posted: FormInput,
  browser: BrowserSession,
) => Promise<Response>;

export const SIGN_IN_FORM_EXPIRED = buildProblem('form_expired');

export const UNCACHED = { 'cache-control': 'no-store' } as const;

/**
 * Runs a task on what was posted. A form must carry its session's token. JSON need not: another site's page cannot send
 * it with this content type without asking first, and is refused when it asks.
 */
export async function withPosted(c: AppContext, options: AppOptions, task: SignInTask): Promise<Response> {
  const posted = await readPosted(c);
  if (posted instanceof Response) return posted;
  const browser = await readBrowserSession(c, options);
  if (posted.form && !hasFormToken(browser, posted.get('csrf'))) return refuseRequest(c, SIGN_IN_FORM_EXPIRED);
  return task(c, options, posted, browser);
}

/** A browser that is about to get a new session: what the store is asked with, and what the browser gets. */
export async function renewBrowser(
  c: AppContext,
  browser: BrowserSession,
): Promise<{ renewal: Renewal; renewed: BrowserSession }> {
  const renewed = await createBrowserSession();
  return { renewed, renewal: { session: browser.hash, renewed: renewed.hash, caller: getCallerAddress(c.req.raw) } };
}

/**
 * The browser's cookie becomes the renewed session; forms go on to a page of ours, programs read who they are.
 * @param returnTo where forms go on
 */
export function answerSignedIn(
  c: AppContext,
  options: AppOptions,
  { posted, renewed, returnTo = posted.get('return_to') }: SignedIn,
  { kind, accountId, address, expiresAtMs }: Session,
): Response {
  setSessionCookie(c, options, renewed);
  if (posted.form) return c.redirect(resolveSignInReturn(returnTo, c.get('settings').BASE_URL), 303);
  const expires_at = new Date(expiresAtMs).toISOString();
  const who = { kind, account: accountId, ...(address === undefined ? {} : { address }) };
  return c.json({ ok: true, ...who, csrf: renewed.csrf, expires_at }, 200, UNCACHED);
}

type SignedIn = { posted: FormInput; renewed: BrowserSession; returnTo?: string | undefined };

type NotDone = Wait | Extract<WayAddedHere | WayRemovedHere, { ok: false }>;

const WAY_DETAILS = {
  way_in_use:
    'way_in_use: it opens another account. Accounts are not merged: sign in with it, and add your other ways there',
  too_many_ways: 'too_many_ways: an account has at most 20 ways to sign in. Remove one first',
  way_not_found: 'way_not_found: the account has no such way',
  last_way: 'last_way: it is the only way to sign in to this account. Add another one first',
} as const;

/** Why ways to sign in were not changed. */
export function buildWayProblem(not: NotDone): ProblemInput {
  if (not.reason === 'too_many_attempts') return buildProblem('too_many_attempts', { retryAfterS: not.retryAfterS });
  if (not.reason === 'sign_in') return buildProblem('sign_in_needed');
  if (not.reason === 'sign_in_too_old') return buildProblem('sign_in_too_old');
  if (not.reason === 'not_payer')
    return buildProblem('sign_in_way_refused', { detail: 'not_payer: operators sign in with their secret' });
  return buildProblem('sign_in_way_refused', { detail: WAY_DETAILS[not.reason] });
}
