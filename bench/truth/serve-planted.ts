import { isUtf8 } from 'node:buffer';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { answerPlanted, type PlantedSite } from './planted.ts';

/** A planted site on a loopback port. `origin` has no slash at its end. */
export type RunningPlanted = { origin: string; close: () => Promise<void> };

/**
 * Serves a planted site on an address of this machine. Text bodies and headers name the running origin where the site names its own, and
 * only there: an address of the same host with another scheme is a planted fault and stays as it is. A path that lacks
 * only its last slash is redirected, as the software of such sites does: some tools cut that slash off.
 */
export async function servePlanted(site: PlantedSite, host = '127.0.0.1'): Promise<RunningPlanted> {
  const server = createServer((request, response) => {
    void respond(site, request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { origin: `http://${host}:${address.port}`, close };
}

async function respond(site: PlantedSite, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const origin = `http://${request.headers.host ?? ''}`;
  const { pathname, search } = new URL(request.url ?? '/', site.origin);
  const isListed = (wanted: string): boolean => site.answers.some(({ path }) => path === wanted);
  if (!isListed(pathname) && isListed(`${pathname}/`)) {
    response.writeHead(301, { location: `${origin}${pathname}/${search}` });
    response.end();
    return;
  }
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const answer = answerPlanted(site, new URL(request.url ?? '/', site.origin).href, {
    method: request.method ?? 'GET',
    headers,
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const body = isUtf8(bytes) ? Buffer.from(moveTo(origin, site, bytes.toString('utf8'))) : bytes;
  const sent = [...answer.headers].map(([name, value]) => [name, moveTo(origin, site, value)] as const);
  response.writeHead(answer.status, Object.fromEntries(sent));
  response.end(body);
}

/** The text with the running origin for the site's own, in the form with escaped slashes (JSON) too. */
function moveTo(origin: string, site: PlantedSite, text: string): string {
  const escaped = (url: string): string => url.replaceAll('/', String.raw`\/`);
  return text.replaceAll(site.origin, origin).replaceAll(escaped(site.origin), escaped(origin));
}
