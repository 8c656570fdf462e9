import * as z from 'zod';
import { formatIsoTimestamp } from '../lib/time.ts';
import { resultClaims, type ResultClaims } from './result-statement.ts';
import { signClaims, type SignedClaims } from './signed-claims.ts';
import type { SigningKey } from './signing-key.ts';

/** What a receipt says beside the statement of its result. Texts of ASCII, as there. */
export const receiptClaims = resultClaims.extend({
  /** How it was paid, in the ledger's word: `x402`, `transfer`, `credits`. */
  rail: z.string(),
  /** The ledger's name of the payment: one payment has one, and buys one result. */
  payment_id: z.string(),
  /** CAIP-2, and the transaction there; absent for credits, which move nothing on a chain. */
  network: z.string().optional(),
  transaction: z.string().optional(),
  payer: z.string().optional(),
  /** Micro-USDC, or millionths of a USD for credits; and the same in USD. */
  amount: z.string(),
  amount_usd: z.string(),
  paid_at: z.string(),
});
export type ReceiptClaims = z.infer<typeof receiptClaims>;

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
