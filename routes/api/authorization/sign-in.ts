import type { Hono } from 'hono';
import type { SignInNeed } from '../../../src/authorization/people/consent.ts';
import { viemUtils } from '../../../src/net/viem-utils.ts';
import { makeNonce } from '../../../src/authorization/oauth/nonce.ts';
import type { Session } from '../../../src/authorization/people/sessions.ts';
import { signInMessage, signInTerms } from '../../../src/authorization/people/siwe.ts';
import { signByHandPage, signInPage } from '../../../src/web/sign-in-page.ts';
import { walletScript } from '../../../src/web/wallet-script.ts';
import type { AppContext, AppEnv, AppOptions } from '../context.ts';
import {
  type BrowserSession,
  browserSession,
  dropSession,
  giveSession,
  hasFormToken,
  newSession,
} from '../../shared/cookies.ts';
import { freeGuard } from '../free-guard.ts';
import { callerOf } from '../../../src/rate-limits/caller-counts.ts';
import { knownSecret } from '../../../src/authorization/operators/secret.ts';
import {
  hasOperators,
  operatorSignInOnly,
  ownPagesOnly,
  type Posted,
  readPosted,
  refuse,
  showPage,
} from '../pages/pages.ts';
import { peopleStore, safeReturn } from '../bindings/people-store.ts';
import { provenAddress } from './prove-address.ts';
import { sealingKeys } from '../bindings/sealing-keys.ts';
import { staticDocument } from '../../shared/static-document.ts';

/** Why somebody is on the sign-in page, in our words. */
const NOTES: Readonly<Record<SignInNeed, string>> = {
  needed: 'Sign in to decide about the access that an app asks for.',
  stale: 'This app asks for rights of an operator: sign in again, then decide within five minutes.',
  operator: 'Only an operator of this service can give this app what it asks for.',
};

/**
 * `GET /signin` and what its forms and script post to: `/signin/siwe/nonce`, `/signin/siwe`, `/signin/operator`, and
 * `/signout`. Programs post JSON to the same paths and keep the cookie.
 */
export function signInRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  app.get('/signin/wallet.js', (c) =>
    staticDocument(c, 'wallet', () => ({ type: 'text/javascript; charset=utf-8', body: walletScript })),
  );
  app.use('/signin/*', freeGuard);
  app.use('/signin/operator', operatorSignInOnly);
  app.use('/signin/*', ownPagesOnly);
  app.use('/signout', freeGuard, ownPagesOnly);
  app.get('/signin', (c) => showSignIn(c, options));
  app.post('/signin/siwe/nonce', (c) => withPosted(c, options, giveNonce));
  app.post('/signin/siwe', (c) => withPosted(c, options, signInPayer));
  app.post('/signin/operator', (c) => withPosted(c, options, signInOperator));
  app.post('/signout', (c) => withPosted(c, options, signOut));
}

async function showSignIn(c: AppContext, options: AppOptions): Promise<Response> {
  const { BASE_URL } = c.get('settings');
  const { csrf } = await browserSession(c, options);
  const why = c.req.query('why') ?? '';
  const content = signInPage({
    csrf,
    returnTo: safeReturn(c.req.query('return_to'), BASE_URL),
    terms: signInTerms(BASE_URL),
    operatorSignIn: await hasOperators(c),
    ...(Object.hasOwn(NOTES, why) ? { note: NOTES[why as SignInNeed] } : {}),
  });
  return showPage(c, content, { script: true });
}

type Task = (c: AppContext, options: AppOptions, posted: Posted, browser: BrowserSession) => Promise<Response>;

/**
 * Runs a task on what was posted. A form must carry its session's token. JSON need not: another site's page cannot send
 * it with this content type without asking first, and is refused when it asks.
 */
async function withPosted(c: AppContext, options: AppOptions, task: Task): Promise<Response> {
  const posted = await readPosted(c);
  if (posted instanceof Response) return posted;
  const browser = await browserSession(c, options);
  if (posted.form && !hasFormToken(browser, posted.get('csrf'))) return refuse(c, FORM_EXPIRED);
  return task(c, options, posted, browser);
}

export const FORM_EXPIRED = {
  status: 403,
  code: 'form_expired',
  title: 'This form is not of your current session: open the page again',
} as const;

