import type { FetchLimits } from '../net/fetch-budget.ts';

const MIB = 1024 * 1024;

/** Requests to one seller. */
export const MAX_SELLER_REQUESTS = 16;
/** Ways to pay of one seller that are judged, of x402 and of MPP. */
export const MAX_JUDGED_WAYS = 20;
/** Header of terms that every client takes, and the one that many proxies stop at, in bytes. */
export const GOOD_TERMS_BYTES = 4_096;
export const MAX_TERMS_BYTES = 8_192;
/** Names and values of all headers of one answer: Node and most proxies stop at 16 KiB. */
export const MAX_HEADERS_BYTES = 16_384;
/** Decoded bytes that are kept of an answer of the endpoint, and of a document about it. */
export const MAX_ENDPOINT_BYTES = 256 * 1024;
export const MAX_SELLER_DOCUMENT_BYTES = 2 * MIB;
/** A price over this is more likely a slip of decimals than a price, in micro-USDC. */
export const MAX_SANE_MICRO_USDC = 1_000_000_000;
/** Wall limit of reading one seller, in seconds. */
export const SELLER_WORST_CASE_S = 45;

/** Limits of the requests to one seller. Redirects are never followed: what is paid for is at the named address. */
export const SELLER_FETCH_LIMITS: Partial<FetchLimits> = {
  requests: MAX_SELLER_REQUESTS,
  totalBytes: 8 * MIB,
  wallMs: 30_000,
  fetchMs: 10_000,
  foreignDomains: 0,
};
