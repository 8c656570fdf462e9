import type { InstanceFacts } from './order.ts';
import { Refusal, refuse } from '../lib/refusal.ts';
import { checksumOf, indexedFile } from './ingest/indexed-file.ts';
import { type PutOutcome, UPLOADED } from './index/item.ts';
import { embedItem } from './jobs/embed.ts';
import type { Parts } from './jobs/parts.ts';
import { attemptName } from './jobs/waiting.ts';
import type { InstanceAnswer, UploadedFile } from './search-object.ts';
import { itemView } from './views.ts';

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
    return shown(parts, instance, id);
  }
  const { key, type, title, bytes, metadata } = file;
  const item = { source: UPLOADED, status: 'queued', key, type, title, bytes, metadata, checksum } as const;
  const id = tools.transaction(() => {
    const put = itemPut(store.putItem(item, []));
    store.markItem(put.id, { nextAction: 'INDEX' });
    store.logItem(put.id, { level: 'info', action: 'upload', message: 'Uploaded' });
    return put.id;
  });
  return shown(parts, instance, id);
}

function itemPut(outcome: PutOutcome) {
  if (outcome.ok) return outcome.item;
  if (outcome.reason === 'full') throw refuse.limitExceeded(outcome.message);
  throw new Refusal({ status: 413, word: 'OUT_OF_RANGE', reason: 'too_large', message: outcome.message });
}

function shown({ store }: Parts, instance: InstanceFacts, id: string): InstanceAnswer {
  const item = store.item(id);
  if (!item) throw refuse.missing('item_not_found');
  return { ok: true, result: itemView(item, instance) };
}
