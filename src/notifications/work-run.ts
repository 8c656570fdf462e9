import type { InboxState, ReadOutcome } from './inbox-port.ts';
import type { Pace } from './pace.ts';
import type { Sink } from './sinks/sink.ts';
import type { Vendor } from './vendor.ts';

/** What bounds a run. Tests take smaller ones. */
export type WorkLimits = {
  /** Users that are read, and effects that each sink is told of, in a round. */
  perRound: number;
  /** Nothing new is begun in a round after this: a slow sink must not hold up who is to be read. */
  roundMs: number;
  /** Nothing new is begun in a run after this; the caller comes again. */
  runMs: number;
  rounds: number;
  readsAtOnce: number;
  /** Of one sink. */
  tellsAtOnce: number;
  /** Longest wait for one answer of the directory or of a sink, whose own limits are lower: nothing hangs for ever. */
  callMs: number;
  /** Steps of pruning in a run. */
  prunes: number;
};

export const WORK_LIMITS: WorkLimits = {
  perRound: 60,
  roundMs: 2_000,
  runMs: 25_000,
  rounds: 500,
  readsAtOnce: 6,
  tellsAtOnce: 4,
  callMs: 45_000,
  prunes: 4,
};

export type WorkTools = {
  vendor: Vendor;
  sinks: readonly Sink[];
  /** Who is left alone for now: the same over the runs of an object. */
  pace?: Pace;
  /** Unix milliseconds. */
  now: () => number;
  /** Gets counts, states, reasons, and ids of customers, users and effects: no token, no e-mail address (rule 11). */
  log: (line: Record<string, unknown>) => void;
  limits?: Partial<WorkLimits>;
};

/** A run under way. */
export type Run = Required<Omit<WorkTools, 'limits'>> & {
  state: InboxState;
  customer: string;
  limits: WorkLimits;
  counts: { read: number; told: number; failed: number; dead: number };
  /** Failures by their reason. */
  reasons: Map<string, number>;
  /** What the directory's last answer said of our credentials; undefined before one came. */
  areCredentialsGood: boolean | undefined;
  /** The directory answers again after it was left alone; who was acted for then. */
  cameBack: { subject: string | undefined } | undefined;
  /** Users who were seen active. */
  active: Set<string>;
};

export const DIRECTORY = 'directory';
const MAX_DETAIL_CHARS = 300;

/** Books a failure of the directory or of a sink. @returns the detail that is kept of it */
export function bookFailure(run: Run, { reason, detail }: { reason: string; detail: string }): string {
  run.counts.failed += 1;
  run.reasons.set(reason, (run.reasons.get(reason) ?? 0) + 1);
  return `${reason}: ${detail}`.slice(0, MAX_DETAIL_CHARS);
}

/** The names of the sinks that want an effect. */
export const sinksFor =
  ({ sinks }: { sinks: readonly Sink[] }): ReadOutcome['sinksFor'] =>
  (effect) =>
    sinks.filter((sink) => sink.wants(effect)).map(({ name }) => name);
