import { describe, expect, test } from 'vitest';
import { siteKeyFrom, siteKeyOf, siteUrlOf } from '../../../src/capabilities/published/site-key.ts';

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
    ['[2001:DB8:0:0::1]', '[2001:db8::1]'],
    ['0x7f.1', '127.0.0.1'],
    ['_dmarc.example.com', '_dmarc.example.com'],
    ['a-b.example', 'a-b.example'],
  ])('%s is %s', (text, key) => {
    expect(siteKeyFrom(text)).toBe(key);
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
    expect(siteKeyFrom(text)).toBeUndefined();
  });
});

test.each([
  ['https://Shop.Example/', 'shop.example'],
  ['https://shop.example:443/', 'shop.example'],
  ['http://shop.example/', 'shop.example:80'],
  ['http://127.0.0.1:8801/', '127.0.0.1:8801'],
  ['ftp://shop.example/', undefined],
  ['no url', undefined],
])('X5: the site of %s is kept under %s', (url, key) => {
  expect(siteKeyOf(url)).toBe(key);
});

test.each(['example.com', 'example.com:80', 'example.com:8443', '[::1]'])(
  'the address of %s leads to its key',
  (key) => {
    expect(siteKeyOf(siteUrlOf(key))).toBe(key);
  },
);
