import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gatherSite } from '../../../../src/audit/core/gather.ts';
import { createNodeFetch } from '../../../../src/cli/core/node-fetch.ts';
import { allowPublicAnd } from '../../../../src/net/address-policy.ts';
import type { GuardedFetch } from '../../../../src/net/fetched.ts';
import { createGuardedFetch } from '../../../../src/net/guarded-fetch.ts';
import { type Running, startFaultServer } from '../../../net/fault-server.ts';
import { CLOCK_MS } from '../../../support/audit/audit.ts';
import {
  failure,
  html,
  json,
  notFound,
  redirect,
  SITE,
  siteFetch,
  type SiteMap,
} from '../../../support/audit/site-fetch.ts';
import { judgeCheck, testCheck } from '../../../support/audit/judge-check.ts';
import { onePage, words } from '../../../support/audit/pages.ts';

describe('aeo.reach.redirect-chain', () => {
  const id = 'aeo.reach.redirect-chain';
  const end = html('<p>end</p>');
  const hops = (count: number): SiteMap => ({
    ...Object.fromEntries(
      Array.from({ length: count }, (_, index) => [index === 0 ? '/' : `/${index}`, redirect(`/${index + 1}`)]),
    ),
    [count === 0 ? '/' : `/${count}`]: end,
  });
  testCheck(id, [
    ['no redirect passes', hops(0), 'pass', /^0 redirects/],
    ['one redirect passes', hops(1), 'pass', /^1 redirect /],
    ['two redirects are partial', hops(2), 'partial', /^2 redirects/],
    ['three redirects are partial', hops(3), 'partial', /^3 redirects/],
    ['four redirects fail', hops(4), 'fail', /^4 redirects/],
    [
      'a subdomain of the same site passes',
      { '/': redirect('https://www.acme.example/'), 'https://www.acme.example/': end },
      'pass',
      /^1/,
    ],
    [
      'another site fails',
      { '/': redirect('https://other.example/'), 'https://other.example/': end },
      'fail',
      /another site/,
    ],
    [
      'https that leads back to http fails',
      { '/': redirect('http://acme.example/x'), 'http://acme.example/x': end },
      'fail',
      /plain http/,
    ],
    [
      'a meta refresh is named and not counted',
      onePage('', '<meta http-equiv="refresh" content="0; url=/x">'),
      'pass',
      /^0 redirects.*meta refresh/,
    ],
    [
      'a meta refresh without an address is none',
      onePage('', '<meta http-equiv="refresh" content="60">'),
      'pass',
      /address\.$/,
    ],
    ['no answer is unknown', { '/': failure('redirect_loop') }, 'unknown', /redirect_loop/],
  ]);

  test('from a private host another name is no other site', async () => {
    const map = { '/': redirect('http://127.0.0.1:3000/x'), 'http://127.0.0.1:3000/x': end };
    const outcome = await judgeCheck(id, map, { at: 'http://localhost:3000/' });
    expect(outcome.status).toBe('pass');
  });
});

describe('aeo.reach.ttfb', () => {
  const id = 'aeo.reach.ttfb';
  /** A fetch whose reads of the start page take these times, in the order in which they are made. */
  const timed = (times: readonly number[], map: SiteMap = onePage(words(10))): GuardedFetch => {
    const plain = siteFetch(map);
    const left = [...times];
    return async (target) => ({ ...(await plain(target)), elapsedMs: left.shift() ?? 0 });
  };
  test.each([
    ['five fast reads pass', [100, 200, 300, 400, 500], 'pass'],
    ['one slow read among fast ones passes', [9000, 200, 300, 400, 9000], 'pass'],
    ['800 ms pass', [800, 800, 800, 800, 800], 'pass'],
    ['801 ms are partial', [801, 801, 801, 801, 801], 'partial'],
    ['1800 ms are partial', [1800, 1800, 1800, 1800, 1800], 'partial'],
    ['1801 ms fail', [1801, 1801, 1801, 1801, 1801], 'fail'],
  ] as const)('%s', async (_name, times, status) => {
    expect((await judgeCheck(id, {}, { fetch: timed(times) })).status).toBe(status);
  });

  test('the report is the same for times of one class', async () => {
    const [one, other] = [timed([1, 2, 3, 4, 5]), timed([500, 400, 300, 200, 100])];
    expect(await judgeCheck(id, {}, { fetch: one })).toEqual(await judgeCheck(id, {}, { fetch: other }));
  });

  test('a private host is not applicable', async () => {
    const options = { at: 'http://127.0.0.1:3000/' };
    expect((await judgeCheck(id, onePage(''), options)).status).toBe('not_applicable');
  });

  test('reads that did not bring the page do not count', async () => {
    expect(await judgeCheck(id, { '/': notFound })).toMatchObject({
      status: 'unknown',
      note: expect.stringMatching(/^Only 0/),
    });
  });
});

