import { DatabaseSync } from 'node:sqlite';
import { createStandIn } from '../../../local/stripe/stand-in.ts';
import { createCardBook } from '../../../src/payment/cards/book.ts';
import { type CardDesk, type CardPorts, createCardDesk } from '../../../src/payment/cards/desk.ts';
import { readCardEvent } from '../../../src/payment/cards/events.ts';
import type { CardOrder } from '../../../src/payment/cards/purchases.ts';
import type { Received } from '../../../src/payment/cards/protocol.ts';
import { openCardRows } from '../../../src/payment/cards/rows.ts';
import { verifyCardEvent } from '../../../src/payment/cards/event-signature.ts';
import { type CardService, createRemoteStripe } from '../../../src/payment/cards/remote-stripe.ts';
import { openStripe } from '../../../src/payment/cards/stripe-client.ts';
import type { StripePort } from '../../../src/payment/cards/stripe-port.ts';
import { createCreditBook } from '../../../src/payment/credits/account.ts';
import { openCreditRows } from '../../../src/payment/credits/rows.ts';
import { openSql } from '../management/sqlite.ts';

export const SECRET_KEY = 'sk_test_card_world';
export const WEBHOOK_SECRET = 'whsec_card_world';
const START_MS = Date.UTC(2026, 10, 28, 12);
/** Where the buyer comes back to. */
export const PLACES = {
  returnUrl: 'https://service.test/back',
  cancelUrl: 'https://service.test/no',
  title: '5 USD of credits',
};

/** What does not reach the Worker of models, or does not come back from it. */
type Lost = 'nothing' | 'calls' | 'answers';

/** What the network does to calls of the API. */
type Network = (send: () => Promise<Response>, request: Request) => Promise<Response>;

/**
 * Purchases by card, the credits of accounts and the stand-in of Stripe, with a clock that tests move. As deployed,
 * the official SDK is behind a call to another Worker; it speaks to the stand-in; its events come in as at the route: verified by the SDK, read, and received.
 */
