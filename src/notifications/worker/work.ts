import type { InboxState } from '../inbox/inbox-state.ts';
import { newPace } from './circuit-breaker.ts';
import type { WorkReport } from '../core/protocol.ts';
import { settleAlerts } from './alerts.ts';
import { digestJournal } from './digest.ts';
import { allOf, inSteps, type Lane, sideBySide } from './concurrent-queues.ts';
import { listPage, readUnit } from './reads.ts';
import { type Run, WORK_LIMITS, type WorkTools } from './run.ts';
import { tellSink, tellUnknownSink } from './deliver-effects.ts';

/**
 * Works through what is due in an inbox: takes in what came, reads users again, lists pages of a resync, and beside that
 * tells each sink, until nothing is due or the time of a run is over. What the directory or a sink does wrong is booked, never thrown.
 * @returns counts of this run; `more`: something is due already
 * @throws whatever the state throws (its storage fails): nothing is lost, come again
 */
export async function workThrough(state: InboxState, tools: WorkTools): Promise<WorkReport> {
  const customer = state.customer();
  if (customer === undefined) return { read: 0, told: 0, failed: 0, more: false };
  const run: Run = {
    ...tools,
    pace: tools.pace ?? newPace(),
    limits: { ...WORK_LIMITS, ...tools.limits },
    state,
    customer,
    counts: { read: 0, told: 0, failed: 0, dead: 0 },
    reasons: new Map(),
    hasAnswered: false,
    cameBack: undefined,
    active: new Set(),
  };
  const endMs = run.now() + run.limits.runMs;
  let isThrough = false;
  for (let round = 0; !isThrough && round < run.limits.rounds && run.now() < endMs; round += 1) {
    // Alerts come when nothing else is left: what they leave for the sinks is one more round.
    isThrough = (await doRound(run, endMs)) === 0 && !settleAlerts(run);
  }
  if (!isThrough) settleAlerts(run); // Somebody who is slow for ever keeps no alert back.
  for (let step = 0; step < run.limits.prunes && state.prune(); step += 1);
  return reportOf(run);
}

/** The directory, and each sink for itself, until nothing is due for any of them. @returns how much was done */
async function doRound(run: Run, endMs: number): Promise<number> {
  const { limits, sinks } = run;
  const isOver = (): boolean => run.now() >= endMs;
  const most = limits.perRound;
  const told = sinks.map(
    ({ name }): Lane =>
      (changed) =>
        inSteps({ isOver, most, atOnce: limits.tellsAtOnce, step: () => tellSink(run, name), changed }),
  );
  const done = await sideBySide([directoryLane(run, endMs), ...told], {
    isOver,
    most: limits.rounds * limits.perRound,
    lookMs: limits.lookMs,
  });
  // Only now: before, it would take what the lanes of the sinks have not come to yet.
  const changed = (): void => undefined;
  return done > 0 ? done : inSteps({ isOver, most, atOnce: 1, step: () => tellUnknownSink(run), changed });
}

/** Takes in what came, then reads users and lists a page side by side. */
const directoryLane =
  (run: Run, endMs: number): Lane =>
  async (changed) => {
    const { limits } = run;
    const untilMs = Math.min(endMs, run.now() + limits.roundMs);
    const isOver = (): boolean => run.now() >= untilMs;
    // First: what came in is known then to all that follows.
    const digested = digestJournal(run, { most: limits.digests, untilMs });
    if (digested > 0) changed();
    const asked = await allOf([
      inSteps({ isOver, most: limits.perRound, atOnce: limits.readsAtOnce, step: () => readUnit(run), changed }),
      inSteps({ isOver, most: 1, atOnce: 1, step: () => listPage(run), changed }),
    ]);
    return digested + asked;
  };

function reportOf({ state, customer, counts, reasons, now, log }: Run): WorkReport {
  const { dead, ...told } = counts;
  const more = (state.nextDueMs() ?? Number.POSITIVE_INFINITY) <= now();
  const isIdle = Object.values(told).every((count) => count === 0);
  if (!isIdle) log({ event: 'work', customer, ...told, dead, reasons: Object.fromEntries(reasons), more });
  return { ...told, more };
}
