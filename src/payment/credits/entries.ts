import type { Adjustment } from './adjustments.ts';
import { type CreditCall, getCapturedCall } from './credits.ts';
import { type CreditLine, isDebit } from './credit-line.ts';

/** A top-up, as far as an entry shows it. */
type TopUp = { pledgedAtMs: number; amountMicroUsdc: number; capability: string; phase: 'open' | 'credited' | 'lost' };

/** Lines of a page of entries. */
export const MAX_ENTRIES_LISTED = 50;

/**
 * A line of an account, as an operator reads it. `amountMicroUsdc` is added where it is positive. Of a top-up `state` says
 * whether it was credited; `by` and `reason` are of an operator's adjustment. No entry leads to a report: reports belong to
 * who bought them.
 */
export type CreditEntry = { atMs: number; amountMicroUsdc: number } & (
  | { kind: 'top_up'; capability: string; state: TopUp['phase'] }
  | { kind: 'call'; capability: string; callId: string; balanceMicroUsdc: number; isRefunded: boolean }
  /** Of a purchase by card. */
  | { kind: CardEntryKind; capability: string; balanceMicroUsdc: number }
  | {
      kind: Adjustment['kind'];
      capability?: string | undefined;
      by: string;
      reason: string;
      balanceMicroUsdc: number;
    }
);

type CardEntryKind = 'card' | 'card_refund' | 'card_refund_undone' | 'card_dispute' | 'card_dispute_undone';

/** Newest first. `next`: there are older ones, before this time in Unix milliseconds. */
export type CreditEntries = { entries: readonly CreditEntry[]; next?: number };

type EntrySources = {
  calls: readonly CreditCall[];
  pledges: readonly TopUp[];
  adjustments: readonly Adjustment[];
  cardMoves: readonly CreditLine[];
  /** Whether a paid call was given back. */
  isRefunded: (callId: string) => boolean;
};

/**
 * A page of entries out of what an account stores. Each source has the newest before the page, one more than the page
 * has lines. Entries of one moment stay together, so that a page may be shorter, and none falls between two pages.
 */
export function mergeCreditEntries(sources: EntrySources, limit: number): CreditEntries {
  const all = [
    ...sources.calls.flatMap((call) => toCallEntry(call, sources.isRefunded)),
    ...sources.pledges.map(toTopUpEntry),
    ...sources.adjustments.map(toAdjustmentEntry),
    ...sources.cardMoves.flatMap(toCardEntry),
  ].toSorted((left, right) => right.atMs - left.atMs);
  const further = all[limit];
  if (further === undefined) return { entries: all };
  const page = all.slice(0, limit);
  const whole = page.filter(({ atMs }) => atMs > further.atMs);
  return whole.length > 0 ? { entries: whole, next: further.atMs + 1 } : { entries: page, next: further.atMs };
}

function toCallEntry(call: CreditCall, isRefunded: (callId: string) => boolean): readonly CreditEntry[] {
  const paid = getCapturedCall(call);
  if (paid === undefined) return [];
  const { capability, amountMicroUsdc, balanceMicroUsdc, capturedAtMs: atMs } = paid;
  return [
    {
      kind: 'call',
      atMs,
      amountMicroUsdc: -amountMicroUsdc,
      capability,
      callId: call.id,
      balanceMicroUsdc,
      isRefunded: isRefunded(call.id),
    },
  ];
}

const toTopUpEntry = ({ pledgedAtMs: atMs, amountMicroUsdc, capability, phase: state }: TopUp): CreditEntry => ({
  kind: 'top_up',
  atMs,
  amountMicroUsdc,
  capability,
  state,
});

const CARD_KINDS: Readonly<Partial<Record<CreditLine['kind'], CardEntryKind>>> = {
  card: 'card',
  refund: 'card_refund',
  refund_undone: 'card_refund_undone',
  dispute: 'card_dispute',
  dispute_undone: 'card_dispute_undone',
};

function toCardEntry(line: CreditLine): readonly CreditEntry[] {
  const { atMs, amountMicroUsdc, capability, balanceMicroUsdc } = line;
  const kind = CARD_KINDS[line.kind];
  if (kind === undefined || balanceMicroUsdc === null) return [];
  return [
    { kind, atMs, capability, amountMicroUsdc: isDebit(line) ? -amountMicroUsdc : amountMicroUsdc, balanceMicroUsdc },
  ];
}

const toAdjustmentEntry = ({
  kind,
  atMs,
  amountMicroUsdc,
  capability,
  by,
  reason,
  balanceMicroUsdc,
}: Adjustment): CreditEntry => ({ kind, atMs, amountMicroUsdc, capability, by, reason, balanceMicroUsdc });
