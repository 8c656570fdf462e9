import { DAY_MS } from '../../../lib/time.ts';
import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { findShownDate, listStatedDates } from '../../text/facts/dates.ts';
import { createOwnerTest } from '../../reach/facts/urls.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { getMainText } from '../../text/facts/sample-text.ts';
import { classifyPage } from '../facts/kind.ts';
import type { Anchor, PageFacts } from '../facts/page-facts.ts';
import {
  listContentQuestions,
  listQuestionAnswers,
  hasCapsule,
  countMarkedQuestions,
} from '../../text/facts/questions.ts';
import type { ExchangeWithAnswer } from '../../reach/facts/site-files.ts';
import type { Exchange } from '../../core/snapshot.ts';

/** Checks of how well the page can be followed, dated and lifted into an answer. */
export const pageAnswerChecks = [
  defineCheck({
    id: 'aeo.answer.capsule',
    title: 'A short direct answer follows a question heading',
    failureTitle: 'Answer each question heading directly below it',
    weight: 2,
    grade: 'C',
    why: 'A passage that answers by itself can be lifted into a reply. Practitioners agree on this; no controlled test exists, and the guide of Google for AI answers says that no special phrasing is needed.',
    source:
      'aiseo-audit 1.6.2, answer capsules; agent-lighthouse 9.3; against it https://developers.google.com/search/docs/fundamentals/ai-optimization-guide',
    read: '2026-11-23',
    fix: 'Begin the text below each question heading with a paragraph of 40 to 60 words that answers it.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeCapsules,
  }),
  defineCheck({
    id: 'aeo.answer.faq',
    title: 'FAQ content where it fits',
    failureTitle: 'Answer the questions that users ask',
    weight: 1,
    grade: 'C',
    why: 'Models read visible questions and answers, not the markup about them; Google ended its rich results for FAQ pages in May 2026.',
    source:
      'agent-lighthouse 9.1; https://github.com/jdevalk/specification.website/issues/156 (end of FAQ rich results, May and June 2026)',
    read: '2026-11-23',
    fix: 'Add a section that shows real questions with their answers, and let the JSON-LD repeat the same text.',
    capabilities: ['check_schema'],
    needs: ['start', 'page', 'faqPage'],
    judge: judgeFaq,
  }),
  defineCheck({
    id: 'aeo.links.internal',
    title: 'Key pages are reachable by plain links',
    failureTitle: 'Link key pages with plain links',
    scores: ['aeo', 'agent'],
    weight: 2,
    grade: 'A',
    why: 'Crawlers and most agents follow a[href] and nothing else.',
    source: 'Google Search Central, crawlable links; Lighthouse crawlable-anchors',
    fix: 'Replace script navigation by <a href="..."> with a text that names the target.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeLinks,
  }),
  defineCheck({
    id: 'aeo.fresh.dates',
    title: 'Pages show when they were published or updated',
    failureTitle: 'Show the date of the page',
    weight: 2,
    grade: 'B',
    why: 'Freshness counts in ranking, and assistants prefer sources whose date they can tell.',
    source: 'Google Search Central, byline dates; agent-lighthouse 9.8 and 10.9',
    fix: 'Add <time datetime="..."> to the visible date and datePublished and dateModified to the JSON-LD.',
    needs: ['start', 'page', 'sample'],
    judge: ({ start, page, sample }, site) => judgeDates({ start, page, sample, clockMs: site.clockMs }),
  }),
];

