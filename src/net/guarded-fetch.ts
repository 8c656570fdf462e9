import { PRODUCT } from '../lib/product.ts';
import type { AddressPolicy } from './address-policy.ts';
import { isIpLiteral } from './address.ts';
import { parseTargetUrl } from './canonical-url.ts';
import { type Deadline, waitOrAbort, startDeadline } from './deadline.ts';
import { createFetchBudget, DEFAULT_LIMITS, type FetchBudget, type FetchLimits } from './fetch-budget.ts';
import {
  FetchStopped,
  findStop,
  getWireErrorName,
  type Fetched,
  type FetchTarget,
  type GuardedFetch,
  type Hop,
} from './fetched.ts';
import { DECODED_CODINGS, dropStream, readBody, refuseEncoding } from './read-body.ts';

/** The part of `fetch` that is used. The platform's `fetch` fits, and so does the dialer of the command line. */
export type FetchFunction = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; redirect: 'manual'; signal: AbortSignal },
) => Promise<WireResponse>;

export type WireResponse = {
  status: number;
  headers: { get: (name: string) => string | null; forEach: (row: (value: string, name: string) => void) => void };
  body: ReadableStream<Uint8Array> | null;
};

export type GuardedFetchOptions = {
  fetch: FetchFunction;
  policy: AddressPolicy;
  /** Unix milliseconds. */
  clock: () => number;
  limits?: Partial<FetchLimits>;
  /** Sent where the target names no `user-agent` of its own; see `formatBotUserAgent`. */
  userAgent?: string;
  /**
   * Header fields that prove who asks, for the host of one request. Only for requests under `userAgent`: what goes out under
   * another's name is not ours to sign. They are added last, so no snapshot has them (rule F10).
   */
  sign?: ((url: string) => Promise<Readonly<Record<string, string>>>) | undefined;
  /** Ends every fetch of the audit. */
  signal?: AbortSignal;
  /** Counts decoded bytes where all audits of this isolate are counted; false ends the audit. */
  hold?: (bytes: number) => boolean;
  /**
   * Resolves a name to all its addresses; each is judged before the fetch. Leave it out where `fetch` judges what it
   * dials (command line) or the platform's egress does (Workers): to look first and dial later proves less than that.
   */
  resolve?: (hostname: string) => Promise<readonly string[]>;
  /**
   * Asked when the first fetch was redirected to another registrable domain, with the URL that answered at last: whether
   * the audit may go on there. That domain then is the audited one, too. Left out: it may.
   */
  mayMoveTo?: (url: URL) => Promise<boolean>;
};

type Answer = Omit<Extract<Fetched, { ok: true }>, 'redirects' | 'elapsedMs'>;
type Audit = Omit<GuardedFetchOptions, 'limits'> & { limits: FetchLimits; budget: FetchBudget };
/** `isFirst`: the first fetch of its audit, which says where the site is. */
type Call = {
  audit: Audit;
  target: FetchTarget;
  redirects: Hop[];
  deadline: Deadline;
  isFirst: boolean;
  mayFollow?: (() => Promise<boolean>) | undefined;
};

const REDIRECT_STATUSES = [301, 302, 303, 307, 308];
/** What a redirect to another origin must not hand on. */
const ORIGIN_BOUND_HEADERS = ['authorization', 'proxy-authorization', 'cookie'];
/** Names us to proxies and to other deployments, which refuse to audit in a circle (rule F7). */
const VIA = '1.1 sightline';
const WIRE_DETAILS = {
  connection_failed: 'no answer came',
  body_failed: 'the body broke off or could not be decoded',
} as const;
/** Foreign text in a detail is cut here. */
const MAX_DETAIL_CHARS = 300;

/** The User-Agent that says who asks and where to read about it. @param baseUrl our own origin, from the settings. */
export function formatBotUserAgent(baseUrl: string): string {
  return `${PRODUCT}Bot/0.1 (+${new URL('/bot', baseUrl).href})`;
}

