import { expect, test } from 'vitest';
import type { Fetched, FetchTarget, GuardedFetch } from '../../../src/net/fetched.ts';
import { createGuardedFetch } from '../../../src/net/guarded-fetch.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import {
  MAX_RESOLUTIONS,
  RESOLUTION_LIMITS,
  resolveCitations,
} from '../../../src/visibility/citations/resolve-citations.ts';
import { googleRedirect } from './vendor-answers.ts';

const url = googleRedirect('AUZIYQ1');

/** A guarded fetch that answers every address alike, and what was asked of it. */
function answering(fetched: Partial<Fetched>): { fetch: GuardedFetch; asked: FetchTarget[] } {
  const asked: FetchTarget[] = [];
  const base = {
    ok: true,
    url,
    status: 302,
    headers: {},
    bytes: new Uint8Array(),
    truncated: false,
    redirects: [],
    elapsedMs: 1,
  };
  return {
    asked,
    fetch: (target) => {
      asked.push(target);
      return Promise.resolve({ ...base, ...fetched } as Fetched);
    },
  };
}
const leadingTo = (location: string): ReturnType<typeof answering> => answering({ headers: { location } });

test.each([
  ['https://example.com/a?utm_source=x#b', { target: 'https://example.com/a' }],
  ['http://127.0.0.1/', { reason: 'private_target' }],
  ['http://metadata.google.internal/', { reason: 'private_target' }],
  ['javascript:alert(1)', { reason: 'not_a_page' }],
  ['https://a:b@example.com/', { reason: 'not_a_page' }],
  [googleRedirect('again'), { reason: 'not_a_page' }],
  ['/grounding-api-redirect/again', { reason: 'not_a_page' }],
  ['https://[', { reason: 'bad_redirect' }],
])('a redirect to %s', async (location, outcome) => {
  expect(await resolveCitations([url], leadingTo(location))).toEqual([{ url, ...outcome }]);
});

test.each([
  [{ status: 200 }, 'no_redirect'],
  [{ status: 404 }, 'no_redirect'],
  [{ status: 302 }, 'no_redirect'],
  [{ ok: false, reason: 'timeout' }, 'timeout'],
  [{ ok: false, reason: 'budget_exhausted' }, 'budget_exhausted'],
] as const)('an answer %j is data', async (fetched, reason) => {
  expect(await resolveCitations([url], answering(fetched as Partial<Fetched>))).toEqual([{ url, reason }]);
});

test('each redirect is asked once, by GET, and never where it leads; the 61st is not asked', async () => {
  const urls = Array.from({ length: MAX_RESOLUTIONS + 1 }, (_, at) => googleRedirect(`r${at}`));
  const { fetch, asked } = leadingTo('https://example.com/');
  const found = await resolveCitations([...urls, ...urls, 'https://example.com/x', 'http://10.0.0.1/'], { fetch });
  expect(asked.map((target) => target.url).toSorted()).toEqual(urls.slice(0, MAX_RESOLUTIONS).toSorted());
  expect(asked.every(({ method, follow }) => method === undefined && follow === false)).toBe(true);
  expect(found.slice(MAX_RESOLUTIONS)).toEqual([
    { url: urls.at(-1), reason: 'over_limit' },
    { url: 'https://example.com/x', reason: 'not_a_redirect' },
    { url: 'http://10.0.0.1/', reason: 'not_a_redirect' },
  ]);
});

test('through the guard no request leaves but to the vendor', async () => {
  const dialled: string[] = [];
  const fetch = createGuardedFetch({
    fetch: async (address) => {
      dialled.push(address);
      return new Response('', { status: 302, headers: { location: 'https://example.com/page' } });
    },
    policy: allowPublicOnly(),
    clock: () => 0,
    limits: RESOLUTION_LIMITS,
  });
  expect(await resolveCitations([url], { fetch })).toEqual([{ url, target: 'https://example.com/page' }]);
  expect(dialled).toEqual([url]);
});
