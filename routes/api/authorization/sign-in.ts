import type { Hono } from 'hono';
import { isNonceOf, makeNonce } from '../../../src/authorization/oauth/nonce.ts';
import { identifySecret } from '../../../src/authorization/operators/secret.ts';
import type { Session } from '../../../src/authorization/people/sessions.ts';
import {
  type AskContract,
  checkSignInMessage,
  type SignatureVerdict,
  signInMessage,
  type SignInRefusal,
  signInTerms,
  verifySignInSignature,
} from '../../../src/authorization/people/siwe.ts';
import { loadViemUtils } from '../../../src/lib/ethereum.ts';
import { ChainUnreachable } from '../../../src/payment/chain/chain.ts';
import type { ProblemInput } from '../../../src/problems/problem.ts';
import { getCallerAddress } from '../../../src/rate-limits/caller-counts.ts';
import { parseOperatorReason, renderOperatorsPage } from '../../../src/web/operators-page.tsx';
import { renderSignByHandPage, renderSignInPage } from '../../../src/web/sign-in-page.tsx';
import { SIGN_IN_REASONS } from '../../../src/web/sign-in-words.ts';
import { walletScript } from '../../../src/web/wallet-script.ts';
import {
  type BrowserSession,
  readBrowserSession,
  dropSession,
  setSessionCookie,
  hasFormToken,
  createBrowserSession,
} from '../../shared/cookies.ts';
import { serveStaticDocument } from '../../shared/static-document.ts';
import { getPaymentNetwork } from '../../../src/sales/seller.ts';
import { getChainReader } from '../bindings/composition.ts';
import { getPeopleStore, OPERATORS_DOOR, resolveSignInReturn, getSealingKeys } from '../bindings/people-store.ts';
import type { AppContext, AppEnv, AppOptions } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import {
  requireOperatorSignIn,
  requireOwnPagePost,
  type FormInput,
  readPosted,
  refuseRequest,
  showPage,
} from '../pages/pages.ts';
import { buildProblem } from '../../../src/problems/codes.ts';

type SignInProof = { message: string; signature: string; browser: BrowserSession };
type ProvenAddress = { ok: true; address: string } | { ok: false; problem: ProblemInput };

export type ProofRefusal = SignInRefusal | 'nonce_not_yours' | 'bad_signature' | 'erc6492_refused';

/** What is wrong with a signed message. */
export const PROOF_FAULTS: Readonly<Record<ProofRefusal, string>> = {
  malformed: 'malformed: the message is not the text that this service asked you to sign (EIP-4361)',
  wrong_domain: 'wrong_domain: the message is for another site',
  wrong_statement: 'wrong_statement: the message has another text than ours',
  wrong_uri: 'wrong_uri: the message is for another page or another site',
  wrong_version: 'wrong_version: the version is not 1',
  wrong_chain: 'wrong_chain: the chain id is not that of the network where this service is paid',
  wrong_nonce: 'wrong_nonce: this service did not issue the nonce',
  too_old: 'too_old: the message was issued more than five minutes ago',
  in_the_future: 'in_the_future: the message has a time in the future: check the clock of your computer',
  expired: 'expired: the message has expired',
  not_yet_valid: 'not_yet_valid: the message is not valid yet',
  nonce_not_yours: 'nonce_not_yours: the nonce was used, has expired or was given to another browser',
  bad_signature: 'bad_signature: another key signed, or another text was signed',
  erc6492_refused: 'erc6492_refused: wallets that are not deployed yet (ERC-6492) cannot sign in',
};
const CHAIN_RETRY_S = 10;

/** The fixed parts of the message that is signed here. */
function getSignInTerms(c: AppContext) {
  const settings = c.get('settings');
  return signInTerms(settings.BASE_URL, getPaymentNetwork(settings).chainId);
}

/**
 * The address whose holder signed a message for this browser, here and now (rule A3). The nonce is used up before the
 * signature is looked at: each try needs a new one, and so each question to a contract wallet does.
 */
async function proveAddress(c: AppContext, { message, signature, browser }: SignInProof): Promise<ProvenAddress> {
  const checked = checkSignInMessage(message, getSignInTerms(c), Date.now());
  if (!checked.ok) return refuseSignIn(checked.reason);
  const { address, nonce } = checked;
  if (!(await isNonceOf(await getSealingKeys(c.env), browser.hash, nonce, Date.now())))
    return refuseSignIn('nonce_not_yours');
  const taken = await getPeopleStore(c).takeNonce(nonce, getCallerAddress(c.req.raw));
  if (!taken.ok) return taken.reason === 'used' ? refuseSignIn('nonce_not_yours') : refuseUndecided(taken);
  const verdict = await verifySignInSignature({ message, address, signature }, createContractAsker(c));
  if (verdict.ok) return { ok: true, address };
  if (verdict.reason === 'too_many_attempts' || verdict.reason === 'chain_unavailable') return refuseUndecided(verdict);
  return refuseSignIn(verdict.reason);
}

/** Asks contract wallets through the chain reader that payments use, as often as the caller may. */
export function createContractAsker(c: AppContext): AskContract {
  return async (address, digest, signature): Promise<SignatureVerdict> => {
    const settings = c.get('settings');
    const { RPC_URL } = settings;
    if (RPC_URL === undefined) return UNAVAILABLE;
    const allowed = await getPeopleStore(c).mayAskContract(getCallerAddress(c.req.raw));
    if (!allowed.ok) return allowed;
    const chain = getChainReader(RPC_URL, getPaymentNetwork(settings));
    try {
      const accepted =
        (await chain.hasCode(address)) && (await chain.isContractSignatureValid(address, digest, signature));
      return accepted ? { ok: true } : { ok: false, reason: 'bad_signature' };
    } catch (error) {
      if (error instanceof ChainUnreachable) return UNAVAILABLE;
      throw error;
    }
  };
}