/**
 * Makes the fetch of ONE audit: all its calls share one budget of requests, bytes, time and foreign domains, which the
 * first call starts. Redirects of GET and HEAD are followed, each judged like a new URL; that of a POST or OPTIONS, or of a target with
 * `follow: false`, is returned as it is. Nothing is retried. At most `maxBytes` decoded bytes of a body are kept.
 * @throws TypeError when a header of the target is not one that HTTP can carry: that is a bug of the caller.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const audit: Audit = { ...options, limits, budget: createCountedBudget(options, limits) };
  let isFirst = true;
  const guarded = async (target: FetchTarget, mayFollow?: () => Promise<boolean>): Promise<Fetched> => {
    const startedAtMs = options.clock();
    const redirects: Hop[] = [];
    const elapsed = () => ({ redirects, elapsedMs: options.clock() - startedAtMs });
    requestHeaders(audit, target);
    try {
      const start = judgeUrl(audit, target.url);
      const call = { audit, target, redirects, isFirst, mayFollow };
      isFirst = false;
      const answer = await fetchInTime(call, start);
      return { ...answer, ...elapsed() };
    } catch (error) {
      const stop = findStop(error);
      if (!stop) throw error;
      return { ok: false, reason: stop.reason, detail: stop.message.slice(0, MAX_DETAIL_CHARS), ...elapsed() };
    }
  };
  if (options.hold === undefined) return guarded;
  return Object.assign(guarded, { count: options.hold, bookText: (bytes: number) => bookText(audit.budget, bytes) });
}

function bookText(budget: FetchBudget, bytes: number): FetchStopped | undefined {
  try {
    budget.bookBytes(bytes);
    return undefined;
  } catch (error) {
    if (error instanceof FetchStopped) return error;
    throw error;
  }
}

function createCountedBudget({ clock, hold }: GuardedFetchOptions, limits: FetchLimits): FetchBudget {
  const budget = createFetchBudget(limits, clock);
  if (hold === undefined) return budget;
  return {
    ...budget,
    bookBytes(count) {
      budget.bookBytes(count);
      if (!hold(count)) throw new FetchStopped('budget_exhausted', 'too much is being read by all audits together');
    },
  };
}

async function fetchInTime(call: Omit<Call, 'deadline'>, start: URL): Promise<Answer> {
  const { audit } = call;
  const { fetchMs, firstByteMs } = audit.limits;
  const deadline = startDeadline({ fetchMs, firstByteMs, auditMs: audit.budget.remainingMs(), outer: audit.signal });
  try {
    return await follow({ ...call, deadline }, start);
  } finally {
    deadline.end();
  }
}

async function follow(call: Call, start: URL): Promise<Answer> {
  const seen = new Set([start.href]);
  let url = start;
  for (;;) {
    const response = await request(call, url, start);
    const location = findRedirect(call.target, response);
    if (location === null) {
      if (call.isFirst) await settle(call, url, response);
      return await readAnswer(call, url, response);
    }
    dropStream(response.body);
    const next = judgeUrl(call.audit, location, url);
    if (seen.has(next.href))
      throw new FetchStopped('redirect_loop', `${describePath(url)} redirects back to ${describePath(next)}`);
    if (call.redirects.length >= call.audit.limits.redirects) {
      throw new FetchStopped('too_many_redirects', `more than ${call.audit.limits.redirects} redirects`);
    }
    await requireShare(call);
    call.redirects.push({ url: url.href, status: response.status, location: next.href });
    seen.add(next.href);
    url = next;
  }
}

/** Redirects of requests that run together share what is left. */
async function requireShare({ audit, mayFollow, deadline }: Call): Promise<void> {
  if (mayFollow === undefined || (await waitOrAbort(mayFollow(), deadline.signal))) return;
  throw new FetchStopped('budget_exhausted', `one audit makes at most ${audit.limits.requests} requests`);
}

/** The first fetch has arrived: where it was led to another domain, that one is audited from here on, if it may be. */
async function settle({ audit, deadline }: Call, url: URL, response: WireResponse): Promise<void> {
  if (audit.budget.isHome(url)) return;
  const mayGoOn = audit.mayMoveTo === undefined || (await waitOrAbort(audit.mayMoveTo(url), deadline.signal));
  if (mayGoOn) return audit.budget.addHome(url);
  dropStream(response.body);
  throw new FetchStopped('budget_exhausted', `the site has moved to ${url.origin}, which may not be audited now`);
}

async function request(call: Call, url: URL, start: URL): Promise<WireResponse> {
  const { audit, target, deadline } = call;
  audit.budget.bookRequest(url, url !== start);
  const headers = requestHeaders(audit, target);
  if (url.origin !== start.origin) for (const name of ORIGIN_BOUND_HEADERS) delete headers[name];
  const { sign } = audit;
  if (sign !== undefined && headers['user-agent'] === audit.userAgent) Object.assign(headers, await sign(url.href));
  const firstByteArrived = deadline.awaitFirstByte();
  try {
    await judgeAddresses(call, url);
    const { fetch } = audit; // Called without `this`: the platform's fetch refuses to be someone's method.
    const init = { method: target.method ?? 'GET', headers, redirect: 'manual', signal: deadline.signal } as const;
    const sent = fetch(url.href, target.body === undefined ? init : { ...init, body: target.body });
    const response = await waitOrAbort(sent, deadline.signal);
    return requireHeaderLimit(response, audit.limits.headerBytes);
  } catch (error) {
    throw toWireFailure('connection_failed', error, deadline);
  } finally {
    firstByteArrived();
  }
}

