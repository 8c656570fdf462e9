import type { RailId } from '../rails/rail-ids.ts';

/** What moves the money of a payment: an authorization settled by a facilitator, or a USDC transfer already made. */
export type PaymentMethod = 'x402' | 'transfer';

/** Everything the ledger needs to decide on one presentation of a payment. Made by the route from parsed values only. */
export type ClaimRequest = {
  /** From `formatPaymentKey`. */
  key: string;
  method: PaymentMethod;
  /** By which rail it was shown; absent: the first of its method. */
  rail?: RailId;
  capability: string;
  /** SHA-256 (hex) over the capability and the canonical parsed input: the same for HTTP and MCP. */
  fingerprint: string;
  /** The same over the URLs as they were written, where that differs: rows of earlier versions have this one. */
  writtenFingerprint?: string;
  /** SHA-256 (hex) of the exact credential as sent. */
  credentialSha256: string;
  /** The credential holds a secret that never reaches the chain: our quote, or a payment-identifier (rule P1). */
  hasSecret: boolean;
  /** The request proves the payer by a fresh signature that was verified (transfers only). */
  proven: boolean;
  /** The payer of a signed payment signed a fresh proof for this very request as well: no exact credential is asked for. */
  payerProven?: boolean;
  /** The credential holds nothing that an onlooker may not have: without that proof it is no repeat's. */
  repeatsByProof?: boolean;
  /**
   * No one has found the signature of this payload good yet: it may be a contract wallet's, or a stranger's. Never
   * claimed.
   */
  unverified?: boolean;
  /** Lower-case address. */
  payer: string;
  amountMicroUsdc: number;
  /** SHA-256 (hex) of what was signed or mined: another authorization under a used key never attaches (rule P24). */
  digest: string;
  /** EIP-3009 nonce and expiry, for `x402`. */
  authorization?: {
    nonce: string;
    validBeforeS: number;
    /** It can no longer be settled after the work: good only for what it bought before (rules P13, P17). */
    late?: boolean;
  };
  /** Block time of the transfer, and whether it is older than the acceptance window, for `transfer`. */
  transfer?: { hash: string; blockTimeS: number; stale: boolean };
  /** The work spends answer-engine money before settlement (rule P5). */
  engineBacked: boolean;
  /** Who signs in with the payer's address may be another one: the purchase is on no list. */
  isUnlisted?: boolean;
  /** Id of the payment-identifier extension, scoped by payer (rule P22). */
  identifier?: string;
};

/** A finished sale: what `payment` in the envelope and PAYMENT-RESPONSE are made of. */
export type Sale = {
  key: string;
  method: PaymentMethod;
  /** Absent for the first rail of the method, and for sales of earlier versions. */
  rail?: RailId;
  capability: string;
  reportId: string;
  payer: string;
  transaction: string;
  amountMicroUsdc: number;
  settledAtMs: number;
};

/** What a payment bought, for its proven payer alone: a transaction is public, and so is its hash (rules P1, P28). */
export type Bought = Pick<Sale, 'capability' | 'amountMicroUsdc' | 'settledAtMs'>;

/**
 * The ledger's answer to a claim.
 * - `claimed`: the caller owns the payment for this attempt; `othersInFlightMicroUsdc` is what else this payer has
 * unsettled.
 * - `resume_settlement`: work is done and stored under `reportId`, its settlement outcome was unknown: settle the same
 * payload again.
 * - `served`: a repeat with its secret: answer from the store.
 * - `in_progress`: another attempt runs; `entitled`: the presenter is the one it runs for and may wait for its end
 * (rule P11).
 * - `unverified`: the payload could be claimed, but no one has found its signature good yet. Nothing is kept: verify
 * it, then claim it again.
 * - `settlement_unknown`: the chain has not decided yet. `refused`: an earlier refusal is, answered as then.
 */
export type ClaimResult =
  | { outcome: 'claimed'; attempt: number; othersInFlightMicroUsdc: number }
  | { outcome: 'resume_settlement'; attempt: number; reportId: string }
  | { outcome: 'served'; sale: Sale }
  | { outcome: 'unverified' }
  | { outcome: 'settlement_unknown'; retryAfterS: number }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'in_progress'; retryAfterS: number; entitled?: true }
  | { outcome: 'already_used'; bought?: Bought }
  | { outcome: 'identifier_reused' }
  | { outcome: 'transfer_too_old' }
  | { outcome: 'authorization_late' }
  | { outcome: 'too_many_in_flight'; retryAfterS: number }
  | { outcome: 'too_many_failures'; retryAfterS: number }
  | { outcome: 'too_many_refusals'; retryAfterS: number };

/** What a payment bought in the end. `absent`: no row (never was, or pruned). */
export type SoldAs =
  | { state: 'settled'; capability: string; amountMicroUsdc: number }
  | { state: 'unsettled' }
  | { state: 'absent' };

/**
 * One shard of the payment ledger, as the api Worker calls it over RPC. Every method that takes an `attempt` is a
 * compare-and-set: it does nothing and says so (`false`) when another attempt owns the row by now (rule P2).
 */
export interface LedgerShard {
  claim(request: ClaimRequest): Promise<ClaimResult>;
  /** What `claim` would answer now, without claiming. */
  peek(request: ClaimRequest): Promise<ClaimResult>;
  /** Extends the lease of a running attempt by 30 s. */
  renew(key: string, attempt: number): Promise<boolean>;
  /** Verification refused the payment: the row goes. `refused` counts against the payer: a facilitator was asked for nothing (rule P12). */
  discard(key: string, attempt: number, refused?: boolean): Promise<boolean>;
  /** A verified payment whose work was not delivered: free again, nothing charged. `failed` counts against the payer (rules P9, P27); `untouched`: no answer engine was asked. */
  release(key: string, attempt: number, failed: boolean, untouched?: boolean): Promise<boolean>;
  /** `claimed` -> `settling`; the result is stored under `reportId` already. Call before the facilitator. */
  beginSettle(key: string, attempt: number, reportId: string): Promise<boolean>;
  /** `settling` or `unknown` -> `settled`, and the settlement's own transfer is spent. Call before a byte of result is sent. */
  settled(key: string, attempt: number, transaction: string): Promise<Sale | false>;
  /** For a transfer: `claimed` -> `settled` at once, since the chain has the money already. */
  sell(key: string, attempt: number, reportId: string): Promise<Sale | false>;
  /** The facilitator refused and the authorization is unused: kept with its result until a safe block past `validBefore` (rule P4). */
  refuse(key: string, attempt: number, reason: string): Promise<boolean>;
  /** The outcome of settlement is unknown: kept until the chain decides. */
  doubt(key: string, attempt: number): Promise<boolean>;
  /**
   * Marks the transaction of a settlement, so that what its payer moved in it is never sold again by hash. Without a
   * payer, as earlier versions ask, everything in the transaction is marked.
   */
  spend(transactionHash: string, pruneAtMs: number, payer?: string): Promise<void>;
  /** What a payment bought, for who keeps something on the strength of it. */
  soldAs(key: string): Promise<SoldAs>;
  /** Whether the result of a payment may be read by its report id. `absent`: no row (never was, or pruned). */
  resultState(key: string): Promise<'settled' | 'unsettled' | 'absent'>;
}

/** The ledger could not be reached or failed: 503, never an open door (rule P31). What it did is not known. */
export class LedgerUnavailable extends Error {
  override name = 'LedgerUnavailable';
}
