import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, sendJson, startHttpServer } from '../../../local/http-server.ts';

/**
 * What goes wrong with one operation. `*_before`: the real facilitator never sees the request. `*_after`: it does its
 * work (settles on chain), and the caller is not told.
 */
export type Fault =
  | 'none'
  | '503_text'
  | '503_html'
  | 'reset_before'
  | 'reset_after'
  | 'hang_after'
  | 'bad_json_after'
  | '500_json_after'
  | 'accepted_202'
  | 'refused'
  | 'settlement_pending_after'
  | 'redirect';

export type Operation = 'verify' | 'settle' | 'supported';

export type FaultFacilitator = {
  url: string;
  /** Changes what goes wrong from the next request on. */
  set: (operation: Operation, fault: Fault) => void;
  /** How often each operation was called, whatever came of it. */
  calls: Readonly<Record<Operation, number>>;
  stop: () => Promise<void>;
};

type Forwarded = { status: number; text: string };
type Answering = (response: ServerResponse, forward: () => Promise<Forwarded>) => unknown;

const faults: Record<Fault, Answering> = {
  none: async (response, forward) => {
    const { status, text } = await forward();
    send(response, status, 'application/json', text);
  },
  '503_text': (response) => send(response, 503, 'text/plain', 'upstream down'),
  '503_html': (response) =>
    send(response, 503, 'text/html', '<html><body><h1>503 Service Temporarily Unavailable</h1></body></html>'),
  reset_before: (response) => response.destroy(),
  reset_after: async (response, forward) => {
    await forward();
    response.destroy();
  },
  hang_after: (_response, forward) => forward(), // And never answers; stop() cuts the connection.
  bad_json_after: async (response, forward) => {
    await forward();
    send(response, 200, 'application/json', '{"success":tru');
  },
  '500_json_after': async (response, forward) => {
    await forward();
    sendJson(response, 500, { error: 'internal' });
  },
  accepted_202: (response) => sendJson(response, 202, { paymentId: '7d1f6c1e-0000-4000-8000-000000000000' }),
  refused: (response) =>
    sendJson(response, 200, {
      success: false,
      errorReason: 'invalid_transaction_state',
      transaction: '',
      network: 'eip155:8453',
    }),
  settlement_pending_after: async (response, forward) => {
    const { text } = await forward();
    const settled: unknown = JSON.parse(text);
    const pending = { success: false, errorReason: 'settlement_pending' };
    sendJson(response, 500, typeof settled === 'object' ? { ...settled, ...pending } : pending);
  },
  redirect: (response) => response.writeHead(307, { location: 'http://127.0.0.1:9/elsewhere' }).end(),
};

/** A facilitator that passes everything on to the one at `target`, except what a test wants to go wrong. */
export async function startFaultFacilitator(target: string): Promise<FaultFacilitator> {
  const modes: Record<Operation, Fault> = { verify: 'none', settle: 'none', supported: 'none' };
  const calls: Record<Operation, number> = { verify: 0, settle: 0, supported: 0 };
  const server = await startHttpServer(async (request, response) => {
    const operation = (request.url ?? '/').slice(1);
    if (!isOperation(operation)) return sendJson(response, 404, { error: 'not found' });
    calls[operation] += 1;
    const body = await readBody(request);
    await faults[modes[operation]](response, () => forwardTo(`${target}/${operation}`, request, body));
  });
  return {
    url: server.url,
    set: (operation, fault) => {
      modes[operation] = fault;
    },
    calls,
    stop: server.stop,
  };
}

const isOperation = (text: string): text is Operation => text === 'verify' || text === 'settle' || text === 'supported';

async function forwardTo(url: string, request: IncomingMessage, body: string): Promise<Forwarded> {
  const isPost = request.method === 'POST';
  const response = await fetch(url, {
    method: request.method ?? 'GET',
    headers: { 'content-type': 'application/json' },
    ...(isPost ? { body } : {}),
  });
  return { status: response.status, text: await response.text() };
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'content-type': type });
  response.end(text);
}
