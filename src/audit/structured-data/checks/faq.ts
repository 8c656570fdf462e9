import { type CheckOutcome, defineCheck, type FactsOf, verdict } from '../../core/check.ts';
import { readFaqMarkup, listVisibleQuestions } from '../facts/faq.ts';
import { buildEvidence } from '../../core/evidence.ts';

const GUIDELINES = 'https://developers.google.com/search/docs/appearance/structured-data/sd-policies';
const SHOWN = 5;

export const faqChecks = [
  defineCheck({
    id: 'geo.schema.faq-parity',
    title: 'FAQ markup equals visible text',
    failureTitle: 'Make FAQ markup equal the visible text',
    weight: 1,
    grade: 'B',
    why: 'Readers that take the text never meet questions that exist in markup only, and markup of what people cannot see breaks the general policy for structured data. Google ended its rich results for FAQ pages in May 2026 and took their page away: nothing is shown for this markup any more.',
    source: `${GUIDELINES}: no markup of content that people cannot see`,
    read: '2026-11-23',
    fix: 'Show every question and answer of the FAQPage on the page; a closed details element is visible enough.',
    capabilities: ['check_schema'],
    each: 'share',
    needs: ['start', 'page', 'jsonLd'],
    judge: judgeParity,
  }),
  defineCheck({
    id: 'geo.schema.faq',
    title: 'FAQPage shape is valid',
    failureTitle: 'Correct the FAQPage',
    weight: 1,
    grade: 'B',
    why: 'A question without a name or an accepted answer gives a consumer nothing to use. No site needs this markup: since May 2026 Google shows nothing for it.',
    source: 'https://schema.org/FAQPage',
    read: '2026-11-23',
    fix: 'Give FAQPage a mainEntity list of Question nodes, each with name and acceptedAnswer.text.',
    capabilities: ['check_schema'],
    each: 'share',
    needs: ['start', 'jsonLd'],
    judge: judgeShape,
  }),
];

function judgeParity({ start, page, jsonLd }: FactsOf<'start' | 'page' | 'jsonLd'>): CheckOutcome {
  const faq = readFaqMarkup(jsonLd);
  if (faq.pages === 0) return verdict.notApplicable('No FAQPage node.');
  if (faq.questions.length === 0) return verdict.notApplicable('The FAQPage has no Question; see geo.schema.faq.');
  const visible = new Set(listVisibleQuestions(faq, page));
  const unseen = faq.questions.filter((question) => !visible.has(question));
  const note = `${visible.size} of ${faq.questions.length} questions are with their answer in the visible text.`;
  if (unseen.length === 0) return verdict.pass(note, buildEvidence(start.exchange, { selector: 'FAQPage' }));
  return verdict.fail(
    note,
    unseen.slice(0, SHOWN).map(({ name, line }) => buildEvidence(start.exchange, { line, excerpt: name })),
  );
}

function judgeShape({ start, jsonLd }: FactsOf<'start' | 'jsonLd'>): CheckOutcome {
  const faq = readFaqMarkup(jsonLd);
  if (faq.pages === 0) return verdict.notApplicable('No FAQPage node.');
  const good = faq.questions.filter(({ name, answer }) => name !== '' && answer !== '').length;
  const all = faq.questions.length + faq.stray;
  const [first] = faq.questions;
  const evidence = buildEvidence(start.exchange, {
    selector: 'FAQPage',
    ...(first ? { line: first.line, excerpt: first.name } : {}),
  });
  const note = `${good} of ${all} members of mainEntity are Questions with a name and an answer.`;
  if (all === 0 || good === 0) return verdict.fail(all === 0 ? 'The FAQPage has no mainEntity.' : note, evidence);
  return good === all
    ? verdict.pass(note, evidence)
    : verdict.partial(Math.round((1000 * good) / all) / 1000, note, evidence);
}
