import * as z from 'zod';
import { readApiDescription } from '../../audit/api/facts/api-description.ts';
import { SERVER_CARD_TYPE } from '../../audit/mcp/facts/server-card.ts';
import { buildOlderAgentCard, buildSiteAgentCard, hasAgent, hasOlderAgent } from './agent-card.ts';
import { listSiteActions } from './agent-card-actions.ts';
import { buildSiteAiCatalog } from './ai-catalog.ts';
import { type Audited, createSiteFile, type DeployableFile } from './generated-file.ts';
import { getExchangeLookup } from '../../audit/core/snapshot.ts';
import { readExistence } from '../../audit/reach/facts/existence.ts';
import { readPageFacts } from '../../audit/reach/facts/site-files.ts';
import { readSiteIdentity } from './site-identity.ts';
import { type ObservedEndpoint, findObservedEndpoint } from './mcp-json-endpoint.ts';
import { normaliseOwnUrl } from './safe-site.ts';
import { formatJsonForHtml } from '../../lib/safe-text.ts';
import { buildSiteServerCard } from './server-card.ts';
import { formatSlot } from '../core/fix-slots.ts';

/** The request for the card at its former address. */
const LEGACY_CARD = 'agent-json';

const httpUrl = z.url({ protocol: /^https?$/u });

/**
 * /.well-known/mcp.json as this module writes it. No standard defines the file; the members are those that the tools which
 * read it look for. Without an endpoint it has no `servers`, so that no reader takes the draft for a server.
 */
export const mcpJsonSchema = z.strictObject({
  _comment: z.string(),
  name: z.string().min(1),
  description: z.string().min(1),
  website: httpUrl,
  servers: z
    .array(
      z.strictObject({
        name: z.string().min(1),
        url: httpUrl,
        transport: z.enum(['streamable-http', 'sse']),
        protocolVersions: z.array(z.string()).optional(),
        card: httpUrl,
      }),
    )
    .optional(),
  endpoint_needed: z.string().startsWith('[FACT NEEDED: ').optional(),
  openapi: httpUrl.optional(),
  site_actions: z.array(
    z.strictObject({
      id: z.string().min(1),
      name: z.string().min(1),
      description: z.string().min(1),
      from: z.enum(['openapi', 'form']),
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY']),
      target: z.string(),
    }),
  ),
});

type McpJson = z.infer<typeof mcpJsonSchema>;

/** What all the files say of the site. `name` is its host where the site gives none. */
type Words = { name: string; description: string; websiteUrl: string; openapi?: string };

/**
 * Writes /.well-known/mcp.json (a convenience, no standard), /.well-known/agent-card.json (A2A 1.0), its older form at
 * the former agent.json, /.well-known/ai-catalog.json, and the Server Card of the MCP endpoint: none of them for a site that offers programs nothing. They are built from the
 * site's OpenAPI document, forms and present documents. They name an endpoint only when the audit saw it: without an
 * MCP endpoint there is no Server Card, and what must be known first is a `[FACT NEEDED: ...]` slot.
 * @param asked the caller wants the files all the same: then they are drafts that say what is missing.
 * @param lean cards only for a site whose agent or skills are known: others would hold slots, and the same ones twice.
 */
export async function generateMcpFiles(
  audited: Audited,
  { asked = false, lean = false }: { asked?: boolean; lean?: boolean } = {},
): Promise<readonly DeployableFile[]> {
  const { start } = audited.site;
  const words = readServerWords(audited);
  const endpoint = findObservedEndpoint(audited);
  if (!asked && !hasAgentOffer(audited, words, endpoint)) return [];
  const place = endpoint ? findCardPlace(endpoint, start) : undefined;
  const title = endpoint?.title || words.name;
  const card = endpoint ? buildSiteServerCard(endpoint, { ...words, title: words.name }, start) : undefined;
  const agent = buildSiteAgentCard(audited, words);
  const parts = {
    siteName: words.name,
    start,
    ...(card && place ? { server: { name: card.name, title, cardUrl: place.url } } : {}),
    ...(hasAgent(audited)
      ? { agent: { name: agent.name, cardUrl: formatWellKnownUrl('agent-card.json', start) } }
      : {}),
  };
  const hasCards = !lean || hasAgent(audited) || agent.skills.length > 0;
  const hasOlder = asked ? hasCards : hasPublished(audited, LEGACY_CARD) && hasOlderAgent(audited);
  // A catalogue of nothing says nothing.
  const catalog = 'server' in parts || 'agent' in parts ? buildSiteAiCatalog(parts) : undefined;
  return Promise.all([
    createSiteFile(
      '.well-known/mcp.json',
      'application/json',
      toJson(buildMcpJson(audited, words, endpoint, place?.url)),
    ),
    ...(hasCards ? [createSiteFile('.well-known/agent-card.json', 'application/json', toJson(agent))] : []),
    // Unasked, the former address is kept only for an agent that its readers can speak to.
    ...(hasOlder
      ? [createSiteFile('.well-known/agent.json', 'application/json', toJson(buildOlderAgentCard(audited, agent)))]
      : []),
    ...(catalog ? [createSiteFile('.well-known/ai-catalog.json', 'application/ai-catalog+json', toJson(catalog))] : []),
    ...(card && place ? [createSiteFile(place.path, SERVER_CARD_TYPE, toJson(card))] : []),
  ]);
}

