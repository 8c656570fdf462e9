import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AddressSpan, formatSpans, parsePrefix } from '../../../src/traffic/ranges/prefixes.ts';

const toSpan = (text: string): AddressSpan => {
  const span = parsePrefix(text);
  if (typeof span === 'string') throw new Error(`${text}: ${span}`);
  return span;
};
const merge = (...prefixes: string[]): readonly string[] => formatSpans(prefixes.map(toSpan));

test.each([
  ['66.249.64.0/7', 'prefix_too_wide'],
  ['0.0.0.0/0', 'prefix_too_wide'],
  ['2001::/15', 'prefix_too_wide'],
  ['::/0', 'prefix_too_wide'],
  ['66.249.64.0/33', 'bad_prefix'],
  ['2001::/129', 'bad_prefix'],
  ['66.249.64.0/', 'bad_prefix'],
  ['66.249.64.0/024', 'bad_prefix'],
  ['66.249.64.0/24/24', 'bad_prefix'],
  ['66.249.64/24', 'bad_prefix'],
  ['crawl.example/24', 'bad_prefix'],
])('%s is refused: %s', (text, reason) => {
  expect(parsePrefix(text)).toBe(reason);
});

test('the widest blocks that are taken, single addresses, and blocks whose address is not their first', () => {
  expect(parsePrefix('17.0.0.0/8')).toEqual({ family: 4, first: 17n << 24n, last: (18n << 24n) - 1n });
  expect(merge('2a03::/16')).toEqual(['2a03::/16']);
  expect(merge('20.240.160.1')).toEqual(['20.240.160.1']);
  expect(merge('66.249.66.9/24')).toEqual(['66.249.66.0/24']);
});

test('neighbours become one block, overlaps one span, and families stay apart', () => {
  expect(merge('20.171.207.0/24', '20.171.206.0/24')).toEqual(['20.171.206.0/23']);
  expect(merge('10.0.0.0/8', '10.1.0.0/16')).toEqual(['10.0.0.0/8']);
  expect(merge('2001:4860:c::10/124', '104.43.55.117', '2001:4860:c::/124', '104.43.55.116')).toEqual([
    '104.43.55.116/31',
    '2001:4860:c::/123',
  ]);
  expect(merge('104.43.55.117', '104.43.55.118')).toEqual(['104.43.55.117', '104.43.55.118']);
});

test('written blocks are the same addresses, whatever the order they came in', () => {
  const block = fc.tuple(fc.nat(0xffff), fc.integer({ min: 20, max: 32 })).map(([low, bits]) => {
    return `198.18.${low >> 8}.${low & 255}/${bits}`;
  });
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 12 }), (blocks) => {
      const written = merge(...blocks);
      expect(merge(...written.toReversed())).toEqual(written);
      const covered = (prefixes: readonly string[], value: bigint): boolean =>
        prefixes.map(toSpan).some(({ first, last }) => first <= value && value <= last);
      for (const { first, last } of blocks.map(toSpan))
        for (const value of [first - 1n, first, last, last + 1n])
          expect(covered(written, value)).toBe(covered(blocks, value));
    }),
    { numRuns: 100 },
  );
});
