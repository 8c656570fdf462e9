import { expect, test } from 'vitest';
import { createOwnerTest, isSameAddress } from '../../../../src/audit/reach/facts/urls.ts';

const PAGE = 'https://www.acme.example/Blog/Lamps?id=7';

test.each([
  ['http://www.acme.example/Blog/Lamps?id=7', true],
  ['https://acme.example/Blog/Lamps?id=7', true],
  ['https://www.acme.example/blog/lamps/?id=7', true],
  ['https://www.acme.example/Blog/Lamps?utm_source=x&id=7#top', true],
  ['https://www.acme.example/Blog/Lamps?id=7&PHPSESSID=1', true],
  ['https://www.acme.example/Blog/Lamps?id=7&s=0123456789abcdef0123456789abcdef', true],
  ['https://www.acme.example/Blog/Lamps?id=7&s=lamps', false],
  ['https://www.acme.example/Blog/Lamps', false],
  ['https://www.acme.example/Blog/Lamps?id=8', false],
  ['https://m.acme.example/Blog/Lamps?id=7', false],
  ['https://acme.test/Blog/Lamps?id=7', false],
])('%s names the same page: %s', (href, same) => {
  expect(isSameAddress(href, PAGE)).toBe(same);
  expect(isSameAddress(PAGE, href)).toBe(same);
});

test('hosts below one registrable domain have one owner, those below a public suffix do not', () => {
  const isOwn = createOwnerTest('https://www.acme.co.uk/x');
  const hrefs = ['https://acme.co.uk/', 'http://shop.acme.co.uk/a', 'https://other.co.uk/', 'https://acme.com/'];
  expect(hrefs.map(isOwn)).toEqual([true, true, false, false]);
  expect(hrefs.map(isOwn)).toEqual([true, true, false, false]);
});
