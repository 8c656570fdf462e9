import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { readBody, sendJson, startHttpServer } from '../../../local/http-server.ts';

/** Stands in what the server says beside its answers and in its errors: it must never come out of a client. */
export const SERVER_SECRET = 'sk-secret-of-the-server';

/**
 * What the server says to one request. `say` is a chat completion, whose optional parts are left out of the JSON unless
 * given; `status` an error of the API; `raw` any body with status 200. `hang` never answers, `hang_midway` stops inside
 * the body; `reset` cuts the connection before an answer, `reset_midway` inside the body.
 */
export type ChatReply =
  | {
      kind: 'say';
      /** Null as the API sends it beside a refusal. */
      text: string | null;
      model?: string | null;
      finish?: string | null;
      /** URLs in the field `citations`. */
      citations?: unknown;
      /** URLs in the field `search_results`. */
      sources?: readonly string[];
      usage?: unknown;
      /** More fields of the message, such as `reasoning_content` or `refusal`. */
      message?: Readonly<Record<string, unknown>>;
      delayMs?: number;
    }
  | { kind: 'status'; status: number; headers?: Readonly<Record<string, string>> }
  | { kind: 'raw'; body: string }
  /** Pieces of a streamed completion, then its end; or raw lines in place of both. `breaks` is what comes instead of the end. */
  | {
      kind: 'stream';
      pieces?: readonly string[];
      lines?: readonly string[];
      finish?: string;
      usage?: unknown;
      pauseMs?: number;
      breaks?: 'hang' | 'reset';
    }
  /** Vectors of an embeddings API, as JSON: anything may stand in their place. */
  | { kind: 'vectors'; data: unknown }
  | { kind: 'hang' | 'hang_midway' | 'reset' | 'reset_midway' };

/** One request as it came. `body` is undefined when it was no JSON. */
export type ChatRequest = { path: string; authorization: string | undefined; body: unknown };

export type ChatServer = {
  /** Base URL for `ANSWER_ENGINE_URL`: ends in /v1. */
  url: string;
  /** Every request so far, whatever was answered. */
  requests: readonly ChatRequest[];
  /** Requests whose answer was never complete: the client hung up, or the server cut the connection. */
  unfinished: () => number;
  stop: () => Promise<void>;
};

const PATHS: ReadonlySet<string> = new Set(['/v1/chat/completions', '/v1/embeddings']);

/** Three names of nobody. */
const DEFAULT_REPLY: ChatReply = {
  kind: 'say',
  text: '1. **Acme Desk**: a solid choice.\n2. **Beta Works**: cheaper.\n3. **Gamma Help**: for large teams.',
};

/**
 * A loopback server that speaks the OpenAI chat completions and embeddings APIs. `reply` chooses by the text of the
 * last message and the number of the request, from 0; it may take its time.
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
export async function startChatServer({
  reply = () => DEFAULT_REPLY,
  port = 0,
}: {
  reply?: (prompt: string, request: number) => ChatReply | Promise<ChatReply>;
  port?: number;
} = {}): Promise<ChatServer> {
  const requests: ChatRequest[] = [];
  let unfinished = 0;
  const server = await startHttpServer(async (request, response) => {
    const body = parsed(await readBody(request));
    const { method, url: path = '' } = request;
    const at = requests.push({ path, authorization: request.headers.authorization, body }) - 1;
    response.on('close', () => {
      if (!response.writableFinished) unfinished += 1;
    });
    const { pathname } = new URL(path, 'http://chat');
    if (method !== 'POST' || !PATHS.has(pathname)) return sendError(response, 404);
    return send(response, await reply(promptOf(body), at));
  }, port);
  return { url: `${server.url}/v1`, requests, unfinished: () => unfinished, stop: server.stop };
}

/** What a test learns of how many requests there were at once. */
export type Crowd = {
  /** A request is among them from the call until its promise resolves. */
  join: () => Promise<void>;
  /** Most that were among them at once. */
  most: () => number;
};

/** Longest wait for a crowd that never gathers, and the wait for one more than it should have, in milliseconds. */
const GATHER_MS = 10_000;
const ONE_MORE_MS = 150;
/** Milliseconds that a request stays once the crowd has gathered. */
const STAY_MS = 20;

/**
 * Requests that wait until `wanted` of them are there, so that as many come at once as the client ever sends, however
 * slow the machine is. Once that has happened, or could not be waited for any longer, each stays for moments only.
 */
export function crowdOf(wanted: number): Crowd {
  const gathered = Promise.withResolvers<void>();
  let patience: ReturnType<typeof setTimeout> | undefined;
  let [there, most] = [0, 0];
  return {
    join: async () => {
      patience ??= setTimeout(() => gathered.resolve(), GATHER_MS);
      there += 1;
      most = Math.max(most, there);
      if (there === wanted) {
        clearTimeout(patience);
        setTimeout(() => gathered.resolve(), ONE_MORE_MS);
      }
      await gathered.promise;
      await sleep(STAY_MS);
      there -= 1;
    },
    most: () => most,
  };
}

async function send(response: ServerResponse, reply: ChatReply): Promise<void> {
  switch (reply.kind) {
    case 'say':
      if (reply.delayMs !== undefined) await sleep(reply.delayMs);
      return sendJson(response, 200, completion(reply));
    case 'status':
      return sendError(response, reply.status, reply.headers);
    case 'raw':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(reply.body);
      return;
    case 'stream':
      return sendStream(response, reply);
    case 'vectors':
      return sendJson(response, 200, { object: 'list', data: reply.data, usage: { prompt_tokens: 3 } });
    case 'hang':
      return;
    case 'reset':
      response.destroy();
      return;
    case 'hang_midway':
    case 'reset_midway':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"choices":[', () => {
        if (reply.kind === 'reset_midway') response.destroy();
      });
  }
}

async function sendStream(response: ServerResponse, reply: ChatReply & { kind: 'stream' }): Promise<void> {
  const { pieces = [], lines, finish = 'stop', usage, pauseMs = 0, breaks } = reply;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  const ends = breaks === undefined ? [chunk({}, finish, usage), '[DONE]'] : [];
  const events =
    lines ?? [...pieces.map((content) => chunk({ content }, null)), ...ends].map((data) => `data: ${data}\n\n`);
  for (const event of events) {
    await sleep(pauseMs);
    if (response.destroyed) return;
    response.write(event);
  }
  if (breaks === 'hang') return;
  if (breaks === 'reset') response.destroy();
  else response.end();
}

const chunk = (delta: Record<string, unknown>, finish: string | null, usage?: unknown): string =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model: 'served-model-1',
    choices: [{ index: 0, delta, finish_reason: finish }],
    usage,
  });

function completion(reply: ChatReply & { kind: 'say' }): Record<string, unknown> {
  const { text, model = 'served-model-1', finish = 'stop', citations, sources, message } = reply;
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: text, ...message }, finish_reason: finish }],
    usage: 'usage' in reply ? reply.usage : { prompt_tokens: 11, completion_tokens: 22, total_tokens: 33 },
    citations,
    search_results: sources?.map((url) => ({ title: SERVER_SECRET, url })),
  };
}

function sendError(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ error: { message: SERVER_SECRET, type: 'error', code: String(status) } }));
}

const chatRequest = z.object({ messages: z.array(z.object({ content: z.string() })).min(1) });

const promptOf = (body: unknown): string => chatRequest.safeParse(body).data?.messages.at(-1)?.content ?? '';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A test wants to see that it was no JSON.
  }
}
