import { computeSecondsUntil } from '../../lib/time.ts';
import { FIRST_RAILS } from '../rails/rail-ids.ts';
import { releaseAbandoned } from './ledger.ts';
import type { ClaimRequest, ClaimResult } from './protocol.ts';
import {
  ENGINE_CLAIMS,
  ENGINE_CLAIM_WAIT_MS,
  ENGINE_RUNS_IN_FLIGHT,
  FAILURE_WAIT_MS,
  FREE_FAILURES,
  LEASE_MS,
  OTHER_RUNS_IN_FLIGHT,
  PAYER_FAILURE_WINDOW_MS,
  PAYER_FAILURES,
  PAYER_REFUSAL_WINDOW_MS,
  PAYER_REFUSALS,
  SECRETLESS_REPEAT_MS,
  SETTLE_GRACE_MS,
  readInstrument,
  computeNextLookAtMs,
  computePruneAtMs,
  computeRedeemableUntilMs,
  toSale,
  type LedgerRow,
  type RowIn,
  type SettledLedgerPhase,
  type UndecidedPhase,
} from './row.ts';

/** What a shard knows beside the row itself, read in the same transaction. */
export type ClaimContext = {
  /** The transfer's transaction is a settlement of ours, paid by this payer. */
  hashSpent: boolean;
  /** The key that this payer's payment-identifier is indexed under. */
  identifierKey: string | undefined;
  /** Uncharged failures of the payer within the window, newest first, at most PAYER_FAILURES of them. */
  failuresAtMs: readonly number[];
  /** Refused verifications of the payer's own payloads within their window, newest first, at most PAYER_REFUSALS of them. */
  refusalsAtMs?: readonly number[];
  /** The payer's other unsettled signed payments. */
  inFlight: { engineBacked: number; other: number; microUsdc: number };
  /** When the first of them ends, as far as the ledger knows: its lease, or the next look for its settlement. */
  placeDueAtMs?: { engineBacked?: number; other?: number };
  /** Highest block time of a pruned transfer. */
  prunedThroughS: number;
  /** No deleted row of the shard had a higher attempt than this. */
  attemptFloor: number;
  maxAgeS: number;
};

/** The answer to a claim, and the row to write for it. */
export type ClaimDecision = { result: ClaimResult; write?: LedgerRow };

/** When clients should ask again while another attempt of the payment runs. */
const IN_PROGRESS_RETRY_S = 5;
const IN_FLIGHT_RETRY_S = 10;
/** Longest wait that is named for a place: then the lease of a run ends, or its settlement is looked for. */
const IN_FLIGHT_MOST_S = 60;

/**
 * Decides one presentation of a payment against the row kept under its key. Does not check the payment itself:
 * the route has parsed it, and verifies it after the claim.
 */
export function decideClaim(
  stored: LedgerRow | undefined,
  request: ClaimRequest,
  context: ClaimContext,
  nowMs: number,
): ClaimDecision {
  if (context.hashSpent) return { result: { outcome: 'already_used' } };
  if (context.identifierKey !== undefined && context.identifierKey !== request.key) {
    return { result: { outcome: 'identifier_reused' } };
  }
  const row = stored && releaseAbandoned(stored, nowMs);
  const decision = decideFree(row, stored?.attempt ?? 0, request, context, nowMs);
  // Anyone can name a payer in a payload: without its signature there is no row, and so no place, digest or attempt taken.
  const isTaken = decision.result.outcome === 'claimed' && request.unverified === true;
  return isTaken ? { result: { outcome: 'unverified' } } : decision;
}

/** `row`: the stored row, unless it was given up meanwhile. */
function decideFree(
  row: LedgerRow | undefined,
  lastAttempt: number,
  request: ClaimRequest,
  context: ClaimContext,
  nowMs: number,
): ClaimDecision {
  if (row === undefined) return claimNew(lastAttempt, request, context, nowMs);
  if (request.method === 'x402' && row.digest !== request.digest) return { result: { outcome: 'already_used' } };
  return decideExisting(row, request, context, nowMs);
}

function decideExisting(row: LedgerRow, request: ClaimRequest, context: ClaimContext, nowMs: number): ClaimDecision {
  const { phase } = row;
  switch (phase.state) {
    case 'settled':
      return { result: answerSettled({ ...row, phase }, request, nowMs) };
    case 'settling':
    case 'unknown':
      return resume({ ...row, phase }, request, nowMs);
    case 'refused':
      return {
        result: isShownByPayer(row, request)
          ? { outcome: 'refused', reason: phase.reason }
          : { outcome: 'already_used' },
      };
    case 'claimed':
      // Rule P9: anyone who watches the chain can present a bare hash first, so the payer's own proof goes before it.
      if (request.method === 'transfer' && request.proven && !row.proven)
        return claimAgain(row, request, context, nowMs);
      return { result: reportInProgress(row, request, phase.leaseUntilMs, nowMs) };
    case 'released':
      // A payer that proved itself keeps its transfer: an onlooker of the chain knows the hash too (rule P9).
      if (row.proven && !request.proven && request.method === 'transfer')
        return { result: { outcome: 'already_used' } };
      return claimAgain(row, request, context, nowMs);
    default:
      return throwUnknownState(phase);
  }
}

