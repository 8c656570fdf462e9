import { expect, test } from 'vitest';
import { suggestWord } from '../../../src/cli/commands/suggest.ts';

const COMMANDS = ['audit', 'fix', 'compare', 'visibility', 'replay', 'completion', 'channels'];

test.each([
  ['adit', 'audit'],
  ['audti', 'audit'],
  ['AUDIT', 'audit'],
  ['visiblity', 'visibility'],
  ['vis', 'visibility'],
  ['chanels', 'channels'],
  ['comapre', 'compare'],
])('%s is meant as %s', (typed, meant) => expect(suggestWord(typed, COMMANDS)).toBe(meant));

test.each(['', 'zz', 'bogus', 'everything', 'x'.repeat(500)])('%j is near to none', (typed) =>
  expect(suggestWord(typed, COMMANDS)).toBeUndefined(),
);
