import { expect, test } from 'vitest';
import { createThoughtFilter, withoutThoughts } from '../../../src/models/core/thoughts.ts';

test.each([
  ['a block at the front', '<think>Rival?</think>\n\nAcme', 'Acme'],
  ['white space before it', '\n <think>\nRival?\n</think>Acme', 'Acme'],
  ['two blocks', '<think>a</think>\n<think>b</think>\nAcme', 'Acme'],
  ['the long name of the tag, in capitals', '<THINKING>Rival</THINKING> Acme', 'Acme'],
  ['an opening tag that the chat template wrote', 'Rival? No.\n</think>\n\nAcme', 'Acme'],
  ['thoughts that never end', '<think>Rival', ''],
  ['a second block that never ends', '<think>a</think><think>Rival', ''],
])('goes: %s', (_what, text, expected) => {
  expect(withoutThoughts(text)).toBe(expected);
});

test.each([
  ['nothing to remove', '  Acme\n'],
  ['an empty text', ''],
  ['a tag that is never closed, further on', 'Acme says <think> a lot'],
  ['another tag', '<b>think</b> Acme'],
])('stays as it is: %s', (_what, text) => {
  expect(withoutThoughts(text)).toBe(text);
});

test('a closing tag inside the answer stays when the thoughts are over', () => {
  expect(withoutThoughts('<think>a</think>Acme </think> Beta')).toBe('Acme </think> Beta');
});

const filtered = (pieces: readonly string[]): string => {
  const filter = createThoughtFilter();
  return pieces.map((piece) => filter.push(piece)).join('') + filter.end();
};

const THOUGHTS: readonly [string, string][] = [
  ['A shard is a part.', 'A shard is a part.'],
  ['  A shard', '  A shard'],
  ['<think>hm</think>A', 'A'],
  ['\n <THINK>hm</Think>\n\n A', 'A'],
  ['<thinking>a < b</thinking>A <think>b</think>', 'A <think>b</think>'],
  ['<think>a</think> <think>b</think> A', 'A'],
  ['<think>a</think>', ''],
  ['<think>never ends', ''],
  ['<think>almost</thin', ''],
  ['<thi', '<thi'],
  ['<thinner>A', '<thinner>A'],
  ['', ''],
  [`${'<think>x</think>'.repeat(8)}A`, 'A'],
  [`${' '.repeat(201)}<think>hm</think>A`, `${' '.repeat(201)}<think>hm</think>A`],
];

test.each(THOUGHTS)('%j without its thoughts is %j, whole and character by character', (text, answer) => {
  expect(filtered([text])).toBe(answer);
  expect(filtered(Array.from(text))).toBe(answer);
});

test('pieces lose what whole answers lose, where the thoughts have a beginning', () => {
  for (const [text] of THOUGHTS.filter(([one]) => !one.startsWith(' '.repeat(201)) && !one.includes('A <think>')))
    expect([text, filtered([text])]).toEqual([text, withoutThoughts(text)]);
});

test('an answer is not held back', () => {
  const filter = createThoughtFilter();
  expect(filter.push('A')).toBe('A');
  expect(filter.push(' <think>')).toBe(' <think>');
});
