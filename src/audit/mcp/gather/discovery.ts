import { rememberPerObject } from '../../../lib/memo.ts';
import type { FetchTarget } from '../../../net/fetched.ts';
import { MAX_DOCUMENT_BYTES, MAX_MCP_REQUESTS, MCP_ROLES, WELL_KNOWN } from '../facts/places.ts';
import type { Gather, Gatherer, Plan, Wanted } from '../../core/artifact.ts';
import type { Exchange } from '../../core/snapshot.ts';
import { readAgentFile } from '../../agent-files/gather/agent-files.ts';
import { fetchStartPage, readControl, preparePage } from '../../page/gather/page.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';
import { type McpDiscovery, readDiscovery } from '../facts/discovery.ts';
import { findDocsLink } from '../facts/advertised.ts';
import { SERVER_CARD_TYPE } from '../facts/server-card.ts';

/** Reads for the MCP part, at most `MAX_MCP_REQUESTS` in one audit; undefined when nothing is left. */
export type McpRead = (role: string, target: FetchTarget) => Promise<Exchange | undefined>;

/** The one counter of requests that all MCP gatherers of an audit share: whether a role may be asked. */
const getMcpCounter = rememberPerObject((_gather: Gather): ((role: string) => boolean) => {
  const counted = new Set<string>();
  return (role) => {
    if (!counted.has(role) && counted.size >= MAX_MCP_REQUESTS) return false;
    counted.add(role);
    return true;
  };
});

/** Reads what the counter allows. */
export const getMcpReader =
  (gather: Gather): McpRead =>
  async (role, target) =>
    getMcpCounter(gather)(role) ? await gather.read(role, target) : undefined;

/** Of what a plan wants, what the counter allows. */
export const selectCountedMcp = (gather: Gather, wanted: readonly Wanted[]): readonly Wanted[] =>
  wanted.filter(({ role }) => getMcpCounter(gather)(role));

/** A GET for a JSON document. */
export const buildDocumentRequest = (url: string, accept: string): FetchTarget => ({
  url,
  headers: { accept },
  maxBytes: MAX_DOCUMENT_BYTES,
});

/** Looks for an MCP surface: five well-known places, then what a catalog lists, then the card beside the endpoint. */
export const gatherMcpDiscovery: Gatherer = async (gather) => {
  await walkDiscovery(gather);
};

/**
 * Reads the discovery documents and returns what they say, once in an audit: the gatherers that build on it run at the same
 * time, and each would see another part of what the others have read so far. Five requests of its own when the site has none.
 */
export const walkDiscovery = rememberPerObject(async (gather: Gather): Promise<McpDiscovery> => {
  const read = getMcpReader(gather);
  const places = Object.values(WELL_KNOWN).map(({ role, path, accept }) =>
    read(role, buildDocumentRequest(new URL(path, gather.start).href, accept)),
  );
  await Promise.all([fetchStartPage(gather), readControl(gather), ...places]);
  const linked = findLinkedCatalogUrl(readDiscovery(gather.find), gather.start);
  if (linked !== undefined)
    await read(MCP_ROLES.linkedCatalog, buildDocumentRequest(linked, WELL_KNOWN.catalog.accept));
  await Promise.all(
    readDiscovery(gather.find).catalogUrls.map(async ({ role, url, entry }) => {
      if (role !== undefined) await read(role, buildDocumentRequest(url, formatAccept(entry.type)));
    }),
  );
  const url = buildCardUrl(readDiscovery(gather.find));
  if (url !== undefined) await read(MCP_ROLES.card, buildDocumentRequest(url, formatAccept(SERVER_CARD_TYPE)));
  const discovery = readDiscovery(gather.find);
  if (discovery.sources.length === 0) return discovery;
  await readAgentFile(gather, 'llms'); // Only to be compared with what the documents say.
  return readDiscovery(gather.find);
});

/** The catalog that the start page leads to, where the well-known place has none; only one of the same owner is read. */
function findLinkedCatalogUrl({ catalog, advertised }: McpDiscovery, start: URL): string | undefined {
  if (catalog.state === 'found') return undefined;
  const wellKnown = new URL(WELL_KNOWN.catalog.path, start).href;
  return advertised.find((url) => url !== wellKnown && isSameOwner(new URL(url), start));
}

/** A catalog's type goes into a header only if it is a plain media type. */
const formatAccept = (type: string | undefined): string =>
  type !== undefined && /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type)
    ? `${type}, application/json;q=0.9, */*;q=0.1`
    : '*/*';

/** `<streamable-http-url>/server-card`, the place MCP reserves, when no catalog led to a card; undefined if not needed. */
function buildCardUrl(discovery: McpDiscovery): string | undefined {
  if (discovery.card?.where === 'catalog') return undefined;
  const endpoint = discovery.sources
    .flatMap(({ endpoints }) => endpoints)
    .find((named) => !named.templated && named.transport !== 'sse');
  const url = endpoint && URL.parse(endpoint.url);
  if (!url) return undefined;
  url.pathname = `${url.pathname.replace(/\/$/, '')}/server-card`;
  url.search = '';
  url.hash = '';
  return url.href;
}

/** The page about MCP that the site links to, if it has an endpoint; often it is a page of the sample as well. */
export const planMcpDocs: Plan = async (gather) => {
  const discovery = await walkDiscovery(gather);
  if (discovery.sources.length === 0) return [];
  const url = findDocsLink(gather.find, discovery, gather.start);
  return url === undefined ? [] : selectCountedMcp(gather, [preparePage(MCP_ROLES.docs, url)]);
};

/** The file by which a domain proves to the official registry that names are its own. The registry is not asked. */
export const planMcpRegistry: Plan = async (gather) => {
  const discovery = await walkDiscovery(gather);
  if (discovery.documents !== 'found') return [];
  const url = new URL('/.well-known/mcp-registry-auth', gather.start).href;
  const target = { url, headers: { accept: 'text/plain' }, maxBytes: 4096 };
  return selectCountedMcp(gather, [{ role: MCP_ROLES.registryProof, target, ifRoom: true }]);
};
