import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts';
import type { MonitorMessage, SweepReport } from '../core/protocol.ts';
import { formatDueRunId } from './ids.ts';
import { countDueTimes } from './interval.ts';
import { type BookParts, tryOpenSchedule } from './parts.ts';
import { draftPaused, raiseAlerts } from './ring.ts';
import { abandonRun, LAST_RUN_ATTEMPT, pauseMonitor } from './run-steps.ts';
import { RUN_PLACE } from './run-rows.ts';

/** Runs, and deliveries, that one pass sends; the alarm comes again at once for more. */
export const MAX_SENT_A_PASS = 500;
/** Monitors that are due on time and get their run in one pass: pages of the database are written once for all of them. */
const MAX_RESERVED_A_PASS = 10_000;
/** Monitors of a pass whose due times are counted by the calendar: those that are late, and those whose next time is not known. */
const MAX_COUNTED_A_PASS = 50;
/** A message that led to no attempt for so long is sent again, each time after twice as long. */
const SEND_AGAIN_MS = 10 * MINUTE_MS;
const MAX_SEND_AGAIN_MS = 2 * HOUR_MS;
/** A message that the queue did not take is sent again after this time. */
const REFUSED_SEND_MS = MINUTE_MS;

/** What a pass found to do. `isEmpty`: nothing at all. */
export type MonitorPass = {
  messages: readonly MonitorMessage[];
  report: Omit<SweepReport, 'monitors'>;
  isEmpty: boolean;
};

const EMPTY_PASS: MonitorPass = { messages: [], report: { queued: 0, again: 0, failed: 0 }, isEmpty: true };

export type PassSteps = ReturnType<typeof createPassSteps>;

/** What the alarm does: runs for monitors that are due, and messages for runs and deliveries that wait. */
export const createPassSteps = (parts: BookParts) => ({
  pass: (): MonitorPass => {
    const nowMs = parts.tools.now();
    const shard = parts.monitors.findShard();
    // Most alarms are of holds that were renewed, or whose runs have ended.
    if (shard === undefined || (findNextMs(parts) ?? Infinity) > nowMs) return EMPTY_PASS;
    const fresh = reserveOnTime(parts, nowMs);
    // Looks at every monitor that is due: those of which most are on time go first.
    const counted = fresh < MAX_RESERVED_A_PASS ? reserveByCalendar(parts, nowMs) : 0;
    const failed = abandonDeadRuns(parts, nowMs);
    const { messages, again } = takeRunMessages(parts, shard, nowMs);
    const deliveries = parts.outbox
      .due(nowMs, MAX_SENT_A_PASS)
      .map((deliveryId): MonitorMessage => ({ kind: 'deliver', shard, deliveryId }));
    const all = [...messages, ...deliveries];
    const report = { queued: messages.length - again, again, failed };
    return { messages: all, report, isEmpty: fresh + counted + failed + all.length === 0 };
  },
  /** The queue did not take these. Deliveries come again by themselves. */
  recordUnsent: (messages: readonly MonitorMessage[]): void => {
    for (const message of messages)
      if (message.kind === 'run')
        parts.run(
          'UPDATE monitor_runs SET wake_ms = ? WHERE id = ? AND place = ?',
          parts.tools.now() + REFUSED_SEND_MS,
          message.runId,
          RUN_PLACE.sent,
        );
  },
  countScheduled: (): number => parts.monitors.countScheduled(),
  /** When a pass has something next, in Unix milliseconds. */
  nextDueMs: (): number | undefined => findNextMs(parts),
});

