import { Parser } from 'htmlparser2';
import { isSlot } from '../../../lib/slots.ts';
import { getString, isJsonRecord, parseSiteJson } from '../../structured-data/facts/json-document.ts';
import { capDepth } from '../../page/facts/parser-depth.ts';
import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, getExchangeLookup, type Snapshot } from '../../core/snapshot.ts';
import { type Existence, readExistence } from '../../reach/facts/existence.ts';
import type { LinkTag, PageFacts } from '../../page/facts/page-facts.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';
import { readPageFacts } from '../../reach/facts/site-files.ts';

/** Bounds of one feed: entries beyond them are not read. */
export const FEED_LIMITS = { items: 100, textChars: 2048, depth: 32 } as const;

/** One entry: texts as written, '' when absent. `link` is where it leads, `id` what stays the same when it changes. */
export type FeedItem = { link: string; id: string; date: string };

/** What a feed holds; `none` when the text is no feed. RSS 1.0 (RDF) counts as `rss`. */
export type Feed = { kind: 'rss' | 'atom' | 'json' | 'none'; items: readonly FeedItem[] };

/** Parses RSS 0.9x to 2.0, Atom (RFC 4287) or JSON Feed. Linear; no entity beyond those of XML is expanded, no DTD read. */
export function parseFeed(body: string): Feed {
  const text = body.replace(/^\uFEFF/, '').trimStart();
  if (text.startsWith('{')) return parseJsonFeed(text);
  return text.startsWith('<') ? parseXmlFeed(text) : { kind: 'none', items: [] };
}

function parseJsonFeed(text: string): Feed {
  const parsed = parseSiteJson(text);
  const version = parsed.ok ? (getString(parsed.value, 'version') ?? '') : '';
  if (!parsed.ok || !isJsonRecord(parsed.value) || !/^https?:\/\/jsonfeed\.org\/version\//.test(version))
    return { kind: 'none', items: [] };
  const list = parsed.value['items'];
  const items = (Array.isArray(list) ? list : []).slice(0, FEED_LIMITS.items).map((item: unknown) => ({
    link: getFeedText(item, 'url') || getFeedText(item, 'external_url'),
    id: getFeedText(item, 'id'),
    date: getFeedText(item, 'date_modified') || getFeedText(item, 'date_published'),
  }));
  return { kind: 'json', items };
}

const getFeedText = (value: unknown, key: string): string =>
  (getString(value, key) ?? '').trim().slice(0, FEED_LIMITS.textChars);

type FeedReadState = {
  names: string[];
  root: string;
  item: FeedItem | undefined;
  /** The part of the entry that the open element fills: the first element of each part counts. */
  part: keyof FeedItem | undefined;
  items: FeedItem[];
};

function parseXmlFeed(text: string): Feed {
  const reading: FeedReadState = { names: [], root: '', item: undefined, part: undefined, items: [] };
  const parser: Parser = new Parser(
    {
      onopentag: (name, attributes) => openTag(reading, name.toLowerCase(), attributes),
      ontext: (data) => readText(reading, data),
      onclosetag: () => closeTag(reading),
    },
    { xmlMode: true, decodeEntities: true },
  );
  capDepth(parser, FEED_LIMITS.depth, () => reading.names.length);
  parser.end(text);
  const { root, items } = reading;
  if (root === 'feed') return { kind: 'atom', items };
  return root === 'rss' || root === 'rdf:rdf' ? { kind: 'rss', items } : { kind: 'none', items: [] };
}

function openTag(reading: FeedReadState, name: string, attributes: Readonly<Record<string, string>>): void {
  if (reading.root === '') reading.root = name;
  reading.names.push(name);
  if (!reading.item && (name === 'item' || name === 'entry')) {
    reading.item = { link: '', id: (attributes['rdf:about'] ?? '').slice(0, FEED_LIMITS.textChars), date: '' };
    return;
  }
  const { item } = reading;
  const href = (attributes['href'] ?? '').trim();
  const rel = attributes['rel'] ?? 'alternate';
  if (item && item.link === '' && name === 'link' && href !== '' && rel === 'alternate')
    item.link = href.slice(0, FEED_LIMITS.textChars);
  reading.part = findFeedPart(reading, name);
}

/** Elements whose text is a part of an entry. */
const PARTS: Readonly<Record<string, keyof FeedItem>> = {
  link: 'link',
  guid: 'id',
  id: 'id',
  pubdate: 'date',
  'dc:date': 'date',
  updated: 'date',
  published: 'date',
};

/** The part that an element directly below an entry fills, unless another one has filled it. */
function findFeedPart({ item, names }: FeedReadState, name: string): keyof FeedItem | undefined {
  const parent = names.at(-2);
  const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
  if (!item || !part || (parent !== 'item' && parent !== 'entry')) return undefined;
  return item[part] === '' ? part : undefined;
}

function readText({ item, part }: FeedReadState, data: string): void {
  if (item && part) item[part] = (item[part] + data).trim().slice(0, FEED_LIMITS.textChars);
}

function closeTag(reading: FeedReadState): void {
  const name = reading.names.pop();
  reading.part = undefined;
  if (!reading.item || (name !== 'item' && name !== 'entry')) return;
  const { link, id, date } = reading.item;
  const read = (text: string): string => (isSlot(text) ? '' : text);
  if (reading.items.length < FEED_LIMITS.items)
    reading.items.push({ link: read(link), id: read(id), date: read(date) });
  reading.item = undefined;
}

/** Media types by which a page links its feed. Plain `application/json` is what WordPress links its API by. */
const FEED_TYPES = new Set(['application/rss+xml', 'application/atom+xml', 'application/feed+json']);

/** The first feed that a page links to, on any host; undefined when there is none. */
export function findFeedLink(page: Pick<PageFacts, 'linkTags'>): LinkTag | undefined {
  return page.linkTags.find(
    ({ rels, type, href }) =>
      rels.includes('alternate') && FEED_TYPES.has(type.split(';')[0]?.trim() ?? '') && /^https?:/.test(href),
  );
}

/** The feed of a site as far as it was read. `elsewhere`: linked on a host of another owner, and not asked for. */
export type SiteFeed =
  | { state: 'none' }
  | { state: 'elsewhere'; link: LinkTag }
  | { state: 'not_read'; link: LinkTag }
  | { state: 'read'; link: LinkTag; exchange: Exchange; existence: Existence };

/** Artifact `siteFeed`: the feed that the start page links to. */
export function readSiteFeed(snapshot: Snapshot): Artifact<SiteFeed> {
  const page = readPageFacts(snapshot);
  if (page.state === 'failed') return page;
  const link = findFeedLink(page.value);
  if (!link) return { state: 'ready', value: { state: 'none' } };
  if (!isSameOwner(new URL(link.href), new URL(snapshot.url)))
    return { state: 'ready', value: { state: 'elsewhere', link } };
  const find = getExchangeLookup(snapshot);
  const exchange = find('feed');
  if (!exchange) return { state: 'ready', value: { state: 'not_read', link } };
  const existence = readExistence(exchange, find('control'), 'text');
  return { state: 'ready', value: { state: 'read', link, exchange, existence } };
}
