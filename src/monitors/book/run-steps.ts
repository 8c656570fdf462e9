import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/time.ts';
import { MAX_KEPT_RUNS, type Monitor, type PauseReason } from '../core/monitor.ts';
import type { ManualRunResult } from '../core/protocol.ts';
import type { MonitorRun, RunOrder, RunResult } from '../core/run.ts';
import { scoreNames } from '../../audit/core/check.ts';
import { makeManualRunId } from './ids.ts';
import { computeAheadMicroUsdc } from './look-ahead.ts';
import { type BookParts, findTimes, tryOpenSchedule } from './parts.ts';
import { draftGivenUp, draftPaused, raiseAlerts } from './ring.ts';
import { RUN_PLACE, type RunRow } from './run-rows.ts';

/** An attempt that does not renew its hold for so long is taken for dead. */
export const RUN_LEASE_MS = 2 * MINUTE_MS;
/** Attempts that may buy something for a run, those that asked to come again included. */
export const MAX_RUN_ATTEMPTS = 8;
/** Attempts after those: they buy nothing, and end the run by what is known to be paid. Only where no one can say that, is there another. */
const MAX_CLOSING_ATTEMPTS = 24;
export const LAST_RUN_ATTEMPT = MAX_RUN_ATTEMPTS + MAX_CLOSING_ATTEMPTS;
/** Between two runs that an owner asks for, or after any other run. */
export const MANUAL_GAP_MS = 10 * MINUTE_MS;
/** The same after a run that the credits did not cover: an owner who added some waits no longer. */
export const UNPAID_GAP_MS = MINUTE_MS;
const UNPAID: PauseReason = 'insufficient_credits';
/** Longest wait that an attempt may ask for before the next. */
const MAX_AGAIN_MS = 6 * HOUR_MS;
/** A run that begins within this time of its due time is not late: its message waited its turn. */
const PUNCTUAL_MS = 15 * MINUTE_MS;
/** Runs before it that an order brings along, and as many of those that found something. */
const HISTORY_RUNS = { site: 12, brand: 60 } as const;

/** Reasons of runs that no attempt brought to an end: all of them were used. */
const GIVEN_UP = 'attempts_used_up';
/** The monitor was paused before the run began. */
const PAUSED = 'monitor_paused';

export type RunSteps = ReturnType<typeof createRunSteps>;

/** From begin to finish: which attempt at a run may write what became of it. */
export const createRunSteps = (parts: BookParts) => ({
  runNow: (account: string, id: string): ManualRunResult => requestRun(parts, account, id),
  begin: (runId: string): RunOrder | undefined => beginRun(parts, runId),
  renew: (runId: string, attempt: number, copies: readonly string[] = []): boolean => {
    const row = findAttempt(parts, runId, attempt);
    if (row === undefined) return false;
    parts.dropped.announce(row.run.monitorId, copies);
    parts.runs.update(row, { place: RUN_PLACE.held, wakeMs: parts.tools.now() + RUN_LEASE_MS });
    return true;
  },
  finish: (runId: string, attempt: number, result: RunResult): boolean => {
    const row = findAttempt(parts, runId, attempt);
    const found = row && parts.monitors.find(row.run.monitorId);
    if (row === undefined || found === undefined) {
      // Its monitor was deleted meanwhile: what was paid before keeps its own 30 days, and its copies go.
      const isGone = parts.runs.find(runId) === undefined;
      if (isGone && result.state === 'stored') parts.dropped.add(result.parts.map(({ reportId }) => reportId));
      return false;
    }
    if (result.state !== 'again') endRun(parts, found.monitor, row, result);
    else if (attempt >= LAST_RUN_ATTEMPT) abandonRun(parts, row);
    else {
      const waitMs = Math.min(Math.max(result.afterS, 1) * SECOND_MS, MAX_AGAIN_MS);
      parts.runs.update(row, { place: RUN_PLACE.waiting, wakeMs: parts.tools.now() + waitMs });
    }
    return true;
  },
});

