import type { InboxState, ReadingOutcome } from '../inbox/inbox-state.ts';
import type { Sink } from '../sinks/sink.ts';
import type { Vendor } from '../vendor/vendor.ts';

/** Failures in a row after which someone is left alone for a while: what waits for it must not die of one outage. */
const FAILURES = 6;
const REST_MS = 30_000;
const MAX_REST_MS = 600_000;

/**
 * Who is left alone now, kept over the runs of one object: the directory, whom it refuses, or a sink by its name. In memory only: a new
 * object finds out again.
 */
type RetryTimes = {
  isResting: (name: string, nowMs: number) => boolean;
  /** It did what it was asked. @returns whether it comes back from a rest */
  good: (name: string) => boolean;
  /** It failed. One that says when it may be asked again is left alone at least until then. */
  bad: (name: string, nowMs: number, retryAfterMs?: number) => void;
  /** Whether someone whose name begins so failed last, and not before `sinceMs`. */
  hasFailing: (prefix: string, sinceMs: number) => boolean;
};

export function createRetryTimes(): RetryTimes {
  const failing = new Map<string, { failures: number; untilMs: number; lastMs: number }>();
  return {
    isResting: (name, nowMs) => nowMs < (failing.get(name)?.untilMs ?? 0),
    good: (name) => {
      const cameBack = (failing.get(name)?.untilMs ?? 0) > 0;
      failing.delete(name);
      return cameBack;
    },
    bad: (name, nowMs, retryAfterMs) => {
      const { failures, untilMs } = failing.get(name) ?? { failures: 0, untilMs: 0 };
      const restMs = Math.max(retryAfterMs ?? 0, failures + 1 >= FAILURES ? REST_MS : 0);
      const restUntilMs = restMs > 0 ? nowMs + Math.min(restMs, MAX_REST_MS) : 0;
      failing.set(name, { failures: failures + 1, untilMs: Math.max(untilMs, restUntilMs), lastMs: nowMs });
    },
    hasFailing: (prefix, sinceMs) =>
      [...failing].some(([name, { lastMs }]) => name.startsWith(prefix) && lastMs >= sinceMs),
  };
}

/** What bounds a run. Tests take smaller ones. */
export type WorkLimits = {
  /** Users that are read before what came in meanwhile is taken in; as many effects are a round of a sink. */
  perRound: number;
  /** No user is read after this before what came in meanwhile is taken in. */
  roundMs: number;
  /** Nothing new is begun in a run after this; the caller comes again. */
  runMs: number;
  rounds: number;
  /** Who has nothing to do looks again so often while someone else is busy. */
  lookMs: number;
  readsAtOnce: number;
  /** Of one sink. */
  tellsAtOnce: number;
  /** Longest wait for one answer of the directory or of a sink, whose own limits are lower: nothing hangs for ever. */
  callMs: number;
  /** Calls of `digest` in a round. A clock may not advance while they go on. */
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

export type WorkDependencies = {
  vendor: Vendor;
  sinks: readonly Sink[];
  /** Who is left alone for now: the same over the runs of an object. */
  pace?: RetryTimes;
  /** Unix milliseconds. */
  now: () => number;
  /** Gets counts, states, reasons, and ids of customers, users and effects: no token, no e-mail address (rule 11). */
  log: (line: Record<string, unknown>) => void;
  limits?: Partial<WorkLimits>;
};

/** A run under way. */
export type InboxRun = Required<Omit<WorkDependencies, 'limits'>> & {
  state: InboxState;
  customer: string;
  limits: WorkLimits;
  counts: { read: number; delivered: number; failed: number; dead: number };
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
export function bookFailure(run: InboxRun, { reason, detail }: { reason: string; detail: string }): string {
  run.counts.failed += 1;
  run.reasons.set(reason, (run.reasons.get(reason) ?? 0) + 1);
  return `${reason}: ${detail}`.slice(0, MAX_DETAIL_CHARS);
}

/** The names of the sinks that want an effect. */
export const createSinkSelector =
  ({ sinks }: { sinks: readonly Sink[] }): ReadingOutcome['sinksFor'] =>
  (effect) =>
    sinks.filter((sink) => sink.wants(effect)).map(({ name }) => name);

const COLLAPSED = 'too many messages wait: all users are read again in their place';

/** What reports collapsed messages. */
type JournalDigester = Pick<InboxRun, 'state' | 'sinks' | 'now'>;

/**
 * Takes in what is in the journal, `most` bounded numbers of messages, and reports channels that had no room.
 * @returns how many messages left the journal
 */
export function digestJournal(teller: JournalDigester, { most, untilMs }: { most: number; untilMs: number }): number {
  let total = 0;
  for (let step = 0; step < most; step += 1) {
    const { digested, collapsed, more } = teller.state.digest();
    total += digested;
    for (const channel of collapsed) raiseCollapsed(teller, channel);
    if (!more || teller.now() >= untilMs) break;
  }
  return total;
}

/** Opens the alert that messages of a channel collapsed into a resync (rule W3). */
export function raiseCollapsed({ state, sinks, now }: JournalDigester, channel: string): void {
  const customer = state.customer();
  if (customer === undefined) return; // No one wrote: nothing can have collapsed.
  const alert = { kind: 'messages_collapsed', subject: channel, raisedAtMs: now(), detail: COLLAPSED } as const;
  state.raise(customer, alert, createSinkSelector({ sinks }));
}
