import type { SoldAs } from '../ledger/protocol.ts';

/** A top-up under way: credited when the ledger says that this payment was sold as this pack, and not before. */
export type PledgeRequest = { paymentKey: string; shard: string; capability: string; amountMicroUsdc: number };
/**
 * `credited` stays for good: that a payment is credited once must not rest on what another object still remembers. `lost`
 * stays too, for an operator to look at: the ledger knew the payment, and forgot it before it said how it ended.
 * `wasSeen`: the ledger knew the payment when it was asked.
 */
export type Pledge = PledgeRequest & { pledgedAtMs: number; phase: 'open' | 'credited' | 'lost'; wasSeen?: true };

/**
 * A pledge that the ledger knows nothing of is dropped after this, in milliseconds. Longer than an authorization can be
 * valid; who pays later does the work again, which pledges again.
 */
const PLEDGE_KEPT_MS = 2 * 3_600_000;
/** Between two looks at the ledger: as long as the pledge is old, within these limits. A top-up is kept there for 31 days. */
const LOOK_SOONEST_MS = 60_000;
const LOOK_LATEST_MS = 3_600_000;

/** One pledge per payment and pack: a payment that failed to buy one pack may buy another, and only one of them is sold. */
export const pledgeId = ({ paymentKey, capability }: PledgeRequest): string => `${paymentKey} ${capability}`;

/** What the ledger's word means for an open pledge. `amountMicroUsdc` is never more than what was paid. */
export function judgePledge(
  pledge: Pledge,
  sold: SoldAs,
  nowMs: number,
): { verdict: 'keep' | 'drop' | 'lose' } | { verdict: 'credit'; amountMicroUsdc: number } {
  if (sold.state === 'unsettled') return { verdict: 'keep' };
  if (sold.state === 'absent') {
    if (nowMs - pledge.pledgedAtMs <= PLEDGE_KEPT_MS) return { verdict: 'keep' };
    return { verdict: pledge.wasSeen ? 'lose' : 'drop' };
  }
  if (sold.capability !== pledge.capability) return { verdict: 'drop' }; // It bought something else in the end.
  return { verdict: 'credit', amountMicroUsdc: Math.min(pledge.amountMicroUsdc, sold.amountMicroUsdc) };
}

/** When the ledger is asked about an open pledge next, in Unix milliseconds. */
export const nextPledgeLookMs = ({ pledgedAtMs }: Pledge, nowMs: number): number =>
  nowMs + Math.min(Math.max(nowMs - pledgedAtMs, LOOK_SOONEST_MS), LOOK_LATEST_MS);
