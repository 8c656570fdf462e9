import { type CheckOutcome, defineCheck, type FactsOf, formatCount, formatShare, verdict } from '../../core/check.ts';
import { buildEvidence, type CheckEvidence } from '../../core/evidence.ts';
import { type ContentSection, getContentParagraphs, getContentSections, listContentLists } from '../facts/content.ts';
import { getPageLanguage } from '../../page/facts/language.ts';
import type { ExchangeWithAnswer, SamplePage } from '../../reach/facts/site-files.ts';
import { hasDanglingOpening } from '../facts/text-evidence.ts';
import { comparePassages, computeTopicCoherence, selectDistinctPages } from '../facts/sample-text.ts';
import type { Exchange } from '../../core/snapshot.ts';

/** A page with fewer visible words has no text whose share could be weighed. */
const MIN_VISIBLE_WORDS = 60;
const RATIO = { pass: 0.1, partial: 0.03 };
const MIN_PARAGRAPHS = 3;
const LONG_PARAGRAPH_WORDS = 150;
const MEDIAN_WORDS = { from: 20, to: 90 };
const MAX_VIOLATIONS = 2;
const MIN_SECTIONS = 3;
const SECTION_WORDS = { from: 80, to: 350 };
const SECTION_SHARE = { passAt: 0.6, partialAt: 0.3 };
const DANGLING_SHARE = { pass: 0.1, partial: 0.3 };
const SHOWN = 3;

const MIN_PAGES = 3;
const REPEATED_SHARE = { pass: 0.1, partial: 0.3 };

/**
 * Checks of how the text is cut up: what a retriever takes out of a page is a passage, not the page. The last ones compare
 * the texts of the sampled pages.
 */
export const textShapeChecks = [
  defineCheck({
    id: 'geo.text.ratio',
    title: 'Text is not drowned in markup',
    failureTitle: 'Reduce the markup around the text',
    weight: 1,
    grade: 'C',
    why: 'A reader that takes the HTML as it is pays for every character of markup and may stop before the text ends. Of 1,343 measured pages 39 % have a tenth of text or more.',
    source: 'a14y 0.2.0, html.text-ratio; quartiles .045, .079 and .136 measured on saved pages',
    fix: 'Move inline state, style sheets and SVG drawings into files of their own.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeRatio,
  }),
  defineCheck({
    id: 'geo.text.paragraph-size',
    title: 'Paragraphs are passage sized',
    failureTitle: 'Split long paragraphs',
    weight: 1,
    grade: 'C',
    why: 'Retrieval cuts a page into passages: a paragraph that is too long is cut in the middle of a thought. The bounds are a convention; 85 % of measured pages keep the upper one. The guide of Google for AI answers says that no page needs to be cut into passages.',
    source:
      'aiseo-audit 1.6.2, paragraph structure; practice of splitting documents into passages for retrieval; against it https://developers.google.com/search/docs/fundamentals/ai-optimization-guide',
    read: '2026-11-23',
    fix: 'Split the paragraphs shown, one thought each; join lines of a few words to the text they belong to.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeParagraphs,
  }),
  defineCheck({
    id: 'geo.text.section-size',
    title: 'Sections are 80 to 350 words long',
    failureTitle: 'Make sections 80 to 350 words long',
    weight: 1,
    grade: 'C',
    why: 'A section of this length fits one passage with its heading. The range is a convention of tools, not a measurement, and the guide of Google for AI answers knows no ideal length. A short answer below a question heading counts as in range: aeo.answer.capsule asks for it.',
    source:
      'aiseo-audit 1.6.2, section length; against it https://developers.google.com/search/docs/fundamentals/ai-optimization-guide',
    read: '2026-11-23',
    fix: 'Add subheadings to the long sections, and join the short ones.',
    each: 'share',
    needs: ['start', 'page', 'textEvidence'],
    judge: judgeSections,
  }),
  defineCheck({
    id: 'geo.text.self-contained',
    title: 'Sections do not open with a dangling pronoun',
    failureTitle: 'Name the subject at the start of each section',
    weight: 1,
    grade: 'C',
    why: 'A section that is lifted out loses what "it" or "this" in its first sentence referred to. "This lamp" names its subject and is no fault.',
    source:
      'agent-lighthouse, proposed audit chunk-boundary-referent-integrity; against it https://developers.google.com/search/docs/fundamentals/ai-optimization-guide',
    read: '2026-11-23',
    fix: 'Name the subject in the first sentence of the sections shown.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeOpenings,
  }),
  defineCheck({
    id: 'geo.text.lists',
    title: 'Enumerations use lists',
    failureTitle: 'Turn enumerations into lists',
    weight: 1,
    grade: 'C',
    why: 'Items of a list can be taken out one by one; a run of commas has to be understood first. Half of the measured pages have a list.',
    source: 'aiseo-audit 1.6.2, list usage; agent-lighthouse 6.8',
    fix: 'Turn the steps, parts or options of the text into a ul or ol element of three or more items.',
    each: 'share',
    needs: ['start', 'page', 'textEvidence'],
    judge: judgeLists,
  }),
  defineCheck({
    id: 'geo.text.unique-passages',
    title: 'Paragraphs are not repeated across the sample',
    failureTitle: 'Remove paragraphs that repeat on other pages',
    weight: 1,
    grade: 'B',
    why: 'Passages that say the same on many pages collapse into one in an index, and which page is credited is left to chance.',
    source:
      'https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls; a14y 0.2.0, no-duplicate-content',
    fix: 'Keep each paragraph shown on one page, link to it from the others, and write what is particular to those.',
    needs: ['start', 'page', 'sample', 'samplePages'],
    judge: judgePassages,
  }),
  defineCheck({
    id: 'geo.parity.topic-coherence',
    title: 'The topic that the sampled pages share is reported',
    failureTitle: 'Check the topic that the pages share',
    weight: 0,
    grade: 'D',
    why: 'One tool caps its score by this number; we know no evidence that it matters. Reported for information, not scored.',
    source: 'aeorank, topic coherence (no study is named there)',
    fix: 'Nothing to fix: a site may write about several things.',
    needs: ['start', 'page', 'sample', 'samplePages'],
    judge: judgeCoherence,
  }),
];

