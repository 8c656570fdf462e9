import { describe, expect, test } from 'vitest';
import { countWords, isQuestion, splitSentences } from '../../../src/audit/language/words.ts';

test.each([
  ['', 0],
  ['one two  three', 3],
  ["don't stop-and-go 3.5 x", 4],
  ['... — !', 0],
  ['Привет мир', 2],
  ['私は学生です', 4],
  ['iPhone 是手机', 3],
])('%j has %i words', (text, count) => {
  expect(countWords(text)).toBe(count);
});

test('a line of more than a hundred thousand unspaced characters is counted piece by piece', () => {
  expect(countWords('私は学生です。'.repeat(20_000))).toBe(4 * 20_000);
});

describe('sentences', () => {
  test.each([
    ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
    ['Dr. Smith paid 3.50 in St. Ives. Then he left.', ['Dr. Smith paid 3.50 in St. Ives.', 'Then he left.']],
    ['J. Smith said "Yes." Then no.', ['J. Smith said "Yes."', 'Then no.']],
    ['これは文です。次の文です。', ['これは文です。', '次の文です。']],
    ['Am 3. Februar kommt er. Im 19. Jahrhundert kam er.', ['Am 3. Februar kommt er.', 'Im 19. Jahrhundert kam er.']],
    ['Es waren 12. Dann kamen mehr.', ['Es waren 12.', 'Dann kamen mehr.']],
    ['Es war 2020. Dann kam er.', ['Es war 2020.', 'Dann kam er.']],
    ['Tiere, z. B. Katzen (u. a. Kater), vgl. S. 7. Ende.', ['Tiere, z. B. Katzen (u. a. Kater), vgl. S. 7.', 'Ende.']],
    ['Przy ul. Długiej. Animales, p. ej. gatos.', ['Przy ul. Długiej.', 'Animales, p. ej. gatos.']],
    ['1. Oil the rack. 2. Dry it.', ['1. Oil the rack.', '2. Dry it.']],
    ['„Er kam.“ Dann ging er.', ['„Er kam.“', 'Dann ging er.']],
    ['Il dit « Non ! ». Puis il part.', ['Il dit « Non ! ».', 'Puis il part.']],
    ['« Non ! » dit-il. « Si. » Puis il part.', ['« Non ! » dit-il.', '« Si. »', 'Puis il part.']],
    ['“Stop!” she said. “Why?” he asked.', ['“Stop!” she said.', '“Why?” he asked.']],
    ['She waited ... and left. so did he', ['She waited ... and left.', 'so did he']],
    ['At 1:30 p.m. on Nov. 8 Rt. Hon. Byron came.', ['At 1:30 p.m. on Nov. 8 Rt. Hon. Byron came.']],
    ['Call the constructor. Then go.', ['Call the constructor.', 'Then go.']],
    ['no end', ['no end']],
    ['', []],
  ])('%j', (text, expected) => {
    expect(splitSentences(text)).toEqual(expected);
  });
});

test.each([
  ['Why oak?', true],
  ['何ですか？', true],
  ['How to oil a rack', true],
  ['What is oak', true],
  ['Whatever we do', false],
  ['Delivery', false],
  ['How we work', false],
])('%j asks: %s', (heading, asks) => {
  expect(isQuestion(heading)).toBe(asks);
});

test('long runs without spaces are counted without end of stack', () => {
  expect(countWords('字'.repeat(1_000_000))).toBeGreaterThan(1000);
  expect(countWords('a'.repeat(1_000_000))).toBe(2000);
  expect(splitSentences('a. '.repeat(200_000))).toHaveLength(200_000);
});
