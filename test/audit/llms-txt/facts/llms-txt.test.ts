import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectLanguage } from '../../../../src/audit/language/language.ts';
import { LLMS_LIMITS, parseLlmsTxt } from '../../../../src/audit/llms-txt/facts/llms-txt.ts';
import { readDefinition, readLink } from '../../../../src/audit/llms-txt/facts/markdown-links.ts';

const parse = (body: string): ReturnType<typeof parseLlmsTxt> =>
  parseLlmsTxt(body, new TextEncoder().encode(body).length);
const linksOf = (body: string): unknown =>
  parse(`# A\n\n## S\n\n${body}`).links.map(({ name, href, note }) => [name, href, note]);

describe('list links', () => {
  test.each<[string, string, unknown]>([
    ['the form of version 1', '- [Name](/a): note', [['Name', '/a', 'note']]],
    ['a marker without a space, as version 1 parsers take it', '-[Name](/a): note', [['Name', '/a', 'note']]],
    [
      'star, plus and numbered markers',
      '* [A](/a)\n+ [B](/b)\n1. [C](/c)\n2) [D](/d)',
      [
        ['A', '/a', ''],
        ['B', '/b', ''],
        ['C', '/c', ''],
        ['D', '/d', ''],
      ],
    ],
    [
      'nested items',
      '- [A](/a)\n    - [B](/b): b',
      [
        ['A', '/a', ''],
        ['B', '/b', 'b'],
      ],
    ],
    ['a link in emphasis', '- **[A](/a)**: note', [['A', '/a', 'note']]],
    ['a dash before the note', '- [A](/a) — note', [['A', '/a', 'note']]],
    ['a note on the line below', '- [A](/a)\n  the note', [['A', '/a', 'the note']]],
    ['a title', '- [A](/a "the title"): note', [['A', '/a', 'note']]],
    ['parentheses in the target', '- [A](/wiki/Anvil_(game)): x', [['A', '/wiki/Anvil_(game)', 'x']]],
    ['a target in angle brackets', '- [A](</a b>): x', [['A', '/a b', 'x']]],
    ['brackets in the name', '- [A [beta]](/a)', [['A [beta]', '/a', '']]],
    ['escaped brackets in the name', '- [A \\] b](/a)', [['A ] b', '/a', '']]],
    ['a reference link', '- [A][ref]: x\n\n[REF]: /a "t"', [['A', '/a', 'x']]],
    [
      'a collapsed and a shortcut reference',
      '- [A][]\n- [A]\n\n[a]: /a',
      [
        ['A', '/a', ''],
        ['A', '/a', ''],
      ],
    ],
    ['an autolink', '- <https://a.example/x>: x', [['https://a.example/x', 'https://a.example/x', 'x']]],
    ['a task item', '- [x] [A](/a)', [['A', '/a', '']]],
    ['a reference without a definition is no link', '- [A][nowhere]', []],
    ['a link in prose is no list item', 'See [A](/a).', []],
    ['emphasis at the start of a line is no marker', '**[A](/a)**', []],
    ['an image is no link', '- ![A](/a.png)', []],
    ['a list in a code block is code', '```\n- [A](/a)\n```', []],
    ['a fence closes only with its own mark', '```\n~~~\n- [A](/a)\n```\n- [B](/b)', [['B', '/b', '']]],
    ['a target that never closes is no link', '- [A](/a', []],
  ])('%s', (_name, body, expected) => {
    expect(linksOf(body)).toEqual(expected);
  });

  test('belong to the H2 above them, also below an H3', () => {
    const { sections, links } = parse('# A\n- [0](/0)\n## One\n### Sub\n- [1](/1)\n## Two ##\n');
    expect(sections).toEqual([
      { title: 'One', line: 3, links: 1 },
      { title: 'Two', line: 6, links: 0 },
    ]);
    expect(links.map(({ section, line }) => [section, line])).toEqual([
      [null, 2],
      ['One', 5],
    ]);
  });
});

