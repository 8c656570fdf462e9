import {
  FREE_FAILURES,
  LEASE_MS,
  LEASE_TOTAL_MS,
  LOOK_AGAIN_MS,
  computeDueAtMs,
  isSettled,
  isUndecided,
  computeNextLookAtMs,
  computePrunableAtMs,
  type LedgerRow,
  type RowIn,
  type SettledLedgerPhase,
  type UndecidedPhase,
} from './row.ts';
import { computeSearchWaitMs, type SearchState } from './search.ts';

/** The receipt of a facilitator's settlement is spot-checked this long after it (rule P30). */
const SPOT_CHECK_AFTER_MS = 60_000;
/** A transfer that was sold is read once more when `safe` has had time to pass it (rule P25). */
const REORG_CHECK_AFTER_MS = 300_000;
/**
 * Waits after looks that got no receipt, each for the next look: nodes behind one address may lack a block for a while.
 * After the last look no one waits any more; together that is far less than a day, which every sale is kept.
 */
export const UNSEEN_WAITS_MS: readonly number[] = [60_000, 300_000, 1_800_000, 7_200_000, 21_600_000];

/**
 * The transitions of a payment, each a pure function from a row to the next row. Those that take an `attempt` are
 * compare-and-set and answer undefined when the caller does not hold the row in the state they start from (rule P2).
 */

/** Extends a lease, to at most LEASE_TOTAL_MS after its claim. */
export function renewLease(row: LedgerRow, attempt: number, nowMs: number): LedgerRow | undefined {
  const leaseUntilMs = Math.min(nowMs + LEASE_MS, row.claimedAtMs + LEASE_TOTAL_MS);
  if (!isClaimedBy(row, attempt) || leaseUntilMs <= nowMs) return undefined;
  return { ...row, phase: { state: 'claimed', leaseUntilMs } };
}

/**
 * The row after its lease: itself while the lease lives (and in any other state), released when the payment was once
 * found good, undefined (to be deleted) when it never was (rule P12).
 */
export function releaseAbandoned(row: LedgerRow, nowMs: number): LedgerRow | undefined {
  if (row.phase.state !== 'claimed' || nowMs < row.phase.leaseUntilMs) return row;
  return row.verified ? { ...row, phase: { state: 'released' } } : undefined;
}

/** Verification refused the payment: the row goes, unless an earlier attempt had found the payment good. */
export function discardClaim(row: LedgerRow, attempt: number): LedgerRow | 'delete' | undefined {
  if (!isClaimedBy(row, attempt)) return undefined;
  return row.verified ? { ...row, phase: { state: 'released' } } : 'delete';
}

/**
 * Work on a verified payment was not delivered: nothing is charged and the payment is free again. `untouched`: no answer
 * engine was asked, so that the claim is not one of the few that a payment has for that.
 */
export function releaseClaim(
  row: LedgerRow,
  attempt: number,
  { failed, untouched = false, nowMs }: { failed: boolean; untouched?: boolean; nowMs: number },
): LedgerRow | undefined {
  if (!isClaimedBy(row, attempt)) return undefined;
  const counted = failed ? { failures: Math.min(row.failures + 1, FREE_FAILURES), lastFailureAtMs: nowMs } : {};
  const engine = untouched && row.engineBacked ? { engineClaims: Math.max(0, (row.engineClaims ?? 0) - 1) } : {};
  return { ...row, ...counted, ...engine, verified: true, phase: { state: 'released' } };
}

/**
 * Whether an uncharged failure of this row is the payer's (rule P27). Presenting a bare hash proves nothing about who
 * did it, and an onlooker must not be able to use up the payer's allowance.
 */
export function isPayersDoing(row: LedgerRow): boolean {
  return row.instrument.method === 'x402' || row.proven;
}

/** `claimed` -> `settling`. The same call again, by the same attempt, gives the same row. */
export function beginSettlement(
  row: LedgerRow,
  attempt: number,
  reportId: string,
  nowMs: number,
): LedgerRow | undefined {
  if (row.phase.state === 'settling' && row.attempt === attempt && row.phase.reportId === reportId) return row;
  if (!isClaimedBy(row, attempt) || row.instrument.method !== 'x402') return undefined;
  const lookAtMs = computeNextLookAtMs(nowMs, nowMs);
  const phase = { state: 'settling', reportId, firstAttempt: attempt, beganAtMs: nowMs, lookAtMs } as const;
  return { ...row, verified: true, phase };
}

/** `settling` -> `unknown`: the facilitator's answer proves nothing. The transaction that it `named` is looked at first. */
export function markSettlementUnknown(row: LedgerRow, attempt: number, named?: string): LedgerRow | undefined {
  const { phase } = row;
  if (row.attempt !== attempt || (phase.state !== 'settling' && phase.state !== 'unknown')) return undefined;
  return { ...row, phase: { ...phase, ...(named === undefined ? {} : { named }), state: 'unknown' } };
}

/** `settling` -> `refused`: kept with its result, since a facilitator may still broadcast what it refused (rule P4). */
export function refuseSettlement(row: LedgerRow, attempt: number, reason: string): LedgerRow | undefined {
  if (row.attempt !== attempt) return undefined;
  if (row.phase.state === 'refused') return row.phase.reason === reason ? row : undefined;
  if (row.phase.state !== 'settling') return undefined;
  return { ...row, phase: { ...row.phase, state: 'refused', reason } };
}

