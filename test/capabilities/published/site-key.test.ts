import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSiteKey, getSiteKey, formatSiteUrl } from '../../../src/capabilities/published/site-key.ts';
import { budgetFor } from '../../support/runner/budget.ts';

describe('X5: the host of an address of ours', () => {
  test.each([
    ['example.com', 'example.com'],
    ['EXAMPLE.Com', 'example.com'],
    ['example.com.', 'example.com'],
    ['example.com:443', 'example.com'],
    ['example.com:8443', 'example.com:8443'],
    ['example.com:80', 'example.com:80'],
    ['example.com.:8443', 'example.com:8443'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['ｅxample.com', 'example.com'],
    ['[::1]:8787', '[::1]:8787'],
    ['[2606:4700:0:0::1]', '[2606:4700::1]'],
    ['[2001:DB8:0:0::1]', '[2001:db8::1]:80'],
    ['0x7f.1', '127.0.0.1:80'],
    ['localhost:443', 'localhost:443'],
    ['_dmarc.example.com', '_dmarc.example.com'],
    ['a-b.example', 'a-b.example'],
  ])('%s is %s', (text, key) => {
    expect(parseSiteKey(text)).toBe(key);
  });

  test.each([
    '',
    '.',
    '..',
    '.example.com',
    'example..com',
    'example.com..',
    'user@example.com',
    'user:secret@example.com',
    'example.com/path',
    'example.com\\path',
    '../reports/0123',
    '..%2freports',
    'example.com?x',
    'example.com#x',
    '%65xample.com',
    'exam ple.com',
    'example.com\n',
    'example.com\u0000',
    'example.com:99999',
    'example.com:port',
    'example.com:-1',
    '[::1',
    '[::g]',
    'https://example.com',
    '"><script>alert(1)</script>',
    "a'b.example",
    'a"b.example',
    'a<b.example',
    'a&b.example',
    'a(b).example',
    `${'a'.repeat(300)}.example`,
    'a.'.repeat(150),
    `${'ü'.repeat(250)}.example`,
  ])('%j is no host', (text) => {
    expect(parseSiteKey(text)).toBeUndefined();
  });
});

test.each([
  ['https://Shop.Example/', 'shop.example'],
  ['https://shop.example:443/', 'shop.example'],
  ['http://shop.example/', 'shop.example:80'],
  ['http://shop.example:80/', 'shop.example:80'],
  ['https://shop.example.:8443/', 'shop.example:8443'],
  ['http://127.0.0.1:8801/', '127.0.0.1:8801'],
  ['http://localhost/', 'localhost:80'],
  ['http://[::1]:443/', '[::1]:443'],
  ['http://shop.example:443/', undefined],
  ['http://shop.example:8443/', undefined],
  ['http://8.8.8.8:443/', undefined],
  ['https://shop.example:80/', undefined],
  ['https://127.0.0.1:8801/', undefined],
  ['https://localhost/', undefined],
  ['ftp://shop.example/', undefined],
  ['no url', undefined],
])('X5: the site of %s is kept under %s', (url, key) => {
  expect(getSiteKey(url)).toBe(key);
});

test.each([
  ['example.com', 'https://example.com/'],
  ['example.com:80', 'http://example.com/'],
  ['example.com:8443', 'https://example.com:8443/'],
  ['[::1]:80', 'http://[::1]/'],
  ['127.0.0.1:443', 'http://127.0.0.1:443/'],
  ['127.0.0.1:8801', 'http://127.0.0.1:8801/'],
])('the key %s is that of %s', (key, url) => {
  expect(formatSiteUrl(key)).toBe(url);
  expect(getSiteKey(url)).toBe(key);
  expect(parseSiteKey(key)).toBe(key);
});

test('X5: each site that has a key is the only one of it, in an address of ours too', () => {
  const scheme = fc.constantFrom('http', 'https');
  const host = fc.oneof(
    fc.domain(),
    fc.ipV4(),
    fc.ipV6().map((address) => `[${address}]`),
    fc.constantFrom('localhost', 'shop.example', 'router.local', '127.0.0.1', '10.0.0.1', '[::1]', '8.8.8.8'),
  );
  const port = fc.oneof(
    fc.constantFrom('', ':80', ':443', ':8443'),
    fc.nat(65_535).map((number) => `:${number}`),
  );
  let known = 0;
  fc.assert(
    fc.property(scheme, host, port, (protocol, name, tail) => {
      const text = `${protocol}://${name}${tail}/`;
      const key = getSiteKey(text);
      if (key === undefined) return;
      known += 1;
      expect(formatSiteUrl(key)).toBe(new URL(text).href);
      expect(parseSiteKey(key)).toBe(key);
    }),
    { numRuns: budgetFor(400, 2_000) },
  );
  expect(known).toBeGreaterThan(budgetFor(60, 300));
});
