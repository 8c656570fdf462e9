import { expect, test } from 'vitest';
import { globMatcher, wantedBy } from '../../../src/search/crawl/globs.ts';

test.each([
  ['/docs/*', '/docs/a', true],
  ['/docs/*', '/docs/', true],
  ['/docs/*', '/docs/a/b', false],
  ['/docs/**', '/docs/a/b', true],
  ['/docs/**', '/docs', false],
  ['**/a', '/x/y/a', true],
  ['**/a/**', '/x/a/b/c', true],
  ['/*/b/*.html', '/a/b/c.html', true],
  ['/*/b/*.html', '/a/c/b/c.html', false],
  ['/a', '/a/', false],
  ['/a.c', '/abc', false],
  ['/(a|b)+', '/a', false],
  ['*', '/', false],
  ['**', '/', true],
  ['', '/', false],
  ['/***', '/a/b', true],
  ['**é*', '/x/é', true],
  [`/${'a'.repeat(100)}*z`, `/${'a'.repeat(100)}bz`, true],
  [`/${'a'.repeat(100)}*z`, `/${'a'.repeat(99)}bz`, false],
])('the pattern %s and the path %s: %s', (pattern, path, expected) => {
  expect(globMatcher(pattern)(path)).toBe(expected);
});

test('a pattern that fits in many ways costs no more than its length times that of the path', () => {
  expect(globMatcher(`${'**a'.repeat(80)}b`)(`/${'a'.repeat(4000)}`)).toBe(false);
});

test.each([
  ['nothing is said', [], [], true],
  ['it is included', ['/docs/**'], [], true],
  ['it is not', ['/blog/**'], [], false],
  ['it is excluded', [], ['**/b'], false],
  ['both', ['/docs/**'], ['/docs/a/*'], false],
  ['a whole address is given', ['https://example.com/docs/**'], [], true],
  ['one of another host', ['https://example.org/**'], [], false],
])('a page is wanted or not where %s', (_, include, exclude, expected) => {
  expect(wantedBy({ include, exclude })(new URL('https://example.com/docs/a/b?x=1'))).toBe(expected);
});
