import { expect, test, vi } from 'vitest';
import { buildPageTarget } from '../../../src/audit/page/gather/page-target.ts';
import { createFetchAhead } from '../../../src/cli/audit/local-fetch.ts';
import type { Fetched, GuardedFetch } from '../../../src/net/fetched.ts';

const URL_OF_SITE = 'https://acme.example/';
const failed: Fetched = { ok: false, reason: 'timeout', detail: 'late', redirects: [], elapsedMs: 1 };

test('the start page is asked for at once, and only once for who asks first', async () => {
  const fetch = vi.fn<GuardedFetch>(() => Promise.resolve(failed));
  const ahead = createFetchAhead(URL_OF_SITE, fetch);
  expect(fetch.mock.calls).toEqual([[buildPageTarget(URL_OF_SITE)]]);
  await ahead({ url: URL_OF_SITE, headers: { accept: 'text/markdown' } });
  expect(fetch).toHaveBeenCalledTimes(2);
  expect(await ahead(buildPageTarget(URL_OF_SITE))).toBe(failed);
  expect(fetch).toHaveBeenCalledTimes(2);
  await ahead(buildPageTarget(URL_OF_SITE));
  expect(fetch).toHaveBeenCalledTimes(3);
});

test('a fault of the request ahead is thrown to who asks for it', async () => {
  const ahead = createFetchAhead(URL_OF_SITE, () => Promise.reject(new TypeError('a bug')));
  await new Promise((resolve) => setImmediate(resolve));
  await expect(ahead(buildPageTarget(URL_OF_SITE))).rejects.toThrow('a bug');
});
