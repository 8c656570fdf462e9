import * as z from 'zod';
import {
  getString,
  getStrings,
  isJsonRecord,
  listSchemaIssues,
  type Issue,
} from '../../structured-data/facts/json-document.ts';
import type { Challenge } from './www-authenticate.ts';

/** Authorization servers of one resource that are read; a longer list is cut, in order. */
export const MAX_AUTHORIZATION_SERVERS = 20;

/** Protected Resource Metadata (RFC 9728 section 2) and what is wrong with it by that section and by MCP. */
export type ResourceMetadata = {
  resource?: string;
  authorizationServers: readonly string[];
  scopes?: readonly string[];
  /** How tokens may travel (`header`, `body`, `query`); undefined when the document does not say. */
  bearerMethods?: readonly string[];
  issues: readonly Issue[];
};

/** Metadata of an authorization server, from RFC 8414 or from OpenID Connect Discovery: the members MCP clients use. */
export type AuthorizationServerMetadata = {
  issuer?: string;
  /** URLs of the document by member name, absent members left out. */
  endpoints: Readonly<Record<string, string>>;
  /** undefined when the member is absent, and then clients MUST refuse the server. */
  challengeMethods?: readonly string[];
  clientIdMetadataDocuments: boolean;
  /** Whether it says that authorization responses carry `iss` (RFC 9207 section 3). */
  issuerInResponses: boolean;
  issues: readonly Issue[];
};

const absolute = 'must be an absolute http(s) URL';
const httpUrl = z.url({ protocol: /^https?$/, error: absolute });

const resourceSchema = z.looseObject(
  {
    resource: httpUrl.refine((url) => !url.includes('#'), 'must have no fragment'),
    authorization_servers: z.array(httpUrl, 'must be an array').min(1, 'must name at least one authorization server'),
    scopes_supported: z.array(z.string('must be a string'), 'must be an array').optional(),
    bearer_methods_supported: z.array(z.string('must be a string'), 'must be an array').optional(),
  },
  'must be a JSON object',
);

const serverSchema = z.looseObject(
  {
    issuer: httpUrl,
    authorization_endpoint: httpUrl,
    token_endpoint: httpUrl,
    registration_endpoint: httpUrl.optional(),
    jwks_uri: httpUrl.optional(),
    response_types_supported: z.array(z.string('must be a string'), 'must be an array'),
  },
  'must be a JSON object',
);

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'jwks_uri'] as const;

/** Reads a parsed RFC 9728 document; never throws, whatever the value. */
export function readResourceMetadata(value: unknown): ResourceMetadata {
  const resource = getString(value, 'resource');
  const scopes = getStrings(value, 'scopes_supported');
  const bearerMethods = getStrings(value, 'bearer_methods_supported');
  return {
    ...(resource === undefined ? {} : { resource }),
    authorizationServers: (getStrings(value, 'authorization_servers') ?? []).slice(0, MAX_AUTHORIZATION_SERVERS),
    ...(scopes === undefined ? {} : { scopes }),
    ...(bearerMethods === undefined ? {} : { bearerMethods }),
    issues: listSchemaIssues(resourceSchema, value),
  };
}

/** Reads a parsed RFC 8414 or OpenID document; never throws, whatever the value. */
export function readServerMetadata(value: unknown): AuthorizationServerMetadata {
  const issuer = getString(value, 'issuer');
  const challengeMethods = getStrings(value, 'code_challenge_methods_supported');
  const endpoints = ENDPOINTS.flatMap((name) => {
    const url = getString(value, name);
    return url === undefined ? [] : [[name, url] as const];
  });
  return {
    ...(issuer === undefined ? {} : { issuer }),
    endpoints: Object.fromEntries(endpoints),
    ...(challengeMethods === undefined ? {} : { challengeMethods }),
    clientIdMetadataDocuments: isJsonRecord(value) && value['client_id_metadata_document_supported'] === true,
    issuerInResponses: isJsonRecord(value) && value['authorization_response_iss_parameter_supported'] === true,
    issues: listSchemaIssues(serverSchema, value),
  };
}

/**
 * Where a client looks for the metadata of a resource that named none in its challenge: path inserted after the
 * well-known part, then at the root. RFC 9728 section 3.1; a resource at the root has one place.
 */
export function listResourceMetadataUrls(resource: string): readonly string[] {
  const url = parseHttpUrl(resource);
  if (!url) return [];
  const root = `${url.origin}/.well-known/oauth-protected-resource`;
  const path = trimSlash(url.pathname);
  return path === '' ? [root] : [`${root}${path}`, root];
}

/**
 * Where a client looks for the metadata of an issuer, in the order MCP demands: RFC 8414 with the path inserted, OpenID
 * with the path inserted, OpenID with the path in front. An issuer without a path has two places.
 */
export function listServerMetadataUrls(issuer: string): readonly string[] {
  const url = parseHttpUrl(issuer);
  if (!url) return [];
  const path = trimSlash(url.pathname);
  const wellKnown = `${url.origin}/.well-known`;
  const inserted = [`${wellKnown}/oauth-authorization-server${path}`, `${wellKnown}/openid-configuration${path}`];
  return path === '' ? inserted : [...inserted, `${url.origin}${path}/.well-known/openid-configuration`];
}

/**
 * How a document's `resource` fits the endpoint it speaks for. `exact` ignores the letter case of scheme and host;
 * `prefix` is a parent path or a trailing slash more or less, which clients accept; `other` is for another resource.
 */
export function classifyResourceFit(resource: string, endpoint: string): 'exact' | 'prefix' | 'other' {
  const declared = URL.parse(resource);
  const asked = URL.parse(endpoint);
  if (!declared || !asked || declared.origin !== asked.origin || declared.search !== asked.search) return 'other';
  if (declared.pathname === asked.pathname) return 'exact';
  const prefix = trimSlash(declared.pathname);
  return `${trimSlash(asked.pathname)}/`.startsWith(`${prefix}/`) ? 'prefix' : 'other';
}

/** The first Bearer challenge of a 401, by RFC 6750 section 3. */
export const findBearerChallenge = (challenges: readonly Challenge[]): Challenge | undefined =>
  challenges.find((challenge) => challenge.scheme === 'bearer');

const ERROR_VALUE = /^[\x20\x21\x23-\x5B\x5D-\x7E]*$/;
const SCOPE_VALUE = /^[\x21\x23-\x5B\x5D-\x7E]+(?: [\x21\x23-\x5B\x5D-\x7E]+)*$/;

/** What RFC 6750 section 3 forbids in a Bearer challenge; empty when it is well formed. */
export function listBearerIssues(bearer: Challenge): readonly string[] {
  const issues: string[] = [];
  if (bearer.malformed) issues.push('the header breaks the grammar of RFC 9110 or repeats a parameter');
  for (const name of ['error', 'error_description']) {
    const value = bearer.params.get(name);
    if (value !== undefined && !ERROR_VALUE.test(value)) issues.push(`${name} holds a character that is not allowed`);
  }
  const scope = bearer.params.get('scope');
  if (scope !== undefined && !SCOPE_VALUE.test(scope)) issues.push('scope is not a list of scope tokens');
  const metadata = bearer.params.get('resource_metadata');
  if (metadata !== undefined && !URL.canParse(metadata)) issues.push('resource_metadata is not an absolute URL');
  return issues;
}

/** Other schemes have no origin in which a well-known place could be. */
function parseHttpUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

const trimSlash = (path: string): string => path.replace(/\/$/, '');
