import { type SellerCheck, X402_EXACT, X402_SPEC } from '../seller-check.ts';

type Row = Omit<SellerCheck, 'judge'>;

const ISSUES = 'https://github.com/coinbase/x402/issues';

/** The attempts, in their order. */
export const attemptRows = {
  forged: {
    id: 'seller.pays.forged-signature',
    title: 'A forged signature buys nothing',
    failureTitle: 'Verify the signature before anything is delivered',
    weight: 5,
    grade: 'A',
    why: 'Everything but the signature of a payment can be made up by anyone.',
    source: X402_EXACT,
    fix: 'Verify each payment with a facilitator, and deliver only what is settled.',
  },
  wrongAmount: {
    id: 'seller.pays.wrong-amount',
    title: 'A payment of less than the price buys nothing',
    failureTitle: 'Compare the signed amount with your price',
    weight: 5,
    grade: 'A',
    why: 'The amount in `accepted` is what the buyer says; the signed one is what is paid.',
    source: X402_EXACT,
    fix: 'Send your own terms to the facilitator, and never those of the payment.',
  },
  wrongNetwork: {
    id: 'seller.pays.wrong-network',
    title: 'A payment that names another network buys nothing',
    failureTitle: 'Refuse payments for networks that you do not offer',
    weight: 4,
    grade: 'A',
    why: 'On a test network the same token is worth nothing.',
    source: X402_SPEC,
    fix: 'Compare `accepted` with the terms that you offer.',
  },
  expired: {
    id: 'seller.pays.expired',
    title: 'A payment that has ended buys nothing',
    failureTitle: 'Refuse payments whose time is over',
    weight: 4,
    grade: 'A',
    why: 'It can no longer be settled: what is delivered for it is a gift.',
    source: X402_EXACT,
    fix: 'Compare validBefore with your clock before the work, and settle before you deliver.',
  },
  honest: {
    id: 'seller.pays.honest',
    title: 'An honest payment buys',
    failureTitle: 'Deliver what is paid for',
    weight: 5,
    grade: 'A',
    why: 'It is what all the rest is for.',
    source: X402_SPEC,
    fix: 'Buy from yourself with the official client, on a test network.',
  },
  replay: {
    id: 'seller.pays.replay',
    title: 'The same payment does not buy twice',
    failureTitle: 'Remember each payment, and refuse it the second time',
    weight: 5,
    grade: 'A',
    why: 'A payment is public once it is settled. Anyone who sends it again gets the work for nothing.',
    source: `${ISSUES}/803`,
    fix: 'Store the payer and nonce of each payment. Answer a repeat with the stored answer, or refuse it.',
  },
  otherRoute: {
    id: 'seller.pays.other-route',
    title: 'A payment for one route does not buy at another',
    failureTitle: 'Bind each payment to its route',
    weight: 4,
    grade: 'B',
    why: 'At equal prices one payment would buy at every route.',
    source: X402_SPEC,
    fix: 'Keep one record of payments for all routes, and compare resource.url.',
  },
  doubleSpend: {
    id: 'seller.pays.double-spend',
    title: 'Two copies of a payment at the same time buy once',
    failureTitle: 'Claim a payment before the work begins',
    weight: 5,
    grade: 'B',
    why: 'Both copies verify before either is settled: the work is done twice and paid once.',
    source: `${ISSUES}/803`,
    fix: 'Write the payment into a store that only one request can win, then verify, work and settle.',
  },
  lostAnswer: {
    id: 'seller.pays.lost-answer',
    title: 'A buyer whose answer is lost gets it by asking again',
    failureTitle: 'Deliver again to a buyer who lost the answer',
    weight: 4,
    grade: 'B',
    why: 'A connection breaks after the payment is settled. A 402 to the repeat makes the buyer pay twice.',
    source: `${ISSUES}/1062`,
    fix: 'Store the answer with the payment, and give it to the buyer who sends the same payment with its secret.',
  },
} as const satisfies Record<string, Row>;

export type AttemptName = keyof typeof attemptRows;
export const attemptNames = Object.keys(attemptRows) as readonly AttemptName[];
