import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { type CheckEvidence, buildEvidence } from '../../core/evidence.ts';
import {
  hasValue,
  listLooseOffers,
  listNodesOfType,
  listMainProducts,
  listPropertyNodes,
  listPropertyTexts,
  listTypes,
  type Priced,
  type SchemaGraph,
  type SchemaNode,
  toShortName,
} from '../facts/schema-nodes.ts';
import { isSubtype } from '../facts/schema-org.ts';
import { listMoney, listNumberReadings, type MoneyAmount } from '../../language/statistics.ts';
import { toOneLine } from '../../language/words.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { isPlaceholderDay } from '../../text/facts/dates.ts';
import type { TextEvidence } from '../../text/facts/text-evidence.ts';
import { judgeMissingNode } from './missing-node.ts';

const GOOGLE = 'https://developers.google.com/search/docs/appearance/structured-data';
const SELECTOR = 'script[type="application/ld+json"], [itemscope]';

export const schemaFieldChecks = [
  defineCheck({
    id: 'geo.schema.page-type',
    title: 'The page has a node of the right type',
    failureTitle: 'Add structured data of the type that fits the page',
    weight: 2,
    grade: 'B',
    why: 'Each type carries the fields that engines read for its kind of page: a price for a product, an author for an article.',
    source: `${GOOGLE}/search-gallery`,
    fix: 'Describe the page with the type shown for its kind, for example Article, Product, FAQPage, TechArticle or WebSite.',
    each: 'share',
    needs: ['start', 'page', 'jsonLd', 'textEvidence'],
    judge: judgePageType,
  }),
  defineCheck({
    id: 'geo.schema.article',
    title: 'Article fields are complete',
    failureTitle: 'Complete the Article fields',
    weight: 2,
    grade: 'B',
    why: 'Author, publisher and dates are what an answer needs to attribute an article and to tell how fresh it is.',
    source: `${GOOGLE}/article`,
    fix: 'Fill in headline, author, datePublished, dateModified, image and publisher of the article node.',
    each: 'share',
    needs: ['start', 'jsonLd'],
    judge: judgeArticle,
  }),
  defineCheck({
    id: 'geo.schema.product',
    title: 'Product/Offer fields are complete',
    failureTitle: 'Complete the Product and Offer fields',
    weight: 2,
    grade: 'A',
    why: 'Shopping agents take price, currency, stock and the identity of a product from these fields.',
    source: `${GOOGLE}/product, merchant listing: required and recommended properties`,
    fix: 'Fill in name, image, offers.price, offers.priceCurrency, offers.availability and one of gtin, mpn, sku or brand.',
    each: 'share',
    needs: ['start', 'jsonLd', 'textEvidence'],
    judge: judgeProduct,
  }),
  defineCheck({
    id: 'geo.schema.price-parity',
    title: 'Structured price equals the visible price',
    failureTitle: 'Make the structured price equal the visible one',
    weight: 2,
    grade: 'B',
    why: 'When the two differ, an assistant quotes one price and the shop asks another.',
    source: 'https://support.google.com/merchants/answer/6324371: the price must match the landing page',
    fix: 'Render the visible price and Offer.price from the same value.',
    each: 'share',
    needs: ['start', 'page', 'jsonLd'],
    judge: judgePriceParity,
  }),
];

/** Types that describe each kind of page; kinds that are not here have no type of their own. */
const EXPECTED: Readonly<Partial<Record<TextEvidence['kind']['kind'], readonly string[]>>> = {
  article: ['Article', 'Recipe'],
  product: ['Product'],
  faq: ['FAQPage', 'QAPage'],
  docs: ['TechArticle', 'Article', 'HowTo', 'SoftwareSourceCode', 'WebAPI'],
  home: ['WebSite', 'Organization', 'Person', 'SoftwareApplication', 'Product'],
  contact: ['ContactPage', 'Organization'],
  listing: ['CollectionPage', 'ItemList', 'Blog', 'OfferCatalog', 'SearchResultsPage'],
};

