import { parseMediaType } from '../../../lib/media-type.ts';
import { sum } from '../../../lib/numbers.ts';
import { type CheckOutcome, defineCheck, type FactsOf, verdict } from '../../core/check.ts';
import type { A2aCard } from '../../agent-files/facts/a2a-card.ts';
import { type AiCatalogDocument, isServerCardEntry } from '../../agent-files/facts/ai-catalog.ts';
import { issueNote, formatIssues } from '../../structured-data/facts/json-document.ts';
import type { CatalogUrl } from '../facts/cards.ts';
import type { Site } from '../../core/site.ts';
import type { McpDiscovery } from '../facts/discovery.ts';
import type { McpSign } from '../facts/mention.ts';
import type { DocumentState } from '../facts/document.ts';
import { isRefusalStatus } from '../../reach/facts/blocked-crawler.ts';
import { buildRequestEvidence, extractBodyStart } from '../../core/evidence.ts';
import { CARD_DISCOVERY, defineMcpCheck, detectMcpSurface, type McpSurface } from './common.ts';

const CATALOG_DRAFT = 'https://github.com/Agent-Card/ai-catalog specification/ai-catalog.md (draft 0.9 to 0.91)';
export const mcpDiscoveryChecks = [
  defineCheck({
    id: 'mcp.discovery.any',
    title: 'Some MCP surface is discoverable',
    failureTitle: 'Make an MCP surface discoverable',
    weight: 6,
    grade: 'B',
    why: 'A client that finds neither a catalog, nor a card, nor an endpoint has nothing to connect to, so nothing else about MCP can matter. Asked of sites that speak of MCP or an API, or are audited with the profile mcp or api.',
    source: `SEP-2127, https://modelcontextprotocol.io/seps/2127-mcp-server-cards; ${CARD_DISCOVERY}, "Client Discovery Flow"`,
    fix: 'Publish /.well-known/ai-catalog.json with an entry for your Server Card, and serve the card; generate_mcp_json drafts the documents.',
    capabilities: ['check_mcp'],
    gate: { caps: { mcp: 0 } },
    needs: ['mcpDiscovery', 'mcpEndpoint', 'mcpMention'],
    judge: judgeAny,
  }),
  defineMcpCheck({
    id: 'mcp.discovery.ai-catalog',
    title: 'AI Catalog lists the server',
    failureTitle: 'List the server in the AI Catalog',
    weight: 3,
    grade: 'B',
    why: 'The Server Card extension names this catalog as the one place from which clients find the servers of a domain.',
    source: `${CARD_DISCOVERY}, "Well-Known URI": clients SHOULD attempt to retrieve /.well-known/ai-catalog.json; ${CATALOG_DRAFT}`,
    fix: 'Serve /.well-known/ai-catalog.json with specVersion and an entry of type application/mcp-server-card+json.',
    capabilities: ['check_mcp'],

    judge: ({ mcpDiscovery }) => judgeCatalog(mcpDiscovery.catalog),
  }),
  defineMcpCheck({
    id: 'mcp.discovery.ai-catalog-valid',
    title: 'The catalog is valid',
    failureTitle: 'Correct the AI Catalog',
    weight: 2,
    grade: 'B',
    why: 'Readers skip entries that break the format, so an invalid entry is as good as none.',
    source: `${CATALOG_DRAFT}, "Catalog Entry"; https://github.com/ards-project/ard-spec spec/schemas/ai-catalog.schema.json`,
    fix: 'Correct the members at the JSON pointers shown: identifier, type, and exactly one of url and data in every entry.',
    capabilities: ['check_mcp'],

    judge: ({ mcpDiscovery }) => judgeCatalogValid(mcpDiscovery.catalog),
  }),
  defineMcpCheck({
    id: 'mcp.discovery.catalog-urls',
    title: 'Catalog URLs resolve',
    failureTitle: 'Repair the broken addresses of the catalog',
    weight: 2,
    grade: 'B',
    why: 'A catalog that leads to dead or mistyped documents costs every client a failed request and its trust.',
    source: `${CATALOG_DRAFT}, "Catalog Entry": the document at url SHOULD be served with the declared media type`,
    fix: 'Make every url in the catalog answer 200 with the media type its entry declares, or remove the entry.',
    capabilities: ['check_mcp'],

    judge: ({ mcpDiscovery }) => judgeCatalogUrls(mcpDiscovery.catalogUrls),
  }),
  defineMcpCheck({
    id: 'mcp.discovery.legacy-mcp-json',
    title: '/.well-known/mcp.json is detected',
    failureTitle: 'Correct /.well-known/mcp.json',
    weight: 1,
    grade: 'C',
    why: 'No standard defines this file, but many tools look only here; one that cannot be read misleads them.',
    source: 'Convention; SEP-1649 and SEP-1960, superseded by SEP-2127',
    fix: 'Serve JSON with url, endpoint, servers, mcpServers or remotes that names your endpoint (generate_mcp_json), or remove the file.',
    capabilities: ['check_mcp'],

    judge: judgeMcpJson,
  }),
  defineCheck({
    id: 'mcp.discovery.agent-json',
    title: 'agent.json / agent-card.json is detected',
    failureTitle: 'Correct the agent card for MCP clients',
    weight: 0,
    grade: 'C',
    why: 'An agent card speaks of A2A, not of MCP; people look for both in one place, so it is reported here and scored there.',
    source:
      'A2A specification, "Agent Discovery" (/.well-known/agent-card.json); agent.json is the place of versions before 0.3',
    fix: 'See agent.a2a.card.',
    capabilities: ['check_mcp'],
    needs: ['agentCards'],
    judge: ({ agentCards }) => judgeAgentCards([agentCards.card, agentCards.legacy]),
  }),
];

