import { expect, test } from 'vitest';
import { parsePoints } from '../../../../src/web/islands/parts/points.ts';

test('days and amounts of the page are the points of its chart', () => {
  expect(parsePoints('1970-01-01 1970-01-02', '0 60000')).toEqual([
    [0, 86_400],
    [0, 0.06],
  ]);
});

test.each([
  ['', ''],
  ['1970-01-01', ''],
  ['1970-01-01', '1 2'],
  ['yesterday', '1'],
  ['1970-01-01', 'x'],
  [Array(1_001).fill('1970-01-01').join(' '), Array(1_001).fill('1').join(' ')],
])('lists that do not fit are no chart (%j, %j)', (days, amounts) => {
  expect(parsePoints(days, amounts)).toBeUndefined();
});
