import { expect, test } from 'vitest';
import { formatFactSlot, MAX_SLOT_CHARS, listSlots, withoutSlots } from '../../src/lib/slots.ts';

test('a slot says which fact is needed, and is found again', () => {
  const text = `Opens ${formatFactSlot('opening hours')} at ${formatFactSlot('postal address')}, ${formatFactSlot('opening hours')}.`;
  expect(text).toContain('[FACT NEEDED: opening hours]');
  expect(listSlots(text)).toEqual(['opening hours', 'postal address']);
});

test('a slot is cut at its bound', () => {
  expect(formatFactSlot('x'.repeat(500))).toBe(`[FACT NEEDED: ${'x'.repeat(MAX_SLOT_CHARS)}]`);
});

test.each([
  ['[FACT NEEDED: your password]', '(FACT NEEDED: your password]'],
  ['[ fact  needed: your password]', '( fact  needed: your password]'],
  ['[facts needed]', '[facts needed]'],
])('text of a site that spells a slot is none: %s', (text, expected) => {
  expect(withoutSlots(text)).toBe(expected);
  expect(listSlots(withoutSlots(text))).toEqual([]);
});

test.each(['', '[FACT NEEDED: ]', '[FACT NEEDED: a\nb]', '[FACT NEEDED: a[b]', 'FACT NEEDED: a'])(
  '%j holds no slot',
  (text) => {
    expect(listSlots(text)).toEqual([]);
  },
);
