import type { FetchTarget, Fetched, GuardedFetch } from '../net/fetched.ts';
import { gatherers } from './gather/index.ts';
import { decodeBody, unzip } from './gather/decode.ts';
import { sealed, withoutSecretQuery, withoutSecrets } from './gather/secrets.ts';
import type { Exchange, Lookup, Snapshot } from './snapshot.ts';

/** Fetches of one audit in flight at once (contracts 6): the platform allows six connections. */
export const MAX_CONCURRENT_FETCHES = 6;

/** What a gatherer sees: the start URL, what was read so far, and a way to read more. It judges nothing. */
export type Gather = {
  readonly start: URL;
  readonly clockMs: number;
  /** Makes the request once per role, records it, and returns it. Never throws: a failed fetch is an answer. */
  read: (role: string, target: FetchTarget) => Promise<Exchange>;
  find: Lookup;
};

/** Collects what one family of checks needs. Gatherers run at the same time; one that needs another's answer reads the same role. */
export type Gatherer = (gather: Gather) => Promise<void>;

export type GatherOptions = {
  fetch: GuardedFetch;
  clockMs: number;
  /** Names of gatherers to run; all when absent. A cheap capability reads only what its checks need. */
  only?: readonly (keyof typeof gatherers)[];
  onExchange?: (exchange: Exchange) => void;
};

/**
 * Reads a site and returns the snapshot that judging needs; exchanges are sorted by role so that the order of
 * answers on the wire leaves no trace. Limits (requests, bytes, time) are those of `options.fetch`.
 */
export async function gatherSite(url: string, options: GatherOptions): Promise<Snapshot> {
  const started = new Map<string, Promise<Exchange>>();
  const done = new Map<string, Exchange>();
  const slot = limiter(MAX_CONCURRENT_FETCHES);
  const read = (role: string, target: FetchTarget): Promise<Exchange> => {
    const known = started.get(role);
    if (known) return known;
    const running = slot(async () => {
      const exchange = await toExchange(role, target, await options.fetch(target));
      done.set(role, exchange);
      options.onExchange?.(sealed(exchange));
      return exchange;
    });
    started.set(role, running);
    return running;
  };
  const gather: Gather = { start: new URL(url), clockMs: options.clockMs, read, find: (role) => done.get(role) };
  const names = options.only ?? (Object.keys(gatherers) as (keyof typeof gatherers)[]);
  // A host whose start page gives no answer is asked for nothing else.
  if (names.includes('page')) await gatherers.page(gather);
  const reachable = done.get('page')?.answer.ok !== false;
  if (reachable) await Promise.all(names.map((name) => gatherers[name](gather)));
  const exchanges = [...done.values()].map(sealed).toSorted((a, b) => (a.role < b.role ? -1 : 1));
  return { version: 1, url, clockMs: options.clockMs, exchanges };
}

async function toExchange(role: string, target: FetchTarget, fetched: Fetched): Promise<Exchange> {
  const request = {
    role,
    method: target.method ?? 'GET',
    url: withoutSecretQuery(target.url),
    requestHeaders: target.headers ?? {},
    ...(target.body === undefined ? {} : { requestBody: target.body }),
  } as const;
  const redirects = fetched.redirects.map(({ url, status, location }) => ({
    url: withoutSecretQuery(url),
    status,
    location: withoutSecretQuery(location),
  }));
  if (!fetched.ok) {
    const { reason, detail, elapsedMs } = fetched;
    return { ...request, answer: { ok: false, reason, detail, redirects }, ms: elapsedMs };
  }
  const digest = await crypto.subtle.digest('SHA-256', fetched.bytes);
  const sha256 = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const url = withoutSecretQuery(fetched.url);
  const { status } = fetched;
  const headers = withoutSecrets(fetched.headers);
  const content = await unzip(fetched.bytes);
  const body = decodeBody(content.bytes, fetched.headers['content-type'] ?? '');
  const truncated = fetched.truncated || content.truncated;
  const answer = {
    ok: true,
    url,
    status,
    headers,
    body,
    bodyBytes: fetched.bytes.byteLength,
    sha256,
    truncated,
    redirects,
  } as const;
  return { ...request, answer, ms: fetched.elapsedMs };
}

/** Runs at most `limit` tasks at once, the others in order of arrival. */
function limiter(limit: number): <T>(task: () => Promise<T>) => Promise<T> {
  let free = limit;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
