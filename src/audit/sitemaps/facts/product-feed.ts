import { Parser } from 'htmlparser2';
import type { Artifact } from '../../core/artifact.ts';
import { type Exchange, getExchangeLookup, type Snapshot } from '../../core/snapshot.ts';
import { capDepth } from '../../page/facts/parser-depth.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { readPageFacts } from '../../reach/facts/site-files.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';
import { getString, isJsonRecord, parseSiteJson } from '../../structured-data/facts/json-document.ts';

export const PRODUCT_FEED_ROLE = 'product-feed';

/** Bounds of one feed: products beyond them are not read. */
const FEED_BOUNDS = { items: 200, textChars: 2048, depth: 32 } as const;

/** One product of a feed: texts as written, '' when absent. */
export type FeedProduct = Record<FeedField, string>;
export const feedFields = ['id', 'title', 'link', 'price', 'availability'] as const;
export type FeedField = (typeof feedFields)[number];

/** `link`: where a page names the feed; `exchange` undefined when it was not asked. */
export type ProductFeed = { link: { href: string; line: number } | undefined; exchange: Exchange | undefined };

const FEED_NAME =
  /(?:product|google|merchant|shopping|catalog(?:ue)?)[-_.]?feed|feeds?[-_/.](?:products?|google|merchant|shopping)|[-_/.](?:merchant|googleshopping|google-shopping)\.(?:xml|json|tsv|csv|txt)/i;

/** The link of a page to a feed of its products, by the name of its address. */
export function findProductFeed(page: PageFacts, start: URL): ProductFeed['link'] {
  const links = [...page.linkTags, ...page.anchors];
  const found = links.find(({ href }) => {
    const url = URL.parse(href);
    return url !== null && /^https?:$/.test(url.protocol) && FEED_NAME.test(url.pathname) && isSameOwner(url, start);
  });
  return found && { href: found.href, line: found.line };
}

/** Artifact `productFeed`: the feed that the start page names. */
export function readProductFeed(snapshot: Snapshot): Artifact<ProductFeed> {
  const page = readPageFacts(snapshot);
  if (page.state === 'failed') return page;
  const link = findProductFeed(page.value, new URL(snapshot.url));
  return { state: 'ready', value: { link, exchange: getExchangeLookup(snapshot)(PRODUCT_FEED_ROLE) } };
}

/** The products of a feed in RSS or Atom with the namespace of Merchant Center, or in JSON; empty when it is no such feed. */
export function parseProductFeed(body: string): readonly FeedProduct[] {
  const text = body.replace(/^\uFEFF/, '').trimStart();
  if (text.startsWith('{') || text.startsWith('[')) return parseJsonProducts(text);
  return text.startsWith('<') ? parseXmlProducts(text) : [];
}

function parseJsonProducts(text: string): readonly FeedProduct[] {
  const parsed = parseSiteJson(text);
  if (!parsed.ok) return [];
  const { value } = parsed;
  const lists = isJsonRecord(value) ? [value['products'], value['items'], value['data']] : [value];
  const list = lists.find((one): one is unknown[] => Array.isArray(one)) ?? [];
  return list.slice(0, FEED_BOUNDS.items).map((item) => ({
    id: readText(item, 'id', 'item_id', 'sku'),
    title: readText(item, 'title', 'name'),
    link: readText(item, 'link', 'url'),
    price: readText(item, 'price', 'amount'),
    availability: readText(item, 'availability', 'in_stock'),
  }));
}

const readText = (item: unknown, ...names: readonly string[]): string => {
  for (const name of names) {
    const value = isJsonRecord(item) ? item[name] : undefined;
    const text =
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : (getString(item, name) ?? '');
    if (text.trim() !== '') return text.trim().slice(0, FEED_BOUNDS.textChars);
  }
  return '';
};

const FIELD_OF: ReadonlyMap<string, FeedField> = new Map(feedFields.map((field) => [field, field]));

function parseXmlProducts(text: string): readonly FeedProduct[] {
  const products: FeedProduct[] = [];
  const names: string[] = [];
  let item: FeedProduct | undefined;
  let field: FeedField | undefined;
  const parser: Parser = new Parser(
    {
      onopentag(tag, attributes) {
        const name = tag.toLowerCase();
        names.push(name);
        if ((name === 'item' || name === 'entry') && item === undefined)
          item = { id: '', title: '', link: '', price: '', availability: '' };
        const own = FIELD_OF.get(name.replace(/^g:/, ''));
        field = item !== undefined && own !== undefined && item[own] === '' ? own : undefined;
        if (item && field === 'link' && attributes['href'] !== undefined) item.link = attributes['href'];
      },
      ontext(data) {
        if (item && field !== undefined) item[field] = (item[field] + data).slice(0, FEED_BOUNDS.textChars);
      },
      onclosetag() {
        const name = names.pop();
        field = undefined;
        if (!item || (name !== 'item' && name !== 'entry')) return;
        if (products.length < FEED_BOUNDS.items) products.push(item);
        item = undefined;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  capDepth(parser, FEED_BOUNDS.depth, () => names.length);
  parser.end(text);
  // A feed of articles has entries too; one of products has prices.
  return products.some(({ price }) => price.trim() !== '') ? products : [];
}
