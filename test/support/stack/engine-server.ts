import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { readBody, startHttpServer } from '../../../local/http-server.ts';
import { parseJson } from '../../../src/lib/json.ts';

const SAMPLES = new URL('../../data/engines/', import.meta.url);

/** A recorded answer of a vendor, as `openai/web-search.json`. */
export const readSample = (file: string): string => readFileSync(new URL(file, SAMPLES), 'utf8');

/** What a vendor says to one request: an answer, or what a hostile one does. `drip` sends a byte now and then, without end. */
export type EngineReply =
  | { status?: number; headers?: Readonly<Record<string, string>>; body: string }
  | { hostile: 'hang' | 'reset' | 'reset_midway' | 'endless' | 'drip' };

export type EngineRequest = { path: string; headers: IncomingHttpHeaders; body: unknown };

export type EngineServer = {
  /** Without a path. */
  url: string;
  requests: readonly EngineRequest[];
  /** Bytes of endless answers that were taken from us, at most. */
  written: () => number;
  stop: () => Promise<void>;
};

/** Paths of the interfaces that are spoken: Responses, Messages, Gemini, and Perplexity's chat completions. */
const SPOKEN = /^\/(?:v1\/responses|v1\/messages|v1beta\/models\/[\w.-]+:generateContent|chat\/completions)$/u;

/** A loopback server that speaks the wire formats of the vendors: every POST to a path of theirs gets `reply`. */
export async function startEngineServer(reply: EngineReply): Promise<EngineServer> {
  const requests: EngineRequest[] = [];
  let written = 0;
  const server = await startHttpServer(async (request, response) => {
    const { url: path = '', headers, method } = request;
    requests.push({ path, headers, body: parseJson(await readBody(request)) });
    if (method !== 'POST' || !SPOKEN.test(path)) {
      response.writeHead(404).end('no interface of a vendor');
      return;
    }
    if ('hostile' in reply) misbehave(response, reply.hostile, (bytes) => (written += bytes));
    else {
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
      response.end(reply.body);
    }
  });
  return { url: server.url, requests, written: () => written, stop: server.stop };
}

const PIECE = ' '.repeat(64 * 1024);
const DRIP_MS = 20;

function misbehave(
  response: ServerResponse,
  how: 'hang' | 'reset' | 'reset_midway' | 'endless' | 'drip',
  count: (bytes: number) => void,
): void {
  if (how === 'hang') return;
  if (how === 'reset') {
    response.destroy();
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  if (how === 'reset_midway') response.write('{"id":', () => response.destroy());
  else if (how === 'drip') {
    const timer = setInterval(() => response.write(' '), DRIP_MS);
    response.on('close', () => clearInterval(timer));
  } else {
    const pour = (): void => {
      if (response.destroyed) return;
      count(PIECE.length);
      response.write(PIECE, () => setImmediate(pour));
    };
    pour();
  }
}
