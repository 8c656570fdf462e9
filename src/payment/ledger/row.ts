import { DAY_MS } from '../../lib/time.ts';
import type { RailId } from '../rails/rail-ids.ts';
import type { ClaimRequest, Sale } from './protocol.ts';
import type { SearchState } from './search.ts';

/** A claim is freeable this long after it was made or renewed (rule P2). */
export const LEASE_MS = 30_000;
/** Renewals carry one attempt no further than this: the longest run with its settlement (`maxTimeoutSeconds`). */
export const LEASE_TOTAL_MS = 300_000;
/** How long a begun settlement belongs to its Worker alone: the facilitator's time limit (30 s) and a margin. */
export const SETTLE_GRACE_MS = 35_000;
/** A header without a secret is a repeat's proof at most this long (rule P1): after settlement anyone can rebuild it. */
export const SECRETLESS_REPEAT_MS = 300_000;
/** A released transfer can be spent on another call this long (rule P15). */
export const REDEEMABLE_MS = 30 * DAY_MS;
/** Work of one credential may fail this often before each further try waits (rule P9). */
export const FREE_FAILURES = 3;
export const FAILURE_WAIT_MS = 60_000;
/** Uncharged failures that one payer may cause within the window (rule P27). */
export const PAYER_FAILURES = 20;
export const PAYER_FAILURE_WINDOW_MS = 3_600_000;
/** Verifications of one payer's own payloads that may be refused within the window (rule P12). */
export const PAYER_REFUSALS = 10;
export const PAYER_REFUSAL_WINDOW_MS = 60_000;
/** Unsettled runs that one payer may have at once, by whether they spend answer-engine money (rule P5). */
export const ENGINE_RUNS_IN_FLIGHT = 1;
export const OTHER_RUNS_IN_FLIGHT = 4;
/** Claims of one payment for engine-backed work before each further one waits a day: it pays for one run. */
export const ENGINE_CLAIMS = 5;
export const ENGINE_CLAIM_WAIT_MS = 24 * 3_600_000;
/** Rows outlive the longest answer to "may this payment come again" by an hour, and every claim by a day (rule P16). */
const PRUNE_MARGIN_MS = 3_600_000;
const KEEP_AFTER_CLAIM_MS = DAY_MS;
/** A sold credit pack is kept this long: its account may come late to ask what was sold, and it credits nothing unasked. */
const KEEP_TOP_UP_MS = 31 * DAY_MS;
/** What the names of credit packs begin with, and no capability's. */
const TOP_UP = 'credits_';
/** Pruning is due on multiples of this, so that one alarm takes many rows. */
const PRUNE_STEP_MS = 600_000;
/**
 * Alarms come on multiples of these, so that one that is set serves every payment of some seconds: a setting is a write.
 * An abandoned claim holds nothing any more when its lease ends, so its row may wait longer to be cleared away.
 */
const LOOK_STEP_MS = 10_000;
const LEASE_STEP_MS = 60_000;
/** When the chain is asked about a begun settlement, counted from its beginning; then each minute (rule P3). */
const LOOKS_MS = [5_000, 15_000, 60_000] as const;
export const LOOK_AGAIN_MS = 60_000;

/** What moves the money: one EIP-3009 nonce, or one transfer that is already mined. */
export type Instrument =
  | {
      method: 'x402';
      nonce: string;
      validBeforeS: number;
      /** The recent block of a message of Solana. Absent on other networks, and in rows of earlier versions. */
      blockhash?: string;
    }
  | { method: 'transfer'; hash: string; blockTimeS: number };

/** The stored result under sale, and the attempt that began to settle it. Later attempts only resume that settlement. */
type Settlement = { reportId: string; firstAttempt: number };
type StartedSettlement = Settlement & {
  /** When the facilitator was last called. */
  beganAtMs: number;
  /** When the chain is asked next. */
  lookAtMs: number;
  /** The transaction that the facilitator named: where to look first, and no proof of anything. */
  named?: string;
  /** How far looks at the chain came, where one is not enough. */
  search?: SearchState;
};

