import * as z from 'zod';
import { readApiDescription } from '../../api/facts/api-description.ts';
import { type PaymentPath, listPaymentPaths } from '../../api/facts/openapi.ts';
import type { Artifact } from '../../core/artifact.ts';
import {
  getExchangeLookup,
  listNumberedExchanges,
  type Exchange,
  type ExchangeLookup,
  type Snapshot,
  type SnapshotAnswer,
} from '../../core/snapshot.ts';
import { readRobotsFile } from '../../crawlers/facts/robots-file.ts';
import { readLlmsFile } from '../../llms-txt/facts/llms-files.ts';
import { readDiscovery } from '../../mcp/facts/discovery.ts';
import { type DocumentState, readDocument } from '../../mcp/facts/document.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { isJsonRecord, type Issue, listSchemaIssues, getString } from '../../structured-data/facts/json-document.ts';
import { type A2aCard, readA2aCard } from './a2a-card.ts';
import { AGENT_ROLES, MAX_PAID_PATHS } from './agent-places.ts';
import { type AgentSkillsIndex, type IndexedSkill, readAgentSkills } from './agent-skills.ts';
import { type OfferReading, readPaymentOffer } from './x402-offer.ts';

/** A manifest of the retired ChatGPT plugin platform (archived in January 2024): nothing reads it any more. */
type AiPlugin = { name: string; issues: readonly Issue[] };

const text = z.string('must be a string').min(1, 'must not be empty');
const manifest = z.looseObject({
  schema_version: z.literal('v1', 'must be "v1"'),
  name_for_model: text,
  description_for_model: text,
  api: z.looseObject({ url: text }, 'must be an object'),
});

/** Reads a parsed ai-plugin.json; undefined when the value is nothing of the kind. Never throws. */
export function readAiPlugin(value: unknown): AiPlugin | undefined {
  const known = ['schema_version', 'name_for_model', 'description_for_model', 'name_for_human', 'api'];
  if (!isJsonRecord(value) || !known.some((key) => Object.hasOwn(value, key))) return undefined;
  return { name: (getString(value, 'name_for_model') ?? '').slice(0, 100), issues: listSchemaIssues(manifest, value) };
}

/** `legacy` is /.well-known/agent.json; `legacyIs` how it relates to the card; `claim` where the page names an agent card. */
export type AgentCards = {
  card: DocumentState<A2aCard>;
  legacy: DocumentState<A2aCard>;
  legacyIs: 'same' | 'redirect' | 'older_form' | 'different' | 'alone' | 'none';
  claim: string | undefined;
};

/** Artifact `agentCards`: the A2A agent card at its current and its former place. Never fails as a whole. */
export function readAgentCards(snapshot: Snapshot): Artifact<AgentCards> {
  const find = getExchangeLookup(snapshot);
  const card = readDocument(find('agent-card'), find('control'), readA2aCard);
  const legacy = readDocument(find('agent-json'), find('control'), readA2aCard);
  return {
    state: 'ready',
    value: { card, legacy, legacyIs: compareLegacyCard(card, legacy), claim: findClaimedCard(find) },
  };
}

const removeWhitespace = (body: string): string => body.replaceAll(/\s+/gu, '');

function compareLegacyCard(card: DocumentState<A2aCard>, legacy: DocumentState<A2aCard>): AgentCards['legacyIs'] {
  if (legacy.state !== 'found') return 'none';
  if (legacy.url !== legacy.exchange.url && new URL(legacy.url).pathname.endsWith('/agent-card.json'))
    return 'redirect';
  if (card.state !== 'found') return 'alone';
  if (removeWhitespace(card.answer.body) === removeWhitespace(legacy.answer.body)) return 'same';
  return isOlderFormOf(legacy.document, card.document) ? 'older_form' : 'different';
}

/** The same agent in the form that readers of the former address take: its address is one of those that the card names. */
function isOlderFormOf(legacy: A2aCard, card: A2aCard): boolean {
  const named = new Set(card.interfaces.map(({ url }) => url));
  return (
    legacy.shape === '0.3' &&
    card.shape === '1.0' &&
    legacy.issues.length === 0 &&
    legacy.name === card.name &&
    legacy.interfaces.every(({ url }) => named.has(url))
  );
}

