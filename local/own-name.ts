import { listOwnOrigins } from '../src/net/own-origins.ts';
import { selectPreferredType } from '../src/openapi/accept.ts';

const READING: readonly string[] = ['GET', 'HEAD'];

/**
 * Passkeys belong to a name, so the local stack has one: `localhost`. At the address of the same socket, programs get
 * the answers that they get at the name, and browsers that open a page are led to the name, where their cookies are.
 * @param baseUrl BASE_URL of the Worker; with another host than `localhost` nothing changes
 */
export function redirectToName(request: Request, baseUrl: unknown): Request | Response {
  const url = URL.parse(request.url);
  const own = typeof baseUrl === 'string' ? URL.parse(baseUrl) : null;
  if (url === null || own?.hostname !== 'localhost' || url.origin === own.origin) return request;
  if (!listOwnOrigins(own.origin).includes(url.origin)) return request;
  const named = new URL(url);
  named.hostname = own.hostname;
  return isPageAsked(request) ? redirect(named) : new Request(named, request);
}

/** A browser that opens an address says so; without that, a caller that likes HTML better than JSON wants a page. */
function isPageAsked({ method, headers }: Request): boolean {
  if (!READING.includes(method)) return false;
  const mode = headers.get('sec-fetch-mode');
  if (mode !== null) return mode === 'navigate';
  return selectPreferredType(headers.get('accept'), ['application/json', 'text/html']) === 'text/html';
}

const redirect = (to: URL): Response =>
  new Response(null, { status: 302, headers: { location: to.href, 'cache-control': 'no-store' } });
