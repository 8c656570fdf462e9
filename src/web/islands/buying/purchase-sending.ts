import { type Buying, forget, keepPaidRequest } from './buying-panel.ts';
import { fetchPayingAccount } from './credit-session.ts';
import {
  MAX_PRESENTATIONS_IN_PAGE,
  type PaidRequestTools,
  presentPaid,
  type PurchaseOutcome,
  type StoredPaidRequest,
} from './paid-request.ts';
import { keepPublishToken, type KeptPurchase } from './purchase-storage.ts';
import { announceSold } from './purchase-tabs.ts';
import { describeCode, describeOutcome } from './purchase-words.ts';

/** Offers the report, whose path it returns. */
export function showReport({ view }: Buying, reportId: string): string {
  const path = `/reports/${reportId}`;
  const link = view.part('report');
  if (link) {
    link.href = path;
    link.hidden = false;
  }
  return path;
}

/** Keeps a paid request, sends it, and opens its report. @param wasInDoubt it was sent before, and a reload hides what became of it */
export async function send(buying: Buying, paid: StoredPaidRequest, wasInDoubt: boolean, id?: string): Promise<void> {
  const kept = keepPaidRequest(buying, paid, id);
  const sold = await sendPaid(buying, kept, wasInDoubt);
  if (sold === undefined) return;
  window.location.assign(showReport(buying, sold));
}

/** Sends a kept purchase until it has an end or the page gives up asking. The id of the report, where it was sold. */
async function sendPaid(buying: Buying, paid: KeptPurchase, wasInDoubt: boolean): Promise<string | undefined> {
  const { view, words } = buying;
  buying.heldCode = undefined;
  view.step('checking');
  view.say(words.sent);
  view.progress({ done: 0 });
  const outcome = await presentPaid(paid, buildTools(buying), wasInDoubt);
  view.progress(undefined);
  return end(buying, outcome, paid);
}

function buildTools({ view, words }: Buying): PaidRequestTools {
  let waiting = '';
  return {
    fetch: (path, init) => fetch(path, init),
    sleep: (ms) => view.countDown(ms, (left) => words.inSeconds(waiting, left)),
    onProgress: view.progress,
    onWait: ({ code, detail, sent }) => {
      waiting = words.waiting(sent, MAX_PRESENTATIONS_IN_PAGE);
      view.say(describeCode(code, detail, words.purchase));
    },
    lost: words.lost,
    openCredits: fetchPayingAccount,
  };
}

function end(buying: Buying, outcome: PurchaseOutcome, paid: KeptPurchase): string | undefined {
  const { view, storage, tabs, words } = buying;
  if (outcome.kind === 'held') buying.heldCode = outcome.code;
  if (outcome.kind !== 'held' && outcome.kind !== 'undecided') forget(buying);
  if (outcome.kind !== 'sold') {
    if (buying.kept === undefined) view.step(undefined);
    view.say(describeOutcome(outcome, paid, words.purchase));
    return undefined;
  }
  const { reportId, publishToken } = outcome;
  if (publishToken !== undefined) keepPublishToken(storage, reportId, publishToken);
  announceSold(tabs, { capability: paid.capability, bodyText: paid.bodyText, reportId });
  view.step('delivered');
  view.say(words.bought);
  return reportId;
}
