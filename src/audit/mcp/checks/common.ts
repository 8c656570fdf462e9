import { type CheckOutcome, verdict } from '../../core/check.ts';
import type { CheckEvidence } from '../../core/evidence.ts';
import type { McpDiscovery } from '../facts/discovery.ts';
import type { McpEndpoint } from '../facts/endpoint.ts';
import type { Exchange } from '../../core/snapshot.ts';

/** What every MCP check needs before it judges anything of its own. */
export type McpSurface = { mcpDiscovery: McpDiscovery; mcpEndpoint: McpEndpoint };

/** Characters of a site's own text that evidence may show. */
const MAX_EXCERPT = 300;

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

/** CheckEvidence of one exchange: URL, status and hash of the body, with what `extra` adds. */
export function buildMcpEvidence(exchange: Exchange, extra: Partial<CheckEvidence> = {}): CheckEvidence {
  const { answer, url } = exchange;
  const excerpt = extra.excerpt === undefined ? {} : { excerpt: extra.excerpt.slice(0, MAX_EXCERPT) };
  if (!answer.ok) return { url, ...extra, ...excerpt };
  return { url, status: answer.status, sha256: answer.sha256, ...extra, ...excerpt };
}

/** CheckEvidence of one header of an answer, as `name: value`. */
export function buildHeaderEvidence(exchange: Exchange, name: string): CheckEvidence {
  const value = exchange.answer.ok ? exchange.answer.headers[name] : undefined;
  return buildMcpEvidence(exchange, { header: `${name}: ${value ?? '(absent)'}`.slice(0, MAX_EXCERPT) });
}

/** The start of an answer's body, for evidence. */
export const extractBodyStart = (exchange: Exchange): string =>
  exchange.answer.ok ? exchange.answer.body.slice(0, MAX_EXCERPT) : '';

export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127(?:\.\d{1,3}){3}$/.test(hostname);
