import { type IncomingMessage, request as askServer, type ServerResponse } from 'node:http';
import { type HttpServer, readBody, sendJson, startHttpServer } from '../../../local/http-server.ts';

/** What goes wrong with a paid request on its way: lost before the service sees it, or its answer after; or a busy service. */
export type ProxyFault = 'lose_request' | 'lose_answer' | 'cut_answer' | 'in_progress' | 'busy' | 'gateway';

export type LossyProxy = {
  url: string;
  /** What goes wrong with the next paid requests, one after the other. */
  plan: (faults: readonly ProxyFault[]) => void;
  /** Payments in the order in which they came; the same one again is a repeat. */
  payments: string[];
  stop: () => Promise<void>;
};

/** Passes every request on to `target`, except what a test wants to go wrong with paid ones. */
export async function startLossyProxy(target: string): Promise<LossyProxy> {
  const payments: string[] = [];
  let planned: ProxyFault[] = [];
  const server: HttpServer = await startHttpServer(async (request, response) => {
    const body = await readBody(request);
    const payment = request.headers['payment-signature'];
    if (typeof payment === 'string') payments.push(payment);
    const fault = typeof payment === 'string' ? planned.shift() : undefined;
    if (fault === 'lose_request') return void response.destroy();
    if (fault === 'in_progress') return sendRefusal(response, 409, 'payment_in_progress');
    if (fault === 'busy') return sendRefusal(response, 503, 'service_busy');
    if (fault === 'gateway')
      return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
    return passOn(target, request, body, response, fault);
  });
  return {
    url: server.url,
    plan: (faults) => {
      planned = [...faults];
    },
    payments,
    stop: server.stop,
  };
}

function sendRefusal(response: ServerResponse, status: number, code: string): void {
  response.setHeader('retry-after', '1');
  sendJson(response, status, { code, title: `It is ${code}`, status });
}

/** The answer piece by piece, as events need it; a lost one is read to its end first, so that the service has done its work. */
function passOn(
  target: string,
  { method, url = '/', headers }: IncomingMessage,
  body: string,
  response: ServerResponse,
  fault: ProxyFault | undefined,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const sent = askServer(
    new URL(url, target),
    { method, headers: { ...headers, host: new URL(target).host } },
    (answer) => {
      if (fault === undefined || fault === 'cut_answer') response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('data', (piece: Buffer) => {
        if (fault === undefined) response.write(piece);
        if (fault === 'cut_answer') response.write(piece.subarray(0, 1));
      });
      answer.once('end', () => {
        if (fault === undefined) response.end();
        else response.destroy();
        resolve();
      });
    },
  );
  sent.once('error', () => {
    response.destroy();
    resolve();
  });
  sent.end(body);
  return promise;
}
