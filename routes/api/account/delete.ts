import { isFresh } from '../../../src/authorization/people/sessions.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import type { Forfeited } from '../../../src/payment/credits/protocol.ts';
import { runOrUnavailable } from '../../../src/sales/ledger-client.ts';
import { renderDeletedPage, renderDeletePage } from '../../../src/web/account/delete.tsx';
import { type DeleteError, deleteWords } from '../../../src/web/account/delete-words.ts';
import type { AccountFrame } from '../../../src/web/account/frame.tsx';
import { dropSession } from '../../shared/cookies.ts';
import { logLine } from '../../shared/telemetry.ts';
import { openCardLedger } from '../bindings/cards/card-ledger.ts';
import { createCreditAccounts } from '../bindings/credit-account.ts';
import { getPeopleStore } from '../bindings/people-store.ts';
import { refuseRequest, showPage } from '../pages/pages.ts';
import { endClients } from './access.ts';
import { forgetHosts } from './hosts.ts';
import { forgetImports } from './imports.ts';
import { forgetMonitors } from '../bindings/monitor-runs.ts';
import { countMonitors } from './monitor-call.ts';
import { forgetBought } from './reports.ts';
import { readCredits } from './credits.ts';
import { type AccountSection, type AccountTask, type AccountVisit, formatSignInPath } from './visit.ts';

type BuildFrame = (visit: AccountVisit) => AccountFrame;

/**
 * The end of an account: its credits, the list of its reports, the access of its apps, its sign-ins, then itself. The
 * ledger of payments is never touched. It needs a sign-in younger than five minutes, and the word.
 * @param frameOf the frame for a form that is shown again
 */
export const createDeleteSection = (frameOf: BuildFrame): AccountSection => ({
  path: '/account/delete',
  id: 'delete',
  title: (language) => deleteWords[language].title,
  kinds: ['payer'],
  show: (visit, frame) => showDelete(visit, frame),
  actions: [{ path: '/account/delete', run: (visit, posted) => deleteAccount(visit, posted, frameOf) }],
});

async function showDelete(visit: AccountVisit, frame: AccountFrame, error?: DeleteError) {
  const [view, monitors] = await Promise.all([readCredits(visit), countMonitors(visit, frame)]);
  return renderDeletePage({
    frame,
    leftMicroUsdc: view && Math.max(0, view.balanceMicroUsdc + view.reservedMicroUsdc),
    monitors,
    isFresh: isFresh(visit.session, Date.now()),
    signInPath: formatSignInPath('/account/delete', 'fresh'),
    error,
  });
}

const words = new Set(Object.values(deleteWords).map(({ word }) => word));
const MAX_WORD_CHARS = 40;

async function deleteAccount(visit: AccountVisit, posted: Parameters<AccountTask>[1], frameOf: BuildFrame) {
  const { c, options, session, browser, language } = visit;
  const people = getPeopleStore(c);
  const looked = await people.deleteAccount(browser.hash, 'look');
  if (!looked.ok && looked.reason === 'sign_in_too_old' && posted.form)
    return c.redirect(formatSignInPath('/account/delete', 'fresh'), 303);
  if (!looked.ok) return refuseRequest(c, REFUSALS[looked.reason]);
  const refuse = async (error: DeleteError) =>
    posted.form
      ? showPage(c, await showDelete(visit, frameOf(visit), error), {}, UNPROCESSABLE)
      : refuseRequest(c, buildProblem('account_not_deleted', { detail: deleteWords.en.errors[error] }));
  const word = (posted.get('confirm') ?? '').slice(0, MAX_WORD_CHARS).trim().toLowerCase();
  if (!words.has(word)) return refuse('wrong_word');
  // A payment page that is open could still be paid.
  const ledger = openCardLedger(c.env, logLine);
  const isEnded = await runOrUnavailable(async () => (await ledger?.endOpen(session.accountId)) ?? true, undefined);
  if (isEnded !== true) return refuse(isEnded === undefined ? 'not_readable' : 'credits_under_way');
  const account = createCreditAccounts(c.env, logLine).open(session.accountId);
  const forfeited = await runOrUnavailable<Forfeited | undefined>(
    () => account.forfeit(posted.get('forfeit') === 'yes'),
    undefined,
  );
  if (forfeited === undefined) return refuse('not_readable');
  if (!forfeited.ok) return refuse(forfeited.reason);
  const isListGone = await runOrUnavailable(async () => {
    await forgetBought(visit);
    await forgetImports(visit);
    await forgetHosts(visit);
    await forgetMonitors(c.env, session.accountId);
    return true;
  }, false);
  const deleted = await people.deleteAccount(browser.hash, 'delete');
  if (!deleted.ok) return refuseRequest(c, REFUSALS[deleted.reason]);
  await endClients(c, deleted.accountId, deleted.clientIds);
  logLine({
    event: 'account_deleted',
    request_id: c.get('requestId'),
    forfeited_micro_usdc: forfeited.forfeitedMicroUsdc,
  });
  dropSession(c, options);
  return posted.form
    ? showPage(c, renderDeletedPage(language, isListGone && deleted.unreached === undefined))
    : c.json({ ok: true, forfeited_micro_usdc: forfeited.forfeitedMicroUsdc });
}

const UNPROCESSABLE = 422;

const REFUSALS = {
  sign_in: buildProblem('sign_in_needed'),
  sign_in_too_old: buildProblem('sign_in_too_old'),
  not_payer: buildProblem('account_not_deleted', { detail: 'The access of an operator is ended by another operator' }),
} as const;
