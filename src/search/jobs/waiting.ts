import type { InstanceFacts, MetadataField } from '../order.ts';
import { buildIndexedFile } from '../ingest/indexed-file.ts';
import { readFileText } from '../ingest/text-of.ts';
import { readStoredMetas, buildPageMetadata } from '../ingest/page-metadata.ts';
import { type Metadata, type ItemRecord, UPLOADED } from '../index/item.ts';
import { isFromKept } from '../index/item-status.ts';
import { LEFT_OUT, MAX_INPUT_DEATHS, type Parts, formatUrlName } from './parts.ts';
import {
  runAtHost,
  findBusyUntilMs,
  waitLine,
  type Content,
  computeFreeMs,
  type SiteReader,
  createSiteReader,
} from './page.ts';
import { getErrorName } from '../../lib/errors.ts';

/** Items that one round indexes. */
const ITEMS_PER_ROUND = 20;
/** Of the name of a place in front of a host. */
const PLACE_BYTES = 16;
/** Pages are tried again after this where the gate of their host cannot be asked. */
const GATE_WAIT_MS = 10_000;

/** Indexes items that wait for it, the oldest first: from kept contents, then pages from their site, if it may be read. */
export async function indexWaitingItems(parts: Parts, facts: InstanceFacts): Promise<void> {
  const { store, tools, indexing } = parts;
  const isBusy = computePagesAllowedMs(parts, facts) > tools.now();
  const items = store.waitingItems(ITEMS_PER_ROUND, isBusy ? 'kept' : 'all').filter(({ id }) => !indexing.has(id));
  const pages: ItemRecord[] = [];
  for (const item of items) {
    if (item.nextAction === 'DELETE') store.removeItem(item.id);
    else if (isFromKept(item)) await indexItem(parts, facts, item, () => fromContent(parts, item));
    else pages.push(item);
  }
  await indexPages(parts, facts, pages);
}

/** When items can be indexed, Unix milliseconds; undefined where none waits but what is being indexed. */
export function computeNextItemsMs(parts: Parts, facts: InstanceFacts): number | undefined {
  const { store, indexing } = parts;
  const waits = (which: 'all' | 'kept') =>
    store.waitingItems(indexing.size + 1, which).some(({ id }) => !indexing.has(id));
  if (waits('kept')) return 0;
  return waits('all') ? computePagesAllowedMs(parts, facts) : undefined;
}

/** When the site may be asked for a page, Unix milliseconds. */
const computePagesAllowedMs = (parts: Parts, { config }: InstanceFacts): number =>
  Math.max(findBusyUntilMs(parts, config.source?.url), computeFreeMs(parts));

/** Indexes an item at once; a page whose host others are reading, or whose turn is later, goes on waiting. */
export async function indexItemNow(parts: Parts, facts: InstanceFacts, item: ItemRecord): Promise<void> {
  if (parts.indexing.has(item.id)) return;
  if (isFromKept(item)) await indexItem(parts, facts, item, () => fromContent(parts, item));
  else await indexPages(parts, facts, [item]);
}

/** Pages from their site, one after the other, at one place in front of its host. What there is no time for goes on waiting. */
async function indexPages(parts: Parts, facts: InstanceFacts, pages: readonly ItemRecord[]): Promise<void> {
  const { tools, store, own, indexing } = parts;
  const [first] = pages;
  if (first === undefined) return;
  const reader = createSiteReader(parts, facts);
  const work = async (): Promise<void> => {
    for (const page of pages) {
      if (!(await reader.waitTurn())) return;
      await indexItem(parts, facts, page, () => fromSite(parts, reader, page));
    }
  };
  const { source } = facts.config;
  if (!source) return work(); // Nothing is read then: each says so.
  for (const { id } of pages) indexing.add(id);
  try {
    const waitS = await runAtHost(parts, source.url, tools.random(PLACE_BYTES), work);
    if (waitS !== undefined) store.logItem(first.id, waitLine(waitS));
  } catch (error) {
    tools.log({ event: 'search.gate.failed', error: getErrorName(error) });
    own.setTime('page_after', tools.now() + GATE_WAIT_MS);
  } finally {
    for (const { id } of pages) indexing.delete(id);
  }
}

/** Content to index, or what failed, in words of ours. `isGone`: what is indexed of it is to be found no more. */
type ItemContent = Content | { failure: string; isGone?: boolean };

