import type { CrawlEndReason } from '../crawl/crawl-step.ts';
import type { JobRecord } from '../index/item.ts';
import { vendorRefusals, Refusal } from '../../lib/refusal.ts';
import { HOUR_MS } from '../../lib/time.ts';
import type { Parts } from './parts.ts';

/** Between any job and the next one that is asked for, or that is due; the vendor has the same. */
export const COOLDOWN_MS = 30_000;
/** Jobs of an instance in an hour, no matter who began them: each reads the whole site again. */
export const MAX_JOBS_PER_HOUR = 12;

/** In a job's state: when it was added by the clock of a sandbox; 0 or absent: by the real one. */
type JobClock = { clockMs: number };

/** What a clock said so shortly before it still says: it may be frozen. */
const SAME_MOMENT_MS = 1_000;

/** Keeps what the tenant's clock says. @param clockMs undefined for a live tenant, whose clock is the real one */
export function rememberClock({ own, tools }: Parts, clockMs = 0): void {
  own.setTime('clock', clockMs);
  own.setTime('clock_at', tools.now());
}

function buildJobState({ own, tools }: Parts): JobClock {
  const clockMs = own.time('clock');
  const sinceMs = tools.now() - own.time('clock_at');
  return { clockMs: clockMs === 0 || sinceMs < SAME_MOMENT_MS ? clockMs : clockMs + sinceMs };
}

const getClockTime = ({ createdMs, state }: JobRecord): number => Number(state['clockMs'] ?? 0) || createdMs;

/**
 * Adds a job. One runs at a time; one that a caller asks for while a crawl of the schedule runs begins after it. Times
 * between jobs count by the tenant's clock: where a test sets it, nothing is waited for.
 * @throws Refusal 429 `sync_in_cooldown` for 30 s after any other job was added, while another caller's waits or runs, and for
 * the 13th in an hour
 */
export function addUserJob(parts: Parts, order: { description?: string; clockMs?: number }): JobRecord {
  const { store, tools } = parts;
  const { description, clockMs = tools.now() } = order;
  rememberClock(parts, order.clockMs);
  // The clock of a sandbox goes back, too: what lies ahead of it then was not begun just now.
  const waitMs = computeJobAllowedMs(parts, getClockTime, clockMs) - clockMs;
  const isOpen = store.openJobs().some(({ source }) => source === 'user');
  if (isOpen || waitMs > 0) throw refuseInCooldown(Math.max(1, Math.ceil(waitMs / 1000)));
  return store.addJob({
    source: 'user',
    state: buildJobState(parts),
    ...(description !== undefined && { description }),
  });
}

/**
 * When the instance may have another job, by those that it had, Unix milliseconds; 0 where it had none.
 * @param getTime when one was added, by some clock
 * @param nowMs what that clock says; jobs after it do not count
 */
function computeJobAllowedMs({ store }: Parts, getTime: (job: JobRecord) => number, nowMs: number): number {
  const { jobs } = store.listJobs(1, MAX_JOBS_PER_HOUR);
  const times = jobs.map(getTime).filter((ms) => ms <= nowMs);
  const [last] = times;
  const oldest = times[MAX_JOBS_PER_HOUR - 1];
  return Math.max(last === undefined ? 0 : last + COOLDOWN_MS, oldest === undefined ? 0 : oldest + HOUR_MS);
}

const refuseInCooldown = (retryAfterS: number): Refusal =>
  new Refusal({
    status: 429,
    word: 'RESOURCE_EXHAUSTED',
    reason: 'sync_in_cooldown',
    message:
      'sync_in_cooldown: a job of this instance waits, runs, or was begun less than 30 seconds ago, or 12 were begun within an hour',
    retryAfterS,
  });

/** Adds a crawl of the instance's own accord, unless a job waits or runs already; or says when it is due, where it may not be yet. */
export function addScheduledJob(parts: Parts): void {
  const { store, own, tools } = parts;
  if (store.openJobs().length > 0) return;
  const allowedMs = computeJobAllowedMs(parts, ({ createdMs }) => createdMs, tools.now());
  if (allowedMs > tools.now()) own.setTime('next_sync', allowedMs);
  else store.addJob({ source: 'schedule', state: buildJobState(parts) });
}

/** Ends a job that waits or runs. @throws Refusal 404, and 400 for one that has ended */
export function cancelJob(parts: Parts, id: string): JobRecord {
  const { store } = parts;
  const job = store.job(id);
  if (!job) throw vendorRefusals.missing('job_not_found');
  if (job.endedMs !== null) throw vendorRefusals.invalid('job_cannot_be_cancelled');
  endJob(parts, id, 'cancelled');
  return store.job(id) ?? job;
}

/** The job has ended, and with it the crawl that it made. */
export function endJob({ store, frontier, tools }: Parts, id: string, reason: CrawlEndReason): void {
  tools.transaction(() => {
    if (frontier.state()?.job === id) frontier.clear();
    const level = reason === 'completed' ? 'info' : 'warning';
    store.logJob(id, { level, action: 'end', message: `The job has ended: ${reason}` });
    store.changeJob(id, { endedMs: tools.now(), endReason: reason });
  });
}
