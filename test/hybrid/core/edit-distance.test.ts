import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeEditDistance } from '../../../src/hybrid/core/edit-distance.ts';

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['storage', 'storage', 0],
  ['storge', 'storage', 1],
  ['stroage', 'storage', 1],
  ['host', 'port', 2],
  ['kitten', 'sitting', 3],
])('%j and %j are %i apart', (one, other, distance) => {
  expect(computeEditDistance(one, other)).toBe(distance);
  expect(computeEditDistance(other, one)).toBe(distance);
});

test('it is at most the length of the longer word, and nothing between equal words alone', () => {
  const word = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(word, word, (one, other) => {
      const distance = computeEditDistance(one, other);
      expect(distance).toBeLessThanOrEqual(Math.max(one.length, other.length));
      expect(distance === 0).toBe(one === other);
    }),
  );
});
