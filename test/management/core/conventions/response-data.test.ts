import { expect, test } from 'vitest';
import { readByteRange } from '../../../../src/management/core/conventions/response-data.ts';

const SIZE = 100;

test.each<[string | null, ReturnType<typeof readByteRange>]>([
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=0-99', { first: 0, last: 99 }],
  ['bytes=90-1000', { first: 90, last: 99 }],
  ['bytes=50-', { first: 50, last: 99 }],
  ['bytes=-10', { first: 90, last: 99 }],
  ['bytes=-1000', { first: 0, last: 99 }],
  [' bytes=1-2 ', { first: 1, last: 2 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=999999999999999-', 'unsatisfiable'],
  ['bytes=5-4', undefined],
  ['bytes=0-1,3-4', undefined],
  ['bytes=-', undefined],
  ['bytes=a-b', undefined],
  ['items=0-1', undefined],
  ['bytes=0000000000000000-', undefined],
  ['', undefined],
  [null, undefined],
])('%s of 100 bytes', (header, expected) => {
  expect(readByteRange(header, SIZE)).toEqual(expected);
});

test('of nothing there is no part', () => {
  expect(readByteRange('bytes=0-', 0)).toBe('unsatisfiable');
  expect(readByteRange('bytes=-1', 0)).toBe('unsatisfiable');
});
