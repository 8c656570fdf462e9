import { describe, expect, test } from 'vitest';
import {
  FilterTooSlow,
  createFilterMatcher,
  createMeter,
  parseFilter,
  resetMeter,
} from '../../../../src/management/core/filter/index.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';

/** A matcher and its meter. */
function metered(text: string, limit?: number) {
  const parsed = parseFilter(text);
  if (!parsed.ok) throw new Error(parsed.message);
  const meter = createMeter(limit);
  return { meter, matches: createFilterMatcher(parsed.filter, { meter }) };
}

const workOf = (text: string, subject: JsonObject): number => {
  const { meter, matches } = metered(text);
  matches(subject);
  return meter.spent;
};

/** Letters without a pattern in them, the same every time: the high bits of a multiplicative generator. */
function letters(alphabet: string, count: number, seed = 1): string {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = Number((BigInt(state) * 48_271n) % 2_147_483_647n);
    return alphabet[Math.floor((state / 2_147_483_647) * alphabet.length)] ?? '';
  }).join('');
}

/** Whether the 21st letter from the end was an `a` is a state of its own for each of two million endings. */
const HOSTILE = 'textPayload =~ "(?:a|b)*a(?:a|b){20}[cd]"';

describe('K9: the work of a filter is counted', () => {
  test.each([
    ['an ordinary pattern', 'textPayload =~ "status=(4|5)[0-9][0-9]"', 'x = 1; '.repeat(1_000), 7_000, 14_000],
    ['a pattern in a long text', 'textPayload =~ "[0-9]+ms$"', 'x'.repeat(200_000), 65_536, 80_000],
    ['ever new states', HOSTILE, letters('ab', 300), 80_000, 200_000],
    ['too many states', HOSTILE, letters('ab', 65_536), 13_000_000, 20_000_000],
    ['a part of a text', 'textPayload:"needle"', 'x'.repeat(80_000), 10_000, 10_100],
    ['a part of a text to unfold', 'textPayload:"needle"', 'é'.repeat(8_000), 80_000, 80_100],
    ['a thousand comparisons', `textPayload:(${Array(999).fill('a').join(' OR ')})`, 'b', 5_000, 10_000],
    ['a search', 'SEARCH("needle")', 'hay stack '.repeat(1_000), 30_000, 50_000],
    ['a search for a phrase', 'SEARCH("`a needle`")', 'hay stack '.repeat(1_000), 30_000, 50_000],
  ])('%s', (_, filter, textPayload, atLeast, atMost) => {
    const found = workOf(filter, { textPayload });
    expect(found).toBeGreaterThanOrEqual(atLeast);
    expect(found).toBeLessThanOrEqual(atMost);
  });

  test.each<[string, string, JsonObject, number]>([
    [
      'each element of a list',
      'jsonPayload.a.b="x"',
      { jsonPayload: { a: Array.from({ length: 1_000 }, () => ({ b: 'y' })) } },
      3_000,
    ],
    ['each scalar', '"x"', { jsonPayload: { a: Array(1_000).fill(1) } }, 5_000],
    [
      'each key that may be spelled otherwise',
      'protoPayload.a="x"',
      { protoPayload: Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`k${at}`, at])) },
      20_000,
    ],
  ])('%s', (_, filter, subject, atLeast) => {
    expect(workOf(filter, subject)).toBeGreaterThanOrEqual(atLeast);
  });

  test('a filter without an expression takes none', () => {
    expect(workOf('', { textPayload: 'x'.repeat(1_000) })).toBe(0);
  });
});

describe('K9: beyond its limit a matcher throws', () => {
  test.each([
    ['while states are made', letters('ab', 300), 20_000],
    ['before it goes on without states', letters('ab', 65_536), 10_000_000],
    ['before it reads a text', 'x'.repeat(60_000), 50_000],
  ])('%s', (_, textPayload, limit) => {
    const { meter, matches } = metered(HOSTILE, limit);
    expect(() => matches({ textPayload })).toThrow(FilterTooSlow);
    expect(meter.spent).toBeLessThan(limit + 65_536 * 200 + 1_000);
  });

  test('and matches as before once the meter begins anew', () => {
    const { meter, matches } = metered(HOSTILE, 5_000);
    const textPayload = letters('ab', 500, 7);
    for (let round = 0; round < 3; round += 1) {
      resetMeter(meter, 5_000);
      expect(() => matches({ textPayload })).toThrow(FilterTooSlow);
    }
    resetMeter(meter, Number.POSITIVE_INFINITY);
    expect(matches({ textPayload })).toBe(false);
    expect(matches({ textPayload: `${textPayload}a${'b'.repeat(20)}c` })).toBe(true);
  });

  test('two filters of one pattern pay for themselves', () => {
    const [one, other] = [metered(HOSTILE), metered(HOSTILE)];
    one.matches({ textPayload: letters('ab', 300, 11) });
    expect(other.meter.spent).toBe(0);
    const before = one.meter.spent;
    other.matches({ textPayload: letters('ab', 300, 13) });
    expect(other.meter.spent).toBeGreaterThan(30_000);
    expect(one.meter.spent).toBe(before);
  });
});
