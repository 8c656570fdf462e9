import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allowPublicOnly } from '../../src/net/address-policy.ts';
import { MAX_TARGET_URL_CHARS, parseTargetUrl } from '../../src/net/canonical-url.ts';
import { benignUrls, lines, wptHosts, wptUrls } from './corpora.ts';
import { budgetFor } from '../support/runner/budget.ts';

const policy = allowPublicOnly();
const outcome = (text: string, from?: string): string => {
  const parsed = parseTargetUrl(text, policy, from === undefined ? undefined : new URL(from));
  return parsed.ok ? parsed.url.href : parsed.reason;
};

describe('parseTargetUrl', () => {
  test.each([
    ['https://Example.COM', 'https://example.com/'],
    ['HTTPS://example.com:443/a/../b?q=1#top', 'https://example.com/b?q=1'],
    ['http://example.com:80/?', 'http://example.com/'],
    ['http://example.com:443/', 'http://example.com:443/'],
    ['https://example.com./x', 'https://example.com/x'],
    ['https://münchen.de/straße', 'https://xn--mnchen-3ya.de/stra%C3%9Fe'],
    ['https://example.com/%7Ea/~a', 'https://example.com/%7Ea/~a'],
    ['  https://example.com/a\nb  ', 'https://example.com/ab'],
    ['https://:@example.com/', 'https://example.com/'],
    ['http:example.com', 'http://example.com/'],
    ['http://0x08080808/', 'http://8.8.8.8/'],
  ])('reads %j as %s', (text, href) => expect(outcome(text)).toBe(href));

  test.each([
    ['', 'invalid_url'],
    ['example.com', 'invalid_url'],
    ['/path', 'invalid_url'],
    ['https://', 'invalid_url'],
    ['https://exa mple.com/', 'invalid_url'],
    ['https://example..com/', 'invalid_url'],
    ['https://example.com../', 'invalid_url'],
    ['https://[fe80::1%25eth0]/', 'invalid_url'],
    ['https://example.com:99999/', 'invalid_url'],
    [`https://example.com/${'a'.repeat(MAX_TARGET_URL_CHARS)}`, 'invalid_url'],
    [`https://example.com/#${'a'.repeat(MAX_TARGET_URL_CHARS)}`, 'invalid_url'],
    [`https://example.com/${'ä'.repeat(MAX_TARGET_URL_CHARS / 4)}`, 'invalid_url'],
    ['file:///etc/passwd', 'scheme_refused'],
    ['ftp://example.com/', 'scheme_refused'],
    ['gopher://127.0.0.1/', 'scheme_refused'],
    ['jar:http://127.0.0.1!/', 'scheme_refused'],
    ['javascript:alert(1)', 'scheme_refused'],
    ['data:text/html,x', 'scheme_refused'],
    ['ws://example.com/', 'scheme_refused'],
    ['blob:https://example.com/1', 'scheme_refused'],
    ['localhost:3000', 'scheme_refused'],
    ['https://user@example.com/', 'credentials_refused'],
    ['https://:secret@example.com/', 'credentials_refused'],
    ['https://user:pw@127.0.0.1/', 'credentials_refused'],
    ['http://example.com:22/', 'port_refused'],
    ['http://example.com:8080/', 'port_refused'],
    ['http://example.com:0/', 'port_refused'],
    ['http://localhost/', 'private_target'],
    ['http://localhost./', 'private_target'],
    ['http://2130706433/', 'private_target'],
    ['http://[::ffff:a9fe:a9fe]/', 'private_target'],
    ['http://127.0.0.1:2375/', 'private_target'],
    ['http://①②⑦.0.0.1/', 'private_target'],
    ['https://intranet/', 'private_target'],
  ])('refuses %j as %s', (text, reason) => expect(outcome(text)).toBe(reason));

  test.each([
    ['//other.example/x', 'https://other.example/x'],
    ['../up?x', 'https://example.com/up?x'],
    ['', 'https://example.com/a/b'],
    ['//localhost/', 'private_target'],
    ['http://[::1]/', 'private_target'],
    ['file:///etc/passwd', 'scheme_refused'],
    ['https://', 'invalid_url'],
  ])('reads a redirect to %j from https://example.com/a/b as %s', (text, expected) => {
    expect(outcome(text, 'https://example.com/a/b')).toBe(expected);
  });

  test('a refusal says what was wrong in a sentence', () => {
    expect(parseTargetUrl('example.com', policy)).toEqual({
      ok: false,
      reason: 'invalid_url',
      detail: 'this is not an absolute URL; write it like https://example.com/',
    });
  });

  test('every port but 80 and 443 is refused, and 8080 and 8443 open only where the operator says so', () => {
    const alternate = allowPublicOnly({ alternatePorts: true });
    const open: number[] = [];
    const openAlternate: number[] = [];
    for (let port = 0; port <= 65_535; port += 1) {
      if (parseTargetUrl(`https://example.com:${port}/`, policy).ok) open.push(port);
      if (parseTargetUrl(`https://example.com:${port}/`, alternate).ok) openAlternate.push(port);
    }
    expect(open).toEqual([80, 443]);
    expect(openAlternate).toEqual([80, 443, 8080, 8443]);
  });

  test('no line of the SSRF lists is accepted', () => {
    const all = [...lines('ssrf-crs.txt'), ...lines('ssrf-req-filter-blocked.txt')];
    expect(all.filter((line) => parseTargetUrl(line, policy).ok)).toEqual([]);
  });

  test('no benign URL is refused', () => {
    expect(benignUrls.filter((url) => !parseTargetUrl(url, policy).ok)).toEqual([]);
  });

  test('the accepted ones of the WPT URLs are canonical, http(s), without credentials, and public', () => {
    const accepted = wptUrls.flatMap(({ input, base }) => {
      const parsed = parseTargetUrl(input, policy, base !== null && URL.canParse(base) ? new URL(base) : undefined);
      return parsed.ok ? [parsed.url] : [];
    });
    expect(accepted.length).toBeGreaterThan(100);
    for (const url of accepted) {
      expect(url.protocol).toMatch(/^https?:$/);
      expect(url.username + url.password + url.hash).toBe('');
      expect(outcome(url.href)).toBe(url.href);
    }
  });

  test('a WPT URL that must not parse is invalid, never accepted', () => {
    const failing = wptUrls.filter((row) => row.failure && row.base === null);
    expect(failing.length).toBeGreaterThan(100);
    expect(failing.filter(({ input }) => outcome(input) !== 'invalid_url')).toEqual([]);
  });

  test('a WPT host that domain-to-ASCII refuses is never accepted', () => {
    const refused = wptHosts.filter((row) => row.output === null);
    expect(refused.length).toBeGreaterThan(15);
    expect(refused.filter(({ input }) => parseTargetUrl(`https://${input}/x`, policy).ok)).toEqual([]);
  });

  test('any text gives an outcome, and an accepted URL is its own canonical form', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.tuple(fc.constantFrom('http://', 'https://', '//', 'http:'), fc.string()).map((parts) => parts.join('')),
    );
    const property = fc.property(text, (input) => {
      const parsed = parseTargetUrl(input, policy);
      return !parsed.ok || outcome(parsed.url.href) === parsed.url.href;
    });
    expect(fc.check(property, { numRuns: budgetFor(400, 2_000) }).counterexample).toBeNull();
  });
});
