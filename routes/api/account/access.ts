import { forgetTokens } from '../../../src/authorization/oauth/remembered-tokens.ts';
import { describeScope } from '../../../src/authorization/oauth/scopes.ts';
import { MAX_GRANTS_SHOWN } from '../../../src/authorization/people/client-access.ts';
import { describeUnreached } from '../../../src/authorization/shards/sealed-token.ts';
import type { CreditLine } from '../../../src/payment/credits/credit-line.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { releaseReserves } from '../../../src/sales/credit-accounts.ts';
import { pauseMonitorsOfClient } from '../../../src/sales/monitors/end-client.ts';
import { createMonitorShards } from '../bindings/monitor-shards.ts';
import { runOrUnavailable } from '../../../src/sales/ledger-client.ts';
import { type AppAccess, AppNames, renderAccessPage } from '../../../src/web/account/access.tsx';
import { accessWords } from '../../../src/web/account/access-words.ts';
import { logLine } from '../../shared/telemetry.ts';
import { createCreditAccounts } from '../bindings/credit-account.ts';
import { getPeopleStore } from '../bindings/people-store.ts';
import { refuseRequest } from '../pages/pages.ts';
import { readCredits } from './credits.ts';
import { type AccountSection, type AccountTask, type AccountVisit, formatSignInPath } from './visit.ts';

/** Movements of the credits in which the last one of an app is looked for. */
const LINES_LOOKED = 200;

/** Apps and agents that may act for the person. Operators have some too. */
export const accessSection: AccountSection = {
  path: '/account/access',
  id: 'access',
  title: (language) => accessWords[language].title,
  kinds: ['payer', 'operator'],
  card: async (visit) => {
    const { language } = visit;
    return { more: accessWords[language].more, body: AppNames({ apps: await listApps(visit), language }) };
  },
  show: async (visit, frame) => {
    const apps = await listApps(visit);
    const used = visit.session.kind === 'payer' ? await readUse(visit) : undefined;
    return renderAccessPage({
      frame,
      apps: apps.map((app) => ({ ...app, ...used?.(app.clientId) })),
      limit: apps.length < MAX_GRANTS_SHOWN ? undefined : MAX_GRANTS_SHOWN,
    });
  },
  exported: listApps,
  actions: [
    { path: '/account/revoke', run: revoke },
    { path: '/account/revoke-all', run: revokeAll },
  ],
};

async function listApps({ c, browser }: AccountVisit): Promise<readonly AppAccess[]> {
  const access = await getPeopleStore(c).clientAccess(browser.hash);
  return (access?.clients ?? []).map(({ scopes, ...client }) => ({
    ...client,
    scopes: scopes.map((scope) => ({ scope, text: describeScope(scope) })),
  }));
}

type Use = Pick<AppAccess, 'spentMicroUsdc' | 'lastPaidAtMs'>;

/** What an app did with credits; nothing is said where they cannot be read. */
async function readUse(visit: AccountVisit): Promise<(clientId: string) => Use> {
  const account = createCreditAccounts(visit.c.env, logLine).open(visit.session.accountId);
  const [view, lines] = await Promise.all([
    readCredits(visit),
    runOrUnavailable<readonly CreditLine[]>(async () => (await account.lines({ limit: LINES_LOOKED })).lines, []),
  ]);
  return (clientId) => ({
    spentMicroUsdc: view && (view.clients.find((client) => client.clientId === clientId)?.spentMicroUsdc ?? 0),
    lastPaidAtMs: lines.find((line) => line.clientId === clientId)?.atMs,
  });
}

/** What was remembered of a client's tokens is forgotten, and what it reserved is free (rule A5). */
export async function endClients(c: AccountVisit['c'], accountId: string, clientIds: readonly string[]): Promise<void> {
  const accounts = createCreditAccounts(c.env, logLine);
  for (const clientId of clientIds) {
    forgetTokens({ userId: accountId, clientId }, Date.now());
    await releaseReserves(accounts, accountId, clientId);
    await pauseMonitorsOfClient(createMonitorShards(c.env), { account: accountId, clientId }, logLine);
  }
}

async function revoke({ c, browser }: AccountVisit, posted: Parameters<AccountTask>[1]): Promise<Response> {
  const revoked = await getPeopleStore(c).revokeAccess(browser.hash, posted.get('grant_id') ?? '');
  if (!revoked.ok && revoked.reason === 'no_grant') return refuseRequest(c, buildProblem('grant_not_found'));
  if (!revoked.ok) return refuseSignedOut(c, posted);
  await endClients(c, revoked.accountId, [revoked.clientId]);
  return answerEnded(c, posted, 'revoked', revoked.unreached);
}

async function revokeAll({ c, browser }: AccountVisit, posted: Parameters<AccountTask>[1]): Promise<Response> {
  const ended = await getPeopleStore(c).revokeAllAccess(browser.hash);
  if (!ended.ok) return refuseSignedOut(c, posted);
  await endClients(c, ended.accountId, ended.clientIds);
  return answerEnded(c, posted, 'revoked_all', ended.unreached);
}

/** The session ended while the form was open. */
const refuseSignedOut = (c: AccountVisit['c'], posted: Parameters<AccountTask>[1]) =>
  posted.form
    ? c.redirect(formatSignInPath(accessSection.path), 303)
    : refuseRequest(c, buildProblem('sign_in_needed'));

function answerEnded(
  c: AccountVisit['c'],
  posted: Parameters<AccountTask>[1],
  done: 'revoked' | 'revoked_all',
  unreached: number | undefined,
) {
  if (unreached !== undefined)
    return refuseRequest(c, buildProblem('revocation_unfinished', { detail: describeUnreached(unreached) }));
  return posted.form ? c.redirect(`${accessSection.path}?done=${done}`, 303) : c.json({ ok: true });
}
