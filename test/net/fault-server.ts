import { once } from 'node:events';
import { type IncomingMessage, type RequestListener, type ServerResponse, createServer } from 'node:http';
import { type Server, type Socket, createServer as createRawServer } from 'node:net';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

export type Running = { origin: string; port: number; seen: string[]; brokenOff: string[]; close: () => Promise<void> };

const ZEROS = Buffer.alloc(32 * 1024 * 1024);
const gzipBomb = gzipSync(ZEROS);
const brotliBomb = brotliCompressSync(ZEROS, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
const DRIP_MS = 20;

type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => void;

const redirect = (response: ServerResponse, location: string, status = 302): void => {
  response.writeHead(status, { location }).end('moved');
};

/** Writes for as long as someone reads. */
function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}

/** What a hostile or broken site does, one path each. */
const faults: Record<string, Handler> = {
  '/ok': (_, response) => response.writeHead(200, { 'content-type': 'text/plain', 'X-Upper': 'Yes' }).end('hello'),
  '/missing': (_, response) => response.writeHead(404).end('not here'),
  '/empty': (_, response) => response.writeHead(204).end(),
  '/echo': (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method, headers } = request;
      response.end(JSON.stringify({ method, headers, body: Buffer.concat(parts).toString() }));
    });
  },
  '/bytes': (_, response, url) => response.end(Buffer.alloc(Number(url.searchParams.get('n')), 'x')),
  '/to': (_, response, url) =>
    redirect(response, url.searchParams.get('url') ?? '', Number(url.searchParams.get('status') ?? 302)),
  '/no-location': (_, response) => response.writeHead(302).end('nowhere'),
  '/chain': (_, response, url) => {
    const left = Number(url.searchParams.get('n'));
    if (left === 0) response.end('end of chain');
    else redirect(response, `/chain?n=${left - 1}`);
  },
  '/loop-a': (_, response) => redirect(response, '/loop-b'),
  '/loop-b': (_, response) => redirect(response, '/loop-a#again', 307),
  '/gzip-bomb': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipBomb),
  '/br-bomb': (_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end(brotliBomb),
  '/gzip': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed')),
  '/gzip-lie': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('this is not gzip'),
  '/coding': (_, response, url) =>
    response.writeHead(200, { 'content-encoding': url.searchParams.get('as') ?? '' }).end('x'),
  '/redirect-coding': (_, response) =>
    response.writeHead(302, { location: '/ok', 'content-encoding': 'gzip, gzip' }).end('x'),
  '/silent': () => undefined,
  '/drip': (_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), DRIP_MS);
    response.on('close', () => clearInterval(timer));
  },
  '/endless': (_, response) => pour(response),
  '/redirect-endless': (_, response) => pour(response.writeHead(302, { location: '/ok' })),
  '/coded-endless': (_, response) => pour(response.writeHead(200, { 'content-encoding': 'unknown' })),
  '/early-close': (_, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('only this', () => response.destroy());
  },
  '/no-answer': (request) => request.destroy(),
  '/big-header': (_, response) => response.writeHead(200, { 'x-big': 'h'.repeat(200_000) }).end('x'),
  '/some-headers': (_, response) => response.writeHead(200, { 'x-some': 'h'.repeat(2_000) }).end('x'),
};

/**
 * Serves the faults on a free loopback port. `seen` lists `METHOD host/path` of every request that arrived,
 * `brokenOff` the paths of the answers that the reader did not take to the end.
 */
export async function startFaultServer(): Promise<Running> {
  const seen: string[] = [];
  const brokenOff: string[] = [];
  const listener: RequestListener = (request, response) => {
    const url = new URL(request.url ?? '/', 'http://fault.test');
    seen.push(`${request.method} ${request.headers.host}${url.pathname}`);
    response.on('close', () => response.writableFinished || brokenOff.push(url.pathname));
    const handler = faults[url.pathname];
    if (handler) handler(request, response, url);
    else response.writeHead(404).end();
  };
  const server = createServer(listener);
  return { ...(await listen(server, () => server.closeAllConnections())), seen, brokenOff };
}

/** Serves raw bytes to every connection, then closes it. */
export async function startRawServer(answer: string): Promise<Running> {
  const sockets = new Set<Socket>();
  const server = createRawServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.end(answer));
  });
  return { ...(await listen(server, () => sockets.forEach((socket) => socket.destroy()))), seen: [], brokenOff: [] };
}

export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
  return address.port;
}

async function listen(server: Server, dropAll: () => void): Promise<Pick<Running, 'origin' | 'port' | 'close'>> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  const close = async (): Promise<void> => {
    server.close();
    dropAll();
    await once(server, 'close');
  };
  return { origin: `http://127.0.0.1:${port}`, port, close };
}