const TRAIL = 'BreadcrumbList';
const GENERAL_TYPES = ['WebPage', 'CreativeWork', TRAIL];

function judgePageType({
  start,
  page,
  jsonLd,
  textEvidence,
}: FactsOf<'start' | 'page' | 'jsonLd' | 'textEvidence'>): CheckOutcome {
  const { kind, reason } = textEvidence.kind;
  const expected = EXPECTED[kind];
  if (!expected) return verdict.notApplicable(`No type is expected of this page (${kind}: ${reason}).`);
  const { graph } = jsonLd;
  const rdfa = page.rdfaPageTypes.flatMap((names) => names.split(/\s+/)).map(toShortName);
  const types = [...new Set([...graph.nodes.flatMap((node) => listTypes(graph, node)), ...rdfa])];
  const about = `Kind of page: ${kind} (${reason}).`;
  // A trail is a list to schema.org, but says of any page only where it is.
  const fitting = types.find((type) => type !== TRAIL && expected.some((wanted) => isSubtype(type, wanted)));
  const at = buildEvidence(start.exchange, { selector: SELECTOR, excerpt: types.slice(0, 20).join(', ') });
  if (fitting !== undefined) return verdict.pass(`${about} It has a node of a fitting type.`, at);
  const generic = types.some((type) => GENERAL_TYPES.some((general) => isSubtype(type, general)));
  const wanted = `${expected.join(', ')} would fit.`;
  return generic
    ? verdict.partial(0.5, `${about} It has only a general type; ${wanted}`, at)
    : judgeMissingNode(jsonLd, `${about} No node is of a fitting type; ${wanted}`, at);
}

/** A kind of article to schema.org alone: it has fields of its own. */
const THREAD = 'DiscussionForumPosting';
const ARTICLE_FIELDS = ['headline', 'author', 'datePublished', 'dateModified', 'image', 'publisher'] as const;

function judgeArticle({ start, jsonLd }: FactsOf<'start' | 'jsonLd'>): CheckOutcome {
  const { graph } = jsonLd;
  const articles = listNodesOfType(graph, 'Article').filter((node) => !listTypes(graph, node).includes(THREAD));
  const described = articles.map((node) => ({
    node,
    missing: ARTICLE_FIELDS.filter((field) => !hasArticleField(graph, node, field)),
  }));
  const [best] = described.toSorted((a, b) => a.missing.length - b.missing.length);
  if (!best) return verdict.notApplicable('No Article node.');
  return judgeSixFields(
    best.missing,
    described.length,
    buildEvidence(start.exchange, { line: best.node.line, excerpt: best.node.types.join(', ') }),
    FEW_ARTICLE_FIELDS,
  );
}

/** One of the six says nothing of an article that the page does not. */
const FEW_ARTICLE_FIELDS = 1;

/** A placeholder is no date, and a node whose name is empty names no author. */
function hasArticleField(graph: SchemaGraph, node: SchemaNode, field: (typeof ARTICLE_FIELDS)[number]): boolean {
  if (field.startsWith('date')) return listPropertyTexts(graph, node, field).some((text) => !isPlaceholderDay(text));
  if (field !== 'author' && field !== 'publisher') return hasValue(graph, node, field);
  const named = listPropertyNodes(graph, node, field);
  const isNameless = (one: SchemaNode): boolean =>
    one.props.has('name') && !hasValue(graph, one, 'name') && !hasValue(graph, one, 'url');
  return hasValue(graph, node, field) && (named.length === 0 || !named.every(isNameless));
}

/** @param nodes how many of the type there are; the best described is judged, and the note says so. `few` fields fail. */
function judgeSixFields(missing: readonly string[], nodes: number, evidence: CheckEvidence, few = 0): CheckOutcome {
  const which = nodes === 1 ? '' : ` The best described of ${nodes} nodes is judged.`;
  if (missing.length === 0) return verdict.pass(`All six fields are there.${which}`, evidence);
  const note = `${6 - missing.length} of 6 fields. Missing: ${missing.join(', ')}.${which}`;
  return missing.length >= 6 - few
    ? verdict.fail(note, evidence)
    : verdict.partial(Math.round((1000 * (6 - missing.length)) / 6) / 1000, note, evidence);
}

