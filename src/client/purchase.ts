import { getProblemCode, isRecord, toSightlineError, type WireAnswer } from './answer.ts';
import { refuseAbovePerCall, reserveSpending, type SpendingBudget, type SpendingStore } from './budget.ts';
import { SightlineError, withPayment } from './errors.ts';
import { computeOrderName, formatSortedJson, type OpenOrders } from './orders.ts';
import type { Progress } from './read-answer.ts';
import { hasReport } from './report.ts';
import type { PanelName, ToolName } from './results.ts';
import type { Transport, WireRequest } from './transport.ts';
import { type ExpectedTerms, type PaymentChain, selectTerms, signTerms, type Wallet } from './wallet.ts';

/** Payments that one call signs: the second only where the service says that it did not take the first. */
export const MAX_PAYMENTS_PER_CALL = 2;
/** How long the service serves the result of a payment again. */
export const MAX_ORDER_AGE_MS = 30 * 24 * 60 * 60 * 1_000;

/** What buying needs; all of it comes from the options of the client. */
export type BuyerPorts = {
  transport: Transport;
  wallet: Wallet | undefined;
  chain: PaymentChain;
  budget: SpendingBudget;
  spending: SpendingStore;
  orders: OpenOrders;
  /** Payee and highest price of a capability, by the catalogue. */
  expect: (capability: string, isFresh: boolean, signal: AbortSignal | undefined) => Promise<ExpectedTerms>;
};

export type Order = {
  capability: string;
  body: Readonly<Record<string, unknown>>;
  /** `view` and `fields`: no part of what is paid for. */
  query: string;
  /** A name of the caller's own for this purchase; its payment is not forgotten when the result is there. */
  name: string | undefined;
  signal: AbortSignal | undefined;
  onProgress: ((counts: Progress) => void) | undefined;
};

export type Buyer = {
  /** The result of an order, paid for once. */
  buy: (order: Order) => Promise<WireAnswer>;
};

export function createBuyer(ports: BuyerPorts): Buyer {
  /** Orders that are being paid for in this program: calls of the same order at once share one payment. */
  const paying = new Map<string, Promise<SavedPayment>>();
  return {
    buy: async (order) => {
      const { wallet, transport } = ports;
      if (wallet === undefined) throw refuseWithoutWallet();
      const { capability, name = '' } = order;
      const body = formatSortedJson(order.body);
      const marks = { origin: transport.origin, payer: wallet.address, capability, body, order: name };
      const key = await computeOrderName(marks);
      const request = buildRequest(order, body);
      for (let payments = 1; ; payments += 1) {
        const payment = await sharePayment(paying, key, () => findOrPay(ports, { ...order, wallet }, key, request));
        const answer = await present(ports, { ...request, onProgress: order.onProgress }, payment);
        if (answer.status === 200 && !hasReport(answer.body)) throw refuseForeignAnswer();
        const isOver = answer.status !== 402 || payments >= MAX_PAYMENTS_PER_CALL;
        // Only these words of the service say that the payment was not taken, and that another one helps.
        const isToPayAgain = answer.status === 402 && PAY_AGAIN.has(getProblemCode(answer) ?? '');
        if (isToPayAgain || (answer.status === 200 && order.name === undefined))
          await ports.orders.delete(key, payment.text);
        if (answer.status === 200) return answer;
        if (isOver || !isToPayAgain) throw toSightlineError(answer, isToPayAgain ? 'none' : 'open');
      }
    },
  };
}

/** An answer that is no result of the service: the payment stays saved, and the same call asks again. */
const refuseForeignAnswer = (): SightlineError =>
  new SightlineError({
    code: 'answer_unreadable',
    detail: 'The answer names no report.',
    next: 'Make the same call again: it sends the same payment.',
    payment: 'open',
  });

const refuseWithoutWallet = (): SightlineError =>
  new SightlineError({
    code: 'wallet_missing',
    setting: 'wallet',
    detail: 'Buying needs a wallet.',
    next: 'Pass wallet to sightline(), such as privateKeyToAccount(key) of viem/accounts.',
  });

/** Refusals after which a payment by fresh terms is the right next step. Of an empty wallet or a wrong clock it is not. */
const PAY_AGAIN: ReadonlySet<string> = new Set([
  'authorization_expired',
  'authorization_expires_too_soon',
  'payment_refused',
  'settlement_refused',
  'wrong_amount',
  'wrong_recipient',
  'wrong_route',
  'wrong_terms',
]);

