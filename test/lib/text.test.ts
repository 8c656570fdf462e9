import { expect, test } from 'vitest';
import { compactText } from '../../src/lib/text.ts';

test.each([
  ['short', 'a\u2029b'],
  ['long, of Latin-1 alone', 'caf\u00E9 \u00FF\u0000\n'.repeat(2_000)],
  ['long, with other characters and half of a pair', `${'x'.repeat(9_000)}\uD800 \u2014 \uFEFF`],
])('a text stays the same: %s', (_name, text) => {
  expect(compactText(text)).toBe(text);
});