/**
 * What a Worker that reports a settlement finds: `open`, its own to close; `closed`, the chain closed it before;
 * `lost`, not its own any more. Attempts from the one that began to settle on share one result and one settlement.
 */
export function classifySettlementReport(
  row: LedgerRow | undefined,
  attempt: number,
  transaction: string,
):
  | { standing: 'open'; row: RowIn<UndecidedPhase> }
  | { standing: 'closed'; row: RowIn<SettledLedgerPhase> }
  | { standing: 'lost' } {
  if (row === undefined || row.instrument.method !== 'x402') return { standing: 'lost' };
  if (isUndecided(row)) return row.attempt === attempt ? { standing: 'open', row } : { standing: 'lost' };
  if (!isSettled(row)) return { standing: 'lost' };
  const sharesIt = attempt >= row.phase.firstAttempt && attempt <= row.attempt;
  const isSame = attempt === row.attempt || transaction === row.phase.transaction;
  return sharesIt && isSame ? { standing: 'closed', row } : { standing: 'lost' };
}

/** Undecided -> `settled`, once the settlement's own transfer is spent. `spotCheck` asks for a look at the receipt. */
export function settleRow(
  row: RowIn<UndecidedPhase>,
  transaction: string,
  spotCheck: boolean,
  nowMs: number,
): RowIn<SettledLedgerPhase> {
  const { reportId, firstAttempt } = row.phase;
  const checkAtMs = spotCheck ? nowMs + SPOT_CHECK_AFTER_MS : null;
  return { ...row, phase: { state: 'settled', reportId, firstAttempt, transaction, settledAtMs: nowMs, checkAtMs } };
}

/** A transfer: `claimed` -> `settled` at once. The same call again, by the same attempt, gives the same row. */
export function sellTransfer(
  row: LedgerRow,
  attempt: number,
  reportId: string,
  nowMs: number,
): RowIn<SettledLedgerPhase> | undefined {
  if (row.instrument.method !== 'transfer') return undefined;
  if (isSettled(row)) return row.attempt === attempt && row.phase.reportId === reportId ? row : undefined;
  if (!isClaimedBy(row, attempt)) return undefined;
  const phase = {
    state: 'settled',
    reportId,
    firstAttempt: attempt,
    transaction: row.instrument.hash,
    settledAtMs: nowMs,
    checkAtMs: nowMs + REORG_CHECK_AFTER_MS,
  } as const;
  return { ...row, verified: true, phase };
}

/** What the alarm has to do about a row. `nothing`: not due. */
export type DueTask = 'nothing' | 'free' | 'reconcile' | 'spot_check' | 'reorg_check' | 'prune';

export function getDueTask(row: LedgerRow, nowMs: number): DueTask {
  if (nowMs < computeDueAtMs(row)) return 'nothing';
  if (row.phase.state === 'claimed') return 'free';
  if (isUndecided(row)) return 'reconcile';
  if (nowMs >= (computePrunableAtMs(row) ?? Number.POSITIVE_INFINITY)) return 'prune';
  return row.instrument.method === 'x402' ? 'spot_check' : 'reorg_check';
}

/** The row with its next look at the chain set: after an undecided one, or one that could not be made. */
export function lookAgain(row: LedgerRow, nowMs: number): LedgerRow {
  if (isUndecided(row))
    return { ...row, phase: { ...row.phase, lookAtMs: computeNextLookAtMs(row.phase.beganAtMs, nowMs) } };
  if (isSettled(row) && row.phase.checkAtMs !== null) {
    return { ...row, phase: { ...row.phase, checkAtMs: nowMs + LOOK_AGAIN_MS } };
  }
  return row;
}

/** The row after a look that could not read all that the payment may be: the next one goes on from there. */
export function recordSearch(row: RowIn<UndecidedPhase>, search: SearchState, nowMs: number): LedgerRow {
  return { ...row, phase: { ...row.phase, search, lookAtMs: nowMs + computeSearchWaitMs(search) } };
}

/** The row with its receipt read, and what it showed. The sale stays consumed either way (rule P25). */
export function recordSpotCheck(row: LedgerRow, seen: 'found' | 'missing'): LedgerRow {
  if (!isSettled(row)) return row;
  const { unseenLooks: _, ...phase } = row.phase;
  return { ...row, phase: { ...phase, checkAtMs: null, seen } };
}

/** The row after a look that got no receipt: to be looked at again, or missing after the last of several looks. */
export function recordMissingReceipt(row: LedgerRow, nowMs: number): LedgerRow {
  if (!isSettled(row) || row.phase.checkAtMs === null) return row;
  const { unseenLooks = 0 } = row.phase;
  const waitMs = UNSEEN_WAITS_MS[unseenLooks];
  if (waitMs === undefined) return recordSpotCheck(row, 'missing');
  return { ...row, phase: { ...row.phase, checkAtMs: nowMs + waitMs, unseenLooks: unseenLooks + 1 } };
}

function isClaimedBy(row: LedgerRow, attempt: number): boolean {
  return row.phase.state === 'claimed' && row.attempt === attempt;
}
