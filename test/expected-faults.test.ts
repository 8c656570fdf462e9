import { expect, test } from 'vitest';
import { createFaultFilter } from '../scripts/expected-faults.js';

const show = (lines: readonly string[]): readonly string[] => {
  const { isShown } = createFaultFilter();
  return lines.filter(isShown);
};

test('a fault that a test expects is hidden with its stack, and what follows is shown', () => {
  const lines = [
    'uncaught exception; source = Uncaught (in promise); stack = Error: gone',
    '    at /test/one.test.ts:1:1',
    ' ✓ the next test',
  ];
  expect(show(lines)).toEqual([' ✓ the next test']);
});

test('any other fault is shown with its stack, directly after a hidden one too', () => {
  const other = ['uncaught exception; source = Uncaught; stack = TypeError: x is undefined', '    at /src/one.ts:1:1'];
  expect(show(['uncaught exception; source = Uncaught; stack = Error: overloaded', '    at a', ...other])).toEqual(
    other,
  );
});

test('a message that only contains an expected one is shown', () => {
  const line = 'uncaught exception; source = Uncaught; stack = Error: the file is gone';
  expect(show([line])).toEqual([line]);
});
