import type { EndReason } from '../crawl/step.ts';
import type { StoredJob } from '../index/item.ts';
import { MAX_JOBS } from '../index/job-rows.ts';
import { refuse, Refusal } from '../../management/refusal.ts';
import type { Parts } from './parts.ts';

/** Between any job and one that a caller asks for; the vendor has the same. */
export const COOLDOWN_MS = 30_000;
/** Jobs that callers may ask for in an hour: each reads the whole site again. */
export const MAX_USER_JOBS_PER_HOUR = 12;
const HOUR_MS = 3_600_000;

/**
 * Adds a job. One runs at a time; one that a caller asks for while a crawl of the schedule runs begins after it.
 * @throws Refusal 429 `sync_in_cooldown` for 30 s after any other job was added, while another caller's waits or runs, and for
 * the 13th in an hour
 */
export function addUserJob({ store, tools }: Parts, description: string | undefined): StoredJob {
  const nowMs = tools.now();
  const { jobs } = store.listJobs(1, MAX_JOBS);
  const waitMs = (jobs[0]?.createdMs ?? Number.NEGATIVE_INFINITY) + COOLDOWN_MS - nowMs;
  const isOpen = jobs.some(({ source, endedMs }) => source === 'user' && endedMs === null);
  if (isOpen || waitMs > 0) throw inCooldown(Math.max(1, Math.ceil(waitMs / 1000)));
  const recent = jobs.filter(({ source, createdMs }) => source === 'user' && createdMs > nowMs - HOUR_MS);
  const oldest = recent[MAX_USER_JOBS_PER_HOUR - 1];
  if (oldest) throw inCooldown(Math.ceil((oldest.createdMs + HOUR_MS - nowMs) / 1000));
  return store.addJob({ source: 'user', ...(description !== undefined && { description }) });
}

const inCooldown = (retryAfterS: number): Refusal =>
  new Refusal({
    status: 429,
    word: 'RESOURCE_EXHAUSTED',
    reason: 'sync_in_cooldown',
    message:
      'sync_in_cooldown: a job of this instance waits, runs, or was begun less than 30 seconds ago, or 12 were begun within an hour',
    retryAfterS,
  });

/** Adds a crawl of the instance's own accord, unless one waits or runs already. */
export function addScheduledJob({ store }: Parts): void {
  if (store.openJobs().length === 0) store.addJob({ source: 'schedule' });
}

/** Ends a job that waits or runs; one that has ended is answered as it is. @throws Refusal 404 */
export function cancelJob(parts: Parts, id: string): StoredJob {
  const { store } = parts;
  const job = store.job(id);
  if (!job) throw refuse.missing('job_not_found');
  if (job.endedMs !== null) return job;
  endJob(parts, id, 'cancelled');
  return store.job(id) ?? job;
}

/** The job has ended, and with it the crawl that it made. */
export function endJob({ store, frontier, tools }: Parts, id: string, reason: EndReason): void {
  tools.transaction(() => {
    if (frontier.state()?.job === id) frontier.clear();
    const level = reason === 'completed' ? 'info' : 'warning';
    store.logJob(id, { level, action: 'end', message: `The job has ended: ${reason}` });
    store.changeJob(id, { endedMs: tools.now(), endReason: reason });
  });
}
