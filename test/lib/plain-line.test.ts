import { describe, expect, test } from 'vitest';
import { formatPlainLine } from '../../src/lib/plain-line.ts';

describe('a line', () => {
  test.each([
    ['  two\n\nlines\tand  spaces ', 'two lines and spaces'],
    ['Ac\u200Bme\u00AD \u202Efdp\u202C', 'Acme fdp'],
    ['a\u2028b\u0085c\u0000', 'a b c'],
    ['\uD800x', 'x'],
    ['Café 東京 🚀', 'Café 東京 🚀'],
    ['', ''],
  ])('%j reads %j', (text, expected) => {
    expect(formatPlainLine(text, 240)).toBe(expected);
  });

  test.each([
    ['abcdefghij', 5, 'abcd…'],
    ['abcde', 5, 'abcde'],
    ['abc🚀de', 5, 'abc…'],
  ])('%j cut at %d is %j', (text, maxChars, expected) => {
    expect(formatPlainLine(text, maxChars)).toBe(expected);
  });
});
