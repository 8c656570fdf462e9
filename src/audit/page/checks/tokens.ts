import { type CheckOutcome, defineCheck, type FactsOf, formatShare, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';

/** Checks of what a page costs an agent that reads it. */
export const pageTokenChecks = [
  defineCheck({
    id: 'agent.tokens.page',
    title: 'Page text fits an agent read',
    failureTitle: 'Shorten the page to fit one read of an agent',
    weight: 1,
    grade: 'B',
    why: 'Tools that read pages for a model cut long ones: what comes after the cut is never seen.',
    source: 'Agent-Friendly Documentation Spec 0.5.0, page size (50,000 and 100,000 characters)',
    fix: 'Split the page by topic, so that each part has less than 50,000 characters of text.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeLength,
  }),
  defineCheck({
    id: 'agent.tokens.preamble',
    title: 'Content starts early',
    failureTitle: 'Start the content earlier',
    weight: 1,
    grade: 'B',
    why: 'Agents that read only the first part of a page get menus and banners instead of the content.',
    source: 'Agent-Friendly Documentation Spec 0.5.0, content start position (10 % and 50 %)',
    fix: 'Put main and its h1 near the top of the HTML; long menus may follow it and be placed by a style sheet.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgePreamble,
  }),
  defineCheck({
    id: 'agent.tokens.inline-bloat',
    title: 'No large inline state or data URIs',
    failureTitle: 'Move inline state and data URIs out of the page',
    weight: 1,
    grade: 'C',
    why: 'Agents that take the raw HTML pay for application state, embedded images and drawings by the character.',
    source: 'agent-lighthouse, proposed check 6.18; the 30 % is our judgement',
    fix: 'Move images and drawings into files, and send only the state that the page needs at its start.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeBloat,
  }),
];

/** Fewer visible words are no content to measure. */
const FEW_WORDS = 60;
const judgeTooFewWords = (): CheckOutcome =>
  verdict.notApplicable(`The page has fewer than ${FEW_WORDS} visible words.`);

const CHARS_PER_TOKEN = 4;
const FITTING_TOKENS = 12_500;
const CUT_TOKENS = 25_000;

function judgeLength({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  if (page.words < FEW_WORDS) return judgeTooFewWords();
  const tokens = Math.ceil(page.text.length / CHARS_PER_TOKEN);
  const note = `About ${tokens} tokens of visible text, at ${CHARS_PER_TOKEN} characters each.`;
  if (tokens <= FITTING_TOKENS) return verdict.pass(note, buildEvidence(exchange));
  if (tokens <= CUT_TOKENS)
    return verdict.partial(0.5, `${note} Some tools cut at ${FITTING_TOKENS}.`, buildEvidence(exchange));
  return verdict.fail(`${note} Tools cut at ${CUT_TOKENS} or before.`, buildEvidence(exchange));
}

function judgePreamble({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  if (page.words < FEW_WORDS) return judgeTooFewWords();
  if (page.preambleChars === null)
    return verdict.notApplicable(
      'The page has neither an h1 nor a main part: where its content starts cannot be determined.',
    );
  const share = Math.min(1, page.preambleChars / Math.max(1, page.text.length));
  const note = `${formatShare(share)} of the visible text comes before the first h1 or main part.`;
  return verdict.byShare(
    1 - share,
    { passAt: 0.9, partialAt: 0.5 },
    note,
    buildEvidence(exchange, { selector: 'h1, main' }),
  );
}

/** Smaller pages cost little, whatever they are made of. */
const SMALL_BYTES = 50 * 1024;
const MAX_BLOAT = 0.3;

function judgeBloat({ start: { exchange, answer }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  if (page.htmlBytes < SMALL_BYTES) return verdict.notApplicable('The HTML has less than 50 KB.');
  const { state, dataUri, svg } = page.inlineChars;
  const share = Math.min(1, (state + dataUri + svg) / Math.max(1, answer.body.length));
  const note = `${formatShare(share)} of the HTML: ${state} characters of state, ${dataUri} of data: URIs, ${svg} of inline svg.`;
  return share <= MAX_BLOAT ? verdict.pass(note, buildEvidence(exchange)) : verdict.fail(note, buildEvidence(exchange));
}
