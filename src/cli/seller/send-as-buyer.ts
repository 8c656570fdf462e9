import type { Fetched, FetchTarget } from '../../net/fetched.ts';
import { request } from '../buy/service.ts';

/** The part of a buyer's tools that sends. */
type Wire = { fetch: typeof fetch };

/**
 * One request as `sightline buy` sends it: to the origin of the seller alone, without following a redirect, and without the
 * `Via` of audits, which our own service refuses beside a payment (rule F7).
 * @param gone closes the connection
 */
export async function sendAsBuyer(
  origin: string,
  { url, method = 'GET', headers = {}, body }: FetchTarget,
  wire: Wire,
  gone?: AbortSignal,
): Promise<Fetched> {
  const asked = new Request(url, { method, headers, ...(body === undefined ? {} : { body }) });
  const fetcher: typeof fetch = (input, init) => {
    const signals = [init?.signal, gone].filter((one) => one !== undefined && one !== null);
    return wire.fetch(input, { ...init, signal: AbortSignal.any(signals) });
  };
  const startedMs = Date.now();
  const answer = await request(origin, asked, fetcher);
  const rest = { redirects: [], elapsedMs: Date.now() - startedMs };
  if (!answer.ok)
    return { ok: false, reason: 'connection_failed', detail: answer.detail.slice(0, MAX_DETAIL), ...rest };
  const bytes = Uint8Array.from(new TextEncoder().encode(answer.text));
  const names = Object.fromEntries(answer.headers);
  return { ok: true, url, status: answer.status, headers: names, bytes, truncated: false, ...rest };
}

/** Characters of a detail: it may quote the seller. */
const MAX_DETAIL = 300;