const UNAVAILABLE = { ok: false, reason: 'chain_unavailable', retryAfterS: CHAIN_RETRY_S } as const;

const refuseSignIn = (reason: ProofRefusal): ProvenAddress => ({
  ok: false,
  problem: buildProblem('sign_in_refused', { detail: PROOF_FAULTS[reason] }),
});

const refuseUndecided = ({
  reason,
  retryAfterS,
}: {
  reason: 'too_many_attempts' | 'chain_unavailable';
  retryAfterS: number;
}) => ({ ok: false, problem: buildProblem(reason, { retryAfterS }) }) as const;

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

type Task = (c: AppContext, options: AppOptions, posted: FormInput, browser: BrowserSession) => Promise<Response>;

/**
 * Runs a task on what was posted. A form must carry its session's token. JSON need not: another site's page cannot send
 * it with this content type without asking first, and is refused when it asks.
 */
async function withPosted(c: AppContext, options: AppOptions, task: Task): Promise<Response> {
  const posted = await readPosted(c);
  if (posted instanceof Response) return posted;
  const browser = await readBrowserSession(c, options);
  if (posted.form && !hasFormToken(browser, posted.get('csrf'))) return refuseRequest(c, SIGN_IN_FORM_EXPIRED);
  return task(c, options, posted, browser);
}

export const SIGN_IN_FORM_EXPIRED = buildProblem('form_expired');

const handleNonce: Task = async (c, _options, posted, { hash, csrf }) => {
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
  return c.json({ nonce, expires_at, csrf, ...(address === undefined ? {} : { address }), ...terms }, 200, NO_STORE);
};

const signInPayer: Task = async (c, options, posted, browser) => {
  const message = posted.get('message')?.replaceAll('\r\n', '\n') ?? ''; // Forms send every line end as CRLF.
  const proven = await proveAddress(c, { message, signature: posted.get('signature')?.trim() ?? '', browser });
  if (!proven.ok) return refuseRequest(c, proven.problem);
  const renewed = await createBrowserSession();
  const renewal = { session: browser.hash, renewed: renewed.hash, caller: getCallerAddress(c.req.raw) };
  const session = await getPeopleStore(c).signInPayer(renewal, proven.address);
  return answerSignedIn(c, options, posted, renewed, session);
};

const signInOperator: Task = async (c, options, posted, browser) => {
  const { OPERATOR_SECRET } = c.get('settings');
  const secret = await identifySecret(posted.get('secret') ?? '', OPERATOR_SECRET);
  const renewed = await createBrowserSession();
  const renewal = { session: browser.hash, renewed: renewed.hash, caller: getCallerAddress(c.req.raw) };
  const outcome = await getPeopleStore(c).signInOperator(renewal, secret);
  if (outcome.ok) return answerSignedIn(c, options, posted, renewed, outcome.session);
  if (outcome.reason === 'too_many_attempts') return refuseRequest(c, refuseTooManyAttempts(outcome.retryAfterS));
  if (posted.form) return showOperators(c, options, posted.get('return_to') ?? OPERATORS_DOOR);
  return refuseRequest(c, buildProblem('sign_in_refused', { detail: 'That is not the secret of an operator' }));
};

/** The browser's cookie becomes the renewed session; forms go on to a page of ours, programs read who they are. */
function answerSignedIn(
  c: AppContext,
  options: AppOptions,
  posted: FormInput,
  renewed: BrowserSession,
  { kind, accountId, address, expiresAtMs }: Session,
): Response {
  setSessionCookie(c, options, renewed);
  if (posted.form) return c.redirect(resolveSignInReturn(posted.get('return_to'), c.get('settings').BASE_URL), 303);
  const expires_at = new Date(expiresAtMs).toISOString();
  const who = { kind, account: accountId, ...(address === undefined ? {} : { address }) };
  return c.json({ ok: true, ...who, csrf: renewed.csrf, expires_at }, 200, NO_STORE);
}

/** Programs send the token too: signing out changes state. */
const signOut: Task = async (c, options, posted, browser) => {
  if (!hasFormToken(browser, posted.get('csrf'))) return refuseRequest(c, SIGN_IN_FORM_EXPIRED);
  await getPeopleStore(c).signOut(browser.hash);
  dropSession(c, options);
  const to = posted.get('return_to') === OPERATORS_DOOR ? OPERATORS_DOOR : '/signin';
  return posted.form ? c.redirect(to, 303) : c.json({ ok: true }, 200, NO_STORE);
};

const NO_STORE = { 'cache-control': 'no-store' } as const;

const refuseTooManyAttempts = (retryAfterS: number) => buildProblem('too_many_attempts', { retryAfterS });

/** An address in the spelling that wallets want in a message (EIP-55); undefined for anything else. */
async function toChecksumAddress(text: string | undefined): Promise<string | undefined> {
  const { getAddress, isAddress } = await loadViemUtils();
  const address = text?.trim() ?? '';
  return isAddress(address, { strict: false }) ? getAddress(address) : undefined;
}