const isAgentCardLink = ({ href }: { href: string }): boolean =>
  /\/\.well-known\/agent(?:-card)?\.json(?:$|[?#])/u.test(href);

function findClaimedCard(find: ExchangeLookup): string | undefined {
  const answer = find('page')?.answer;
  if (!answer?.ok || !isHtmlAnswer(answer)) return undefined;
  const { linkTags, anchors } = getPageFacts(answer);
  return linkTags.find(isAgentCardLink)?.href ?? anchors.find(isAgentCardLink)?.href;
}

export type AgentFiles = { aiPlugin: DocumentState<AiPlugin>; agentsJson: DocumentState<{ keys: readonly string[] }> };

/** Artifact `agentFiles`: manifests of agent conventions without a reader. Never fails as a whole. */
export function readAgentFiles(snapshot: Snapshot): Artifact<AgentFiles> {
  const find = getExchangeLookup(snapshot);
  const aiPlugin = readDocument(find('ai-plugin'), find('control'), readAiPlugin);
  const agentsJson = readDocument(find('agents-json'), find('control'), (value) =>
    isJsonRecord(value) ? { keys: Object.keys(value).slice(0, 20) } : undefined,
  );
  return { state: 'ready', value: { aiPlugin, agentsJson } };
}

/** `asked` are the start URL and the documented paid paths that were asked, `offers` those that answered 402. */
export type Payments = {
  asked: readonly Exchange[];
  offers: readonly { exchange: Exchange; reading: OfferReading }[];
  documented: readonly PaymentPath[];
  documentedOperations: number;
};

/** Artifact `payments`: what the site asks money for, as far as GET requests show. Never fails as a whole. */
export function readPayments(snapshot: Snapshot): Artifact<Payments> {
  const page = getExchangeLookup(snapshot)('page');
  const asked = [...(page ? [page] : []), ...listNumberedExchanges(snapshot, AGENT_ROLES.paid)];
  const offers = asked.flatMap((exchange) => {
    const { answer } = exchange;
    return answer.ok && answer.status === 402 ? [{ exchange, reading: readPaymentOffer(answer) }] : [];
  });
  const api = readApiDescription(snapshot);
  const document = api.state === 'ready' ? api.value.found?.document : undefined;
  const documented = document ? listPaymentPaths(document, new URL(snapshot.url).origin, MAX_PAID_PATHS) : [];
  const documentedOperations = document?.operations.filter(({ paid }) => paid).length ?? 0;
  return { state: 'ready', value: { asked, offers, documented, documentedOperations } };
}

/** A skill of the index that was fetched; `digest` is `unknown` when it could not be read whole. */
export type CheckedSkill = { skill: IndexedSkill; exchange: Exchange; digest: 'matches' | 'differs' | 'unknown' };

export type AgentSkills = {
  index: DocumentState<AgentSkillsIndex>;
  old: DocumentState<AgentSkillsIndex>;
  checked: readonly CheckedSkill[];
};

/** Artifact `agentSkills`: the discovery index of agent skills. Never fails as a whole. */
export function readAgentSkillsFacts(snapshot: Snapshot): Artifact<AgentSkills> {
  const find = getExchangeLookup(snapshot);
  const index = readDocument(find('skills-index'), find('control'), readAgentSkills);
  const old = readDocument(find('skills-index-old'), find('control'), readAgentSkills);
  const fetched = find(AGENT_ROLES.skill);
  const skill =
    index.state === 'found' && fetched ? index.document.skills.find(({ url }) => url === fetched.url) : undefined;
  const checked = skill && fetched ? [{ skill, exchange: fetched, digest: compareDigest(skill, fetched) }] : [];
  return { state: 'ready', value: { index, old, checked } };
}

function compareDigest(skill: IndexedSkill, { answer }: Exchange): CheckedSkill['digest'] {
  if (!answer.ok || answer.truncated || [401, 403, 429].includes(answer.status) || answer.status >= 500)
    return 'unknown';
  return answer.status === 200 && answer.sha256 === skill.sha256 ? 'matches' : 'differs';
}

/** A file by which agents find their way, and whether programs in a browser read it too. */
export type AgentFile = { name: string; exchange: Exchange; answer: SnapshotAnswer; forBrowsers: boolean };

/** `blind`: some place could not be read, so a file may be there that is not listed. */
export type AgentDiscovery = { files: readonly AgentFile[]; blind: boolean };

/** Read by programs, and no file of configuration: how long it is kept is not judged. */
export const API_FILE = 'the API description';

/** Artifact `agentDiscovery`: the files for agents that are there. Never fails as a whole. */
export function readAgentDiscovery(snapshot: Snapshot): Artifact<AgentDiscovery> {
  const find = getExchangeLookup(snapshot);
  const robots = readRobotsFile(snapshot);
  const llms = readLlmsFile(find('llms'), find('control'));
  const cards = readAgentCards(snapshot);
  const { catalog, card } = readDiscovery(find);
  const api = readApiDescription(snapshot);
  const agentCard = cards.state === 'ready' ? cards.value.card : undefined;
  const description = api.state === 'ready' ? api.value.found : undefined;
  const files = [
    robots.state === 'ready' && robots.value.kind === 'file'
      ? buildAgentFile('robots.txt', robots.value.exchange, false)
      : undefined,
    llms.state === 'found' ? buildAgentFile('llms.txt', llms.exchange, true) : undefined,
    agentCard?.state === 'found' ? buildAgentFile('the agent card', agentCard.exchange, true) : undefined,
    catalog.state === 'found' ? buildAgentFile('the AI catalog', catalog.exchange, true) : undefined,
    card?.exchange ? buildAgentFile('the MCP server card', card.exchange, false) : undefined,
    description ? buildAgentFile(API_FILE, description.exchange, true) : undefined,
  ].filter((one) => one !== undefined);
  const blind = robots.state === 'failed' || [llms, agentCard, catalog].some((one) => one?.state === 'unreadable');
  return { state: 'ready', value: { files, blind } };
}

function buildAgentFile(name: string, exchange: Exchange, forBrowsers: boolean): AgentFile | undefined {
  return exchange.answer.ok ? { name, exchange, answer: exchange.answer, forBrowsers } : undefined;
}
