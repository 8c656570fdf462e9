import { exports } from 'cloudflare:workers';

export type Sent = {
  method?: string;
  /** A text or bytes as they are; anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** `null`: none. */
  token?: string | null;
};

/** Sends a request to the Worker under test, with a bearer token unless told otherwise. */
export function sendToWorker(
  url: string,
  { method = 'GET', body, headers = {}, token = null }: Sent,
): Promise<Response> {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const type = isRaw ? {} : { 'content-type': 'application/json' };
  const content = isRaw ? body : JSON.stringify(body);
  return exports.default.fetch(
    new Request(url, {
      method,
      redirect: 'manual',
      headers: { ...authorization, ...type, ...headers },
      ...(content === undefined ? {} : { body: content }),
    }),
  );
}
