import { listMoneyAmounts } from '../../language/statistics.ts';
import { findWrittenDate } from '../../language/written-dates.ts';
import { getJsonLd } from '../../structured-data/facts/json-ld.ts';
import { listMainProducts, listNodesOfType, type SchemaNode } from '../../structured-data/facts/schema-nodes.ts';
import type { MainText } from '../../text/facts/sample-text.ts';
import { findByline, findShownByline } from './byline.ts';
import type { PageFacts } from './page-facts.ts';
import { getMetaContent } from './page.ts';

export const pageKinds = [
  'checkout',
  'login',
  'contact',
  'faq',
  'product',
  'article',
  'docs',
  'forum',
  'listing',
  'home',
  'unknown',
] as const;

/** What one page is for; `reason` says by which evidence. Markup and structure are asked before words. */
export type PageKind = { kind: (typeof pageKinds)[number]; reason: string };

/** Question headings, or questions in details, that make a page a FAQ. */
const FAQ_QUESTIONS = 4;
/** A teaser that calls itself an article in its metadata has fewer words; what shows its date beside them is a short article. */
const ARTICLE_WORDS = 60;
/** So much prose under one headline is an article, also where nothing else says so. */
const PROSE_WORDS = 150;
export const MAX_PROSE_LINK_SHARE = 0.35;
/** More nodes of one kind of work or event are a list of them. */
const MANY_ITEMS = 4;

const BUY =
  /(?<!\p{L})(?:add to (?:cart|bag|basket)|buy(?: it)? now|order now|pre-?order|in den warenkorb|jetzt kaufen|ajouter au panier|acheter|añadir al carrito|comprar(?: ahora| agora)?|aggiungi al carrello|acquista|adicionar ao carrinho|in winkelwagen|bestellen|в корзину|купить|加入购物车|立即购买|カートに入れる|購入|장바구니|구매하기|أضف إلى السلة)(?!\p{L})/iu;
const MAX_BUY_BUTTONS = 3;

/** Classifies what a page is for. The first kind with evidence wins, from the most to the least specific. */
export function classifyPage(page: PageFacts, main: MainText): PageKind {
  const known = kinds.get(main);
  if (known?.page === page) return known.kind;
  const kind = findFirstKind(page, main);
  kinds.set(main, { page, kind });
  return kind;
}

/** Several checks ask of the same page, whose main text is extracted once. */
const kinds = new WeakMap<MainText, { page: PageFacts; kind: PageKind }>();

function findFirstKind(page: PageFacts, main: MainText): PageKind {
  for (const { kind, evidence } of RULES) {
    const reason = evidence(page, main);
    if (reason !== undefined) return { kind, reason };
  }
  return { kind: 'unknown', reason: 'no evidence of a kind' };
}

type Evidence = (page: PageFacts, main: MainText) => string | undefined;
type Rule = { kind: PageKind['kind']; evidence: Evidence };

const createPathEvidence =
  (pattern: RegExp): Evidence =>
  ({ url }) => {
    const { pathname } = new URL(url);
    return pattern.test(pathname) ? `path ${pathname.slice(0, 80)}` : undefined;
  };

const ABOUT_PATH =
  /\/(?:about(?:-us)?|who-we-are|our-(?:story|history|team|mission)|impressum|imprint|privacy(?:-policy)?|datenschutz(?:erklaerung)?|terms(?:-of-(?:service|use))?|agb|legal(?:-notice)?|mentions-legales|(?:wir-)?(?:ueber|%C3%BCber|uber)-uns|geschichte|chronik|history|histoire|historia|storia|verein|vorstand|leitbild|unternehmen|company|qui-sommes-nous|quienes-somos|chi-siamo|o-nas|team)(?:\.(?:html?|php|aspx))?\/?$/i;

