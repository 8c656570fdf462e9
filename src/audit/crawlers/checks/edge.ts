import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence, type CheckEvidence } from '../../core/evidence.ts';
import type { AgentClass } from '../facts/ai-agents-data.ts';
import { type AgentReach, type Edge, USER_AGENT_CAVEAT } from '../facts/edge.ts';

/** How the sentences of a verdict begin: who is shut out, who is not known, and that all were refused. */
export const SHUT_OUT_AT_EDGE = 'Shut out while a browser is let in:';
export const UNASKED_AT_EDGE = 'Unknown, since not asked or without an answer:';
export const EVERY_READER_REFUSED = 'Every reader that we came as is refused';

/** Checks of who really gets in: what robots.txt declares, what was observed, and which provider is in front. */
export const edgeChecks = [
  defineCheck({
    id: 'aeo.reach.edge-policy',
    title: 'The edge lets in search crawlers, user fetchers and crawlers of several purposes',
    failureTitle: 'Let crawlers and fetchers of AI systems through the CDN and firewall',
    scores: ['aeo', 'agent'],
    weight: 5,
    grade: 'A',
    why: 'Networks and firewalls in front of sites decide by class of agent, often by a default that no one chose, and some act on pages with ads only. Googlebot, Bingbot and Applebot serve search and training under one name, so a rule against training can shut them out. Training itself is a choice and costs nothing here.',
    source:
      'https://github.com/cloudflare/cloudflare-docs/pull/31793; https://github.com/HasData/ai-crawler-block-index (10,894 domains, July and September 2026)',
    read: '2026-11-26',
    fix: 'Let the classes that the evidence names pass at the edge; the setting of your provider is named below.',
    gate: { caps: { aeo: 25 } },
    ofRefusals: true,
    needs: ['edge'],
    judge: ({ edge }) => judgePolicy(edge),
  }),
  defineCheck({
    id: 'aeo.reach.robots-vs-edge',
    title: 'The edge lets in whom robots.txt allows',
    failureTitle: 'Let the agents that robots.txt allows through the CDN and firewall',
    weight: 3,
    grade: 'A',
    why: 'robots.txt says what a crawler may, the edge decides what it gets. An agent that is invited and then refused never reports it to the owner; the file looks open and the site is shut. The other way round is no fault: most edges leave it to the crawler to obey. Files for crawlers are asked for under our own name.',
    source:
      'RFC 9309, section 2.2; https://github.com/HasData/ai-crawler-block-index (declared against observed access)',
    read: '2026-11-26',
    fix: 'Decide for each agent in the evidence: allow it at the edge as well, or forbid it in robots.txt.',
    needs: ['edge', 'edgeFiles'],
    judge: judgeDeclared,
  }),
  defineCheck({
    id: 'agent.pay.charged-fetchers',
    title: 'Fetchers that a person sent need not pay',
    failureTitle: 'Stop charging fetchers that a person sent',
    weight: 1,
    grade: 'B',
    why: 'An answer 402 or a crawler-price to a fetcher that a person sent ends the visit: the assistant cannot pay, and the person reads another page. To charge crawlers for training is a choice and not judged.',
    source:
      'https://developers.cloudflare.com/ai-crawl-control/features/pay-per-crawl/; docs.squirrelscan.com, ax/pay-per-crawl',
    read: '2026-11-26',
    fix: 'Take user fetchers and search crawlers out of pay per crawl: set them to allow.',
    needs: ['edge'],
    judge: ({ edge }) => judgeCharges(edge),
  }),
];

const JUDGED: readonly AgentClass[] = ['search', 'user', 'multi-purpose'];
const CLASS_NAMES: Readonly<Record<AgentClass, string>> = {
  search: 'search crawlers',
  user: 'user fetchers',
  'multi-purpose': 'multi-purpose crawlers',
  training: 'training crawlers',
};

/** Those whose refusal alone decides: the search engines that most answers draw on. */
const DECISIVE = ['Googlebot', 'Bingbot'];

const isScored = ({ agent }: AgentReach): boolean => agent.answers && agent.basis !== 'listed';
const isKnown = ({ observed }: AgentReach): boolean => observed !== 'unknown' && observed !== 'not_asked';
const isShut = ({ observed }: AgentReach): boolean =>
  observed === 'refused' || observed === 'charged' || observed === 'other';

