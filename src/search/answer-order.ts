import type { Embedder } from '../models/port.ts';
import type { Json } from '../lib/json.ts';
import { Refusal, vendorRefusals } from '../lib/refusal.ts';
import { parsePageUrl } from './crawl/page-urls.ts';
import { isFromKept } from './index/item-status.ts';
import { type ItemQuery, type PutOutcome, type ItemRecord, UPLOADED } from './index/item.ts';
import { computeChecksum, buildIndexedFile } from './ingest/indexed-file.ts';
import { findVectorDimensions, embedItem, getEmbedder, isOther, discardVectors } from './jobs/embed.ts';
import { countPage } from './jobs/page.ts';
import { type Parts, formatSourceId } from './jobs/parts.ts';
import { addUserJob, cancelJob } from './jobs/sync.ts';
import { formatAttemptName, indexItemNow } from './jobs/waiting.ts';
import type { InstanceFacts, InstanceOrder, InstanceConfig, SearchQuery } from './order.ts';
import type { Download, InstanceAnswer, UploadedFile, SearchResult } from './search-object.ts';
import { formatChunk, formatItemLog, formatItem, formatJobLog, formatJob, formatStats } from './views.ts';

/**
 * Takes in a file whose text was read. It takes the place of the one of its key: indexed at once where the caller waits,
 * with its vectors if they can be had, else queued with its content.
 * @throws Refusal for an instance that is full
 */
export async function answerUpload(parts: Parts, instance: InstanceFacts, file: UploadedFile): Promise<InstanceAnswer> {
  const { store, tools } = parts;
  const { waits, ...content } = file;
  const begunMs = tools.now();
  const known = store.itemByKey(UPLOADED, file.key);
  if (known) parts.attempts.forget(formatAttemptName(known)); // It is another file now.
  const checksum = await computeChecksum(file.bytes);
  if (waits || (known?.status === 'completed' && known.checksum === checksum)) {
    const { item, chunks } = await buildIndexedFile({ ...content, source: UPLOADED }, instance.config);
    const { id } = describePutOutcome(store.putItem(item, chunks));
    const tookMs = tools.now() - begunMs;
    store.logItem(id, { level: 'info', action: 'index', message: 'Indexed', chunks: chunks.length, tookMs });
    if (waits) await embedItem(parts, instance, id);
    return showItem(parts, instance, id);
  }
  const { key, type, title, bytes, metadata } = file;
  const item = { source: UPLOADED, status: 'queued', key, type, title, bytes, metadata, checksum } as const;
  const id = tools.transaction(() => {
    const put = describePutOutcome(store.putItem(item, []));
    store.markItem(put.id, { nextAction: 'INDEX' });
    store.logItem(put.id, { level: 'info', action: 'upload', message: 'Uploaded' });
    return put.id;
  });
  return showItem(parts, instance, id);
}

function describePutOutcome(outcome: PutOutcome) {
  if (outcome.ok) return outcome.item;
  if (outcome.reason === 'full') throw vendorRefusals.limitExceeded(outcome.message);
  throw new Refusal({ status: 413, word: 'OUT_OF_RANGE', reason: 'too_large', message: outcome.message });
}

function showItem({ store }: Parts, instance: InstanceFacts, id: string): InstanceAnswer {
  const item = store.item(id);
  if (!item) throw vendorRefusals.missing('item_not_found');
  return { ok: true, result: formatItem(item, instance) };
}

