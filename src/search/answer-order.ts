import type { Json } from '../lib/json.ts';
import { Refusal, refuse } from '../lib/refusal.ts';
import { pageUrl } from './crawl/address.ts';
import { isFromKept } from './index/item-status.ts';
import { type ItemQuery, type PutOutcome, type StoredItem, UPLOADED } from './index/item.ts';
import { checksumOf, indexedFile } from './ingest/indexed-file.ts';
import { dimensionsOf, embedItem } from './jobs/embed.ts';
import { countPage } from './jobs/page.ts';
import { type Parts, sourceId } from './jobs/parts.ts';
import { addUserJob, cancelJob } from './jobs/sync.ts';
import { attemptName, indexNow } from './jobs/waiting.ts';
import type { InstanceFacts, InstanceOrder } from './order.ts';
import type { Download, InstanceAnswer, UploadedFile } from './search-object.ts';
import { chunkView, itemLogView, itemView, jobLogView, jobView, statsView } from './views.ts';

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
  if (known) parts.attempts.forget(attemptName(known)); // It is another file now.
  const checksum = await checksumOf(file.bytes);
  if (waits || (known?.status === 'completed' && known.checksum === checksum)) {
    const { item, chunks } = await indexedFile({ ...content, source: UPLOADED }, instance.config);
    const { id } = itemPut(store.putItem(item, chunks));
    const tookMs = tools.now() - begunMs;
    store.logItem(id, { level: 'info', action: 'index', message: 'Indexed', chunks: chunks.length, tookMs });
    if (waits) await embedItem(parts, instance, id);
    return showItem(parts, instance, id);
  }
  const { key, type, title, bytes, metadata } = file;
  const item = { source: UPLOADED, status: 'queued', key, type, title, bytes, metadata, checksum } as const;
  const id = tools.transaction(() => {
    const put = itemPut(store.putItem(item, []));
    store.markItem(put.id, { nextAction: 'INDEX' });
    store.logItem(put.id, { level: 'info', action: 'upload', message: 'Uploaded' });
    return put.id;
  });
  return showItem(parts, instance, id);
}

function itemPut(outcome: PutOutcome) {
  if (outcome.ok) return outcome.item;
  if (outcome.reason === 'full') throw refuse.limitExceeded(outcome.message);
  throw new Refusal({ status: 413, word: 'OUT_OF_RANGE', reason: 'too_large', message: outcome.message });
}

function showItem({ store }: Parts, instance: InstanceFacts, id: string): InstanceAnswer {
  const item = store.item(id);
  if (!item) throw refuse.missing('item_not_found');
  return { ok: true, result: itemView(item, instance) };
}

/** Answers an order to one instance. @throws Refusal for what is not there, and for a job too many */
export async function answerOrder(parts: Parts, order: InstanceOrder): Promise<InstanceAnswer> {
  const { store } = parts;
  const { instance } = order;
  switch (order.do) {
    case 'items.list':
      return listItems(parts, order);
    case 'items.index':
      return indexOne(parts, order);
    case 'items.get':
      return answer(itemView(itemOf(parts, order.itemId), instance));
    case 'items.delete': {
      const { id, key } = itemOf(parts, order.itemId);
      store.removeItem(id);
      return answer({ key });
    }
    case 'items.chunks': {
      const item = itemOf(parts, order.itemId);
      const { limit, offset } = order;
      const chunks = store.chunksOf(item.id, limit, offset).map((chunk) => chunkView(chunk, item));
      return { ...answer(chunks), info: { count: chunks.length, total: item.chunks, limit, offset } };
    }
    case 'items.logs':
      return itemLogs(parts, order);
    case 'items.download':
      throw new Error('A download is asked for by itself');
    case 'jobs.create':
      return answer(jobView(addUserJob(parts, order.description)));
    case 'jobs.list': {
      const { page, perPage } = order;
      const { jobs, total } = store.listJobs(page, perPage);
      return paged(jobs.map(jobView), { page, perPage, total });
    }
    case 'jobs.get':
      return answer(jobView(jobOf(parts, order.jobId)));
    case 'jobs.cancel':
      return answer(jobView(cancelJob(parts, order.jobId)));
    case 'jobs.logs': {
      const { page, perPage } = order;
      const { lines, total } = store.logPage(jobOf(parts, order.jobId).id, page, perPage);
      return paged(lines.map(jobLogView), { page, perPage, total });
    }
    case 'stats':
      return answer(statsView(store.stats(), { lastMs: lastActivityMs(parts), dimensions: dimensionsOf(parts) }));
  }
}

