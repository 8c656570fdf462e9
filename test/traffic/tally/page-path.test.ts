import { expect, test } from 'vitest';
import { classifyPath, cleanPath, cutPath, MAX_PATH_CHARS } from '../../../src/traffic/tally/page-path.ts';

test.each([
  ['/blog/2026/10/how-we-measure', '/blog/2026/10/how-we-measure'],
  ['/blog/2026-10-07/notes', '/blog/2026-10-07/notes'],
  ['/blog?page=2', '/blog'],
  ['/blog;jsessionid=AB12', '/blog'],
  ['/users/123', '/users/{id}'],
  ['/orders/8812345/status', '/orders/{id}/status'],
  ['/item/shoes-1234567', '/item/shoes-{id}'],
  ['/invoice-000123.pdf', '/invoice-{id}.pdf'],
  ['/a/3f2504e0-4f89-11d3-9a0c-0305e82c3301/b', '/a/{id}/b'],
  ['/commit/9fceb02d0ae598e95dc970b74767f19372d61af8', '/commit/{id}'],
  ['/reset/eyJhbGciOiJIUzI1NiIsInR5cCI6', '/reset/{id}'],
  ['/s/dQw4w9WgXcQZ12abCDEF', '/s/{id}'],
  ['/unsubscribe/anna.berg@example.com', '/unsubscribe/{email}'],
  ['/unsubscribe/anna%40example.com/now', '/unsubscribe/{email}/now'],
  ['/unsubscribe/anna%2540example.com', '/unsubscribe/{email}'],
  ['/unsubscribe/anna%252540example.com', '/unsubscribe/{email}'],
  ['/unsubscribe/anna%40example.com%ZZ', '/unsubscribe/{email}'],
  ['/caf%E9/andr%E9%40example.com', '/caf%E9/{email}'],
  ['/unsubscribe/anna%EF%BC%A0example.com', '/unsubscribe/{email}'],
  ['/search%3Fq=anna', '/search'],
  ['/search%253Fq=anna', '/search'],
  ['/whois/1.2.3.4', '/whois/{id}'],
  ['/whois/host-1-2-3-4.example.net', '/whois/host-{id}.example.net'],
  ['/whois/2001:db8::1', '/whois/{id}'],
  ['/whois/[2001:db8:0:1:2:3:4:5]', '/whois/[{id}]'],
  ['/whois/2001%3Adb8%3A%3A1', '/whois/{id}'],
  ['/whois/::ffff:1.2.3.4', '/whois/{id}'],
  ['/docs/v1.2.3/a:b:c', '/docs/v1.2.3/a:b:c'],
  ['/call/+49301234567', '/call/{id}'],
  ['/docs/getting-started-with-typescript', '/docs/getting-started-with-typescript'],
  ['/caf\u00C3\u00A9', '/café'],
  ['/p/%C3%BCber-uns', '/p/%C3%BCber-uns'],
  ['/%E0%A4%A', '/%E0%A4%A'],
  ['', ''],
])('%s is kept as %s', (path, clean) => {
  expect(cleanPath(path)).toBe(clean);
});

test('a long path is cut', () => {
  expect(cleanPath(`/${'a/'.repeat(30_000)}`)).toHaveLength(MAX_PATH_CHARS);
});

test.each([
  ['/', 'page'],
  ['/docs/v1.2', 'page'],
  ['/index.html', 'page'],
  ['/docs/a.md', 'markdown'],
  ['/llms-full.txt', 'llms'],
  ['/robots.txt', 'robots'],
  ['/shop/robots.txt', 'file'],
  ['/app.3f2a.js', 'asset'],
  ['/feed.xml', 'file'],
  ['*', 'file'],
  ['', 'file'],
])('%s is a %s', (path, kind) => {
  expect(classifyPath(path)).toBe(kind);
});

test('the path of a whole address', () => {
  expect(cutPath('http://example.com/a?b')).toBe('/a');
  expect(cutPath('http://example.com')).toBe('/');
});
