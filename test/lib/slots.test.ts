import { expect, test } from 'vitest';
import {
  dropSlotTexts,
  findFirstSlot,
  formatFactSlot,
  isSlot,
  listSlots,
  MAX_SLOT_CHARS,
  removeSlots,
  withoutSlots,
} from '../../src/lib/slots.ts';

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

test.each([
  ['[FACT NEEDED: opening hours]', ''],
  ['We open at [FACT NEEDED: opening hours].', 'We open at .'],
  ['[ fact  needed: logo ]', ''],
  ['https://acme.example/[FACT%20NEEDED:%20path]', 'https://acme.example/[FACT%20NEEDED:%20path]'],
  ['[FACT NEEDED: cut off', ''],
  ['- [Prices]([FACT NEEDED: address]): all of them', '- [Prices]: all of them'],
  ['a\n[FACT NEEDED: x]\nb', 'a\n\nb'],
])('%j has an open slot', (text, rest) => {
  expect(isSlot(text)).toBe(true);
  expect(removeSlots(text)).toBe(rest);
});

test.each(['', 'FACT NEEDED', '[facts needed]', '[FACT NEEDEDLESS]', '[FACT] NEEDED'])('%j has none', (text) => {
  expect(isSlot(text)).toBe(false);
  expect(removeSlots(text)).toBe(text);
  expect(findFirstSlot(text)).toBe('');
});

test('texts with an open slot are no part of a value, in lists and in objects', () => {
  const slot = formatFactSlot('logo');
  expect(
    dropSlotTexts({ name: 'Acme', logo: slot, sameAs: ['a', slot], deep: [{ url: slot, n: 1 }], [slot]: 1 }),
  ).toEqual({
    name: 'Acme',
    sameAs: ['a'],
    deep: [{ n: 1 }],
  });
});
