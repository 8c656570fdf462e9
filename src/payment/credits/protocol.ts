import type { CapturedCall, ReserveRequest, ReserveResult } from './credits.ts';
import type { PledgeRequest } from './pledge.ts';

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

/** How a call stands. `absent`: never was, or forgotten. */
export type CreditStanding =
  | { state: 'absent' }
  | { state: 'open' }
  | { state: 'captured'; fingerprint: string; reportId: string };

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
  reserve(request: ReserveRequest): Promise<ReserveResult>;
  renew(id: string, attempt: number): Promise<boolean>;
  /** Debits a call whose result is stored under `reportId` already. Call before a byte of result is sent. */
  capture(id: string, attempt: number, reportId: string): Promise<CapturedCall | false>;
  release(id: string, attempt: number, failed: boolean): Promise<boolean>;
  /** The owner revoked a client: its running calls are freed and can no longer be captured (rule A5). How many there were. */
  releaseClient(clientId: string): Promise<number>;
  standing(id: string): Promise<CreditStanding>;
}
