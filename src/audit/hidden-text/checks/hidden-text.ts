import { rememberPerObject } from '../../../lib/memo.ts';
import { type CheckOutcome, defineCheck, type FactsOf, formatCount, formatShare, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { findChallenge } from '../../reach/facts/blocked-crawler.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { computeContainedShare } from '../../llms-txt/facts/markdown-copies.ts';
import { getMainText } from '../../text/facts/sample-text.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { getStatistics } from '../../language/statistics.ts';
import type { AgentAnswer } from '../../crawlers/facts/ai-agents.ts';
import type { Exchange, SnapshotAnswer } from '../../core/snapshot.ts';
import { findCovertTexts } from '../facts/covert-unicode.ts';

/** A page with fewer visible words is a shell: what it hides is its loading state. */
const MIN_VISIBLE_WORDS = 60;
/** Share of common claims from which a difference may be a counter or a rotating teaser. */
const ALIKE = 0.9;
const MARKDOWN_SHARE = { passAt: 0.8, partialAt: 0.6 };
const SHOWN = 5;

/** Checks of text that is there and cannot be seen. */
export const hiddenTextChecks = [
  defineCheck({
    id: 'geo.safety.no-invisible-instructions',
    title: 'No hidden instructions to AI',
    failureTitle: 'Remove hidden instructions to AI',
    weight: 3,
    grade: 'B',
    why: 'Text that only machines can see, and that orders them what to say, is manipulation; assistants that find it distrust the site.',
    source:
      'OWASP Top 10 for LLM applications, LLM01 prompt injection (indirect): https://genai.owasp.org/llmrisk/llm01-prompt-injection/',
    fix: 'Remove the hidden text at the places shown, or make it visible if it is meant for people.',
    gate: { caps: { geo: 50 } },
    each: 'worst',
    needs: ['start', 'page', 'textEvidence'],
    judge: judgeInstructions,
  }),
  defineCheck({
    id: 'geo.safety.no-cloaking-text',
    title: 'AI user agents do not get different claims',
    failureTitle: 'Show AI user agents the same claims as people',
    weight: 2,
    grade: 'B',
    why: 'A page that shows machines other figures than people is cloaking, and gets the site removed where it is noticed.',
    source: 'https://developers.google.com/search/docs/essentials/spam-policies#cloaking',
    fix: 'Serve one content to every User-Agent.',
    needs: ['userAgents'],
    judge: ({ userAgents }) => judgeCloaking(userAgents),
  }),
  defineCheck({
    id: 'geo.parity.markdown-content',
    title: 'Markdown copy says the same as HTML',
    failureTitle: 'Make the Markdown copy say the same as the page',
    weight: 2,
    grade: 'B',
    why: 'Agents that are given the Markdown copy quote the copy: what it lacks or says otherwise is quoted wrongly.',
    source: 'Agent-Friendly Docs Spec 0.5.0, markdown-content-parity (warns from 5 %, fails from 20 % missing)',
    fix: 'Generate the Markdown and the HTML from one source at the same time.',
    needs: ['textEvidence', 'markdownCopy'],
    judge: ({ textEvidence, markdownCopy }) => judgeMarkdown(textEvidence.main.text, markdownCopy),
  }),
  defineCheck({
    id: 'geo.safety.unicode-covert',
    title: 'No covert Unicode',
    failureTitle: 'Remove invisible characters',
    weight: 1,
    grade: 'B',
    why: 'Tag characters, runs of zero-width characters and bidirectional overrides carry text that people do not see and models read. Joined emoji, joiners inside Persian or Indic words and soft hyphens are ordinary writing.',
    source:
      'Unicode Technical Report 36, Unicode Security Considerations, https://www.unicode.org/reports/tr36/; UAX 9 (bidirectional overrides), https://www.unicode.org/reports/tr9/',
    fix: 'Remove the code points shown; they often came in with text that was copied from elsewhere.',
    each: 'worst',
    needs: ['start', 'page'],
    judge: judgeCovert,
  }),
];

function judgeInstructions({ start, page, textEvidence }: FactsOf<'start' | 'page' | 'textEvidence'>): CheckOutcome {
  const { hidden } = textEvidence;
  if (hidden.length > 0) {
    const evidence = hidden
      .slice(0, SHOWN)
      .map(({ where, line, excerpt }) =>
        buildEvidence(start.exchange, { selector: where, excerpt, ...(line === undefined ? {} : { line }) }),
      );
    return verdict.fail(`${formatCount(hidden.length, 'instruction')} to AI in text that people do not see.`, evidence);
  }
  if (page.words < MIN_VISIBLE_WORDS)
    return verdict.notApplicable(
      `The page shows ${formatCount(page.words, 'word')}: too little to hide something beside.`,
    );
  return verdict.pass(
    'No instruction to AI that we know in elements hidden by attribute or inline style, comments, alt, title or aria texts, or invisible characters.',
    buildEvidence(start.exchange),
  );
}

function judgeCloaking([browser, ...agents]: readonly AgentAnswer[]): CheckOutcome {
  const reference = browser?.exchange.answer;
  if (!browser || !reference?.ok) return verdict.unknown('The page could not be read as a browser.');
  const shown = extractClaims(reference);
  if (!shown)
    return verdict.unknown('A browser User-Agent does not get the page either.', buildEvidence(browser.exchange));
  const compared = agents.flatMap(({ name, exchange }) => {
    const declared = exchange.answer.ok ? extractClaims(exchange.answer) : undefined;
    return declared ? [{ name, exchange, claims: shown.size + declared.size, ...compareClaims(shown, declared) }] : [];
  });
  if (compared.length === 0)
    return verdict.notApplicable('No AI User-Agent gets the page with status 200; see aeo.reach.ua-parity.');
  if (compared.every(({ claims }) => claims === 0))
    return verdict.notApplicable('The page has no headings and no figures to compare.');
  const worst = Math.min(...compared.map(({ alike }) => alike));
  const evidence = compared.map(({ name, exchange, example }) =>
    buildEvidence(exchange, { header: `user-agent: ${name}`, ...(example === undefined ? {} : { excerpt: example }) }),
  );
  const note = `${formatShare(worst)} of headings and figures are the same for a browser and ${compared.map(({ name }) => name).join(', ')}.`;
  if (worst === 1) return verdict.pass(note, evidence);
  return worst >= ALIKE ? verdict.partial(0.5, note, evidence) : verdict.fail(note, evidence);
}

/** Headings and figures of a page's main text; undefined when the answer is not the page (a challenge, an error, no HTML). */
function extractClaims(answer: SnapshotAnswer): ReadonlySet<string> | undefined {
  if (answer.status !== 200 || !isHtmlAnswer(answer)) return undefined;
  const page = getPageFacts(answer);
  if (findChallenge(answer, () => page.words) !== undefined) return undefined;
  return getPageClaims(page);
}

/** Once per page: a site that treats every User-Agent alike sends the same one many times. */
const getPageClaims = rememberPerObject((page: PageFacts): ReadonlySet<string> => {
  const headings = page.headings
    .filter(({ level, hidden }) => level <= 3 && hidden === undefined)
    .map(({ text }) => text);
  const figures = getStatistics(getMainText(page)).map(({ text }) => text);
  return new Set([...headings, ...figures].map((claim) => claim.toLowerCase().replace(/\s+/g, ' ').trim()));
});

function judgeMarkdown(mainText: string, copy: Exchange | 'none'): CheckOutcome {
  if (copy === 'none' || !copy.answer.ok) return verdict.notApplicable('The page has no Markdown copy.');
  const share = computeContainedShare(mainText, copy.answer.body);
  if (share === undefined) return verdict.notApplicable('The page has no main text to compare.');
  const note = `${formatShare(share)} of the word sequences of the page's main text are in its Markdown copy.`;
  return verdict.byShare(share, MARKDOWN_SHARE, note, buildEvidence(copy));
}

function compareClaims(
  shown: ReadonlySet<string>,
  declared: ReadonlySet<string>,
): { alike: number; example: string | undefined } {
  const common = [...shown].filter((claim) => declared.has(claim)).length;
  const all = shown.size + declared.size - common;
  const [onlyDeclared] = [...declared].filter((claim) => !shown.has(claim));
  const [onlyShown] = [...shown].filter((claim) => !declared.has(claim));
  const example = onlyDeclared === undefined ? onlyShown : onlyDeclared;
  return { alike: all === 0 ? 1 : common / all, example };
}

function judgeCovert({ start, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const found = findCovertTexts(page, start.answer.body);
  if (found.length > 0) {
    const evidence = found
      .slice(0, SHOWN)
      .map(({ where, line, excerpt }) =>
        buildEvidence(start.exchange, { selector: where, excerpt, ...(line === undefined ? {} : { line }) }),
      );
    return verdict.fail(`${formatCount(found.length, 'run')} of invisible characters that can carry text.`, evidence);
  }
  if (page.words < MIN_VISIBLE_WORDS)
    return verdict.notApplicable(`The page shows ${formatCount(page.words, 'word')}.`);
  return verdict.pass(
    'No tag characters, runs of zero-width characters or bidirectional overrides.',
    buildEvidence(start.exchange),
  );
}
