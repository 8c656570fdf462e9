import { getJsonLd } from '../facts/json-ld.ts';
import { readFaqMarkup, listVisibleQuestions } from '../facts/faq.ts';
import { getMainText } from '../../text/facts/sample-text.ts';
import { classifyPage } from '../../page/facts/kind.ts';
import { isQuestion } from '../../language/words.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { findParagraphBelow } from '../../page/facts/page.ts';
import { cleanSiteText, normaliseSafeUrl } from '../../../fixes/files/safe-site.ts';
import { getKnownOrSlot, formatSlot } from '../../../fixes/core/fix-slots.ts';
import type { FixContext } from '../../../fixes/core/fix-context.ts';
import {
  changeNode,
  fillNode,
  findNodesByType,
  type JsonLdModel,
  type Node,
} from '../../../fixes/core/json-ld-model.ts';
import type { PageEdit } from '../../../fixes/core/page-edits.ts';
import { appendToContent, renderDetailsHtml } from '../../text/fixes/content-edits.ts';
import { ensureOrganization, buildWebSiteEdit } from './entity-edits.ts';

const HEADLINE_CHARS = 110;
const ANSWER_CHARS = 2000;
const MAX_QUESTIONS = 20;

/** The article of the page, added when there is none. */
function ensureArticle(model: JsonLdModel, { words }: FixContext, type = 'Article'): Node {
  const [first] = findNodesByType(model, 'Article');
  if (first) return first;
  const node: Node = {
    '@type': type,
    '@id': `${words.pageUrl}#article`,
    headline: buildHeadline(words),
    url: words.pageUrl,
  };
  model.added.push(node);
  return node;
}

const buildHeadline = ({ heading, title }: FixContext['words']): string =>
  getKnownOrSlot(cleanSiteText(heading ?? title ?? '', HEADLINE_CHARS), 'pageTitle');

const buildAuthorNode = ({ byline, bylineUrl }: FixContext['words']): Node => ({
  '@type': 'Person',
  name: getKnownOrSlot(byline, 'author'),
  url: getKnownOrSlot(bylineUrl, 'authorUrl'),
});

/** Author with a page of their own. */
export const buildAuthorEdit: PageEdit = (fixing) =>
  fixing.page && {
    jsonLd(model) {
      const article = ensureArticle(model, fixing);
      const [present] = [article['author']].flat();
      const named = isNode(present) ? present : undefined;
      const role =
        /^(?:admin(?:istrator)?|editor(?:ial)?(?: team)?|webmaster|author|staff|team|user|guest|root|@\w+)$/i;
      if (named && typeof named['name'] === 'string' && !role.test(named['name']))
        return fillNode(model, named, { url: getKnownOrSlot(fixing.words.bylineUrl, 'authorUrl') });
      const text = typeof present === 'string' && !role.test(present) ? cleanSiteText(present, 100) : undefined;
      changeNode(
        model,
        article,
        (node) => void (node['author'] = { ...buildAuthorNode(fixing.words), ...(text ? { name: text } : {}) }),
      );
    },
  };

/** The six fields of an article. */
export const buildArticleEdit: PageEdit = (fixing) => {
  const { page, words } = fixing;
  return (
    page && {
      jsonLd(model) {
        const article = ensureArticle(model, fixing);
        fillNode(model, article, {
          headline: buildHeadline(words),
          author: buildAuthorNode(words),
          datePublished: getKnownOrSlot(words.published, 'datePublished'),
          dateModified: getKnownOrSlot(words.modified, 'dateModified'),
          image: getKnownOrSlot(words.image, 'image'),
        });
        if (article['publisher'] === undefined) publish(model, article, words);
      },
    }
  );
};

