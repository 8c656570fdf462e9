/**
 * A facilitator that does no chain work (constant verdicts, the payer echoed from the request) and a JSON-RPC endpoint
 * that knows the chain id and a large balance. One process, the same for every server that is measured.
 * Prints `{ port }` once it listens; `GET /counts` tells how often each path was asked.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

const NETWORK = 'eip155:8453';
const IDLE_MS = 600_000;
const SUPPORTED = JSON.stringify({
  kinds: [{ x402Version: 2, scheme: 'exact', network: NETWORK }],
  extensions: ['bazaar'],
  signers: {},
});
const RPC_RESULTS: Readonly<Record<string, string>> = {
  eth_chainId: '0x2105',
  eth_call: `0x${'f'.repeat(12).padStart(64, '0')}`,
  eth_getCode: '0x',
};

const counts: Record<string, number> = {};
let settlements = 0;

const server = createServer((request, response) => {
  void respond(request, response);
});
server.keepAliveTimeout = IDLE_MS; // A connection that closes between rounds would show as a failed payment.
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a numeric address');
  console.log(JSON.stringify({ port: address.port }));
});

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await readText(request);
  const path = request.url ?? '/';
  counts[path] = (counts[path] ?? 0) + 1;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(answer(path, text));
}

function answer(path: string, text: string): string {
  if (path === '/supported') return SUPPORTED;
  if (path === '/counts') return JSON.stringify(counts);
  if (path === '/verify') return `{"isValid":true,"payer":"${payerOf(text)}"}`;
  if (path === '/rpc') return rpcAnswer(text);
  settlements += 1;
  const transaction = `0x${settlements.toString(16).padStart(64, '0')}`;
  return `{"success":true,"transaction":"${transaction}","network":"${NETWORK}","payer":"${payerOf(text)}"}`;
}

function rpcAnswer(text: string): string {
  const { id, method } = JSON.parse(text) as { id: number; method: string };
  const result = RPC_RESULTS[method];
  return JSON.stringify(
    result === undefined
      ? { jsonrpc: '2.0', id, error: { code: -32601, message: 'not part of the benchmark' } }
      : { jsonrpc: '2.0', id, result },
  );
}

const payerOf = (text: string): string => /"from":"(0x[0-9a-fA-F]{40})"/.exec(text)?.[1] ?? '';

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