const RULES: readonly Rule[] = [
  { kind: 'checkout', evidence: createPathEvidence(/\/(?:checkout|cart|basket|warenkorb|panier|carrito)\/?$/i) },
  { kind: 'login', evidence: findLoginEvidence },
  {
    kind: 'contact',
    evidence: createPathEvidence(/\/(?:contact(?:-us)?|kontakt|contacto|contatti|contato)(?:\.html?)?\/?$/i),
  },
  { kind: 'product', evidence: findMarkedProduct },
  { kind: 'forum', evidence: findForumEvidence },
  { kind: 'docs', evidence: findMarkedDocs },
  { kind: 'article', evidence: findMarkedArticle },
  { kind: 'faq', evidence: findFaqEvidence },
  { kind: 'home', evidence: createPathEvidence(/^\/(?:index\.(?:html?|php))?$|^\/[a-z]{2}(?:-[a-z]{2})?\/?$/i) },
  { kind: 'listing', evidence: findMarkedListing },
  { kind: 'docs', evidence: findDocsEvidence },
  { kind: 'product', evidence: findShopEvidence },
  { kind: 'listing', evidence: findListingEvidence },
  { kind: 'unknown', evidence: createPathEvidence(ABOUT_PATH) },
  { kind: 'article', evidence: findArticleEvidence },
];

function findLoginEvidence(page: PageFacts, main: MainText): string | undefined {
  const password = page.controls.some((control) => control.type === 'password' && control.hidden === undefined);
  if (password && main.words < ARTICLE_WORDS && page.words < 2 * PROSE_WORDS) return 'a password field and little text';
  if (main.words >= PROSE_WORDS) return undefined;
  return createPathEvidence(/\/(?:log-?in|sign-?in|sign-?up|register|anmelden|connexion)\/?$/i)(page, main);
}

/** A product that is offered here, in structured data or metadata; not what a node about a paywall or a review mentions. */
function findMarkedProduct(page: PageFacts): string | undefined {
  const { graph } = getJsonLd(page);
  const type = getOpenGraphType(page);
  if (type.startsWith('product')) return 'og:type of a product';
  // What an article costs to read is no price of a product.
  const isArticle = type === 'article' || listNodesOfType(graph, 'Article').length > 0;
  if (!isArticle && getMetaContent(page, 'product:price:amount') !== '') return 'the price of a product';
  const products = listMainProducts(graph);
  if (products.length === 0 || products.length >= MANY_ITEMS) return undefined;
  if (listNodesOfType(graph, 'Article').length > 0) return undefined;
  return products.some(({ offers }) => offers.some(({ prices }) => prices.length > 0))
    ? 'structured data of a product that is offered'
    : undefined;
}

const FORUM_PATH = /\/(?:forums?|threads?|viewtopic\.php|showthread\.php|topic|questions\/\d{2,12})(?:[/?.]|$)/i;
const FORUM_GENERATORS = /vbulletin|phpbb|xenforo|discourse|mybb|simple machines|invision|flarum/i;

function findForumEvidence(page: PageFacts): string | undefined {
  const { graph } = getJsonLd(page);
  for (const type of ['DiscussionForumPosting', 'QAPage'])
    if (listNodesOfType(graph, type).length > 0) return `structured data of type ${type}`;
  if (FORUM_GENERATORS.test(getMetaContent(page, 'generator'))) return 'the software of a forum';
  return createPathEvidence(FORUM_PATH)(page, NO_TEXT);
}

const NO_TEXT: MainText = { text: '', words: 0, from: 'scored', hasHeadline: false };

const getOpenGraphType = (page: PageFacts): string => (page.openGraph['type']?.[0] ?? '').trim().toLowerCase();

/** Types of structured data that documentation has for its articles. */
const DOCS_TYPES = ['TechArticle', 'APIReference'];

function findMarkedDocs(page: PageFacts): string | undefined {
  const { graph } = getJsonLd(page);
  const type = DOCS_TYPES.find((name) => listNodesOfType(graph, name).length > 0);
  return type === undefined ? undefined : `structured data of type ${type}`;
}

const ARTICLE_METAS = [
  'article:published_time',
  'citation_title',
  'article:author',
  'parsely-pub-date',
  'article:section',
];

/** An article by structured data or metadata; many of them are a list. */
function findMarkedArticle(page: PageFacts, main: MainText): string | undefined {
  const { graph } = getJsonLd(page);
  const articles = listNodesOfType(graph, 'Article').length + listNodesOfType(graph, 'Recipe').length;
  if (articles > 0 && articles < MANY_ITEMS) return 'structured data of an article';
  const meta = ARTICLE_METAS.find((name) => getMetaContent(page, name) !== '');
  if (meta !== undefined && (main.words >= ARTICLE_WORDS || isDatedOrSigned(page))) return `meta ${meta}`;
  if (getOpenGraphType(page) !== 'article') return undefined;
  if (main.words < ARTICLE_WORDS && !(hasHeadline(page) && main.words > 0 && isDatedOrSigned(page))) return undefined;
  // Content systems call every page an article, also their front, product and about pages.
  if ([/^\/?$/, ABOUT_PATH].some((path) => createPathEvidence(path)(page, main) !== undefined)) return undefined;
  if (findShopEvidence(page, main) !== undefined) return undefined;
  return 'og:type article';
}