function findNextMs({ monitors, runs, outbox }: BookParts): number | undefined {
  const times = [monitors.firstDueMs(), runs.firstWakeMs(), outbox.nextDueMs()].filter((ms) => ms !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}

/**
 * Runs for monitors of which one due time has come and not yet the one after it, in two statements for all of them. In the order of
 * their ids, in which indexes are, so that neighbours are written together.
 * @returns how many
 */
function reserveOnTime({ run }: BookParts, nowMs: number): number {
  const lastSeq = Number(run('SELECT max(seq) AS seq FROM monitor_runs')[0]?.['seq'] ?? 0);
  // A due time that has its run, since the clock went back, is left to the calendar.
  run(
    `INSERT INTO monitor_runs (id, monitor_id, due_ms, state, place, wake_ms, attempt, sends, missed, details)
       SELECT 'run_' || substr(id, 5) || '-' || next_ms, id, next_ms, 'reserved', ${RUN_PLACE.unsent}, ?, 0, 0, 0,
         '{"cause":"schedule"}'
       FROM (SELECT id, next_ms FROM monitor_times WHERE is_open = 0 AND next_ms <= ? AND after_ms > ?
         ORDER BY next_ms, id LIMIT ${MAX_RESERVED_A_PASS})
       WHERE true ORDER BY id ON CONFLICT (id) DO NOTHING`,
    nowMs,
    nowMs,
    nowMs,
  );
  const made = Number(run('SELECT count(*) AS n FROM monitor_runs WHERE seq > ?', lastSeq)[0]?.['n'] ?? 0);
  if (made > 0)
    run(
      `UPDATE monitor_times SET is_open = 1, next_ms = after_ms, after_ms = NULL
         WHERE id IN (SELECT monitor_id FROM monitor_runs WHERE seq > ?)`,
      lastSeq,
    );
  return made;
}

/** The same for those that are late, or whose next time is not known: one run for the newest due time. @returns how many */
function reserveByCalendar(parts: BookParts, nowMs: number): number {
  const { monitors, runs } = parts;
  const ids = parts
    .run(
      `SELECT id FROM monitor_times AS due WHERE is_open = 0 AND next_ms <= ? AND (after_ms IS NULL OR after_ms <= ? OR EXISTS (
         SELECT 1 FROM monitor_runs AS known WHERE known.id = 'run_' || substr(due.id, 5) || '-' || due.next_ms))
       ORDER BY next_ms LIMIT ${MAX_COUNTED_A_PASS}`,
      nowMs,
      nowMs,
    )
    .map((row) => String(row['id']));
  for (const id of ids) {
    const monitor = monitors.find(id)?.monitor;
    if (monitor === undefined || monitor.nextDueMs === null) continue;
    const schedule = tryOpenSchedule(monitor);
    if (schedule === undefined) {
      // What was accepted once cannot be read any more: no other monitor waits for it.
      raiseAlerts(parts, pauseMonitor(parts, monitor, 'order_refused'), null, [draftPaused('order_refused', nowMs)]);
      continue;
    }
    const { dueMs, missed, nextMs } = countDueTimes(schedule, monitor.nextDueMs, nowMs);
    monitors.setTimes(id, { nextMs, afterMs: undefined });
    const runId = formatDueRunId(id, dueMs);
    if (runs.find(runId) !== undefined) continue; // A clock that went back: this due time has its run.
    runs.insert({ id: runId, monitorId: id, dueMs, missed, cause: 'schedule' }, nowMs);
    monitors.setOpen(id, true);
  }
  return ids.length;
}

/** Ends runs whose last attempt died. @returns how many */
function abandonDeadRuns(parts: BookParts, nowMs: number): number {
  const ids = parts
    .run(
      `SELECT id FROM monitor_runs INDEXED BY monitor_runs_held
         WHERE wake_ms <= ? AND place = ${RUN_PLACE.held} AND attempt >= ${LAST_RUN_ATTEMPT} ORDER BY wake_ms LIMIT ${MAX_COUNTED_A_PASS}`,
      nowMs,
    )
    .map((row) => String(row['id']));
  for (const id of ids) {
    const row = parts.runs.find(id);
    if (row !== undefined) abandonRun(parts, row);
  }
  return ids.length;
}

/** Messages of runs that are to be sent, or sent again; they count as sent. */
function takeRunMessages(
  { run }: BookParts,
  shard: number,
  nowMs: number,
): { messages: readonly MonitorMessage[]; again: number } {
  const rows = run(
    `UPDATE monitor_runs SET place = ${RUN_PLACE.sent}, sends = sends + 1,
         wake_ms = ? + min(${SEND_AGAIN_MS} * (1 << min(sends, 8)), ${MAX_SEND_AGAIN_MS})
       WHERE seq IN (
         SELECT seq FROM monitor_runs WHERE wake_ms <= ? AND NOT (place = ${RUN_PLACE.held} AND attempt >= ${LAST_RUN_ATTEMPT})
         ORDER BY wake_ms LIMIT ${MAX_SENT_A_PASS})
       RETURNING id, monitor_id, sends`,
    nowMs,
    nowMs,
  );
  return {
    messages: rows.map((row) => ({
      kind: 'run',
      shard,
      monitorId: String(row['monitor_id']),
      runId: String(row['id']),
    })),
    again: rows.filter((row) => Number(row['sends']) > 1).length,
  };
}
