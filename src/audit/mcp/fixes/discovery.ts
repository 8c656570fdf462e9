import { SERVER_CARD_TYPE } from '../facts/server-card.ts';
import { generateMcpFiles } from '../../../fixes/files/mcp-json.ts';
import type { Effort } from '../../../fixes/files/fix.ts';
import { formatJsonForHtml } from '../../../lib/safe-text.ts';
import type { DeployableFile } from '../../../fixes/files/generated-file.ts';
import {
  FIX_FILES,
  defineAdvice,
  reportOnly,
  type FixDraft,
  type FixFile,
  type Recipe,
  type Recipes,
} from '../../../fixes/core/recipe.ts';
import { defineFileRecipe } from '../../../fixes/core/file-recipe.ts';
import type { FixContext } from '../../../fixes/core/fix-context.ts';
import { formatSlot } from '../../../fixes/core/fix-slots.ts';
import { findObservedEndpoint } from '../../../fixes/files/mcp-json-endpoint.ts';
import { isPlainPath } from '../../../fixes/core/server-plan.ts';
import { setHeaders } from '../../../fixes/core/host-headers.ts';
import { redirectPath } from '../../../fixes/core/host-settings.ts';
import { buildServerWork, buildServerSetting } from '../../reach/fixes/reach.ts';
import { buildPageWork } from '../../reach/fixes/render.ts';

const CARD_PATH = `/${FIX_FILES.serverCard}`;

/** Where the published card is; a path that is no plain one is not written into a setting. */
function findCardPath({ audited }: FixContext): string {
  const url = URL.parse(findObservedEndpoint(audited)?.card?.url ?? '');
  return url?.origin === audited.site.start.origin && isPlainPath(url.pathname) ? url.pathname : CARD_PATH;
}

const generated = new WeakMap<FixContext['audited'], Promise<readonly DeployableFile[]>>();

/** The discovery files of the site, written once for all fixes that need one. */
function generateDiscoveryFiles({ audited }: FixContext): Promise<readonly DeployableFile[]> {
  const files = generated.get(audited) ?? generateMcpFiles(audited);
  generated.set(audited, files);
  return files;
}

const findDiscoveryFile = async (fixing: FixContext, path: string): Promise<string | undefined> =>
  (await generateDiscoveryFiles(fixing)).find((file) => file.path === path)?.content;

/** The card is found by its type: it lies beside the endpoint where there is one on the site. */
const generateServerCard = async (fixing: FixContext): Promise<string> =>
  (await generateDiscoveryFiles(fixing)).find(({ media_type: type }) => type === SERVER_CARD_TYPE)?.content ??
  CARD_TEMPLATE;

const CARD_TEMPLATE = `${JSON.stringify(
  {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `com.example/${formatSlot('serverName')}`,
    version: formatSlot('version'),
    description: formatSlot('skill'),
    remotes: [
      { type: 'streamable-http', url: formatSlot('endpoint'), supportedProtocolVersions: ['2026-07-28', '2025-11-25'] },
    ],
  },
  null,
  2,
)}\n`;

const NOTHING_OFFERED =
  'The site offers agents nothing yet that a file could name: no endpoint, agent or described API was seen.';

type Discovery = Pick<FixDraft, 'expect' | 'how'> & { effort?: Effort };

const buildDiscoveryFileRecipe = (file: FixFile, mediaType: string, role: string, { how, expect }: Discovery): Recipe =>
  defineFileRecipe({
    file,
    mediaType,
    role,
    kind: 'json',
    make: (fixing) => findDiscoveryFile(fixing, file),
    without: NOTHING_OFFERED,
    expect,
    ...(how === undefined ? {} : { how }),
  });

