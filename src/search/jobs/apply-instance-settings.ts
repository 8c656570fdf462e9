import type { InstanceFacts, MetadataField } from '../order.ts';
import { type Parts, formatSourceId } from './parts.ts';
import { beginCensus, schedule } from './run-due-jobs.ts';
import { endJob } from './sync.ts';

/** Calls that were on their way when the instance was changed may tell of it as it was; after this long none is. */
const STRAGGLER_MS = 10_000;

/**
 * Takes in what the tenant says of its instance. What is new has its effect: the first crawl of a new instance; items
 * of a former source go; a crawl where fields of metadata are other ones; another index where chunks or tokenizer are.
 * A crawl that is due is a job from then on, which waits for the next round; it is due no earlier than another job may
 * begin.
 * @param how `changed`: by the call that changed it; `heard`: by a call about something else, which may be older than the
 * change
 * @returns whether anything was new
 */
export function applyInstanceSettings(parts: Parts, facts: InstanceFacts, how: 'changed' | 'heard'): boolean {
  const { own, tools } = parts;
  const before = own.facts();
  if (how === 'changed') own.setTime('told', tools.now());
  else if (before && tools.now() < own.time('told') + STRAGGLER_MS) return false;
  if (before && JSON.stringify(before) === JSON.stringify(facts)) return false;
  tools.transaction(() => {
    own.setFacts(facts);
    if (!before) beginCensus(parts);
    if (JSON.stringify(before?.config.source) !== JSON.stringify(facts.config.source)) applyNewSource(parts, before);
    else if (before && before.config.syncIntervalS !== facts.config.syncIntervalS) applyNewInterval(parts, facts);
    applyNewFields(parts, before, facts);
    applyNewIndexSettings(parts, before, facts);
    schedule(parts, facts);
  });
  return true;
}

function applyNewSource(parts: Parts, before: InstanceFacts | undefined): void {
  const { own, store, tools } = parts;
  const old = before?.config.source;
  const url = own.facts()?.config.source?.url;
  if (before) for (const job of store.openJobs()) endJob(parts, job.id, 'cancelled');
  if (old && (url === undefined || formatSourceId(old.url) !== formatSourceId(url)))
    store.removeSource(formatSourceId(old.url));
  parts.attempts.clear();
  own.setTime('next_sync', tools.now());
}

function applyNewInterval({ own, tools }: Parts, { config }: InstanceFacts): void {
  const nextMs = tools.now() + config.syncIntervalS * 1000;
  own.setTime('next_sync', Math.min(own.time('next_sync'), nextMs));
}

/** Pages have their metas read again: the next crawl, which is due at once, writes them down. */
function applyNewFields({ own, tools }: Parts, before: InstanceFacts | undefined, { config }: InstanceFacts): void {
  if (before && formatFieldSet(before.config.metadata) !== formatFieldSet(config.metadata))
    own.setTime('next_sync', tools.now());
}

/** Fields whatever their order. */
const formatFieldSet = (fields: readonly MetadataField[]): string =>
  fields
    .map(({ name, type }) => `${name} ${type}`)
    .toSorted()
    .join();

function applyNewIndexSettings(
  { own, store }: Parts,
  before: InstanceFacts | undefined,
  { config }: InstanceFacts,
): void {
  const { tokenizer, chunkTokens, overlapTokens } = before?.config ?? config;
  if (!before ? config.tokenizer !== 'porter' : tokenizer !== config.tokenizer)
    own.setWord('tokenizer', config.tokenizer);
  if (chunkTokens !== config.chunkTokens || overlapTokens !== config.overlapTokens) store.outdateItems();
}
