import type { Hono } from 'hono';
import { checkAuthorizeQuery } from '../../../src/authorization/oauth/authorize-request.ts';
import type { AuthorizeOutcome, ConsentPage, SignInNeed } from '../../../src/authorization/people/consent.ts';
import { CREDIT_SCOPE, describeScope } from '../../../src/authorization/oauth/scopes.ts';
import { protocolOperations } from '../../../src/openapi/protocol-operations.ts';
import { MICRO_USDC_PER_USD } from '../../../src/payment/terms/constants.ts';
import { renderConsentPage, type ScopeLine } from '../../../src/web/consent-page.ts';
import type { PageLanguage } from '../../../src/web/language/language.ts';
import { prepareClient } from './client-documents.ts';
import type { AppContext, AppEnv, AppOptions } from '../context.ts';
import {
  type BrowserSession,
  readBrowserSession,
  setLibraryCookies,
  hasFormToken,
  readLibraryCookies,
} from '../../shared/cookies.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { getCallerAddress } from '../../../src/rate-limits/caller-counts.ts';
import { requireOwnPagePost, readPosted, refuseRequest, showPage } from '../pages/pages.ts';
import { formatSessionHolder, getPeopleStore, OPERATORS_DOOR } from '../bindings/people-store.ts';
import { sealCode } from '../bindings/token-router.ts';
import { SIGN_IN_FORM_EXPIRED } from './signed-in.ts';
import { buildProblem } from '../../../src/problems/codes.ts';

/** What a client may spend of the credits in 24 hours unless the person says otherwise, and at most (rule A5). */
const CAP_USD = { preset: 5, max: 1000 } as const;
/** US dollars with at most two decimals, as a number field sends them. */
const DOLLARS = /^\d{1,4}(?:\.\d{1,2})?$/;

/**
 * The authorization endpoint (RFC 6749, section 3.1): `GET /authorize` leads to sign-in and to the consent page, and
 * never grants anything; `POST /authorize` is that page's form.
 */
export function authorizeRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  const { method, route } = protocolOperations.authorize;
  app.use(route, guardFreeRoute, requireOwnPagePost);
  app.on(method, route, (c) => askForConsent(c, options));
  app.post(route, (c) => takeDecision(c, options));
}

async function askForConsent(c: AppContext, options: AppOptions): Promise<Response> {
  const url = getOwnUrl(c);
  const checked = checkAuthorizeQuery(url);
  if (!checked.ok && !checked.redirectable)
    return refuseRequest(c, refuseInvalidRequest(checked.error, checked.description));
  const ready = await prepareClient(c, options, url.searchParams.get('client_id') ?? '');
  if (!ready.ok)
    return refuseRequest(
      c,
      'retryAfterS' in ready
        ? refuseTooManyClients(ready.retryAfterS)
        : refuseInvalidRequest(ready.reason, ready.detail),
    );
  const browser = await readBrowserSession(c, options);
  const outcome = await getPeopleStore(c).authorize({
    url: url.href,
    session: browser.hash,
    ...(ready.introduced === undefined ? {} : { introduced: ready.introduced }),
    ...(checked.ok ? {} : { refusal: { error: checked.error, description: checked.description } }),
  });
  return answer(c, options, outcome, browser, `${url.pathname}${url.search}`);
}

async function takeDecision(c: AppContext, options: AppOptions): Promise<Response> {
  const posted = await readPosted(c);
  if (posted instanceof Response) return posted;
  const browser = await readBrowserSession(c, options);
  if (!hasFormToken(browser, posted.get('csrf'))) return refuseRequest(c, SIGN_IN_FORM_EXPIRED);
  const capMicroUsdc = parseSpendingCap(posted.get('cap_usd'));
  const allowed = posted.get('decision') === 'allow';
  if (allowed && capMicroUsdc === undefined)
    return refuseRequest(c, buildProblem('invalid_cap', { detail: `It must be 0 to ${CAP_USD.max} US dollars` }));
  const outcome = await getPeopleStore(c).decideConsent({
    session: browser.hash,
    caller: getCallerAddress(c.req.raw),
    handle: posted.get('handle') ?? '',
    cookie: readLibraryCookies(c, options),
    ...(allowed && capMicroUsdc !== undefined ? { approved: { scopes: posted.all('scope'), capMicroUsdc } } : {}),
  });
  return answer(c, options, outcome, browser);
}

