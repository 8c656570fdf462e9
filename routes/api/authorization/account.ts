import type { Hono } from 'hono';
import { LedgerUnavailable } from '../../../src/payment/ledger/protocol.ts';
import { accountPage } from '../../../src/web/account-page.ts';
import { type AppContext, type AppEnv, type AppOptions } from '../context.ts';
import { logLine } from '../../shared/log.ts';
import { browserSession, hasFormToken } from '../../shared/cookies.ts';
import { creditAccountOf } from '../bindings/credit-account.ts';
import { freeGuard } from '../free-guard.ts';
import { ownPagesOnly, readPosted, refuse, showPage } from '../pages/pages.ts';
import { ACCOUNT_PATH, holderOf, peopleStore } from '../bindings/people-store.ts';
import { FORM_EXPIRED } from './sign-in.ts';

const SIGN_IN = `/signin?return_to=${encodeURIComponent(ACCOUNT_PATH)}`;

/** `GET /account`: credits and the clients with access. `POST /account/revoke` takes one client's access back. */
export function accountRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  app.use('/account/*', freeGuard, ownPagesOnly);
  app.get('/account', (c) => showAccount(c, options));
  app.post('/account/revoke', (c) => revoke(c, options));
}

async function showAccount(c: AppContext, options: AppOptions): Promise<Response> {
  const { hash, csrf } = await browserSession(c, options);
  const access = await peopleStore(c).clientAccess(hash);
  if (access === undefined) return c.redirect(SIGN_IN, 303);
  const { session, clients } = access;
  const balanceMicroUsdc = await orUndefined(async () => (await credits(c, session.accountId).view()).balanceMicroUsdc);
  const content = accountPage({
    csrf,
    signedInAs: holderOf(session),
    clients,
    balanceMicroUsdc,
  });
  return showPage(c, content);
}

async function revoke(c: AppContext, options: AppOptions): Promise<Response> {
  const posted = await readPosted(c);
  if (posted instanceof Response) return posted;
  const browser = await browserSession(c, options);
  if (!hasFormToken(browser, posted.get('csrf'))) return refuse(c, FORM_EXPIRED);
  const revoked = await peopleStore(c).revokeAccess(browser.hash, posted.get('grant_id') ?? '');
  if (revoked.ok) {
    const { accountId, clientId } = revoked;
    // What the client has reserved is free again now (rule A5); unreachable, its leases end by themselves soon.
    await orUndefined(() => credits(c, accountId).releaseClient(clientId));
    return posted.form ? c.redirect(ACCOUNT_PATH, 303) : c.json({ ok: true });
  }
  if (revoked.reason === 'no_grant')
    return refuse(c, { status: 404, code: 'grant_not_found', title: 'This app has no access to your account' });
  return posted.form
    ? c.redirect(SIGN_IN, 303)
    : refuse(c, { status: 401, code: 'sign_in_needed', title: 'Nobody is signed in with this cookie' });
}

const credits = (c: AppContext, accountId: string) => creditAccountOf(c.env, accountId, logLine);

/** Undefined when the account's object cannot be reached, which it has logged. */
async function orUndefined<T>(task: () => Promise<T>): Promise<T | undefined> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof LedgerUnavailable) return undefined;
    throw error;
  }
}
