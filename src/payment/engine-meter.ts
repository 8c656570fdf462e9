/** How long engine money that was spent for nobody counts, in milliseconds. */
export const METER_WINDOW_MS = 3_600_000;
/** Runs that are remembered at most; beyond it nothing more is let in. */
const MAX_ENTRIES = 5_000;

/** Engine money that is spent or reserved for signed payments and not paid yet: by payment, in micro-USD. */
export type MeterState = Readonly<Record<string, { microUsd: number; atMs: number }>>;

export type MeterAdmission = { admitted: boolean; state: MeterState };

/**
 * Rule P5: lets a run on a signed payment begin while what is unpaid within the last hour stays below `limitMicroUsd`.
 * A payment that comes again counts once for each attempt, since each may ask the engine anew.
 */
export function reserveEngine(
  state: MeterState,
  entry: { id: string; microUsd: number },
  limitMicroUsd: number,
  nowMs: number,
): MeterAdmission {
  const current = forget(state, nowMs);
  const before = current[entry.id]?.microUsd ?? 0;
  const unpaid = Object.values(current).reduce((sum, one) => sum + one.microUsd, 0);
  const isFull = before === 0 && Object.keys(current).length >= MAX_ENTRIES;
  if (isFull || unpaid + entry.microUsd > limitMicroUsd) return { admitted: false, state: current };
  return {
    admitted: true,
    state: { ...current, [entry.id]: { microUsd: before + entry.microUsd, atMs: nowMs } },
  };
}

/** The payment was settled: what its runs cost is paid for. */
export function paidEngine(state: MeterState, id: string, nowMs: number): MeterState {
  const { [id]: _paid, ...rest } = forget(state, nowMs);
  return rest;
}

const forget = (state: MeterState, nowMs: number): MeterState =>
  Object.fromEntries(Object.entries(state).filter(([, entry]) => nowMs - entry.atMs < METER_WINDOW_MS));
