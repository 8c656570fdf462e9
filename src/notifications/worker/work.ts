import type { Alert, AlertKind } from '../core/alerts.ts';
import type { InboxStatus, WorkReport } from '../core/protocol.ts';
import type { Delivery, InboxState } from '../inbox/inbox-state.ts';
import type { Effect, DeliveryResult } from '../sinks/sink.ts';
import {
  bookFailure,
  digestJournal,
  createRetryTimes,
  ON_BEHALF,
  type InboxRun,
  createSinkSelector,
  WORK_LIMITS,
  type WorkDependencies,
} from './run.ts';
import { sumAll, runInSteps, type QueueWork, runConcurrentQueues } from './concurrent-queues.ts';
import { listPage, readUnit } from './reads.ts';
import { callWithTimeout } from '../../lib/concurrency.ts';

/** Failed tries of a resync after which an alert is raised. */
const RESYNC_TRIES = 5;
/** What an alert of refused credentials is about: the registry has others of its own. */
const READING = 'users';
/** A refusal is remembered so long: whom no one asks for any more keeps no alert open. */
const REFUSED_MS = 3_600_000;

/** A condition that an alert represents. `holds`: undefined where this run did not find out. */
type Condition = { kind: AlertKind; subject: string; holds: boolean | undefined; detail: string };

/**
 * Raises the alerts whose condition holds now, and ends those whose condition is over: it is judged by the state of the
 * inbox, so that none is forgotten by a crash. After an outage in which messages died it asks for a resync.
 * @returns whether that left something to do
 */
function settleAlerts(run: InboxRun): boolean {
  const { state, customer, now } = run;
  const status = state.status();
  const isOpen = ({ kind, subject }: Condition): boolean =>
    status.alerts.some((alert) => alert.kind === kind && alert.subject === subject);
  const conditions = listAlertConditions(run, status);
  for (const condition of conditions.filter((one) => one.holds === false && isOpen(one)))
    state.over(condition.kind, condition.subject);
  const raised = conditions
    .filter((one) => one.holds === true && !isOpen(one))
    .map(({ kind, subject, detail }) =>
      state.raise(customer, { kind, subject, raisedAtMs: now(), detail }, createSinkSelector(run)),
    );
  return [...raised, resyncAfterOutage(run, status)].includes(true);
}

function listAlertConditions(
  { customer, pace, hasAnswered, active, now }: InboxRun,
  { dead, resync, alerts }: InboxStatus,
): Condition[] {
  const tries = resync?.tries ?? 0;
  const endsWhen = (kind: AlertKind, isOver: (subject: string) => boolean): Condition[] =>
    alerts
      .filter((alert) => alert.kind === kind && isOver(alert.subject))
      .map(({ subject }) => ({ kind, subject, holds: false, detail: '' }));
  return [
    {
      kind: 'dead_letter',
      subject: customer,
      holds: dead > 0,
      detail: `${dead} ${dead === 1 ? 'message was' : 'messages were'} given up`,
    },
    {
      kind: 'resync_failing',
      subject: customer,
      holds: tries >= RESYNC_TRIES,
      detail: `a resync failed ${tries} times`,
    },
    {
      kind: 'credentials_refused',
      subject: READING,
      // Not by the last answer: of two subjects one may be refused and the other not.
      holds: pace.hasFailing(ON_BEHALF, now() - REFUSED_MS) || (hasAnswered ? false : undefined),
      detail: 'the directory does not let this service read users',
    },
    // The resync replaces the messages: once it is through, nothing is missing.
    ...endsWhen('messages_collapsed', () => resync === null),
    ...endsWhen('last_operator', (userId) => active.has(userId)),
  ];
}

/** Messages that died while the directory was away are made up for: who differs is read again. */
function resyncAfterOutage(run: InboxRun, { dead, resync }: InboxStatus): boolean {
  const { state, customer, cameBack } = run;
  run.cameBack = undefined;
  if (cameBack === undefined || dead === 0 || resync !== null) return false;
  state.resync(customer, { reason: 'directory_back', subject: cameBack.subject });
  return true;
}

type FailedDelivery = Extract<DeliveryResult, { ok: false }>;

/** Delivers one effect that is due to a sink. @returns whether one was due */
async function deliverToSink(run: InboxRun, name: string): Promise<boolean> {
  const { state, pace, now } = run;
  if (pace.isResting(formatSinkPace(name), now())) return false;
  const [delivery] = state.claimDeliveries(1, name);
  if (delivery === undefined) return false;
  await deliverEffect(run, delivery);
  return true;
}

/** Gives up one effect whose sink is configured no longer: it can be replayed when it is back. @returns whether one was due */
async function dropUnknownSink(run: InboxRun): Promise<boolean> {
  const { state, sinks, pace, now } = run;
  // What a sink that is left alone waits for is due as well: no one but its own lane may take it.
  if (sinks.some(({ name }) => pace.isResting(formatSinkPace(name), now()))) return false;
  const [delivery] = state.claimDeliveries(1);
  if (delivery === undefined) return false;
  await deliverEffect(run, delivery);
  return true;
}

async function deliverEffect(run: InboxRun, delivery: Delivery): Promise<void> {
  const { state, pace, counts } = run;
  const result = await callSink(run, delivery);
  if (!result.ok) return recordFailedDelivery(run, delivery, result);
  pace.good(formatSinkPace(delivery.sink));
  if (result.note === 'last_operator') raiseLastOperator(run, delivery.effect);
  state.delivered(delivery);
  counts.delivered += 1;
}

