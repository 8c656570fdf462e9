import { creditPacks } from '../capabilities/credit-packs.ts';
import { readCardKeys } from '../payment/cards/keys.ts';
import type { CardLedgerObject } from '../payment/cards/protocol.ts';
import { reach } from './ledger-client.ts';
import { getPaymentNetwork } from './seller.ts';
import { type ApiWorkerSettings, isClosedForSale } from './settings.ts';

const CENTS_PER_DOLLAR = 100;

/** A pack as a card pays it: its price is that in USDC, to the cent. */
export function findCardPack(dollars: string): { pack: string; cents: number; dollars: number } | undefined {
  const row = creditPacks.find((one) => String(one.dollars) === dollars);
  return row && { pack: row.name, cents: row.dollars * CENTS_PER_DOLLAR, dollars: row.dollars };
}

/** Whether cards buy credits here now. */
export const canSellByCard = (settings: ApiWorkerSettings, isLocal: boolean): boolean =>
  !isClosedForSale(settings) && readCardKeys(settings, { network: getPaymentNetwork(settings), isLocal }).ok;

type Log = (event: Record<string, unknown>) => void;

/**
 * The purchases by card as the Worker sees them: whatever goes wrong on the way to their object is LedgerUnavailable
 * (rule P31).
 * @param object looks the object up, each time
 */
export function createCardLedgerClient(object: () => CardLedgerObject, log: Log): CardLedgerObject {
  const callStub = <T>(method: string, call: () => Promise<T>): Promise<T> => reach(log, `cards.${method}`, call);
  return {
    begin: (order, places) => callStub('begin', () => object().begin(order, places)),
    visit: (id, account) => callStub('visit', () => object().visit(id, account)),
    receive: (event) => callStub('receive', () => object().receive(event)),
    purchases: (asked) => callStub('purchases', () => object().purchases(asked)),
    purchase: (id) => callStub('purchase', () => object().purchase(id)),
    refund: (asked) => callStub('refund', () => object().refund(asked)),
    days: (sinceDay) => callStub('days', () => object().days(sinceDay)),
    endOpen: (account) => callStub('endOpen', () => object().endOpen(account)),
  };
}
