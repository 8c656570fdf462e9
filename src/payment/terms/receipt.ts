import type { SettleResponse } from '@x402/core/types';
import { encodeTextAsBase64 } from './bytes.ts';
import { formatUsdAmount } from './constants.ts';
import { BASE, type SaleNetwork } from './networks-data.ts';
import type { Sale } from '../ledger/protocol.ts';
import { getShownMethod, type PaidBy } from '../rails/rail-ids.ts';

/** `payment` of the 200 envelope. `settled_at` is RFC 3339 in UTC. */
export type EnvelopePayment = {
  method: PaidBy;
  transaction: string;
  network: SaleNetwork['id'];
  payer: string;
  amount: string;
  amount_usd: string;
  settled_at: string;
};

/** The buyer's own receipt. It belongs into the buyer's answer only, never into a stored or shared report (rule P28). */
export function buildEnvelopePayment(sale: Sale, { id }: SaleNetwork = BASE): EnvelopePayment {
  return {
    method: getShownMethod(sale.method, sale.rail),
    transaction: sale.transaction,
    network: id,
    payer: sale.payer,
    amount: String(sale.amountMicroUsdc),
    amount_usd: formatUsdAmount(sale.amountMicroUsdc),
    settled_at: new Date(sale.settledAtMs).toISOString(),
  };
}

/**
 * The PAYMENT-RESPONSE value of a sale: the same for every repeat of the request.
 * @param extensions what it says beside the payment, by the names of extensions of x402
 */
export function formatPaymentResponse(
  sale: Sale,
  { id }: SaleNetwork = BASE,
  extensions?: Readonly<Record<string, object>>,
): string {
  const response: SettleResponse = {
    success: true,
    transaction: sale.transaction,
    network: id,
    payer: sale.payer,
    amount: String(sale.amountMicroUsdc),
    ...(extensions === undefined ? {} : { extensions }),
  };
  return encodeTextAsBase64(JSON.stringify(response));
}

/** The PAYMENT-RESPONSE value of a settlement that was refused: it goes with the 402. `word` is the facilitator's. */
export function formatRefusedPaymentResponse(word: string, payer: string, { id }: SaleNetwork = BASE): string {
  const response: SettleResponse = { success: false, errorReason: word, transaction: '', network: id, payer };
  return encodeTextAsBase64(JSON.stringify(response));
}