const giveNonce: Task = async (c, _options, posted, { hash, csrf }) => {
  const { BASE_URL } = c.get('settings');
  const address = await checksummed(posted.get('address'));
  if (address === undefined && posted.get('address') !== undefined)
    return refuse(c, { status: 422, code: 'invalid_address', title: 'That is not an Ethereum address' });
  const { nonce, expiresAtMs } = await makeNonce(await sealingKeys(c.env), hash, Date.now());
  if (posted.form) {
    const message = signInMessage(BASE_URL, address ?? '', nonce, Date.now());
    const returnTo = safeReturn(posted.get('return_to'), BASE_URL);
    return showPage(c, signByHandPage({ csrf, returnTo, message }));
  }
  const { domain, uri, version, chainId, statement } = signInTerms(BASE_URL);
  const terms = { domain, uri, version, chain_id: chainId, statement };
  const expires_at = new Date(expiresAtMs).toISOString();
  return c.json({ nonce, expires_at, csrf, ...(address === undefined ? {} : { address }), ...terms }, 200, NO_STORE);
};

const signInPayer: Task = async (c, options, posted, browser) => {
  const message = posted.get('message')?.replaceAll('\r\n', '\n') ?? ''; // Forms send every line end as CRLF.
  const proven = await provenAddress(c, { message, signature: posted.get('signature')?.trim() ?? '', browser });
  if (!proven.ok) return refuse(c, proven.problem);
  const renewed = await newSession();
  const renewal = { session: browser.hash, renewed: renewed.hash, caller: callerOf(c.req.raw) };
  const session = await peopleStore(c).signInPayer(renewal, proven.address);
  return signedIn(c, options, posted, renewed, session);
};

const signInOperator: Task = async (c, options, posted, browser) => {
  const { OPERATOR_SECRET } = c.get('settings');
  const secret = await knownSecret(posted.get('secret') ?? '', OPERATOR_SECRET);
  const renewed = await newSession();
  const renewal = { session: browser.hash, renewed: renewed.hash, caller: callerOf(c.req.raw) };
  const outcome = await peopleStore(c).signInOperator(renewal, secret);
  if (outcome.ok) return signedIn(c, options, posted, renewed, outcome.session);
  if (outcome.reason === 'too_many_attempts') return refuse(c, tooMany(outcome.retryAfterS));
  return refuse(c, { status: 403, code: 'sign_in_refused', title: 'That is not the secret of an operator' });
};

/** The browser's cookie becomes the renewed session; forms go on to a page of ours, programs read who they are. */
function signedIn(
  c: AppContext,
  options: AppOptions,
  posted: Posted,
  renewed: BrowserSession,
  { kind, accountId, address, expiresAtMs }: Session,
): Response {
  giveSession(c, options, renewed);
  if (posted.form) return c.redirect(safeReturn(posted.get('return_to'), c.get('settings').BASE_URL), 303);
  const expires_at = new Date(expiresAtMs).toISOString();
  const who = { kind, account: accountId, ...(address === undefined ? {} : { address }) };
  return c.json({ ok: true, ...who, csrf: renewed.csrf, expires_at }, 200, NO_STORE);
}

/** Programs send the token too: signing somebody out is a change. */
const signOut: Task = async (c, options, posted, browser) => {
  if (!hasFormToken(browser, posted.get('csrf'))) return refuse(c, FORM_EXPIRED);
  await peopleStore(c).signOut(browser.hash);
  dropSession(c, options);
  return posted.form ? c.redirect('/signin', 303) : c.json({ ok: true }, 200, NO_STORE);
};

const NO_STORE = { 'cache-control': 'no-store' } as const;

const tooMany = (retryAfterS: number) =>
  ({
    status: 429,
    code: 'too_many_attempts',
    title: 'Too many attempts: wait before the next one',
    retryAfterS,
  }) as const;

/** An address in the spelling that wallets want in a message (EIP-55); undefined for anything else. */
async function checksummed(text: string | undefined): Promise<string | undefined> {
  const { getAddress, isAddress } = await viemUtils();
  const address = text?.trim() ?? '';
  return isAddress(address, { strict: false }) ? getAddress(address) : undefined;
}
