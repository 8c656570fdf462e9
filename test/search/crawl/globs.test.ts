import { expect, test } from 'vitest';
import { createGlobMatcher, createSkipRule, createGlobFilter } from '../../../src/search/crawl/page-urls.ts';

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
  ['/a?b', '/a?b', true],
  ['/a?b', '/acb', false],
  ['**é*', '/x/é', true],
  [`/${'a'.repeat(100)}*z`, `/${'a'.repeat(100)}bz`, true],
  [`/${'a'.repeat(100)}*z`, `/${'a'.repeat(99)}bz`, false],
])('the pattern %s and the path %s: %s', (pattern, path, expected) => {
  expect(createGlobMatcher(pattern)(path)).toBe(expected);
});

test('a pattern that fits in many ways costs no more than its length times that of the path', () => {
  expect(createGlobMatcher(`${'**a'.repeat(80)}b`)(`/${'a'.repeat(4000)}`)).toBe(false);
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
  expect(createGlobFilter({ include, exclude })(new URL('https://example.com/docs/a/b?x=1'))).toBe(expected);
});

test.each([
  ['/page', '/page', true],
  ['/page', '/page?id=1', true],
  ['/page?id=1', '/page?id=1', true],
  ['/page?id=1', '/page?id=2', false],
  ['/page?id=1', '/page', false],
  ['/page?id=*', '/page?id=1&x=2', true],
  ['/page?', '/page1', false],
  ['**?id=*', '/deep/page?id=1', true],
  ['**?id=*', '/deep/page', false],
  ['**&id=*', '/page?x=1&id=2', true],
  ['**/a=b', '/a=b?x', true],
  ['https://example.com/page', '/page?id=1', true],
  ['https://example.com/page?id=1', '/page?id=1', true],
  ['https://example.com/**?id=1', '/page?id=2', false],
  ['**/blog/**', '/en/blog/post?x=1', true],
  ['**example.com/blog/**', '/blog/post', true],
  ['/go?to=https://*', '/go?to=https://other', true],
  ['/%C3%A9', '/é', true],
  ['/Page', '/page', false],
  ['/page/', '/page', false],
])('the rule %s and the page %s: %s', (pattern, path, expected) => {
  const url = new URL(path, 'https://example.com');
  expect(createGlobFilter({ include: [pattern], exclude: [] })(url)).toBe(expected);
  expect(createSkipRule({ include: [], exclude: ['/other', pattern] })(url)).toEqual(
    expected ? { kind: 'excluded', pattern } : undefined,
  );
});

test('what is excluded is told first, then what no rule includes', () => {
  const skip = createSkipRule({ include: ['/docs/**'], exclude: ['/docs/old/*'] });
  const kindOf = (path: string) => skip(new URL(path, 'https://example.com'))?.kind;
  expect(['/docs/a', '/docs/old/a', '/blog'].map(kindOf)).toEqual([undefined, 'excluded', 'not_included']);
});
