import type { VendorFailure } from '../vendor/vendor.ts';
import { callVendor, requestChannel, isOutage } from './attempt.ts';
import { coverDueMs, moveChannel, supersedeChannels, findWatch } from './channel-rows.ts';
import { type ChannelContext, formatIsoMs, setSetting, readRegistrySetting } from './context.ts';
import { countCall, findHoldEnd, startDailyResyncs, settleUnwatched } from './customers.ts';
import { readWatchScope } from './grants.ts';
import {
  formatAccessSubject,
  claimErrands,
  LONGEST_ERRAND_WAIT_MS,
  queueResync,
  raise,
  settle,
  deliverInboxCommands,
} from './inbox-commands.ts';
import { computeLongestWaitMs, computeRenewalWaitMs } from './renewal.ts';
import { readChannelRow, type ChannelRow, IS_STEP, IS_STOP, watchIn } from './tables.ts';

/**
 * Takes the step of a channel that is due, as far as it needs no vendor.
 * @returns whether the vendor is to be asked to stop it
 */
function advanceChannel(desk: ChannelContext, channel: ChannelRow): boolean {
  if (channel.endedMs !== null) {
    desk.run('DELETE FROM channel WHERE seq = ?', channel.seq);
    return false;
  }
  if (channel.expiresMs <= desk.tools.now()) {
    endLife(desk, channel);
    return false;
  }
  if (channel.state === 'stopping' || channel.state === 'superseded') return true;
  if (channel.state === 'active' || channel.state === 'renewing') lookAfter(desk, channel);
  else wait(desk, channel, channel.expiresMs);
  return false;
}

/** What covered its watch until now leaves a gap: everything is read again, now and once a new channel is there. */
function endLife(desk: ChannelContext, channel: ChannelRow): void {
  moveChannel(desk, channel, 'life_over');
  if (channel.state === 'stopping') settleUnwatched(desk, channel);
  const watch = findWatch(desk, channel.watch);
  if (watch === undefined || watch.endedMs !== null || watch.currentId !== channel.id) return;
  const nowMs = desk.tools.now();
  queueResync(desk, watch.customer, { reason: 'channel_lapsed', ...readWatchScope(watch) });
  const detail = `Channel ${channel.id} ended at ${formatIsoMs(channel.expiresMs)} before a successor was granted`;
  raise(desk, { customer: watch.customer, kind: 'channel_lapsed', subject: watch.id }, detail);
  // Anyone who asks for the next one at this moment keeps the claim.
  const isClaimed = watch.claimedUntilMs > nowMs;
  desk.run('UPDATE watch SET current_id = NULL WHERE id = ?', watch.id);
  if (!isClaimed) desk.run('UPDATE watch SET due_ms = min(due_ms, ?) WHERE id = ?', nowMs, watch.id);
}

/** A channel that covers its watch: its sync is missing, or its successor is late. */
function lookAfter(desk: ChannelContext, channel: ChannelRow): void {
  const nowMs = desk.tools.now();
  const { customer, watch, id } = channel;
  if (channel.syncedMs === null && channel.grantedMs !== null && nowMs >= channel.grantedMs + desk.limits.syncMs) {
    const detail = `Channel ${id} was granted at ${formatIsoMs(channel.grantedMs)} and sent no sync: messages may not reach us`;
    raise(desk, { customer, kind: 'no_sync', subject: id }, detail);
    supersedeChannels(desk, channel.watchSeq, channel.seq);
  }
  if (nowMs >= channel.expiresMs - channel.leadMs / 2 && findWatch(desk, watch)?.currentId === id) {
    const detail = `Channel ${id} ends at ${formatIsoMs(channel.expiresMs)} and has no successor yet`;
    raise(desk, { customer, kind: 'channel_lead_low', subject: watch }, detail);
  }
  wait(desk, channel, coverDueMs(channel, desk.limits, nowMs));
}

const wait = ({ run }: ChannelContext, { seq }: ChannelRow, dueMs: number): void => {
  run('UPDATE channel SET due_ms = ? WHERE seq = ?', Math.ceil(dueMs), seq);
};

const MAX_DETAIL_CHARS = 300;

/** Asks the vendor to stop a channel that no one needs any more. @returns whether the claim was ours */
async function stopChannel(desk: ChannelContext, channel: ChannelRow): Promise<boolean> {
  const { run, tools, limits } = desk;
  const { id, seq, dueMs, resourceId, subject } = channel;
  if (resourceId === null) return false;
  const [won] = run(
    "UPDATE channel SET state = 'stopping', due_ms = ? WHERE seq = ? AND due_ms = ? AND state = ? RETURNING seq",
    Math.max(tools.now() + limits.leaseMs, dueMs + 1),
    seq,
    dueMs,
    channel.state,
  );
  if (won === undefined) return false;
  const answer = await callVendor(desk, () =>
    tools.vendor.stop({ id, resourceId, ...(subject === '' ? {} : { subject }) }),
  );
  tools.transaction(() => book(desk, { ...channel, state: 'stopping' }, answer));
  return true;
}