/** A row in a state that this code does not know must not be sold by chance. */
function throwUnknownState(phase: never): never {
  throw new TypeError(`a ledger row is in no known state: ${JSON.stringify(phase)}`);
}

/**
 * Rule P1: the stored answer goes only to who holds what an onlooker of the chain cannot have, and so does the name of what
 * was bought.
 */
function answerSettled(row: RowIn<SettledLedgerPhase>, request: ClaimRequest, nowMs: number): ClaimResult {
  if (!isEntitled(row, request, nowMs)) return { outcome: 'already_used' };
  const sale = toSale(row);
  if (isSameOrder(row, request)) return { outcome: 'served', sale };
  const { capability, amountMicroUsdc, settledAtMs } = sale;
  return { outcome: 'already_used', bought: { capability, amountMicroUsdc, settledAtMs } };
}

/** Whether this presentation may have what the row's payment buys: it is the payer's, and not an onlooker's. */
const isEntitled = (row: LedgerRow, request: ClaimRequest, nowMs: number): boolean =>
  request.method === 'transfer' ? request.proven : isShownByPayer(row, request) && isPrivate(row, request, nowMs);

/** Rule P11: to wait for a running attempt takes what it takes to get its answer. */
function reportInProgress(row: LedgerRow, request: ClaimRequest, untilMs: number, nowMs: number): ClaimResult {
  const entitled = isSameOrder(row, request) && isEntitled(row, request, nowMs);
  return {
    outcome: 'in_progress',
    retryAfterS: retryAfterS(untilMs, nowMs, IN_PROGRESS_RETRY_S),
    ...(entitled ? { entitled } : {}),
  };
}

function resume(row: RowIn<UndecidedPhase>, request: ClaimRequest, nowMs: number): ClaimDecision {
  const graceEndsMs = row.phase.beganAtMs + SETTLE_GRACE_MS;
  if (row.phase.state === 'settling' && nowMs < graceEndsMs) {
    return { result: reportInProgress(row, request, graceEndsMs, nowMs) };
  }
  if (!isShownByPayer(row, request) || !isSameOrder(row, request)) return { result: { outcome: 'already_used' } };
  if (!isPrivate(row, request, nowMs) || nowMs >= getValidBeforeMs(row)) {
    const lookInS = retryAfterS(row.phase.lookAtMs, nowMs, SETTLE_GRACE_MS / 1000);
    return { result: { outcome: 'settlement_unknown', retryAfterS: lookInS } };
  }
  const { reportId, firstAttempt, named } = row.phase;
  const attempt = row.attempt + 1;
  const lookAtMs = computeNextLookAtMs(nowMs, nowMs);
  const hint = named === undefined ? {} : { named };
  return {
    result: { outcome: 'resume_settlement', attempt, reportId },
    write: {
      ...row,
      attempt,
      phase: { state: 'settling', reportId, firstAttempt, beganAtMs: nowMs, lookAtMs, ...hint },
    },
  };
}

function claimNew(lastAttempt: number, request: ClaimRequest, context: ClaimContext, nowMs: number): ClaimDecision {
  if (request.authorization?.late) return { result: { outcome: 'authorization_late' } };
  const refusal = refuseByLimits(request, context, nowMs);
  if (refusal !== undefined) return { result: refusal };
  if (request.transfer?.stale || (request.transfer && request.transfer.blockTimeS <= context.prunedThroughS)) {
    return { result: { outcome: 'transfer_too_old' } };
  }
  const instrument = readInstrument(request);
  return claimRow(
    {
      ...buildPresentation(request),
      key: request.key,
      instrument,
      payer: request.payer,
      amountMicroUsdc: request.amountMicroUsdc,
      digest: request.digest,
      attempt: Math.max(lastAttempt, context.attemptFloor) + 1,
      verified: request.method === 'transfer', // The chain was read before the claim.
      firstClaimedAtMs: nowMs,
      claimedAtMs: nowMs,
      ...(request.engineBacked ? { engineClaims: 1 } : {}),
      failures: 0,
      lastFailureAtMs: 0,
      pruneAtMs: computePruneAtMs(instrument, nowMs, context.maxAgeS),
      phase: { state: 'claimed', leaseUntilMs: nowMs + LEASE_MS },
    },
    context,
  );
}

