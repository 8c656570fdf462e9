import type { ConsoleCardOutcome } from '../../../../src/console-api/cards.ts';
import { generateRandomHex } from '../../../../src/lib/digest.ts';
import { formatCents } from '../../../../src/web/console/money-files.ts';
import { formatMicroUsdc } from '../../../../src/web/console/money-numbers.ts';
import type { Signal } from '../../../../src/web/console/overview.tsx';
import {
  CARD_PURCHASE_PATH,
  CARD_REFUND_PATH,
  CARDS_PATH,
  computeRefundableCents,
  formatCardHref,
  formatCardsCsv,
  renderCardPurchasePage,
  renderCardPurchases,
} from '../../../../src/web/console/service/cards.tsx';
import { renderConfirmation, renderOlderWorker } from '../../../../src/web/console/service/confirm.tsx';
import { askWorker } from '../../bindings/ask-worker.ts';
import {
  type ActionOutcome,
  CSV_TYPE,
  type ConsoleContext,
  type ConsoleFormInput,
  type ConsolePage,
  type NothingToShow,
} from '../console-request.ts';
import {
  describeReason,
  NO_REASON,
  OLDER_SAID,
  OLDER_WORKER,
  readReason,
  refuseAct,
  SESSION_REFUSALS,
} from './commands.ts';

const PAGE = 50;
const NONCE_BYTES = 16;
const ID = /^[0-9a-f]{32}$/;
const USD = /^\d{1,6}(?:\.\d{1,2})?$/;
const CENT_DIGITS = 2;

/** `/console/cards?account=&before=`: purchases by card. */
const cardsPage: ConsolePage = {
  path: CARDS_PATH,
  title: 'Cards',
  show: async (c) => {
    const asked = parseAsked(c);
    if ('status' in asked) return asked;
    const [found, owed] = await Promise.all([
      askWorker(c.env.OPERATIONS, 'cardPurchases', asked),
      askWorker(c.env.OPERATIONS, 'cardsOwed'),
    ]);
    if (!found.known) return renderOlderWorker();
    const shown = { ...found.value, account: asked.account ?? '' };
    return renderCardPurchases(owed.known ? { ...shown, owed: owed.value } : shown);
  },
  signals: [{ question: 'customers', title: 'Cards', read: readOwedSignal }],
  downloads: [{ path: `${CARDS_PATH}.csv`, read: readCardsFile }],
};

/** Who spent credits whose money went back, and disputes that wait for evidence: the bank gives a few days for it. */
async function readOwedSignal(c: ConsoleContext): Promise<Signal> {
  const found = await askWorker(c.env.OPERATIONS, 'cardsOwed');
  if (!found.known) return { mood: 'idle', text: 'Cannot say', figure: '', note: OLDER_WORKER.title };
  const { overdrafts, openDisputes, isPartial } = found.value;
  const disputes = `${openDisputes} ${openDisputes === 1 ? 'dispute is' : 'disputes are'} open at Stripe.`;
  const unread = isPartial ? ' Could not read some of the accounts.' : '';
  if (overdrafts.length === 0)
    return {
      mood: openDisputes === 0 ? 'good' : 'warn',
      text: openDisputes === 0 ? 'None' : 'Disputed',
      figure: String(openDisputes),
      note: `No account is below zero. ${disputes}${unread}`,
    };
  const owed = overdrafts.reduce((sum, { owedMicroUsdc }) => sum + owedMicroUsdc, 0);
  const accounts = `${overdrafts.length} ${overdrafts.length === 1 ? 'account is' : 'accounts are'}`;
  const alert = `${accounts} below zero by ${formatMicroUsdc(owed)} USD: a refund or a dispute took credits that were spent.`;
  return { mood: 'bad', text: 'Below zero', figure: String(overdrafts.length), note: `${disputes}${unread}`, alert };
}

/** `/console/cards/purchase?id=`: one of them. */
const cardPurchasePage: ConsolePage = {
  path: CARD_PURCHASE_PATH,
  title: 'Purchase by card',
  under: CARDS_PATH,
  show: async (c) => {
    const id = c.query.get('id') ?? '';
    if (!ID.test(id)) return NO_SUCH_PURCHASE;
    const found = await askWorker(c.env.OPERATIONS, 'cardPurchase', { id });
    if (!found.known) return renderOlderWorker();
    if (found.value === null) return NO_SUCH_PURCHASE;
    return renderCardPurchasePage({ ...found.value, nonce: generateRandomHex(NONCE_BYTES) });
  },
};

