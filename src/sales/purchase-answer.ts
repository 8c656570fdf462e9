import type { PaymentReason } from '../payment/terms/reasons.ts';
import type { ProblemInput } from '../problems/problem.ts';

/**
 * How a purchase ended. `sold` is 200 with the stored result and its payment; `pay_anew` is 402 with fresh terms
 * and the reason; everything else is a problem. 402 means "a new payment is the right next step" and nothing else.
 */
export type PurchaseAnswer =
  | { kind: 'sold'; reportId: string; body: string; headers: Readonly<Record<string, string>>; isRepeat: boolean }
  | { kind: 'pay_anew'; reason: PaymentReason; detail?: string; paymentResponse?: string }
  | { kind: 'problem'; problem: ProblemInput };
