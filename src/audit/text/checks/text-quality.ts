import { type CheckOutcome, defineCheck, type FactsOf, formatCount, formatShare, verdict } from '../../core/check.ts';
import { hasSummaryOpening, isSummaryHeading, isSummaryId, LONG_SENTENCE_WORDS } from '../facts/text-evidence.ts';
import { hasArticleInState } from '../../page/facts/unrendered.ts';
import type { Heading, PageFacts } from '../../page/facts/page-facts.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { sum } from '../../../lib/numbers.ts';
import { computeFleschScore } from '../../language/flesch.ts';
import { getPageLanguage } from '../../page/facts/language.ts';
import { findPlaceholders } from '../facts/placeholders.ts';
import { getContentParagraphs, isContent } from '../facts/content.ts';
import type { Site } from '../../core/site.ts';

const MIN_SENTENCES = 10;
const MEDIAN_WORDS = { from: 10, to: 24 };
const MAX_LONG_SHARE = 0.1;
const DEEP_WORDS = 300;
const THIN_WORDS = 120;
/** A page with fewer visible words has no article to extract. */
const MIN_VISIBLE_WORDS = 60;

/** The formula was made for samples of a hundred words. */
const MIN_EASE_WORDS = 100;
const EASE = { pass: 50, partial: 30 };

const MIN_SUMMARY_WORDS = 600;
const LEAD_WORDS = { from: 15, to: 60 };
const SHOWN = 5;

/** Checks of whether a hurried reader understands the text: plain, finished, and summed up. */
export const textQualityChecks = [
  defineCheck({
    id: 'geo.text.fluency',
    title: 'Sentences are of readable length',
    failureTitle: 'Write sentences of readable length',
    weight: 2,
    grade: 'A',
    why: 'Rewriting for fluency raised visibility from 19.3 to 24.7 in the controlled experiment.',
    source:
      'Aggarwal et al., KDD 2024, https://arxiv.org/abs/2311.09735, Table 1: Fluency Optimization 24.7 (baseline 19.3)',
    fix: 'Split the sentences shown; aim at 10 to 24 words, and keep those over 40 to one in ten.',
    each: 'share',
    needs: ['start', 'textEvidence'],
    judge: judgeFluency,
  }),
  defineCheck({
    id: 'geo.text.depth',
    title: 'Enough content to be cited',
    failureTitle: 'Write enough content to be cited',
    weight: 2,
    grade: 'B',
    why: 'A page with next to no text has nothing to cite; beyond a few hundred words, more length was not found to help.',
    source: 'Ahrefs, study of AI citations and word count (rank correlation 0.04 beyond a minimum)',
    fix: 'Add the facts that a reader misses (what, for whom, how much, since when), not filler.',
    each: 'share',
    needs: ['start', 'textEvidence'],
    judge: judgeDepth,
  }),
  defineCheck({
    id: 'geo.text.main-extractable',
    title: 'A main-content extractor finds the article',
    failureTitle: 'Mark up the article so that extractors find it',
    weight: 2,
    grade: 'B',
    why: 'Retrieval pipelines strip menus and footers before they index; what their extractor misses is not there for the model.',
    source:
      'https://github.com/mozilla/readability and the evaluation of https://github.com/adbar/trafilatura (extractors in use)',
    fix: 'Put the content, with its h1, into one main element, and navigation, related links and consent texts outside it.',
    each: 'share',
    needs: ['start', 'page', 'textEvidence'],
    judge: judgeExtraction,
  }),
  defineCheck({
    id: 'geo.text.easy',
    title: 'Text is plain',
    failureTitle: 'Make the text easier to read',
    weight: 1,
    grade: 'B',
    why: 'Easier wording raised visibility from 19.3 to 22.0 in the controlled experiment. The formula holds for English only, so other languages are not judged.',
    source:
      'Aggarwal et al., GEO: Generative Engine Optimization, KDD 2024, https://arxiv.org/abs/2311.09735, Table 1: Easy-to-Understand 22.0 (baseline 19.3); Flesch, Journal of Applied Psychology 32(3), 1948',
    fix: 'Shorten the sentences shown and replace long words by short ones; a Flesch reading ease of 50 or more is plain English.',
    each: 'share',
    needs: ['start', 'page', 'textEvidence'],
    judge: judgeEase,
  }),
  defineCheck({
    id: 'geo.text.no-placeholder',
    title: 'No placeholder text',
    failureTitle: 'Replace placeholder text',
    weight: 1,
    grade: 'B',
    why: 'A page that says "lorem ipsum" or shows a template variable is not finished, and a quotation of it harms anyone who quotes it.',
    source:
      'Own rule: literal leftovers of templates and editors in the visible text, outside code, and slots of our own files anywhere in the page',
    fix: 'Replace the strings shown with the real text.',
    each: 'share',
    needs: ['start', 'page', 'textEvidence'],
    judge: judgePlaceholders,
  }),
  defineCheck({
    id: 'geo.text.summary',
    title: 'A summary or a short lead exists',
    failureTitle: 'Add a summary or a short lead',
    weight: 1,
    grade: 'C',
    why: 'A few sentences that say it all are the passage that is easiest to lift out of a long page.',
    source: 'aiseo-audit 1.6.2, summary detection',
    fix: 'Begin with a lead of at most 60 words, or add three key points under a heading such as "Key takeaways".',
    each: 'share',
    needs: ['start', 'page', 'textEvidence'],
    judge: judgeSummary,
  }),
];

