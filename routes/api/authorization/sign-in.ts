import type { Hono } from 'hono';
import { makeNonce } from '../../../src/authorization/oauth/nonce.ts';
import { identifySecret } from '../../../src/authorization/operators/secret.ts';
import { signInMessage } from '../../../src/authorization/people/siwe.ts';
import { readPasskeyTerms } from '../../../src/authorization/people/passkeys.ts';
import { loadViemUtils } from '../../../src/lib/ethereum.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { parseOperatorReason, renderOperatorsPage } from '../../../src/web/operators-page.tsx';
import { renderSignByHandPage, renderSignInPage } from '../../../src/web/sign-in-page.tsx';
import { SIGN_IN_REASONS } from '../../../src/web/sign-in-words.ts';
import { walletScript } from '../../../src/web/wallet-script.ts';
import { dropSession, hasFormToken, readBrowserSession } from '../../shared/cookies.ts';
import { serveStaticDocument } from '../../shared/static-document.ts';
import { openSignInMail } from '../bindings/monitor-mail.ts';
import { getPeopleStore, getSealingKeys, OPERATORS_DOOR, resolveSignInReturn } from '../bindings/people-store.ts';
import type { AppContext, AppEnv, AppOptions } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { refuseRequest, requireOperatorSignIn, requireOwnPagePost, showPage } from '../pages/pages.ts';
import {
  answerSignedIn,
  UNCACHED,
  renewBrowser,
  SIGN_IN_FORM_EXPIRED,
  type SignInTask,
  withPosted,
} from './signed-in.ts';
import { getSignInTerms, proveAddress, refuseRemovedWallet } from './wallet-proof.ts';

/**
 * `GET /signin` and what its forms and script post to: `/signin/siwe/nonce`, `/signin/siwe`, `/signin/operator`, and
 * `/signout`. Operators have a door of their own at `/console/`, which customers are not shown. Programs post JSON to the same paths and keep the cookie.
 */
export function signInRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  app.get('/signin/wallet.js', (c) =>
    serveStaticDocument(c, 'wallet', () => ({ type: 'text/javascript; charset=utf-8', body: walletScript })),
  );
  app.use('/signin/*', guardFreeRoute);
  app.use('/signin/operator', requireOperatorSignIn);
  app.use('/signin/*', requireOwnPagePost);
  app.use('/signout', guardFreeRoute, requireOwnPagePost);
  app.get('/signin', (c) => showSignIn(c, options));
  app.use(`${OPERATORS_DOOR}*`, guardFreeRoute);
  app.get('/console', requireOperatorSignIn, (c) => c.redirect(OPERATORS_DOOR, 308));
  app.get(OPERATORS_DOOR, requireOperatorSignIn, (c) => showOperators(c, options));
  app.post('/signin/siwe/nonce', (c) => withPosted(c, options, handleNonce));
  app.post('/signin/siwe', (c) => withPosted(c, options, signInPayer));
  app.post('/signin/operator', (c) => withPosted(c, options, signInOperator));
  app.post('/signout', (c) => withPosted(c, options, signOut));
}

async function showSignIn(c: AppContext, options: AppOptions): Promise<Response> {
  const { BASE_URL } = c.get('settings');
  const { csrf } = await readBrowserSession(c, options);
  const demo = options.demoBuyer?.(c.env);
  const { pathname, search } = new URL(c.req.url);
  const content = renderSignInPage({
    language: c.get('language'),
    csrf,
    returnTo: resolveSignInReturn(c.req.query('return_to'), BASE_URL),
    terms: getSignInTerms(c),
    path: `${pathname}${search}`,
    demo: demo && { token: demo.token },
    hasEmail: openSignInMail(c.env, c.get('settings')) !== undefined,
    hasPasskeys: readPasskeyTerms(BASE_URL) !== undefined,
    reason: SIGN_IN_REASONS.find((reason) => reason === c.req.query('why')),
  });
  return showPage(c, content, { script: true });
}

const REFUSED = 403;