/**
 * The revocation left someone their access (rule W6). Raised before the delivery is over: a crash between repeats it.
 */
function raiseLastOperator({ state, customer, now, ...run }: InboxRun, effect: Effect): void {
  if (effect.type !== 'user') return;
  const detail = 'the last operator is suspended or gone in the directory, and keeps its access';
  const alert: Alert = { kind: 'last_operator', subject: effect.userId, raisedAtMs: now(), detail };
  state.raise(customer, alert, createSinkSelector(run));
}

/** What the sink says. One that throws, or takes too long, is tried again. */
async function callSink({ sinks, limits }: InboxRun, { sink: name, effect }: Delivery): Promise<DeliveryResult> {
  const sink = sinks.find((known) => known.name === name);
  if (sink === undefined) return { ok: false, outcome: 'refused', detail: 'no such sink is configured' };
  const outcome = await callWithTimeout(() => sink.tell(effect), limits.callMs);
  return outcome.ok ? outcome.value : { ok: false, outcome: 'again', detail: outcome.name };
}

function recordFailedDelivery(
  run: InboxRun,
  delivery: Delivery,
  { outcome, detail, retryAfterMs }: FailedDelivery,
): void {
  const { state, pace, now, counts, log } = run;
  const refused = outcome === 'refused';
  if (!refused) pace.bad(formatSinkPace(delivery.sink), now(), retryAfterMs);
  const kept = bookFailure(run, { reason: outcome, detail: `${delivery.sink}: ${detail}` });
  if (state.undelivered(delivery, { detail: kept, refused, retryAfterMs }) === 'again') return;
  counts.dead += 1;
  log({ event: 'delivery_dead', sink: delivery.sink, effect: delivery.effect.id, outcome });
}

/** A sink may be named like the directory. */
const formatSinkPace = (sink: string): string => `sink:${sink}`;

/**
 * Works through what is due in an inbox: takes in what came, reads users again, lists pages of a resync, and delivers
 * to each sink meanwhile, until nothing is due or the time of a run is over. What the directory or a sink does wrong is
 * booked, never thrown.
 * @returns counts of this run; `more`: something is due already
 * @throws whatever the state throws (its storage fails): nothing is lost, come again
 */
export async function processInbox(state: InboxState, tools: WorkDependencies): Promise<WorkReport> {
  const customer = state.customer();
  if (customer === undefined) return { read: 0, delivered: 0, failed: 0, more: false };
  const run: InboxRun = {
    ...tools,
    pace: tools.pace ?? createRetryTimes(),
    limits: { ...WORK_LIMITS, ...tools.limits },
    state,
    customer,
    counts: { read: 0, delivered: 0, failed: 0, dead: 0 },
    reasons: new Map(),
    hasAnswered: false,
    cameBack: undefined,
    active: new Set(),
  };
  const endMs = run.now() + run.limits.runMs;
  let isThrough = false;
  for (let round = 0; !isThrough && round < run.limits.rounds && run.now() < endMs; round += 1) {
    // Alerts come when nothing else is left: what they leave for the sinks is one more round.
    isThrough = (await runRound(run, endMs)) === 0 && !settleAlerts(run);
  }
  if (!isThrough) settleAlerts(run); // Someone who is slow for ever keeps no alert back.
  for (let step = 0; step < run.limits.prunes && state.prune(); step += 1);
  return buildWorkReport(run);
}

/** The directory, and each sink for itself, until nothing is due for any of them. @returns how much was done */
async function runRound(run: InboxRun, endMs: number): Promise<number> {
  const { limits, sinks } = run;
  const isOver = (): boolean => run.now() >= endMs;
  const most = limits.perRound;
  const sinkQueues = sinks.map(
    ({ name }): QueueWork =>
      (changed) =>
        runInSteps({ isOver, most, atOnce: limits.tellsAtOnce, step: () => deliverToSink(run, name), changed }),
  );
  const done = await runConcurrentQueues([createDirectoryQueue(run, endMs), ...sinkQueues], {
    isOver,
    most: limits.rounds * limits.perRound,
    lookMs: limits.lookMs,
  });
  // Only now: before, it would take what the lanes of the sinks have not come to yet.
  const changed = (): void => undefined;
  return done > 0 ? done : runInSteps({ isOver, most, atOnce: 1, step: () => dropUnknownSink(run), changed });
}

/** Takes in what came, then reads users and lists a page side by side. */
const createDirectoryQueue =
  (run: InboxRun, endMs: number): QueueWork =>
  async (changed) => {
    const { limits } = run;
    const untilMs = Math.min(endMs, run.now() + limits.roundMs);
    const isOver = (): boolean => run.now() >= untilMs;
    // First: what came in is known then to all that follows.
    const digested = digestJournal(run, { most: limits.digests, untilMs });
    if (digested > 0) changed();
    const asked = await sumAll([
      runInSteps({ isOver, most: limits.perRound, atOnce: limits.readsAtOnce, step: () => readUnit(run), changed }),
      runInSteps({ isOver, most: 1, atOnce: 1, step: () => listPage(run), changed }),
    ]);
    return digested + asked;
  };

function buildWorkReport({ state, customer, counts, reasons, now, log }: InboxRun): WorkReport {
  const { dead, ...reported } = counts;
  const more = (state.nextDueMs() ?? Number.POSITIVE_INFINITY) <= now();
  const isIdle = Object.values(reported).every((count) => count === 0);
  if (!isIdle) log({ event: 'work', customer, ...reported, dead, reasons: Object.fromEntries(reasons), more });
  return { ...reported, more };
}
