import { notApplicable, type Outcome, unknown } from '../../core/check.ts';
import type { Evidence } from '../../core/evidence.ts';
import type { McpDiscovery } from '../facts/discovery.ts';
import type { McpEndpoint } from '../facts/endpoint.ts';
import type { Exchange } from '../../core/snapshot.ts';

/** What every MCP check needs before it judges anything of its own. */
export type McpSurface = { mcpDiscovery: McpDiscovery; mcpEndpoint: McpEndpoint };

/** Characters of a site's own text that evidence may show. */
const MAX_EXCERPT = 300;

/**
 * Tells whether the site has an MCP surface: a document of any kind, or a link to an endpoint that answers as MCP.
 * `unknown` when none was found but a place, or the linked endpoint, could not be read.
 */
export function surfaceOf({ mcpDiscovery, mcpEndpoint }: McpSurface): 'found' | 'none' | 'unknown' {
  if (mcpDiscovery.documents !== 'none' || mcpEndpoint.state === 'undeclared') return mcpDiscovery.documents;
  if (mcpEndpoint.state === 'not_probed') return 'unknown';
  const { access } = mcpEndpoint;
  if (access === 'silent') return 'none';
  return access === 'unread' || access === 'refused' ? 'unknown' : 'found';
}

/** The outcome of a check that has nothing to judge because the site has no MCP surface; undefined when it has one. */
export function withoutSurface(facts: McpSurface): Outcome | undefined {
  const surface = surfaceOf(facts);
  if (surface === 'found') return undefined;
  if (surface === 'none') return notApplicable('No MCP surface was found; see mcp.discovery.any.');
  const { mcpEndpoint } = facts;
  const linked = mcpEndpoint.state === 'undeclared' ? [] : [{ url: mcpEndpoint.url }];
  return unknown('Whether there is an MCP surface could not be seen; see mcp.discovery.any.', linked);
}

/** Puts the question for a surface in front of a judge. */
export const onSurface =
  <A extends McpSurface, Rest extends readonly unknown[]>(judge: (facts: A, ...rest: Rest) => Outcome) =>
  (facts: A, ...rest: Rest): Outcome =>
    withoutSurface(facts) ?? judge(facts, ...rest);

/** Evidence of one exchange: URL, status and hash of the body, with what `extra` adds. */
export function seen(exchange: Exchange, extra: Partial<Evidence> = {}): Evidence {
  const { answer, url } = exchange;
  const excerpt = extra.excerpt === undefined ? {} : { excerpt: extra.excerpt.slice(0, MAX_EXCERPT) };
  if (!answer.ok) return { url, ...extra, ...excerpt };
  return { url, status: answer.status, sha256: answer.sha256, ...extra, ...excerpt };
}

/** Evidence of one header of an answer, as `name: value`. */
export function seenHeader(exchange: Exchange, name: string): Evidence {
  const value = exchange.answer.ok ? exchange.answer.headers[name] : undefined;
  return seen(exchange, { header: `${name}: ${value ?? '(absent)'}`.slice(0, MAX_EXCERPT) });
}

/** The start of an answer's body, for evidence. */
export const bodyStart = (exchange: Exchange): string =>
  exchange.answer.ok ? exchange.answer.body.slice(0, MAX_EXCERPT) : '';

export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127(?:\.\d{1,3}){3}$/.test(hostname);
