import type { SettleOutcome } from '../../facilitator/facilitator.ts';

/**
 * Words of a verification, which comes before the transaction is sent. Those about the payload are many, and long ones arrive
 * shortened.
 * @see https://github.com/x402-foundation/x402/tree/main/typescript/packages/mechanisms/svm
 */
const ABOUT_PAYLOAD = 'invalid_exact_svm_payload_';
const VERIFICATION_WORDS: ReadonlySet<string> = new Set([
  'invalid_exact_svm_fee_payer_mismatch',
  'invalid_exact_svm_transaction_simulation_failed',
  'invalid_exact_svm_verification_failed',
]);

/** Whether a facilitator that refuses a settlement with this word has sent nothing. */
export const isWordOfVerification = (word: string): boolean =>
  VERIFICATION_WORDS.has(word) || word.startsWith(ABOUT_PAYLOAD);

/**
 * Any other word may come after the transaction was sent (`transaction_failed`): for a minute it can still be carried out, though
 * the chain does not show it yet. Who paid anew would pay twice.
 */
export function judgeRefusalWord(outcome: SettleOutcome): SettleOutcome {
  if (outcome.kind !== 'refused' || isWordOfVerification(outcome.reason)) return outcome;
  const { reason, kind: _, ...named } = outcome;
  return { kind: 'unknown', detail: reason, ...named };
}
