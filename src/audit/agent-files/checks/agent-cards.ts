import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { issueNote } from '../../structured-data/facts/json-document.ts';
import type { MissingDocument } from '../../mcp/facts/document.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';
import type { AskedEndpoint } from '../facts/a2a-card.ts';
import type { Site } from '../../core/site.ts';
import type { Exchange } from '../../core/snapshot.ts';
import { buildRequestEvidence, extractBodyStart } from '../../core/evidence.ts';

const A2A = 'https://a2a-protocol.org/latest/specification/ (1.0)';

export const agentCardChecks = [
  defineCheck({
    id: 'agent.a2a.card',
    title: 'A2A agent card is valid when present',
    failureTitle: 'Correct the A2A agent card',
    weight: 2,
    grade: 'A',
    why: 'Other agents learn from the card how to reach this one; a card that misses a required member is skipped.',
    source: `${A2A}, "AgentCard"; IANA well-known URI agent-card.json`,
    fix: 'Serve a card of A2A 1.0 with supportedInterfaces; generate_mcp_json writes one.',
    capabilities: ['check_mcp', 'check_agent_files'],
    needs: ['agentCards'],
    judge: judgeCard,
  }),
  defineCheck({
    id: 'agent.a2a.legacy-path',
    title: 'Legacy /.well-known/agent.json is in step',
    failureTitle: 'Bring /.well-known/agent.json in step with the card',
    weight: 1,
    grade: 'B',
    why: 'Clients of A2A before 0.3 read the old address: two documents that say different things are two truths.',
    source: 'A2A 0.3 changelog: agent.json became agent-card.json',
    fix: 'Redirect /.well-known/agent.json to /.well-known/agent-card.json (308), or serve there the same agent in the form of A2A 0.3, which its readers take (generate_mcp_json).',
    capabilities: ['check_mcp'],
    needs: ['agentCards'],
    judge: judgeLegacy,
  }),
  defineCheck({
    id: 'agent.a2a.interface-live',
    title: 'The card interface answers',
    failureTitle: 'Repair the interface that the card names',
    weight: 1,
    grade: 'B',
    why: 'A card without an agent behind it costs every client a failed call. Asked with GET, and with OPTIONS where GET finds nothing, since an endpoint may know only POST; 401, 402 and 405 are answers too. An interface of another owner counts half.',
    source: `${A2A}, "AgentInterface"`,
    fix: 'Name an https address on your own domain in supportedInterfaces that answers.',
    needs: ['a2aInterface'],
    judge: (facts, site) => judgeInterface(facts, site),
  }),
];

function judgeCard({ agentCards: { card, claim } }: FactsOf<'agentCards'>): CheckOutcome {
  if (card.state !== 'found') return withoutCard(card, claim);
  const { shape, issues, name, interfaces } = card.document;
  const evidence = [
    buildRequestEvidence(card.exchange, { excerpt: `${name}: ${interfaces.map(({ url }) => url).join(' ')}` }),
    ...issues.map(({ pointer, message }) =>
      buildRequestEvidence(card.exchange, { selector: pointer || '/', excerpt: message }),
    ),
  ];
  if (issues.length > 0)
    return verdict.fail(
      `The card of A2A ${shape} has ${formatCount(issues.length, 'fault')}: ${issueNote(issues, 3)}`,
      evidence,
    );
  return shape === '1.0'
    ? verdict.pass(`A valid card of A2A 1.0 with ${formatCount(interfaces.length, 'interface')}.`, evidence)
    : verdict.partial(0.5, 'A valid card of the older A2A 0.3: clients of 1.0 look for supportedInterfaces.', evidence);
}

function withoutCard({ state, why, exchange }: MissingDocument, claim: string | undefined): CheckOutcome {
  if (state === 'unreadable' || state === 'not_read') return verdict.unknown(`The agent card ${why}.`);
  const evidence = exchange ? buildRequestEvidence(exchange, { excerpt: extractBodyStart(exchange) }) : [];
  if (state === 'invalid') return verdict.fail(`The agent card ${why}.`, evidence);
  return claim === undefined
    ? verdict.notApplicable('There is no agent card, and nothing on the site speaks of an A2A agent.')
    : verdict.fail(`The start page names an agent card; /.well-known/agent-card.json ${why}.`, evidence);
}

