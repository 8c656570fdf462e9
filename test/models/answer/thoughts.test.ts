import { expect, test } from 'vitest';
import { withoutThoughts } from '../../../src/models/answer/thoughts.ts';

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
