import { withoutTrailingDot } from './address.ts';

/** Names the gate of a host: `example.com.` and `EXAMPLE.com` are one host. */
export const targetName = (hostname: string): string => withoutTrailingDot(hostname).toLowerCase();

/** What is allowed towards one audited host by all callers together (rule F6). */
export const TARGET_LIMITS = {
  /** Audits at the same time. */
  running: 2,
  /** Paid audits that may start within an hour. */
  paidPerHour: 60,
  /** Free previews that may start within an hour. */
  unpaidPerHour: 12,
} as const;

/** A running audit that never said it was done is forgotten after this: an audit takes at most 60 s. */
const RUN_EXPIRES_MS = 90_000;
const HOUR_MS = 3_600_000;
/** What is told when both places are taken, in seconds. */
const BUSY_RETRY_S = 10;

/** Audits of one host: when those of the last hour started, and which run now. Times are Unix milliseconds. */
export type TargetState = {
  /** Paid ones. */
  startedAtMs: readonly number[];
  /** Free previews. */
  unpaidAtMs: readonly number[];
  running: readonly { id: string; sinceMs: number }[];
};

export const idleTarget: TargetState = { startedAtMs: [], unpaidAtMs: [], running: [] };

/** Which count an audit goes into; places are taken by both alike. */
export type AuditKind = 'paid' | 'unpaid';

const COUNTS = {
  paid: { times: 'startedAtMs', perHour: TARGET_LIMITS.paidPerHour },
  unpaid: { times: 'unpaidAtMs', perHour: TARGET_LIMITS.unpaidPerHour },
} as const satisfies Record<AuditKind, { times: keyof TargetState; perHour: number }>;

export type Admission = { admitted: true } | { admitted: false; retryAfterS: number };

/** Decides whether an audit of the host may start now; `state` is what to keep afterwards. */
export function admit(
  state: TargetState,
  id: string,
  nowMs: number,
  kind: AuditKind = 'paid',
): { admission: Admission; state: TargetState } {
  const current = forget(state, nowMs);
  if (current.running.length >= TARGET_LIMITS.running) {
    return { admission: { admitted: false, retryAfterS: BUSY_RETRY_S }, state: current };
  }
  const { times, perHour } = COUNTS[kind];
  const started = current[times];
  const [oldest] = started;
  if (oldest !== undefined && started.length >= perHour) {
    const retryAfterS = Math.ceil((oldest + HOUR_MS - nowMs) / 1000);
    return { admission: { admitted: false, retryAfterS }, state: current };
  }
  return {
    admission: { admitted: true },
    state: { ...current, [times]: [...started, nowMs], running: [...current.running, { id, sinceMs: nowMs }] },
  };
}

/** The audit `id` is done: its place is free. */
export function leave(state: TargetState, id: string, nowMs: number): TargetState {
  const current = forget(state, nowMs);
  return { ...current, running: current.running.filter((run) => run.id !== id) };
}

function forget(state: TargetState, nowMs: number): TargetState {
  return {
    startedAtMs: state.startedAtMs.filter((atMs) => nowMs - atMs < HOUR_MS),
    unpaidAtMs: state.unpaidAtMs.filter((atMs) => nowMs - atMs < HOUR_MS),
    running: state.running.filter((run) => nowMs - run.sinceMs < RUN_EXPIRES_MS),
  };
}