describe('aeo.reach.html-size', () => {
  const id = 'aeo.reach.html-size';
  const MIB = 1024 * 1024;
  const sized = (bytes: number): SiteMap => ({ '/': html(`<p>${'x'.repeat(bytes - 7)}</p>`) });
  testCheck(id, [
    ['a small page passes', sized(1000), 'pass', /1 KiB/],
    ['1 MiB passes', sized(MIB), 'pass', /1024 KiB/],
    ['a byte more is partial', sized(MIB + 1), 'partial', /1025 KiB/],
    ['2 MiB are partial', sized(2 * MIB), 'partial', /2048/],
    ['a byte more fails', sized(2 * MIB + 1), 'fail', /2049/],
    ['a page that is no HTML is unknown', { '/': json({}) }, 'unknown', /not_html/],
  ]);

  test('a page that was cut fails', async () => {
    const plain = siteFetch(sized(5000));
    const fetch: GuardedFetch = (target) => plain({ ...target, maxBytes: 4000 });
    expect(await judgeCheck(id, {}, { fetch })).toMatchObject({ status: 'fail', note: expect.stringMatching(/5 MiB/) });
  });
});

describe('aeo.reach.compression', () => {
  const id = 'aeo.reach.compression';
  const coded = (headers: Record<string, string>, count = 400): SiteMap => ({ '/': html(words(count), { headers }) });
  testCheck(id, [
    [
      'gzip with Vary passes',
      coded({ 'content-encoding': 'gzip', vary: 'Origin, Accept-Encoding' }),
      'pass',
      /compressed, and/,
    ],
    ['Brotli with Vary: * passes', coded({ 'content-encoding': 'br', vary: '*' }), 'pass', /compressed, and/],
    ['zstd counts as well', coded({ 'content-encoding': 'zstd', vary: 'accept-encoding' }), 'pass', /compressed, and/],
    ['no Vary is partial', coded({ 'content-encoding': 'gzip' }), 'partial', /Vary/],
    ['another Vary is partial', coded({ 'content-encoding': 'gzip', vary: 'Accept' }), 'partial', /Vary/],
    ['nothing fails', coded({}), 'fail', /uncompressed/],
    ['identity fails', coded({ 'content-encoding': 'identity' }), 'fail', /uncompressed/],
    ['a page of 1,399 bytes is not applicable', { '/': html('x'.repeat(1399)) }, 'not_applicable', /1399/],
    ['a page of 1,400 bytes is judged', { '/': html('x'.repeat(1400)) }, 'fail', /1400/],
  ]);

  describe('in Node', () => {
    let server: Running;
    beforeAll(async () => {
      server = await startFaultServer();
    });
    afterAll(() => server.close());

    test('the header of a decoded body survives, so that its absence means an uncompressed page', async () => {
      const url = `${server.origin}/gzip`;
      const policy = allowPublicAnd([url]);
      const fetch = createGuardedFetch({ fetch: createNodeFetch(policy), policy, clock: () => CLOCK_MS });
      const { exchanges } = await gatherSite(url, { fetch, clockMs: CLOCK_MS, only: ['page'] });
      const page = exchanges.find(({ role }) => role === 'page');
      expect(page?.answer).toMatchObject({ ok: true, headers: { 'content-encoding': 'gzip' }, body: 'packed' });
    });
  });
});

test('timings count each read once, whoever asked', async () => {
  const snapshot = await gatherSite(`${SITE}/`, {
    fetch: siteFetch(onePage('')),
    clockMs: CLOCK_MS,
    only: ['page', 'userAgents'],
  });
  expect((await judgeCheck('aeo.reach.ttfb', snapshot)).status).toBe('pass');
  const fewer = { ...snapshot, exchanges: snapshot.exchanges.filter(({ role }) => role < 'user-agent:1') };
  expect(await judgeCheck('aeo.reach.ttfb', fewer)).toMatchObject({
    status: 'unknown',
    note: expect.stringMatching(/^Only 2/),
  });
});