function findFaqEvidence(page: PageFacts, main: MainText): string | undefined {
  const title = [
    page.titles[0] ?? '',
    ...page.headings.filter(({ level }) => level === 1).map(({ text }) => text),
  ].join(' ');
  const named =
    /(?<!\p{L})(?:faqs?|frequently asked questions|häufig(?:e|e gestellte)? fragen|preguntas frecuentes|questions fréquentes|domande frequenti|perguntas frequentes)(?!\p{L})/iu;
  const headings = page.headings.filter(({ inContent, level }) => inContent && level > 1);
  const questions = headings.filter(({ question }) => question).length;
  if (named.test(title) && questions + page.details.length >= 2) return 'a title that says FAQ, and questions below it';
  // News explains itself in questions too, and is signed.
  const signed = findShownByline(page) !== '' && listNodesOfType(getJsonLd(page).graph, 'FAQPage').length === 0;
  if (questions >= FAQ_QUESTIONS && questions >= 0.6 * headings.length && !signed)
    return `${questions} of ${headings.length} headings are questions`;
  return createPathEvidence(/\/(?:faqs?|frequently-asked-questions)(?:\.html?)?\/?$/i)(page, main);
}

/** To schema.org the trail to a page is a list of items too. */
const isTrail = ({ types }: SchemaNode): boolean => types.includes('BreadcrumbList');

const LIST_TYPES = ['CollectionPage', 'SearchResultsPage', 'ItemList', 'OfferCatalog'];

function findMarkedListing(page: PageFacts, main: MainText): string | undefined {
  const { graph } = getJsonLd(page);
  if (listNodesOfType(graph, 'Event').length > MANY_ITEMS) return 'structured data of several events';
  if (listMainProducts(graph).length >= MANY_ITEMS) return 'structured data of several products';
  const prose = measureLinkShare(page, main) < MAX_PROSE_LINK_SHARE;
  if (main.words >= 2 * PROSE_WORDS && prose) return undefined;
  const type = LIST_TYPES.find((name) => listNodesOfType(graph, name).some((node) => !isTrail(node)));
  // Articles mark their boxes of other articles as lists of items.
  if (type === 'ItemList' && main.words >= PROSE_WORDS && prose && isDatedOrSigned(page)) return undefined;
  return type === undefined ? undefined : `structured data of type ${type}`;
}

function findDocsEvidence(page: PageFacts): string | undefined {
  const { hostname, pathname } = new URL(page.url);
  const place =
    /^(?:docs?|developers?|api|learn)\./i.test(hostname) ||
    /\/(?:docs?|documentation|reference|guides?|manual|tutorials?|api|developers?)(?:\/|$)/i.test(pathname);
  if (place && pathname !== '/') return 'a path of documentation';
  if (place && page.codeBlocks.length > 0) return 'a host of documentation, with code';
  return page.codeBlocks.length >= 3 && !isDatedOrSigned(page) ? `${page.codeBlocks.length} blocks of code` : undefined;
}

/** A way to buy, as a button or in a form, and a price beside it; not on a page that reads like an article. */
function findShopEvidence(page: PageFacts, main: MainText): string | undefined {
  const buttons = page.controls.filter(
    ({ tag, type, label }) => (tag === 'button' || type === 'submit') && label.length < 60 && BUY.test(label),
  ).length;
  const links = page.anchors.filter(
    ({ text, inContent, region }) =>
      (inContent || region === 'main' || region === 'none') && text.length < 40 && BUY.test(text),
  ).length;
  const buys = buttons + links;
  if (buys === 0 || buys > MAX_BUY_BUTTONS) return undefined;
  const priced = listMoneyAmounts(main.text === '' ? page.text : main.text).size > 0;
  const marked = page.microdata.some(({ props }) => props.some(({ name }) => name === 'price'));
  if (!priced && !marked) return undefined;
  return isDatedOrSigned(page) || (buttons === 0 && main.words > 2 * PROSE_WORDS)
    ? undefined
    : 'a price and a way to buy';
}

