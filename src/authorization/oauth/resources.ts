import { CLIENT_ASSERTION_ALGORITHMS } from '../service-accounts/client-assertion.ts';
import { serviceScopes } from './scopes.ts';

/** Where the parts of the service answer: `BASE_URL`, and the origins of the other Workers where they are deployed. */
export type Origins = { baseUrl: string; webhookUrl?: string | undefined; controlUrl?: string | undefined };

/** Path of the MCP endpoint that takes tokens. */
export const ACCOUNT_MCP_PATH = '/mcp-account';

/** Path of the interface of monitors, which takes tokens of its own. */
export const MONITORS_PATH = '/api/monitors';

/** Path of the interface of hosts and of the counts of their visitors, which takes tokens of its own. */
export const HOSTS_PATH = '/api/hosts';

/** Paths of the authorization server's endpoints. */
export const PATHS = { authorize: '/authorize', token: '/oauth/token', register: '/oauth/register' } as const;

/** The issuer of all tokens (RFC 8414, section 2): our own origin, without trailing slash. */
export const getIssuer = (baseUrl: string): string => new URL(baseUrl).origin;

/** The canonical URI of the protected MCP endpoint (RFC 8707, section 2). */
export const getAccountResource = (baseUrl: string): string => `${getIssuer(baseUrl)}${ACCOUNT_MCP_PATH}`;

/** The canonical URI of the interface of monitors. */
export const getMonitorsResource = (baseUrl: string): string => `${getIssuer(baseUrl)}${MONITORS_PATH}`;

/** The canonical URI of the interface of hosts. */
export const getHostsResource = (baseUrl: string): string => `${getIssuer(baseUrl)}${HOSTS_PATH}`;

/** Every resource that a token can be for, in canonical form, without trailing slash. A token is good for exactly one. */
export function listResources({ baseUrl, webhookUrl, controlUrl }: Origins): readonly string[] {
  const others = [webhookUrl, controlUrl].flatMap((url) => (url ? [normaliseResource(url)] : []));
  return [
    ...new Set([getAccountResource(baseUrl), getMonitorsResource(baseUrl), getHostsResource(baseUrl), ...others]),
  ];
}

/** The canonical URI of a Worker that is a resource as a whole: its origin and path without trailing slash. */
export function normaliseResource(text: string): string {
  const url = new URL(text);
  return url.pathname === '/' ? url.origin : `${url.origin}${url.pathname.replace(/\/$/, '')}`;
}

/** The metadata document of the authorization server (RFC 8414, section 2). */
export function buildServerMetadata(issuer: string, resources: readonly string[]) {
  return {
    issuer,
    authorization_endpoint: `${issuer}${PATHS.authorize}`,
    token_endpoint: `${issuer}${PATHS.token}`,
    protected_resources: [...resources],
    registration_endpoint: `${issuer}${PATHS.register}`,
    scopes_supported: Object.keys(serviceScopes),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', ...MACHINE_GRANTS],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: [...CLIENT_ASSERTION_ALGORITHMS],
    revocation_endpoint: `${issuer}${PATHS.token}`,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

/** Grants of clients without a person: RFC 6749, section 4.4, and RFC 7523, section 2.1. */
export const CLIENT_CREDENTIALS = 'client_credentials';
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
export const MACHINE_GRANTS: readonly string[] = [CLIENT_CREDENTIALS, JWT_BEARER];
