import { DAY_MS, formatIsoDay } from '../../lib/time.ts';

/** How long engine money that was spent for no one counts, in milliseconds. */
export const METER_WINDOW_MS = 3_600_000;
/** Runs that one payment may begin within the window: it pays for one of them. */
export const RUNS_PER_PAYMENT = 3;
/** Runs that are remembered at most; beyond it nothing more is let in. */
const MAX_ENTRIES = 5_000;

/** Runs whose engine money is spent or reserved and not paid for, oldest first, in micro-USD. */
export type MeterState = readonly { id: string; microUsd: number; atMs: number }[];

/** `full`: too much is unpaid in all; `spent`: this payment has begun as many runs as it may. */
export type MeterVerdict = 'admitted' | 'full' | 'spent';

/** Rule P5: lets a run begin while what is unpaid within the last hour stays within `limitMicroUsd`. */
export function reserveEngine(
  state: MeterState,
  entry: { id: string; microUsd: number },
  limitMicroUsd: number,
  nowMs: number,
): { verdict: MeterVerdict; state: MeterState } {
  const current = forget(state, nowMs);
  if (current.filter(({ id }) => id === entry.id).length >= RUNS_PER_PAYMENT)
    return { verdict: 'spent', state: current };
  const unpaid = current.reduce((sum, one) => sum + one.microUsd, 0);
  if (current.length >= MAX_ENTRIES || unpaid + entry.microUsd > limitMicroUsd)
    return { verdict: 'full', state: current };
  return { verdict: 'admitted', state: [...current, { ...entry, atMs: nowMs }] };
}

/**
 * Milliseconds until enough of what is unpaid leaves the hour for such a run; the whole hour for one that never fits.
 * Runs that are paid meanwhile make it shorter.
 */
export function computeFreeAgainMs(state: MeterState, microUsd: number, limitMicroUsd: number, nowMs: number): number {
  const current = forget(state, nowMs);
  let unpaid = current.reduce((sum, one) => sum + one.microUsd, microUsd);
  let count = current.length;
  if (unpaid <= limitMicroUsd && count < MAX_ENTRIES) return 0;
  for (const one of current) {
    unpaid -= one.microUsd;
    count -= 1;
    if (unpaid <= limitMicroUsd && count < MAX_ENTRIES) return one.atMs + METER_WINDOW_MS - nowMs;
  }
  return METER_WINDOW_MS;
}

/** The payment was settled: that pays for one run of it, the last. What else it began stays unpaid. */
export function markRunPaid(state: MeterState, id: string, nowMs: number): MeterState {
  const current = forget(state, nowMs);
  const last = current.findLastIndex((one) => one.id === id);
  return current.filter((_, at) => at !== last);
}

export const computeUnpaidMicroUsd = (state: MeterState, nowMs: number): number =>
  forget(state, nowMs).reduce((sum, { microUsd }) => sum + microUsd, 0);

const forget = (state: MeterState, nowMs: number): MeterState =>
  state.filter(({ atMs }) => nowMs - atMs < METER_WINDOW_MS);

/** Runs of one day that are remembered, so that one that is tried again is counted once; beyond it nothing more is let in. */
const MAX_RUNS_A_DAY = 5_000;

/** What free runs spent on engines in a day of UTC, in micro-USD, by the id of the run. */
export type FreeEngineDay = { day: string; spent: Readonly<Record<string, number>> };

/** Takes what a run costs from the budget of the day, once a run. */
export function spendOfDay(
  before: FreeEngineDay | undefined,
  { id, microUsd }: { id: string; microUsd: number },
  limitMicroUsd: number,
  nowMs: number,
): { isTaken: boolean; state: FreeEngineDay } {
  const day = formatIsoDay(nowMs);
  const state = before?.day === day ? before : { day, spent: {} };
  if (Object.hasOwn(state.spent, id)) return { isTaken: true, state };
  const amounts = Object.values(state.spent);
  const sum = amounts.reduce((total, one) => total + one, 0);
  if (amounts.length >= MAX_RUNS_A_DAY || sum + microUsd > limitMicroUsd) return { isTaken: false, state };
  return { isTaken: true, state: { day, spent: { ...state.spent, [id]: microUsd } } };
}

/** When the day of a time is over, in Unix milliseconds. */
export const computeEngineDayEndMs = (nowMs: number): number => (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
