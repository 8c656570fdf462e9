import { describe, expect, test } from 'vitest';
import { isText } from '../../../../src/lib/json.ts';
import {
  hasShape,
  isBoolean,
  isEither,
  isFiniteNumber,
  isListOf,
  isAbsentOr,
} from '../../../../src/web/islands/parts/shape.ts';

const isOrder = hasShape({
  name: isText,
  count: isAbsentOr(isFiniteNumber),
  paid: isAbsentOr(isBoolean),
  inner: isAbsentOr(hasShape({ at: isEither(isText, isFiniteNumber) })),
  items: isAbsentOr(isListOf(isText)),
});

describe('an answer has its shape', () => {
  test.each([
    ['with what it must have', { name: '' }],
    ['with all there can be', { name: 'a', count: 0, paid: false, inner: { at: 1 }, items: ['b'] }],
    ['with more than was judged', { name: 'a', other: null }],
    ['with the other of two types', { name: 'a', inner: { at: 'now' } }],
    ['with an empty list', { name: 'a', items: [] }],
  ])('%s', (_what, value) => {
    expect(isOrder(value)).toBe(true);
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'name'],
    ['a list', ['name']],
    ['a missing member', {}],
    ['a member of another type', { name: 1 }],
    ['null for what may be absent', { name: 'a', count: null }],
    ['a number that is none', { name: 'a', count: Number.NaN }],
    ['a number without end, as 1e999 is read', { name: 'a', count: JSON.parse('1e999') as unknown }],
    ['a text for a truth', { name: 'a', paid: 'true' }],
    ['a wrong member further in', { name: 'a', inner: { at: true } }],
    ['a list in the place of an object', { name: 'a', inner: [] }],
    ['one wrong item', { name: 'a', items: ['b', 1] }],
    ['an object in the place of a list', { name: 'a', items: { 0: 'b', length: 1 } }],
  ])('but not %s', (_what, value) => {
    expect(isOrder(value)).toBe(false);
  });
});