/** Answers an order to one instance. @throws Refusal for what is not there, and for a job too many */
export async function answerOrder(parts: Parts, order: InstanceOrder): Promise<InstanceAnswer> {
  const { store } = parts;
  const { instance } = order;
  switch (order.do) {
    case 'items.list':
      return listItems(parts, order);
    case 'items.index':
      return indexNamedItem(parts, order);
    case 'items.get':
      return answer(formatItem(requireItem(parts, order.itemId), instance));
    case 'items.delete': {
      const { id, key } = requireItem(parts, order.itemId);
      store.removeItem(id);
      return answer({ key });
    }
    case 'items.chunks': {
      const item = requireItem(parts, order.itemId);
      const { limit, offset } = order;
      const chunks = store.chunksOf(item.id, limit, offset).map((chunk) => formatChunk(chunk, item));
      return { ...answer(chunks), info: { count: chunks.length, total: item.chunks, limit, offset } };
    }
    case 'items.logs':
      return listItemLogs(parts, order);
    case 'items.download':
      throw new Error('A download is asked for by itself');
    case 'jobs.create':
      return answer(formatJob(addUserJob(parts, order)));
    case 'jobs.list': {
      const { page, perPage } = order;
      const { jobs, total } = store.listJobs(page, perPage);
      return paginateRows(jobs.map(formatJob), { page, perPage, total });
    }
    case 'jobs.get':
      return answer(formatJob(requireJob(parts, order.jobId)));
    case 'jobs.cancel':
      return answer(formatJob(cancelJob(parts, order.jobId)));
    case 'jobs.logs': {
      const { page, perPage } = order;
      const { lines, total } = store.logPage(requireJob(parts, order.jobId).id, page, perPage);
      return paginateRows(lines.map(formatJobLog), { page, perPage, total });
    }
    case 'stats':
      return answer(
        formatStats(store.stats(), { lastMs: computeLastActivityMs(parts), dimensions: findVectorDimensions(parts) }),
      );
  }
}

/** The content of an item as it came. @throws Refusal 404 where there is none */
export function readDownload(parts: Parts, itemId: string): Download {
  const { type, key } = requireItem(parts, itemId);
  const bytes = parts.store.raw(itemId);
  if (!bytes) throw vendorRefusals.missing('item_has_no_content');
  return { ok: true, type, key, bytes };
}

const answer = (result: Json) => ({ ok: true, result }) as const;

const paginateRows = (rows: Json[], { page, perPage, total }: { page: number; perPage: number; total: number }) =>
  ({ ...answer(rows), info: { page, per_page: perPage, count: rows.length, total_count: total } }) as const;

function requireItem({ store }: Parts, id: string): ItemRecord {
  const item = store.item(id);
  if (!item) throw vendorRefusals.missing('item_not_found');
  return item;
}

function requireJob({ store }: Parts, id: string) {
  const job = store.job(id);
  if (!job) throw vendorRefusals.missing('job_not_found');
  return job;
}

function listItems({ store }: Parts, order: Extract<InstanceOrder, { do: 'items.list' }>): InstanceAnswer {
  const { instance, do: _do, ...query } = order;
  const { items, total } = store.listItems(query satisfies ItemQuery);
  const { page, perPage } = order;
  return paginateRows(
    items.map((item) => formatItem(item, instance)),
    { page, perPage, total },
  );
}

function listItemLogs({ ...parts }: Parts, order: Extract<InstanceOrder, { do: 'items.logs' }>): InstanceAnswer {
  const item = requireItem(parts, order.itemId);
  const { limit, cursor } = order;
  const before = /^\d{1,15}$/.test(cursor) ? Number(cursor) : undefined;
  if (cursor !== '' && before === undefined) throw vendorRefusals.invalid('cursor: not one that a list of logs gave');
  const lines = parts.store.logOf(item.id, limit + 1, before);
  const shown = lines.slice(0, limit);
  const last = lines.length > limit ? shown.at(-1) : undefined;
  return {
    ...answer(shown.map((line) => formatItemLog(line, item))),
    info: {
      count: shown.length,
      per_page: limit,
      cursor: last ? String(last.id) : null,
      truncated: last !== undefined,
    },
  };
}

async function indexNamedItem(
  parts: Parts,
  order: Extract<InstanceOrder, { do: 'items.index' }>,
): Promise<InstanceAnswer> {
  const { store } = parts;
  const { instance, waits } = order;
  const item = order.itemId === undefined ? findNamedItem(parts, order) : requireItem(parts, order.itemId);
  if (!isFromKept(item)) countPage(parts);
  parts.attempts.forget(formatAttemptName(item));
  const queued = store.markItem(item.id, { status: 'queued', nextAction: 'INDEX', error: null }) ?? item;
  if (waits) {
    await indexItemNow(parts, instance, queued);
    await embedItem(parts, instance, item.id);
  }
  return answer(formatItem(requireItem(parts, item.id), instance));
}

