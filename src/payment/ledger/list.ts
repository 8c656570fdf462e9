import { getShownMethod, type PaidBy } from '../rails/rail-ids.ts';
import { isSettled, isUndecided, type LedgerRow, type LedgerPhase } from './row.ts';

export const paymentStates = [
  'claimed',
  'released',
  'settling',
  'unknown',
  'refused',
  'settled',
] as const satisfies readonly LedgerPhase['state'][];
export type PaymentState = (typeof paymentStates)[number];

/** Payments that one answer may hold. */
export const MAX_LISTED = 100;

/**
 * One payment as the operator sees it. Addresses are personal: this goes to no one else (rule P28). Times are Unix
 * milliseconds.
 */
export type PaymentLine = {
  key: string;
  /** How it was paid, or is about to be: of a payment that is sold, by what it was sold. */
  method: PaidBy;
  capability: string;
  amountMicroUsdc: number;
  payer: string;
  state: PaymentState;
  /** Fencing token of the newest claim: it grows with each, and starts above those of rows that the shard dropped. */
  attempt: number;
  firstClaimedAtMs: number;
  claimedAtMs: number;
  /** Work of the payment that failed uncharged. */
  failures: number;
  proof: PaymentProof;
  settledAtMs?: number;
  transaction?: string;
  reason?: string;
};

/** What shows that a payment is one. */
export type PaymentProof = {
  /** `signature`: an authorization that the payer signed; `transfer`: a transfer in a block. */
  by: 'signature' | 'transfer';
  /** The payment was found good: the signature by a facilitator, the transfer on chain. */
  verified: boolean;
  /** Who presented a transfer proved to be its payer. A signature always does. */
  provenPayer: boolean;
  /** Block time of the transfer, in Unix seconds. */
  blockTimeS?: number;
  /** Until when the signature can be settled, in Unix seconds. */
  validBeforeS?: number;
  /** What a later look at the chain saw. `not_chosen`: settlements are spot-checked, and this one was not drawn. */
  seen?: 'found' | 'missing' | 'due' | 'not_chosen';
};

/** What the operator's console asks of a shard: to report what the books of all shards lack of it. */
export interface LedgerReader {
  report(): Promise<'reported' | 'empty' | 'failed'>;
}

export function toPaymentLine(row: LedgerRow): PaymentLine {
  const { key, capability, amountMicroUsdc, payer, attempt, firstClaimedAtMs, claimedAtMs, failures } = row;
  const sold = isSettled(row) ? { settledAtMs: row.phase.settledAtMs, transaction: row.phase.transaction } : {};
  const refused = isUndecided(row) && row.phase.state === 'refused' ? { reason: row.phase.reason } : {};
  return {
    key,
    method: getShownMethod(row.instrument.method, row.rail),
    capability,
    amountMicroUsdc,
    payer,
    state: row.phase.state,
    attempt,
    firstClaimedAtMs,
    claimedAtMs,
    failures,
    proof: toPaymentProof(row),
    ...sold,
    ...refused,
  };
}

function toPaymentProof(row: LedgerRow): PaymentProof {
  const { instrument, verified, proven } = row;
  const seen = getProofState(row);
  const looked = seen === undefined ? {} : { seen };
  if (instrument.method === 'x402') {
    return { by: 'signature', verified, provenPayer: true, validBeforeS: instrument.validBeforeS, ...looked };
  }
  return { by: 'transfer', verified, provenPayer: proven, blockTimeS: instrument.blockTimeS, ...looked };
}

function getProofState(row: LedgerRow): PaymentProof['seen'] {
  if (!isSettled(row)) return undefined;
  if (row.phase.seen !== undefined) return row.phase.seen;
  if (row.phase.checkAtMs !== null) return 'due';
  // Every transfer is looked at: of one whose look left no word, nothing is known.
  return row.instrument.method === 'transfer' ? undefined : 'not_chosen';
}
