import { DurableObject } from 'cloudflare:workers';
import { DAY_MS } from '../src/lib/time.ts';
import { type CardBook, createCardBook } from '../src/payment/cards/book.ts';
import { type CardDesk, createCardDesk } from '../src/payment/cards/desk.ts';
import type { CardEvent } from '../src/payment/cards/events.ts';
import { type CardSettings, readCardKeys } from '../src/payment/cards/keys.ts';
import type {
  CardLedgerObject,
  CardList,
  CardPurchaseView,
  CardRefundOutcome,
  CardRefundRequest,
  CardsOwed,
  Checkout,
  CheckoutPlaces,
  Received,
} from '../src/payment/cards/protocol.ts';
import type { CardOrder } from '../src/payment/cards/purchases.ts';
import { type CardDay, openCardRows } from '../src/payment/cards/rows.ts';
import { type CardService, createRemoteStripe } from '../src/payment/cards/remote-stripe.ts';
import type { StripeAccount, StripePort } from '../src/payment/cards/stripe-port.ts';
import type { CreditAccountObject } from '../src/payment/credits/protocol.ts';
import { findPaymentNetwork } from '../src/payment/terms/networks-data.ts';

export type CardLedgerEnv = CardSettings & {
  CREDIT_ACCOUNT: DurableObjectNamespace;
  PAYMENT_NETWORK?: string;
  MODELS?: CardService;
};

/** What could not be done is tried again in this time, in milliseconds. */
const RETRY_MS = 30_000;
const FAILED_ALARM_RETRY_MS = 60_000;

/**
 * The purchases by card of a deployment: one object. Its alarm asks Stripe about those whose event is late, hands accounts
 * what they should have, and goes on with refunds whose outcome is not known.
 */
export class CardLedger extends DurableObject<CardLedgerEnv> implements CardLedgerObject {
  readonly #book: CardBook;
  readonly #desk: CardDesk;
  #stripe: StripePort | undefined;

  constructor(ctx: DurableObjectState, env: CardLedgerEnv) {
    super(ctx, env);
    this.#book = createCardBook(openCardRows(ctx.storage.sql), () => Date.now());
    this.#desk = createCardDesk({
      step: (step) => this.#transact(step),
      stripe: () => this.#findStripe(),
      credits: (object) => env.CREDIT_ACCOUNT.getByName(object) as unknown as CreditAccountObject, // The class implements it.
      now: () => Date.now(),
      log: (level, event) => console[level === 'error' ? 'error' : 'log'](JSON.stringify(event)),
    });
  }

  /** What only the entry of the local stack says: another address of Stripe's API, which charges nothing. */
  protected get localApiUrl(): string | undefined {
    return undefined;
  }

  /** Stripe by the Worker of models, which has its SDK; the local stack's object asks by itself. */
  protected async openStripe(account: StripeAccount): Promise<StripePort> {
    return createRemoteStripe(this.env.MODELS, account);
  }

  async begin(order: CardOrder, places: CheckoutPlaces): Promise<Checkout> {
    return this.#armed(() => this.#desk.begin(order, places));
  }

  async visit(id: string, account: string): Promise<CardPurchaseView | undefined> {
    return this.#armed(() => this.#desk.visit(id, account));
  }

  async receive(event: CardEvent): Promise<Received> {
    return this.#armed(() => this.#desk.receive(event));
  }

  async refund(asked: CardRefundRequest): Promise<CardRefundOutcome> {
    return this.#armed(() => this.#desk.refund(asked));
  }

  async endOpen(account: string): Promise<boolean> {
    return this.#armed(() => this.#desk.endOpen(account));
  }

  async purchases(asked: CardList): Promise<readonly CardPurchaseView[]> {
    return this.#book.list(asked);
  }

  async purchase(id: string): Promise<CardPurchaseView | undefined> {
    return this.#book.view(id);
  }

  async locate(reference: string): Promise<CardPurchaseView | undefined> {
    return this.#book.locate(reference);
  }

  async paidOn(fromDay: string, toDay: string): Promise<readonly { id: string; account: string }[]> {
    return this.#book.paidOn(fromDay, toDay);
  }

  async owed(): Promise<CardsOwed> {
    return this.#book.owed();
  }

  async days(sinceDay: string): Promise<readonly CardDay[]> {
    return this.#book.days(sinceDay);
  }

  override async alarm(): Promise<void> {
    try {
      await this.#desk.work();
      await this.#arm();
    } catch (error) {
      // A thrown alarm is retried a few times and then forgotten, payments and all; a set one is not.
      console.error(JSON.stringify({ event: 'card_alarm_failed', reason: String(error).slice(0, 200) }));
      await this.ctx.storage.setAlarm(Date.now() + FAILED_ALARM_RETRY_MS);
    }
  }

  async #findStripe(): Promise<StripePort | undefined> {
    if (this.#stripe !== undefined) return this.#stripe;
    const network = findPaymentNetwork(this.env.PAYMENT_NETWORK);
    const read = readCardKeys(this.env, { network, isLocal: this.localApiUrl !== undefined });
    if (!read.ok) return undefined;
    const { secretKey, isLive } = read.keys;
    this.#stripe = await this.openStripe({ secretKey, isLive });
    return this.#stripe;
  }

  /** Does something, and sets the alarm for what it left to do, whether or not it ended well. */
  async #armed<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      await this.#arm();
    }
  }

  #transact<T>(step: (book: CardBook) => T): T {
    return this.ctx.storage.transactionSync(() => step(this.#book));
  }

  async #arm(): Promise<void> {
    const now = Date.now();
    const looks = this.#book.nextDueAtMs() ?? now + DAY_MS; // Once a day what is old is forgotten.
    const dueMs = this.#book.unsynced(1).length > 0 ? Math.min(looks, now + RETRY_MS) : looks;
    const setMs = await this.ctx.storage.getAlarm();
    if (setMs === null || setMs > dueMs) await this.ctx.storage.setAlarm(Math.max(dueMs, now));
  }
}