function judgeAny(facts: McpSurface & FactsOf<'mcpMention'>, site: Site): CheckOutcome {
  const { mcpDiscovery, mcpEndpoint, mcpMention } = facts;
  const { tried } = mcpDiscovery;
  const evidence = tried.map(({ exchange, saw }) => buildRequestEvidence(exchange, { excerpt: saw }));
  const surface = detectMcpSurface(facts);
  const linked = mcpEndpoint.state === 'not_probed' ? [{ url: mcpEndpoint.url, excerpt: 'declared, not probed' }] : [];
  if (surface === 'none') {
    const none = `No MCP surface was found at any of ${tried.length} places`;
    const reasons = listReasons(mcpMention.signs, site);
    if (reasons.length === 0)
      return verdict.notApplicable(
        `${none}, and nothing on the site speaks of MCP or an API. To have it judged all the same, name the profile mcp or api.`,
      );
    const seen = mcpMention.signs.map(({ at }) => at);
    return verdict.fail(`${none}. One is expected because of ${reasons.join(', ')}.`, [...seen, ...evidence]);
  }
  if (surface === 'unknown')
    return verdict.unknown('No MCP surface was seen, but not every place could be read.', [...evidence, ...linked]);
  const routes = listDiscoveryRoutes(mcpDiscovery);
  const live = mcpEndpoint.state === 'probed' && mcpEndpoint.access !== 'silent' ? ['an endpoint that answers'] : [];
  return verdict.pass(`Found ${[...routes, ...live].join(', ')}.`, evidence);
}

/** Why an MCP server is expected of the site, in our words; empty where none is. */
const listReasons = (signs: readonly McpSign[], { profile }: Site): readonly string[] => [
  ...new Set([
    ...(profile.name === 'mcp' || profile.name === 'api' ? [`the profile ${profile.name}`] : []),
    ...signs.map(({ text }) => text),
  ]),
];

function listDiscoveryRoutes({ catalog, card, mcpJson, servers }: McpDiscovery): readonly string[] {
  return [
    ...(catalog.state === 'found' && catalog.document.entries.some(isServerCardEntry) ? ['an AI Catalog entry'] : []),
    ...(card ? ['a Server Card'] : []),
    ...(mcpJson.state === 'found' ? ['mcp.json'] : []),
    ...(servers.state === 'found' ? ['servers.json'] : []),
  ];
}

function judgeCatalog(catalog: DocumentState<AiCatalogDocument>): CheckOutcome {
  if (catalog.state !== 'found') return judgeMissingDocument('/.well-known/ai-catalog.json', catalog);
  const { document, exchange } = catalog;
  const evidence = buildRequestEvidence(exchange, { excerpt: extractBodyStart(exchange) });
  const entries = document.entries.filter(isServerCardEntry);
  if (entries.length === 0)
    return verdict.fail('The catalog has no entry of type application/mcp-server-card+json.', evidence);
  if (document.specVersion === undefined)
    return verdict.partial(0.5, 'The catalog lists a server, but no specVersion.', evidence);
  return verdict.pass(
    `The catalog (specVersion ${document.specVersion.slice(0, 40)}) lists ${entries.length} MCP server(s).`,
    evidence,
  );
}

