import type { Hono } from 'hono';
import { forgetTokens } from '../../../src/authorization/oauth/remembered-tokens.ts';
import { describeUnreached } from '../../../src/authorization/shards/sealed-token.ts';
import { releaseReserves } from '../../../src/sales/credit-accounts.ts';
import { runOrUnavailable } from '../../../src/sales/ledger-client.ts';
import { renderAccountPage } from '../../../src/web/account-page.ts';
import { formatCliCommand } from '../../../src/lib/release.ts';
import { type AppContext, type AppEnv, type AppOptions } from '../context.ts';
import { logLine } from '../../shared/telemetry.ts';
import { readBrowserSession, hasFormToken } from '../../shared/cookies.ts';
import { createCreditAccounts } from '../bindings/credit-account.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { requireOwnPagePost, readPosted, refuseRequest, showPage } from '../pages/pages.ts';
import { ACCOUNT_PATH, formatSessionHolder, getPeopleStore } from '../bindings/people-store.ts';
import { SIGN_IN_FORM_EXPIRED } from './sign-in.ts';
import { buildProblem } from '../../../src/problems/codes.ts';

const SIGN_IN = `/signin?return_to=${encodeURIComponent(ACCOUNT_PATH)}&why=account`;

/** `GET /account`: credits and the clients with access. `POST /account/revoke` takes one client's access back. */
export function registerAccountRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  app.use('/account/*', guardFreeRoute, requireOwnPagePost);
  app.get('/account', (c) => showAccount(c, options));
  app.post('/account/revoke', (c) => revoke(c, options));
}

async function showAccount(c: AppContext, options: AppOptions): Promise<Response> {
  const { hash, csrf } = await readBrowserSession(c, options);
  const access = await getPeopleStore(c).clientAccess(hash);
  if (access === undefined) return c.redirect(SIGN_IN, 303);
  const { session, clients } = access;
  // Undefined when the account's object cannot be reached, which is logged.
  const balanceMicroUsdc = await runOrUnavailable(
    async () => (await createCreditAccounts(c.env, logLine).open(session.accountId).view()).balanceMicroUsdc,
    undefined,
  );
  const content = renderAccountPage({
    csrf,
    signedInAs: formatSessionHolder(session),
    clients,
    balanceMicroUsdc,
    buyCommand: formatBuyCommand(c, options),
  });
  return showPage(c, content);
}

/** How the person who is signed in gets credits: they belong to the address that pays. */
const formatBuyCommand = (c: AppContext, options: AppOptions): string =>
  options.demoBuyer?.(c.env) === undefined
    ? formatCliCommand(`buy credits_5 --base ${c.get('settings').BASE_URL} --max-usd 5`)
    : 'npm run buy -- credits_5 --max-usd 5';

async function revoke(c: AppContext, options: AppOptions): Promise<Response> {
  const posted = await readPosted(c);
  if (posted instanceof Response) return posted;
  const browser = await readBrowserSession(c, options);
  if (!hasFormToken(browser, posted.get('csrf'))) return refuseRequest(c, SIGN_IN_FORM_EXPIRED);
  const revoked = await getPeopleStore(c).revokeAccess(browser.hash, posted.get('grant_id') ?? '');
  if (revoked.ok) {
    const { accountId, clientId, unreached } = revoked;
    forgetTokens({ userId: accountId, clientId }, Date.now());
    await releaseReserves(createCreditAccounts(c.env, logLine), accountId, clientId);
    if (unreached !== undefined)
      return refuseRequest(c, buildProblem('revocation_unfinished', { detail: describeUnreached(unreached) }));
    return posted.form ? c.redirect(ACCOUNT_PATH, 303) : c.json({ ok: true });
  }
  if (revoked.reason === 'no_grant') return refuseRequest(c, buildProblem('grant_not_found'));
  return posted.form ? c.redirect(SIGN_IN, 303) : refuseRequest(c, buildProblem('sign_in_needed'));
}
