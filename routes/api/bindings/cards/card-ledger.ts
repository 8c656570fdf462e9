import { CARD_LEDGER_OBJECT, type CardLedgerObject } from '../../../../src/payment/cards/protocol.ts';
import { createCardLedgerClient } from '../../../../src/sales/credit-accounts.ts';
import type { Env } from '../env.ts';

/** The purchases by card of this deployment; undefined for one from before there were any. */
export function openCardLedger(
  { CARD_LEDGER }: Pick<Env, 'CARD_LEDGER'>,
  log: (event: Record<string, unknown>) => void,
): CardLedgerObject | undefined {
  if (CARD_LEDGER === undefined) return undefined;
  return createCardLedgerClient(() => CARD_LEDGER.getByName(CARD_LEDGER_OBJECT), log);
}