function judgeCatalogValid(catalog: DocumentState<AiCatalogDocument>): CheckOutcome {
  if (catalog.state === 'invalid') return judgeMissingDocument('/.well-known/ai-catalog.json', catalog);
  if (catalog.state !== 'found') return verdict.notApplicable('There is no AI Catalog.');
  const { document, exchange } = catalog;
  const { entries, issues, warnings } = document;
  if (entries.length === 0) return verdict.notApplicable('The catalog has no entries.');
  const evidence = buildRequestEvidence(exchange, { excerpt: formatIssues(issues.length > 0 ? issues : warnings) });
  if (issues.length === 0) {
    const hints = warnings.length > 0 ? ` Worth a look: ${issueNote(warnings, 2)}.` : '';
    return verdict.pass(`All ${entries.length} entries are valid.${hints}`, evidence);
  }
  const broken = new Set(issues.map(({ pointer }) => pointer.split('/', 3).join('/')));
  const sound = entries.filter(({ index }) => !broken.has(`/entries/${index}`)).length;
  const note = `${issueNote(issues)}.`;
  return sound === 0
    ? verdict.fail(note, evidence)
    : verdict.partial(Math.min(sound / entries.length, 0.9), note, evidence);
}

function judgeCatalogUrls(urls: readonly CatalogUrl[]): CheckOutcome {
  if (urls.length === 0) return verdict.notApplicable('The catalog lists no URLs.');
  const asked = urls.flatMap(({ entry, exchange }) => (exchange ? [{ type: entry.type ?? '', exchange }] : []));
  const read = asked.filter(
    ({ exchange: { answer } }) => answer.ok && answer.status < 500 && !isRefusalStatus(answer.status),
  );
  const evidence = asked.map(({ type, exchange }) =>
    buildRequestEvidence(exchange, { excerpt: `declared as ${type}` }),
  );
  if (read.length === 0) return verdict.unknown('None of the catalog URLs could be read.', evidence);
  const worth = read.map(({ type, exchange }) => scoreUrlType(type, exchange));
  const value = sum(worth) / worth.length;
  const good = worth.filter((one) => one === 1).length;
  const note = `${good} of ${read.length} fetched catalog URLs answer 200 with the declared type (${urls.length} considered).`;
  if (value === 1) return verdict.pass(note, evidence);
  return value === 0 ? verdict.fail(note, evidence) : verdict.partial(Math.round(value * 1000) / 1000, note, evidence);
}

/** Plain JSON where a JSON media type was declared is half of what was promised. */
function scoreUrlType(type: string, { answer }: CatalogUrl['exchange'] & object): number {
  if (!answer.ok || answer.status !== 200) return 0;
  const served = parseMediaType(answer.headers['content-type'] ?? '');
  if (served === type.toLowerCase()) return 1;
  return served === 'application/json' && type.toLowerCase().endsWith('json') ? 0.5 : 0;
}

function judgeMcpJson({ mcpDiscovery: { mcpJson } }: FactsOf<'mcpDiscovery'>): CheckOutcome {
  if (mcpJson.state === 'absent' || mcpJson.state === 'not_read') {
    return verdict.notApplicable('There is no /.well-known/mcp.json, and none is needed beside a Server Card.');
  }
  if (mcpJson.state !== 'found') return judgeMissingDocument('/.well-known/mcp.json', mcpJson);
  const { shapes, endpoints, commands } = mcpJson.document;
  const evidence = buildRequestEvidence(mcpJson.exchange, { excerpt: `members: ${shapes.join(', ')}` });
  if (endpoints.length === 0 && commands > 0) {
    return verdict.partial(
      0.5,
      'mcp.json only lists local commands for a client to run; it names no endpoint.',
      evidence,
    );
  }
  return verdict.pass(`mcp.json has ${shapes.join(', ')} and names ${endpoints.length} endpoint(s).`, evidence);
}

/** Reported, never scored: an absent agent card is no fault of an MCP server. */
function judgeAgentCards(cards: readonly DocumentState<A2aCard>[]): CheckOutcome {
  const found = cards.find((card) => card.state === 'found');
  if (found?.state === 'found') {
    const { name, shape } = found.document;
    return verdict.pass(
      `An agent card of A2A ${shape} is there.`,
      buildRequestEvidence(found.exchange, { excerpt: name }),
    );
  }
  // Something unusable is a finding, something unread is not; a plain 404 is neither.
  for (const state of ['invalid', 'unreadable'] as const) {
    const card = cards.flatMap((one) => (one.state === state ? [one] : []))[0];
    if (card) return judgeMissingDocument('The agent card', card);
  }
  return verdict.notApplicable('There is no A2A agent card.');
}

/** The outcome for a document that should be there: what could not be read is never "no". */
function judgeMissingDocument(path: string, state: Exclude<DocumentState<unknown>, { state: 'found' }>): CheckOutcome {
  const note = `${path} ${state.why}.`;
  const evidence = state.exchange
    ? buildRequestEvidence(state.exchange, { excerpt: extractBodyStart(state.exchange) })
    : [];
  return state.state === 'unreadable' || state.state === 'not_read'
    ? verdict.unknown(note, evidence)
    : verdict.fail(note, evidence);
}
