import { listOwnOrigins } from '../../../src/net/own-origins.ts';

/** Of `http`: clients may leave it out or write it. */
const DEFAULT_PORT = '80';

/** Hosts by which clients may call: the socket is on loopback whatever they say. */
const listHosts = (origins: readonly string[]): readonly string[] =>
  origins.flatMap((origin) => {
    const { host, hostname, port } = new URL(origin);
    return port === '' ? [host, `${hostname}:${DEFAULT_PORT}`] : [host];
  });

/**
 * Refuses what a page of the web or a rebound name could send: a foreign Host, a foreign Origin, and what a browser says
 * comes from another site. Undefined: the request may pass.
 */
export function refuseStranger({ headers, url }: Request, ownUrl: string): Response | undefined {
  const origins = listOwnOrigins(ownUrl);
  const hosts = listHosts(origins);
  const host = headers.get('host') ?? URL.parse(url)?.host ?? '';
  if (!hosts.includes(host)) return refuse(421, `The emulator answers for ${hosts.join(', ')} only.`);
  const origin = headers.get('origin');
  if (origin !== null && !origins.includes(origin))
    return refuse(403, 'The emulator takes no calls of pages from elsewhere (Origin).');
  if (headers.get('sec-fetch-site') === 'cross-site')
    return refuse(403, 'The emulator takes no calls of pages from elsewhere (Sec-Fetch-Site).');
  return undefined;
}

/** An answer of the emulator itself, in the form of the newer interfaces' errors. */
export function refuse(status: number, message: string): Response {
  return Response.json({ error: { code: status, message } }, { status, headers: { 'cache-control': 'no-store' } });
}

/** The request as sent to our own address, under whatever of this machine's names it came. */
export function toOwnAddress(request: Request, ownUrl: string): Request {
  const { host } = new URL(ownUrl);
  if (request.headers.get('host') === host) return request;
  const url = new URL(request.url);
  url.host = host;
  const moved = new Request(url, request);
  moved.headers.set('host', host);
  return moved;
}
