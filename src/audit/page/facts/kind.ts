import type { MainText } from '../../text/facts/sample-text.ts';
import type { PageFacts } from './page-facts.ts';
import { getMetaContent } from './page.ts';
import { listMoneyAmounts } from '../../language/statistics.ts';

export const pageKinds = [
  'checkout',
  'login',
  'contact',
  'faq',
  'product',
  'article',
  'docs',
  'listing',
  'home',
  'unknown',
] as const;

/** What one page is for, by evidence of its URL and content; `reason` says which. Structured data is not asked. */
export type PageKind = { kind: (typeof pageKinds)[number]; reason: string };

/** Question headings, or questions in details, that make a page a FAQ. */
const FAQ_QUESTIONS = 4;
/** More articles than this on one page are a list of them. */
const MAX_ARTICLES = 2;
/** A teaser that calls itself an article in its metadata has fewer words. */
const ARTICLE_WORDS = 100;
const BYLINE_LINES = 40;
const BYLINE_CHARS = 80;

const BUY =
  /(?<!\p{L})(?:add to (?:cart|bag|basket)|buy(?: it)? now|order now|pre-?order|in den warenkorb|jetzt kaufen|ajouter au panier|acheter|añadir al carrito|comprar(?: ahora| agora)?|aggiungi al carrello|acquista|adicionar ao carrinho|in winkelwagen|bestellen|в корзину|купить|加入购物车|立即购买|カートに入れる|購入|장바구니|구매하기|أضف إلى السلة)(?!\p{L})/iu;
const NAME = String.raw`\p{Lu}[\p{L}.'’-]{1,30}`;
const BYLINE = new RegExp(
  String.raw`^(?:(?:[Bb]y|BY|[Ww]ritten by|[Vv]on|[Pp]ar|[Pp]or|[Dd]i|[Dd]oor|Автор:?)\s+${NAME}(?:[\s,&]{1,3}(?:and\s|und\s|et\s|y\s|e\s|en\s)?${NAME}){0,6}|(?:作者|著者|글쓴이|بقلم)\s{0,3}[:：]?\s{0,3}\p{L}{2,20})(?:[\s,|·•–—-].{0,60})?$`,
  'u',
);

/** Visible or marked-up name of an author, outside structured data; '' when there is none. */
export function findByline(page: PageFacts): string {
  const meta = getMetaContent(page, 'author') || getMetaContent(page, 'article:author');
  if (meta !== '') return meta;
  const link = page.anchors.find((anchor) => anchor.rels.includes('author') && anchor.text !== '');
  if (link) return link.text;
  const lines = (page.contentText || page.text).slice(0, BYLINE_LINES * 200).split('\n', BYLINE_LINES);
  return lines.find((line) => line.length <= BYLINE_CHARS && BYLINE.test(line)) ?? '';
}

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

type Rule = { kind: PageKind['kind']; evidence: (page: PageFacts, main: MainText) => string | undefined };

const RULES: readonly Rule[] = [
  { kind: 'checkout', evidence: createPathEvidence(/\/(?:checkout|cart|basket|warenkorb|panier|carrito)\/?$/i) },
  { kind: 'login', evidence: findLoginEvidence },
  {
    kind: 'contact',
    evidence: createPathEvidence(/\/(?:contact(?:-us)?|kontakt|contacto|contatti|contato)(?:\.html?)?\/?$/i),
  },
  { kind: 'faq', evidence: findFaqEvidence },
  { kind: 'product', evidence: findProductEvidence },
  { kind: 'article', evidence: findArticleEvidence },
  { kind: 'docs', evidence: findDocsEvidence },
  { kind: 'listing', evidence: findListingEvidence },
  { kind: 'home', evidence: createPathEvidence(/^\/(?:index\.(?:html?|php))?$|^\/[a-z]{2}(?:-[a-z]{2})?\/?$/i) },
];

function createPathEvidence(pattern: RegExp): Rule['evidence'] {
  return ({ url }) => {
    const { pathname } = new URL(url);
    return pattern.test(pathname) ? `path ${pathname.slice(0, 80)}` : undefined;
  };
}

