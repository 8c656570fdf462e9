import { type FactsOf, type CheckOutcome, verdict } from '../../core/check.ts';

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
export function withoutSurface(facts: McpSurface): CheckOutcome | undefined {
  const surface = detectMcpSurface(facts);
  if (surface === 'found') return undefined;
  if (surface === 'none') return verdict.notApplicable('No MCP surface was found; see mcp.discovery.any.');
  const { mcpEndpoint } = facts;
  const linked = mcpEndpoint.state === 'undeclared' ? [] : [{ url: mcpEndpoint.url }];
  return verdict.unknown('Whether there is an MCP surface could not be seen; see mcp.discovery.any.', linked);
}

/** Puts the question for a surface in front of a judge. */
export const onSurface =
  <A extends McpSurface, Rest extends readonly unknown[]>(judge: (facts: A, ...rest: Rest) => CheckOutcome) =>
  (facts: A, ...rest: Rest): CheckOutcome =>
    withoutSurface(facts) ?? judge(facts, ...rest);

export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127(?:\.\d{1,3}){3}$/.test(hostname);
