import type { CardEvent } from './events.ts';
import type { CardOrder, CardPurchaseState } from './purchases.ts';
import type { RefundOrder } from './reversals.ts';
import type { CardDay, CardOverdraft } from './rows.ts';

/** The one object of a deployment that has the purchases by card. */
export const CARD_LEDGER_OBJECT = 'cards';

/** Where the buyer comes back to, and what the hosted page calls the pack. */
export type CheckoutPlaces = { returnUrl: string; cancelUrl: string; title: string };

export type Checkout =
  | { ok: true; url: string }
  /** `unknown`: Stripe did not answer; the same form again asks for the same session. */
  | { ok: false; reason: 'off' | 'too_many_open' | 'form_used' | 'refused' | 'unknown' };

/** What a page or a list shows of a purchase. `unspent` cents are not known here: the account has them. */
export type CardPurchaseView = {
  id: string;
  account: string;
  pack: string;
  cents: number;
  atMs: number;
  state: CardPurchaseState;
  paidAtMs?: number;
  /** Of a purchase that waits for its buyer. */
  url?: string;
  refundedCents: number;
  disputedCents: number;
  /** Whether the account's balance has all of this. */
  isSynced: boolean;
  /** Refunds that operators ordered. */
  refunds: readonly Pick<RefundOrder, 'id' | 'cents' | 'state' | 'atMs' | 'reason' | 'by' | 'failure'>[];
};

export type CardRefundRequest = Pick<RefundOrder, 'id' | 'purchaseId' | 'cents' | 'reason' | 'by'>;

export type CardRefundOutcome =
  | { ok: true; state: 'done' | 'under_way'; cents: number; isRepeat: boolean }
  | { ok: false; reason: CardRefundRefusal; unspentMicroUsdc?: number };

export type CardRefundRefusal =
  | 'off'
  | 'not_found'
  | 'not_paid'
  /** More than is left of the payment. */
  | 'too_much'
  /** The account has spent it, or a running call holds it. */
  | 'spent'
  | 'disputed'
  /** The form was used for another refund. */
  | 'form_used'
  | 'too_many'
  /** Stripe said no, and for good. */
  | 'refused';

export type Received = 'applied' | 'repeat' | 'unknown_session';

export type CardList = { account?: string; beforeMs?: number; limit: number };

/** Accounts that were below zero when a purchase of theirs was last written, and disputes that are open. */
export type CardsOwed = { overdrafts: readonly CardOverdraft[]; openDisputes: number };

/** The purchases by card, as the api Worker calls their object over RPC. */
export interface CardLedgerObject {
  begin(order: CardOrder, places: CheckoutPlaces): Promise<Checkout>;
  /** A purchase of this account; where its event is late Stripe is asked. */
  visit(id: string, account: string): Promise<CardPurchaseView | undefined>;
  receive(event: CardEvent): Promise<Received>;
  purchases(asked: CardList): Promise<readonly CardPurchaseView[]>;
  purchase(id: string): Promise<CardPurchaseView | undefined>;
  /** By its number, or what Stripe calls its session, payment, refund or dispute. */
  locate(reference: string): Promise<CardPurchaseView | undefined>;
  /** Which orders of which accounts were paid from one day (UTC) to another. */
  paidOn(fromDay: string, toDay: string): Promise<readonly { id: string; account: string }[]>;
  owed(): Promise<CardsOwed>;
  refund(asked: CardRefundRequest): Promise<CardRefundOutcome>;
  days(sinceDay: string): Promise<readonly CardDay[]>;
  /** Ends the sessions that an account has open. False: one of its payments is under way. */
  endOpen(account: string): Promise<boolean>;
}
