import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseNanoTimestamp, getSeverityRank } from '../../../../src/management/core/filter/index.ts';
import { parseDurationNanos, computeNextNanosecond } from '../../../../src/management/core/filter/timestamps.ts';

describe('a timestamp of RFC 3339 becomes 30 characters', () => {
  test.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000000000Z'],
    ['2026-01-02t03:04:05.5z', '2026-01-02T03:04:05.500000000Z'],
    ['2026-01-02T03:04:05.123456789Z', '2026-01-02T03:04:05.123456789Z'],
    ['2024-02-29T23:59:59.000000001-01:30', '2024-03-01T01:29:59.000000001Z'],
    ['2026-01-01T00:00:00+14:00', '2025-12-31T10:00:00.000000000Z'],
    ['1969-12-31T23:59:59.999999999Z', '1969-12-31T23:59:59.999999999Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000000Z'],
    ['0099-12-31T00:00:00-00:00', '0099-12-31T00:00:00.000000000Z'],
    ['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59.999999999Z'],
  ])('%s', (text, expected) => {
    expect(parseNanoTimestamp(text)).toBe(expected);
  });

  test.each([
    '',
    '2026-01-02',
    '2026-01-02T03:04:05',
    '2026-01-02 03:04:05Z',
    '2026-1-2T03:04:05Z',
    '2026-02-29T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-02T24:00:00Z',
    '2026-01-02T23:60:00Z',
    '2026-01-02T23:59:60Z',
    '2026-01-02T03:04:05.1234567890Z',
    '2026-01-02T03:04:05.Z',
    '2026-01-02T03:04:05+24:00',
    '2026-01-02T03:04:05+1:00',
    '0000-12-31T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '2026-01-02T03:04:05Z ',
  ])('%j is none', (text) => {
    expect(parseNanoTimestamp(text)).toBeUndefined();
  });

  test('agrees with Date, and sorts as the instants do', () => {
    const instant = fc.date({
      min: new Date(-62_135_596_800_000),
      max: new Date(253_402_300_799_999),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instant, instant, (one, other) => {
        const [left = '', right = ''] = [one, other].map((date) => parseNanoTimestamp(date.toISOString()));
        expect(Date.parse(left)).toBe(one.getTime());
        expect(left < right).toBe(one.getTime() < other.getTime());
      }),
      { seed: 8 },
    );
  });
});

test.each([
  ['2026-01-02T03:04:05.000000000Z', '2026-01-02T03:04:05.000000001Z'],
  ['2026-12-31T23:59:59.999999999Z', '2027-01-01T00:00:00.000000000Z'],
  ['9999-12-31T23:59:59.999999999Z', undefined],
])('the nanosecond after %s is %s', (instant, expected) => {
  expect(computeNextNanosecond(instant)).toBe(expected);
});

test.each([
  ['3.2s', 3_200_000_000n],
  ['-1.5ms', -1_500_000n],
  ['7ns', 7n],
  ['2us', 2_000n],
  ['1m', 60_000_000_000n],
  ['+2h', 7_200_000_000_000n],
  ['0.0000000019s', 1n],
  ['1.s', undefined],
  ['5', undefined],
  ['1h2m', undefined],
  ['1d', undefined],
])('the duration %s is %s nanoseconds', (text, expected) => {
  expect(parseDurationNanos(text)).toBe(expected);
});

test.each([
  ['DEFAULT', 0],
  ['WARNING', 400],
  ['EMERGENCY', 800],
  ['LOUD', 0],
  ['toString', 0],
  [undefined, 0],
])('the rank of the severity %s is %s', (name, expected) => {
  expect(getSeverityRank(name)).toBe(expected);
});
