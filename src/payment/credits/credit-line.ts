/**
 * How a balance moved. `top_up` was paid in USDC, `card` by card; `refund` and `dispute` take what was paid by card back, and
 * `…_undone` gives it again. `added` is of an operator.
 */
export const CREDIT_LINE_KINDS = [
  'top_up',
  'call',
  'added',
  'card',
  'refund',
  'refund_undone',
  'dispute',
  'dispute_undone',
] as const;

/** One movement of a balance: credits that were bought, added, taken back, or a call that they paid for. */
export type CreditLine = {
  atMs: number;
  /** Of the call or the top-up: it distinguishes lines of one millisecond. */
  id: string;
  kind: (typeof CREDIT_LINE_KINDS)[number];
  /** A capability, or the pack. What an operator gave back; empty for a grant. */
  capability: string;
  /** Never negative: `kind` says which way. */
  amountMicroUsdc: number;
  /** What was left right after it; null for top-ups of before there were lines. */
  balanceMicroUsdc: number | null;
  /** Calls only. */
  reportId?: string;
  clientId?: string;
};

/** Whether a movement took from the balance. */
export const isDebit = ({ kind }: Pick<CreditLine, 'kind'>): boolean =>
  kind === 'call' || kind === 'refund' || kind === 'dispute';
