import { describe, expect, test } from 'vitest';
import { decodeBody, unzip } from '../../../src/audit/core/decode.ts';
import { DROPPED, withoutSecretQuery, withoutSecrets } from '../../../src/audit/hidden-text/gather/secrets.ts';
import { MAX_CONCURRENT_FETCHES, gatherSite } from '../../../src/audit/core/gather.ts';
import type { GuardedFetch } from '../../../src/net/fetched.ts';
import { snapshotOf } from '../../support/audit/audit.ts';
import {
  SITE,
  type SiteMap,
  failure,
  html,
  notFound,
  redirect,
  siteFetch,
  text,
  xml,
} from '../../support/audit/site-fetch.ts';
import { goodSite } from '../../sites/good.ts';

const bytes = (...values: number[]): Uint8Array<ArrayBuffer> => new Uint8Array(values);
const utf8 = (value: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(value);
const joined = (one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array([...one, ...other]);

describe('the charset of a body', () => {
  test.each([
    ['UTF-8 by default', utf8('é'), 'text/html', 'é'],
    ['the header', bytes(0xe9), 'text/html; charset=ISO-8859-1', 'é'],
    ['the header in quotes', bytes(0xe9), 'text/html; charset="windows-1252"', 'é'],
    [
      'a meta element',
      joined(utf8('<meta charset="windows-1251">'), bytes(0xcf)),
      'text/html',
      '<meta charset="windows-1251">П',
    ],
    [
      'an old meta element',
      joined(utf8('<meta http-equiv=x content="text/html; charset=shift_jis">'), bytes(0x82, 0xa0)),
      '',
      '<meta http-equiv=x content="text/html; charset=shift_jis">あ',
    ],
    [
      'the header before a meta element',
      joined(utf8('<meta charset=shift_jis>'), utf8('é')),
      'text/html; charset=utf-8',
      '<meta charset=shift_jis>é',
    ],
    ['a byte order mark before the header', bytes(0xef, 0xbb, 0xbf, 0xc3, 0xa9), 'text/html; charset=latin1', 'é'],
    ['a UTF-16 byte order mark', bytes(0xff, 0xfe, 0xe9, 0x00), '', 'é'],
    ['UTF-8 for a name that is no charset', utf8('é'), 'text/html; charset=nonsense', 'é'],
    ['UTF-8 for a meta element that says UTF-16', utf8('<meta charset=utf-16>é'), '', '<meta charset=utf-16>é'],
  ])('is %s', (_name, body, type, expected) => {
    expect(decodeBody(body, type)).toBe(expected);
  });

  test('is not looked for beyond the first 1,024 bytes', () => {
    expect(decodeBody(joined(utf8(`${' '.repeat(1024)}<meta charset=latin1>`), bytes(0xe9)), '')).toMatch(/\uFFFD$/);
  });

  test('broken bytes become replacement characters', () => {
    expect(decodeBody(bytes(0x61, 0xff), '')).toBe('a\uFFFD');
  });
});

describe('a gzip body', () => {
  const zip = async (value: string): Promise<Uint8Array<ArrayBuffer>> =>
    new Uint8Array(
      await new Response(new Blob([value]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer(),
    );

  test('is unpacked by its first bytes, any other body stays as it is', async () => {
    expect(await unzip(await zip('hello'))).toEqual({ bytes: utf8('hello'), truncated: false });
    expect(await unzip(utf8('hello'))).toEqual({ bytes: utf8('hello'), truncated: false });
  });

  test('is cut at 200 times its size', async () => {
    const packed = await zip('a'.repeat(5_000_000));
    const { bytes: content, truncated } = await unzip(packed);
    expect(truncated).toBe(true);
    expect(content.byteLength).toBe(packed.byteLength * 200);
  });

  test('that is broken gives what came before the break', async () => {
    const packed = await zip('hello');
    expect((await unzip(packed.slice(0, packed.length - 4))).truncated).toBe(true);
    expect(await unzip(bytes(0x1f, 0x8b, 0, 0))).toEqual({ bytes: bytes(), truncated: true });
  });
});

describe('F10: a snapshot holds no secrets', () => {
  test.each([
    'set-cookie',
    'cookie',
    'authorization',
    'proxy-authorization',
    'x-api-key',
    'api-key',
    'x-auth-token',
    'x-session-id',
    'x-csrf-token',
    'x-amz-signature',
  ])('header %s is dropped', (name) => {
    expect(withoutSecrets({ [name]: 'secret', 'content-type': 'text/html' })).toEqual({ 'content-type': 'text/html' });
  });

  test.each(['www-authenticate', 'link', 'x-robots-tag', 'content-signal', 'cache-control', 'etag'])(
    'header %s is kept',
    (name) => {
      expect(withoutSecrets({ [name]: 'value' })).toEqual({ [name]: 'value' });
    },
  );

  test.each([
    ['https://a.example/?token=abc&page=2', `https://a.example/?token=${DROPPED}&page=2`],
    ['/x?access_token=abc#top', `/x?access_token=${DROPPED}#top`],
    ['</y?sig=ab%2F&v=1>; rel=next', `</y?sig=${DROPPED}&v=1>; rel=next`],
    [
      'https://a.example/?X-Amz-Signature=ff&X-Amz-Date=1',
      `https://a.example/?X-Amz-Signature=${DROPPED}&X-Amz-Date=1`,
    ],
    ['https://a.example/?monkey=1&page=2', 'https://a.example/?monkey=1&page=2'],
  ])('%s loses the values of secret parameters', (value, expected) => {
    expect(withoutSecretQuery(value)).toBe(expected);
    expect(withoutSecrets({ location: value })).toEqual({ location: expected });
  });

  test('neither headers nor addresses of an audit hold one', async () => {
    const map: SiteMap = {
      ...goodSite,
      '/': redirect('/in?session=s3cr3t&x=1'),
      '/in?session=s3cr3t&x=1': html('<p>x</p>', { headers: { 'set-cookie': 'sid=s3cr3t', authorization: 's3cr3t' } }),
    };
    expect(JSON.stringify(await snapshotOf(map))).not.toContain('s3cr3t');
  });
});

describe('gathering', () => {
  test('asks the same role only once, however many gatherers need it', async () => {
    const fetch = siteFetch(goodSite);
    await gatherSite(`${SITE}/`, {
      fetch,
      clockMs: 0,
      only: ['page', 'robots', 'sitemaps', 'sample', 'canonical', 'faq'],
    });
    const urls = fetch.requests.map(({ url }) => url);
    expect(urls.filter((url) => url === `${SITE}/robots.txt`)).toHaveLength(1);
    expect(urls.filter((url) => url === `${SITE}/`)).toHaveLength(1);
  });

  test(`has at most ${MAX_CONCURRENT_FETCHES} fetches in flight`, async () => {
    const plain = siteFetch(goodSite);
    let flying = 0;
    let most = 0;
    const fetch: GuardedFetch = async (target) => {
      flying += 1;
      most = Math.max(most, flying);
      await new Promise((resolve) => setImmediate(resolve));
      flying -= 1;
      return plain(target);
    };
    await gatherSite(`${SITE}/`, { fetch, clockMs: 0 });
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(MAX_CONCURRENT_FETCHES);
  });

  const sampled = async (map: SiteMap, maxPages?: number): Promise<string[]> => {
    const options = { fetch: siteFetch(map), clockMs: 0, only: ['sample', 'morePages'] as const };
    const { exchanges } = await gatherSite(`${SITE}/`, maxPages === undefined ? options : { ...options, maxPages });
    return exchanges.filter(({ role }) => role.startsWith('sample:')).map(({ url }) => url);
  };
  const siteOf = (pages: number): SiteMap => {
    const paths = Array.from({ length: pages }, (_, at) => `/page-${at + 1}`);
    const links = paths.map((path) => `<a href="${path}">${path}</a>`).join('');
    return {
      '/': html(`<body>${links}</body>`),
      ...Object.fromEntries(paths.map((path) => [path, html(`<p>${path}</p>`)])),
    };
  };

  test('the sample is the same for the same site and has at most eight pages', async () => {
    expect(await sampled(goodSite)).toHaveLength(8);
    expect(await sampled(siteOf(12))).toHaveLength(8);
    expect(await sampled(siteOf(12))).toEqual(await sampled(siteOf(12)));
  });

  test.each([
    ['fewer pages than the sample has', 3, 2],
    ['the start page only', 1, 0],
    ['more pages than the usual sample', 12, 11],
    ['more pages than the site has', 25, 12],
  ])('a caller may ask for %s', async (_name, maxPages, pages) => {
    expect(await sampled(siteOf(12), maxPages)).toHaveLength(pages);
  });

  test('a smaller sample holds the first pages of a larger one', async () => {
    const [three, twelve] = [await sampled(siteOf(12), 4), await sampled(siteOf(12), 13)];
    expect(three).toHaveLength(3);
    expect(twelve).toEqual(expect.arrayContaining(three));
  });

  test('user agents are asked in fixed order, the browser first', async () => {
    const fetch = siteFetch(goodSite);
    await gatherSite(`${SITE}/`, { fetch, clockMs: 0, only: ['userAgents'] });
    const names = fetch.requests.map(
      ({ headers }) => /Chrome|OAI-SearchBot|Claude-User|PerplexityBot/.exec(headers?.['user-agent'] ?? '')?.[0],
    );
    expect(names).toEqual(['Chrome', 'OAI-SearchBot', 'Claude-User', 'PerplexityBot']);
  });

  test.each<readonly [string, SiteMap, readonly string[]]>([
    ['those of robots.txt, and not the usual ones', goodSite, ['/robots.txt', '/sitemap.xml']],
    [
      'the usual ones, the second only when the first is none',
      { '/robots.txt': notFound },
      ['/robots.txt', '/sitemap.xml', '/sitemap_index.xml'],
    ],
    [
      'at most two of those of robots.txt',
      {
        '/robots.txt': text(
          'Sitemap: https://acme.example/1\nSitemap: https://acme.example/2\nSitemap: https://acme.example/3',
        ),
      },
      ['/robots.txt', '/1', '/2'],
    ],
    [
      'the first child of an index, and no grandchild',
      { '/robots.txt': notFound, '/sitemap.xml': xml(index('/c1', '/c2')), '/c1': xml(index('/d1')) },
      ['/robots.txt', '/sitemap.xml', '/c1'],
    ],
    [
      'no line that is no web address',
      { '/robots.txt': text('Sitemap: /s.xml\nSitemap: ftp://a.example/s') },
      ['/robots.txt', '/sitemap.xml', '/sitemap_index.xml'],
    ],
  ])('sitemaps: %s', async (_name, map, paths) => {
    const fetch = siteFetch(map);
    await gatherSite(`${SITE}/`, { fetch, clockMs: 0, only: ['sitemaps'] });
    expect(fetch.requests.map(({ url }) => new URL(url).pathname)).toEqual(paths);
  });

  test('a private host is not asked over another scheme', async () => {
    const fetch = siteFetch(goodSite, { origin: 'http://127.0.0.1:9000' });
    await gatherSite('http://127.0.0.1:9000/', { fetch, clockMs: 0, only: ['schemes'] });
    expect(fetch.requests).toEqual([]);
  });

  test('a fetch that fails is an answer with its reason', async () => {
    const { exchanges } = await snapshotOf(
      { ...goodSite, '/robots.txt': failure('body_failed') },
      { only: ['robots'] },
    );
    expect(exchanges).toMatchObject([{ role: 'robots', answer: { ok: false, reason: 'body_failed' } }]);
  });
});

function index(...paths: string[]): string {
  const children = paths.map((path) => `<sitemap><loc>${SITE}${path}</loc></sitemap>`).join('');
  return `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${children}</sitemapindex>`;
}