/** What cannot be read says so, and stays found as it was, but for what its site has no more or forbids to index. */
async function indexItem(parts: Parts, facts: InstanceFacts, item: ItemRecord, work: () => Promise<ItemContent>) {
  const { reading } = parts;
  const other = reading.get(item.id);
  if (other) return other;
  const done = tryIndexing(parts, facts, item, work);
  reading.set(item.id, done);
  return done.finally(() => reading.delete(item.id));
}

/** An item at which the object died twice is left out. */
async function tryIndexing(parts: Parts, facts: InstanceFacts, item: ItemRecord, work: () => Promise<ItemContent>) {
  const { attempts } = parts;
  const name = formatAttemptName(item);
  if (attempts.deaths(name) >= MAX_INPUT_DEATHS) {
    recordReadFailure(parts, item, { failure: LEFT_OUT });
    return;
  }
  await attempts.begin(name);
  try {
    await indexContent(parts, facts, item, work);
  } finally {
    attempts.end(name);
  }
}

/** What deaths are counted by: a page has the same name when a crawl reads it. */
export const formatAttemptName = ({ source, id, key }: ItemRecord): string =>
  source === UPLOADED ? `file ${id}` : formatUrlName(key);

async function indexContent(parts: Parts, facts: InstanceFacts, item: ItemRecord, work: () => Promise<ItemContent>) {
  const { tools } = parts;
  const read = await work().catch((error: unknown): ItemContent => {
    tools.log({ event: 'search.item.fault', item: item.id, error: getErrorName(error) });
    return { failure: 'failed: an internal error' };
  });
  const failure = 'failure' in read ? read.failure : await put(parts, facts, item, read);
  if (failure !== undefined) recordReadFailure(parts, item, { ...read, failure });
}

function recordReadFailure({ store }: Parts, item: ItemRecord, read: { failure: string; isGone?: boolean }): void {
  const { failure } = read;
  if (!store.item(item.id)) return;
  if (read.isGone === true) {
    const { source, key, type, title, metadata } = item;
    store.putItem({ source, key, type, title, metadata, status: 'error', checksum: '', size: 0, error: failure }, []);
  }
  store.markItem(item.id, { status: 'error', error: failure, nextAction: null });
  store.logItem(item.id, { level: 'error', action: 'index', message: failure });
}

async function fromContent({ store, tools }: Parts, item: ItemRecord): Promise<ItemContent> {
  const bytes = store.raw(item.id);
  if (!bytes) return { failure: 'not_found: none of its content is stored' };
  const read = await readFileText({ key: item.key, type: item.type, bytes }, tools.readPdf);
  if (!read.ok) return { failure: `${read.reason}: ${read.message}` };
  return { text: read.text, title: read.title, type: item.type, bytes, modifiedMs: item.modifiedMs };
}

async function fromSite({ store }: Parts, reader: SiteReader, item: ItemRecord): Promise<ItemContent> {
  if (!store.item(item.id)) return { failure: 'not_found: it was deleted' };
  return reader.read(item);
}

async function put({ store, tools }: Parts, facts: InstanceFacts, item: ItemRecord, content: Content) {
  const begunMs = tools.now();
  const { source, key } = item;
  const { metas: _metas, ...file } = content;
  const metadata = selectMetadata(item, content, facts.config.metadata);
  const { item: made, chunks } = await buildIndexedFile({ ...file, source, key, metadata }, facts.config);
  if (!store.item(item.id)) return undefined; // Deleted meanwhile.
  const outcome = store.putItem(made, chunks);
  if (!outcome.ok) return `${outcome.reason}: ${outcome.message}`;
  const tookMs = tools.now() - begunMs;
  store.markItem(item.id, { error: null, nextAction: null });
  store.logItem(item.id, { level: 'info', action: 'index', message: 'Indexed', chunks: chunks.length, tookMs });
  return undefined;
}

/** An upload keeps what was sent with it; a page says its own, and so does what is kept of it. */
function selectMetadata(item: ItemRecord, { metas, type, bytes }: Content, fields: readonly MetadataField[]): Metadata {
  if (item.source === UPLOADED) return item.metadata;
  return fields.length === 0 ? {} : buildPageMetadata(metas ?? readStoredMetas(type, bytes), fields);
}
