import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { getRegistrableDomain } from '../../../net/registrable-domain.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { readExistence } from '../../reach/facts/existence.ts';
import type { JsonLd } from '../../structured-data/facts/json-ld.ts';
import { findQuotations } from '../../text/facts/quotations.ts';
import { isKnownLicence } from '../facts/stated-links.ts';
import type { Anchor, PageFacts } from '../../page/facts/page-facts.ts';
import { EDITORIAL_UNSPACED, EDITORIAL_WORDS, REVIEW_DOMAINS, REVIEW_URLS } from '../facts/publisher-words-data.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';
import {
  hasValue,
  listPropertyNodes,
  listNodesOfType,
  type SchemaNode,
  listPropertyTexts,
  listPropertyValues,
} from '../../structured-data/facts/schema-nodes.ts';
import type { Site } from '../../core/site.ts';

const SHOWN = 3;

/** Checks of promises that others can look up: rules of editing, reviews, the licence. */
export const trustChecks = [
  defineCheck({
    id: 'geo.trust.editorial',
    title: 'An editorial or corrections policy is stated',
    failureTitle: 'State an editorial or corrections policy',
    weight: 0,
    grade: 'C',
    why: 'A newsroom that says how it edits and corrects can be held to it. Reported for news only, and not scored.',
    source: 'https://schema.org/publishingPrinciples; https://schema.org/correctionsPolicy',
    fix: 'Publish the rules by which you edit and correct, link them in the footer, and name them in publishingPrinciples.',
    needs: ['start', 'page', 'jsonLd'],
    judge: judgeEditorial,
  }),
  defineCheck({
    id: 'geo.trust.reviews',
    title: 'Independent review signals',
    failureTitle: 'Link independent reviews',
    weight: 0,
    grade: 'B',
    why: 'What others say under their own name, or on a site that the reviewed cannot edit, weighs more than what one says of oneself. Reported, not scored.',
    source:
      'https://developers.google.com/search/docs/appearance/structured-data/review-snippet; agent-lighthouse 10.8',
    fix: 'Link your profile on a review platform, or quote customers with their names and their consent.',
    needs: ['start', 'page', 'jsonLd', 'textEvidence'],
    judge: judgeReviews,
  }),
  defineCheck({
    id: 'geo.trust.license',
    title: 'The stated reuse licence holds',
    failureTitle: 'Correct the stated reuse licence',
    weight: 1,
    grade: 'C',
    why: 'No site has to state a licence, so its absence is not judged. One that is stated and leads nowhere leaves a careful reader with less than none. Machine-readable terms (RSL) are judged by agent.prefs.rsl.',
    source: 'https://html.spec.whatwg.org/multipage/links.html#link-type-license; https://schema.org/license',
    fix: 'Correct the licence link, or use the address of a public licence such as https://creativecommons.org/licenses/by/4.0/.',
    needs: ['start', 'licence'],
    judge: judgeLicence,
  }),
];

const POLICIES = [
  'publishingPrinciples',
  'correctionsPolicy',
  'ethicsPolicy',
  'verificationFactCheckingPolicy',
  'unnamedSourcesPolicy',
  'actionableFeedbackPolicy',
] as const;
const NEWS_PATH = /\/(?:news|nachrichten|actualites|noticias|notizie|nieuws|novosti)(?:\/|$)/i;
const EDITORIAL = new RegExp(`(?<!\\p{L})(?:${EDITORIAL_WORDS})(?!\\p{L})|${EDITORIAL_UNSPACED}`, 'iu');
const MAX_LINK_CHARS = 80;

function judgeEditorial({
  start,
  page,
  jsonLd: { graph },
}: Omit<FactsOf<'start' | 'page' | 'jsonLd' | 'textEvidence'>, 'textEvidence'>): CheckOutcome {
  if (!isNews(page, graph)) return verdict.notApplicable('Not news, by its structured data and its path.');
  const stated = ['Organization', 'CreativeWork']
    .flatMap((type) => listNodesOfType(graph, type))
    .flatMap((node) =>
      POLICIES.filter((name) => hasValue(graph, node, name)).map((name) => ({ name, line: node.line })),
    );
  const [first] = stated;
  if (first)
    return verdict.pass(
      'Structured data names a policy.',
      buildEvidence(start.exchange, { line: first.line, selector: first.name }),
    );
  const link = page.anchors.find(({ text }) => text.length <= MAX_LINK_CHARS && EDITORIAL.test(text));
  if (link)
    return verdict.pass(
      'A link leads to a policy.',
      buildEvidence(start.exchange, { line: link.line, excerpt: link.text }),
    );
  return verdict.fail(
    'No editorial or corrections policy in structured data or in a link.',
    buildEvidence(start.exchange),
  );
}

