/** Where the parts of the service answer: `BASE_URL`, and the origins of the other Workers where they are deployed. */
export type Origins = { baseUrl: string; webhookUrl?: string | undefined; controlUrl?: string | undefined };

/** Path of the MCP endpoint that takes tokens. */
export const ACCOUNT_MCP_PATH = '/mcp-account';

/** Paths of the authorization server's endpoints. */
export const PATHS = { authorize: '/authorize', token: '/oauth/token', register: '/oauth/register' } as const;

/** The issuer of all tokens (RFC 8414, section 2): our own origin, without trailing slash. */
export const issuerOf = (baseUrl: string): string => new URL(baseUrl).origin;

/** The canonical URI of the protected MCP endpoint (RFC 8707, section 2). */
export const accountResource = (baseUrl: string): string => `${issuerOf(baseUrl)}${ACCOUNT_MCP_PATH}`;

/** Every resource that a token can be for, in canonical form, without trailing slash. A token is good for exactly one. */
export function resourcesOf({ baseUrl, webhookUrl, controlUrl }: Origins): readonly string[] {
  const others = [webhookUrl, controlUrl].flatMap((url) => (url ? [canonicalResource(url)] : []));
  return [...new Set([accountResource(baseUrl), ...others])];
}

/** The canonical URI of a Worker that is a resource as a whole: its origin and path without trailing slash. */
export function canonicalResource(text: string): string {
  const url = new URL(text);
  return url.pathname === '/' ? url.origin : `${url.origin}${url.pathname.replace(/\/$/, '')}`;
}
