import type { SoldAs } from '../ledger/protocol.ts';
import type { AdjustOrder, AdjustResult } from './adjustments.ts';
import type { CardApplied, CardBalance, CardHold, CardTarget } from './card-credits.ts';
import type { CreditLine } from './credit-line.ts';
import type { CreditEntries } from './entries.ts';
import type { CapturedCall, ReserveRequest, ReserveResult } from './credits.ts';

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
export const formatPledgeId = ({ paymentKey, capability }: PledgeRequest): string => `${paymentKey} ${capability}`;

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
export const computeNextPledgeLookMs = ({ pledgedAtMs }: Pledge, nowMs: number): number =>
  nowMs + Math.min(Math.max(nowMs - pledgedAtMs, LOOK_SOONEST_MS), LOOK_LATEST_MS);

/** What of an account its owner is shown, in micro-USDC. */
export type CreditView = {
  /** What calls can spend now. */
  balanceMicroUsdc: number;
  /** Held by calls that run now. */
  reservedMicroUsdc: number;
  /** Top-ups that were bought and are not seen settled yet. */
  pendingMicroUsdc: number;
  /** What clients spent in the last 24 hours or hold now. */
  clients: readonly { clientId: string; spentMicroUsdc: number }[];
};

/** A paid call of the account, by the report it made. `atMs`: when it was paid. */
export type CreditReport = { reportId: string; capability: string; amountMicroUsdc: number; atMs: number };

/** Lines of a month (`2026-11`, in UTC) or of all, newest first, from where a list before ended. */
export type CreditLineQuery = {
  month?: string | undefined;
  after?: Pick<CreditLine, 'atMs' | 'id'> | undefined;
  limit: number;
};

/** A part of the list, and the months that have lines, newest first. */
export type CreditLines = { lines: readonly CreditLine[]; months: readonly string[] };

/** What became of an account's balance when its owner gave the account up, or why nothing was done. */
export type Forfeited =
  | { ok: true; forfeitedMicroUsdc: number }
  /** A call runs, a top-up is not settled yet, or a refund to a card is under way. */
  | { ok: false; reason: 'credits_under_way' }
  /** The owner did not agree to lose them. */
  | { ok: false; reason: 'credits_left' };

/** The state of a call. `absent`: never was, or forgotten. */
export type CreditStanding =
  | { state: 'absent' }
  | { state: 'open' }
  | { state: 'captured'; fingerprint: string; reportId: string; amountMicroUsdc: number };

/**
 * One prepaid account, as the api Worker calls its object over RPC. What takes an `attempt` is a compare-and-set: it does
 * nothing and says so (`false`) when another attempt owns the call by now (rule P6).
 */
export interface CreditAccountObject {
  /** Remembers a top-up whose payment is being sold. False: too many are open. */
  pledge(request: PledgeRequest): Promise<boolean>;
  /** The account after its open top-ups were looked up in the ledger. */
  view(): Promise<CreditView>;
  /** The newest 200 paid calls, newest first (rule A6). */
  reports(): Promise<readonly CreditReport[]>;
  /** What was bought and spent, for the owner. */
  lines(query: CreditLineQuery): Promise<CreditLines>;
  /** One movement, for its receipt. */
  line(place: Pick<CreditLine, 'atMs' | 'id'>): Promise<CreditLine | undefined>;
  /** Brings the account to what it should have of a purchase by card. */
  applyCard(target: CardTarget): Promise<CardBalance>;
  /** Takes credits for a refund to a card, once. */
  holdCard(hold: CardHold): Promise<CardApplied>;
  /** The owner deletes the account: what is left is lost. */
  forfeit(isAccepted: boolean): Promise<Forfeited>;
  reserve(request: ReserveRequest): Promise<ReserveResult>;
  renew(id: string, attempt: number): Promise<boolean>;
  /** Debits a call whose result is stored under `reportId` already. Call before a byte of result is sent. */
  capture(id: string, attempt: number, reportId: string): Promise<CapturedCall | false>;
  release(id: string, attempt: number, failed: boolean): Promise<boolean>;
  /** The owner revoked a client: its running calls are freed and can no longer be captured (rule A5). How many there were. */
  releaseClient(clientId: string): Promise<number>;
  standing(id: string): Promise<CreditStanding>;
  /** An operator adds to the account; the same form again adds nothing. */
  adjust(order: AdjustOrder): Promise<AdjustResult>;
  /** A page of what happened in the account, newest first. */
  entries(beforeMs?: number): Promise<CreditEntries>;
}
