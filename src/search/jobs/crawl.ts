import { type CrawlSource, type InstanceFacts, MAX_JOB_PAGES } from '../order.ts';
import type { CrawlSink, CrawlTools, StepEnd } from '../crawl/crawl-step.ts';
import { crawlStep } from '../crawl/step.ts';
import { STEP_MS } from '../crawl/fetch-page.ts';
import { buildIndexedFile } from '../ingest/indexed-file.ts';
import { buildPageMetadata } from '../ingest/page-metadata.ts';
import type { JobRecord } from '../index/item.ts';
import { createCountedNetwork, MAX_INPUT_DEATHS, type Parts, computeRestMs, formatSourceId } from './parts.ts';
import { runAtHost, findBusyUntilMs, isPublic, waitLine } from './page.ts';
import { getErrorName } from '../../lib/errors.ts';
import { endJob } from './sync.ts';

/** Steps of one turn at the host: a turn may take so much of the processor. */
const STEPS_PER_TURN = 6;
/** A pause that is waited for within a turn. */
const SHORT_MS = 2_000;
/** Waits after faults of ours; after one more the job has failed. */
const FAULT_WAITS_MS = [10_000, 60_000, 300_000];
/** A job waits no longer for others who read the host, all in all. */
export const MAX_WAIT_MS = 6 * 3_600_000;
const LIST = 100;
/** A job in whose turns the object died so often ends: a site with many pages that end the process would do so at each. */
export const MAX_JOB_DEATHS = 2 * MAX_INPUT_DEATHS;
/** The next crawl of its own accord comes no sooner after such a job. */
const DEADLY_WAIT_MS = 24 * 3_600_000;
const DEADLY = `The service stopped ${MAX_JOB_DEATHS} times during this job: it is not tried again, and the next crawl waits for a day`;

/** Goes on with the oldest job that has not ended, for one turn. `computeNextCrawlMs` says when the rest is due. */
export async function runCrawlJobs(parts: Parts, facts: InstanceFacts): Promise<void> {
  const [job] = parts.store.openJobs();
  const { source } = facts.config;
  if (!job || (computeNextCrawlMs(parts) ?? Number.POSITIVE_INFINITY) > parts.tools.now()) return;
  if (!source) {
    endJob(parts, job.id, 'no_source');
    return;
  }
  try {
    const waitS = await runAtHost(parts, source.url, job.id, () =>
      runCrawlTurn(parts, startJob(parts, job), facts, source),
    );
    if (waitS !== undefined) postponeJob(parts, job, waitS);
  } catch (error) {
    recordJobFault(parts, job, error);
  }
}

/** When the job that runs may go on, Unix milliseconds; undefined for none. */
export function computeNextCrawlMs(parts: Parts): number | undefined {
  const { store, frontier, own } = parts;
  const [job] = store.openJobs();
  if (!job) return undefined;
  const state = frontier.state();
  const pauseMs = state?.job === job.id ? state.notBeforeMs : 0;
  return Math.max(findBusyUntilMs(parts, own.facts()?.config.source?.url), pauseMs, readJobProgress(job).retryMs);
}

/**
 * What a job remembers: faults of ours and when it goes on after the last one, since when it waits for its host (0: it does
 * not), how long it has waited in all, and for how long of it after it had begun; and `JobClock`. Milliseconds.
 */
const readJobProgress = ({ state }: JobRecord) => {
  const number = (name: string): number => Number(state[name] ?? 0);
  return {
    faults: number('faults'),
    retryMs: number('retryMs'),
    busyFromMs: number('busyFromMs'),
    waitedMs: number('waitedMs'),
    idleMs: number('idleMs'),
    clockMs: number('clockMs'),
  };
};

/** The job has a place at the host: the first time it begins with that. */
function startJob({ store, frontier, tools }: Parts, job: JobRecord): JobRecord {
  const nowMs = tools.now();
  const isNew = job.startedMs === null;
  return tools.transaction(() => {
    if (frontier.state()?.job !== job.id) frontier.begin(job.id);
    const was = readJobProgress(job);
    const waitedMs = was.busyFromMs === 0 ? 0 : nowMs - was.busyFromMs;
    const idleMs = was.idleMs + (isNew ? 0 : waitedMs);
    const state = { ...was, busyFromMs: 0, waitedMs: was.waitedMs + waitedMs, idleMs };
    if (isNew) store.logJob(job.id, { level: 'info', action: 'begin', message: 'The job has begun' });
    return store.changeJob(job.id, { seenMs: nowMs, state, ...(isNew && { startedMs: nowMs }) }) ?? job;
  });
}

