import { formatIsoTimestamp } from '../lib/time.ts';
import { signClaims, type SignedClaims } from './signed-claims.ts';
import type { SigningKey } from './signing-key.ts';

/** What each number of delivery figures says, and what none of them does: part of what is signed. */
const MEANING = {
  delivered: 'Paid, and the result is with its buyer',
  refused: 'A good payment without a result: nothing was charged; a later try counts again',
  refunded:
    'Charged, and given back, wholly or partly, in the week of that: to the card, or as credits; payments on a chain never are',
  p50_ms: 'Half of the timed deliveries took at most this from claim to settlement, in steps of 19 %',
  p95_ms: 'The same of 95 % of them',
  timed: 'Deliveries with a payment of their own whose time was recorded',
  shards_unread: 'Of the 256 parts of the ledger, those that could not be read: what they hold is missing here',
  not_counted:
    'Requests without a payment, payments that were not good, free runs of monitors, refused calls on credits, disputes of card payments',
} as const;

export type DeliveryFacts = {
  issuer: string;
  weeks: number;
  since: string;
  rows: readonly object[];
  /** Shards of the ledger that are missing in it. */
  unread: number;
  nowMs: number;
};

/** Delivery figures as they are published. `jws` is null where the service has no key. */
export async function buildDeliverySummary(
  { issuer, weeks, since, rows, unread, nowMs }: DeliveryFacts,
  key: SigningKey | undefined,
): Promise<SignedClaims<object> | { claims: object; jws: null }> {
  const claims = {
    issuer,
    issued_at: formatIsoTimestamp(nowMs),
    since,
    weeks,
    rows,
    shards_unread: unread,
    meaning: MEANING,
  };
  return key === undefined ? { claims, jws: null } : signClaims(claims, 'delivery-summary', key);
}
