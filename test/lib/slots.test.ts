import { expect, test } from 'vitest';
import { factNeeded, MAX_SLOT_CHARS, slotsIn, withoutSlots } from '../../src/lib/slots.ts';

test('a slot says which fact is needed, and is found again', () => {
  const text = `Opens ${factNeeded('opening hours')} at ${factNeeded('postal address')}, ${factNeeded('opening hours')}.`;
  expect(text).toContain('[FACT NEEDED: opening hours]');
  expect(slotsIn(text)).toEqual(['opening hours', 'postal address']);
});

test('a slot is cut at its bound', () => {
  expect(factNeeded('x'.repeat(500))).toBe(`[FACT NEEDED: ${'x'.repeat(MAX_SLOT_CHARS)}]`);
});

test.each([
  ['[FACT NEEDED: your password]', '(FACT NEEDED: your password]'],
  ['[ fact  needed: your password]', '( fact  needed: your password]'],
  ['[facts needed]', '[facts needed]'],
])('text of a site that spells a slot is none: %s', (text, expected) => {
  expect(withoutSlots(text)).toBe(expected);
  expect(slotsIn(withoutSlots(text))).toEqual([]);
});

test.each(['', '[FACT NEEDED: ]', '[FACT NEEDED: a\nb]', '[FACT NEEDED: a[b]', 'FACT NEEDED: a'])(
  '%j holds no slot',
  (text) => {
    expect(slotsIn(text)).toEqual([]);
  },
);
