import { formatIsoTimestamp } from '../lib/time.ts';
import type { ResultClaims } from './result-statement.ts';
import { signClaims, type SignedClaims } from './signed-claims.ts';
import type { SigningKey } from './signing-key.ts';

/** What a receipt says beside the statement of its result. Texts of ASCII, as there. */
export type ReceiptClaims = ResultClaims & {
  /** How it was paid, in the ledger's word: `x402`, `x402-svm`, `mpp`, `transfer`, `credits`. */
  rail: string;
  /** The ledger's name of the payment: one payment has one, and buys one result. */
  payment_id: string;
  /** CAIP-2, and the transaction there; absent for credits, which move nothing on a chain. */
  network?: string;
  transaction?: string;
  payer?: string;
  /** Micro-USDC, or millionths of a USD for credits; and the same in USD. */
  amount: string;
  amount_usd: string;
  paid_at: string;
};

/** Claims that every receipt has, beside those of a statement. */
export const RECEIPT_CLAIMS = ['rail', 'payment_id', 'amount', 'amount_usd', 'paid_at'] as const;

/** What was paid for a result, and how. */
export type ReceiptFacts = {
  rail: string;
  paymentId: string;
  amount: string;
  amountUsd: string;
  paidAtMs: number;
  /** Absent for credits. */
  onChain?: { network: string; transaction: string; payer: string };
};

/** The receipt of a purchase, for its buyer alone (rule P28): it is stored nowhere, and made again for each repeat. */
export function signReceipt(
  statement: ResultClaims,
  { rail, paymentId, amount, amountUsd, paidAtMs, onChain }: ReceiptFacts,
  key: SigningKey,
): Promise<SignedClaims<ReceiptClaims>> {
  const claims = {
    ...statement,
    rail,
    payment_id: paymentId,
    ...onChain,
    amount,
    amount_usd: amountUsd,
    paid_at: formatIsoTimestamp(paidAtMs),
  };
  return signClaims(claims, 'purchase-receipt', key);
}
