import { describe, expect, test } from 'vitest';
import type { AnswerSource } from '../../../src/models/port.ts';
import { createSentenceFinder } from '../../../src/visibility/citations/cited-sentences.ts';

/** What is said for the source at a place of the list, from 1. */
function sentencesOf(text: string, sources: readonly AnswerSource[], position = 1): readonly string[] {
  const source = sources[position - 1];
  return source === undefined ? [] : createSentenceFinder(text, sources)([{ position, source }]);
}

const url = 'https://a.example/';
const spanOf = (text: string, part: string): readonly [number, number] => {
  const from = text.indexOf(part);
  return [from, from + part.length];
};

describe('by stretches that the engine names', () => {
  test('the stretch is the link of the source: the sentence before it', () => {
    const text = 'Acme is quick. Beta is cheap for teams. ([a.example](https://a.example/?utm_source=openai)) More.';
    const span = spanOf(text, '([a.example](https://a.example/?utm_source=openai))');
    expect(sentencesOf(text, [{ url, spans: [span] }])).toEqual(['Beta is cheap for teams.']);
  });

  test('the stretch is the sentence itself', () => {
    const text = '- **Acme** is quick. It syncs with [Beta](https://b.example/).\n- Gamma';
    const span = spanOf(text, '**Acme** is quick.');
    expect(sentencesOf(text, [{ url, spans: [span] }])).toEqual(['Acme is quick.']);
    const other = spanOf(text, 'It syncs with [Beta](https://b.example/).');
    expect(sentencesOf(text, [{ url, spans: [other] }])).toEqual(['It syncs with Beta.']);
  });

  test('characters outside the basic plane and folded ones do not move it', () => {
    const text = '🙂🙂 Ünïcode ist groß. Acme ist ﬁne. Ende.';
    expect(sentencesOf(text, [{ url, spans: [spanOf(text, 'Acme ist ﬁne.')] }])).toEqual(['Acme ist ﬁne.']);
  });

  test.each([
    [[-1, 4]],
    [[4, 4]],
    [[9, 2]],
    [[1000, 1004]],
    [[0.5, 3]],
    [[Number.NaN, 3]],
    [[0, Number.POSITIVE_INFINITY]],
  ] as const)('%j is no stretch of the text', (span) => {
    expect(sentencesOf('Acme is quick.', [{ url, spans: [span] }])).toEqual([]);
  });

  test('the stretch is a marker: the sentence before it, whatever other marks are there', () => {
    const text = 'Acme is quick.[1][3] Beta is slow.[2][10]\nGamma [link](https://g.example/).[1]';
    const spans = (...parts: readonly string[]) => parts.map((part) => spanOf(text, part));
    expect(sentencesOf(text, [{ url, spans: spans('[1]') }])).toEqual(['Acme is quick.']);
    expect(sentencesOf(text, [{ url, spans: spans('[3]') }])).toEqual(['Acme is quick.']);
    const three = [
      { url },
      { url: 'https://b.example/', spans: spans('[2]', '[1][3]') },
      { url: 'https://c.example/' },
    ];
    expect(sentencesOf(text, three, 2)).toEqual(['Beta is slow.', 'Acme is quick.']);
    const last = text.lastIndexOf('[1]');
    expect(sentencesOf(text, [{ url, spans: [[last, last + 3]] }])).toEqual(['Gamma link.']);
  });

  test('marks without a space between them and the next sentence do not join sentences', () => {
    const text = 'Acme is quick.([a](https://a.example/)) Beta is slow.([b](https://b.example/)) End.';
    const first = spanOf(text, '([a](https://a.example/))');
    const second = spanOf(text, '([b](https://b.example/))');
    const both = [
      { url, spans: [first] },
      { url: 'https://b.example/', spans: [second, first, second] },
    ];
    expect(sentencesOf(text, both, 1)).toEqual(['Acme is quick.']);
    expect(sentencesOf(text, both, 2)).toEqual(['Beta is slow.', 'Acme is quick.']);
  });

  test('a long stretch without a word is read in bounds', () => {
    const text = `Acme${'-'.repeat(30_000)}`;
    const sources = Array.from({ length: 30 }, () => ({
      url,
      spans: Array.from({ length: 50 }, () => [0, text.length] as const),
    }));
    expect(sentencesOf(text, sources)).toEqual([]);
  });

  test('where stretches are named, markers are no markers', () => {
    const text = 'Acme is quick [2]. Beta is slow.';
    const sources = [{ url, spans: [spanOf(text, 'Beta is slow.')] }, { url: 'https://b.example/' }];
    expect(sentencesOf(text, sources, 2)).toEqual([]);
    expect(sentencesOf(text, sources, 1)).toEqual(['Beta is slow.']);
  });
});

describe('by markers that count the sources', () => {
  const two = [{ url }, { url: 'https://b.example/' }];

  test.each([
    ['Acme is quick[1]. Beta is slow[2].', ['Acme is quick.'], ['Beta is slow.']],
    ['Acme is quick.[1] Beta is slow.[2]', ['Acme is quick.'], ['Beta is slow.']],
    ['Acme is quick.[1][2]\nBeta is slow.', ['Acme is quick.'], ['Acme is quick.']],
    ['- Acme: quick [1] [2]\n- Beta', ['Acme: quick'], ['Acme: quick']],
    ['Acme is quick [1]. Beta is slow [1].', ['Acme is quick.', 'Beta is slow.'], []],
    ['速いです[1]。遅いです[2]。', ['速いです。'], ['遅いです。']],
    ['[1] Acme is quick.', [], []],
    ['See [1](https://a.example/). Read [2]: b', [], []],
    ['Acme is quick. Nothing is marked.', [], []],
    ['Acme is quick [1]. Of a list that was longer [3].', [], []],
    ['Acme is quick [0].', [], []],
  ])('%j', (text, first, second) => {
    expect(sentencesOf(text, two, 1)).toEqual(first);
    expect(sentencesOf(text, two, 2)).toEqual(second);
  });

  test('hostile text is one line without marks', () => {
    const text = 'Acme\u202E is ![x](javascript:alert`1`) **quick** <b>[1].';
    expect(sentencesOf(text, two)).toEqual(['Acme is x quick <b>.']);
  });

  test('a text of nothing but markers is read in bounds', () => {
    const text = '[1]'.repeat(20_000);
    expect(sentencesOf(text, two)).toEqual([]);
    expect(sentencesOf('Acme is quick [1]. '.repeat(3_000), two)).toEqual(['Acme is quick.']);
  });
});