export type LedgerPhase =
  | { state: 'claimed'; leaseUntilMs: number }
  | { state: 'released' }
  | (StartedSettlement & { state: 'settling' | 'unknown' })
  | (StartedSettlement & { state: 'refused'; reason: string })
  | (Settlement & {
      state: 'settled';
      transaction: string;
      settledAtMs: number;
      checkAtMs: number | null;
      /** What the later look at the chain came to: whether the sale's transfer was there. Absent where none was made. */
      seen?: 'found' | 'missing';
      /** Looks that got no receipt at all so far. */
      unseenLooks?: number;
    });

/** A phase whose end only the chain knows. */
export type UndecidedPhase = Extract<LedgerPhase, StartedSettlement>;
export type SettledLedgerPhase = Extract<LedgerPhase, { state: 'settled' }>;

/** One payment as the ledger keeps it: plain data, stored as JSON. Every change makes a new row. */
export type LedgerRow = {
  readonly key: string;
  readonly instrument: Instrument;
  readonly payer: string;
  readonly amountMicroUsdc: number;
  readonly digest: string;
  /** By which rail it was shown; absent for the first rail of its instrument's method. */
  readonly rail?: RailId | undefined;
  readonly capability: string;
  readonly fingerprint: string;
  readonly credentialSha256: string;
  readonly engineBacked: boolean;
  /** Claims of this payment for engine-backed work so far. */
  readonly engineClaims?: number;
  /** The attempt that holds the row proved the payer. */
  readonly proven: boolean;
  /** What it buys is on no list of its payer's address. */
  readonly isUnlisted?: boolean | undefined;
  readonly identifier: string | null;
  /** Fencing token: grows with each claim of the key, also across deletions of the row. */
  readonly attempt: number;
  /** The payment was found good at least once: the row outlives its claims (rule P12). */
  readonly verified: boolean;
  readonly firstClaimedAtMs: number;
  /** When the present attempt claimed. */
  readonly claimedAtMs: number;
  readonly failures: number;
  readonly lastFailureAtMs: number;
  readonly pruneAtMs: number;
  readonly phase: LedgerPhase;
};

export type RowIn<P extends LedgerPhase> = LedgerRow & { readonly phase: P };

/** The instrument of a request. Throws when the route left out the half that its method needs. */
export function readInstrument(request: ClaimRequest): Instrument {
  if (request.method === 'x402' && request.authorization !== undefined) {
    const { nonce, validBeforeS, blockhash } = request.authorization;
    return { method: 'x402', nonce, validBeforeS, ...(blockhash === undefined ? {} : { blockhash }) };
  }
  if (request.method === 'transfer' && request.transfer !== undefined) {
    return { method: 'transfer', hash: request.transfer.hash, blockTimeS: request.transfer.blockTimeS };
  }
  throw new TypeError(`a ${request.method} claim lacks its instrument`);
}

/** When a row claimed now may be pruned at the earliest, whatever happens to its settings later (rule P16). */
export function computePruneAtMs(instrument: Instrument, claimedAtMs: number, maxAgeS: number): number {
  const lastUseMs =
    instrument.method === 'x402' ? instrument.validBeforeS * 1000 : (instrument.blockTimeS + maxAgeS) * 1000;
  return Math.max(lastUseMs, claimedAtMs + KEEP_AFTER_CLAIM_MS) + PRUNE_MARGIN_MS;
}

/** Until when a sale made at `settledAtMs` is kept: the time fixed at the claim, or a day after a late settlement, a month for a top-up. */
export function computeSaleExpiryMs(row: LedgerRow, settledAtMs: number): number {
  const keepMs = isTopUp(row) ? KEEP_TOP_UP_MS : KEEP_AFTER_CLAIM_MS;
  return Math.max(row.pruneAtMs, settledAtMs + keepMs);
}

/** Whether the payment is for prepaid credits. */
export const isTopUp = ({ capability }: Pick<LedgerRow, 'capability'>): boolean => capability.startsWith(TOP_UP);

