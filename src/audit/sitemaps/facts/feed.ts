import { Parser } from 'htmlparser2';
import { isJsonRecord, parseSiteJson, getString } from '../../structured-data/facts/json-document.ts';
import { capDepth } from '../../page/facts/parser-depth.ts';

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
  if (reading.items.length < FEED_LIMITS.items) reading.items.push(reading.item);
  reading.item = undefined;
}
