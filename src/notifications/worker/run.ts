import type { InboxState, ReadOutcome } from '../inbox/inbox-state.ts';
import type { Pace } from './circuit-breaker.ts';
import type { Sink } from '../sinks/sink.ts';
import type { Vendor } from '../vendor/vendor.ts';

/** What bounds a run. Tests take smaller ones. */
export type WorkLimits = {
  /** Users that are read before what came in meanwhile is taken in; as many effects are a round of a sink. */
  perRound: number;
  /** No user is read after this before what came in meanwhile is taken in. */
  roundMs: number;
  /** Nothing new is begun in a run after this; the caller comes again. */
  runMs: number;
  rounds: number;
  /** Who has nothing to do looks again so often while somebody else is busy. */
  lookMs: number;
  readsAtOnce: number;
  /** Of one sink. */
  tellsAtOnce: number;
  /** Longest wait for one answer of the directory or of a sink, whose own limits are lower: nothing hangs for ever. */
  callMs: number;
  /** Calls of `digest` in a round. A clock may stand still while they go on. */
  digests: number;
  /** Steps of pruning in a run. */
  prunes: number;
};

export const WORK_LIMITS: WorkLimits = {
  perRound: 60,
  roundMs: 2_000,
  runMs: 25_000,
  rounds: 500,
  lookMs: 100,
  readsAtOnce: 6,
  tellsAtOnce: 4,
  callMs: 45_000,
  digests: 5,
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
  /** The directory did what it was asked, once at least. */
  hasAnswered: boolean;
  /** The directory answers again after it was left alone; who was acted for then. */
  cameBack: { subject: string | undefined } | undefined;
  /** Users who were seen active. */
  active: Set<string>;
};

export const DIRECTORY = 'directory';
/** Begins the names by which those whom the service account acts for are left alone. */
export const ON_BEHALF = 'subject:';
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
