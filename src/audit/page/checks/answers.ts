import { formatPercent } from '../../../lib/numbers.ts';
import { DAY_MS } from '../../../lib/time.ts';
import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { listStatedDates } from '../../text/facts/dates.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { getMainText } from '../../text/facts/sample-text.ts';
import { classifyPage } from '../facts/kind.ts';
import type { PageFacts } from '../facts/page-facts.ts';
import { listQuestionAnswers, hasCapsule, countMarkedQuestions } from '../../text/facts/questions.ts';
import type { ExchangeWithAnswer } from '../../reach/facts/site-files.ts';
import type { Exchange } from '../../core/snapshot.ts';

/** Checks of how well the page can be followed, dated and lifted into an answer. */
export const pageAnswerChecks = [
  defineCheck({
    id: 'aeo.answer.capsule',
    title: 'A short direct answer follows a question heading',
    failureTitle: 'Question headings are not answered at once',
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
    failureTitle: 'Questions of users are not answered',
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
    failureTitle: 'Key pages cannot be reached by plain links',
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
    failureTitle: 'The page does not show its date',
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
  const questions = page.headings.filter((heading) => heading.question && heading.hidden === undefined);
  if (questions.length === 0) return verdict.notApplicable('No heading of the page asks a question.');
  const without = questions.filter((heading) => !hasCapsule(page, heading));
  const answered = questions.length - without.length;
  const note = `${answered} of ${questions.length} question headings are followed by a short direct answer.`;
  const evidence = (without.length > 0 ? without : questions)
    .slice(0, 5)
    .map(({ level, text, line }) => buildEvidence(exchange, { selector: `h${level}`, line, excerpt: text }));
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

function judgeLinks({ start: { exchange, answer }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const { host } = new URL(answer.url);
  const here = answer.url.split('#')[0];
  const internal = page.anchors.filter(
    ({ href }) => /^https?:/.test(href) && new URL(href).host === host && href.split('#')[0] !== here,
  );
  const distinct = new Set(internal.map(({ href }) => href.split('#')[0]));
  const scripted = page.anchors.filter(({ rawHref }) => /^\s{0,9}javascript:/i.test(rawHref));
  if (distinct.size === 0)
    return verdict.fail('No plain link to another page of the site.', buildEvidence(exchange, { selector: 'a[href]' }));
  const named = internal.filter(({ text }) => text !== '').length / internal.length;
  const first = scripted[0];
  if (first) {
    const at = { selector: 'a[href^="javascript:"]', line: first.line, excerpt: first.rawHref };
    return verdict.partial(
      0.5,
      `${distinct.size} internal links, and ${scripted.length} that only a script follows.`,
      buildEvidence(exchange, at),
    );
  }
  const note = `${distinct.size} internal links, ${formatPercent(named)} of them with a text.`;
  if (distinct.size >= ENOUGH_LINKS && named >= 0.8)
    return verdict.pass(note, buildEvidence(exchange, { selector: 'a[href]' }));
  return verdict.partial(0.5, note, buildEvidence(exchange, { selector: 'a[href]' }));
}

/** A page with fewer words than this has nothing to date. */
const CONTENT_WORDS = 100;

type DateCase = { start: ExchangeWithAnswer; page: PageFacts; sample: readonly Exchange[]; clockMs: number };
type Dated = { exchange: Exchange; value: number; excerpt: string };

function judgeDates({ start, page, sample, clockMs }: DateCase): CheckOutcome {
  const others = sample.flatMap((exchange) => {
    const { answer } = exchange;
    return answer.ok && answer.status === 200 && isHtmlAnswer(answer) ? [{ exchange, page: getPageFacts(answer) }] : [];
  });
  const content = [{ exchange: start.exchange, page }, ...others].filter((one) => one.page.words >= CONTENT_WORDS);
  if (content.length === 0 && sample.some(({ answer }) => !answer.ok))
    return verdict.unknown('No sampled page with content could be read.');
  if (content.length === 0) return verdict.notApplicable('No page with content to date.');
  const dated = content.map((one) => findPageDate(one.exchange, one.page, clockMs));
  const share = dated.reduce((sum, { value }) => sum + value, 0) / dated.length;
  const note = `${dated.filter(({ value }) => value === 1).length} of ${dated.length} content pages state a date that machines can read.`;
  const evidence = dated.map(({ exchange, excerpt }) => buildEvidence(exchange, { excerpt }));
  return verdict.byShare(share, { passAt: 0.8, partialAt: Number.MIN_VALUE }, note, evidence);
}

/** A date in the future is none; the Last-Modified header says when a file changed, which is half a date. */
function findPageDate(exchange: Exchange, page: PageFacts, clockMs: number): Dated {
  const dates = listStatedDates(page);
  const past = dates.find(({ ms }) => ms <= clockMs + DAY_MS);
  if (past) return { exchange, value: 1, excerpt: `${past.from}: ${past.text}` };
  const modified = exchange.answer.ok ? Date.parse(exchange.answer.headers['last-modified'] ?? '') : Number.NaN;
  if (modified <= clockMs + DAY_MS) return { exchange, value: 0.5, excerpt: 'only a Last-Modified header' };
  return { exchange, value: 0, excerpt: dates[0] ? `in the future: ${dates[0].text}` : 'no date' };
}