/** Until when a released transfer can be claimed again. */
export function computeRedeemableUntilMs(row: LedgerRow): number {
  return row.firstClaimedAtMs + REDEEMABLE_MS;
}

/** When the row may go; undefined while it must stay (claimed, or undecided by the chain). */
export function computePrunableAtMs(row: LedgerRow): number | undefined {
  const { phase } = row;
  if (phase.state === 'settled') return roundUp(computeSaleExpiryMs(row, phase.settledAtMs));
  if (phase.state !== 'released') return undefined;
  if (row.instrument.method === 'x402') return roundUp(row.pruneAtMs);
  return roundUp(Math.max(row.pruneAtMs, computeRedeemableUntilMs(row)));
}

/** When the alarm must look at the row next, in Unix milliseconds. */
export function computeDueAtMs(row: LedgerRow): number {
  const { phase } = row;
  const prunable = computePrunableAtMs(row) ?? Number.POSITIVE_INFINITY;
  if (phase.state === 'claimed') return phase.leaseUntilMs;
  if (phase.state === 'settled') return Math.min(phase.checkAtMs ?? prunable, prunable);
  return phase.state === 'released' ? prunable : phase.lookAtMs;
}

/** When the alarm comes for a row: not before it is due. */
export const computeAlarmAtMs = (row: LedgerRow): number =>
  row.phase.state === 'claimed' ? roundUpLease(row.phase.leaseUntilMs) : roundUpLook(computeDueAtMs(row));

/** The alarm of a claim that is made at this time. */
export const computeFirstLeaseAlarmMs = (nowMs: number): number => roundUpLease(nowMs + LEASE_MS);

const roundUpLease = (atMs: number): number => Math.ceil(atMs / LEASE_STEP_MS) * LEASE_STEP_MS;
export const roundUpLook = (atMs: number): number => Math.ceil(atMs / LOOK_STEP_MS) * LOOK_STEP_MS;

/** The next time to ask the chain about a settlement begun at `beganAtMs`. */
export function computeNextLookAtMs(beganAtMs: number, nowMs: number): number {
  const next = LOOKS_MS.find((afterMs) => beganAtMs + afterMs > nowMs);
  return next === undefined ? nowMs + LOOK_AGAIN_MS : beganAtMs + next;
}

export function roundUp(atMs: number): number {
  return Math.ceil(atMs / PRUNE_STEP_MS) * PRUNE_STEP_MS;
}

/** Whether only the chain can end what the row is in: it is never freed and never pruned by time. */
export function isUndecided(row: LedgerRow): row is RowIn<UndecidedPhase> {
  return row.phase.state === 'settling' || row.phase.state === 'unknown' || row.phase.state === 'refused';
}

export function isSettled(row: LedgerRow): row is RowIn<SettledLedgerPhase> {
  return row.phase.state === 'settled';
}

/** Whether the row takes one of its payer's places for signed payloads (rule P5). */
export function isInFlight(row: LedgerRow): boolean {
  const { state } = row.phase;
  return row.instrument.method === 'x402' && (state === 'claimed' || state === 'settling' || state === 'unknown');
}

export function toSale(row: RowIn<SettledLedgerPhase>): Sale {
  return {
    key: row.key,
    method: row.instrument.method,
    ...(row.rail === undefined ? {} : { rail: row.rail }),
    capability: row.capability,
    reportId: row.phase.reportId,
    payer: row.payer,
    transaction: row.phase.transaction,
    amountMicroUsdc: row.amountMicroUsdc,
    settledAtMs: row.phase.settledAtMs,
  };
}

/**
 * When a shard is to be looked at next.
 * @param gapMs an alarm never comes again sooner
 * @param isBusy claims come often enough that the next will need its alarm: it is set for them all
 */
export function computeNextAlarmAtMs(
  dueMs: number,
  nowMs: number,
  { gapMs, isBusy }: { gapMs: number; isBusy: boolean },
): number {
  const atMs = dueMs <= nowMs + gapMs ? nowMs + gapMs : roundUpLook(dueMs);
  return isBusy ? Math.min(atMs, computeFirstLeaseAlarmMs(nowMs)) : atMs;
}