const listNames = (reaches: readonly AgentReach[]): string => reaches.map(({ agent }) => agent.token).join(', ');

const buildReachEvidence = ({ agent, asked, declared, exchange, why }: AgentReach): readonly CheckEvidence[] => {
  if (!exchange) return [];
  const as = asked.token === agent.token ? '' : `, asked as ${asked.token}`;
  const excerpt = `${agent.token} (${agent.class}${as}): robots.txt ${declared === 'unknown' ? 'unread' : declared}, ${why}`;
  return [buildEvidence(exchange, { excerpt })];
};

/** Refusals first: a verdict shows ten pieces of evidence. */
const listReachEvidence = (reaches: readonly AgentReach[]): readonly CheckEvidence[] =>
  reaches.toSorted((a, b) => Number(isShut(b)) - Number(isShut(a))).flatMap(buildReachEvidence);

function judgePolicy(edge: Edge): CheckOutcome {
  const { browser, reaches } = edge;
  const known = [...reaches.filter(isKnown), ...(edge.ads?.reaches ?? []).filter(isKnown)];
  const scored = known.filter(isScored);
  const evidence = listReachEvidence(known);
  if (browser.state === 'refused') return judgeShutOut(edge, scored, evidence);
  if (browser.state === 'unknown' || scored.length === 0)
    return verdict.unknown(`Who gets in could not be seen. ${USER_AGENT_CAVEAT}`, evidence);
  const shut = scored.filter(isShut);
  const classes = JUDGED.map((name) => scored.filter(({ agent }) => agent.class === name)).filter(
    (of) => of.length > 0,
  );
  const value = computeAverage(classes.map((of) => 1 - of.filter(isShut).length / of.length));
  const note = [describeShut(shut), describeAds(edge, shut), describeTraining(known), describeUnasked(reaches)];
  const said = joinSentences([...note, ...describeProvider(edge, shut), USER_AGENT_CAVEAT]);
  if (shut.length === 0) return verdict.pass(said, evidence);
  const isDecided = shut.some(({ agent }) => DECISIVE.includes(agent.token)) || value === 0;
  return isDecided ? verdict.fail(said, evidence) : verdict.partial(Math.round(1000 * value) / 1000, said, evidence);
}

/** Every reader that we came as was refused: this is the one thing that was seen. */
function judgeShutOut(edge: Edge, scored: readonly AgentReach[], evidence: readonly CheckEvidence[]): CheckOutcome {
  if (scored.length === 0 || scored.some(({ observed }) => observed !== 'refused' && observed !== 'charged'))
    return verdict.unknown(
      `A browser User-Agent is refused too: we were blocked, which says nothing about the real agents. ${USER_AGENT_CAVEAT}`,
      edge.browser.exchange ? buildEvidence(edge.browser.exchange) : evidence,
    );
  const how = scored[0]?.why ?? 'a refusal';
  const shown = edge.browser.exchange ? [buildEvidence(edge.browser.exchange, { excerpt: `browser: ${how}` })] : [];
  return verdict.fail(
    joinSentences([
      `${EVERY_READER_REFUSED}, a browser included (${how}): who runs no script or comes from an unknown address does not get past the edge.`,
      'Agents that the edge knows by their address may still be let in; look in its log.',
      ...describeProvider(edge, scored),
      USER_AGENT_CAVEAT,
    ]),
    [...shown, ...evidence],
  );
}

const computeAverage = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0) / Math.max(1, values.length);

const joinSentences = (sentences: readonly string[]): string => sentences.filter((text) => text !== '').join(' ');

function describeShut(shut: readonly AgentReach[]): string {
  const parts = JUDGED.flatMap((name) => {
    const of = [
      ...new Map(shut.filter(({ agent }) => agent.class === name).map((one) => [one.agent.token, one])).values(),
    ];
    return of.length === 0 ? [] : [`${CLASS_NAMES[name]} ${listNames(of)}`];
  });
  return parts.length === 0
    ? 'Search crawlers, user fetchers and multi-purpose crawlers get in as a browser does.'
    : `${SHUT_OUT_AT_EDGE} ${parts.join('; ')}.`;
}