/** The catalogue; with a place to fill in where the site has no server yet that it could list. */
async function generateCatalog(fixing: FixContext): Promise<string | undefined> {
  const made = await findDiscoveryFile(fixing, FIX_FILES.aiCatalog);
  if (made?.includes(`"${SERVER_CARD_TYPE}"`) === true || (await generateDiscoveryFiles(fixing)).length === 0)
    return made;
  const { origin, hostname } = fixing.audited.site.start;
  const entry = {
    identifier: `urn:air:${hostname.replaceAll(/[^A-Za-z0-9.-]/g, '-')}:mcp:${formatSlot('serverName')}`,
    displayName: formatSlot('serverName'),
    type: SERVER_CARD_TYPE,
    url: `${origin}${CARD_PATH}`,
  };
  return `${formatJsonForHtml({ specVersion: '1.0', host: { identifier: hostname }, entries: [entry] })}\n`;
}

const buildCatalogRecipe = ({ how, expect, effort }: Discovery): Recipe =>
  defineFileRecipe({
    file: FIX_FILES.aiCatalog,
    mediaType: 'application/ai-catalog+json',
    role: 'mcp-ai-catalog',
    kind: 'json',
    make: generateCatalog,
    without: NOTHING_OFFERED,
    expect,
    ...(how === undefined ? {} : { how }),
    ...(effort === undefined ? {} : { effort }),
  });

const buildCardRecipe = ({ how, expect }: Discovery): Recipe =>
  defineFileRecipe({
    file: FIX_FILES.serverCard,
    mediaType: SERVER_CARD_TYPE,
    make: generateServerCard,
    effort: 'hours',
    expect,
    ...(how === undefined ? {} : { how }),
  });

