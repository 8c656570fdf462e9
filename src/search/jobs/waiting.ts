import type { InstanceFacts } from '../../management/aisearch/order.ts';
import { pageUrl } from '../crawl/address.ts';
import { lookAt } from '../crawl/look.ts';
import { robotsText, rulesOf } from '../crawl/rules.ts';
import { stepFetch } from '../crawl/site-fetch.ts';
import { indexedFile } from '../ingest/indexed-file.ts';
import { textOf } from '../ingest/text-of.ts';
import { type StoredItem, UPLOADED } from '../index/item.ts';
import { type Parts, sourceId } from './parts.ts';

/** Items that one round indexes. */
const ITEMS_PER_ROUND = 20;

/** Indexes items that wait for it, the oldest first. */
export async function workOnItems(parts: Parts, facts: InstanceFacts): Promise<void> {
  for (const item of parts.store.waitingItems(ITEMS_PER_ROUND)) {
    if (item.nextAction === 'DELETE') parts.store.removeItem(item.id);
    else await indexItem(parts, facts, item);
  }
}

/**
 * Indexes an item anew: an upload, and what only its chunks are old of, from the kept content; a page that somebody asks for
 * from its site. What cannot be read says so, and stays found as it was.
 */
export async function indexItem(parts: Parts, facts: InstanceFacts, item: StoredItem): Promise<void> {
  const raw = item.source === UPLOADED || item.status === 'outdated' ? parts.store.raw(item.id) : undefined;
  const failure = raw ? await fromContent(parts, facts, item, raw) : await fromSite(parts, facts, item);
  if (failure === undefined) return;
  parts.store.markItem(item.id, { status: 'error', error: failure, nextAction: null });
  parts.store.logItem(item.id, { level: 'error', action: 'index', message: failure });
}

/** @returns what failed, in words of ours */
async function fromContent(parts: Parts, facts: InstanceFacts, item: StoredItem, bytes: Uint8Array) {
  const read = await textOf({ key: item.key, type: item.type, bytes });
  if (!read.ok) return `${read.reason}: ${read.message}`;
  return put(parts, facts, item, {
    text: read.text,
    title: read.title,
    type: item.type,
    bytes,
    modifiedMs: item.modifiedMs,
  });
}

async function fromSite({ ...parts }: Parts, facts: InstanceFacts, item: StoredItem): Promise<string | undefined> {
  const { source } = facts.config;
  const site = source && new URL(source.url);
  const url = site && pageUrl(item.key, site);
  if (!site || !url || sourceId(site.href) !== item.source) return 'not_found: the instance has no such source';
  const { network } = parts.tools;
  const robots = robotsText(await stepFetch(network, () => true)({ url: new URL('/robots.txt', site).href }));
  if (robots === undefined) return 'robots_unreachable: robots.txt could not be read';
  const rules = rulesOf(robots);
  if (!rules.allows(url)) return 'robots_disallowed: robots.txt forbids this page';
  const read = stepFetch(network, (next) => pageUrl(next.href, site) !== undefined && rules.allows(next));
  const look = await lookAt(await read({ url: url.href }), site, network.now());
  if (look.kind === 'page') return put(parts, facts, item, look.page);
  return look.kind === 'gone' ? `gone: status ${look.status}` : `${look.reason}: the page is not indexed`;
}

type Content = { text: string; title: string; type: string; bytes: Uint8Array; modifiedMs: number | undefined };

async function put({ store, tools }: Parts, facts: InstanceFacts, item: StoredItem, content: Content) {
  const begunMs = tools.now();
  const { source, key, metadata } = item;
  const { item: made, chunks } = await indexedFile({ ...content, source, key, metadata }, facts.config);
  if (!store.item(item.id)) return undefined; // Deleted meanwhile.
  const outcome = store.putItem(made, chunks);
  if (!outcome.ok) return `${outcome.reason}: ${outcome.message}`;
  const tookMs = tools.now() - begunMs;
  store.markItem(item.id, { error: null, nextAction: null });
  store.logItem(item.id, { level: 'info', action: 'index', message: 'Indexed', chunks: chunks.length, tookMs });
  return undefined;
}
