import { parseJson } from '../../lib/json.ts';
import { waitOrAbort } from '../../net/deadline.ts';
import { getWireErrorName, parseRetryAfterMs } from '../../net/fetched.ts';
import type { FetchFunction, WireResponse } from '../../net/guarded-fetch.ts';
import { readAtMost } from '../../net/read-body.ts';
import type { VendorFailure } from './vendor.ts';

/** What one call to the vendor may take. */
export type WireLimits = {
  /** Until the answer is read to its end. */
  timeoutMs: number;
  /** Decoded bytes of its body. */
  answerBytes: number;
};

export const WIRE_LIMITS: WireLimits = { timeoutMs: 15_000, answerBytes: 4 * 1024 * 1024 };

export type WireRequest = { method: 'GET' | 'POST'; url: URL; headers: Record<string, string>; body?: string };

/** An answer of the vendor that was read to its end. */
export type VendorAnswer = {
  status: number;
  /** The body as JSON; undefined for anything else. */
  body: unknown;
  /** The body was larger than allowed, and was dropped. */
  isTooLarge: boolean;
  /** From `Date`, Unix milliseconds (whole seconds); undefined where there is none that is one. */
  vendorNowMs: number | undefined;
  /** From `Retry-After`, which is seconds or an HTTP date; at most a day. */
  retryAfterMs: number | undefined;
};

/** The longest time that the vendor can send us away for. */
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/**
 * Sends one request to an address of the deployment's settings. Redirects are answers like others: nothing that bears
 * a token is sent elsewhere.
 * @param party who is asked, for the detail of a failure
 */
export async function askVendor(
  { url, ...request }: WireRequest,
  party: string,
  { fetch: send, now, limits }: { fetch: FetchFunction; now: () => number; limits: WireLimits },
): Promise<{ ok: true; answer: VendorAnswer } | VendorFailure> {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  try {
    const response = await waitOrAbort(send(url.href, { ...request, redirect: 'manual', signal }), signal);
    const text = await waitOrAbort(readTextUpTo(response, limits.answerBytes), signal);
    const vendorNowMs = parseHttpDate(response.headers.get('date'));
    const retryAfterMs = parseRetryAfterMs(
      response.headers.get('retry-after'),
      vendorNowMs ?? now(),
      MAX_RETRY_AFTER_MS,
    );
    const isTooLarge = text === undefined;
    return {
      ok: true,
      answer: { status: response.status, body: parseJson(text ?? ''), isTooLarge, vendorNowMs, retryAfterMs },
    };
  } catch (error) {
    const why = signal.aborted ? `nothing within ${limits.timeoutMs} ms` : getWireErrorName(error);
    return { ok: false, reason: 'unavailable', detail: `the ${party} gives no whole answer (${why})` };
  }
}

async function readTextUpTo({ body }: WireResponse, limit: number): Promise<string | undefined> {
  if (body === null) return '';
  const bytes = await readAtMost(body, limit);
  return bytes && new TextDecoder().decode(bytes);
}

function parseHttpDate(header: string | null): number | undefined {
  const timeMs = Date.parse(header ?? '');
  return Number.isFinite(timeMs) ? timeMs : undefined;
}
