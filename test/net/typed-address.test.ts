import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allowPublicOnly } from '../../src/net/address-policy.ts';
import { canonicaliseHref, parseTargetUrl } from '../../src/net/canonical-url.ts';
import { readTypedAddress } from '../../src/net/typed-address.ts';
import { budgetFor } from '../support/runner/budget.ts';
import { benignUrls, wptHosts } from './corpora.ts';

describe('a bare host', () => {
  test.each([
    ['example.com', 'https://example.com/'],
    [' example.com\n', 'https://example.com/'],
    ['EXAMPLE.Com', 'https://example.com/'],
    ['example.com.', 'https://example.com/'],
    ['example.com:443', 'https://example.com/'],
    ['example.com:8443/', 'https://example.com:8443/'],
    ['example.com/a?b', 'https://example.com/a?b'],
    ['example.com?b', 'https://example.com/?b'],
    ['example.com#top', 'https://example.com/'],
    ['example.com/?next=https://other.example/', 'https://example.com/?next=https://other.example/'],
    ['bücher.example', 'https://xn--bcher-kva.example/'],
    ['xn--bcher-kva.example', 'https://xn--bcher-kva.example/'],
    ['example。com', 'https://example.com/'],
    ['localhost', 'https://localhost/'],
    ['localhost:3000/x', 'https://localhost:3000/x'],
    ['127.0.0.1', 'https://127.0.0.1/'],
    ['2130706433', 'https://127.0.0.1/'],
    ['0x7f.1:8080', 'https://127.0.0.1:8080/'],
    ['[::1]:8787', 'https://[::1]:8787/'],
    ['user@example.com', 'https://user@example.com/'],
  ])('%j is %s', (text, url) => {
    expect(readTypedAddress(text)).toEqual({ url, isBare: true });
  });
});

describe('any other text stays as it is', () => {
  test.each([
    '',
    'https://example.com',
    'HTTPS://EXAMPLE.COM',
    'http://example.com/',
    'https:example.com',
    'https:/example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'mailto:a@example.com',
    'ftp://example.com/',
    'user:secret@example.com',
    'user:80@example.com',
    'example.com:80:90',
    'example.com:port',
    'example.com:123456',
    '//example.com/',
    '/path',
    '?q',
    '#top',
    '::1',
    'exa mple.com',
    'exam\tple.com',
    'exam\nple.com',
    String.raw`example.com\@other.example`,
    String.raw`\\example.com`,
    'example..com:99999',
    '%',
  ])('%j', (text) => {
    expect(readTypedAddress(text)).toEqual({ url: text, isBare: false });
  });
});

test('what no policy lets through stays refused without its scheme', () => {
  const policy = allowPublicOnly();
  const outcome = (text: string): string => {
    const parsed = parseTargetUrl(readTypedAddress(text).url, policy);
    return parsed.ok ? parsed.url.href : parsed.reason;
  };
  expect(
    ['localhost', '127.0.0.1', '[::1]', '2130706433', 'javascript:443', 'printer', 'example.com:22'].map(outcome),
  ).toEqual([
    'private_target',
    'private_target',
    'private_target',
    'private_target',
    'private_target',
    'private_target',
    'port_refused',
  ]);
  expect(['user@example.com', 'javascript:alert(1)', 'exa mple.com', 'example..com'].map(outcome)).toEqual([
    'credentials_refused',
    'scheme_refused',
    'invalid_url',
    'invalid_url',
  ]);
});

test('hosts of the web platform tests mean the same with https and without a scheme', () => {
  const bare = wptHosts.map(({ input }) => input).filter((host) => readTypedAddress(host).isBare);
  expect(bare.length).toBeGreaterThan(20);
  for (const host of bare) expect(readTypedAddress(host).url).toBe(canonicaliseHref(`https://${host.trim()}`));
});

test('any text: reading twice changes nothing, and a URL with a scheme is never changed', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.domain(),
    fc.webUrl(),
    fc.stringMatching(/^[a-z0-9.:@/?#[\]\\ -]{0,24}$/),
  );
  fc.assert(
    fc.property(text, (given) => {
      const once = readTypedAddress(given);
      expect(readTypedAddress(once.url)).toEqual({ url: once.url, isBare: false });
      if (once.isBare) expect(new URL(once.url).protocol).toBe('https:');
      else expect(once.url).toBe(given.trim());
    }),
    { numRuns: budgetFor(500, 20_000) },
  );
});

test('every benign URL means the same without its https', () => {
  for (const url of benignUrls.filter((one) => one.startsWith('https://')))
    expect(readTypedAddress(url.slice('https://'.length)).url).toBe(canonicaliseHref(url));
});
