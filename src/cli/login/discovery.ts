import { parseJson } from '../../lib/json.ts';
import { buildDiscoveryUrls } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { parseChallenges } from '../../audit/mcp/facts/www-authenticate.ts';
import { listMcpUrls } from '../../capabilities/service.ts';
import { type LoginNet, LoginRefused } from './net.ts';

const PROTOCOL_VERSION = '2026-07-28';
/** Scopes and servers of a document that are looked at. */
const MAX_ENTRIES = 100;

const names = z.array(z.string()).max(MAX_ENTRIES);

const resourceSchema = z.object({
  resource: z.string(),
  authorization_servers: names.min(1),
  scopes_supported: names.optional(),
});

const serverSchema = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  registration_endpoint: z.string().optional(),
  scopes_supported: names.optional(),
  response_types_supported: names,
  code_challenge_methods_supported: names.optional(),
  token_endpoint_auth_methods_supported: names.optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  client_id_metadata_document_supported: z.boolean().optional(),
});
export type ServerMetadata = z.infer<typeof serverSchema>;

/** What is known of a protected resource before anyone is asked to sign in. */
export type Discovered = {
  /** What the token is for. */
  endpoint: string;
  /** The resource indicator (RFC 8707), as its own metadata writes it. */
  resource: string;
  /** What the 401 asked for; else what the metadata lists; else nothing (C14). */
  scope: string | undefined;
  /** Identical to `metadata.issuer`, and to what the resource named. */
  issuer: string;
  metadata: ServerMetadata;
};

/**
 * Finds the authorization server of an endpoint by RFC 9728, then RFC 8414 or OpenID Connect Discovery.
 * @param endpoint `<origin>/mcp-account`, or the interface of monitors
 * @throws LoginRefused
 */
export async function discover(endpoint: string, net: LoginNet): Promise<Discovered> {
  const challenge = readChallenge(await net.fetch(endpoint, buildProbe(endpoint)));
  const found = await fetchResourceMetadata(endpoint, challenge.metadataUrl, net);
  const [issuer = ''] = found.authorization_servers;
  const metadata = await fetchServerMetadata(issuer, net);
  judgeServer(metadata, net);
  const scope = challenge.scope ?? found.scopes_supported?.join(' ');
  return { endpoint, resource: found.resource, scope: scope === '' ? undefined : scope, issuer, metadata };
}

/** A request of the MCP endpoint that costs nothing; the token goes into its header and nowhere else (C16). */
function buildMcpRequest(accessToken?: string): RequestInit {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'sightline-cli', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': PROTOCOL_VERSION,
      'mcp-method': 'tools/list',
      ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } }),
  };
}

/** A request that costs nothing, to hear what an endpoint says of a token, or of none. */
export const buildProbe = (endpoint: string, accessToken?: string): RequestInit =>
  endpoint === listMcpUrls(new URL(endpoint).origin).account
    ? buildMcpRequest(accessToken)
    : {
        headers: {
          accept: 'application/json',
          ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
        },
      };

export type ResourceChallenge = {
  metadataUrl: string | undefined;
  scope: string | undefined;
  error: string | undefined;
};

/** What the Bearer challenge of a 401 or 403 says; nothing of any other answer. */
export function readChallenge(answer: Response): ResourceChallenge {
  const header = answer.status === 401 || answer.status === 403 ? (answer.headers.get('www-authenticate') ?? '') : '';
  const params = parseChallenges(header).find(({ scheme }) => scheme === 'bearer')?.params;
  return {
    metadataUrl: params?.get('resource_metadata'),
    scope: params?.get('scope'),
    error: params?.get('error'),
  };
}

/** The document that the challenge names and no other; without a challenge the path form, then the root (C1). */
async function fetchResourceMetadata(endpoint: string, named: string | undefined, net: LoginNet) {
  const { origin, pathname } = new URL(endpoint);
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`;
  const places: readonly { url: string; resource: string }[] =
    named === undefined
      ? [
          { url: `${wellKnown}${pathname}`, resource: endpoint },
          { url: wellKnown, resource: origin },
        ]
      : [{ url: named, resource: endpoint }];
  for (const { url, resource } of places) {
    const document = resourceSchema.safeParse(await readDocument(url, net));
    if (!document.success) continue;
    // RFC 9728, section 3.3: the resource is the one that was asked. A document at the root may speak for the endpoint.
    if (document.data.resource === resource || document.data.resource === endpoint) return document.data;
    throw new LoginRefused('resource_mismatch', `${url} is about ${document.data.resource}, not about ${resource}`);
  }
  throw new LoginRefused('no_resource_metadata', `${endpoint} has no readable OAuth protected resource metadata`);
}

/** Metadata whose `issuer` is, to the letter, the one it was looked up by (C3, C4). */
async function fetchServerMetadata(issuer: string, net: LoginNet): Promise<ServerMetadata> {
  net.judge(issuer);
  for (const { url } of buildDiscoveryUrls(issuer)) {
    const document = serverSchema.safeParse(await readDocument(url, net));
    if (!document.success) continue;
    if (document.data.issuer === issuer) return document.data;
    throw new LoginRefused('issuer_mismatch', `${url.href} says it is of ${document.data.issuer}, not of ${issuer}`);
  }
  throw new LoginRefused('no_server_metadata', `${issuer} has no readable authorization server metadata`);
}

/** undefined for an answer that is not a 200 with JSON: the next place is asked. */
async function readDocument(url: string | URL, net: LoginNet): Promise<unknown> {
  const answer = await net.fetch(url, { headers: { accept: 'application/json' } });
  return answer.status === 200 ? parseJson(await answer.text()) : undefined;
}

/** Whether a login with this server is safe: PKCE by its own word (C10), the code flow, endpoints we may reach (C18). */
function judgeServer(metadata: ServerMetadata, net: LoginNet): void {
  const { code_challenge_methods_supported: methods, response_types_supported: types } = metadata;
  if (!methods?.includes('S256'))
    throw new LoginRefused('no_pkce', `${metadata.issuer} does not say that it supports PKCE with S256`);
  if (!types.includes('code'))
    throw new LoginRefused('code_flow_unsupported', `${metadata.issuer} does not support the authorization code flow`);
  net.judge(metadata.authorization_endpoint);
  net.judge(metadata.token_endpoint);
  if (metadata.registration_endpoint !== undefined) net.judge(metadata.registration_endpoint);
}