/** Others read the host: the job goes on waiting, but not for ever. */
function postponeJob(parts: Parts, job: JobRecord, waitS: number): void {
  const { store, tools } = parts;
  const was = readJobProgress(job);
  const busyFromMs = was.busyFromMs === 0 ? tools.now() : was.busyFromMs;
  store.logJob(job.id, waitLine(waitS));
  store.changeJob(job.id, { state: { ...was, busyFromMs } });
  if (was.waitedMs + tools.now() - busyFromMs >= MAX_WAIT_MS) endJob(parts, job.id, 'time_limit');
}

async function runCrawlTurn(parts: Parts, job: JobRecord, facts: InstanceFacts, source: CrawlSource): Promise<void> {
  const { attempts } = parts;
  const name = `job ${job.id}`;
  if (attempts.deaths(name) >= MAX_JOB_DEATHS) {
    parts.store.logJob(job.id, { level: 'error', action: 'crawl', message: DEADLY });
    parts.own.setTime('next_sync', Math.max(parts.own.time('next_sync'), parts.tools.now() + DEADLY_WAIT_MS));
    endJob(parts, job.id, 'failed');
    return;
  }
  await attempts.begin(name);
  try {
    await takeSteps(parts, job, facts, source);
  } finally {
    attempts.leave(name);
  }
}

async function takeSteps(parts: Parts, job: JobRecord, facts: InstanceFacts, source: CrawlSource): Promise<void> {
  const { tools, frontier } = parts;
  const crawl: CrawlTools = {
    frontier,
    source: { ...source, maxPages: Math.min(source.maxPages, MAX_JOB_PAGES) },
    network: createCountedNetwork(parts),
    restMs: () => Math.max(computeRestMs(parts), parts.own.time('page_after')),
    isPublic: isPublic(source.url),
    sleep: tools.sleep,
    transaction: tools.transaction,
    sink: createCrawlSink(parts, job, facts, formatSourceId(source.url)),
    attempts: parts.attempts,
    readPdf: tools.readPdf,
    startedMs: (job.startedMs ?? tools.now()) + readJobProgress(job).idleMs,
  };
  const endMs = tools.now() + STEP_MS;
  for (let steps = 0; steps < STEPS_PER_TURN && tools.now() < endMs; steps += 1) {
    const end: StepEnd = await crawlStep(crawl, endMs);
    if (parts.store.job(job.id)?.endedMs !== null) return; // Cancelled meanwhile, or the instance is dropped.
    if (end.kind === 'ended') {
      endJob(parts, job.id, end.reason);
      return;
    }
    // The step waits for its own turn; one that is far off is for the next alarm.
    if ((frontier.state()?.notBeforeMs ?? 0) - tools.now() > SHORT_MS) return;
  }
}

/** A fault of ours: the job tries again, but not for ever. */
function recordJobFault(parts: Parts, job: JobRecord, error: unknown): void {
  const { tools, store } = parts;
  tools.log({ event: 'search.crawl.fault', error: getErrorName(error) });
  const current = store.job(job.id);
  if (current?.endedMs !== null) return; // Ended meanwhile.
  const was = readJobProgress(current);
  const waitMs = FAULT_WAITS_MS[was.faults];
  if (waitMs === undefined) endJob(parts, job.id, 'failed');
  else store.changeJob(job.id, { state: { ...was, faults: was.faults + 1, retryMs: tools.now() + waitMs } });
}

function createCrawlSink({ store }: Parts, job: JobRecord, { config }: InstanceFacts, source: string): CrawlSink {
  return {
    prepare: (key, { metas, ...page }) =>
      buildIndexedFile({ ...page, source, key, metadata: buildPageMetadata(metas, config.metadata) }, config),
    put(item, chunks) {
      const outcome = store.putItem(item, chunks);
      if (outcome.ok && outcome.effect !== 'unchanged') {
        const line = { level: 'info', action: 'index', message: 'Indexed by a crawl', chunks: chunks.length } as const;
        store.logItem(outcome.item.id, line);
      }
      return outcome;
    },
    fail(key, reason) {
      const known = store.itemByKey(source, key);
      const error = `could not be read: ${reason}`;
      if (known && known.chunks > 0) store.markItem(known.id, { error });
      else {
        const item = {
          source,
          key,
          status: 'error',
          type: '',
          title: '',
          metadata: {},
          checksum: '',
          size: 0,
        } as const;
        store.putItem({ ...item, error }, []);
      }
      const id = store.itemByKey(source, key)?.id;
      if (id !== undefined) store.logItem(id, { level: 'error', action: 'index', message: error });
    },
    // Sorted by their time of change: what is deleted moves the others up, what is kept stays in its place.
    items: (page) => store.listItems({ page, perPage: LIST, sortBy: 'modified_at', source }).items,
    remove: (id) => void store.removeItem(id),
    knows: (key) => store.itemByKey(source, key) !== undefined,
    log: (level, message) => store.logJob(job.id, { level, action: 'crawl', message }),
  };
}