/** No one else writes to a channel that is claimed, unless its life ends meanwhile: then it is not touched. */
function book(desk: ChannelContext, channel: ChannelRow, answer: { ok: true } | VendorFailure): void {
  countCall(desk, channel.customer, isOutage(answer));
  if (answer.ok || answer.reason === 'not_found') {
    moveChannel(desk, channel, 'stop_taken', { lastError: null });
    if (channel.tries > 0) settle(desk, formatAccessSubject(channel));
    return;
  }
  const { customer, expiresMs } = channel;
  if (answer.reason === 'credentials_refused')
    raise(desk, { customer, kind: 'credentials_refused', subject: formatAccessSubject(channel) }, answer.detail);
  const tries = channel.tries + 1;
  const longestMs = computeLongestWaitMs(channel.leadMs, channel.leadMs);
  const backoffMs = computeRenewalWaitMs({ tries, longestMs, retryAfterMs: answer.retryAfterMs }, desk.chance());
  const delayMs = isOutage(answer) ? backoffMs : desk.limits.credentialsMs;
  desk.run(
    "UPDATE channel SET tries = ?, last_error = ?, due_ms = ? WHERE seq = ? AND state = 'stopping'",
    tries,
    answer.detail.slice(0, MAX_DETAIL_CHARS),
    Math.ceil(Math.min(expiresMs, desk.tools.now() + delayMs)),
    channel.seq,
  );
}

const SEEN = 'clock_ms';
/** Our clock is written down when it went on by so much, and counts as set back when it lost as much. */
const STEP_MS = 60_000;

/**
 * Notices that our clock was set back after it had been ahead: what was dated by it then would lie too far ahead, and
 * nothing would be renewed until then.
 */
function detectClockSetback(desk: ChannelContext): void {
  const nowMs = desk.tools.now();
  const seenMs = Number(readRegistrySetting(desk, SEEN) ?? 0);
  if (Math.abs(nowMs - seenMs) < STEP_MS) return;
  setSetting(desk, SEEN, String(nowMs));
  if (nowMs < seenMs) rescheduleAfterSetback(desk, nowMs, seenMs);
}

/**
 * What is due later than it can be is due now, and so is the successor of what was asked for at a time that is yet to
 * come; a life without an answer that seems to begin then begins now. Rare: it looks at all open channels.
 */
function rescheduleAfterSetback(desk: ChannelContext, nowMs: number, seenMs: number): void {
  const { run, tools, limits } = desk;
  tools.log({ event: 'clock_set_back', by_ms: seenMs - nowMs });
  run(
    `UPDATE watch SET due_ms = ?1, claimed_until_ms = 0 WHERE due_ms > ?1 AND ended_ms IS NULL
       AND (current_id IS NULL OR tries > 0 OR claimed_until_ms > ?2 OR due_ms > ?1 + ttl_s * 1000)`,
    nowMs,
    nowMs + limits.leaseMs,
  );
  run(
    `UPDATE watch SET due_ms = ?1, claimed_until_ms = 0 WHERE ended_ms IS NULL AND seq IN
       (SELECT watch_seq FROM channel WHERE due_ms > ?1 AND ${IS_STEP} AND asked_ms > ?1 AND ended_ms IS NULL)`,
    nowMs,
  );
  run(
    `UPDATE channel SET expires_ms = expires_ms - (asked_ms - ?1), asked_ms = ?1, due_ms = expires_ms - (asked_ms - ?1)
       WHERE due_ms > ?1 AND ${IS_STEP} AND asked_ms > ?1 AND state = 'pending'`,
    nowMs,
  );
  run(`UPDATE channel SET due_ms = ?1 WHERE due_ms > ?1 AND ${IS_STOP}`, nowMs);
  run('UPDATE errand SET due_ms = ?1 WHERE due_ms > ?2', nowMs, nowMs + LONGEST_ERRAND_WAIT_MS);
  run('UPDATE customer SET resync_ms = ?1 WHERE resync_ms > ?1', nowMs + limits.resyncEveryMs);
}

/** What a pass found due, and what of it was done. The rest is due in the next. */
export type PassReport = { due: number; done: number };

type Job = {
  customer: string;
  bucket: 'watches' | 'stops';
  do: () => Promise<boolean>;
  hold: (untilMs: number) => void;
};

/** Does what is due, within limits: local steps first, then calls to the vendor, then errands to inboxes. */
export async function runRenewalPass(desk: ChannelContext): Promise<PassReport> {
  desk.tools.transaction(() => detectClockSetback(desk));
  const untilMs = desk.tools.now() + desk.limits.passMs;
  const { steps, stops } = desk.tools.transaction(() => takeSteps(desk));
  const resyncs = desk.tools.transaction(() => startDailyResyncs(desk));
  const opens = listDueWatches(desk);
  const jobs = [...opens, ...stops.map((channel) => stopJob(desk, channel))];
  const called = await runInParallel(desk, jobs, (job) => performJob(desk, job, untilMs));
  const errands = claimErrands(desk);
  const tellUntilMs = desk.tools.now() + desk.limits.errandsMs;
  const told = await runInParallel(desk, [...errands], async ([customer, list]) => {
    await deliverInboxCommands(desk, customer, list, tellUntilMs);
    return true;
  });
  return { due: steps + resyncs + jobs.length + errands.size, done: steps + resyncs + called + told };
}