export async function openCardWorld() {
  let nowMs = START_MS;
  let network: Network = (send) => send();
  const received: Received[] = [];
  const logs: Record<string, unknown>[] = [];
  const books = new Map<string, ReturnType<typeof createCreditBook>>();
  const credits = (object: string) => {
    const known = books.get(object);
    if (known !== undefined) return known;
    const made = createCreditBook(openCreditRows(openSql(new DatabaseSync(':memory:'))), () => nowMs);
    books.set(object, made);
    return made;
  };
  let creditsFail = false;
  const rows = openCardRows(openSql(new DatabaseSync(':memory:')));
  const book = createCardBook(rows, () => nowMs);
  const standIn = createStandIn({
    secretKey: SECRET_KEY,
    webhookSecrets: [WEBHOOK_SECRET],
    url: () => 'https://stripe.test',
    webhookUrl: () => 'https://service.test/webhooks/stripe',
    send: (_url, init) => answerWebhook(init ?? {}),
    now: () => nowMs,
  });
  const answerApi = (...sent: Parameters<typeof fetch>): Promise<Response> => {
    const request = new Request(...sent);
    return network(() => standIn.answer(request.clone()), request);
  };
  let lost: Lost = 'nothing';
  /** The Worker of models, as far as cards ask it: what goes there and back is copied. */
  const service: CardService = {
    callStripe: async (account, method, ...args) => {
      if (lost === 'calls') throw new Error('the Worker does not answer');
      const port = openStripe({ ...structuredClone(account), fetch: answerApi });
      const answered = structuredClone(await port[method](...structuredClone(args)));
      if (lost === 'answers') throw new Error('the Worker was ended');
      return answered;
    },
    judgeCardEvent: verifyCardEvent,
  };
  let stripe: StripePort | undefined = createRemoteStripe(service, { secretKey: SECRET_KEY, isLive: false });
  const ports: CardPorts = {
    step: (step) => step(book),
    stripe: async () => stripe,
    credits: (object) => ({
      applyCard: async (target) => {
        if (creditsFail) throw new Error('the account does not answer');
        return credits(object).applyCard(target);
      },
      holdCard: async (hold) => {
        if (creditsFail) throw new Error('the account does not answer');
        return credits(object).holdCard(hold);
      },
    }),
    now: () => nowMs,
    log: (_level, event) => void logs.push(event),
  };
  const desk = createCardDesk(ports);
  let receiver: Pick<CardDesk, 'receive'> = desk;
  async function answerWebhook(init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    const verified = await verifyCardEvent(
      new Uint8Array(await new Response(init.body ?? null).arrayBuffer()),
      headers.get('stripe-signature') ?? undefined,
      { secrets: [WEBHOOK_SECRET], nowMs },
    );
    const read = verified.verdict === 'good' ? readCardEvent(verified.value, false) : undefined;
    if (read?.ok !== true) return new Response(null, { status: 400 });
    received.push(await receiver.receive(read.event));
    return new Response(null, { status: 200 });
  }
  let orders = 0;
  const nextOrder = (changes: Partial<CardOrder> = {}): CardOrder => {
    orders += 1;
    const id = String(orders).padStart(32, '0');
    return { id, account: 'a1', creditObject: 'a1', pack: 'credits_5', cents: 500, ...changes };
  };
  const begin = (order: CardOrder) => desk.begin(order, PLACES);
  const pay = (url: string, by: 'card' | 'bank' = 'card', number = '4242 4242 4242 4242'): Promise<Response> =>
    standIn.answer(new Request(url, { method: 'POST', body: new URLSearchParams({ by, number }) }));
  return {
    desk,
    book,
    rows,
    standIn,
    received,
    logs,
    credits,
    /** What the desk calls, for another desk over the same rows. */
    ports,
    /** Which desk gets the events. */
    receiveBy: (next: Pick<CardDesk, 'receive'>): void => {
      receiver = next;
    },
    /** A request to the webhook. @returns its status */
    deliver: async (body: string, signature: string): Promise<number> =>
      (await answerWebhook({ body, headers: { 'stripe-signature': signature } })).status,
    now: () => nowMs,
    advance: (ms: number): void => {
      nowMs += ms;
    },
    setNetwork: (next: Network): void => {
      network = next;
    },
    lose: (next: Lost): void => {
      lost = next;
    },
    setCreditsFail: (fails: boolean): void => {
      creditsFail = fails;
    },
    turnOff: (): void => {
      stripe = undefined;
    },
    balance: (account = 'a1'): number => credits(account).view().balanceMicroUsdc,
    kinds: (account = 'a1'): readonly string[] =>
      credits(account)
        .lines({ limit: 50 })
        .lines.map(({ kind }) => kind),
    order: nextOrder,
    begin,
    pay,
    /** Opens a session and pays on its page. @returns the purchase, and its payment at the stand-in */
    buy: async (by: 'card' | 'bank' = 'card', changes: Partial<CardOrder> = {}) => {
      const order = nextOrder(changes);
      const begun = await begin(order);
      if (!begun.ok) throw new Error(begun.reason);
      const sessionId = begun.url.slice(begun.url.lastIndexOf('/') + 1);
      await pay(begun.url, by);
      const payment = [...standIn.books.payments.values()].find(({ session }) => session === sessionId);
      if (payment === undefined) throw new Error('nothing was paid');
      return { order, sessionId, payment };
    },
    /** Spends credits by a call. */
    spend: (amountMicroUsdc: number, account = 'a1'): string => {
      const id = `call-${amountMicroUsdc}-${nowMs}`;
      const about = { id, fingerprint: id, capability: 'check_health', clientId: 'c', capMicroUsdc: 1e9 };
      const { outcome } = credits(account).reserve({ ...about, amountMicroUsdc, authorizedAtMs: nowMs });
      if (outcome === 'reserved') credits(account).capture(id, 1, 'report');
      return outcome;
    },
    state: (id: string) => book.view(id)?.state,
  };
}

export type CardWorld = Awaited<ReturnType<typeof openCardWorld>>;