function judgeProduct({ start, jsonLd, textEvidence }: FactsOf<'start' | 'jsonLd' | 'textEvidence'>): CheckOutcome {
  const products = listMainProducts(jsonLd.graph).map((product) => ({
    node: product.node,
    missing: [
      ...(product.name ? [] : ['name']),
      ...(product.image ? [] : ['image']),
      ...(product.offers.some(({ prices }) => prices.length > 0) ? [] : ['offers.price']),
      ...(product.offers.some(({ currency }) => currency) ? [] : ['priceCurrency']),
      ...(product.offers.some(({ availability }) => availability) ? [] : ['availability']),
      ...(product.identified ? [] : ['gtin, mpn, sku or brand']),
    ],
  }));
  const [best] = products.toSorted((a, b) => a.missing.length - b.missing.length);
  if (best)
    return judgeSixFields(
      best.missing,
      products.length,
      buildEvidence(start.exchange, { line: best.node.line, excerpt: best.node.types.join(', ') }),
    );
  const { kind, reason } = textEvidence.kind;
  if (kind !== 'product') return verdict.notApplicable(`No product page (${kind}: ${reason}).`);
  return judgeMissingNode(
    jsonLd,
    `A product page (${reason}) without a Product node of its own.`,
    buildEvidence(start.exchange, { selector: SELECTOR }),
  );
}

const FREE = /(?<!\p{L})(?:free|gratis|kostenlos|gratuit|gratuito|бесплатно|免费|無料|무료|مجان[اي])(?!\p{L})/iu;

function judgePriceParity({ start, page, jsonLd }: FactsOf<'start' | 'jsonLd' | 'page'>): CheckOutcome {
  const { graph } = jsonLd;
  const products = listMainProducts(graph).filter(({ offers }) => hasPrice(offers));
  const groups =
    products.length > 0
      ? products.map(({ offers }) => offers)
      : listLooseOffers(graph)
          .map((offer) => [offer])
          .filter(hasPrice);
  if (groups.length === 0) return verdict.notApplicable('No offer with a price in structured data.');
  const nodes = [...products.map(({ node }) => node), ...groups.flat().map(({ node }) => node)];
  const amounts = listAskedAmounts(page, groups.length > 1 ? undefined : listOwnAddresses(page, graph, nodes));
  const values = new Set(amounts.flatMap((amount) => amount.values));
  const free = FREE.test(page.text);
  // Of a product's variants the page shows one, so that one visible price is enough.
  const isVisible = (price: string): boolean =>
    listPriceValues(price).some((value) => values.has(value) || (value === 0 && free));
  const hidden = groups.filter((offers) => !offers.some(({ prices }) => prices.some(isVisible)));
  const evidence = (hidden.length > 0 ? hidden : groups)
    .slice(0, 3)
    .flatMap(([offer]) =>
      offer
        ? [buildEvidence(start.exchange, { line: offer.node.line, excerpt: `Offer.price ${offer.prices.join(', ')}` })]
        : [],
    );
  const visible = groups.length - hidden.length;
  const note = `${visible} of ${groups.length} structured prices are in the visible text of the HTML near a currency.`;
  if (hidden.length > 0) return verdict.fail(`${note} ${describeAmounts(amounts)}`, evidence);
  const other = groups.flatMap((offers) => listOtherwisePriced(page, graph, offers)).slice(0, 3);
  if (other.length === 0) return verdict.pass(note, evidence);
  return verdict.fail(
    `The page lists ${formatCount(other.length, 'variant')} by name with another price (${other.map(({ shown }) => shown).join('; ')}).`,
    other.map(({ name, offer }) =>
      buildEvidence(start.exchange, {
        line: offer.node.line,
        excerpt: `${name}: Offer.price ${offer.prices.join(', ')}`,
      }),
    ),
  );
}