describe('the head of a file', () => {
  test.each<[string, string, object]>([
    ['an H1', '# A', { kind: 'h1', text: 'A', line: 1 }],
    ['blank lines before it', '\n\n  # A ##\n', { kind: 'h1', text: 'A', line: 3 }],
    ['a hash that closes nothing', '# C#', { kind: 'h1', text: 'C#', line: 1 }],
    ['front matter before it', '---\na: 1\n---\n# A', { kind: 'h1', text: 'A', line: 4 }],
    ['carriage returns', '\uFEFF# A\r\n\r\n> s\r\n', { kind: 'h1', text: 'A', line: 1 }],
    ['a hash without a space', '#A', { kind: 'text', text: '#A', line: 1 }],
    ['a rule that opens no front matter', '---\n# A', { kind: 'text', text: '---', line: 1 }],
    ['an indented hash is code', '    # A', { kind: 'text', text: '# A', line: 1 }],
  ])('%s', (_name, body, expected) => {
    expect(parse(body).firstBlock).toEqual(expected);
  });

  test('an empty file has no first block', () => {
    expect(parse(' \n\t\n').firstBlock).toBeUndefined();
  });
});

test('statistics count bytes, characters, tokens, headings, links and shares', () => {
  const body =
    '# Ä\n\n> The anvils of the site and how to lift them with your hands.\n\n## S\n- [A](/a.md): x\n- [B](/b)\n';
  expect(parse(body).statistics).toEqual({
    bytes: body.length + 1,
    chars: body.length,
    tokens: { estimate: Math.ceil(body.length / 4), method: 'characters / 4' },
    h2: 1,
    links: 2,
    describedShare: 0.5,
    markdownShare: 0.5,
    language: 'en',
  });
});

test.each([
  ['en', 'This is the guide to how you lift the anvils of our shop with your own hands.'],
  ['de', 'Das ist die Anleitung, wie man den Amboss mit den Händen hebt und nicht auf die Füße wirft.'],
  ['es', 'Esta es la guía de cómo se levanta el yunque con las manos y sin que caiga en los pies.'],
  ['fr', 'Voici le guide pour lever une enclume avec les mains et sans que les pieds soient dans la zone.'],
  ['ja', 'これは金床を持ち上げる方法の案内です。'],
  ['zh', '这是关于如何举起铁砧的指南。'],
  ['ru', 'Это руководство о том, как поднять наковальню.'],
  ['und', 'Anvil 1 2 3'],
  ['und', ''],
])('the language of a text is guessed as %s', (expected, text) => {
  expect(detectLanguage(text)).toBe(expected);
});

describe('any text', () => {
  const unit = fc.constantFrom(
    '#',
    '##',
    '-',
    '*',
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    ':',
    '"',
    '`',
    '~',
    '\n',
    '\r',
    ' ',
    '\t',
    '\\',
    '---',
    '\uFEFF',
    'a',
    'http://a/',
    '1.',
  );
  const markdown = fc.string({ unit, maxLength: 400 });

  test('never throws, and what it reports lies within the file', () => {
    fc.assert(
      fc.property(markdown, (body) => {
        const file = parse(body);
        const lines = body.split(/\r\n|\n|\r/u).length;
        for (const { line } of [...file.links, ...file.sections, ...file.h1s]) expect(line).toBeLessThanOrEqual(lines);
        expect(file.statistics.links).toBe(file.links.length);
        expect(file.sections.reduce((sum, section) => sum + section.links, 0)).toBeLessThanOrEqual(file.links.length);
      }),
    );
  });

  test('a link ends within its line, after it began', () => {
    fc.assert(
      fc.property(markdown, (line) => {
        const link = readLink(line, 0, new Map([['a', '/a']]));
        if (link) expect(link.end).toBeGreaterThan(0);
        if (link) expect(link.end).toBeLessThanOrEqual(line.length);
        expect(readDefinition(line)?.href).not.toBe('');
      }),
    );
  });

  test.each(['[', '- [a](', '# ', '- [a](/a)\n', '`', '\n', '[a]: /b\n', '> '])(
    '%j a million times is bounded',
    (unitText) => {
      const file = parse(unitText.repeat(Math.ceil(1_000_000 / unitText.length)));
      expect(file.links.length).toBeLessThanOrEqual(LLMS_LIMITS.links);
      expect(file.sections.length).toBeLessThanOrEqual(LLMS_LIMITS.sections);
    },
  );
});
