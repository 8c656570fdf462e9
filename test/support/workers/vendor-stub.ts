import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { readBody, startHttpServer } from '../../../local/http-server.ts';
import type { Vendor } from '../../../src/notifications/vendor/vendor.ts';
import { createVendorClient, type VendorOptions } from '../../../src/notifications/vendor/client.ts';

/** A request as the vendor sees it. */
export type Asked = {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: string;
};
/** What the stub answers next; a text goes out as it is. */
export type StubAnswer = { status: number; body?: unknown; headers?: Record<string, string> };
export type Responder = (asked: Asked, response: ServerResponse) => StubAnswer | undefined;

export type VendorStub = {
  url: string;
  asked: Asked[];
  /** Answers all further requests; undefined from it: the responder has the response in hand itself. */
  respond: (responder: Responder) => void;
  stop: () => Promise<void>;
};

/** Our clock in these tests: 2026-11-22T00:00:00Z. */
export const NOW_MS = 1_795_305_600_000;
/** The stub's, in the header of each answer: the same. */
const DATE = new Date(NOW_MS).toUTCString();

/** A directory and token endpoint on loopback that answers what a test says. */
export async function startVendorStub(): Promise<VendorStub> {
  let responder: Responder = () => ({ status: 500 });
  const asked: Asked[] = [];
  const server = await startHttpServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://stub');
    const seen: Asked = {
      method: request.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body: await readBody(request),
    };
    asked.push(seen);
    const answer = responder(seen, response);
    if (answer === undefined) return;
    response.writeHead(answer.status, { date: DATE, 'content-type': 'application/json', ...answer.headers });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {}));
  });
  return {
    url: server.url,
    asked,
    respond: (next) => {
      asked.length = 0;
      responder = next;
    },
    stop: server.stop,
  };
}

/** A client of the stub with a bearer token. */
export const clientOf = (stub: { url: string }, changes: Partial<VendorOptions> = {}): Vendor =>
  createVendorClient({
    directoryUrl: stub.url,
    key: async () => undefined,
    token: 'directory-token',
    subject: undefined,
    fetch: (url, init) => fetch(url, init),
    now: () => NOW_MS,
    random: (bytes) => 'ab'.repeat(bytes),
    ...changes,
  });

/** An error in the vendor's older dialect. */
export const vendorError = (status: number, reason: string, message = 'in its words'): StubAnswer => ({
  status,
  body: { error: { code: status, message, errors: [{ message, domain: 'global', reason }] } },
});
