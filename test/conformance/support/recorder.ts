import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LOOPBACK } from '../../../local/ports.ts';

/** Largest body that is passed on. */
const MAX_PASSED_BYTES = 1_000_000;

export type Recorder = {
  url: string;
  /** Everything that was asked: the request line and all header lines as one text each. */
  seen: string[];
  stop: () => Promise<void>;
};

/**
 * A site on loopback that keeps what it is asked, redirects `/` once, and answers a plain page. With `hangs` it never
 * answers anything.
 */
export const startRecorder = ({ hangs = false } = {}): Promise<Recorder> =>
  listening((request, response) => {
    if (hangs) return;
    if (request.url === '/') response.writeHead(302, { location: '/home' }).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Recorder</title><p>Hello');
  });

/** A server on loopback that keeps what it is asked and has `upstream` answer it. */
export const startRecordingProxy = (upstream: string): Promise<Recorder> =>
  listening(async (request, response) => {
    const body = await text(request);
    const { method = 'GET', url = '/' } = request;
    const headers = { 'content-type': request.headers['content-type'] ?? 'application/json' };
    const answer = await fetch(new URL(url, upstream), { method, headers, ...(method === 'POST' ? { body } : {}) });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
    response.end(await answer.text());
  });

async function listening(answer: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<Recorder> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}\n${request.rawHeaders.join('\n')}`);
    Promise.resolve(answer(request, response)).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  return {
    url: `http://${LOOPBACK}:${port}`,
    seen,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function text(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.byteLength;
    if (size > MAX_PASSED_BYTES) throw new Error('the body is too large to pass on');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
