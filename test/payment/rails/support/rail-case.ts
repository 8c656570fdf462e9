import type { RailId } from '../../../../src/payment/rails/rail-ids.ts';
import type { SaleNetwork } from '../../../../src/payment/terms/networks-data.ts';
import type { PaymentReason } from '../../../../src/payment/terms/reasons.ts';
import type { Payer } from '../../../sales/model/money.ts';
import type { Order, Shown, World } from './world.ts';

/** How a payment differs from an honest one that pays for its order. */
export type PayTerms = {
  payer?: Payer;
  /** Whose key signs; the payer's own where absent. */
  signer?: Payer;
  /** What is signed or sent, in micro-USDC. */
  microUsdc?: number;
  payTo?: string;
  network?: SaleNetwork;
  /** The resource that the client says it pays for. */
  resource?: string;
  /** The credential carries no secret of ours. */
  isSecretless?: boolean;
  /** The client's own name for the purchase. */
  identifier?: string;
  nonce?: `0x${string}`;
  /** For how long an authorization is good, or how old a transfer is, in seconds. */
  lifeS?: number;
  ageS?: number;
  /** Members of `accepted.extra`, or what the rail has in its place. */
  extra?: Record<string, unknown>;
};

/** A payment that was made for a test: how it is shown, and what is known of it. */
export type Paid = Shown & {
  payer: Payer;
  /** Where the ledger has it: the text of its shard, and its key. */
  place: () => { text: string; key: string };
};

/** What the tests of the table know of one rail. */
export type RailCase = {
  id: RailId;
  flow: 'authorization' | 'made';
  /** Where its payments of these tests are made. */
  network: SaleNetwork;
  /** What is not ours: test networks, signed for and merely named; another payee; and a transaction that never was. */
  foreign: { networks: readonly SaleNetwork[]; payTo: string; transaction: string };
  /** What a payment without money is answered with, where a facilitator says so. */
  wordOfPoor: PaymentReason;
  /** A word of a facilitator that refuses a settlement, after which nothing was sent. */
  wordOfUnsent: string;
  /** What a payment that can never be settled any more is answered with, once the ledger has let it go. */
  wordOfEnded: PaymentReason;
  /** An honest payment for an order, but for `terms`, ready to be presented. */
  pay: (world: World, order?: Partial<Order>, terms?: PayTerms) => Promise<Paid>;
  /** The same payment as who watches the chain can show it: nothing in it that only its payer has. */
  rebuild: (world: World, paid: Paid) => Promise<Shown>;
  /** The same payment, shown again by its payer in a credential that is as good. */
  showAgain: (world: World, paid: Paid, order?: Partial<Order>) => Promise<Paid>;
  /** Other spellings of the same credential. */
  respell: (paid: Paid) => readonly Shown[];
  /** Credentials of this rail that no parser takes. */
  garbage: (paid: Paid) => readonly Shown[];
};
