import { formatIsoTimestamp } from '../../lib/time.ts';
import type { VendorFailure } from '../vendor/vendor.ts';
import { callVendor, requestChannel, isOutage } from './attempt.ts';
import { coverDueMs, moveChannel, supersedeChannels, findWatch } from './channel-rows.ts';
import { type ChannelContext, setSetting, readRegistrySetting } from './context.ts';
import { countCall, findHoldEnd, startDailyResyncs, settleUnwatched } from './customers.ts';
import { readWatchScope } from './grants.ts';
import {
  formatAccessSubject,
  claimCommands,
  LONGEST_ERRAND_WAIT_MS,
  queueResync,
  raise,
  settle,
  deliverInboxCommands,
} from './inbox-commands.ts';
import { computeLongestWaitMs, computeRenewalWaitMs } from './renewal.ts';
import { readChannelRow, type ChannelRow, IS_STEP, IS_STOP, readWatchRow } from './tables.ts';
import { claimChannelWords, deliverChannelWords, LONGEST_WORD_WAIT_MS } from './word-queue.ts';

/**
 * Takes the step of a channel that is due, as far as it needs no vendor.
 * @returns whether the vendor is to be asked to stop it
 */
function advanceChannel(context: ChannelContext, channel: ChannelRow): boolean {
  if (channel.endedMs !== null) {
    context.run('DELETE FROM channel WHERE seq = ?', channel.seq);
    return false;
  }
  if (channel.expiresMs <= context.tools.now()) {
    endLife(context, channel);
    return false;
  }
  if (channel.state === 'stopping' || channel.state === 'superseded') return true;
  if (channel.state === 'active' || channel.state === 'renewing') lookAfter(context, channel);
  else wait(context, channel, channel.expiresMs);
  return false;
}

/** What covered its watch until now leaves a gap: everything is read again, now and once a new channel is there. */
function endLife(context: ChannelContext, channel: ChannelRow): void {
  moveChannel(context, channel, 'life_over');
  if (channel.state === 'stopping') settleUnwatched(context, channel);
  const watch = findWatch(context, channel.watch);
  if (watch === undefined || watch.endedMs !== null || watch.currentId !== channel.id) return;
  const nowMs = context.tools.now();
  queueResync(context, watch.customer, { reason: 'channel_lapsed', ...readWatchScope(watch) });
  const detail = `Channel ${channel.id} ended at ${formatIsoTimestamp(channel.expiresMs)} before a successor was granted`;
  raise(context, { customer: watch.customer, kind: 'channel_lapsed', subject: watch.id }, detail);
  // A request for the next one at this moment keeps the claim.
  const isClaimed = watch.claimedUntilMs > nowMs;
  context.run('UPDATE watch SET current_id = NULL WHERE id = ?', watch.id);
  if (!isClaimed) context.run('UPDATE watch SET due_ms = min(due_ms, ?) WHERE id = ?', nowMs, watch.id);
}

/** A channel that covers its watch: its sync is missing, or its successor is late. */
function lookAfter(context: ChannelContext, channel: ChannelRow): void {
  const nowMs = context.tools.now();
  const { customer, watch, id } = channel;
  if (channel.syncedMs === null && channel.grantedMs !== null && nowMs >= channel.grantedMs + context.limits.syncMs) {
    const detail = `Channel ${id} was granted at ${formatIsoTimestamp(channel.grantedMs)} and sent no sync: messages may not reach us`;
    raise(context, { customer, kind: 'no_sync', subject: id }, detail);
    supersedeChannels(context, channel.watchSeq, channel.seq);
  }
  if (nowMs >= channel.expiresMs - channel.leadMs / 2 && findWatch(context, watch)?.currentId === id) {
    const detail = `Channel ${id} ends at ${formatIsoTimestamp(channel.expiresMs)} and has no successor yet`;
    raise(context, { customer, kind: 'channel_lead_low', subject: watch }, detail);
  }
  wait(context, channel, coverDueMs(channel, context.limits, nowMs));
}

const wait = ({ run }: ChannelContext, { seq }: ChannelRow, dueMs: number): void => {
  run('UPDATE channel SET due_ms = ? WHERE seq = ?', Math.ceil(dueMs), seq);
};

