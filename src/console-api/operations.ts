import type { CardDay } from '../payment/cards/rows.ts';
import type { CreditUse } from '../payment/credits/credit-usage.ts';
import type { PaymentState } from '../payment/ledger/list.ts';
import type { PaymentListItem } from '../payment/ledger/survey.ts';
import type { OpenPayments, PayerTotal } from '../payment/ledger/books.ts';
import type { DayTotal } from '../payment/ledger/totals.ts';
import type { UnpaidCount } from '../payment/ledger/unpaid.ts';
import type { ServiceLimits } from '../rate-limits/service-limits.ts';
import type { RunDay, RunRecord } from '../visibility/run/run-register.ts';

/** What could not be asked for, which is never the same as nothing. */
export type NotRead = { read: false };
export type ReadResult<T> = { read: true } & T;

/**
 * Money of the last `days` days, today among them, as the books of the ledger have it: `updatedAtMs` is their newest
 * report, null before the first. `unread` of the ledger's `shards` have never been reported: every number lacks their part.
 * Packs of credits are sales like any other; `creditUses` is what they paid for, and is not counted as revenue again.
 * `unpaid`: prices that were asked for. `engine`: measurements that ended, and what one is said to cost whose prompts were not counted. `facilitator`:
 * since when its word alone delivers nothing, in Unix milliseconds; null while it does.
 */
export type Revenue = {
  days: number;
  firstDay: string;
  lines: DayTotal[];
  creditUses: ReadResult<{ uses: CreditUse[] }> | NotRead;
  unpaid: ReadResult<{ counts: UnpaidCount[] }> | NotRead;
  engine: ReadResult<{ runs: RunDay[]; microUsdPerRun: number }> | NotRead;
  facilitator: ReadResult<{ distrustedAtMs: number | null }> | NotRead;
  /** What cards paid, in cents, apart from the ledger of USDC. Absent in answers of earlier versions. */
  cards?: ReadResult<{ days: readonly CardDay[] }> | NotRead;
  updatedAtMs: number | null;
  shards: number;
  unread: number;
};

/** `next` beside fewer payments than asked for: a part of them was looked at, and older ones were not. */
export type PaymentsPage = {
  payments: PaymentListItem[];
  next?: string;
  /** What can be bought, for the filter. */
  capabilities: readonly string[];
  shards: number;
  unread: number;
};

/** Of all that is set, everything must hold. */
export type PaymentsAsked = {
  state?: PaymentState;
  capability?: string;
  payer?: string;
  limit: number;
  cursor?: string;
};

/** What answers whether the service works and earns, with one call. */
export type Pulse = {
  /** Of 14 days. */
  revenue: Revenue;
  /** Who paid yesterday, two of them at most. Absent in answers of earlier versions. */
  yesterdayPayers?: ReadResult<{ payers: PayerTotal[] }> | NotRead;
  /** Payments that want an end. */
  open: ReadResult<{ payments: OpenPayments[] }> | NotRead;
  /** The newest block that our node knows; `time` in Unix milliseconds. */
  chain: ReadResult<{ block: string; atMs: number }> | NotRead;
  /** Whether anything answers at the facilitator's address. */
  facilitatorAnswers: ReadResult<{ status: number }> | NotRead;
  queues: Queues;
  /** Engine money of the running hour that is not paid for, of so much as may be. */
  engineBudget: ReadResult<{ unpaidMicroUsd: number; limitMicroUsd: number }> | NotRead;
  /** `ANSWER_ENGINE`, when it names one that is no AI model. */
  demonstrationEngine?: 'simulated' | 'recorded';
  /** Whether nothing is sold, by the operator's word. */
  isClosed: boolean;
  version: string;
};

/** A run without the name of its object, which only payment and request lead to (rule P11). `lost`: its object is gone. */
export type RunSummary = Omit<RunRecord, 'object' | 'state'> & { state: RunRecord['state'] | 'lost' | 'not_read' };

export type QueueDepth = { name: string } & (
  | ReadResult<{ messages: number; bytes: number; oldestAtMs?: number }>
  | NotRead
);

export type Queues = {
  queues: QueueDepth[];
  /** Prompts that could not be delivered, by day, newest first. */
  deadLetters: ReadResult<{ days: { day: string; count: number }[] }> | NotRead;
};

/** `Operations` of the api Worker, as the console of the control Worker calls it. */
export type OperationsPort = {
  pulse: () => Promise<Pulse>;
  revenue: (asked: { days: number }) => Promise<Revenue>;
  /** Who paid most today and the day before, or on one of these. */
  payers: (asked: { limit: number; day?: string }) => Promise<ReadResult<{ payers: PayerTotal[] }> | NotRead>;
  /** Null for a cursor that is none of ours. */
  payments: (asked: PaymentsAsked) => Promise<PaymentsPage | null>;
  runs: (asked: { limit: number }) => Promise<ReadResult<{ runs: RunSummary[] }> | NotRead>;
  queues: () => Promise<Queues>;
  /** Takes the limits that the operator's quota preferences set: this Worker's own from now on. */
  chooseLimits: (limits: ServiceLimits) => Promise<void>;
};
