import type { CreditUse } from '../payment/credits/credit-usage.ts';
import type { PaymentState } from '../payment/ledger/list.ts';
import type { PaymentListItem } from '../payment/ledger/survey.ts';
import type { DayTotal } from '../payment/ledger/totals.ts';
import type { ServiceLimits } from '../rate-limits/service-limits.ts';
import type { RunRecord } from '../visibility/run/run-register.ts';

/** What could not be asked for, which is never the same as nothing. */
export type NotRead = { read: false };
export type ReadResult<T> = { read: true } & T;

/**
 * Money of the last `days` days, today among them. `unread` of the ledger's `shards` could not be read: every number
 * lacks their part. Packs of credits are sales like any other; `creditUses` is what they paid for, and is not counted
 * as revenue again. `facilitator`: since when its word alone delivers nothing, in Unix milliseconds; null while it
 * does.
 */
export type Revenue = {
  days: number;
  firstDay: string;
  lines: DayTotal[];
  creditUses: ReadResult<{ uses: CreditUse[] }> | NotRead;
  facilitator: ReadResult<{ distrustedAtMs: number | null }> | NotRead;
  shards: number;
  unread: number;
};

export type PaymentsPage = { payments: PaymentListItem[]; next?: string; shards: number; unread: number };

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
  revenue: (asked: { days: number }) => Promise<Revenue>;
  /** Null for a cursor that is none of ours. */
  payments: (asked: { state?: PaymentState; limit: number; cursor?: string }) => Promise<PaymentsPage | null>;
  runs: (asked: { limit: number }) => Promise<ReadResult<{ runs: RunSummary[] }> | NotRead>;
  queues: () => Promise<Queues>;
  /** Takes the limits that the operator's quota preferences set: this Worker's own from now on. */
  chooseLimits: (limits: ServiceLimits) => Promise<void>;
};