/** The article refers to the organisation; one that is described inside the article becomes a node of its own. */
function publish(model: JsonLdModel, article: Node, words: FixContext['words']): void {
  const [inline] = [article['publisher']].flat();
  const id = ensureOrganization(model, words, false);
  if (isNode(inline) && inline['@id'] === id && inline['@type'] !== undefined) model.added.push({ ...inline });
  changeNode(model, article, (node) => void (node['publisher'] = { '@id': id }));
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The publisher as a reference to the organisation. */
export const buildPublisherEdit: PageEdit = (fixing) =>
  fixing.page && { jsonLd: (model) => publish(model, ensureArticle(model, fixing), fixing.words) };

/** Dates for the page, from what it says elsewhere. */
export const buildDatesEdit: PageEdit = ({ page, words }) =>
  page && {
    jsonLd(model) {
      const [node] = [...findNodesByType(model, 'Article'), ...findNodesByType(model, 'WebPage')];
      const dates = {
        datePublished: getKnownOrSlot(words.published, 'datePublished'),
        dateModified: getKnownOrSlot(words.modified, 'dateModified'),
      };
      if (node) fillNode(model, node, dates);
      else model.added.push({ '@type': 'WebPage', '@id': `${words.pageUrl}#webpage`, url: words.pageUrl, ...dates });
    },
  };

/** A product with what an offer needs; figures are never guessed. */
function fillProduct(model: JsonLdModel, { words }: FixContext): void {
  const [first] = findNodesByType(model, 'Product');
  const product: Node = first ?? { '@type': 'Product', '@id': `${words.pageUrl}#product` };
  if (!first) model.added.push(product);
  fillNode(model, product, {
    name: getKnownOrSlot(words.heading, 'productName'),
    image: getKnownOrSlot(words.image, 'image'),
    ...(['gtin', 'gtin13', 'mpn', 'sku', 'brand'].some((name) => product[name] !== undefined)
      ? {}
      : { sku: formatSlot('brand') }),
    offers: { '@type': 'Offer' },
  });
  const [offer] = [product['offers']].flat();
  if (!isNode(offer)) return;
  fillNode(model, offer, {
    price: formatSlot('price'),
    priceCurrency: formatSlot('currency'),
    availability: formatSlot('availability'),
  });
}

export const buildProductEdit: PageEdit = (fixing) => fixing.page && { jsonLd: (model) => fillProduct(model, fixing) };

/** A node of the type that fits the kind of the page. */
export const buildPageTypeEdit: PageEdit = (fixing) => {
  const { page, words } = fixing;
  if (!page) return undefined;
  const { kind } = classifyPage(page, getMainText(page));
  const plain: Readonly<Record<string, string>> = {
    home: 'WebSite',
    contact: 'ContactPage',
    listing: 'CollectionPage',
  };
  const type = plain[kind];
  if (kind === 'home') return buildWebSiteEdit(fixing);
  if (kind === 'faq') return buildFaqEdit(fixing);
  if (kind === 'product') return buildProductEdit(fixing);
  if (kind === 'article' || kind === 'docs')
    return { jsonLd: (model) => void ensureArticle(model, fixing, kind === 'docs' ? 'TechArticle' : 'Article') };
  if (type === undefined) return undefined;
  const name = getKnownOrSlot(words.title ?? words.heading, 'pageTitle');
  const node = { '@type': type, '@id': `${words.pageUrl}#webpage`, name, url: words.pageUrl };
  return { jsonLd: (model) => void model.added.push(node) };
};

type Pair = { name: string; answer: string };

/** Questions with their answers as a reader of the page sees them. */
function listVisiblePairs(page: PageFacts): readonly Pair[] {
  const details = page.details
    .filter(({ summary, text }) => summary !== '' && text.length > summary.length + 10)
    .map(({ summary, text }) => ({
      name: summary,
      answer: text.startsWith(summary) ? text.slice(summary.length) : text,
    }));
  const definitions = page.definitions
    .filter(({ term }) => isQuestion(term))
    .map(({ term, text }) => ({ name: term, answer: text }));
  const headings = page.headings
    .filter(({ question, hidden }) => question && hidden === undefined)
    .map(({ text, order }) => ({ name: text, answer: findParagraphBelow(page, order)?.text ?? '' }));
  return [...details, ...definitions, ...headings]
    .map(({ name, answer }) => ({ name: cleanSiteText(name, 300), answer: cleanSiteText(answer, ANSWER_CHARS) }))
    .filter(({ name, answer }) => name !== '' && answer !== '')
    .slice(0, MAX_QUESTIONS);
}

const buildQuestionNode = ({ name, answer }: Pair): Node => ({
  '@type': 'Question',
  name,
  acceptedAnswer: { '@type': 'Answer', text: answer },
});

/** A FAQPage of what the page shows; its own questions where they are whole, else those that are visible. */
export const buildFaqEdit: PageEdit = ({ page, words }) => {
  if (!page) return undefined;
  const visible = listVisiblePairs(page);
  const kept = readFaqMarkup(getJsonLd(page)).questions.filter(({ name, answer }) => name !== '' && answer !== '');
  const pairs = visible.length > 0 ? visible : kept;
  const questions = (pairs.length > 0 ? pairs : [{ name: formatSlot('question'), answer: formatSlot('answer') }]).map(
    buildQuestionNode,
  );
  return {
    jsonLd(model) {
      const [first] = findNodesByType(model, 'FAQPage');
      if (first) changeNode(model, first, (node) => void (node['mainEntity'] = questions));
      else model.added.push({ '@type': 'FAQPage', '@id': `${words.pageUrl}#faq`, mainEntity: questions });
    },
  };
};

/** Questions that only the markup has are shown at the end of the content. */
export const showQuestionsEdit: PageEdit = ({ page }) => {
  if (!page) return undefined;
  const faq = readFaqMarkup(getJsonLd(page));
  const seen = new Set(listVisibleQuestions(faq, page));
  const unseen = faq.questions
    .filter((question) => !seen.has(question))
    .map(({ name, answer }) => ({
      name: cleanSiteText(withoutTags(name), 300),
      answer: cleanSiteText(withoutTags(answer), ANSWER_CHARS),
    }))
    .filter(({ name, answer }) => name !== '' && answer !== '');
  return unseen.length === 0 ? undefined : appendToContent(page, renderDetailsHtml(unseen));
};

/** A block of questions to fill in, for a page that answers none. */
export const askQuestionsEdit: PageEdit = ({ page }) =>
  page &&
  appendToContent(
    page,
    renderDetailsHtml([1, 2].map(() => ({ name: formatSlot('question'), answer: formatSlot('answer') }))),
  );

const withoutTags = (html: string): string => html.replace(/<[^<>]{0,500}>/g, ' ');

/** The way from the start of the site to the page, by addresses that the page links to. */
export const buildBreadcrumbEdit: PageEdit = ({ page, words }) => {
  if (!page) return undefined;
  const here = new URL(words.pageUrl);
  const segments = here.pathname.split('/').filter((part) => part !== '');
  const above = segments.slice(0, -1).map((_, index) => `${here.origin}/${segments.slice(0, index + 1).join('/')}`);
  const linked = above.flatMap((url) => {
    const anchor = page.anchors.find(({ href, text }) => href.replace(/\/$/, '') === url && text !== '');
    const name = cleanSiteText(anchor?.text ?? '', 100);
    return name === '' ? [] : [{ name, item: normaliseSafeUrl(anchor?.href ?? url) ?? url }];
  });
  const home = { name: getKnownOrSlot(words.name, 'name'), item: `${here.origin}/` };
  const last = { name: buildHeadline(words), item: words.pageUrl };
  const items = [home, ...linked, last].map((entry, index) => ({ '@type': 'ListItem', position: index + 1, ...entry }));
  return {
    jsonLd(model) {
      const [first] = findNodesByType(model, 'BreadcrumbList');
      if (first) changeNode(model, first, (node) => void (node['itemListElement'] = items));
      else model.added.push({ '@type': 'BreadcrumbList', itemListElement: items });
    },
  };
};
