import { type CheckOutcome, defineCheck, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { computeFleschScore } from '../../language/flesch.ts';
import { getPageLanguage } from '../../page/facts/language.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { findPlaceholders } from '../facts/placeholders.ts';
import { isSummaryHeading, isSummaryId, hasSummaryOpening, type TextEvidence } from '../facts/text-evidence.ts';
import { getContentParagraphs, isContent } from '../facts/content.ts';
import type { ExchangeWithAnswer } from '../../reach/facts/site-files.ts';
import type { Site } from '../../core/site.ts';
import { formatCount } from '../../core/wording.ts';

/** The formula was made for samples of a hundred words. */
const MIN_EASE_WORDS = 100;
const EASE = { pass: 50, partial: 30 };
const MIN_VISIBLE_WORDS = 60;
const MIN_SUMMARY_WORDS = 600;
const LEAD_WORDS = { from: 15, to: 60 };
const SHOWN = 5;

type Facts = { start: ExchangeWithAnswer; page: PageFacts; textEvidence: TextEvidence };

/** Checks of whether a hurried reader understands the text: plain, finished, and summed up. */
export const textPlainChecks = [
  defineCheck({
    id: 'geo.text.easy',
    title: 'Text is plain',
    weight: 1,
    grade: 'B',
    why: 'Easier wording raised visibility from 19.3 to 22.0 in the controlled experiment. The formula holds for English only, so other languages are not judged.',
    source:
      'Aggarwal et al., GEO: Generative Engine Optimization, KDD 2024, https://arxiv.org/abs/2311.09735, Table 1: Easy-to-Understand 22.0 (baseline 19.3); Flesch, Journal of Applied Psychology 32(3), 1948',
    fix: 'Shorten the sentences shown and replace long words by short ones; a Flesch reading ease of 50 or more is plain English.',
    needs: ['start', 'page', 'textEvidence'],
    judge: judgeEase,
  }),
  defineCheck({
    id: 'geo.text.no-placeholder',
    title: 'No placeholder text',
    weight: 1,
    grade: 'B',
    why: 'A page that says "lorem ipsum" or shows a template variable is not finished, and a quotation of it harms whoever quotes.',
    source: 'Own rule: literal leftovers of templates and editors in the visible text, outside code',
    fix: 'Replace the strings shown by what was meant to stand there.',
    needs: ['start', 'page', 'textEvidence'],
    judge: judgePlaceholders,
  }),
  defineCheck({
    id: 'geo.text.summary',
    title: 'A summary or a short lead exists',
    weight: 1,
    grade: 'C',
    why: 'A few sentences that say it all are the passage that is easiest to lift out of a long page.',
    source: 'aiseo-audit 1.6.2, summary detection',
    fix: 'Begin with a lead of at most 60 words, or add three key points under a heading such as "Key takeaways".',
    needs: ['start', 'page', 'textEvidence'],
    judge: judgeSummary,
  }),
] as const;

function judgeEase({ start, page, textEvidence }: Facts): CheckOutcome {
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

function judgePlaceholders({ start, page, textEvidence }: Facts, site: Site): CheckOutcome {
  const documentation = textEvidence.kind.kind === 'docs' || DOCUMENTATION.has(site.profile.name);
  const found = findPlaceholders(page, start.answer.body, { documentation });
  if (found.length > 0) {
    const kinds = [...new Set(found.map(({ what }) => what))].join(', ');
    const evidence = found.slice(0, SHOWN).map(({ text }) => buildEvidence(start.exchange, { excerpt: text }));
    return verdict.fail(`${formatCount(found.length, 'placeholder')} in the visible text: ${kinds}.`, evidence);
  }
  if (page.words < MIN_VISIBLE_WORDS)
    return verdict.notApplicable(`The page shows ${formatCount(page.words, 'word')}.`);
  return verdict.pass(
    'No filler text, template variable or missing value in the visible text.',
    buildEvidence(start.exchange),
  );
}

function judgeSummary({ start, page, textEvidence }: Facts): CheckOutcome {
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
