import type { ArtifactName } from '../../core/artifacts.ts';
import {
  defineCheck,
  verdict,
  type AnyCheck,
  type AuditCheck,
  type CheckOutcome,
  type FactsOf,
} from '../../core/check.ts';
import type { Site } from '../../core/site.ts';

/** Documents that several checks cite. */
export const CARD_DISCOVERY = 'https://github.com/modelcontextprotocol/experimental-ext-server-card docs/discovery.md';
export const TRANSPORT = 'MCP 2026-07-28 basic/transports/streamable-http';

/** What every MCP check needs before it judges anything of its own. */
export type McpSurface = FactsOf<'mcpDiscovery' | 'mcpEndpoint'>;

/**
 * Whether the site has an MCP surface: a document of any kind, or a link to an endpoint that answers as MCP.
 * `unknown` when none was found but a place, or the linked endpoint, could not be read.
 */
export function detectMcpSurface({ mcpDiscovery, mcpEndpoint }: McpSurface): 'found' | 'none' | 'unknown' {
  if (mcpDiscovery.documents !== 'none' || mcpEndpoint.state === 'undeclared') return mcpDiscovery.documents;
  if (mcpEndpoint.state === 'not_probed') return 'unknown';
  const { access } = mcpEndpoint;
  if (access === 'silent') return 'none';
  return access === 'unread' || access === 'refused' ? 'unknown' : 'found';
}

/** The outcome of a check that has nothing to judge because the site has no MCP surface; undefined when it has one. */
function withoutSurface(facts: McpSurface): CheckOutcome | undefined {
  const surface = detectMcpSurface(facts);
  if (surface === 'found') return undefined;
  if (surface === 'none') return verdict.notApplicable('No MCP surface was found; see mcp.discovery.any.');
  const { mcpEndpoint } = facts;
  const linked = mcpEndpoint.state === 'undeclared' ? [] : [{ url: mcpEndpoint.url }];
  return verdict.unknown('Whether there is an MCP surface could not be seen; see mcp.discovery.any.', linked);
}

/** A check of an MCP surface: `needs` and `judge` are what it asks beyond whether there is one. */
type McpCheck<Name extends ArtifactName> = Omit<AuditCheck<Name>, 'needs' | 'judge'> & {
  needs?: readonly Name[];
  judge: (facts: McpSurface & FactsOf<Name>, site: Site) => CheckOutcome;
};

/** Defines a check that is not applicable to a site without an MCP surface. */
export const defineMcpCheck = <const Name extends ArtifactName = never>({
  needs = [],
  judge,
  ...check
}: McpCheck<Name>): AnyCheck =>
  defineCheck<Name | keyof McpSurface>({
    ...check,
    needs: ['mcpDiscovery', 'mcpEndpoint', ...needs],
    judge: (facts, site) => withoutSurface(facts) ?? judge(facts, site),
  });

export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127(?:\.\d{1,3}){3}$/.test(hostname);