/** Lines below the name of a variant that may have its price: the cells of its row. */
const ROW_LINES = 4;

/** Variants that the page lists by name with another price than theirs. */
function listOtherwisePriced(
  page: PageFacts,
  graph: SchemaGraph,
  offers: readonly Priced[],
): readonly { name: string; shown: string; offer: Priced }[] {
  if (offers.length < 2) return [];
  const named = new Map(
    offers.map((offer) => [toOneLine(listPropertyTexts(graph, offer.node, 'name')[0] ?? ''), offer]),
  );
  const rows = listRows(page.text.split('\n'), named);
  return [...rows].flatMap(([name, amounts]) => {
    const offer = named.get(name);
    const [first] = amounts;
    if (!offer || !first || offer.prices.length === 0) return [];
    const own = new Set(offer.prices.flatMap(listPriceValues));
    const agrees = amounts.some(({ values }) => values.some((value) => own.has(value)));
    return agrees ? [] : [{ name, shown: first.text, offer }];
  });
}

/** The amounts in the rows that begin with one of the names, by name. */
function listRows(
  lines: readonly string[],
  named: ReadonlyMap<string, Priced>,
): ReadonlyMap<string, readonly MoneyAmount[]> {
  const rows = new Map<string, MoneyAmount[]>();
  lines.forEach((line, index) => {
    if (line === '' || !named.has(line)) return;
    const below = lines.slice(index + 1, index + 1 + ROW_LINES);
    const next = below.findIndex((one) => named.has(one));
    const known = rows.get(line) ?? [];
    known.push(...listMoney((next < 0 ? below : below.slice(0, next)).join('\n')));
    rows.set(line, known);
  });
  return rows;
}

/** Amounts that a note names. */
const NAMED_AMOUNTS = 5;

function describeAmounts(amounts: readonly MoneyAmount[]): string {
  const texts = [...new Set(amounts.map(({ text }) => text))];
  if (texts.length === 0) return 'The text names no amount of money.';
  const more = texts.length > NAMED_AMOUNTS ? ` and ${texts.length - NAMED_AMOUNTS} more` : '';
  return `The text names ${texts.slice(0, NAMED_AMOUNTS).join('; ')}${more}.`;
}

/**
 * The amounts that the page asks: not those it strikes through. Where the page is about one product, an amount inside a
 * link to another page is the price of something else.
 * @param own addresses of the one product; undefined where the page describes several.
 */
function listAskedAmounts(page: PageFacts, own: ReadonlySet<string> | undefined): readonly MoneyAmount[] {
  const linked = page.anchors.filter(
    ({ hidden, href }) => own && hidden === undefined && /^https?:/.test(href) && !own.has(toPageAddress(href)),
  );
  const others = new Map<string, number>();
  for (const { text } of [...page.struck, ...linked.map((anchor) => anchor.text)].flatMap(listMoney))
    others.set(text, (others.get(text) ?? 0) + 1);
  return listMoney(page.text).filter(({ text }) => {
    const left = others.get(text) ?? 0;
    others.set(text, left - 1);
    return left <= 0;
  });
}
/** The addresses of the page and of its one product. */
const listOwnAddresses = (page: PageFacts, graph: SchemaGraph, nodes: readonly SchemaNode[]): ReadonlySet<string> =>
  new Set(
    [page.url, ...nodes.flatMap((node) => listPropertyTexts(graph, node, 'url'))].map((url) =>
      toPageAddress(url, page.url),
    ),
  );

const toPageAddress = (url: string, base?: string): string => URL.parse(url, base)?.href.split(/[?#]/)[0] ?? url;

/** A machine-readable price has one value; one that is written for people, with a sign or commas, may have two. */
function listPriceValues(price: string): readonly number[] {
  const exact = Number(price);
  return Number.isFinite(exact) ? [exact] : listNumberReadings(price.replaceAll(/[^\d.,']/g, ''));
}

const hasPrice = (offers: readonly Priced[]): boolean => offers.some(({ prices }) => prices.length > 0);