const LISTING_PATH =
  /\/(?:category|categories|kategorie|rubrik|tags?|search|suche|archive|collections|blog|news|tests|page\/\d{1,4})\/?$|\/(?:category|tags?|collections)\/[^/]+\/?$/i;

/** The address of one entry: a year and a name. */
const DATED_PATH = /\/(?:19|20)\d\d\/(?:\d{1,2}\/[^/]+|[^/]+-[^/]+)/i;

/** Many teasers and little text of its own. */
function findListingEvidence(page: PageFacts, main: MainText): string | undefined {
  const articles = page.elements['article'] ?? 0;
  const share = measureLinkShare(page, main);
  // Comments are article elements too, and notes to a recording are a list of links.
  if (main.words >= PROSE_WORDS && hasHeadline(page) && createPathEvidence(DATED_PATH)(page, main) !== undefined)
    return undefined;
  if (articles > 2 && (main.words < PROSE_WORDS || share > MAX_PROSE_LINK_SHARE)) return `${articles} article elements`;
  if (share > MAX_PROSE_LINK_SHARE && main.words < 4 * PROSE_WORDS && !isDatedOrSigned(page)) return 'mostly links';
  return isDatedOrSigned(page) ? undefined : createPathEvidence(LISTING_PATH)(page, main);
}

const ARTICLE_PATH = new RegExp(
  String.raw`\/(?:blog|news|posts?|articles?|artikel|artykul|articulo|noticias?|stories|story|aktuelles|presse\w{0,20}|magazin\w{0,10})\/[^/]+|${DATED_PATH.source}`,
  'i',
);

/** An article without markup: prose under a headline, signed, dated, or at a path of articles. */
function findArticleEvidence(page: PageFacts, main: MainText): string | undefined {
  if (main.words < ARTICLE_WORDS || measureLinkShare(page, main) > MAX_PROSE_LINK_SHARE)
    return findShortArticle(page, main);
  if (findByline(page) !== '') return 'a byline';
  if (createPathEvidence(ARTICLE_PATH)(page, main) !== undefined) return 'a path of articles';
  if (isDatedOrSigned(page)) return 'a date beside its text';
  return main.words >= PROSE_WORDS ? `${main.words} words of prose` : undefined;
}

/** A recording with a few words, or a page whose text comes by script: it has a headline and its date, at a path of articles. */
function findShortArticle(page: PageFacts, main: MainText): string | undefined {
  if (!hasHeadline(page) || main.words === 0) return undefined;
  const dated = createPathEvidence(DATED_PATH)(page, main);
  return dated ?? (isDatedOrSigned(page) ? createPathEvidence(SHORT_ARTICLE_PATH)(page, main) : undefined);
}

const hasHeadline = ({ headings }: PageFacts): boolean =>
  headings.some(({ level, text, hidden }) => level === 1 && text !== '' && hidden === undefined);

/** The page of one article: behind a word for articles, or an address with a number of its own. */
const SHORT_ARTICLE_PATH = new RegExp(
  `${ARTICLE_PATH.source}|/(?:news|article|artikel|story)[-_]?[\\d-]{3,20}\\b`,
  'i',
);

const NEAR_LINES = 30;
const NEAR_CHARS = 100;

function isDatedOrSigned(page: PageFacts): boolean {
  if (page.times.some(({ hidden, inContent }) => hidden === undefined && inContent)) return true;
  if (
    page.named.some(({ what, aside, region }) => what === 'date' && !aside && region !== 'footer' && region !== 'nav')
  )
    return true;
  if (findShownByline(page) !== '') return true;
  const lines = page.contentText.split('\n', NEAR_LINES);
  return lines.some((line) => line.length <= NEAR_CHARS && findWrittenDate(line) !== undefined);
}

/** Share of the main text that is inside links, 0 to 1. */
export function measureLinkShare(page: PageFacts, main: MainText): number {
  if (main.text.length === 0) return 1;
  const linked = page.anchors.filter(({ inContent }) => inContent).reduce((sum, { text }) => sum + text.length, 0);
  return Math.min(1, linked / main.text.length);
}
