import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, sendJson, startHttpServer } from '../../../local/http-server.ts';
import { sendProblem } from './paid-service.ts';

/**
 * What becomes of one request with a payment. `*_before`: the service never sees it. `*_after`: the service does its work,
 * and the client does not get its answer.
 */
export type ProxyFault =
  | 'pass'
  | 'reset_before'
  | 'reset_after'
  | 'cut_after'
  | 'bad_gateway_after'
  | 'hang_after'
  | 'in_progress'
  | 'busy'
  | 'come_back_tomorrow'
  | 'expired'
  | 'header_lost';

export type FaultyProxy = {
  url: string;
  /** What goes wrong with the next requests that carry a payment, one after the other; then nothing does. */
  plan: (...faults: ProxyFault[]) => void;
  /** The payments of those requests, since the last plan. */
  payments: () => readonly string[];
  /** Resolves when the next request with a payment has been seen, and its fault begun. */
  whenPaid: () => Promise<void>;
  stop: () => Promise<void>;
};

type Forwarded = {
  status: number;
  headers: Headers;
  body: ReadableStream<Uint8Array> | null;
  text: () => Promise<string>;
};
type Answering = (response: ServerResponse, forward: (withPayment?: boolean) => Promise<Forwarded>) => unknown;

const CODES = { in_progress: [409, 'payment_in_progress', 1], busy: [503, 'service_busy', 0] } as const;

const faults: Record<ProxyFault, Answering> = {
  pass: async (response, forward) => pipe(await forward(), response),
  reset_before: (response) => response.destroy(),
  reset_after: async (response, forward) => {
    await (await forward()).text();
    response.destroy();
  },
  cut_after: async (response, forward) => {
    const answer = await forward();
    const whole = await answer.text();
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.write(whole.slice(0, whole.length / 2), () => response.socket?.end());
  },
  bad_gateway_after: async (response, forward) => {
    await (await forward()).text();
    response.writeHead(502, { 'content-type': 'text/html' });
    response.end('<html><body><h1>502 Bad Gateway</h1></body></html>');
  },
  hang_after: async (_response, forward) => (await forward()).text(), // And never answers; stop() cuts the connection.
  in_progress: (response) => sendProblem(response, ...CODES.in_progress),
  busy: (response) => sendProblem(response, ...CODES.busy),
  come_back_tomorrow: (response) => sendProblem(response, 503, 'transfers_only', 86_400),
  expired: (response) => sendJson(response, 402, { code: 'authorization_expired', title: 'It has expired' }),
  header_lost: async (response, forward) => pipe(await forward(false), response),
};

/** Stands between a client and the service at `target`: passes everything on, except what a test wants to go wrong. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  let planned: ProxyFault[] = [];
  let payments: string[] = [];
  let seen = Promise.withResolvers<void>();
  const server = await startHttpServer(async (request, response) => {
    const body = await readBody(request);
    const payment = request.headers['payment-signature'];
    const forward = (withPayment = true): Promise<Forwarded> => forwardTo(target, request, body, withPayment);
    if (typeof payment !== 'string') return pipe(await forward(), response);
    payments.push(payment);
    const fault = planned.shift() ?? 'pass';
    seen.resolve();
    await faults[fault](response, forward);
  });
  return {
    url: server.url,
    plan: (...next) => {
      [planned, payments, seen] = [next, [], Promise.withResolvers<void>()];
    },
    payments: () => payments,
    whenPaid: () => seen.promise,
    stop: server.stop,
  };
}

const NOT_PASSED_ON = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding']);

function forwardTo(target: string, request: IncomingMessage, body: string, withPayment: boolean): Promise<Response> {
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value !== 'string' || NOT_PASSED_ON.has(name) || (name === 'payment-signature' && !withPayment)
      ? []
      : [[name, value] as [string, string]],
  );
  const isPost = request.method === 'POST';
  return fetch(target + (request.url ?? '/'), {
    method: request.method ?? 'GET',
    headers,
    redirect: 'manual',
    ...(isPost ? { body } : {}),
  });
}

const UNPACKED = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'connection']);

async function pipe({ status, headers, body }: Forwarded, response: ServerResponse): Promise<void> {
  response.writeHead(status, Object.fromEntries([...headers].filter(([name]) => !UNPACKED.has(name))));
  for await (const chunk of body ?? []) response.write(chunk);
  response.end();
}