/** How clients and agents find the MCP server, and what its documents say. */
export const mcpDiscoveryRecipes: Recipes = {
  'mcp.discovery.any': buildCatalogRecipe({
    effort: 'days',
    how: 'First there has to be an MCP server; the catalogue leads to its Server Card, and the card to the endpoint. A site that offers agents nothing to do needs none of this.',
    expect: 'Status 200 with JSON that has entries.',
  }),
  'mcp.discovery.ai-catalog': buildCatalogRecipe({ expect: 'An entry of type application/mcp-server-card+json.' }),
  'mcp.discovery.ai-catalog-valid': buildCatalogRecipe({
    how: 'The content is a catalogue in the present form.',
    expect: 'The JSON pointers of the evidence hold what the draft asks for.',
  }),
  'mcp.discovery.catalog-urls': buildCatalogRecipe({
    expect: 'Each url of the catalogue answers 200.',
  }),
  'mcp.discovery.legacy-mcp-json': buildDiscoveryFileRecipe(FIX_FILES.mcpJson, 'application/json', 'mcp-json', {
    how: 'No standard defines the file: it is a convenience for tools that look there.',
    expect: 'JSON with servers that have a url, or status 404.',
  }),
  'mcp.discovery.agent-json': buildDiscoveryFileRecipe(FIX_FILES.agentCard, 'application/json', 'agent-card', {
    expect: 'A card of A2A 1.0, or status 404.',
  }),
  'mcp.discovery.registry': buildServerWork({
    content: `v=MCPv1; k=ed25519; p=${formatSlot('publicKey')}\n`,
    media_type: 'text/plain',
    expect: 'Status 200 with one line "v=MCPv1; k=...; p=...".',
    at: '/.well-known/mcp-registry-auth',
  }),
  'mcp.discovery.dns-aid': reportOnly(),
  'mcp.discovery.docs-page': buildPageWork({
    content: `<h2 id="mcp">Connect by MCP</h2>\n<p>Endpoint: <code>${formatSlot('endpoint')}</code></p>\n<pre><code class="language-json">{ "mcpServers": { "${formatSlot('serverName')}": { "type": "http", "url": "${formatSlot('endpoint')}" } } }</code></pre>\n`,
    expect: 'The page names MCP and shows the address of the endpoint or a snippet with "mcpServers".',
  }),
  'mcp.card.found': buildCardRecipe({
    how: 'Where another server answers below the endpoint, any path will do that the catalogue names.',
    expect: 'Status 200 with a Server Card.',
  }),
  'mcp.card.schema': buildCardRecipe({ expect: 'The JSON pointers of the evidence hold what the schema asks for.' }),
  'mcp.card.media-type': buildServerSetting(
    (fixing) => setHeaders(findCardPath(fixing), { 'Content-Type': SERVER_CARD_TYPE }),
    {
      expect: 'Content-Type is application/mcp-server-card+json.',
      at: CARD_PATH,
    },
  ),
  'mcp.card.cors': buildServerSetting(
    (fixing) =>
      setHeaders(findCardPath(fixing), { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Methods': 'GET' }),
    {
      expect: 'Access-Control-Allow-Origin is *, and GET is among the allowed methods.',
      at: CARD_PATH,
    },
  ),
  'mcp.card.caching': buildServerSetting(
    (fixing) => setHeaders(findCardPath(fixing), { 'Cache-Control': 'public, max-age=3600' }),
    {
      how: 'Static files have an ETag by themselves.',
      expect: 'Cache-Control has max-age, and there is an ETag.',
      at: CARD_PATH,
    },
  ),
  'mcp.card.remote-https': buildCardRecipe({
    expect: 'Every url in remotes is absolute https, without user name and fragment.',
  }),
  'mcp.card.remote-same-site': buildCardRecipe({
    expect: 'The name begins with the reversed domain of the site.',
  }),
  'mcp.card.versions-true': buildCardRecipe({
    expect: 'supportedProtocolVersions is the list that server/discover returns.',
  }),
  'mcp.card.identity-true': buildCardRecipe({ expect: 'name and version of the card do not contradict serverInfo.' }),
  'mcp.card.no-secrets': buildCardRecipe({
    how: 'Replace the key at its provider first: it has been public.',
    expect: 'The card and mcp.json hold no value, default or token of a secret.',
  }),
  'mcp.card.icons': buildCardRecipe({ expect: 'Each icon is an https or data: address of an image.' }),
  'mcp.card.single-truth': buildCardRecipe({
    how: 'Let one build step write all of them.',
    expect: 'Catalogue, card, mcp.json and llms.txt name the same endpoint.',
  }),
  'agent.a2a.card': buildDiscoveryFileRecipe(FIX_FILES.agentCard, 'application/json', 'agent-card', {
    how: 'Publish it only if an agent answers at the interface it names.',
    expect: 'A card with supportedInterfaces, capabilities, defaultInputModes, defaultOutputModes and skills.',
  }),
  'agent.a2a.legacy-path': buildServerSetting(redirectPath('/.well-known/agent.json', '/.well-known/agent-card.json'), {
    expect: 'The former address answers 308 to the present one.',
    at: '/.well-known/agent.json',
  }),
  'agent.a2a.interface-live': buildServerWork({
    file: FIX_FILES.agentCard,
    how: 'Correct the address in the card, or let the agent answer there. No file can do that.',
    expect: 'The interface of the card answers other than 404 or 5xx.',
    at: '/.well-known/agent-card.json',
  }),
  'agent.skills.index': defineFileRecipe({
    file: FIX_FILES.skillsIndex,
    mediaType: 'application/json',
    role: 'skills-index',
    kind: 'json',
    make: () => SKILLS_INDEX,
    how: 'Compute each digest from the bytes that are served: sha256sum SKILL.md.',
    expect: 'JSON with $schema 0.2.0 and skills whose digests fit the files.',
  }),
  'agent.skills.skill-md': defineAdvice({
    file: FIX_FILES.skill,
    action: 'replace',
    effort: 'hours',
    content: `---\nname: site\ndescription: ${formatSlot('skill')}\n---\n\n# ${formatSlot('skill')}\n\n1. ${formatSlot('step')}\n`,
    media_type: 'text/markdown',
    how: 'The name is that of the folder: small letters, digits and single hyphens.',
    expect: 'Front matter with name and description, and fewer than 500 lines.',
    at: '/.well-known/agent-skills/site/SKILL.md',
  }),
};

const SKILLS_INDEX = `${JSON.stringify(
  {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [
      {
        name: 'site',
        type: 'skill-md',
        description: formatSlot('skill'),
        url: '/.well-known/agent-skills/site/SKILL.md',
        digest: 'sha256:0000000000000000000000000000000000000000000000000000000000000000',
      },
    ],
  },
  null,
  2,
)}\n`;