function describeAds({ ads }: Edge, shut: readonly AgentReach[]): string {
  if (!ads || shut.length === 0) return ads && !ads.isStart ? 'This holds for a page with ads, too.' : '';
  if (ads.isStart) return 'The page has ads, which some settings act on alone.';
  const onAds = ads.reaches.filter((one) => shut.includes(one));
  return onAds.length === 0 ? '' : `On a page with ads: ${listNames(onAds)}.`;
}

/** What holds for training is the owner's choice; it is said, since it is the likeliest cause. */
function describeTraining(known: readonly AgentReach[]): string {
  const training = known.find(({ agent }) => agent.class === 'training');
  return training && isShut(training) ? `${training.agent.token}, for training, is shut out as well.` : '';
}

function describeUnasked(reaches: readonly AgentReach[]): string {
  const rest = reaches.filter((one) => isScored(one) && !isKnown(one));
  return rest.length === 0 ? '' : `${UNASKED_AT_EDGE} ${listNames(rest)}.`;
}

function describeProvider({ provider }: Edge, shut: readonly AgentReach[]): readonly string[] {
  if (!provider) return [];
  return shut.length === 0 ? [`${provider.name} is in front.`] : [`${provider.name} is in front: ${provider.setting}`];
}

function judgeDeclared({ edge, edgeFiles }: FactsOf<'edge' | 'edgeFiles'>): CheckOutcome {
  if (edge.browser.state !== 'served')
    return verdict.unknown(`A browser is not let in either, so there is nothing to compare. ${USER_AGENT_CAVEAT}`);
  const all = [...edge.reaches, ...(edge.ads?.reaches ?? [])];
  const known = all.filter((one) => isKnown(one) && one.agent.basis !== 'listed' && (one.agent.answers || one.named));
  if (known.length === 0) return verdict.unknown(`No agent of the roster gave an answer. ${USER_AGENT_CAVEAT}`);
  const allowed = known.filter(({ declared }) => declared === 'allowed');
  if (allowed.length === 0 && known.every(({ declared }) => declared === 'unknown'))
    return verdict.unknown('robots.txt could not be read.');
  if (allowed.length + edgeFiles.length === 0)
    return verdict.notApplicable('robots.txt forbids every agent that was asked.');
  const refused = allowed.filter(isShut);
  const files = edgeFiles.filter(({ refusal }) => refusal !== undefined);
  const evidence = [
    ...listReachEvidence(refused),
    ...files.map(({ exchange, what, refusal }) => buildEvidence(exchange, { excerpt: `${what}: ${refusal}` })),
  ];
  const total = allowed.length + edgeFiles.length;
  const value = 1 - (refused.length + files.length) / total;
  if (evidence.length === 0)
    return verdict.pass(
      `${formatCount(allowed.length, 'agent')} that robots.txt allows get in, and ${formatCount(edgeFiles.length, 'file')} for crawlers. ${USER_AGENT_CAVEAT}`,
      listReachEvidence(allowed),
    );
  const note = joinSentences([
    refused.length === 0 ? '' : `Allowed by robots.txt and refused at the edge: ${listNames(refused)}.`,
    files.length === 0 ? '' : `Refused although robots.txt allows them: ${files.map(({ what }) => what).join(', ')}.`,
    USER_AGENT_CAVEAT,
  ]);
  return value === 0 ? verdict.fail(note, evidence) : verdict.partial(Math.round(1000 * value) / 1000, note, evidence);
}

function judgeCharges({ browser, reaches, ads }: Edge): CheckOutcome {
  const known = [...reaches, ...(ads?.reaches ?? [])].filter(
    (one) => isKnown(one) && isScored(one) && one.agent.class !== 'training',
  );
  if (browser.state !== 'served' || known.length === 0)
    return verdict.unknown(`Whether agents are charged could not be seen. ${USER_AGENT_CAVEAT}`);
  const charged = known.filter(({ observed }) => observed === 'charged');
  if (charged.length === 0)
    return verdict.pass(
      `None of ${formatCount(known.length, 'agent')} is asked for money. ${USER_AGENT_CAVEAT}`,
      listReachEvidence(known),
    );
  const note = `Asked for money: ${listNames(charged)}. ${USER_AGENT_CAVEAT}`;
  const evidence = listReachEvidence(charged);
  return charged.some(({ agent }) => agent.class === 'user')
    ? verdict.fail(note, evidence)
    : verdict.partial(0.5, note, evidence);
}