/** `here` is the path of a request that can be made again after a sign-in. */
function answer(
  c: AppContext,
  options: AppOptions,
  outcome: AuthorizeOutcome,
  browser: BrowserSession,
  here?: string,
): Response | Promise<Response> {
  switch (outcome.kind) {
    case 'refused':
      return refuseRequest(c, refuseInvalidRequest(outcome.code, outcome.detail));
    case 'not_kept':
      return refuseRequest(c, buildProblem('consent_not_kept'));
    case 'wait':
      return refuseRequest(c, refuseTooManyClients(outcome.retryAfterS));
    case 'sign_in':
      return c.redirect(signInPath(outcome.why, here ?? outcome.returnTo), 303);
    case 'redirect':
      setLibraryCookies(c, options, outcome.cookies);
      c.header('cache-control', 'no-store');
      c.header('referrer-policy', 'no-referrer');
      return redirectToClient(c, outcome);
    case 'page':
      setLibraryCookies(c, options, outcome.cookies);
      return showPage(c, renderConsentPage(buildConsentView(outcome, browser.csrf, c.get('language'))), {
        formLeadsTo: outcome.client.redirectUri,
      });
  }
}

const redirectToClient = async (
  c: AppContext,
  { to, placed }: Extract<AuthorizeOutcome, { kind: 'redirect' }>,
): Promise<Response> => c.redirect(placed === undefined ? to : await sealCode(c.env, to, placed.shard), 302);

const buildConsentView = (
  { handle, client, scopes, withheld, session }: ConsentPage,
  csrf: string,
  language: PageLanguage,
) => ({
  language,
  csrf,
  handle,
  client,
  scopes: scopes.map(buildScopeLine),
  withheld: withheld.map(buildScopeLine),
  signedInAs: formatSessionHolder(session),
  ...(scopes.includes(CREDIT_SCOPE) ? { capUsd: CAP_USD } : {}),
});

const buildScopeLine = (scope: string): ScopeLine => ({ scope, text: describeScope(scope) });

/**
 * The sign-in page, or the operators' own, and from there back to exactly this request: a path of ours, checked again when
 * it is followed.
 */
function signInPath(why: SignInNeed, returnTo: string | undefined): string {
  const query = new URLSearchParams({ why, ...(returnTo === undefined ? {} : { return_to: returnTo }) });
  return `${why === 'needed' ? '/signin' : OPERATORS_DOOR}?${query.toString()}`;
}

/** The request's URL on our own origin, whatever Host and scheme it came by. */
function getOwnUrl(c: AppContext): URL {
  const { pathname, search } = new URL(c.req.url);
  return new URL(`${pathname}${search}`, c.get('settings').BASE_URL);
}

/** A form without the field, of a page that did not ask for credits, means the preset. */
function parseSpendingCap(text: string | undefined): number | undefined {
  if (text === undefined) return CAP_USD.preset * MICRO_USDC_PER_USD;
  if (!DOLLARS.test(text)) return undefined;
  const usd = Number(text);
  return usd > CAP_USD.max ? undefined : Math.round(usd * MICRO_USDC_PER_USD);
}

const refuseTooManyClients = (retryAfterS: number) =>
  buildProblem('too_many_attempts', { detail: 'Too many new clients were asked for', retryAfterS });

const refuseInvalidRequest = (code: string, detail: string) =>
  buildProblem('invalid_authorization_request', { detail: `${code}: ${detail}` });