/** A free row, or one that is taken over: the amount and digest stay, what is bought may change. */
function claimAgain(row: LedgerRow, request: ClaimRequest, context: ClaimContext, nowMs: number): ClaimDecision {
  if (request.authorization?.late) return { result: { outcome: 'authorization_late' } };
  // Failures that an unproven presenter caused must not make the payer wait (rule P9).
  const failures = request.proven && !row.proven ? 0 : row.failures;
  const waitUntilMs = failures >= FREE_FAILURES ? row.lastFailureAtMs + FAILURE_WAIT_MS : 0;
  const engineClaims = request.proven && !row.proven ? 0 : (row.engineClaims ?? 0);
  const restsUntilMs =
    request.engineBacked && engineClaims >= ENGINE_CLAIMS ? row.claimedAtMs + ENGINE_CLAIM_WAIT_MS : 0;
  const freeAtMs = Math.max(waitUntilMs, restsUntilMs);
  if (nowMs < freeAtMs)
    return { result: { outcome: 'too_many_failures', retryAfterS: computeSecondsUntil(freeAtMs, nowMs) } };
  const refusal = refuseByLimits(request, context, nowMs);
  if (refusal !== undefined) return { result: refusal };
  if (row.instrument.method === 'transfer' && row.verified && nowMs >= computeRedeemableUntilMs(row)) {
    return { result: { outcome: 'transfer_too_old' } };
  }
  return claimRow(
    {
      ...row,
      ...buildPresentation(request),
      engineClaims: engineClaims + (request.engineBacked ? 1 : 0),
      attempt: row.attempt + 1,
      claimedAtMs: nowMs,
      failures,
      pruneAtMs: Math.max(row.pruneAtMs, computePruneAtMs(row.instrument, nowMs, context.maxAgeS)),
      phase: { state: 'claimed', leaseUntilMs: nowMs + LEASE_MS },
    },
    context,
  );
}

function claimRow(row: LedgerRow, context: ClaimContext): ClaimDecision {
  const othersInFlightMicroUsdc = row.instrument.method === 'x402' ? context.inFlight.microUsdc : 0;
  return { result: { outcome: 'claimed', attempt: row.attempt, othersInFlightMicroUsdc }, write: row };
}

function buildPresentation(request: ClaimRequest) {
  const { capability, fingerprint, credentialSha256, engineBacked, proven, rail, method } = request;
  const presented = { capability, fingerprint, credentialSha256, engineBacked, proven };
  // A row that may have been another rail's before.
  return {
    ...presented,
    rail: rail === FIRST_RAILS[method] ? undefined : rail,
    isUnlisted: request.isUnlisted === true ? true : undefined,
    identifier: request.identifier ?? null,
  };
}

function refuseByLimits(request: ClaimRequest, context: ClaimContext, nowMs: number): ClaimResult | undefined {
  const oldest = context.failuresAtMs[PAYER_FAILURES - 1];
  if (oldest !== undefined) {
    return { outcome: 'too_many_failures', retryAfterS: computeSecondsUntil(oldest + PAYER_FAILURE_WINDOW_MS, nowMs) };
  }
  if (request.method === 'transfer') return undefined;
  const refusedAtMs = context.refusalsAtMs?.[PAYER_REFUSALS - 1];
  if (refusedAtMs !== undefined) {
    return {
      outcome: 'too_many_refusals',
      retryAfterS: computeSecondsUntil(refusedAtMs + PAYER_REFUSAL_WINDOW_MS, nowMs),
    };
  }
  const { engineBacked, other } = context.inFlight;
  const full = request.engineBacked ? engineBacked >= ENGINE_RUNS_IN_FLIGHT : other >= OTHER_RUNS_IN_FLIGHT;
  const dueAtMs = context.placeDueAtMs?.[request.engineBacked ? 'engineBacked' : 'other'];
  if (!full) return undefined;
  const waitS = dueAtMs === undefined ? IN_FLIGHT_RETRY_S : retryAfterS(dueAtMs, nowMs, IN_FLIGHT_MOST_S);
  return { outcome: 'too_many_in_flight', retryAfterS: waitS };
}

function isSameOrder(row: LedgerRow, { fingerprint, writtenFingerprint }: ClaimRequest): boolean {
  return row.fingerprint === fingerprint || row.fingerprint === writtenFingerprint;
}

/** The exact credential, or a proof by the payer whichever way it shows its authorization. */
function isShownByPayer(row: LedgerRow, request: ClaimRequest): boolean {
  return request.payerProven === true || row.credentialSha256 === request.credentialSha256;
}

/** The exact credential is no secret once it can be rebuilt from calldata; without our quote in it, it serves briefly. */
function isPrivate(row: LedgerRow, request: ClaimRequest, nowMs: number): boolean {
  if (request.payerProven === true || request.hasSecret) return true;
  return (
    request.repeatsByProof !== true && nowMs < Math.min(getValidBeforeMs(row), row.claimedAtMs + SECRETLESS_REPEAT_MS)
  );
}

function getValidBeforeMs(row: LedgerRow): number {
  return row.instrument.method === 'x402' ? row.instrument.validBeforeS * 1000 : 0;
}

function retryAfterS(atMs: number, nowMs: number, mostS: number): number {
  return Math.min(mostS, computeSecondsUntil(atMs, nowMs));
}