/** `/console/cards/refund?id=&usd=&nonce=`: says what is about to be refunded, and asks why. */
const cardRefundPage: ConsolePage = {
  path: CARD_REFUND_PATH,
  title: 'Refund to the card',
  under: CARDS_PATH,
  show: async (c) => {
    const { query, forms } = c;
    const order = parseRefund((name) => query.get(name) ?? undefined);
    if (order === undefined) return NO_AMOUNT;
    const found = await askWorker(c.env.OPERATIONS, 'cardPurchase', { id: order.purchaseId });
    if (!found.known) return renderOlderWorker();
    if (found.value === null) return NO_SUCH_PURCHASE;
    const { purchase } = found.value;
    return renderConfirmation({
      facts: [
        ['Purchase', purchase.id],
        ['Paid', `${formatCents(purchase.cents)} USD`],
        ['Can go back', `${formatCents(computeRefundableCents(found.value))} USD`],
        ['Refund', `${formatCents(order.cents)} USD`],
      ],
      effect:
        'The credits are taken from the account, and Stripe pays the amount back to the card that paid. It cannot be taken back.',
      forms,
      action: CARD_REFUND_PATH,
      fields: { id: order.purchaseId, usd: query.get('usd') ?? '', nonce: order.id },
      label: `Refund ${formatCents(order.cents)} USD`,
      back: formatCardHref(order.purchaseId),
    });
  },
  actions: [
    {
      path: CARD_REFUND_PATH,
      title: 'Refund to the card',
      target: (form) => form.get('id') ?? '',
      about: (form) => ({ usd: form.get('usd') ?? '', ...describeReason(form) }),
      run: executeRefund,
    },
  ],
};

export const cardPages: readonly ConsolePage[] = [cardsPage, cardPurchasePage, cardRefundPage];

function parseAsked({ query }: ConsoleContext) {
  const account = (query.get('account') ?? '').trim().toLowerCase();
  const before = query.get('before') ?? '';
  const beforeMs = Number(before);
  if (account !== '' && !ID.test(account)) return NO_ACCOUNT;
  if (before !== '' && !(Number.isSafeInteger(beforeMs) && beforeMs > 0)) return NO_SUCH_PURCHASE;
  return { limit: PAGE, ...(account === '' ? {} : { account }), ...(before === '' ? {} : { beforeMs }) };
}

function parseRefund(read: (name: string) => string | undefined) {
  const [purchaseId, id, usd] = [read('id') ?? '', read('nonce') ?? '', (read('usd') ?? '').trim()];
  if (!ID.test(purchaseId) || !ID.test(id) || !USD.test(usd)) return undefined;
  const [whole = '', part = ''] = usd.split('.');
  const cents = Number(`${whole}${part.padEnd(CENT_DIGITS, '0')}`);
  return cents < 1 ? undefined : { purchaseId, id, cents };
}

async function executeRefund(c: ConsoleContext, form: ConsoleFormInput): Promise<ActionOutcome> {
  const order = parseRefund((name) => form.get(name));
  if (order === undefined) return refuseAct(CARDS_PATH, 'The form was not complete.', 'bad_form');
  const to = formatCardHref(order.purchaseId);
  const reason = readReason(form);
  if (reason === '') return refuseAct(to, NO_REASON, 'no_reason');
  const found = await askWorker(c.env.CONSOLE_ACCESS, 'refundCard', c.session.hash, { ...order, reason });
  return found.known ? reportRefund(to, found.value) : refuseAct(to, OLDER_SAID, 'older_worker');
}

function reportRefund(to: string, outcome: ConsoleCardOutcome): ActionOutcome {
  if (!outcome.ok) return refuseAct(to, REFUSALS[outcome.reason] ?? 'It was refused.', outcome.reason);
  const { cents, state, isRepeat } = outcome;
  const amount = `${formatCents(cents)} USD`;
  const entry = { usd: formatCents(cents), state, repeat: String(isRepeat) };
  if (state === 'under_way')
    return {
      to,
      entry,
      said: `${amount}: Stripe has not answered. The service asks again by itself, and refunds it once.`,
    };
  const said = isRepeat
    ? `This form was sent before: ${amount} were refunded then, and nothing now.`
    : `${amount} go back to the card.`;
  return { to, said, entry };
}

const REFUSALS: Readonly<Record<string, string>> = {
  ...SESSION_REFUSALS,
  off: 'Cards are off: STRIPE_SECRET_KEY is not set, or does not fit the network.',
  not_found: 'There is no such purchase.',
  not_paid: 'The purchase is not paid.',
  too_much: 'That is more than is left of the payment.',
  spent: 'The account has spent these credits, or a running call holds them.',
  disputed: 'The payment is disputed: the bank decides where the money goes.',
  form_used: 'This form was used for another amount: open the purchase again.',
  too_many: 'As many refunds of this purchase were ordered as are stored.',
  refused: 'Stripe refused it. The credits are in the account again; the purchase says why.',
};

async function readCardsFile(c: ConsoleContext) {
  const asked = parseAsked(c);
  if ('status' in asked) return asked;
  const found = await askWorker(c.env.OPERATIONS, 'cardPurchases', asked);
  if (!found.known) return OLDER_WORKER;
  const { purchases, next } = found.value;
  const name = `cards-${next === undefined ? '' : 'first-'}${purchases.length}.csv`;
  return { name, type: CSV_TYPE, text: formatCardsCsv(purchases) };
}

const NO_ACCOUNT: NothingToShow = {
  status: 400,
  title: 'That is no number of an account',
  detail: 'The number of an account is 32 hexadecimal digits; the page of a customer has it.',
};
const NO_SUCH_PURCHASE: NothingToShow = {
  status: 404,
  title: 'There is no such purchase',
  detail: 'Open it from the list of cards. Orders that were not paid are forgotten after 40 days.',
};
const NO_AMOUNT: NothingToShow = {
  status: 400,
  title: 'That is no amount to refund',
  detail: 'Refund at least 0.01 USD, with a point and no sign, from the page of a purchase.',
};
