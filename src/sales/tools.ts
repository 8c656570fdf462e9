import type { WorkTools } from '../capabilities/capability.ts';
import type { AuditRoom } from '../net/held-bytes.ts';
import type { ChainReader } from '../payment/chain/chain.ts';
import type { Sightings } from '../payment/chain/unknown-transaction-cache.ts';
import type { PledgeRequest } from '../payment/credits/pledge.ts';
import type { Facilitator } from '../payment/facilitator/facilitator.ts';
import type { UnverifiedChecks } from '../payment/facilitator/unverified-checks.ts';
import type { MeterVerdict } from '../payment/ledger/engine-meter.ts';
import type { LedgerShard } from '../payment/ledger/protocol.ts';
import type { AccountCodes } from '../payment/terms/account-codes.ts';
import type { RunProgress } from '../visibility/run/run.ts';
import type { Watcher } from './event-stream.ts';
import type { TrustTool } from './facilitator-trust.ts';
import type { PaidGuard } from './failure-guard.ts';
import type { PurchaseAnswer } from './purchase-answer.ts';
import type { ReportStore } from './report-store.ts';
import type { Seller } from './seller.ts';

/** Counts engine money that is spent before it is paid for (rule P5), by payment. A meter that is down throws LedgerUnavailable. */
export type EngineMeterTool = {
  reserve: (paymentKey: string) => Promise<MeterVerdict>;
  paid: (paymentKey: string) => Promise<void>;
};

/** Everything one purchase may touch; made once per request, so that the steps know no binding. */
export type PurchaseTools = {
  seller: Seller;
  /** The ledger shard of a payer (signed payloads) or of a transaction hash (transfers), with its name. */
  shardOf: (text: string) => Promise<{ shard: string; ledger: LedgerShard }>;
  reports: ReportStore;
  facilitator: Facilitator;
  trust: TrustTool;
  /** Past half of the facilitator's budget the payer's balance is read before the facilitator is asked (rule P12). */
  facilitatorIsBusy: () => boolean;
  chain: ChainReader;
  sightings: Sightings;
  /** Which payers are contract wallets, as far as it was asked lately. */
  accountCodes: AccountCodes;
  /** Payloads that are being verified because their signature cannot be judged here. */
  unverifiedChecks: UnverifiedChecks;
  work: Pick<WorkTools, 'guardedFetch' | 'atTarget' | 'newRewriter'>;
  /** The measurement that this payment and request lead to; undefined where no answer engine is configured. */
  measurerOf: (paymentKey: string, fingerprint: string, capability: string) => Promise<Measurer | undefined>;
  meter: EngineMeterTool;
  /** Memory for the work; who gives the tools out releases it. */
  room: AuditRoom;
  /** Promises the account of a paying address an amount for when its payment is settled; LedgerUnavailable when it cannot be. */
  topUp: (payer: string, pledge: PledgeRequest) => Promise<void>;
  /** Makes a sold report public: badge and history of its site show it from now on. */
  publish: (reportId: string) => Promise<void>;
  /** Why nothing new can be sold here now, decided before the payment is looked at; what was sold is served all the same. */
  closed?: PurchaseAnswer;
  /** Who follows this purchase as an event stream. */
  watcher?: Watcher;
  /** Aborted when the buyer calls the purchase off: nothing is settled for it any more. */
  signal?: AbortSignal;
  /** Unix milliseconds. */
  now: () => number;
  /** Keeps the Worker alive until the promise settles, whether or not the buyer still listens (rule P26). */
  waitUntil: (promise: Promise<unknown>) => void;
  /** Does a step with a span of its own, named by a constant. */
  timed: <T>(step: string, work: () => Promise<T>) => Promise<T>;
  /** One JSON line; never payment headers, secrets or full URLs. */
  log: (event: Record<string, unknown>) => void;
};

/** The same for a payment that comes with the request, and so meets the limits of paid requests. */
export type PaymentTools = PurchaseTools & { guard: PaidGuard };

/** Runs of one purchase: its measurement, by an object that only this payment and request lead to. */
export type Measurer = {
  measure: NonNullable<WorkTools['measure']>;
  /** How far the run of this purchase is by now; waits for a change from `seen`. Undefined: there is none (yet). */
  follow: (seen: number) => Promise<RunProgress | undefined>;
};
