import type { CrawlSource, InstanceFacts } from '../../management/aisearch/order.ts';
import { classifyHost } from '../../net/address.ts';
import { type CrawlSink, crawlStep, type CrawlTools, type StepEnd } from '../crawl/step.ts';
import { STEP_MS } from '../crawl/site-fetch.ts';
import { indexedFile } from '../ingest/indexed-file.ts';
import type { StoredJob } from '../index/item.ts';
import { type Parts, sourceId } from './parts.ts';
import { endJob } from './sync.ts';

/** Pages of one job, whatever the instance asks for. */
export const MAX_JOB_PAGES = 500;
/** Steps of one turn at the host: a turn may take so much of the processor. */
const STEPS_PER_TURN = 6;
/** A pause that is waited for within a turn. */
const SHORT_MS = 2_000;
/** Times that a job may fail by a fault of ours. */
const MAX_FAULTS = 3;
const LIST = 100;

/** Goes on with the oldest job that has not ended, for one turn. What is left is told by `nextCrawlMs`. */
export async function workOnJobs(parts: Parts, facts: InstanceFacts): Promise<void> {
  const [job] = parts.store.openJobs();
  const { source } = facts.config;
  if (!job || (nextCrawlMs(parts) ?? Number.POSITIVE_INFINITY) > parts.tools.now()) return;
  if (!source) {
    endJob(parts, job.id, 'no_source');
    return;
  }
  begin(parts, job);
  try {
    await atHost(parts, job, source, () => turn(parts, job, facts, source));
  } catch (error) {
    fault(parts, job, error);
  }
}

/** When the job that runs may go on, Unix milliseconds; undefined for none. */
export function nextCrawlMs({ store, frontier, own }: Parts): number | undefined {
  const [job] = store.openJobs();
  if (!job) return undefined;
  return Math.max(own.time('host_busy'), frontier.state()?.notBeforeMs ?? 0);
}

function begin({ store, frontier, tools }: Parts, job: StoredJob): void {
  tools.transaction(() => {
    if (frontier.state()?.job !== job.id) frontier.begin(job.id);
    store.changeJob(job.id, { seenMs: tools.now(), ...(job.startedMs === null && { startedMs: tools.now() }) });
    if (job.startedMs === null) store.logJob(job.id, { level: 'info', action: 'begin', message: 'The job has begun' });
  });
}

/** Rule F6, for hosts that are somebody's: others may be reading it. Then the job waits. */
async function atHost(parts: Parts, job: StoredJob, source: CrawlSource, work: () => Promise<void>): Promise<void> {
  const { tools, own, store } = parts;
  const { hostname } = new URL(source.url);
  if (classifyHost(hostname).kind !== 'public') return work();
  const waitS = await tools.enter(hostname, job.id);
  if (waitS !== undefined) {
    own.setTime('host_busy', tools.now() + waitS * 1000);
    store.logJob(job.id, { level: 'info', action: 'wait', message: `Others are reading this host: on in ${waitS} s` });
    return undefined;
  }
  try {
    await work();
  } finally {
    await tools.leave(hostname, job.id);
  }
}

async function turn(parts: Parts, job: StoredJob, facts: InstanceFacts, source: CrawlSource): Promise<void> {
  const { tools, frontier } = parts;
  const crawl: CrawlTools = {
    frontier,
    source: { ...source, maxPages: Math.min(source.maxPages, MAX_JOB_PAGES) },
    network: tools.network,
    isPublic: classifyHost(new URL(source.url).hostname).kind === 'public',
    sleep: tools.sleep,
    transaction: tools.transaction,
    sink: sinkOf(parts, job, facts, sourceId(source.url)),
    startedMs: job.startedMs ?? tools.now(),
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
function fault(parts: Parts, job: StoredJob, error: unknown): void {
  const { tools, store } = parts;
  tools.log({ event: 'search.crawl.fault', error: error instanceof Error ? error.message : String(error) });
  const faults = Number(store.job(job.id)?.state['faults'] ?? 0) + 1;
  if (faults >= MAX_FAULTS) endJob(parts, job.id, 'failed');
  else store.changeJob(job.id, { state: { faults } });
}

function sinkOf({ store }: Parts, job: StoredJob, { config }: InstanceFacts, source: string): CrawlSink {
  return {
    prepare: (key, page) => indexedFile({ ...page, source, key, metadata: {} }, config),
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
    log: (level, message) => store.logJob(job.id, { level, action: 'crawl', message }),
  };
}
