import type { InstanceFacts } from '../order.ts';
import { computeNextCrawlMs, runCrawlJobs } from './crawl.ts';
import { computeNextVectorsMs, runEmbedding } from './embed.ts';
import { getErrorName } from '../../lib/errors.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Parts } from './parts.ts';
import { addScheduledJob } from './sync.ts';
import { computeNextItemsMs, indexWaitingItems } from './waiting.ts';

/** Steps to other words that one round takes. */
const REINDEX_STEPS = 20;

/**
 * One round of all that an instance does of its own accord, each part within its limits.
 * @returns `gone`: the tenant has the instance no more, and nothing of it is to stay
 */
export async function runDueJobs(parts: Parts): Promise<'gone' | 'kept'> {
  const facts = parts.own.facts();
  if (!facts) return 'gone';
  if (!(await isStillWanted(parts, facts))) return 'gone';
  await indexWaitingItems(parts, facts);
  reindex(parts);
  schedule(parts, facts);
  if (!(await isWantedForJob(parts, facts))) return 'gone';
  await runCrawlJobs(parts, facts);
  await runEmbedding(parts, facts);
  return 'kept';
}

/** When there is something to do again, Unix milliseconds. */
export function computeNextRoundMs(parts: Parts): number | undefined {
  const facts = parts.own.facts();
  if (!facts) return undefined;
  const { own } = parts;
  const times = [
    own.time('next_census'),
    own.word('tokenizer') === '' && parts.store.formerTokenizer() === undefined ? undefined : 0,
    computeNextItemsMs(parts, facts),
    computeNextSyncMs(parts, facts),
    computeNextCrawlMs(parts),
    computeNextVectorsMs(parts, facts),
  ];
  return Math.min(...times.filter((ms) => ms !== undefined));
}

/** A tenant that was reset, or restored from a snapshot, may have it no more. One that cannot be asked is asked later. */
async function isStillWanted({ own, tools }: Parts, facts: InstanceFacts): Promise<boolean> {
  const nowMs = tools.now();
  if (own.time('next_census') > nowMs) return true;
  own.setTime('next_census', nowMs + DAY_MS);
  return tools.isWanted(facts);
}

/** A crawl that begins asks first. Where the tenant cannot be asked it begins: the census asks again. */
async function isWantedForJob({ store, tools }: Parts, facts: InstanceFacts): Promise<boolean> {
  if (store.openJobs()[0]?.startedMs !== null) return true;
  try {
    return await tools.isWanted(facts);
  } catch (error) {
    tools.log({ event: 'search.census.failed', error: getErrorName(error) });
    return true;
  }
}

export function beginCensus({ own, tools }: Parts): void {
  own.setTime('next_census', tools.now() + DAY_MS);
}

/** Towards the tokenizer that was set, or away from words that an earlier version wrote. */
function reindex({ own, store }: Parts): void {
  const word = own.word('tokenizer');
  const tokenizer = word === 'porter' || word === 'trigram' ? word : undefined;
  if (tokenizer === undefined && store.formerTokenizer() === undefined) return;
  for (let step = 0; step < REINDEX_STEPS; step += 1) {
    if (!store.reindex(tokenizer)) continue;
    own.setWord('tokenizer', '');
    return;
  }
}

/** The next crawl of its own accord; undefined where there is none. */
function computeNextSyncMs({ own, store }: Parts, { config }: InstanceFacts): number | undefined {
  if (!config.source || config.isPaused || store.openJobs().length > 0) return undefined;
  return own.time('next_sync');
}

/** Adds the crawl of the instance's own accord where it is due. */
export function schedule(parts: Parts, facts: InstanceFacts): void {
  const { own, tools } = parts;
  const dueMs = computeNextSyncMs(parts, facts);
  if (dueMs === undefined || dueMs > tools.now()) return;
  own.setTime('next_sync', tools.now() + facts.config.syncIntervalS * 1000);
  addScheduledJob(parts);
}
