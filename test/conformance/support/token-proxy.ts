import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LOOPBACK } from '../../../local/ports.ts';

export type TokenProxy = {
  /** Origin of the proxy, without trailing slash. */
  url: string;
  stop: () => Promise<void>;
};

/**
 * A server on loopback that passes everything to `upstream` with a bearer token, because the suite cannot send one. It
 * writes its own Host and Origin as the upstream's, and leaves foreign ones as they are for the gates to see.
 */
export async function startTokenProxy(upstream: string, token: string): Promise<TokenProxy> {
  const server = createServer((incoming, outgoing) => pass(new URL(upstream), token, incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  return {
    url: `http://${LOOPBACK}:${port}`,
    stop: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

function pass(upstream: URL, token: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { host, origin, ...headers } = incoming.headers;
  const own = `${LOOPBACK}:${incoming.socket.localPort}`;
  const passed = request(
    {
      host: upstream.hostname,
      port: upstream.port,
      path: incoming.url,
      method: incoming.method,
      headers: {
        ...headers,
        authorization: `Bearer ${token}`,
        host: host === own ? upstream.host : (host ?? ''),
        ...(origin === undefined ? {} : { origin: origin === `http://${own}` ? upstream.origin : origin }),
      },
    },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders(); // A stream may stay silent for long.
      answer.pipe(outgoing);
    },
  );
  passed.on('error', () => outgoing.destroy());
  outgoing.on('close', () => passed.destroy());
  incoming.pipe(passed);
}
