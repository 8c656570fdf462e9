import { describe, expect, test } from 'vitest';
import { computeAddressPattern, sortByPattern } from '../../../src/audit/core/address-pattern.ts';

const patternOf = (path: string): string => computeAddressPattern(new URL(path, 'https://acme.example'));

describe('the pattern of an address', () => {
  test.each([
    ['/', '/'],
    ['/about', '/about'],
    ['/about/', '/about'],
    ['/about.html', '/about.html'],
    ['/blog/my-first-post', '/blog/*'],
    ['/blog/short', '/blog/*'],
    ['/blog/2024/05/a-post', '/blog/#/#/*'],
    ['/2024/05/a-post', '/#/#/*'],
    ['/how-to-build-a-cold-frame', '/*'],
    ['/item-38291', '/*'],
    ['/de/produkte/kessel', '/de/produkte/*'],
    ['/de-at/produkte/kessel.php', '/de-at/produkte/*.php'],
    ['/list?page=2&sort=up', '/list?page&sort'],
    ['/list?sort=down&page=9', '/list?page&sort'],
    ['/a/b/c/d/e/f/g/h', '/a/*/*/*/*/*'],
  ])('%s is %s', (path, pattern) => {
    expect(patternOf(path)).toBe(pattern);
  });

  test('is short for an address of any length', () => {
    expect(
      patternOf(`/${'x'.repeat(5000)}?${Array.from({ length: 500 }, (_, at) => `k${at}=1`).join('&')}`).length,
    ).toBeLessThan(400);
  });
});

describe('the order of a sample', () => {
  const url = (path: string): string => `https://acme.example${path}`;

  test('takes one of each pattern first, that of the most pages first, then a second of each', () => {
    const urls = ['/blog/a', '/about', '/shop/x', '/blog/b', '/shop/y', '/blog/c'].map(url);
    expect(sortByPattern(urls)).toEqual(['/blog/a', '/shop/x', '/about', '/blog/b', '/shop/y', '/blog/c'].map(url));
  });

  test('holds each address once', () => {
    const urls = Array.from({ length: 500 }, (_, at) => url(`/${'abc'[at % 3]}/p${at}`));
    expect([...sortByPattern(urls)].toSorted()).toEqual([...urls].toSorted());
  });
});