const isNews = (page: PageFacts, graph: JsonLd['graph']): boolean =>
  ['NewsArticle', 'NewsMediaOrganization'].some((type) => listNodesOfType(graph, type).length > 0) ||
  NEWS_PATH.test(new URL(page.url).pathname);

const WITHOUT_REVIEWS: ReadonlySet<string> = new Set(['docs', 'article', 'login', 'checkout', 'contact', 'listing']);
const PLATFORMS = new Set(REVIEW_DOMAINS.split(' '));

function judgeReviews(
  { start, page, jsonLd, textEvidence }: FactsOf<'start' | 'page' | 'jsonLd' | 'textEvidence'>,
  site: Site,
): CheckOutcome {
  const { kind } = textEvidence;
  if (
    WITHOUT_REVIEWS.has(kind.kind) ||
    ['docs', 'api', 'mcp'].includes(site.profile.name) ||
    isNews(page, jsonLd.graph)
  )
    return verdict.notApplicable('Documentation, news and forms are not reviewed.');
  const links = page.anchors.filter(isPlatform);
  const [link] = links;
  if (link)
    return verdict.pass(
      `${formatCount(links.length, 'link')} to a review platform.`,
      buildEvidence(start.exchange, { line: link.line, excerpt: link.href }),
    );
  const reviews = listNodesOfType(jsonLd.graph, 'Review').filter((node) =>
    isVisibleReview(jsonLd.graph, node, page.text),
  );
  // Buyers are quoted beside the main content too.
  const named = findQuotations(page.text, page).filter(({ attributed }) => attributed);
  const texts = [...named.map(({ text }) => text), ...reviews.map(() => 'Review')];
  const evidence = texts.slice(0, SHOWN).map((excerpt) => buildEvidence(start.exchange, { excerpt }));
  if (texts.length > 0)
    return verdict.pass(
      `${formatCount(named.length, 'quotation')} with a name, ${formatCount(reviews.length, 'review')} in structured data that the page shows.`,
      evidence,
    );
  return verdict.fail(
    'On this page no link to a review platform that we know and no quotation with a name.',
    buildEvidence(start.exchange),
  );
}

const isPlatform = ({ href, hidden }: Anchor): boolean =>
  /^https?:/.test(href) &&
  hidden === undefined &&
  (PLATFORMS.has(getRegistrableDomain(new URL(href).hostname)) || REVIEW_URLS.some((pattern) => pattern.test(href)));

/** Characters of a review that must appear in the visible text. */
const REVIEW_CHARS = 60;

function isVisibleReview(graph: JsonLd['graph'], node: SchemaNode, text: string): boolean {
  const body = (listPropertyTexts(graph, node, 'reviewBody')[0] ?? '').slice(0, REVIEW_CHARS);
  const authors = listPropertyNodes(graph, node, 'author').flatMap((author) =>
    listPropertyTexts(graph, author, 'name'),
  );
  const signed =
    authors.length > 0 ||
    listPropertyValues(graph, node, 'author').some((value) => typeof value === 'string' && value !== '');
  return body !== '' && signed && text.includes(body);
}

function judgeLicence({ start, licence: facts }: FactsOf<'start' | 'licence'>, site: Site): CheckOutcome {
  if (facts === 'none') return verdict.notApplicable('The page states no licence, and none is required.');
  const { link: licence, exchange, control } = facts;
  const at = buildEvidence(start.exchange, { selector: licence.from, line: licence.line, excerpt: licence.text });
  if (licence.url === '')
    return verdict.partial(0.5, 'A licence is named in words, without an address that says what it allows.', at);
  if (isKnownLicence(licence.url)) return verdict.pass('The address is that of a public licence.', at);
  const own = isSameOwner(new URL(licence.url), new URL(start.answer.url));
  if (!exchange && site.local && !own)
    return verdict.notApplicable('A licence on another site is not asked from a private host.');
  if (!exchange) return verdict.unknown('The licence was not asked: the budget of requests was used up.', at);
  const { answer } = exchange;
  if (!answer.ok || [401, 403, 429, 999].includes(answer.status) || answer.status >= 500)
    return verdict.unknown('The address of the licence gave us no answer to judge.', buildEvidence(exchange));
  if (answer.status >= 400)
    return verdict.fail(`The address of the licence answers ${answer.status}.`, [buildEvidence(exchange), at]);
  if (own && readExistence(exchange, control, 'any').state === 'absent')
    return verdict.fail('The site answers so for any path: there is no licence.', [buildEvidence(exchange), at]);
  return verdict.pass('The address of the licence answers.', [buildEvidence(exchange), at]);
}
