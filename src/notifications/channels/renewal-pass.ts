import { attempt } from './attempt.ts';
import { seeClock } from './clock.ts';
import { heldUntilMs, orderDailyResyncs } from './customers.ts';
import type { Desk } from './context.ts';
import { claimErrands, tellErrands } from './inbox-commands.ts';
import { step } from './steps.ts';
import { stopChannel } from './stops.ts';
import { type ChannelRow, channelIn, IS_STEP, IS_STOP, watchIn } from './tables.ts';

/** What a pass found due, and what of it was done. The rest is due in the next. */
export type PassReport = { due: number; done: number };

type Job = {
  customer: string;
  bucket: 'watches' | 'stops';
  do: () => Promise<boolean>;
  hold: (untilMs: number) => void;
};

/** Does what is due, within limits: local steps first, then calls to the vendor, then errands to inboxes. */
export async function passOnce(desk: Desk): Promise<PassReport> {
  desk.tools.transaction(() => seeClock(desk));
  const untilMs = desk.tools.now() + desk.limits.passMs;
  const { steps, stops } = desk.tools.transaction(() => takeSteps(desk));
  const resyncs = desk.tools.transaction(() => orderDailyResyncs(desk));
  const opens = dueWatches(desk);
  const jobs = [...opens, ...stops.map((channel) => stopJob(desk, channel))];
  const called = await inParallel(desk, jobs, (job) => work(desk, job, untilMs));
  const errands = claimErrands(desk);
  const tellUntilMs = desk.tools.now() + desk.limits.errandsMs;
  const told = await inParallel(desk, [...errands], async ([customer, list]) => {
    await tellErrands(desk, customer, list, tellUntilMs);
    return true;
  });
  return { due: steps + resyncs + jobs.length + errands.size, done: steps + resyncs + called + told };
}

const EARLIEST = `SELECT (SELECT min(due_ms) FROM watch) AS watch,
  (SELECT min(due_ms) FROM channel WHERE ${IS_STEP}) AS step, (SELECT min(due_ms) FROM channel WHERE ${IS_STOP}) AS stop,
  (SELECT min(due_ms) FROM errand) AS errand, (SELECT min(resync_ms) FROM customer) AS resync`;

/** When there is something to do next, Unix milliseconds; undefined for never. */
export function nextDueMs({ run, tools, buckets }: Desk): number | undefined {
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
function takeSteps(desk: Desk): { steps: number; stops: readonly ChannelRow[] } {
  const { run, limits, buckets } = desk;
  const nowMs = desk.tools.now();
  const most = Math.min(limits.passSize, buckets.stops.count(nowMs));
  const due = [...run(DUE_STEPS, nowMs, limits.passSize), ...run(DUE_STOPS, nowMs, most)].map(channelIn);
  const stops = due.filter((channel) => step(desk, channel));
  return { steps: due.length - stops.length, stops };
}

/**
 * Watches whose next channel is to be asked for; those that ended long enough ago go. When there are more than may be
 * asked for, those come first whose cover ends first: the index holds what that takes.
 */
const DUE_WATCHES = `SELECT w.* FROM
  (SELECT seq FROM watch WHERE due_ms <= ? ORDER BY covered_until_ms LIMIT ?) d JOIN watch w ON w.seq = d.seq`;

function dueWatches(desk: Desk): readonly Job[] {
  const { run, tools, limits, buckets } = desk;
  const nowMs = tools.now();
  const due = run(DUE_WATCHES, nowMs, Math.min(limits.passSize, buckets.watches.count(nowMs))).map(watchIn);
  for (const { seq, endedMs } of due) if (endedMs !== null) run('DELETE FROM watch WHERE seq = ?', seq);
  return due
    .filter(({ endedMs }) => endedMs === null)
    .map((watch) => ({
      customer: watch.customer,
      bucket: 'watches',
      do: () => attempt(desk, watch),
      hold: (untilMs) => {
        run('UPDATE watch SET due_ms = ? WHERE seq = ? AND due_ms = ?', untilMs, watch.seq, watch.dueMs);
      },
    }));
}

const stopJob = (desk: Desk, channel: ChannelRow): Job => ({
  customer: channel.customer,
  bucket: 'stops',
  do: () => stopChannel(desk, channel),
  hold: (untilMs) => {
    const sql = 'UPDATE channel SET due_ms = ? WHERE seq = ? AND due_ms = ?';
    desk.run(sql, Math.min(untilMs, channel.expiresMs), channel.seq, channel.dueMs);
  },
});

/** One call, if its time, its customer's circuit and the rate of all allow it. @returns whether it was made */
async function work(desk: Desk, job: Job, untilMs: number): Promise<boolean> {
  const nowMs = desk.tools.now();
  if (nowMs >= untilMs || desk.buckets[job.bucket].count(nowMs) < 1) return false;
  const heldMs = heldUntilMs(desk, job.customer);
  if (heldMs !== undefined) {
    job.hold(heldMs);
    return false;
  }
  desk.buckets[job.bucket].take(nowMs);
  return job.do();
}

/** As many at once as there are connections. @returns how many said yes */
async function inParallel<T>(desk: Desk, jobs: readonly T[], run: (job: T) => Promise<boolean>): Promise<number> {
  const left = jobs.values();
  let done = 0;
  const worker = async (): Promise<void> => {
    for (const job of left) if (await run(job)) done += 1;
  };
  await Promise.all(Array.from({ length: Math.min(desk.limits.callsAtOnce, jobs.length) }, worker));
  return done;
}
