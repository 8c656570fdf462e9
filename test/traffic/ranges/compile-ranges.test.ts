import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileRanges, locateAddress, type RangeRow } from '../../../src/traffic/ranges/compile-ranges.ts';
import { parsePrefix } from '../../../src/traffic/ranges/prefixes.ts';
import { budgetFor } from '../../support/runner/budget.ts';

const rowOf = (token: string, ...prefixes: string[]): RangeRow => ({
  owner: 'Owner',
  tokens: [token],
  source: 'https://owner.test/list.json',
  date: '2026-08-18',
  prefixes,
});
const table = compileRanges([
  rowOf('One', '66.249.66.0/24', '20.240.160.1', '2001:4860:4801:10::/60', '2600:1f28:365:8000::/56'),
  rowOf('Two', '66.249.80.0/20'),
  { ...rowOf('Strange', '34.0.0.0/8'), owner: 'Another' },
]);

describe('an address by the border of a block', () => {
  test.each([
    ['66.249.65.255', 'elsewhere'],
    ['66.249.66.0', 'own'],
    ['66.249.66.77', 'own'],
    ['66.249.66.255', 'own'],
    ['66.249.67.0', 'elsewhere'],
    ['20.240.160.0', 'elsewhere'],
    ['20.240.160.1', 'own'],
    ['20.240.160.2', 'elsewhere'],
    ['2001:4860:4801:f:ffff:ffff:ffff:ffff', 'elsewhere'],
    ['2001:4860:4801:10::', 'own'],
    ['2001:4860:4801:1f:ffff:ffff:ffff:ffff', 'own'],
    ['2001:4860:4801:20::', 'elsewhere'],
    ['2600:1f28:365:80ff:ffff:ffff:ffff:ffff', 'own'],
    ['2600:1f28:365:8100::', 'elsewhere'],
    ['::ffff:66.249.66.1', 'own'],
    ['::FFFF:42f9:4201', 'own'],
    ['::ffff:66.249.67.1', 'elsewhere'],
    ['66.249.80.1', 'owners'],
    ['34.1.2.3', 'elsewhere'],
  ])('%s lies %s', (address, place) => {
    expect(locateAddress(table, 'One', address)).toBe(place);
  });
});

test.each([
  '',
  '-',
  'unknown',
  '203.0.113.xxx',
  '9f86d081884c7d65',
  '10.0.0.7',
  '192.168.1.1',
  '127.0.0.1',
  '100.64.1.1',
  'fd00::1',
  'fe80::1',
  '::1',
  '::ffff:10.0.0.7',
])('%j is not judged', (address) => {
  expect(locateAddress(table, 'One', address)).toBe('none');
});

test('an address that ends in 0, and those of documentation, are ordinary', () => {
  for (const address of ['203.0.113.0', '192.0.2.1', '198.51.100.255', '2001:db8::1'])
    expect(locateAddress(table, 'One', address)).toBe('elsewhere');
});

test('a token without a row is not judged', () => {
  expect(locateAddress(table, 'Bytespider', '66.249.66.1')).toBe('unknown-token');
});

test('the search agrees with a slow one over big numbers', () => {
  const ipv4 = fc.integer({ min: 0, max: 0xffff }).map((low) => `8.8.${low >> 8}.${low & 255}`);
  const ipv6 = fc.integer({ min: 0, max: 0xffff }).map((low) => `2400:cb00::${low.toString(16)}`);
  const block = fc.oneof(
    fc.tuple(ipv4, fc.integer({ min: 18, max: 32 })).map(([address, bits]) => `${address}/${bits}`),
    fc.tuple(ipv6, fc.integer({ min: 114, max: 128 })).map(([address, bits]) => `${address}/${bits}`),
  );
  fc.assert(
    fc.property(
      fc.array(block, { maxLength: 30 }),
      fc.array(fc.oneof(ipv4, ipv6), { minLength: 1, maxLength: 30 }),
      (blocks, addresses) => {
        const compiled = compileRanges([rowOf('One', ...blocks)]);
        const spans = blocks.map(parsePrefix).filter((span) => typeof span !== 'string');
        for (const address of addresses) {
          const asked = parsePrefix(address);
          if (typeof asked === 'string') throw new Error(asked);
          const inside = spans.some(
            (span) => span.family === asked.family && span.first <= asked.first && asked.first <= span.last,
          );
          expect(locateAddress(compiled, 'One', address)).toBe(inside ? 'own' : 'elsewhere');
        }
      },
    ),
    { numRuns: budgetFor(200, 5_000) },
  );
});

test('a row with a prefix that is not taken is a bug, and throws', () => {
  expect(() => compileRanges([rowOf('One', '0.0.0.0/0')])).toThrow('0.0.0.0/0');
});