/** Whether files for agents would hold anything of the site's: what it is, an offer as below, or an action of its forms. */
export function hasAgentFacts(audited: Audited): boolean {
  const words = readServerWords(audited);
  const isOffered = hasAgentOffer(audited, words, findObservedEndpoint(audited));
  return words.description !== '' || isOffered || listSiteActions(audited).length > 0;
}

/**
 * Whether the site offers programs something to do, as far as it shows: an endpoint, a card, a catalogue or an mcp.json of
 * its own, an API that it describes, or a form that it declares as a tool. A shop or an inn as such does not.
 */
function hasAgentOffer(audited: Audited, { openapi }: Words, endpoint: ObservedEndpoint | undefined): boolean {
  const page = readPageFacts(audited.snapshot);
  const tools = page.state === 'ready' && page.value.forms.some(({ toolName }) => toolName !== '');
  const published = ['agent-card', LEGACY_CARD, 'mcp-ai-catalog', 'mcp-json'];
  return (
    endpoint !== undefined || openapi !== undefined || tools || published.some((role) => hasPublished(audited, role))
  );
}

function hasPublished({ snapshot }: Audited, role: string): boolean {
  const find = getExchangeLookup(snapshot);
  return readExistence(find(role), find('control'), 'json').state === 'exists';
}

const toJson = (value: unknown): string => `${formatJsonForHtml(value)}\n`;
const formatWellKnownUrl = (name: string, start: URL): string => new URL(`/.well-known/${name}`, start).href;

function readServerWords(audited: Audited): Words {
  const { snapshot, site } = audited;
  const identity = readSiteIdentity(audited);
  const api = readApiDescription(snapshot);
  const document = api.state === 'ready' ? api.value.found?.answer.url : undefined;
  const openapi = document === undefined ? undefined : normaliseOwnUrl(document, site.start);
  return {
    name: identity.name || identity.title || site.start.host,
    description: identity.summary,
    websiteUrl: `${site.start.origin}/`,
    ...(openapi === undefined ? {} : { openapi }),
  };
}

/**
 * A path whose parts are plain names without a dot: what the site calls its endpoint must not lead a file out of its
 * folder (rule X2), nor make a folder of the name of a file such as llms.txt.
 */
const PLAIN_PATH = /^(?:\/[A-Za-z0-9_-][A-Za-z0-9_~-]{0,100}){1,8}$/u;

/** The reserved place beside the endpoint where that is on this site and a plain path, else one below /.well-known/. */
function findCardPlace({ url }: ObservedEndpoint, start: URL): { path: string; url: string } {
  const { origin, pathname, search } = new URL(url);
  const folder = pathname.replace(/\/$/u, '');
  const path =
    origin === start.origin && search === '' && PLAIN_PATH.test(folder)
      ? `${folder.slice(1)}/server-card`
      : '.well-known/mcp/server-card.json';
  return { path, url: new URL(`/${path}`, start).href };
}

const COMMENT =
  'A convenience for tools that look here. It is not a standard: MCP clients find servers through /.well-known/ai-catalog.json and the Server Card (SEP-2127). site_actions lists what the site itself offers by its API description and forms; it does not say that an MCP server offers it.';
const UNFINISHED =
  ' The audit saw no MCP endpoint: publish this file once endpoint_needed is replaced by a servers list.';

function buildMcpJson(
  audited: Audited,
  { name, description, websiteUrl, openapi }: Words,
  endpoint: ObservedEndpoint | undefined,
  card: string | undefined,
): McpJson {
  const servers = endpoint && card !== undefined ? { servers: [buildServerEntry(endpoint, name, card)] } : undefined;
  return mcpJsonSchema.parse({
    _comment: servers ? COMMENT : COMMENT + UNFINISHED,
    name,
    description: description || formatSlot('siteOffer'),
    website: websiteUrl,
    ...(servers ?? { endpoint_needed: formatSlot('liveEndpoint') }),
    ...(openapi === undefined ? {} : { openapi }),
    site_actions: listSiteActions(audited).map(({ id, name: title, description: about, from, method, target }) => ({
      id,
      name: title,
      description: about || formatSlot('actionNote'),
      from,
      method,
      target,
    })),
  });
}

const buildServerEntry = (
  { title, url, transport, versions }: ObservedEndpoint,
  name: string,
  card: string,
): NonNullable<McpJson['servers']>[number] => ({
  name: title || name,
  url,
  transport,
  ...(versions.length === 0 ? {} : { protocolVersions: [...versions] }),
  card,
});