function judgeFluency({ start, textEvidence }: FactsOf<'start' | 'textEvidence'>): CheckOutcome {
  const { count, medianWords, longShare, longest } = textEvidence.fluency;
  if (count < MIN_SENTENCES)
    return verdict.notApplicable(`${count} sentences; at least ${MIN_SENTENCES} are needed to judge.`);
  const note = `Median sentence ${medianWords} words; ${formatShare(longShare)} of ${count} have more than ${LONG_SENTENCE_WORDS}.`;
  const evidence =
    longest.length > 0
      ? longest.map((excerpt) => buildEvidence(start.exchange, { excerpt }))
      : buildEvidence(start.exchange);
  const median = medianWords >= MEDIAN_WORDS.from && medianWords <= MEDIAN_WORDS.to;
  const short = longShare <= MAX_LONG_SHARE;
  if (median && short) return verdict.pass(note, evidence);
  return median || short ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

const THIN_KINDS: ReadonlySet<string> = new Set(['contact', 'login', 'checkout', 'listing']);

function judgeDepth({ start, textEvidence }: FactsOf<'start' | 'textEvidence'>): CheckOutcome {
  const { kind, main } = textEvidence;
  if (THIN_KINDS.has(kind.kind)) return verdict.notApplicable(`A ${kind.kind} page (${kind.reason}) may be short.`);
  const note = `${main.words} words of main text.`;
  const evidence = buildEvidence(start.exchange, {
    selector: main.from === 'landmark' ? 'main, article' : 'main content, found by its text',
  });
  if (main.words >= DEEP_WORDS) return verdict.pass(note, evidence);
  return main.words >= THIN_WORDS
    ? verdict.partial(0.5, `${note} ${DEEP_WORDS} are enough.`, evidence)
    : verdict.fail(note, evidence);
}

function judgeExtraction({ start, page, textEvidence }: FactsOf<'start' | 'textEvidence' | 'page'>): CheckOutcome {
  if (page.words < MIN_VISIBLE_WORDS)
    return verdict.notApplicable(`The page shows ${page.words} words: there is nothing to extract.`);
  const { main } = textEvidence;
  const share = Math.min(1, main.text.length / page.text.length);
  const place = main.from === 'landmark' ? 'inside main or article' : 'recognised by its text alone';
  const note = `The main content (${place}) has ${formatCount(main.words, 'word')}, ${formatShare(share)} of the visible text.`;
  const evidence = buildEvidence(start.exchange, { selector: 'main, article, h1' });
  if (main.words < MIN_MAIN_WORDS) return verdict.fail(note, evidence);
  if (hasArticleInState(page)) return verdict.partial(0.5, `${note} The rest is data for a script.`, evidence);
  if (!page.headings.some(isHeadline)) return verdict.partial(0.5, `${note} No headline names it.`, evidence);
  if (main.from === 'scored' && main.words < FEW_MAIN_WORDS && share < FEW_SHARE)
    return verdict.partial(0.5, `${note} Nothing in its markup sets so few words apart.`, evidence);
  const outside = page.headlineOutside;
  if (outside)
    return verdict.partial(
      0.5,
      `${note} Its headline is outside that element.`,
      buildEvidence(start.exchange, { selector: 'h1', line: outside.line, excerpt: outside.text }),
    );
  return (page.elements['main'] ?? 0) > 0 && main.from === 'scored' && isBesideMain(page)
    ? verdict.partial(0.5, `${note} The main element holds something else.`, evidence)
    : verdict.pass(note, evidence);
}

/** With fewer words there is nothing to keep apart from the rest of the page. */
const MIN_MAIN_WORDS = 20;

/** Extractors that go by text alone expect 500 characters; fewer beside more other text may be anything. */
const FEW_MAIN_WORDS = 80;
const FEW_SHARE = 0.5;

/** Paragraphs of the content with a smaller share inside the main element are beside it. */
const BESIDE_SHARE = 0.1;

function isBesideMain({ paragraphs }: PageFacts): boolean {
  const content = paragraphs.filter(({ inContent }) => inContent);
  const inMain = content.filter(({ region }) => region === 'main');
  return sum(inMain.map(({ words }) => words)) < BESIDE_SHARE * sum(content.map(({ words }) => words));
}

/** A heading outside of menus and footers. */
const isHeadline = ({ text, region, hidden }: Heading): boolean =>
  text !== '' && region !== 'nav' && region !== 'footer' && (hidden === undefined || hidden === 'aria-hidden');

function judgeEase({ start, page, textEvidence }: FactsOf<'start' | 'page' | 'textEvidence'>): CheckOutcome {
  const language = getPageLanguage(page);
  if (language !== 'en')
    return verdict.notApplicable(`The text is not English (${language}), for which the formula was made.`);
  const { ease, words, sentences, hardest } = computeFleschScore(textEvidence.main);
  if (words < MIN_EASE_WORDS)
    return verdict.notApplicable(`${formatCount(words, 'word')} in sentences; at least ${MIN_EASE_WORDS} are needed.`);
  const note = `Flesch reading ease ${ease} over ${formatCount(sentences, 'sentence')}; ${EASE.pass} or more is plain.`;
  const evidence =
    hardest.length > 0
      ? hardest.map((excerpt) => buildEvidence(start.exchange, { excerpt }))
      : buildEvidence(start.exchange);
  if (ease >= EASE.pass) return verdict.pass(note, evidence);
  return ease >= EASE.partial ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

const DOCUMENTATION: ReadonlySet<string> = new Set(['docs', 'api', 'mcp']);

function judgePlaceholders(
  { start, page, textEvidence }: FactsOf<'start' | 'page' | 'textEvidence'>,
  site: Site,
): CheckOutcome {
  const documentation = textEvidence.kind.kind === 'docs' || DOCUMENTATION.has(site.profile.name);
  const open = page.slots.map(({ text, line }) => ({ excerpt: text, line }));
  const visible = findPlaceholders(page, start.answer.body, { documentation });
  const found = [...open, ...visible.map(({ text }) => ({ excerpt: text, line: undefined }))];
  if (found.length > 0) {
    const kinds = [
      ...(open.length > 0 ? ['a fact that is still to be filled in'] : []),
      ...new Set(visible.map(({ what }) => what)),
    ];
    const evidence = found
      .slice(0, SHOWN)
      .map(({ excerpt, line }) => buildEvidence(start.exchange, { excerpt, ...(line === undefined ? {} : { line }) }));
    return verdict.fail(`${formatCount(found.length, 'placeholder')} in the page: ${kinds.join(', ')}.`, evidence);
  }
  if (page.words < MIN_VISIBLE_WORDS)
    return verdict.notApplicable(`The page shows ${formatCount(page.words, 'word')}.`);
  return verdict.pass(
    'No filler text, template variable or missing value that we know in the visible text.',
    buildEvidence(start.exchange),
  );
}

function judgeSummary({ start, page, textEvidence }: FactsOf<'start' | 'page' | 'textEvidence'>): CheckOutcome {
  const { main } = textEvidence;
  if (main.words < MIN_SUMMARY_WORDS)
    return verdict.notApplicable(
      `The main text has ${formatCount(main.words, 'word')}; a short text is its own summary.`,
    );
  const found = findNamedSummary(page) ?? findLead(page);
  if (!found)
    return verdict.fail(
      'No heading, label or id names a summary, and no short paragraph leads in.',
      buildEvidence(start.exchange),
    );
  return verdict.pass(
    found.note,
    buildEvidence(start.exchange, { selector: found.selector, line: found.line, excerpt: found.text }),
  );
}

type SummaryFinding = { note: string; selector: string; line: number; text: string };

function findNamedSummary(page: PageFacts): SummaryFinding | undefined {
  const heading = page.headings.find((one) => one.hidden === undefined && isSummaryHeading(one.text));
  if (heading) return { note: 'A heading announces a summary.', selector: `h${heading.level}`, ...heading };
  const details = page.details.find((one) => one.hidden === undefined && isSummaryHeading(one.summary));
  if (details)
    return {
      note: 'A disclosure announces a summary.',
      selector: 'summary',
      line: details.line,
      text: details.summary,
    };
  const paragraph = getContentParagraphs(page).find(({ text }) => hasSummaryOpening(text));
  if (paragraph) return { note: 'A paragraph calls itself a summary.', selector: 'p', ...paragraph };
  const labelled = page.aria.find(({ attributes }) => isSummaryHeading(attributes['aria-label'] ?? ''));
  if (labelled)
    return {
      note: 'A label announces a summary.',
      selector: `${labelled.tag}[aria-label]`,
      line: labelled.line,
      text: labelled.attributes['aria-label'] ?? '',
    };
  const id = page.ids.find(isSummaryId);
  return id === undefined
    ? undefined
    : { note: 'The id of an element names a summary.', selector: '[id]', line: 1, text: id };
}

/** The first paragraph of the content, when it is short enough to be taken whole and long enough to say something. */
function findLead(page: PageFacts): SummaryFinding | undefined {
  const first = page.paragraphs.find((paragraph) => paragraph.words >= LEAD_WORDS.from && isContent(page, paragraph));
  if (!first || first.words > LEAD_WORDS.to) return undefined;
  return {
    note: `The text begins with a lead of ${first.words} words.`,
    selector: 'p',
    line: first.line,
    text: first.text,
  };
}