const MAX_DETAIL_CHARS = 300;

/** Asks the vendor to stop a channel that no one needs any more. @returns whether the claim was ours */
async function stopChannel(context: ChannelContext, channel: ChannelRow): Promise<boolean> {
  const { run, tools, limits } = context;
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
  const answer = await callVendor(context, () =>
    tools.vendor.stop({ id, resourceId, ...(subject === '' ? {} : { subject }) }),
  );
  tools.transaction(() => book(context, { ...channel, state: 'stopping' }, answer));
  return true;
}

/** No one else writes to a channel that is claimed, unless its life ends meanwhile: then it is not touched. */
function book(context: ChannelContext, channel: ChannelRow, answer: { ok: true } | VendorFailure): void {
  countCall(context, channel.customer, isOutage(answer));
  if (answer.ok || answer.reason === 'not_found') {
    moveChannel(context, channel, 'stop_taken', { lastError: null });
    if (channel.tries > 0) settle(context, formatAccessSubject(channel));
    return;
  }
  const { customer, expiresMs } = channel;
  if (answer.reason === 'credentials_refused')
    raise(context, { customer, kind: 'credentials_refused', subject: formatAccessSubject(channel) }, answer.detail);
  const tries = channel.tries + 1;
  const longestMs = computeLongestWaitMs(channel.leadMs, channel.leadMs);
  const backoffMs = computeRenewalWaitMs({ tries, longestMs, retryAfterMs: answer.retryAfterMs }, context.chance());
  const delayMs = isOutage(answer) ? backoffMs : context.limits.credentialsMs;
  context.run(
    "UPDATE channel SET tries = ?, last_error = ?, due_ms = ? WHERE seq = ? AND state = 'stopping'",
    tries,
    answer.detail.slice(0, MAX_DETAIL_CHARS),
    Math.ceil(Math.min(expiresMs, context.tools.now() + delayMs)),
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
function detectClockSetback(context: ChannelContext): void {
  const nowMs = context.tools.now();
  const seenMs = Number(readRegistrySetting(context, SEEN) ?? 0);
  if (Math.abs(nowMs - seenMs) < STEP_MS) return;
  setSetting(context, SEEN, String(nowMs));
  if (nowMs < seenMs) rescheduleAfterSetback(context, nowMs, seenMs);
}

/**
 * What is due later than it can be is due now, and so is the successor of what was asked for at a time that is yet to
 * come; a life without an answer that seems to begin then begins now. Rare: it looks at all open channels.
 */
function rescheduleAfterSetback(context: ChannelContext, nowMs: number, seenMs: number): void {
  const { run, tools, limits } = context;
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
  run('UPDATE channel_word SET due_ms = ?1 WHERE due_ms > ?2', nowMs, nowMs + LONGEST_WORD_WAIT_MS);
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

/**
 * Does what is due, within limits: local steps first, then calls to the vendor, then commands to inboxes. Words of
 * channels go to inboxes meanwhile: a stop waits for no vendor.
 */
export async function runRenewalPass(context: ChannelContext): Promise<PassReport> {
  context.tools.transaction(() => detectClockSetback(context));
  const untilMs = context.tools.now() + context.limits.passMs;
  const { steps, stops } = context.tools.transaction(() => takeSteps(context));
  const resyncs = context.tools.transaction(() => startDailyResyncs(context));
  const opens = listDueWatches(context);
  const jobs = [...opens, ...stops.map((channel) => stopJob(context, channel))];
  const words = claimChannelWords(context);
  const [heard, called] = await Promise.all([
    runInParallel(context, [...words.values()], async (list) => {
      await deliverChannelWords(context, list, untilMs);
      return true;
    }),
    runInParallel(context, jobs, (job) => performJob(context, job, untilMs)),
  ]);
  const commands = claimCommands(context);
  const deliverUntilMs = context.tools.now() + context.limits.commandsMs;
  const delivered = await runInParallel(context, [...commands], async ([customer, list]) => {
    await deliverInboxCommands(context, customer, list, deliverUntilMs);
    return true;
  });
  const own = steps + resyncs;
  return { due: words.size + own + jobs.length + commands.size, done: heard + own + called + delivered };
}

const EARLIEST = `SELECT (SELECT min(due_ms) FROM watch) AS watch,
  (SELECT min(due_ms) FROM channel WHERE ${IS_STEP}) AS step, (SELECT min(due_ms) FROM channel WHERE ${IS_STOP}) AS stop,
  (SELECT min(due_ms) FROM errand) AS errand, (SELECT min(due_ms) FROM channel_word) AS word, (SELECT min(resync_ms) FROM customer) AS resync`;

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
    earliest('word'),
    earliest('resync'),
  );
  return Number.isFinite(soonest) ? soonest : undefined;
}

const DUE_STEPS = `SELECT * FROM channel WHERE due_ms <= ? AND ${IS_STEP} ORDER BY due_ms LIMIT ?`;
const DUE_STOPS = `SELECT * FROM channel WHERE due_ms <= ? AND ${IS_STOP} ORDER BY due_ms LIMIT ?`;

/** Channels whose time has come. What takes the vendor is handed back, no more than may be asked of it now. */
function takeSteps(context: ChannelContext): { steps: number; stops: readonly ChannelRow[] } {
  const { run, limits, buckets } = context;
  const nowMs = context.tools.now();
  const most = Math.min(limits.passSize, buckets.stops.count(nowMs));
  const due = [...run(DUE_STEPS, nowMs, limits.passSize), ...run(DUE_STOPS, nowMs, most)].map(readChannelRow);
  const stops = due.filter((channel) => advanceChannel(context, channel));
  return { steps: due.length - stops.length, stops };
}

/**
 * Watches whose next channel is to be asked for; those that ended long enough ago go. When there are more than may be
 * asked for, those come first whose cover ends first: the index holds what that takes.
 */
const DUE_WATCHES = `SELECT w.* FROM
  (SELECT seq FROM watch WHERE due_ms <= ? ORDER BY covered_until_ms LIMIT ?) d JOIN watch w ON w.seq = d.seq`;

function listDueWatches(context: ChannelContext): readonly Job[] {
  const { run, tools, limits, buckets } = context;
  const nowMs = tools.now();
  const due = run(DUE_WATCHES, nowMs, Math.min(limits.passSize, buckets.watches.count(nowMs))).map(readWatchRow);
  for (const { seq, endedMs } of due) if (endedMs !== null) run('DELETE FROM watch WHERE seq = ?', seq);
  return due
    .filter(({ endedMs }) => endedMs === null)
    .map((watch) => ({
      customer: watch.customer,
      bucket: 'watches',
      do: () => requestChannel(context, watch),
      hold: (untilMs) => {
        run('UPDATE watch SET due_ms = ? WHERE seq = ? AND due_ms = ?', untilMs, watch.seq, watch.dueMs);
      },
    }));
}

const stopJob = (context: ChannelContext, channel: ChannelRow): Job => ({
  customer: channel.customer,
  bucket: 'stops',
  do: () => stopChannel(context, channel),
  hold: (untilMs) => {
    const sql = 'UPDATE channel SET due_ms = ? WHERE seq = ? AND due_ms = ?';
    context.run(sql, Math.min(untilMs, channel.expiresMs), channel.seq, channel.dueMs);
  },
});

/** One call, if its time, its customer's circuit and the rate of all allow it. @returns whether it was made */
async function performJob(context: ChannelContext, job: Job, untilMs: number): Promise<boolean> {
  const nowMs = context.tools.now();
  if (nowMs >= untilMs || context.buckets[job.bucket].count(nowMs) < 1) return false;
  const heldMs = findHoldEnd(context, job.customer);
  if (heldMs !== undefined) {
    job.hold(heldMs);
    return false;
  }
  context.buckets[job.bucket].take(nowMs);
  return job.do();
}

/** As many at once as there are connections. @returns how many said yes */
async function runInParallel<T>(
  context: ChannelContext,
  jobs: readonly T[],
  run: (job: T) => Promise<boolean>,
): Promise<number> {
  const left = jobs.values();
  let done = 0;
  const worker = async (): Promise<void> => {
    for (const job of left) if (await run(job)) done += 1;
  };
  await Promise.all(Array.from({ length: Math.min(context.limits.callsAtOnce, jobs.length) }, worker));
  return done;
}
