import { isJsonRecord, getString } from '../../structured-data/facts/json-document.ts';

/** Endpoints read from one document; a longer list is cut, in order. */
export const MAX_DECLARED_ENDPOINTS = 20;

/** An MCP endpoint a document names, made absolute against the document's own URL. */
export type DeclaredEndpoint = { url: string; transport?: string };

/**
 * What a de-facto discovery file says (`/.well-known/mcp.json`, `/.well-known/mcp/servers.json`, SEP-1649 cards). None
 * of these shapes is a standard: SEP-2127 took their place.
 */
export type McpJson = {
  /** Which of the known members were seen: `url`, `endpoint`, `servers`, `mcpServers`, `remotes`, `transport`. */
  shapes: readonly string[];
  endpoints: readonly DeclaredEndpoint[];
  /** Servers that run by a command on the reader's machine: a client's own settings, not an endpoint. */
  commands: number;
};

const SHAPES = ['url', 'endpoint', 'servers', 'mcpServers', 'remotes', 'transport'] as const;

/** Reads a parsed legacy document found at `base`; never throws. A document of no known shape has no `shapes`. */
export function readMcpJson(value: unknown, base: string): McpJson {
  // servers.json is also seen as a bare list.
  const document = Array.isArray(value) ? { servers: value as unknown } : value;
  if (!isJsonRecord(document)) return { shapes: [], endpoints: [], commands: 0 };
  const shapes = SHAPES.filter((shape) => hasShape(document[shape]));
  const servers = [
    document,
    ...listDeclaredServers(document['servers']),
    ...listDeclaredServers(document['mcpServers']),
  ];
  const endpoints = servers.flatMap((server) => listDeclaredEndpoints(server, base));
  const commands = servers.filter((server) => getString(server, 'command') !== undefined).length;
  return { shapes, endpoints: removeRepeatedEndpoints(endpoints).slice(0, MAX_DECLARED_ENDPOINTS), commands };
}

/** The absolute http(s) form of an address found at `base`; undefined for anything else, and for templates. */
export function toAbsoluteHttpUrl(address: string, base: string): string | undefined {
  if (/[{}]/.test(address)) return undefined;
  const parsed = URL.parse(address, base);
  return parsed && (parsed.protocol === 'http:' || parsed.protocol === 'https:') ? parsed.href : undefined;
}

const hasShape = (member: unknown): boolean =>
  (typeof member === 'string' && member !== '') || Array.isArray(member) || isJsonRecord(member);

/** `servers` is a list, or a map from a name to a server. */
function listDeclaredServers(member: unknown): readonly unknown[] {
  if (Array.isArray(member)) return (member as readonly unknown[]).slice(0, MAX_DECLARED_ENDPOINTS);
  return isJsonRecord(member) ? Object.values(member).slice(0, MAX_DECLARED_ENDPOINTS) : [];
}

function listDeclaredEndpoints(server: unknown, base: string): readonly DeclaredEndpoint[] {
  if (!isJsonRecord(server)) return [];
  const places: readonly unknown[] = [
    server,
    server['transport'],
    ...listDeclaredServers(server['remotes']),
    ...listDeclaredServers(server['transports']),
  ];
  return places.flatMap((place) => {
    const address = getString(place, 'url') ?? getString(place, 'endpoint');
    const url = address === undefined ? undefined : toAbsoluteHttpUrl(address, base);
    if (url === undefined) return [];
    const transport = getString(place, 'type') ?? getString(place, 'transport');
    return [{ url, ...(transport === undefined ? {} : { transport }) }];
  });
}

function removeRepeatedEndpoints(endpoints: readonly DeclaredEndpoint[]): readonly DeclaredEndpoint[] {
  return [...new Map(endpoints.toReversed().map((endpoint) => [endpoint.url, endpoint])).values()].toReversed();
}