/** Sold at paths of their own. */
const ownPaths: Readonly<Record<PanelName | ToolName, string>> = {
  visibility_panel_2: '/api/panels/visibility_panel_2',
  visibility_panel_4: '/api/panels/visibility_panel_4',
  seller_check: '/api/tools/seller',
};
export const getSalesPath = (capability: string): string =>
  Object.hasOwn(ownPaths, capability)
    ? ownPaths[capability as keyof typeof ownPaths]
    : `/api/agent/${encodeURIComponent(capability)}`;

const buildRequest = ({ capability, query, signal }: Order, body: string): WireRequest => ({
  path: `${getSalesPath(capability)}${query}`,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body,
  signal,
});

/** A payment as it is saved: `text` is what the store holds. */
type SavedPayment = { text: string; header: string };

/** One payment for calls of the same order at once. Each of them presents it, and one that fails is not the others' failure. */
async function sharePayment(
  paying: Map<string, Promise<SavedPayment>>,
  key: string,
  pay: () => Promise<SavedPayment>,
): Promise<SavedPayment> {
  for (let running = paying.get(key); running !== undefined; running = paying.get(key)) {
    const shared = await running.catch(() => undefined);
    if (shared !== undefined) return shared;
  }
  const payment = pay().finally(() => paying.delete(key));
  paying.set(key, payment);
  return payment;
}

/** The payment of this order that is open, or else a new one, saved before anything is sent. */
async function findOrPay(
  ports: BuyerPorts,
  order: Order & { wallet: Wallet },
  key: string,
  request: WireRequest,
): Promise<SavedPayment> {
  const found = await ports.orders.get(key);
  if (typeof found === 'string') {
    const { header, savedAtMs } = readSaved(found, key);
    if (Date.now() - savedAtMs < MAX_ORDER_AGE_MS) return { text: found, header };
    await ports.orders.delete(key, found);
  }
  const { capability, signal, wallet } = order;
  const answer = await ports.transport.send(request);
  if (answer.status !== 402) throw toSightlineError(answer);
  const terms = await judgeAnswer(ports, capability, answer, signal);
  refuseAbovePerCall(capability, terms.microUsd, ports.budget);
  const release = await reserveSpending(capability, terms.microUsd, ports.budget, ports.spending);
  try {
    const header = await signTerms(terms, wallet, ports.chain);
    const text = await ports.orders.add(key, JSON.stringify({ version: 1, savedAtMs: Date.now(), header }));
    // Of two processes that pay for the same order at once, the first to save wins, and both send its payment.
    return { text, header: readSaved(text, key).header };
  } catch (error) {
    await release();
    throw error;
  }
}

/** The catalogue says what to expect. One that was read earlier may be old: before a refusal it is read again. */
async function judgeAnswer(
  { expect }: BuyerPorts,
  capability: string,
  answer: WireAnswer,
  signal: AbortSignal | undefined,
): Promise<ReturnType<typeof selectTerms>> {
  try {
    return selectTerms(answer, await expect(capability, false, signal));
  } catch (error) {
    if (!(error instanceof SightlineError && error.code === 'terms_refused')) throw error;
    return selectTerms(answer, await expect(capability, true, signal));
  }
}

/** @throws SightlineError when it is none of ours: an order that cannot be read must not be paid again */
function readSaved(text: string, key: string): { header: string; savedAtMs: number } {
  try {
    const saved: unknown = JSON.parse(text);
    if (isRecord(saved) && typeof saved['header'] === 'string' && typeof saved['savedAtMs'] === 'number')
      return { header: saved['header'], savedAtMs: saved['savedAtMs'] };
  } catch {
    // No JSON.
  }
  throw new SightlineError({
    code: 'order_unreadable',
    detail: `The open order ${key} cannot be read, so it is not known whether it was paid.`,
    next: 'Delete it from the store of orders to give its payment up.',
  });
}

/** Sends the request with this payment, the same each time, until the service has its last word. */
async function present(ports: BuyerPorts, request: WireRequest, { header }: SavedPayment): Promise<WireAnswer> {
  const headers = { ...request.headers, 'payment-signature': header };
  try {
    return await ports.transport.send({ ...request, headers });
  } catch (error) {
    throw withPayment(error, 'open');
  }
}
