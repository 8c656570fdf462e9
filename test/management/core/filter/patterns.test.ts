import { RE2JS } from 're2js';
import { afterEach, expect, test, vi } from 'vitest';
import { createPatternTest } from '../../../../src/management/core/filter/patterns.ts';

afterEach(() => vi.restoreAllMocks());

test('K9: eight patterns remember their states: of more, the one that began first forgets its own', () => {
  const compile = vi.spyOn(RE2JS, 'compile');
  const tests = Array.from({ length: 20 }, (_, n) => createPatternTest(`remembered${n}[a-f]+z`));
  const caches = compile.mock.results.map(({ value }) => vi.spyOn((value as RE2JS).re2().dfa, 'clearCache'));
  expect(caches).toHaveLength(20);
  const forgotten = (): number[] => caches.flatMap((cache, n) => (cache.mock.calls.length > 0 ? [n] : []));
  for (const isFound of tests.slice(0, 8)) expect(isFound('remembered')).toBe(false);
  expect(forgotten().filter((n) => n < 8)).toEqual([]);
  for (const [n, isFound] of tests.entries()) expect(isFound(`remembered${n}abcz`)).toBe(true);
  expect(forgotten()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});
