import type { Parser } from '../../core/artifact.ts';
import { type Exchange, type ExchangeLookup, getExchangeLookup } from '../../core/snapshot.ts';
import {
  findBearerChallenge,
  readResourceMetadata,
  readServerMetadata,
  type ResourceMetadata,
  classifyResourceFit,
  listResourceMetadataUrls,
  type AuthorizationServerMetadata,
  listServerMetadataUrls,
} from './auth.ts';
import { readDiscovery } from './discovery.ts';
import { type DocumentState, readDocument } from './document.ts';
import { type McpEndpoint, type Probe, type ProbedEndpoint, readProbe, readEndpoint } from './endpoint.ts';
import { isJsonRecord } from '../../structured-data/facts/json-document.ts';
import { MAX_RESOURCE_METADATA_URLS, MAX_SERVER_METADATA_URLS, MCP_ROLES } from './places.ts';
import { REQUEST_IDS } from './requests.ts';
import { type Challenge, parseChallenges } from './www-authenticate.ts';

/** The documents that lead clients to a token for an endpoint. */
type ProtectionDocuments = {
  url: string;
  /** Places of Protected Resource Metadata in the order asked; the first that was found ends the search. */
  resourceMetadata: readonly DocumentState<ResourceMetadata>[];
  /** The issuer that was followed: the first authorization server of the metadata. */
  issuer?: string;
  serverMetadata: readonly DocumentState<AuthorizationServerMetadata>[];
  jwks?: Exchange;
};

/**
 * How an endpoint directs clients to a token. `protected`: it answered 401. `published`: it did not, and the site has
 * Protected Resource Metadata all the same, as for tools that only a call of them protects. `open`: neither.
 */
export type McpProtection =
  | { state: 'open' }
  | ({ state: 'published' } & ProtectionDocuments)
  | ({
      state: 'protected';
      /** The 401, and its first Bearer challenge. */
      challenged: Exchange;
      bearer?: Challenge;
      badToken?: Probe;
    } & ProtectionDocuments);

export type EndpointProtection = Extract<McpProtection, { state: 'protected' }>;
export type DescribedProtection = Extract<McpProtection, ProtectionDocuments>;

/** The artifact: what the authorization gatherer saw. Never fails as a whole. */
export const parseMcpProtection: Parser<McpProtection> = (snapshot) => {
  const find = getExchangeLookup(snapshot);
  return {
    state: 'ready',
    value: readProtection(find, readEndpoint(find, readDiscovery(find), new URL(snapshot.url))),
  };
};

/** Reads the exchanges about authorization so far; the gatherer calls it to decide what to ask next. */
export function readProtection(find: ExchangeLookup, endpoint: McpEndpoint): McpProtection {
  if (endpoint.state !== 'probed') return { state: 'open' };
  const resourceMetadata = listExchanges(find, MCP_ROLES.resourceMetadata).map((exchange) =>
    readDocument(exchange, undefined, (value) => (isResource(value) ? readResourceMetadata(value) : undefined)),
  );
  const issuer = findFirstDocument(resourceMetadata)?.authorizationServers[0];
  const serverMetadata = listExchanges(find, MCP_ROLES.serverMetadata).map((exchange) =>
    readDocument(exchange, undefined, (value) => (isServer(value) ? readServerMetadata(value) : undefined)),
  );
  const jwks = find(MCP_ROLES.jwks);
  const documents: ProtectionDocuments = {
    url: endpoint.url,
    resourceMetadata,
    ...(issuer === undefined ? {} : { issuer }),
    serverMetadata,
    ...(jwks ? { jwks } : {}),
  };
  const challenged = findChallengeExchange(find, endpoint);
  if (!challenged)
    return findFirstDocument(resourceMetadata) ? { state: 'published', ...documents } : { state: 'open' };
  const bearer = findAnswerBearer(challenged);
  const badToken = readProbe(find(MCP_ROLES.badToken), REQUEST_IDS.badToken);
  return {
    state: 'protected',
    challenged,
    ...(bearer ? { bearer } : {}),
    ...(badToken ? { badToken } : {}),
    ...documents,
  };
}

