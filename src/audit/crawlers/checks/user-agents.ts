import { type CheckOutcome, defineCheck, type FactsOf, verdict } from '../../core/check.ts';
import { buildEvidence, type CheckEvidence } from '../../core/evidence.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { computeSimilarity } from '../../language/statistics.ts';
import type { AgentAnswer } from '../facts/ai-agents.ts';
import { type AgentReach, findRefusal, isOurAddressRefused, USER_AGENT_CAVEAT } from '../facts/edge.ts';
import type { Exchange, SnapshotAnswer } from '../../core/snapshot.ts';

/** Share of common word 5-grams from which two pages are the same page. */
const SAME_PAGE = 0.8;

/** Share of the agents asked whose answer must be known. */
const MIN_KNOWN = 0.75;

/** How the note of a verdict about refusals begins: only these cap a score. */
export const REFUSED_TO_AGENTS = 'Refused while a browser is let in:';

/** Checks that compare what a browser and AI fetchers get. */
export const userAgentChecks = [
  defineCheck({
    id: 'aeo.reach.ua-parity',
    title: 'AI search fetchers get the same page as a browser',
    failureTitle: 'Send AI fetchers the same page as a browser',
    scores: ['aeo', 'agent'],
    weight: 5,
    grade: 'A',
    why: 'An assistant that is refused cannot read, cite or link the page, and names others. The verdict is the share of the agents asked that get what a browser gets, and the scores are capped in that proportion. Of three fetchers the whole page is compared, of the others status and challenge.',
    source: 'RFC 9110, section 15.5; User-Agent strings as documented by the owners, see the roster of agents',
    fix: 'Let verified AI search bots pass the firewall; aeo.reach.edge-policy names the setting of your provider.',
    capabilities: ['check_health'],
    gate: {
      caps: { aeo: 25, agent: 25 },
      inProportion: true,
      when: ({ status, note }) => status === 'fail' || (status === 'partial' && note.startsWith(REFUSED_TO_AGENTS)),
    },
    needs: ['userAgents', 'agentAnswers'],
    judge: judgeParity,
  }),
];

type Parity = {
  name: string;
  exchange: Exchange;
  state: 'same' | 'refused' | 'different' | 'unknown';
  why: string;
};

function judgeParity({ userAgents, agentAnswers }: FactsOf<'userAgents' | 'agentAnswers'>): CheckOutcome {
  const [browser, ...agents] = userAgents;
  const reference = browser?.exchange.answer;
  if (!browser || !reference?.ok) return verdict.unknown('The page could not be read as a browser.');
  if (findRefusal(reference) !== undefined) {
    return verdict.unknown(
      'A browser User-Agent is refused too: we were blocked, which says nothing about the real bots.',
      buildEvidence(browser.exchange),
    );
  }
  const compared = [
    ...agents.map((agent) => compare(reference, agent)),
    ...listOthers(agentAnswers.reaches, new Set(agents.map(({ name }) => name))),
  ];
  return judgeShare(compared);
}

/** The agents of the roster that answers depend on, beside those whose whole page is compared; each request once. */
function listOthers(reaches: readonly AgentReach[], known: ReadonlySet<string>): readonly Parity[] {
  return reaches.flatMap(({ agent, asked, observed, why, exchange }): Parity[] => {
    if (!exchange || observed === 'not_asked' || known.has(asked.token) || agent.token !== asked.token) return [];
    if (!agent.answers || agent.basis === 'listed') return [];
    const states = {
      served: 'same',
      refused: 'refused',
      charged: 'refused',
      other: 'different',
      unknown: 'unknown',
    } as const;
    return [{ name: agent.token, exchange, state: states[observed], why }];
  });
}

function judgeShare(compared: readonly Parity[]): CheckOutcome {
  const of = (state: Parity['state']): readonly Parity[] => compared.filter((one) => one.state === state);
  const [refused, different, unknown, same] = [of('refused'), of('different'), of('unknown'), of('same')];
  const evidence = [...refused, ...different, ...unknown, ...same].map(buildParityEvidence);
  const known = compared.length - unknown.length;
  const share = Math.round((1000 * same.length) / Math.max(1, known)) / 1000;
  if (refused.length > 0) {
    const note = `${REFUSED_TO_AGENTS} ${formatAgentNames(refused)}, ${refused.length} of ${known} asked. ${USER_AGENT_CAVEAT}`;
    return share === 0 ? verdict.fail(note, evidence) : verdict.partial(share, note, evidence);
  }
  if (known < MIN_KNOWN * compared.length)
    return verdict.unknown(`No judgement for ${formatAgentNames(unknown)}. ${USER_AGENT_CAVEAT}`, evidence);
  if (different.length === 0)
    return verdict.pass(`All ${known} AI fetchers asked get the page a browser gets. ${USER_AGENT_CAVEAT}`, evidence);
  const note = `Another page than a browser gets: ${formatAgentNames(different)}. ${USER_AGENT_CAVEAT}`;
  return share === 0 ? verdict.fail(note, evidence) : verdict.partial(share, note, evidence);
}

const buildParityEvidence = ({ name, exchange, why }: Parity): CheckEvidence =>
  buildEvidence(exchange, { excerpt: `${name}: ${why}` });

const formatAgentNames = (list: readonly Parity[]): string => list.map(({ name }) => name).join(', ');

function compare(reference: SnapshotAnswer, { name, exchange }: AgentAnswer): Parity {
  const got = exchange.answer;
  const build = (state: Parity['state'], why: string): Parity => ({ name, exchange, state, why });
  if (!got.ok) return build('unknown', got.reason);
  if (got.sha256 === reference.sha256 && got.status === reference.status) return build('same', 'the same bytes');
  const refused = findRefusal(got);
  if (refused !== undefined)
    return isOurAddressRefused(got)
      ? build('unknown', 'our address is named in the refusal')
      : build('refused', refused);
  if (Math.floor(got.status / 100) !== Math.floor(reference.status / 100))
    return build('different', `status ${got.status}`);
  const alike = computeSimilarity(extractVisibleText(reference), extractVisibleText(got));
  if (alike >= SAME_PAGE) return build('same', `status ${got.status}, similarity ${alike.toFixed(2)}`);
  return build('different', `similarity ${alike.toFixed(2)}`);
}

const extractVisibleText = (answer: SnapshotAnswer): string =>
  isHtmlAnswer(answer) ? getPageFacts(answer).text : answer.body;
