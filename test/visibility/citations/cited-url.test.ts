import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  MAX_CITED_URL_CHARS,
  normaliseCitedUrl,
  readCitedUrl,
  readHostDomain,
} from '../../../src/visibility/citations/cited-url.ts';

const bing = (target: string): string =>
  `https://www.bing.com/ck/a?!&&p=0&u=a1${Buffer.from(target).toString('base64url')}&ntb=1`;

describe('the address of a cited page', () => {
  test.each([
    ['https://Example.COM./a', 'https://example.com/a'],
    ['https://example.com:443/', 'https://example.com/'],
    ['http://example.com:80', 'http://example.com/'],
    ['https://example.com/a?utm_source=chatgpt.com', 'https://example.com/a'],
    ['https://example.com/a?id=3&UTM_Medium=x&gclid=1&b=', 'https://example.com/a?id=3&b='],
    ['https://example.com/a?%75tm_source=x&srsltid=AfmB', 'https://example.com/a'],
    ['https://example.com/a?&&id=3&', 'https://example.com/a?id=3'],
    ['https://example.com/a#:~:text=one,two', 'https://example.com/a'],
    ['https://example.com/a#part', 'https://example.com/a'],
    ['https://example.com/%7euser/%c3%a9?q=%2f%41', 'https://example.com/~user/%C3%A9?q=%2FA'],
    ['https://example.com/é', 'https://example.com/%C3%A9'],
    ['https://example.com/a/../b/./c', 'https://example.com/b/c'],
    ['https://shop.example/p?ref=nav&ref_src=x', 'https://shop.example/p'],
    ['https://gitlab.com/a/b?ref=main', 'https://gitlab.com/a/b?ref=main'],
    ['https://example.com/a?reference=1&source=2', 'https://example.com/a?reference=1&source=2'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['  https://example.com/a\n', 'https://example.com/a'],
  ])('%s is %s', (given, normal) => {
    expect(normaliseCitedUrl(given)).toBe(normal);
  });

  test('is one page over http and https, and another one on another host', () => {
    const key = (url: string): string | undefined => {
      const read = readCitedUrl(url);
      return read.kind === 'page' ? read.key : undefined;
    };
    expect(key('http://example.com/a?utm_id=1')).toBe(key('https://example.com/a#b'));
    expect(key('https://m.example.com/a')).not.toBe(key('https://example.com/a'));
    expect(key('https://example.com:8443/a')).not.toBe(key('https://example.com/a'));
  });

  test.each([
    ['Wikipedia', 'unreadable'],
    ['', 'unreadable'],
    ['example.com/a', 'unreadable'],
    ['//example.com/a', 'unreadable'],
    ['javascript:alert(1)', 'unreadable'],
    ['data:text/html,x', 'unreadable'],
    ['ftp://example.com/', 'unreadable'],
    ['https:example.com', 'unreadable'],
    ['https:///example.com', 'unreadable'],
    [String.raw`https:\\example.com`, 'unreadable'],
    ['https://user:secret@example.com/', 'unreadable'],
    [`https://example.com/${'a'.repeat(MAX_CITED_URL_CHARS)}`, 'unreadable'],
    [`https://example.com/${'é'.repeat(MAX_CITED_URL_CHARS / 4)}`, 'unreadable'],
    ['https://exa mple.com/', 'unreadable'],
    ['https://example.123456/', 'unreadable'],
    ['http://127.0.0.1/', 'private'],
    ['http://2130706433/', 'private'],
    ['http://[::1]/', 'private'],
    ['http://[::ffff:10.0.0.1]/', 'private'],
    ['http://169.254.169.254/latest/meta-data/', 'private'],
    ['https://localhost./', 'private'],
    ['https://intranet/', 'private'],
    ['https://10.0.0.1.nip.io/', 'private'],
  ])('%s is %s', (given, kind) => {
    expect(readCitedUrl(given)).toEqual({ kind });
  });

  test('is settled at once: to normalise it again changes nothing', () => {
    const part = fc.oneof(
      fc.webPath(),
      fc.webQueryParameters(),
      fc.constantFrom(
        '%2e%2e/',
        '%7E',
        '%e9',
        '%zz',
        '&&',
        'utm_source=x',
        '%75tm_a=b',
        'ref=1',
        '#a',
        '?',
        ';',
        '%25%37%45',
      ),
    );
    const url = fc
      .tuple(
        fc.constantFrom('http', 'https', 'HTTPS'),
        fc.webAuthority({ withPort: true }),
        fc.array(part, { maxLength: 6 }),
      )
      .map(([scheme, authority, parts]) => `${scheme}://${authority}/${parts.join('')}`);
    fc.assert(
      fc.property(fc.oneof(url, fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string()), (text) => {
        const once = normaliseCitedUrl(text);
        if (once === undefined) return;
        expect(normaliseCitedUrl(once)).toBe(once);
        expect(once).not.toMatch(/[#\s]/);
        expect([...new URL(once).searchParams.keys()].filter((name) => /^utm_/i.test(name))).toEqual([]);
      }),
    );
  });
});

describe('the redirect of a vendor', () => {
  test.each([
    [bing('https://example.com/x?y=1&utm_source=bing'), 'https://example.com/x?y=1'],
    ['https://www.google.com/url?sa=t&q=https%3A%2F%2Fexample.com%2Fa%23b', 'https://example.com/a'],
    ['https://www.google.com/url?sa=t&url=https://example.com/a', 'https://example.com/a'],
    ['https://duckduckgo.com/l/?uddg=https%3A%2F%2Fexample.com%2Fa', 'https://example.com/a'],
    ['https://www.google.com/url?q=plain+words', 'https://www.google.com/url?q=plain+words'],
  ])('%s hides %s', (given, page) => {
    expect(normaliseCitedUrl(given)).toBe(page);
  });

  test('is known where only the vendor knows the page', () => {
    const url = 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQ_x-9';
    expect(readCitedUrl(url)).toEqual({ kind: 'redirect', url, titleIsHost: true });
  });

  test.each([
    [bing('http://127.0.0.1/'), 'private'],
    [bing('javascript:alert(1)'), 'page'],
    [bing(bing('https://example.com/')), 'unreadable'],
    ['https://www.google.com/url?q=http://169.254.169.254/', 'private'],
    ['https://www.google.com/url?q=https://a:b@example.com/', 'unreadable'],
  ])('%s that hides something else is %s', (given, kind) => {
    expect(readCitedUrl(given).kind).toBe(kind);
  });
});

test.each([
  ['example.com', 'example.com'],
  [' News.Example.co.uk ', 'example.co.uk'],
  ['Example Domain', undefined],
  ['example', undefined],
  ['localhost.local', undefined],
  ['10.0.0.1', undefined],
  ['a.b/c.d', undefined],
])('the title %j names the site %j', (title, domain) => {
  expect(readHostDomain(title)).toBe(domain);
});