async function readAnswer(call: Call, url: URL, response: WireResponse): Promise<Answer> {
  const { audit, target, deadline } = call;
  const refusal = refuseEncoding(response.headers.get('content-encoding'));
  if (refusal && response.body !== null) {
    dropStream(response.body);
    throw refusal;
  }
  try {
    const maxBytes = target.maxBytes ?? audit.limits.bodyBytes;
    const body = await readBody(response.body, { maxBytes, budget: audit.budget, signal: deadline.signal });
    return { ok: true, url: url.href, status: response.status, headers: readHeaders(response), ...body };
  } catch (error) {
    throw toWireFailure('body_failed', error, deadline);
  }
}

/** The `Location` to follow, or null when the answer is to be read as it is. */
function findRedirect(target: FetchTarget, response: WireResponse): string | null {
  const mayFollow = target.follow !== false && target.method !== 'POST' && target.method !== 'OPTIONS';
  if (!mayFollow || !REDIRECT_STATUSES.includes(response.status)) return null;
  return response.headers.get('location');
}

/** For a detail: a query may hold what a report should not show. */
function describePath(url: URL): string {
  return url.origin + url.pathname;
}

/** @throws FetchStopped with the policy's reason; a redirect whose target is no URL at all is a `bad_redirect`. */
function judgeUrl(audit: Audit, text: string, from?: URL): URL {
  const parsed = parseTargetUrl(text, audit.policy, from);
  if (parsed.ok) return parsed.url;
  if (!from) throw new FetchStopped(parsed.reason, parsed.detail);
  const reason = parsed.reason === 'invalid_url' ? 'bad_redirect' : parsed.reason;
  throw new FetchStopped(reason, `redirect from ${from.origin}: ${parsed.detail}`);
}

async function judgeAddresses(call: Call, url: URL): Promise<void> {
  const { resolve, policy } = call.audit;
  if (!resolve || isIpLiteral(url.hostname)) return;
  const addresses = await waitOrAbort(resolve(url.hostname), call.deadline.signal);
  if (addresses.length === 0) throw new FetchStopped('connection_failed', 'the name has no address');
  for (const address of addresses) {
    const refusal = policy.checkAddress(url, address);
    if (refusal) throw new FetchStopped(refusal.reason, refusal.detail);
  }
}

/** Header names in lower case; what identifies us and what the transport owns cannot be overridden. */
function requestHeaders(audit: Audit, target: FetchTarget): Record<string, string> {
  const given = new Headers(target.headers);
  if (!given.has('user-agent')) given.set('user-agent', audit.userAgent ?? `${PRODUCT}Bot/0.1`);
  given.set('accept-encoding', DECODED_CODINGS.join(', '));
  given.set('via', VIA);
  given.delete('host'); // The name that was judged is the name that is asked.
  const headers: Record<string, string> = {};
  given.forEach((value, name) => (headers[name] = value));
  return headers;
}

function readHeaders(response: WireResponse): Record<string, string> {
  const rows: [string, string][] = [];
  response.headers.forEach((value, name) => rows.push([name.toLowerCase(), value]));
  return Object.fromEntries(rows);
}

function requireHeaderLimit(response: WireResponse, maxBytes: number): WireResponse {
  let size = 0;
  response.headers.forEach((value, name) => (size += name.length + value.length));
  if (size <= maxBytes) return response;
  dropStream(response.body);
  throw new FetchStopped('connection_failed', `the headers are larger than ${maxBytes} bytes`);
}

/** Our own stop stays what it is, whatever the transport made of it; anything else is what was seen on the wire. */
function toWireFailure(reason: keyof typeof WIRE_DETAILS, error: unknown, deadline: Deadline): FetchStopped {
  const stop = findStop(error) ?? findStop(deadline.signal.reason);
  if (stop !== undefined) return stop;
  const name = getWireErrorName(error);
  return new FetchStopped(reason, name === 'Error' ? WIRE_DETAILS[reason] : `${WIRE_DETAILS[reason]} (${name})`);
}

/**
 * Whether a request is one of ours, by its `Via`: what our guarded fetch sends. Anyone may say so: it only ever takes
 * away.
 */
export const isOurVia = (via: string | null): boolean => /\bsightline\b/i.test(via ?? '');
