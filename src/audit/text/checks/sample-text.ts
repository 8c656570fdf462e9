import { type CheckOutcome, defineCheck, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { comparePassages, selectDistinctPages, computeTopicCoherence } from '../facts/sample-text.ts';
import type { ExchangeWithAnswer, SamplePage } from '../../reach/facts/site-files.ts';
import type { Exchange } from '../../core/snapshot.ts';
import { formatShare, formatCount } from '../../core/wording.ts';

const MIN_PAGES = 3;
const REPEATED_SHARE = { pass: 0.1, partial: 0.3 };
const SHOWN = 3;

type Facts = {
  start: ExchangeWithAnswer;
  page: PageFacts;
  sample: readonly Exchange[];
  samplePages: readonly SamplePage[];
};

/** Checks that compare the texts of the sampled pages. */
export const sampleTextChecks = [
  defineCheck({
    id: 'geo.text.unique-passages',
    title: 'Paragraphs are not repeated across the sample',
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
    weight: 0,
    grade: 'D',
    why: 'One tool caps its score by this number; we know no evidence that it matters. Reported for information, not scored.',
    source: 'aeorank, topic coherence (no study is named there)',
    fix: 'Nothing to fix: a site may write about several things.',
    needs: ['start', 'page', 'sample', 'samplePages'],
    judge: judgeCoherence,
  }),
] as const;

/** The pages that can be compared, or why there are too few. */
function selectComparablePages({ start, page, sample, samplePages }: Facts): readonly SamplePage[] | CheckOutcome {
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

function judgePassages(facts: Facts): CheckOutcome {
  const pages = selectComparablePages(facts);
  if ('status' in pages) return pages;
  const { total, repeated } = comparePassages(pages.map(({ page }) => page));
  if (total === 0) return verdict.notApplicable(`No paragraph of 25 words or more on ${pages.length} pages.`);
  const share = repeated.length / total;
  const note = `${repeated.length} of ${total} paragraphs on ${pages.length} pages (${formatShare(share)}) stand on another page too.`;
  const shown = repeated.slice(0, SHOWN).flatMap(({ page, line, text }) => {
    const at = pages[page];
    return at ? [buildEvidence(at.exchange, { selector: 'p', line, excerpt: text })] : [];
  });
  const evidence = shown.length > 0 ? shown : pages.slice(0, SHOWN).map(({ exchange }) => buildEvidence(exchange));
  if (share <= REPEATED_SHARE.pass) return verdict.pass(note, evidence);
  return share <= REPEATED_SHARE.partial ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

function judgeCoherence(facts: Facts): CheckOutcome {
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