const EARLIEST = `SELECT (SELECT min(due_ms) FROM watch) AS watch,
  (SELECT min(due_ms) FROM channel WHERE ${IS_STEP}) AS step, (SELECT min(due_ms) FROM channel WHERE ${IS_STOP}) AS stop,
  (SELECT min(due_ms) FROM errand) AS errand, (SELECT min(resync_ms) FROM customer) AS resync`;

/** When there is something to do next, Unix milliseconds; undefined for never. */
export function computeNextPassMs({ run, tools, buckets }: ChannelContext): number | undefined {
  const nowMs = tools.now();
  const [row] = run(EARLIEST);
  const earliest = (of: string): number => (typeof row?.[of] === 'number' ? row[of] : Number.POSITIVE_INFINITY);
  const soonest = Math.min(
    Math.max(earliest('watch'), buckets.watches.readyAtMs(nowMs)),
    earliest('step'),
    Math.max(earliest('stop'), buckets.stops.readyAtMs(nowMs)),
    earliest('errand'),
    earliest('resync'),
  );
  return Number.isFinite(soonest) ? soonest : undefined;
}

const DUE_STEPS = `SELECT * FROM channel WHERE due_ms <= ? AND ${IS_STEP} ORDER BY due_ms LIMIT ?`;
const DUE_STOPS = `SELECT * FROM channel WHERE due_ms <= ? AND ${IS_STOP} ORDER BY due_ms LIMIT ?`;

/** Channels whose time has come. What takes the vendor is handed back, no more than may be asked of it now. */
function takeSteps(desk: ChannelContext): { steps: number; stops: readonly ChannelRow[] } {
  const { run, limits, buckets } = desk;
  const nowMs = desk.tools.now();
  const most = Math.min(limits.passSize, buckets.stops.count(nowMs));
  const due = [...run(DUE_STEPS, nowMs, limits.passSize), ...run(DUE_STOPS, nowMs, most)].map(readChannelRow);
  const stops = due.filter((channel) => advanceChannel(desk, channel));
  return { steps: due.length - stops.length, stops };
}

/**
 * Watches whose next channel is to be asked for; those that ended long enough ago go. When there are more than may be
 * asked for, those come first whose cover ends first: the index holds what that takes.
 */
const DUE_WATCHES = `SELECT w.* FROM
  (SELECT seq FROM watch WHERE due_ms <= ? ORDER BY covered_until_ms LIMIT ?) d JOIN watch w ON w.seq = d.seq`;

function listDueWatches(desk: ChannelContext): readonly Job[] {
  const { run, tools, limits, buckets } = desk;
  const nowMs = tools.now();
  const due = run(DUE_WATCHES, nowMs, Math.min(limits.passSize, buckets.watches.count(nowMs))).map(watchIn);
  for (const { seq, endedMs } of due) if (endedMs !== null) run('DELETE FROM watch WHERE seq = ?', seq);
  return due
    .filter(({ endedMs }) => endedMs === null)
    .map((watch) => ({
      customer: watch.customer,
      bucket: 'watches',
      do: () => requestChannel(desk, watch),
      hold: (untilMs) => {
        run('UPDATE watch SET due_ms = ? WHERE seq = ? AND due_ms = ?', untilMs, watch.seq, watch.dueMs);
      },
    }));
}

const stopJob = (desk: ChannelContext, channel: ChannelRow): Job => ({
  customer: channel.customer,
  bucket: 'stops',
  do: () => stopChannel(desk, channel),
  hold: (untilMs) => {
    const sql = 'UPDATE channel SET due_ms = ? WHERE seq = ? AND due_ms = ?';
    desk.run(sql, Math.min(untilMs, channel.expiresMs), channel.seq, channel.dueMs);
  },
});

/** One call, if its time, its customer's circuit and the rate of all allow it. @returns whether it was made */
async function performJob(desk: ChannelContext, job: Job, untilMs: number): Promise<boolean> {
  const nowMs = desk.tools.now();
  if (nowMs >= untilMs || desk.buckets[job.bucket].count(nowMs) < 1) return false;
  const heldMs = findHoldEnd(desk, job.customer);
  if (heldMs !== undefined) {
    job.hold(heldMs);
    return false;
  }
  desk.buckets[job.bucket].take(nowMs);
  return job.do();
}

/** As many at once as there are connections. @returns how many said yes */
async function runInParallel<T>(
  desk: ChannelContext,
  jobs: readonly T[],
  run: (job: T) => Promise<boolean>,
): Promise<number> {
  const left = jobs.values();
  let done = 0;
  const worker = async (): Promise<void> => {
    for (const job of left) if (await run(job)) done += 1;
  };
  await Promise.all(Array.from({ length: Math.min(desk.limits.callsAtOnce, jobs.length) }, worker));
  return done;
}