/** @param refused where the sign-in was to lead whose secret was not taken */
async function showOperators(c: AppContext, options: AppOptions, refused?: string): Promise<Response> {
  const { BASE_URL, CONTROL_URL } = c.get('settings');
  const { csrf, hash } = await readBrowserSession(c, options);
  const session = await getPeopleStore(c).session(hash);
  const isSignedIn = session?.kind === 'operator';
  const consoleUrl = CONTROL_URL ? new URL(OPERATORS_DOOR, CONTROL_URL).href : undefined;
  const { why, return_to: wanted } = c.req.query();
  const isForConsole = refused === undefined && why === undefined && wanted === undefined && !isSignedIn;
  if (consoleUrl !== undefined && isForConsole) return redirectToConsole(c, consoleUrl);
  const content = renderOperatorsPage({
    csrf,
    returnTo: resolveSignInReturn(refused ?? wanted ?? OPERATORS_DOOR, BASE_URL),
    isSignedIn,
    consoleUrl,
    secretPlace: options.demoBuyer?.(c.env)?.secretPlace,
    reason: parseOperatorReason(why),
    isWrong: refused !== undefined,
  });
  return showPage(c, content, {}, refused === undefined ? 200 : REFUSED);
}

/** The console has the one form that is needed: no secret is asked for here first, and nothing of it goes along. */
function redirectToConsole(c: AppContext, consoleUrl: string): Response {
  c.header('cache-control', 'no-store');
  c.header('referrer-policy', 'no-referrer');
  return c.redirect(consoleUrl, 303);
}

const handleNonce: SignInTask = async (c, _options, posted, { hash, csrf }) => {
  const { BASE_URL } = c.get('settings');
  const address = await toChecksumAddress(posted.get('address'));
  if (address === undefined && posted.get('address') !== undefined)
    return refuseRequest(c, buildProblem('invalid_address'));
  const { nonce, expiresAtMs } = await makeNonce(await getSealingKeys(c.env), hash, Date.now());
  if (posted.form) {
    const message = signInMessage(getSignInTerms(c), address ?? '', nonce, Date.now());
    const returnTo = resolveSignInReturn(posted.get('return_to'), BASE_URL);
    return showPage(c, renderSignByHandPage({ language: c.get('language'), csrf, returnTo, message }));
  }
  const { domain, uri, version, chainId, statement } = getSignInTerms(c);
  const terms = { domain, uri, version, chain_id: chainId, statement };
  const expires_at = new Date(expiresAtMs).toISOString();
  return c.json({ nonce, expires_at, csrf, ...(address === undefined ? {} : { address }), ...terms }, 200, UNCACHED);
};

const signInPayer: SignInTask = async (c, options, posted, browser) => {
  const message = posted.get('message')?.replaceAll('\r\n', '\n') ?? ''; // Forms send every line end as CRLF.
  const proven = await proveAddress(c, { message, signature: posted.get('signature')?.trim() ?? '', browser });
  if (!proven.ok) return refuseRequest(c, proven.problem);
  const { renewed, renewal } = await renewBrowser(c, browser);
  if (await getPeopleStore(c).isWalletShutOut(proven.address)) return refuseRemovedWallet(c);
  const session = await getPeopleStore(c).signInPayer(renewal, proven.address);
  return answerSignedIn(c, options, { posted, renewed }, session);
};

const signInOperator: SignInTask = async (c, options, posted, browser) => {
  const { OPERATOR_SECRET } = c.get('settings');
  const secret = await identifySecret(posted.get('secret') ?? '', OPERATOR_SECRET);
  const { renewed, renewal } = await renewBrowser(c, browser);
  const outcome = await getPeopleStore(c).signInOperator(renewal, secret);
  if (outcome.ok) return answerSignedIn(c, options, { posted, renewed }, outcome.session);
  if (outcome.reason === 'too_many_attempts') return refuseRequest(c, refuseTooManyAttempts(outcome.retryAfterS));
  if (posted.form) return showOperators(c, options, posted.get('return_to') ?? OPERATORS_DOOR);
  return refuseRequest(c, buildProblem('sign_in_refused', { detail: 'That is not the secret of an operator' }));
};

/** Programs send the token too: signing out changes state. */
const signOut: SignInTask = async (c, options, posted, browser) => {
  if (!hasFormToken(browser, posted.get('csrf'))) return refuseRequest(c, SIGN_IN_FORM_EXPIRED);
  await getPeopleStore(c).signOut(browser.hash);
  dropSession(c, options);
  const to = posted.get('return_to') === OPERATORS_DOOR ? OPERATORS_DOOR : '/signin';
  return posted.form ? c.redirect(to, 303) : c.json({ ok: true }, 200, UNCACHED);
};

const refuseTooManyAttempts = (retryAfterS: number) => buildProblem('too_many_attempts', { retryAfterS });

/** An address in the spelling that wallets want in a message (EIP-55); undefined for anything else. */
async function toChecksumAddress(text: string | undefined): Promise<string | undefined> {
  const { getAddress, isAddress } = await loadViemUtils();
  const address = text?.trim() ?? '';
  return isAddress(address, { strict: false }) ? getAddress(address) : undefined;
}
