import { getProblemCode, getRetryAfterMs, type WireAnswer } from './answer.ts';
import { SightlineError } from './errors.ts';
import { type Outcome, type Progress, readAnswer } from './read-answer.ts';

/** The version of this package, as it names itself to the service. */
export const CLIENT_VERSION = '0.1.0';

/** Longest wait for one answer: the longest measurement takes 120 s, and its settlement some more. */
export const DEFAULT_TIMEOUT_MS = 180_000;
/** Times that one request is sent. With a payment it is the same payment each time, so repeats cost nothing. */
export const MAX_ATTEMPTS = 12;
/** A longer Retry-After is the caller's to wait for. */
export const MAX_RETRY_AFTER_MS = 60_000;
/** All waits of one call together: an authorization lives 300 s. */
export const MAX_WAIT_MS = 240_000;
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 8_000;

/** `fetch` as the client calls it. */
export type FetchPort = (input: string, init: RequestInit) => Promise<Response>;

export type WireRequest = {
  path: string;
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string;
  signal?: AbortSignal | undefined;
  /** Asks for a stream of events, and hears the ones before the last. */
  onProgress?: ((counts: Progress) => void) | undefined;
};

export type Transport = {
  origin: string;
  /** Sends a request, again while that is the right next step, and returns the last word of the service. */
  send: (request: WireRequest) => Promise<WireAnswer>;
};

export type TransportSettings = { baseUrl: string; fetch: FetchPort; timeoutMs: number; maxAttempts: number };

export function createTransport({ baseUrl, fetch: fetcher, timeoutMs, maxAttempts }: TransportSettings): Transport {
  const origin = parseOrigin(baseUrl);
  return {
    origin,
    send: async (request) => {
      let waitedMs = 0;
      for (let attempt = 1; ; attempt += 1) {
        const outcome = await sendOnce(origin, request, fetcher, timeoutMs);
        const waitMs = computeWaitMs(outcome, attempt);
        const isLast = waitMs === undefined || attempt >= maxAttempts || waitedMs + waitMs > MAX_WAIT_MS;
        if (isLast && outcome instanceof SightlineError) throw outcome;
        if (isLast) return outcome as WireAnswer;
        await waitFor(waitMs, request.signal);
        waitedMs += waitMs;
      }
    },
  };
}

/** Plain http is for this machine only: elsewhere anyone on the way could change payee and price. */
function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url !== undefined && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|.*\.localhost)$/.test(url.hostname);
  const isOrigin = url !== undefined && url.pathname === '/' && url.search + url.hash + url.username === '';
  if (isOrigin && (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal))) return url.origin;
  throw new SightlineError({
    code: 'invalid_options',
    setting: 'baseUrl',
    detail: `baseUrl is ${JSON.stringify(text)}, not the https address of a service without a path.`,
  });
}

/** One request: to our own origin, never following a redirect, within limits of time and size. */
async function sendOnce(origin: string, request: WireRequest, fetcher: FetchPort, timeoutMs: number): Promise<Outcome> {
  const { path, method = 'GET', headers = {}, body, signal, onProgress } = request;
  refuseAborted(signal);
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetcher(origin + path, {
      method,
      redirect: 'manual',
      headers: { ...headers, ...USER_AGENT, accept: onProgress ? 'text/event-stream' : 'application/json' },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(body === undefined ? {} : { body }),
    });
    return await readAnswer(response, onProgress);
  } catch (error) {
    refuseAborted(signal);
    if (error instanceof SightlineError) return error;
    const words = timeout.aborted ? `no answer within ${timeoutMs} ms` : String(error);
    return new SightlineError({ code: 'unreachable', detail: `${origin}: ${words}`, cause: error });
  }
}

/** Pages of browsers name themselves, and may not say otherwise. */
const USER_AGENT: Readonly<Record<string, string>> = (globalThis.navigator?.userAgent ?? '').startsWith('Mozilla/')
  ? {}
  : { 'user-agent': `sightline-client/${CLIENT_VERSION}` };

function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw new SightlineError({ code: 'aborted', detail: 'The signal of the call was aborted.', cause: signal.reason });
}

/**
 * How long to wait before the same request is sent again; undefined when this is the last word. The service says so with
 * Retry-After on 409, 429 and 503; a lost answer, and an error of something between us and the service, is tried again by
 * itself.
 */
function computeWaitMs(outcome: Outcome, attempt: number): number | undefined {
  const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS) * (0.75 + Math.random() / 2);
  if (outcome instanceof SightlineError)
    return outcome.code === 'unreachable' || outcome.code === 'answer_unreadable' ? backoffMs : undefined;
  const { status } = outcome;
  const asked = status === 409 || status === 429 || status === 503 ? getRetryAfterMs(outcome) : undefined;
  if (asked !== undefined) return asked > MAX_RETRY_AFTER_MS ? undefined : Math.max(asked, FIRST_BACKOFF_MS);
  const code = getProblemCode(outcome);
  const isPassing = status >= 500 ? code === undefined || code === 'internal_error' : code === 'body_broken_off';
  return isPassing ? backoffMs : undefined;
}

/** A wait that ends with the signal. */
async function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  refuseAborted(signal);
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
  refuseAborted(signal);
}