function judgeCapsules({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const questions = listContentQuestions(page);
  if (questions.length === 0) return verdict.notApplicable('No heading of the main content asks a question.');
  const without = questions.filter((question) => !hasCapsule(page, question));
  const answered = questions.length - without.length;
  const note = `${answered} of ${questions.length} question headings are followed by a short direct answer.`;
  const evidence = (without.length > 0 ? without : questions)
    .slice(0, 5)
    .map(({ selector, text, line }) => buildEvidence(exchange, { selector, line, excerpt: text }));
  return verdict.byShare(answered / questions.length, { passAt: 0.5, partialAt: Number.MIN_VALUE }, note, evidence);
}

/** Kinds of pages whose visitors come with questions. */
const WITH_QUESTIONS = new Set(['product', 'docs', 'home', 'faq']);
const MIN_PAIRS = 2;

function judgeFaq({ start: { exchange }, page, faqPage }: FactsOf<'start' | 'page' | 'faqPage'>): CheckOutcome {
  const { marked, visible } = countMarkedQuestions(page);
  const kind = classifyPage(page, getMainText(page));
  if (marked > 0 && visible === 0) {
    return verdict.fail(
      `FAQ markup with ${marked} questions, none of which the page shows.`,
      buildEvidence(exchange, { selector: 'script[type="application/ld+json"]' }),
    );
  }
  if (marked === 0 && !WITH_QUESTIONS.has(kind.kind))
    return verdict.notApplicable(`Questions and answers are not expected here (${kind.kind}: ${kind.reason}).`);
  const own = listQuestionAnswers(page);
  const evidence = own.slice(0, 5).map(({ question, line }) => buildEvidence(exchange, { line, excerpt: question }));
  const count = Math.max(own.length, visible);
  if (count >= MIN_PAIRS)
    return verdict.pass(
      `${count} visible questions with answers.`,
      evidence.length > 0 ? evidence : buildEvidence(exchange),
    );
  const linked =
    faqPage === 'none' ? 0 : Math.max(listQuestionAnswers(faqPage).length, countMarkedQuestions(faqPage).visible);
  if (faqPage !== 'none' && linked >= MIN_PAIRS)
    return verdict.pass(`${linked} questions with answers on the linked FAQ page.`, { url: faqPage.url });
  return verdict.fail(
    `${formatCount(count, 'visible question')} with an answer on the page, and no FAQ page with more.`,
    buildEvidence(exchange),
  );
}

const ENOUGH_LINKS = 5;
/** So many entries of a menu that only a script follows hide pages. */
const MANY_SCRIPTED = 3;

/** Links to other pages of the same site, whatever its host, each address once; those without a text are counted apart. */
function judgeLinks({ start: { exchange, answer }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const here = answer.url.split('#')[0];
  const isOwn = createOwnerTest(answer.url);
  const internal = page.anchors.filter(
    ({ href }) => /^https?:/.test(href) && isOwn(href) && href.split('#')[0] !== here,
  );
  const countTargets = (links: readonly Anchor[]): number => new Set(links.map(({ href }) => href.split('#')[0])).size;
  const all = countTargets(internal);
  const named = countTargets(internal.filter(({ text }) => text !== ''));
  if (all === 0)
    return verdict.fail('No plain link to another page of the site.', buildEvidence(exchange, { selector: 'a[href]' }));
  const hidden = listScriptedEntries(page, internal);
  const [first] = hidden;
  if (first && hidden.length >= MANY_SCRIPTED && hidden.length > named) {
    const at = { selector: 'nav a, header a', line: first.line, excerpt: first.text };
    return verdict.partial(
      0.5,
      `${formatCount(named, 'named link')} to pages of the site; ${hidden.length} entries of the menu are followed by a script only.`,
      buildEvidence(exchange, at),
    );
  }
  const note = `Links to ${formatCount(all, 'page')} of the site, ${named} of them with a text.`;
  const evidence = buildEvidence(exchange, { selector: 'a[href]' });
  return named >= ENOUGH_LINKS ? verdict.pass(note, evidence) : verdict.partial(0.5, note, evidence);
}

type Entry = Pick<Anchor, 'text' | 'line' | 'region'>;

/** Entries of menus that only a script follows, and that no plain link names. */
function listScriptedEntries(page: PageFacts, plain: readonly Anchor[]): readonly Entry[] {
  const named = new Set(plain.map(({ text }) => text.toLowerCase()));
  const entries: readonly Entry[] = [
    ...page.anchors.filter(({ rawHref }) => /^\s{0,9}(?:javascript:|#?$)/i.test(rawHref)),
    // An `a` without an address that has a handler.
    ...page.clickables.filter(({ tag, role, hidden }) => tag === 'a' && role !== 'button' && hidden === undefined),
  ];
  return entries.filter(
    ({ region, text }) => (region === 'nav' || region === 'header') && text !== '' && !named.has(text.toLowerCase()),
  );
}

/** A page with fewer words than this has nothing to date, unless it is an article. */
const CONTENT_WORDS = 100;
/** Kinds of pages that stay as they are, or that have no date of their own. */
const UNDATED_KINDS: ReadonlySet<string> = new Set([
  'product',
  'listing',
  'home',
  'login',
  'contact',
  'checkout',
  'unknown',
]);

type DateCase = { start: ExchangeWithAnswer; page: PageFacts; sample: readonly Exchange[]; clockMs: number };
type Dated = { exchange: Exchange; value: number; excerpt: string };

function judgeDates({ start, page, sample, clockMs }: DateCase): CheckOutcome {
  const others = sample.flatMap((exchange) => {
    const { answer } = exchange;
    return answer.ok && answer.status === 200 && isHtmlAnswer(answer) ? [{ exchange, page: getPageFacts(answer) }] : [];
  });
  const content = [{ exchange: start.exchange, page }, ...others].filter((one) => isDatable(one.page));
  if (content.length === 0 && sample.some(({ answer }) => !answer.ok))
    return verdict.unknown('No sampled page with content could be read.');
  if (content.length === 0) return verdict.notApplicable('No page whose content needs a date.');
  const dated = content.map((one) => findPageDate(one.exchange, one.page, clockMs));
  const share = dated.reduce((sum, { value }) => sum + value, 0) / dated.length;
  const note = `${dated.filter(({ value }) => value === 1).length} of ${dated.length} content pages state a date that machines can read.`;
  const evidence = dated.map(({ exchange, excerpt }) => buildEvidence(exchange, { excerpt }));
  return verdict.byShare(share, { passAt: 0.8, partialAt: Number.MIN_VALUE }, note, evidence);
}

function isDatable(page: PageFacts): boolean {
  const { kind } = classifyPage(page, getMainText(page));
  if (page.words < CONTENT_WORDS && kind !== 'article') return false;
  return !UNDATED_KINDS.has(kind) && (kind !== 'docs' || listStatedDates(page).length > 0);
}

/** A date in the future is none; one in words only, and the Last-Modified header, which says when a file changed, are half a date. */
function findPageDate(exchange: Exchange, page: PageFacts, clockMs: number): Dated {
  const dates = listStatedDates(page);
  const latest = clockMs + DAY_MS;
  const past = dates.find(({ ms }) => ms <= latest);
  if (past) return { exchange, value: 1, excerpt: `${past.from}: ${past.text}` };
  const shown = findShownDate(page);
  if (shown && shown.ms <= latest) return { exchange, value: 0.5, excerpt: `shown as text only: ${shown.text}` };
  const modified = exchange.answer.ok ? Date.parse(exchange.answer.headers['last-modified'] ?? '') : Number.NaN;
  if (modified <= latest) return { exchange, value: 0.5, excerpt: 'only a Last-Modified header' };
  return { exchange, value: 0, excerpt: dates[0] ? `in the future: ${dates[0].text}` : 'no date' };
}