/** The document of the first state that found one. */
export function findFirstDocument<T>(states: readonly DocumentState<T>[]): T | undefined {
  const found = states.find((state) => state.state === 'found');
  return found?.state === 'found' ? found.document : undefined;
}

/** The next place of Protected Resource Metadata to ask; undefined when one was found or all were asked. */
export function findNextResourceMetadataUrl(protection: EndpointProtection): string | undefined {
  if (findFirstDocument(protection.resourceMetadata)) return undefined;
  const named = protection.bearer?.params.get('resource_metadata');
  const places = [...(isHttp(named) ? [named] : []), ...listResourceMetadataUrls(protection.url)];
  return [...new Set(places)].slice(0, MAX_RESOURCE_METADATA_URLS)[protection.resourceMetadata.length];
}

/** The next place of authorization server metadata to ask; a document with another issuer does not end the search. */
export function findNextServerMetadataUrl(protection: DescribedProtection): string | undefined {
  const { issuer, serverMetadata } = protection;
  if (issuer === undefined || !isHttp(issuer)) return undefined;
  if (serverMetadata.some((state) => state.state === 'found' && state.document.issuer === issuer)) return undefined;
  return listServerMetadataUrls(issuer).slice(0, MAX_SERVER_METADATA_URLS)[serverMetadata.length];
}

/** How the metadata that was found fits the endpoint; undefined when none was found or it names no resource. */
export function findResourceFit(protection: DescribedProtection): ReturnType<typeof classifyResourceFit> | undefined {
  const resource = findFirstDocument(protection.resourceMetadata)?.resource;
  return resource === undefined ? undefined : classifyResourceFit(resource, protection.url);
}

/** The metadata a client may use: that whose issuer is the one it looked for; else the first document found. */
export function selectServerMetadata(
  protection: DescribedProtection,
): { metadata: AuthorizationServerMetadata; sameIssuer: boolean } | undefined {
  const documents = protection.serverMetadata.flatMap((state) => (state.state === 'found' ? [state.document] : []));
  const metadata = documents.find(({ issuer }) => issuer === protection.issuer) ?? documents[0];
  return metadata && { metadata, sameIssuer: metadata.issuer === protection.issuer };
}

/** The first 401 of the handshake, or of `tools/list` where the handshake is open. */
function findChallengeExchange(find: ExchangeLookup, endpoint: ProbedEndpoint): Exchange | undefined {
  const handshakes = [endpoint.discover, ...endpoint.initialize.map(({ probe }) => probe)].map(
    ({ exchange }) => exchange,
  );
  return [...handshakes, find(`${MCP_ROLES.tools}:0`)].find(
    (exchange) => exchange?.answer.ok === true && exchange.answer.status === 401,
  );
}

function findAnswerBearer({ answer }: Exchange): Challenge | undefined {
  return answer.ok ? findBearerChallenge(parseChallenges(answer.headers['www-authenticate'] ?? '')) : undefined;
}

function listExchanges(find: ExchangeLookup, prefix: string): readonly Exchange[] {
  const found: Exchange[] = [];
  for (let index = 0; index < Math.max(MAX_RESOURCE_METADATA_URLS, MAX_SERVER_METADATA_URLS); index += 1) {
    const exchange = find(`${prefix}:${index}`);
    if (!exchange) break;
    found.push(exchange);
  }
  return found;
}

const isResource = (value: unknown): boolean =>
  isJsonRecord(value) && (value['resource'] !== undefined || value['authorization_servers'] !== undefined);
const isServer = (value: unknown): boolean =>
  isJsonRecord(value) && (value['issuer'] !== undefined || value['token_endpoint'] !== undefined);
const isHttp = (url: string | undefined): url is string =>
  url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url);
