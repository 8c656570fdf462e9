import type { FetchFailure, FetchTarget, Fetched, GuardedFetch, Hop } from '../../../src/net/fetched.ts';

/** The origin of fixture sites: paths of a map belong to it. */
export const SITE = 'https://acme.example';

/** Redirects that the fake follows before it answers `too_many_redirects`, as the real fetcher does. */
const MAX_REDIRECTS = 5;

export type Served = {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array<ArrayBuffer>;
};

/** An answer, a redirect (by a `location` header), a failure of the network, or a function of the request. */
export type SiteAnswer = Served | { failure: FetchFailure } | ((request: FetchTarget) => SiteAnswer);

/** Path (with query) on `SITE`, or absolute URL, to its answer. `'POST /mcp'` answers only that method. */
export type SiteMap = Readonly<Record<string, SiteAnswer>>;

export type SiteFetch = GuardedFetch & { readonly requests: readonly FetchTarget[] };

type Extra = { status?: number; headers?: Readonly<Record<string, string>> };

const served = (type: string, body: string, extra: Extra = {}): Served => ({
  status: extra.status ?? 200,
  headers: { 'content-type': type, ...extra.headers },
  body,
});

export const html = (body: string, extra?: Extra): Served => served('text/html; charset=utf-8', body, extra);
export const text = (body: string, extra?: Extra): Served => served('text/plain; charset=utf-8', body, extra);
export const markdown = (body: string, extra?: Extra): Served => served('text/markdown; charset=utf-8', body, extra);
export const xml = (body: string, extra?: Extra): Served => served('application/xml', body, extra);
export const json = (value: unknown, extra?: Extra): Served => served('application/json', JSON.stringify(value), extra);
export const notFound: Served = served('text/plain', 'Not found', { status: 404 });
export const redirect = (location: string, status = 301): Served => ({ status, headers: { location }, body: '' });
export const failure = (reason: FetchFailure): SiteAnswer => ({ failure: reason });

/** Answers by the first key that the User-Agent contains, else by `other`. */
export const byAgent = (answers: Readonly<Record<string, SiteAnswer>>, other: SiteAnswer): SiteAnswer =>
  byHeader('user-agent', answers, other);

/** Answers by the first key that the Accept header contains, else by `other`. */
export const byAccept = (answers: Readonly<Record<string, SiteAnswer>>, other: SiteAnswer): SiteAnswer =>
  byHeader('accept', answers, other);

function byHeader(name: string, answers: Readonly<Record<string, SiteAnswer>>, other: SiteAnswer): SiteAnswer {
  return (request) => {
    const value = Object.entries(request.headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1] ?? '';
    return Object.entries(answers).find(([part]) => value.includes(part))?.[1] ?? other;
  };
}

/**
 * A guarded fetch of a fixture site. A path that the map does not list answers 404; a host it does not know fails with
 * `connection_failed`. Follows redirects, cuts at `maxBytes`, leaves the body of a HEAD out, and records every request.
 */
export function siteFetch(map: SiteMap, options: { catchAll?: SiteAnswer; origin?: string } = {}): SiteFetch {
  const origin = options.origin ?? SITE;
  const answers = new Map(Object.entries(map).map(([key, answer]) => [absoluteKey(key, origin), answer]));
  const requests: FetchTarget[] = [];
  const find = (method: string, url: string): SiteAnswer | undefined => {
    const plain = url.split('#')[0] ?? url;
    const listed = answers.get(`${method} ${plain}`) ?? answers.get(plain);
    if (listed !== undefined) return listed;
    return new URL(url).origin === origin ? (options.catchAll ?? notFound) : undefined;
  };
  const fetch: GuardedFetch = (target) => {
    requests.push(target);
    return Promise.resolve(follow(target, find));
  };
  return Object.assign(fetch, { requests });
}

function absoluteKey(key: string, origin: string): string {
  const [first = '', second] = key.split(' ');
  const url = new URL(second ?? first, origin).href;
  return second === undefined ? url : `${first} ${url}`;
}

function follow(target: FetchTarget, find: (method: string, url: string) => SiteAnswer | undefined): Fetched {
  const redirects: Hop[] = [];
  const failed = (reason: FetchFailure, detail: string): Fetched => ({
    ok: false,
    reason,
    detail,
    redirects,
    elapsedMs: 1,
  });
  let { url } = target;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    let answer = find(target.method ?? 'GET', url);
    for (let calls = 0; typeof answer === 'function' && calls < 5; calls += 1) answer = answer({ ...target, url });
    if (answer === undefined || typeof answer === 'function')
      return failed('connection_failed', `no such host: ${new URL(url).host}`);
    if ('failure' in answer) return failed(answer.failure, `the fixture says ${answer.failure}`);
    const location = answer.headers['location'];
    if (target.follow === false || location === undefined || answer.status < 300 || answer.status > 399)
      return finish(target, answer, { url, redirects });
    const next = new URL(location, url).href;
    redirects.push({ url, status: answer.status, location: next });
    url = next;
  }
  return failed('too_many_redirects', `more than ${MAX_REDIRECTS} redirects`);
}

function finish(target: FetchTarget, answer: Served, at: { url: string; redirects: readonly Hop[] }): Fetched {
  const body = typeof answer.body === 'string' ? new TextEncoder().encode(answer.body) : answer.body;
  const whole = target.method === 'HEAD' ? new Uint8Array() : body;
  const bytes = whole.slice(0, target.maxBytes ?? whole.byteLength);
  return {
    ok: true,
    ...at,
    status: answer.status,
    headers: answer.headers,
    bytes,
    truncated: bytes.byteLength < whole.byteLength,
    elapsedMs: 1,
  };
}
