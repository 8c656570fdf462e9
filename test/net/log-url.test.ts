import { expect, test } from 'vitest';
import { formatLoggableUrl } from '../../src/net/log-url.ts';

test.each([
  ['https://example.com/reset?token=s3cret', /^https:\/\/example\.com\/#[0-9a-f]{16}$/],
  ['https://user:s3cret@example.com:8443/', /^https:\/\/example\.com:8443\/#[0-9a-f]{16}$/],
  ['https://example.com/a\r\nSet-Cookie: s3cret', /^https:\/\/example\.com\/#[0-9a-f]{16}$/],
  ['data:text/html,s3cret', /^data:#[0-9a-f]{16}$/],
  ['not a url s3cret\r\n\u001b[31m', /^unparsable:#[0-9a-f]{16}$/],
])('F11: the log form of %j holds no path, query, credential or control character', (url, form) => {
  const logged = formatLoggableUrl(url);
  expect(logged).toMatch(form);
  expect(logged).not.toContain('s3cret');
});

test('F11: one URL has one log form, another path has another', () => {
  expect(formatLoggableUrl('https://example.com/a#x')).toBe(formatLoggableUrl(new URL('https://EXAMPLE.com/a')));
  expect(formatLoggableUrl('https://example.com/a')).not.toBe(formatLoggableUrl('https://example.com/b'));
  expect(formatLoggableUrl('https://example.com/a')).not.toBe(formatLoggableUrl('https://example.com/a?b'));
});

test('the hash is FNV-1a of 64 bits, as its published vectors have it', () => {
  // The published vector of "a" is af63dc4c8601ec8c; a non-hierarchical URL has exactly that path.
  expect(formatLoggableUrl('x:a')).toBe('x:#af63dc4c8601ec8c');
  expect(formatLoggableUrl('x:foobar')).toBe('x:#85944171f73967e8');
});