function requestRun({ monitors, runs, tools }: BookParts, account: string, id: string): ManualRunResult {
  const found = monitors.find(id);
  if (found === undefined || found.monitor.account !== account) return { ok: false, reason: 'not_found' };
  if (found.isOpen) return { ok: false, reason: 'under_way' };
  const nowMs = tools.now();
  const last = runs.newest(id)?.run;
  const gapMs = last?.state === 'failed' && last.reason === UNPAID ? UNPAID_GAP_MS : MANUAL_GAP_MS;
  const freeMs = (last?.startedAtMs ?? last?.dueMs ?? -Infinity) + gapMs;
  if (freeMs > nowMs) return { ok: false, reason: 'too_soon', retryAfterS: Math.ceil((freeMs - nowMs) / SECOND_MS) };
  const runId = makeManualRunId(id, tools.random);
  runs.insert({ id: runId, monitorId: id, dueMs: nowMs, missed: 0, cause: 'manual' }, nowMs);
  monitors.setOpen(id, true);
  const run = runs.find(runId)?.run;
  return run === undefined ? { ok: false, reason: 'not_found' } : { ok: true, run };
}

/** The run of an attempt that is its last one, and has not ended. */
function findAttempt({ runs }: BookParts, runId: string, attempt: number): RunRow | undefined {
  const row = runs.find(runId);
  return row?.run.state === 'reserved' && row.attempt === attempt && attempt > 0 ? row : undefined;
}

function beginRun(parts: BookParts, runId: string): RunOrder | undefined {
  const { monitors, runs, tools } = parts;
  const nowMs = tools.now();
  const row = runs.find(runId);
  if (row === undefined || row.run.state !== 'reserved' || !isFree(row, nowMs)) return undefined;
  const monitor = monitors.find(row.run.monitorId)?.monitor;
  if (monitor === undefined || endUnbegun(parts, monitor, row)) return undefined;
  const behindMs = nowMs - row.run.dueMs;
  const isFirst = row.run.startedAtMs === null;
  const begun = runs.update(
    row,
    { place: RUN_PLACE.held, wakeMs: nowMs + RUN_LEASE_MS, attempt: row.attempt + 1 },
    isFirst ? { startedAtMs: nowMs, lateMs: behindMs > PUNCTUAL_MS ? behindMs : 0 } : {},
  );
  const nextMs = monitors.findTimeWithoutNext(monitor.id);
  if (nextMs !== undefined)
    monitors.setTimes(monitor.id, { nextMs, afterMs: tryOpenSchedule(monitor)?.nextAfter(nextMs) });
  const history = listHistory(parts, monitor, row.seq);
  const aheadMicroUsdc = computeAheadMicroUsdc(parts, monitor);
  return { monitor, run: begun.run, attempt: begun.attempt, history, aheadMicroUsdc };
}

/** Runs before a place, newest first: what changed during a long outage is news after it, so that it is held against what was before. */
function listHistory({ runs }: BookParts, { id, subject }: Monitor, beforeSeq: number): readonly MonitorRun[] {
  const most = HISTORY_RUNS[subject.kind];
  const newest = runs.list(id, beforeSeq, most);
  const [last, hasMore] = [newest.at(-1), newest.length === most];
  const unread = newest.filter(({ run: { summary } }) => summary === null || 'unread' in summary).length;
  const older = hasMore && last !== undefined ? runs.listRead(id, last.seq, unread) : [];
  return [...newest, ...older].map(({ run }) => run).filter(({ state }) => state !== 'reserved');
}

