import { type CheckOutcome, defineCheck, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { findChallenge } from '../../reach/facts/blocked-crawler.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { computeSimilarity } from '../../language/statistics.ts';
import type { AgentAnswer } from '../facts/ai-agents.ts';
import type { SnapshotAnswer } from '../../core/snapshot.ts';

/** Said with every verdict: what this test cannot know. */
const CAVEAT = "Compared by User-Agent from our address; the vendor's own addresses may be treated differently.";

/** Share of common word 5-grams from which two pages are the same page. */
const SAME_PAGE = 0.8;

/** Statuses by which a server refuses a visitor, 402 being pay per crawl. */
const REFUSALS = new Set([401, 402, 403, 406, 429, 451, 503]);

/** Checks that compare what a browser and AI fetchers get. */
export const userAgentChecks = [
  defineCheck({
    id: 'aeo.reach.ua-parity',
    title: 'AI search fetchers get the same page as a browser',
    failureTitle: 'AI fetchers get another page than a browser, or none',
    scores: ['aeo', 'agent'],
    weight: 5,
    grade: 'A',
    why: 'Blocked access is one of only two site configurations that made agents fail in the AgentReady experiment.',
    source:
      'AgentReady standard v2.0, dataset of 1,033 runs; User-Agent strings as documented by OpenAI, Anthropic and Perplexity',
    fix: 'Let verified AI search bots pass the firewall (Cloudflare: AI Crawl Control; AWS WAF: bot control labels).',
    capabilities: ['check_health'],
    gate: { caps: { aeo: 25, agent: 25 } },
    needs: ['userAgents'],
    judge: ({ userAgents }) => judgeParity(userAgents),
  }),
];

type Parity = { answer: AgentAnswer; state: 'same' | 'refused' | 'different' | 'unknown'; why: string };

function judgeParity([browser, ...agents]: readonly AgentAnswer[]): CheckOutcome {
  const reference = browser?.exchange.answer;
  if (!browser || !reference?.ok) return verdict.unknown('The page could not be read as a browser.');
  if (findRefusal(reference) !== undefined) {
    return verdict.unknown(
      'A browser User-Agent is refused too: we were blocked, which says nothing about the real bots.',
      buildEvidence(browser.exchange),
    );
  }
  const compared = agents.map((agent) => compare(reference, agent));
  const of = (state: Parity['state']): readonly Parity[] => compared.filter((one) => one.state === state);
  const evidence = compared.map(({ answer, why }) =>
    buildEvidence(answer.exchange, { excerpt: `${answer.name}: ${why}` }),
  );
  if (of('refused').length > 0)
    return verdict.fail(`Refused while a browser is let in: ${formatAgentNames(of('refused'))}. ${CAVEAT}`, evidence);
  if (of('unknown').length > 0)
    return verdict.unknown(`No judgement for ${formatAgentNames(of('unknown'))}. ${CAVEAT}`, evidence);
  if (of('different').length === 0)
    return verdict.pass(`All ${agents.length} AI fetchers get the page a browser gets. ${CAVEAT}`, evidence);
  const share = of('same').length / Math.max(1, agents.length);
  return verdict.partial(
    Math.round(share * 1000) / 1000,
    `Another page than a browser gets: ${formatAgentNames(of('different'))}. ${CAVEAT}`,
    evidence,
  );
}

const formatAgentNames = (list: readonly Parity[]): string => list.map(({ answer }) => answer.name).join(', ');

function compare(reference: SnapshotAnswer, answer: AgentAnswer): Parity {
  const got = answer.exchange.answer;
  if (!got.ok) return { answer, state: 'unknown', why: got.reason };
  if (got.sha256 === reference.sha256 && got.status === reference.status)
    return { answer, state: 'same', why: 'the same bytes' };
  const refused = findRefusal(got);
  if (refused !== undefined) {
    const ours = /your (?:ip|network|asn)\b.{0,60}\b(?:blocked|banned|denied)/i.test(got.body.slice(0, 50_000));
    return { answer, state: ours ? 'unknown' : 'refused', why: ours ? 'our address is named in the refusal' : refused };
  }
  if (Math.floor(got.status / 100) !== Math.floor(reference.status / 100))
    return { answer, state: 'different', why: `status ${got.status}` };
  const alike = computeSimilarity(extractVisibleText(reference), extractVisibleText(got));
  if (alike >= SAME_PAGE) return { answer, state: 'same', why: `status ${got.status}, similarity ${alike.toFixed(2)}` };
  return { answer, state: 'different', why: `similarity ${alike.toFixed(2)}` };
}

function findRefusal(answer: SnapshotAnswer): string | undefined {
  if (REFUSALS.has(answer.status)) return `status ${answer.status}`;
  const marker = findChallenge(answer, () => (isHtmlAnswer(answer) ? getPageFacts(answer).words : 0));
  return marker === undefined ? undefined : `challenge (${marker})`;
}

const extractVisibleText = (answer: SnapshotAnswer): string =>
  isHtmlAnswer(answer) ? getPageFacts(answer).text : answer.body;
