import { describe, expect, test } from 'vitest';
import { MAX_KEPT_CHARS, createFilterMatchers } from '../../../src/management/log-store/matchers.ts';

const long = (n: number, chars: number): string => `textPayload:"${String(n).padEnd(chars - 14, 'x')}"`;

describe('K9: filters that are kept compiled', () => {
  test('are those used last, of so many characters together', () => {
    const matchers = createFilterMatchers();
    const count = MAX_KEPT_CHARS / 10_000;
    const texts = Array.from({ length: count }, (_, n) => long(n, 10_000));
    const made = texts.map(matchers);
    expect(texts.map(matchers).every((each, n) => each !== undefined && each === made[n])).toBe(true);
    const more = matchers(long(count, 10_000));
    expect(matchers(long(count, 10_000))).toBe(more);
    expect(matchers(texts[1] ?? '')).toBe(made[1]);
    expect(matchers(texts[0] ?? '')).not.toBe(made[0]);
  });

  test('a text that is no filter counts as well, and is none again', () => {
    const matchers = createFilterMatchers();
    const kept = matchers('severity=ERROR');
    expect(matchers('(')).toBeUndefined();
    expect(matchers('(')).toBeUndefined();
    expect(matchers('severity=ERROR')).toBe(kept);
    expect(matchers('x'.repeat(MAX_KEPT_CHARS + 1))).toBeUndefined();
    expect(matchers('severity=ERROR')).not.toBe(kept);
    expect(matchers('severity=ERROR')).toEqual(expect.objectContaining({ pushdown: kept?.pushdown }));
  });
});
