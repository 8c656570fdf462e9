import { isJsonRecord, parseSiteJson, getString } from '../../audit/structured-data/facts/json-document.ts';
import { type McpDiscovery, readDiscovery } from '../../audit/mcp/facts/discovery.ts';
import { type McpEndpoint, readEndpoint, findServerInfo } from '../../audit/mcp/facts/endpoint.ts';
import { getExchangeLookup } from '../../audit/core/snapshot.ts';
import type { Audited } from './generated-file.ts';
import { cleanFirstText, cleanSiteText, normaliseSafeUrl } from './safe-site.ts';

const MAX_NAME_CHARS = 100;
const MAX_VERSIONS = 10;

/**
 * The MCP endpoint that the audit saw, and what the live server and its card say of it ('' for what they do not say). `seen` is
 * `live` when it answered the audit as MCP or asked for authorization or payment, else `declared`: the site's own
 * documents name it, and nothing contradicted them.
 */
export type ObservedEndpoint = {
  url: string;
  seen: 'live' | 'declared';
  transport: 'streamable-http' | 'sse';
  versions: readonly string[];
  name: string;
  title: string;
  description: string;
  version: string;
  /** Headers that the published card asks clients to send; never their values. */
  headers: readonly ObservedHeader[];
  /** The Server Card that the site publishes now. */
  card: McpDiscovery['card'];
};

export type ObservedHeader = { name: string; description?: string; isRequired?: boolean; isSecret?: boolean };

/** Undefined when the site names no endpoint, or the one it names answered as something else: then none is claimed. */
export function findObservedEndpoint({ snapshot, site }: Audited): ObservedEndpoint | undefined {
  const find = getExchangeLookup(snapshot);
  const discovery = readDiscovery(find);
  const endpoint = readEndpoint(find, discovery, site.start);
  const url = findClaimableVersion(endpoint);
  if (url === undefined) return undefined;
  const published = findServerCard(discovery);
  const info = endpoint.state === 'probed' && endpoint.handshake ? findServerInfo(endpoint.handshake) : undefined;
  return {
    url,
    seen: endpoint.state === 'probed' && LIVE.has(endpoint.access) ? 'live' : 'declared',
    transport: findDeclaredTransport(discovery, endpoint),
    versions: listVersions(endpoint),
    name: cleanSiteText(getString(info, 'name') ?? '', MAX_NAME_CHARS),
    title: cleanFirstText([getString(info, 'title'), getString(published, 'title')], MAX_NAME_CHARS),
    description: cleanFirstText([getString(published, 'description'), getString(info, 'description')], MAX_NAME_CHARS),
    version: getString(info, 'version') ?? '',
    headers: listCardHeaders(published, endpoint.state === 'undeclared' ? '' : endpoint.url),
    card: discovery.card,
  };
}

/** The Server Card as published; undefined when there is none, or when the catalog holds it. */
function findServerCard({ card }: McpDiscovery): unknown {
  const answer = card?.exchange?.answer;
  const parsed = answer?.ok === true ? parseSiteJson(answer.body) : undefined;
  return parsed?.ok === true ? parsed.value : undefined;
}

/** A header's name is a token (RFC 9110 section 5.6.2). */
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,60}$/u;
const MAX_HEADERS = 10;

function listCardHeaders(card: unknown, url: string): readonly ObservedHeader[] {
  const remotes: readonly unknown[] = isJsonRecord(card) && Array.isArray(card['remotes']) ? card['remotes'] : [];
  const remote = remotes.find((one) => getString(one, 'url') === url);
  const headers: readonly unknown[] = isJsonRecord(remote) && Array.isArray(remote['headers']) ? remote['headers'] : [];
  return headers.slice(0, MAX_HEADERS).flatMap((header) => {
    const name = getString(header, 'name') ?? '';
    if (!isJsonRecord(header) || !HEADER_NAME.test(name)) return [];
    const description = cleanSiteText(getString(header, 'description') ?? '', MAX_NAME_CHARS);
    return [
      {
        name,
        ...(description === '' ? {} : { description }),
        ...(header['isRequired'] === true ? { isRequired: true } : {}),
        ...(header['isSecret'] === true ? { isSecret: true } : {}),
      },
    ];
  });
}

const LIVE: ReadonlySet<string> = new Set(['open', 'protected', 'paid']);

function findClaimableVersion(endpoint: McpEndpoint): string | undefined {
  if (endpoint.state === 'undeclared') return undefined;
  if (endpoint.state === 'not_probed' && endpoint.why === 'template') return undefined;
  if (endpoint.state === 'probed' && endpoint.access === 'silent') return undefined;
  return normaliseSafeUrl(endpoint.url);
}

function findDeclaredTransport({ sources }: McpDiscovery, endpoint: McpEndpoint): ObservedEndpoint['transport'] {
  if (endpoint.state === 'undeclared') return 'streamable-http';
  const named = sources.flatMap(({ endpoints }) => endpoints).find(({ url }) => url === endpoint.url);
  return named?.transport?.toLowerCase() === 'sse' ? 'sse' : 'streamable-http';
}

/** Revisions that the live server accepts; those that the card lists where it would not say. */
function listVersions(endpoint: McpEndpoint): readonly string[] {
  if (endpoint.state !== 'probed') return [];
  const versions = endpoint.accepted.length > 0 ? endpoint.accepted : (endpoint.listed ?? []);
  return [...new Set(versions.filter((version) => /^\d{4}-\d{2}-\d{2}$/u.test(version)))].slice(0, MAX_VERSIONS);
}