/** The item of a key, uploaded or crawled. A page of the source's host that no one has read yet is begun with. */
function findNamedItem({ store }: Parts, order: Extract<InstanceOrder, { do: 'items.index' }>): ItemRecord {
  const { key = '', instance } = order;
  const { source } = instance.config;
  const uploaded = store.itemByKey(UPLOADED, key);
  if (uploaded || !source) return uploaded ?? refuseMissing();
  const url = parsePageUrl(key, new URL(source.url));
  if (!url || !/^https?:/i.test(key)) return refuseMissing();
  const known = store.itemByKey(formatSourceId(source.url), url.href);
  if (known) return known;
  const item = { source: formatSourceId(source.url), key: url.href, status: 'queued', type: '', title: '' } as const;
  const put = store.putItem({ ...item, metadata: {}, checksum: '', size: 0 }, []);
  if (!put.ok) throw vendorRefusals.limitExceeded(put.message);
  return put.item;
}

function refuseMissing(): never {
  throw vendorRefusals.missing('item_not_found');
}

function computeLastActivityMs({ store }: Parts): number | undefined {
  const [item] = store.listItems({ page: 1, perPage: 1, sortBy: 'modified_at' }).items;
  const [job] = store.listJobs(1, 1).jobs;
  const times = [item?.seenMs, job?.endedMs, job?.seenMs, job?.createdMs].filter((ms) => typeof ms === 'number');
  return times.length === 0 ? undefined : Math.max(...times);
}

/** How long the query's vector is waited for. */
const EMBED_MS = 10_000;

/**
 * The chunks that answer a query. Where vectors are asked for and cannot be had, `hybrid` is answered by words alone if the
 * instance has no vectors or the caller allows it.
 * @throws Refusal 503 for a search that cannot be made
 */
export async function answerSearch(parts: Parts, { config }: InstanceFacts, query: SearchQuery): Promise<SearchResult> {
  const suited = { ...query, type: selectSearchType(config, query.type) };
  return runSearch(parts, config, suited);
}

/**
 * Of several instances that are searched together each has its own indexes: one without words is searched by vectors, one
 * without vectors by words. What a caller names itself was judged by every instance before (400).
 */
function selectSearchType({ keyword, vector }: InstanceConfig, type: SearchQuery['type']): SearchQuery['type'] {
  if (type !== 'hybrid' || (keyword && vector)) return type;
  return keyword ? 'keyword' : 'vector';
}

async function runSearch(parts: Parts, config: InstanceConfig, query: SearchQuery): Promise<SearchResult> {
  const embedder = config.vector && query.type !== 'keyword' ? getEmbedder(parts) : undefined;
  if (!embedder) {
    if (query.type === 'vector')
      throw refuseUnavailable('engine_not_configured', 'There is no embedding engine: search by keyword');
    return { ok: true, chunks: parts.store.search({ ...query, type: 'keyword' }) };
  }
  if (isOther(parts, embedder)) return withoutVectors(parts, query);
  const vector = await embedQuery(embedder, query.text);
  const length = Number(parts.own.word('embed_length'));
  if (vector && length > 0 && vector.length !== length) {
    discardVectors(parts);
    return withoutVectors(parts, query);
  }
  if (vector) return { ok: true, chunks: parts.store.search(query, vector) };
  if (query.type === 'vector' || !query.returnsOnFailure)
    throw refuseUnavailable('engine_failed', 'The embedding engine does not answer');
  return { ok: true, chunks: parts.store.search({ ...query, type: 'keyword' }) };
}

/** Vectors of another model compare with nothing; a round makes them anew. */
function withoutVectors({ store }: Parts, query: SearchQuery): SearchResult {
  if (query.type === 'vector')
    throw refuseUnavailable('index_out_of_date', 'The vectors are of another model, new ones are being made');
  return { ok: true, chunks: store.search({ ...query, type: 'keyword' }) };
}

async function embedQuery(embedder: Embedder, text: string): Promise<Float32Array | undefined> {
  const embedded = await embedder.embed([text], AbortSignal.timeout(EMBED_MS));
  return embedded.ok ? embedded.vectors[0] : undefined;
}

const refuseUnavailable = (reason: string, message: string): Refusal =>
  new Refusal({ status: 503, word: 'UNAVAILABLE', reason, message });
