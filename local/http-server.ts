import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { LOOPBACK } from './ports.ts';

const MAX_BODY_BYTES = 1024 * 1024;
/** Node closes idle connections after 5 s: on a busy machine that meets the next request on its way, which then fails. */
const IDLE_MS = 120_000;

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

export type HttpServer = { url: string; port: number; stop: () => Promise<void> };

/** The request's body is larger than any of the local servers accepts. */
export class BodyTooLarge extends Error {
  override name = 'BodyTooLarge';
}

/** Serves `handler` on loopback; port 0 takes a free one. A handler that throws answers 500 with the message: these servers are local. */
export function startHttpServer(handler: Handler, port = 0): Promise<HttpServer> {
  const server = createServer((request, response) => {
    Promise.resolve(handler(request, response)).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, error instanceof BodyTooLarge ? 413 : 500, { error: String(error) });
    });
  });
  server.keepAliveTimeout = IDLE_MS;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => {
      const address = server.address();
      if (address === null || typeof address === 'string')
        return reject(new Error('a TCP server has a numeric address'));
      const stop = (): Promise<void> =>
        new Promise((done) => {
          server.close(() => done());
          server.closeAllConnections();
        });
      return resolve({ url: `http://${LOOPBACK}:${address.port}`, port: address.port, stop });
    });
  });
}

/** The body as text, at most 1 MiB. @throws BodyTooLarge */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new BodyTooLarge(`body over ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
