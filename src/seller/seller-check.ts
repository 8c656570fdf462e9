import { type CheckOutcome, verdict } from '../audit/core/check.ts';
import type { SellerReading } from './reading/sighting.ts';
import type { MppChallenge } from './reading/mpp-challenges.ts';
import type { X402Terms } from './reading/x402-terms.ts';

/** One thing that is asked of a seller. `grade`: A where a specification says it, B where clients were measured, C by convention. */
export type SellerCheck = {
  id: `seller.${string}`;
  /** What holds where it passes. */
  title: string;
  /** What to do where it does not, as an order. */
  failureTitle: string;
  weight: number;
  grade: 'A' | 'B' | 'C';
  why: string;
  source: string;
  fix: string;
  judge: (reading: SellerReading) => CheckOutcome;
};

type Texts = Omit<SellerCheck, 'judge'>;

export const defineSellerCheck = (row: SellerCheck): SellerCheck => row;

const NO_TERMS = 'No answer with payment terms was read';

/** A row about terms of x402: it does not apply to a seller that is paid by MPP alone. */
export const defineX402Check = (
  row: Texts & { judge: (terms: X402Terms, reading: SellerReading) => CheckOutcome },
): SellerCheck => ({
  ...row,
  judge(reading) {
    const { x402, mpp } = reading;
    if (x402.state === 'read') return row.judge(x402.terms, reading);
    if (x402.state === 'broken') return verdict.unknown(`The terms cannot be read: ${x402.why}`);
    return mpp.state === 'read' ? verdict.notApplicable('The seller is paid by MPP alone') : verdict.unknown(NO_TERMS);
  },
});

/** A row about challenges of MPP. */
export const defineMppCheck = (
  row: Texts & { judge: (challenges: readonly MppChallenge[], reading: SellerReading) => CheckOutcome },
): SellerCheck => ({
  ...row,
  judge(reading) {
    const { x402, mpp, offered } = reading;
    if (mpp.state === 'read') return row.judge(mpp.challenges, reading);
    if (offered === undefined) return verdict.unknown(NO_TERMS);
    return x402.state === 'none' ? verdict.unknown(NO_TERMS) : verdict.notApplicable('The seller does not offer MPP');
  },
});

/** A row about the answer that has the terms, by whatever protocol. */
export const defineOfferCheck = (
  row: Texts & { judge: (offered: NonNullable<SellerReading['offered']>, reading: SellerReading) => CheckOutcome },
): SellerCheck => ({
  ...row,
  judge: (reading) => (reading.offered === undefined ? verdict.unknown(NO_TERMS) : row.judge(reading.offered, reading)),
});

export const X402_SPEC = 'https://github.com/x402-foundation/x402/blob/main/specs/x402-specification-v2.md';
export const X402_HTTP = 'https://github.com/x402-foundation/x402/blob/main/specs/transports-v2/http.md';
export const X402_EXACT = 'https://github.com/x402-foundation/x402/blob/main/specs/schemes/exact/scheme_exact_evm.md';
export const X402_BAZAAR = 'https://github.com/x402-foundation/x402/blob/main/specs/extensions/bazaar.md';
export const X402SCAN = 'https://github.com/Merit-Systems/x402scan/blob/main/docs/DISCOVERY.md';
export const PAYMENT_AUTH = 'https://datatracker.ietf.org/doc/draft-httpauth-payment/';
export const PAYMENT_DISCOVERY = 'https://paymentauth.org/draft-payment-discovery-00.html';
export const HTTP_SEMANTICS = 'https://www.rfc-editor.org/rfc/rfc9110';
export const HTTP_CACHING = 'https://www.rfc-editor.org/rfc/rfc9111';
export const FETCH_CORS = 'https://fetch.spec.whatwg.org/#http-cors-protocol';
