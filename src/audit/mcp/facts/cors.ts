import type { Exchange, ExchangeLookup } from '../../core/snapshot.ts';
import { MAX_VERSION_PROBES, MCP_ROLES } from './places.ts';

/** An answer to a POST that browsers of another origin may read, and the `Access-Control-Allow-Origin` it carries. */
export type OpenAnswer = { exchange: Exchange; allowed: string };

/** Members of a comma-separated header that are read. */
const MAX_LISTED = 100;

/**
 * The first answer of the endpoint that allows another origin to read it; undefined when CORS is not offered. The answer
 * to a foreign origin counts unless it refuses it, as it should.
 */
export function findCorsAnswer(find: ExchangeLookup): OpenAnswer | undefined {
  const handshakes = Array.from({ length: MAX_VERSION_PROBES }, (_, index) => `${MCP_ROLES.initialize}:${index}`);
  for (const role of [MCP_ROLES.discover, ...handshakes, `${MCP_ROLES.tools}:0`, MCP_ROLES.origin]) {
    const exchange = find(role);
    if (!exchange || (role === MCP_ROLES.origin && exchange.answer.ok && exchange.answer.status === 403)) continue;
    const allowed = findAllowedOrigin(exchange);
    if (allowed !== undefined) return { exchange, allowed };
  }
  return undefined;
}

/** The value of `Access-Control-Allow-Origin`, if it allows any other origin. */
export function findAllowedOrigin({ answer }: Exchange): string | undefined {
  const value = answer.ok ? answer.headers['access-control-allow-origin']?.trim() : undefined;
  return value === undefined || value === '' || value === 'null' ? undefined : value;
}

/** An origin that the server means to allow: the one its answer names, else that of the audited site. */
export function selectPreflightOrigin(allowed: string, audited: URL): string {
  const named = URL.parse(allowed);
  return named && /^https?:$/.test(named.protocol) ? named.origin : audited.origin;
}

/** The names in a comma-separated header, lower case; empty when it is absent. */
export const listHeaderNames = ({ answer }: Exchange, header: string): readonly string[] =>
  answer.ok
    ? (answer.headers[header] ?? '')
        .split(',', MAX_LISTED)
        .map((name) => name.trim().toLowerCase())
        .filter((name) => name !== '')
    : [];
