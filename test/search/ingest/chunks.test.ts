import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHARS_PER_TOKEN, splitIntoChunks } from '../../../src/search/ingest/indexed-file.ts';
import { budgetFor } from '../../support/runner/budget.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOfBytes = (part: Uint8Array): string => new TextDecoder().decode(part);
const cut = (text: string, chunkTokens = 64, overlapTokens = 0, title = '') =>
  splitIntoChunks(text, { chunkTokens, overlapTokens, title });

describe('chunks of a text', () => {
  test('a heading begins a chunk, and the path of headings down to it is kept', () => {
    const text = '# Guide\n\nIntro.\n\n## Install\n\n### Linux\n\nRun it.\n\n## Use\n\nUse it.\n';
    expect(cut(text, 64, 0, 'Docs').map((chunk) => [chunk.heading, chunk.text])).toEqual([
      ['Docs > Guide', '# Guide\n\nIntro.'],
      ['Docs > Guide > Install > Linux', '## Install\n\n### Linux\n\nRun it.'],
      ['Docs > Guide > Use', '## Use\n\nUse it.'],
    ]);
  });

  test.each([
    ['underlined headings', 'One\n===\n\na\n\nTwo\n---\n\nb', ['One', 'One > Two']],
    ['no heading in a fenced block', '# A\n\n```sh\n# not one\n```\n', ['A']],
    ['none in a block that a longer fence holds', '# A\n\n````\n```\n# not one\n````\n\n# B\n\nb', ['A', 'B']],
    ['a title that is the first heading stands once', '# Docs\n\na', ['Docs']],
    ['no heading without a space', '#hashtag\n\na', ['']],
    ['closing marks are no part of a heading', '## A ##\n\na', ['A']],
  ])('%s', (_, text, headings) => {
    expect(cut(text, 64, 0, text.startsWith('# Docs') ? 'Docs' : '').map(({ heading }) => heading)).toEqual(headings);
  });

  test('blocks stay whole where they fit', () => {
    const paragraph = (letter: string) => `${letter.repeat(4)} `.repeat(20).trim();
    const text = ['a', 'b', 'c', 'd', 'e', 'f'].map(paragraph).join('\n\n');
    expect(cut(text).map((chunk) => chunk.text)).toEqual([
      `${paragraph('a')}\n\n${paragraph('b')}`,
      `${paragraph('c')}\n\n${paragraph('d')}`,
      `${paragraph('e')}\n\n${paragraph('f')}`,
    ]);
  });

  test('a chunk repeats the end of the one before, from a word on, and nothing of another section', () => {
    const words = Array.from({ length: 100 }, (_, index) => `word${index + 100}`).join(' ');
    const [first, second] = cut(`${words}\n\n# Next\n\nend`, 64, 10);
    const shared = (first?.text ?? '').slice((second?.startByte ?? 0) - (first?.startByte ?? 0));
    expect(shared.length).toBeGreaterThan(20);
    expect(shared.length).toBeLessThanOrEqual(10 * CHARS_PER_TOKEN);
    expect(second?.text.startsWith(shared)).toBe(true);
    expect(shared).toMatch(/^word\d{3} /);
    expect(cut(`${words}\n\n# Next\n\nend`, 64, 10).at(-1)?.text).toBe('# Next\n\nend');
  });

  test('white space alone is no chunk', () => {
    expect(cut(' \n\t\n ')).toEqual([]);
    expect(cut('')).toEqual([]);
  });

  test('a million characters without a space or a line end are cut, not inside a character', () => {
    const text = '😀'.repeat(500_000);
    const found = cut(text, 512, 64);
    expect(found.every((chunk) => chunk.text.isWellFormed() && chunk.text.length <= 2048)).toBe(true);
    expect(found.at(-1)?.endByte).toBe(2_000_000);
  });

  const piece = fc.oneof(
    fc.constantFrom('\n', '\n\n', '# ', '## ', '```', '===\n', '- ', '. ', ' ', '😀', 'é', '界', 'Wort', '|', '\t'),
    fc.string({ maxLength: 80 }),
  );
  const document = fc.array(piece, { maxLength: 200 }).map((parts) => parts.join('').toWellFormed());

  test('any text: slices of it by bytes, in order, within the limit, with only white space between', () => {
    fc.assert(
      fc.property(document, fc.integer({ min: 16, max: 200 }), fc.integer({ min: 0, max: 300 }), (text, size, over) => {
        const whole = bytes(text);
        const chunks = cut(text, size, over);
        let at = 0;
        for (const chunk of chunks) {
          expect(textOfBytes(whole.subarray(chunk.startByte, chunk.endByte))).toBe(chunk.text);
          expect(chunk.text.length).toBeLessThanOrEqual(size * CHARS_PER_TOKEN);
          expect(textOfBytes(whole.subarray(at, Math.max(at, chunk.startByte))).trim()).toBe('');
          expect(chunk.endByte).toBeGreaterThan(at);
          at = chunk.endByte;
        }
        expect(textOfBytes(whole.subarray(at)).trim()).toBe('');
        expect(cut(text, size, over)).toEqual(chunks);
      }),
      { numRuns: budgetFor(60, 300) },
    );
  });
});