function judgeRatio({ start, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  if (page.words < MIN_VISIBLE_WORDS)
    return verdict.notApplicable(`The page shows ${formatCount(page.words, 'word')}.`);
  const note = `${formatShare(page.textRatio)} of the HTML is visible text; ${formatShare(RATIO.pass)} is good.`;
  const evidence = buildEvidence(start.exchange);
  if (page.textRatio >= RATIO.pass) return verdict.pass(note, evidence);
  return page.textRatio >= RATIO.partial ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

function judgeParagraphs({ start, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const paragraphs = getContentParagraphs(page);
  if (paragraphs.length < MIN_PARAGRAPHS)
    return verdict.notApplicable(`${formatCount(paragraphs.length, 'paragraph')}.`);
  const long = paragraphs.filter(({ words }) => words > LONG_PARAGRAPH_WORDS);
  const median = computeMedian(paragraphs.map(({ words }) => words));
  const medianFits = median >= MEDIAN_WORDS.from && median <= MEDIAN_WORDS.to;
  const note = `${formatCount(paragraphs.length, 'paragraph')}, median ${formatCount(median, 'word')}; ${long.length} over ${LONG_PARAGRAPH_WORDS} words.`;
  const evidence =
    long.length > 0
      ? long
          .slice(0, SHOWN)
          .map(({ line, text }) => buildEvidence(start.exchange, { selector: 'p', line, excerpt: text }))
      : buildEvidence(start.exchange, { selector: 'p' });
  if (long.length === 0 && medianFits) return verdict.pass(note, evidence);
  return long.length + (medianFits ? 0 : 1) <= MAX_VIOLATIONS
    ? verdict.partial(0.5, note, evidence)
    : verdict.fail(note, evidence);
}

function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [lower = 0, upper = 0] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return (lower + upper) / 2;
}

/** Kinds of page whose sections are teasers or forms. */
const WITHOUT_SECTIONS: ReadonlySet<string> = new Set(['listing', 'checkout', 'login', 'contact']);

function judgeSections({ start, page, textEvidence }: FactsOf<'start' | 'page' | 'textEvidence'>): CheckOutcome {
  const { kind, reason } = textEvidence.kind;
  if (WITHOUT_SECTIONS.has(kind)) return verdict.notApplicable(`A ${kind} page (${reason}) has no sections of text.`);
  const sections = getContentSections(page);
  if (sections.length < MIN_SECTIONS)
    return verdict.notApplicable(`${formatCount(sections.length, 'section')} with text.`);
  const misfits = sections.filter((section) => !hasSectionSize(section));
  const fitting = sections.length - misfits.length;
  const note = `${fitting} of ${sections.length} sections have ${SECTION_WORDS.from} to ${SECTION_WORDS.to} words.`;
  return verdict.byShare(
    fitting / sections.length,
    SECTION_SHARE,
    note,
    buildHeadingEvidence(start, misfits, sections),
  );
}

function hasSectionSize({ heading, words }: ContentSection): boolean {
  return words <= SECTION_WORDS.to && (words >= SECTION_WORDS.from || heading.question);
}

function buildHeadingEvidence(
  start: ExchangeWithAnswer,
  wrong: readonly ContentSection[],
  all: readonly ContentSection[],
): readonly CheckEvidence[] {
  return (wrong.length > 0 ? wrong : all).slice(0, SHOWN).map(({ heading, words }) =>
    buildEvidence(start.exchange, {
      selector: `h${heading.level}`,
      line: heading.line,
      excerpt: `${heading.text} (${formatCount(words, 'word')})`,
    }),
  );
}

function judgeOpenings({ start, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const sections = getContentSections(page);
  if (sections.length < MIN_SECTIONS)
    return verdict.notApplicable(`${formatCount(sections.length, 'section')} with text.`);
  const language = getPageLanguage(page);
  const opened = sections.map((section) => ({ section, dangling: hasDanglingOpening(section.text, language) }));
  if (opened.some(({ dangling }) => dangling === undefined))
    return verdict.notApplicable(`We have no list of pronouns for the language of the page (${language}).`);
  const dangling = opened.filter((one) => one.dangling === true).map(({ section }) => section);
  const note = `${dangling.length} of ${sections.length} sections open with a pronoun that refers to something outside.`;
  const evidence = (dangling.length > 0 ? dangling : sections)
    .slice(0, SHOWN)
    .map(({ heading, text }) =>
      buildEvidence(start.exchange, { selector: `h${heading.level}`, line: heading.line, excerpt: text.slice(0, 120) }),
    );
  const share = dangling.length / sections.length;
  if (share <= DANGLING_SHARE.pass) return verdict.pass(note, evidence);
  return share <= DANGLING_SHARE.partial ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

const MIN_LISTED_WORDS = 300;

function judgeLists({ start, page, textEvidence }: FactsOf<'start' | 'page' | 'textEvidence'>): CheckOutcome {
  const { main } = textEvidence;
  if (main.words < MIN_LISTED_WORDS)
    return verdict.notApplicable(`The main text has ${formatCount(main.words, 'word')}.`);
  const lists = listContentLists(page, main.text);
  const note = `${formatCount(lists.length, 'list')} of three or more items in the main text.`;
  const [first] = lists;
  if (!first) return verdict.fail(note, buildEvidence(start.exchange, { selector: 'main ul, main ol' }));
  return verdict.pass(note, buildEvidence(start.exchange, { selector: first.ordered ? 'ol' : 'ul', line: first.line }));
}

/** The pages that can be compared, or why there are too few. */
function selectComparablePages({
  start,
  page,
  sample,
  samplePages,
}: FactsOf<'start' | 'page' | 'sample' | 'samplePages'>): readonly SamplePage[] | CheckOutcome {
  const pages = selectDistinctPages([{ exchange: start.exchange, page }, ...samplePages]);
  if (pages.length >= MIN_PAGES) return pages;
  const refused = sample.filter(isRefused);
  if (refused.length > 0 && pages.length + refused.length >= MIN_PAGES)
    return verdict.unknown(
      `${refused.length} of ${formatCount(sample.length, 'sampled page')} could not be read.`,
      refused.slice(0, SHOWN).map((exchange) => buildEvidence(exchange)),
    );
  return verdict.notApplicable(`${formatCount(pages.length, 'page')}; at least ${MIN_PAGES} are needed to compare.`);
}

/** An answer that says nothing of the page: none, a refusal of us, or a fault of the moment. */
const isRefused = ({ answer }: Exchange): boolean =>
  !answer.ok || [401, 403, 429].includes(answer.status) || answer.status >= 500;

function judgePassages(facts: FactsOf<'start' | 'page' | 'sample' | 'samplePages'>): CheckOutcome {
  const pages = selectComparablePages(facts);
  if ('status' in pages) return pages;
  const { total, repeated } = comparePassages(pages.map(({ page }) => page));
  if (total === 0) return verdict.notApplicable(`No paragraph of 25 words or more on ${pages.length} pages.`);
  const share = repeated.length / total;
  const note = `${repeated.length} of ${total} paragraphs on ${pages.length} pages (${formatShare(share)}) are on another page too.`;
  const shown = repeated.slice(0, SHOWN).flatMap(({ page, line, text }) => {
    const at = pages[page];
    return at ? [buildEvidence(at.exchange, { selector: 'p', line, excerpt: text })] : [];
  });
  const evidence = shown.length > 0 ? shown : pages.slice(0, SHOWN).map(({ exchange }) => buildEvidence(exchange));
  if (share <= REPEATED_SHARE.pass) return verdict.pass(note, evidence);
  return share <= REPEATED_SHARE.partial ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

function judgeCoherence(facts: FactsOf<'start' | 'page' | 'sample' | 'samplePages'>): CheckOutcome {
  const pages = selectComparablePages(facts);
  if ('status' in pages) return pages;
  const coherence = computeTopicCoherence(pages.map(({ page }) => page));
  if (coherence === undefined) return verdict.notApplicable('Fewer than two of the pages have a main text.');
  const note = `Mean cosine of ${pages.length} pages: ${coherence.toFixed(2)}. Reported, not judged.`;
  return verdict.pass(
    note,
    pages.slice(0, SHOWN).map(({ exchange }) => buildEvidence(exchange)),
  );
}
