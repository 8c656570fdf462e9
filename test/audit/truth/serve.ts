import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { FetchTarget } from '../../../src/net/fetched.ts';
import { notFound, type Served, SITE, type SiteAnswer } from '../../support/audit/site-fetch.ts';
import type { TruthSite } from './truth-site.ts';

/** Bytes of a request's body that are read: fixtures expect JSON-RPC messages. */
const MAX_BODY_BYTES = 1024 * 1024;
/** Functions that a fixture may nest, as `siteFetch` allows. */
const MAX_CALLS = 5;

/** A fixture site on a loopback port. `origin` has no slash at its end. */
export type RunningSite = { origin: string; close: () => Promise<void> };

/**
 * Serves a fixture site on 127.0.0.1 (port 0: any free one), so that tools which only speak HTTP can audit it. Text bodies
 * and headers say the running origin where the fixture says `SITE`. Answers for other hosts of the map are not served; a
 * planted network failure closes the connection; a body announced as gzip is sent so.
 */
export async function serveSite(site: Pick<TruthSite, 'map' | 'catchAll'>, port = 0): Promise<RunningSite> {
  const server = createServer((request, response) => {
    void respond(site, request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { origin: `http://127.0.0.1:${address.port}`, close };
}

async function respond(
  site: Pick<TruthSite, 'map' | 'catchAll'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = answerTo(site, await targetOf(request));
  if (answer === undefined) {
    request.socket.destroy();
    return;
  }
  const origin = `http://${request.headers.host ?? '127.0.0.1'}`;
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body.replaceAll(SITE, origin)) : answer.body;
  const zipped = answer.headers['content-encoding'] === 'gzip' ? gzipSync(body) : body;
  const headers = Object.entries(answer.headers).map(
    ([name, value]) => [name, value.replaceAll(SITE, origin)] as const,
  );
  response.writeHead(answer.status, { ...Object.fromEntries(headers), 'content-length': String(zipped.byteLength) });
  response.end(request.method === 'HEAD' ? undefined : zipped);
}

/** The request as a fixture's function sees it: on `SITE`, with lower-case header names. */
async function targetOf(request: IncomingMessage): Promise<FetchTarget> {
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
  const body = await bodyOf(request);
  return {
    url: new URL(request.url ?? '/', SITE).href.replaceAll(`http://${request.headers.host ?? ''}`, SITE),
    method: (request.method ?? 'GET') as 'GET', // Fixtures only compare it, so other methods may pass as well.
    headers: Object.fromEntries(headers),
    ...(body === '' ? {} : { body }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const piece = Buffer.from(chunk as Uint8Array);
    bytes += piece.byteLength;
    if (bytes > MAX_BODY_BYTES) break;
    chunks.push(piece);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** What the site answers; undefined for a planted failure of the network. */
function answerTo({ map, catchAll }: Pick<TruthSite, 'map' | 'catchAll'>, target: FetchTarget): Served | undefined {
  const answers = new Map(Object.entries(map).map(([key, answer]) => [absoluteKey(key), answer]));
  const method = target.method ?? 'GET';
  let answer: SiteAnswer = answers.get(`${method} ${target.url}`) ?? answers.get(target.url) ?? catchAll ?? notFound;
  for (let calls = 0; typeof answer === 'function' && calls < MAX_CALLS; calls += 1) answer = answer(target);
  return typeof answer === 'function' || 'failure' in answer ? undefined : answer;
}

function absoluteKey(key: string): string {
  const [first = '', second] = key.split(' ');
  const url = new URL(second ?? first, SITE).href;
  return second === undefined ? url : `${first} ${url}`;
}
