import type { InboxState } from './inbox-port.ts';
import { newPace } from './pace.ts';
import type { WorkReport } from './protocol.ts';
import { settleAlerts } from './work-alerts.ts';
import { listPage, readUnit } from './work-reads.ts';
import { type Run, WORK_LIMITS, type WorkTools } from './work-run.ts';
import { tellSink, tellUnknownSink } from './work-tells.ts';

/**
 * Works through what is due in an inbox: reads users again, tells sinks, lists a page of a resync, round after round until
 * nothing is due or the time of a run is over. What the directory or a sink does wrong is booked, never thrown.
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
    areCredentialsGood: undefined,
    cameBack: undefined,
    active: new Set(),
  };
  const endMs = run.now() + run.limits.runMs;
  for (let round = 0; round < run.limits.rounds && run.now() < endMs; round += 1) {
    // Alerts come when nothing else is left: what they leave for the sinks is one more round.
    if ((await doRound(run, endMs)) === 0 && !settleAlerts(run)) break;
  }
  for (let step = 0; step < run.limits.prunes && state.prune(); step += 1);
  return reportOf(run);
}

/** Reads, tells and lists side by side, a bounded number of each. @returns how much was done */
async function doRound(run: Run, endMs: number): Promise<number> {
  const { limits, sinks } = run;
  const untilMs = Math.min(endMs, run.now() + limits.roundMs);
  const lane = { run, untilMs, most: limits.perRound };
  const beside = await allOf([
    inLane({ ...lane, atOnce: limits.readsAtOnce, step: () => readUnit(run) }),
    inLane({ ...lane, atOnce: 1, most: 1, step: () => listPage(run) }),
    ...sinks.map(({ name }) => inLane({ ...lane, atOnce: limits.tellsAtOnce, step: () => tellSink(run, name) })),
  ]);
  // Only now: before, it would take what the lanes of the sinks have not come to yet.
  return beside > 0 ? beside : inLane({ ...lane, atOnce: 1, step: () => tellUnknownSink(run) });
}

type Lane = {
  run: Run;
  untilMs: number;
  most: number;
  atOnce: number;
  /** Takes one thing that is due and does it. @returns false when there was none */
  step: () => Promise<boolean>;
};

/** Does step after step, a number of them at once. @returns how many there were */
async function inLane({ run, untilMs, most, atOnce, step }: Lane): Promise<number> {
  let begun = 0;
  const go = async (): Promise<number> => {
    for (let done = 0; ; done += 1) {
      if (begun >= most || run.now() >= untilMs) return done;
      begun += 1;
      if (!(await step())) return done;
    }
  };
  return allOf(Array.from({ length: atOnce }, go));
}

/** The sum of what all did. All have ended then, also when one of them threw. */
async function allOf(counts: readonly Promise<number>[]): Promise<number> {
  const outcomes = await Promise.allSettled(counts);
  return outcomes.reduce((sum, outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return sum + outcome.value;
  }, 0);
}

function reportOf({ state, customer, counts, reasons, now, log }: Run): WorkReport {
  const { dead, ...told } = counts;
  const more = (state.nextDueMs() ?? Number.POSITIVE_INFINITY) <= now();
  const isIdle = Object.values(told).every((count) => count === 0);
  if (!isIdle) log({ event: 'work', customer, ...told, dead, reasons: Object.fromEntries(reasons), more });
  return { ...told, more };
}
