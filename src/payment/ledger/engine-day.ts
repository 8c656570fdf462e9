import { DAY_MS, formatIsoDay } from '../../lib/time.ts';

/** Runs of one day that are remembered, so that one that is tried again is counted once; beyond it nothing more is let in. */
const MAX_RUNS_A_DAY = 5_000;

/** What free runs spent on engines in a day of UTC, in micro-USD, by the id of the run. */
export type EngineDay = { day: string; spent: Readonly<Record<string, number>> };

/** Takes what a run costs from the budget of the day, once a run. */
export function spendOfDay(
  before: EngineDay | undefined,
  { id, microUsd }: { id: string; microUsd: number },
  limitMicroUsd: number,
  nowMs: number,
): { isTaken: boolean; state: EngineDay } {
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