function findLoginEvidence(page: PageFacts, main: MainText): string | undefined {
  const password = page.controls.some((control) => control.type === 'password' && control.hidden === undefined);
  if (password && main.words < 200) return 'a password field and little text';
  return createPathEvidence(/\/(?:log-?in|sign-?in|sign-?up|register|anmelden|connexion)\/?$/i)(page, main);
}

function findFaqEvidence(page: PageFacts, main: MainText): string | undefined {
  const title = [
    page.titles[0] ?? '',
    ...page.headings.filter(({ level }) => level === 1).map(({ text }) => text),
  ].join(' ');
  const named =
    /(?<!\p{L})(?:faqs?|frequently asked questions|häufig(?:e|e gestellte)? fragen|preguntas frecuentes|questions fréquentes|domande frequenti|perguntas frequentes)(?!\p{L})/iu;
  const questions = page.headings.filter((heading) => heading.question).length;
  const below = page.headings.filter((heading) => heading.level > 1).length;
  if (named.test(title) && questions + page.details.length >= 2) return 'a title that says FAQ, and questions below it';
  if (questions >= FAQ_QUESTIONS && questions >= 0.6 * below) return `${questions} of ${below} headings are questions`;
  return createPathEvidence(/\/(?:faqs?|frequently-asked-questions)(?:\.html?)?\/?$/i)(page, main);
}

function findProductEvidence(page: PageFacts): string | undefined {
  const buttons = page.controls
    .filter(({ tag, type }) => tag === 'button' || type === 'submit')
    .map(({ label }) => label);
  const labels = [...buttons, ...page.anchors.map(({ text }) => text), ...page.clickables.map(({ text }) => text)];
  const buys = labels.filter((label) => label.length < 60 && BUY.test(label)).length;
  if (buys === 0 || buys > 3) return undefined;
  return listMoneyAmounts(page.text).size > 0 ? 'a price and a way to buy' : undefined;
}

function findArticleEvidence(page: PageFacts, main: MainText): string | undefined {
  const published = getMetaContent(page, 'article:published_time') !== '';
  const typed = (page.openGraph['type'] ?? []).some((type) => type.toLowerCase() === 'article');
  if ((published || typed) && main.words >= ARTICLE_WORDS) return published ? 'a published time' : 'og:type article';
  if ((page.elements['article'] ?? 0) > MAX_ARTICLES) return undefined;
  const dated = published || page.times.some((time) => time.hidden === undefined);
  if (dated && findByline(page) !== '') return 'a date and a byline';
  const { pathname } = new URL(page.url);
  const posted = /\/(?:blog|news|posts?|articles?|stories)\/[^/]+|\/\d{4}\/\d{1,2}\/[^/]+/i.test(pathname);
  return posted && page.elements['article'] === 1 ? 'an article element at a path of articles' : undefined;
}

function findDocsEvidence(page: PageFacts): string | undefined {
  const { hostname, pathname } = new URL(page.url);
  const place =
    /^(?:docs?|developers?|api|learn)\./i.test(hostname) ||
    /\/(?:docs?|documentation|reference|guides?|manual|tutorials?|api)(?:\/|$)/i.test(pathname);
  if (place && pathname !== '/') return 'a path of documentation';
  if (place && page.codeBlocks.length > 0) return 'a host of documentation, with code';
  return page.codeBlocks.length >= 3 ? `${page.codeBlocks.length} blocks of code` : undefined;
}

function findListingEvidence(page: PageFacts): string | undefined {
  const articles = page.elements['article'] ?? 0;
  if (articles > MAX_ARTICLES) return `${articles} article elements`;
  return createPathEvidence(
    /\/(?:category|categories|tags?|search|archive|collections|blog|news)\/?$|\/(?:category|tags?|collections)\/[^/]+\/?$/i,
  )(page, { text: '', words: 0, from: 'landmark', hasHeadline: false });
}
