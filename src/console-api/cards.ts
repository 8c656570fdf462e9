import type {
  CardList,
  CardPurchaseView,
  CardRefundOutcome,
  CardRefundRequest,
  CardsOwed,
} from '../payment/cards/protocol.ts';
import type { CreditView } from '../payment/credits/protocol.ts';
import type { NotRead, ReadResult } from './operations.ts';
import type { NotAllowed } from './service.ts';

/** Purchases by card, newest first. `next`: there are older ones, before this time in Unix milliseconds. */
export type CardPurchasesPage = { purchases: readonly CardPurchaseView[]; next?: number };

/** One purchase, and what its account can give back. */
export type CardPurchasePage = { purchase: CardPurchaseView; credits: ReadResult<CreditView> | NotRead };

/** Accounts that are below zero because of a refund or a dispute, and open disputes. `isPartial`: an account did not answer. */
export type CardsOwedNow = CardsOwed & { isPartial: boolean };

/** Whose order it is says the session. */
export type ConsoleCardRefund = Omit<CardRefundRequest, 'by'>;
export type ConsoleCardOutcome = CardRefundOutcome | NotAllowed;

/** What `Operations` of the api Worker says of cards. An earlier version of it lacks these calls. */
export type CardFactsPort = {
  cardPurchases: (asked: CardList) => Promise<CardPurchasesPage>;
  /** Null where there is no such purchase. */
  cardPurchase: (asked: { id: string }) => Promise<CardPurchasePage | null>;
  cardsOwed: () => Promise<CardsOwedNow>;
};

/** What `ConsoleAccess` of the api Worker does about cards, by the hash of the session, which it judges itself. */
export type CardActsPort = {
  refundCard: (session: string, order: ConsoleCardRefund) => Promise<ConsoleCardOutcome>;
};
