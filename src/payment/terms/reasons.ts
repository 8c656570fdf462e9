import { type creditReasonRows, type ReasonRow, reasonRows } from './reasons-data.ts';

/** A stable `code` of a problem that only calls on prepaid credits meet. */
export type CreditReason = keyof typeof creditReasonRows;

/** A stable `code` of a payment problem. */
export type PaymentReason = keyof typeof reasonRows;

/** The wire form of a reason. */
export const getReasonRow = (reason: PaymentReason): ReasonRow => reasonRows[reason];

/**
 * Words of facilitators (an open set) that mean one of our reasons. The right column is exhaustive over what we answer
 * differently; everything else is `payment_refused` with the facilitator's word beside it.
 * @see https://github.com/x402-foundation/x402/blob/main/specs/x402-specification-v2.md
 */
const facilitatorWords: Readonly<Record<string, PaymentReason>> = {
  insufficient_funds: 'insufficient_funds',
  invalid_exact_evm_insufficient_balance: 'insufficient_funds',
  invalid_exact_evm_signature: 'invalid_signature',
  invalid_exact_svm_payload_signature_invalid: 'invalid_signature',
  invalid_exact_evm_payload_signature: 'invalid_signature',
  invalid_exact_evm_payload_authorization_valid_before: 'authorization_expired',
  invalid_exact_evm_payload_authorization_valid_after: 'authorization_not_yet_valid',
  // Its nonce is used or cancelled on chain, so this payment is consumed: never "pay again" (rule P13).
  invalid_exact_evm_nonce_already_used: 'payment_already_used',
};

/** Our reason for a refusal by a facilitator's `verify`. The word itself belongs into the detail. */
export const mapFacilitatorReason = (word: string): PaymentReason =>
  (Object.hasOwn(facilitatorWords, word) ? facilitatorWords[word] : undefined) ?? 'payment_refused';