function judgeLegacy({ agentCards: { card, legacy, legacyIs } }: FactsOf<'agentCards'>): CheckOutcome {
  if (legacy.state !== 'found') {
    const { state, why } = legacy;
    if (state === 'unreadable' || state === 'not_read') return verdict.unknown(`/.well-known/agent.json ${why}.`);
    return verdict.notApplicable('There is no agent card at the former address.');
  }
  const evidence = [
    buildRequestEvidence(legacy.exchange),
    ...(card.exchange ? [buildRequestEvidence(card.exchange)] : []),
  ];
  if (legacyIs === 'redirect') return verdict.pass('The former address leads to the agent card.', evidence);
  if (legacyIs === 'same') return verdict.pass('Both addresses serve the same card.', evidence);
  if (legacyIs === 'older_form')
    return verdict.pass('The former address serves the same agent, in the form that its readers take.', evidence);
  if (legacyIs === 'different') return verdict.fail('The two addresses serve different cards.', evidence);
  if (card.state === 'unreadable')
    return verdict.unknown(`The agent card ${card.why}, so there is nothing to compare.`, evidence);
  return verdict.partial(
    0.5,
    'The card is only at its former address, where clients of A2A 1.0 do not look.',
    evidence,
  );
}

const judgeInterface = ({ a2aInterface }: FactsOf<'a2aInterface'>, site: Site): CheckOutcome =>
  judgeEndpoint(a2aInterface, site, {
    unseen: 'Whether there is an agent card could not be seen.',
    absent: 'There is no agent card.',
    what: 'interface',
    of: 'the card',
    selector: '/supportedInterfaces/0/url',
    mayBeOthers: false,
  });

/** Words for what is judged; `mayBeOthers`: an address of another owner is as good as one of the site's own. */
type EndpointWords = {
  unseen: string;
  absent: string;
  what: string;
  of: string;
  selector: string;
  mayBeOthers: boolean;
};

/** Judges whether the first address that a document declares answers. */
export function judgeEndpoint(
  { document, exchange, written, url, get, options }: AskedEndpoint,
  site: Site,
  words: EndpointWords,
): CheckOutcome {
  if (document === 'unknown') return verdict.unknown(words.unseen);
  if (document === 'none' || !exchange) return verdict.notApplicable(words.absent);
  const named = buildRequestEvidence(exchange, { selector: words.selector, excerpt: written });
  const first = `The first ${words.what} of ${words.of}`;
  if (!url) return verdict.fail(`${first} is no web address.`, named);
  if (url.protocol !== 'https:' && !site.local) return verdict.fail(`${first} is not https.`, named);
  const owned = isSameOwner(url, site.start);
  if (!get)
    return site.local && !owned
      ? verdict.notApplicable(`The ${words.what} is on a public host, which a private site does not lead us to.`)
      : verdict.unknown(`The ${words.what} was not asked: the budget of requests was used up.`, named);
  const state = classifyLiveness(get, options);
  const evidence = [buildRequestEvidence(get), ...(options ? [buildRequestEvidence(options)] : []), named];
  if (state === 'unknown') return verdict.unknown(`Whether the ${words.what} is there could not be seen.`, evidence);
  if (state === 'dead') return verdict.fail(`Nothing answers at the address of the ${words.what}.`, evidence);
  return owned || words.mayBeOthers
    ? verdict.pass(`The ${words.what} of ${words.of} answers.`, evidence)
    : verdict.partial(0.5, `The ${words.what} answers, on a host of another owner.`, evidence);
}

/** 5xx is a failure of the agent; 503 and 429 may pass. OPTIONS settles what a 404 to GET leaves open. */
function classifyLiveness({ answer }: Exchange, options: Exchange | undefined): 'live' | 'dead' | 'unknown' {
  if (!answer.ok) return answer.reason === 'private_target' ? 'dead' : 'unknown';
  if (answer.status === 429 || answer.status === 503) return 'unknown';
  if (answer.status === 404 && options?.answer.ok === true && options.answer.status < 400) return 'live';
  return answer.status === 404 || answer.status === 410 || answer.status >= 500 ? 'dead' : 'live';
}