/** Ends a run that no further attempt is to begin. @returns whether it did */
function endUnbegun(parts: BookParts, monitor: Monitor, row: RunRow): boolean {
  if (row.attempt >= LAST_RUN_ATTEMPT) {
    abandonRun(parts, row);
    return true;
  }
  if (monitor.state !== 'paused' || row.attempt > 0 || row.run.cause === 'manual') return false;
  endRun(parts, monitor, row, { state: 'failed', reason: PAUSED, detail: '', alerts: [] });
  return true;
}

/** Whether no attempt holds it and none is to come later: a message twice begins nothing. */
const isFree = ({ place, wakeMs }: RunRow, nowMs: number): boolean =>
  place === RUN_PLACE.unsent || place === RUN_PLACE.sent || wakeMs === null || wakeMs <= nowMs;

/** Ends a run that no attempt brought to an end. What came of the last one is not known, so its owner hears of it. */
export function abandonRun(parts: BookParts, row: RunRow): void {
  const found = parts.monitors.find(row.run.monitorId);
  if (found === undefined) return;
  const alerts = [draftGivenUp(row.run.id, row.attempt)];
  endRun(parts, found.monitor, row, { state: 'failed', reason: GIVEN_UP, detail: '', alerts });
}

function endRun(parts: BookParts, monitor: Monitor, row: RunRow, result: Exclude<RunResult, { state: 'again' }>): void {
  const { monitors, runs, tools } = parts;
  const endedAtMs = tools.now();
  const pause = result.state === 'failed' ? result.pause : undefined;
  const drafts =
    pause === undefined || result.alerts.some(({ kind }) => kind === 'paused')
      ? result.alerts
      : [...result.alerts, draftPaused(pause, endedAtMs)];
  const rung = raiseAlerts(parts, monitor, row.run.id, drafts);
  const about =
    result.state === 'stored'
      ? { state: result.state, parts: result.parts, summary: result.summary }
      : { state: result.state, reason: result.reason };
  const { run } = runs.update(
    row,
    { place: RUN_PLACE.sent, wakeMs: null },
    { ...about, endedAtMs, alerts: rung.length },
  );
  const points = monitors.find(monitor.id)?.points ?? [];
  monitors.setPoints(monitor.id, [...points, { atMs: run.dueMs, value: getPoint(run) }]);
  monitors.setOpen(monitor.id, false);
  const held = new Set(run.parts.map(({ reportId }) => reportId));
  parts.dropped.add(parts.dropped.takeAnnounced(monitor.id).filter((id) => !held.has(id)));
  parts.dropped.add(runs.dropOld(monitor.id, MAX_KEPT_RUNS));
  if (pause !== undefined && monitor.state === 'active') pauseMonitor(parts, monitor, pause);
}

/** No run comes until its owner resumes it. */
export function pauseMonitor({ monitors, tools }: BookParts, monitor: Monitor, reason: PauseReason): Monitor {
  const paused: Monitor = {
    ...monitor,
    state: 'paused',
    pausedBecause: reason,
    changedAtMs: tools.now(),
    nextDueMs: null,
  };
  monitors.update(paused);
  monitors.setTimes(monitor.id, { nextMs: undefined, afterMs: undefined });
  return paused;
}

/** Schedules a monitor from a moment on. @returns it with its next due time */
export function scheduleMonitor({ monitors }: BookParts, monitor: Monitor, fromMs: number): Monitor {
  const times = findTimes(monitor, fromMs);
  monitors.setTimes(monitor.id, times);
  return { ...monitor, nextDueMs: times.nextMs ?? null };
}

/** What a sparkline shows of a run: the first score of a site, or the mean rate of a brand over its engines. */
function getPoint({ summary }: MonitorRun): number | null {
  if (summary === null) return null;
  if (summary.kind === 'site') {
    if (summary.unread !== undefined) return null; // The scores are those of an error page.
    const scores = scoreNames.flatMap((name) => summary.scores[name] ?? []);
    return scores[0]?.score ?? null;
  }
  const rates = summary.rates.flatMap(({ rate }) => rate?.value ?? []);
  return rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
}