/** The content of an item as it came. @throws Refusal 404 where there is none */
export function downloadOf(parts: Parts, itemId: string): Download {
  const { type, key } = itemOf(parts, itemId);
  const bytes = parts.store.raw(itemId);
  if (!bytes) throw refuse.missing('item_has_no_content');
  return { ok: true, type, key, bytes };
}

const answer = (result: Json) => ({ ok: true, result }) as const;

const paged = (rows: Json[], { page, perPage, total }: { page: number; perPage: number; total: number }) =>
  ({ ...answer(rows), info: { page, per_page: perPage, count: rows.length, total_count: total } }) as const;

function itemOf({ store }: Parts, id: string): StoredItem {
  const item = store.item(id);
  if (!item) throw refuse.missing('item_not_found');
  return item;
}

function jobOf({ store }: Parts, id: string) {
  const job = store.job(id);
  if (!job) throw refuse.missing('job_not_found');
  return job;
}

function listItems({ store }: Parts, order: Extract<InstanceOrder, { do: 'items.list' }>): InstanceAnswer {
  const { instance, do: _do, ...query } = order;
  const { items, total } = store.listItems(query satisfies ItemQuery);
  const { page, perPage } = order;
  return paged(
    items.map((item) => itemView(item, instance)),
    { page, perPage, total },
  );
}

function itemLogs({ ...parts }: Parts, order: Extract<InstanceOrder, { do: 'items.logs' }>): InstanceAnswer {
  const item = itemOf(parts, order.itemId);
  const { limit, cursor } = order;
  const before = /^\d{1,15}$/.test(cursor) ? Number(cursor) : undefined;
  if (cursor !== '' && before === undefined) throw refuse.invalid('cursor: not one that a list of logs gave');
  const lines = parts.store.logOf(item.id, limit + 1, before);
  const shown = lines.slice(0, limit);
  const last = lines.length > limit ? shown.at(-1) : undefined;
  return {
    ...answer(shown.map((line) => itemLogView(line, item))),
    info: {
      count: shown.length,
      per_page: limit,
      cursor: last ? String(last.id) : null,
      truncated: last !== undefined,
    },
  };
}

async function indexOne(parts: Parts, order: Extract<InstanceOrder, { do: 'items.index' }>): Promise<InstanceAnswer> {
  const { store } = parts;
  const { instance, waits } = order;
  const item = order.itemId === undefined ? itemNamed(parts, order) : itemOf(parts, order.itemId);
  if (!isFromKept(item)) countPage(parts);
  parts.attempts.forget(attemptName(item));
  const queued = store.markItem(item.id, { status: 'queued', nextAction: 'INDEX', error: null }) ?? item;
  if (waits) {
    await indexNow(parts, instance, queued);
    await embedItem(parts, instance, item.id);
  }
  return answer(itemView(itemOf(parts, item.id), instance));
}

/** The item of a key, uploaded or crawled. A page of the source's host that nobody has read yet is begun with. */
function itemNamed({ store }: Parts, order: Extract<InstanceOrder, { do: 'items.index' }>): StoredItem {
  const { key = '', instance } = order;
  const { source } = instance.config;
  const uploaded = store.itemByKey(UPLOADED, key);
  if (uploaded || !source) return uploaded ?? missing();
  const url = pageUrl(key, new URL(source.url));
  if (!url || !/^https?:/i.test(key)) return missing();
  const known = store.itemByKey(sourceId(source.url), url.href);
  if (known) return known;
  const item = { source: sourceId(source.url), key: url.href, status: 'queued', type: '', title: '' } as const;
  const put = store.putItem({ ...item, metadata: {}, checksum: '', size: 0 }, []);
  if (!put.ok) throw refuse.limitExceeded(put.message);
  return put.item;
}

function missing(): never {
  throw refuse.missing('item_not_found');
}

function lastActivityMs({ store }: Parts): number | undefined {
  const [item] = store.listItems({ page: 1, perPage: 1, sortBy: 'modified_at' }).items;
  const [job] = store.listJobs(1, 1).jobs;
  const times = [item?.seenMs, job?.endedMs, job?.seenMs, job?.createdMs].filter((ms) => typeof ms === 'number');
  return times.length === 0 ? undefined : Math.max(...times);
}
