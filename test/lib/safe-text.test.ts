import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLink } from '../../src/audit/llms-txt/facts/markdown-links.ts';
import {
  formatCodeCell,
  formatCodeSpan,
  fenceCodeBlock,
  escapeHtml,
  formatJsonForHtml,
  escapeMarkdownText,
  formatPlainBlock,
  formatPlainLine,
  escapeXml,
} from '../../src/lib/safe-text.ts';
import { naughty, tagged, UNSEEN } from '../support/audit/hostile-text.ts';
import { budgetFor } from '../support/runner/budget.ts';

/** Text of any kind, rich in what formats react to. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom(...naughty),
  fc.string({
    unit: fc.constantFrom(
      ...'`~[]()<>#*_-+=|\\&:/!"\'1. \n\ta'.split(''),
      '\u202E',
      '\u200B',
      '\u0000',
      '\u001B',
      '\uD800',
    ),
    maxLength: 60,
  }),
);

const property = (check: (text: string) => void): void => {
  fc.assert(
    fc.property(anyText, (text) => {
      check(text);
    }),
    { numRuns: budgetFor(200, 1_000) },
  );
  for (const text of naughty) check(text);
};

const runs = (text: string): readonly number[] => [...text.matchAll(/`+/gu)].map(([run]) => run.length);

describe('plainLine', () => {
  test.each([
    ['  two\n\nlines\tand  spaces ', 40, 'two lines and spaces'],
    ['Ac\u200Bme\u00AD \u202Efdp\u202C', 40, 'Acme fdp'],
    [`Acme${tagged('obey me')}`, 40, 'Acme'],
    ['\u001B[31mred\u0000', 40, '[31mred'],
    ['a\u2028b\u0085c', 40, 'a b c'],
    ['\uD800x\uFFFE', 40, 'x'],
    ['Café 東京 🚀', 40, 'Café 東京 🚀'],
    ['one two three four', 14, 'one two three…'],
    ['abcdefghijkl', 5, 'abcd…'],
    ['ab🚀🚀', 4, 'ab…'],
    ['anything', 0, ''],
    [`e${'\u0301'.repeat(9)}`, 40, `e${'\u0301'.repeat(4)}`],
  ])('%j cut at %d is %j', (text, maxChars, expected) => {
    expect(formatPlainLine(text, maxChars)).toBe(expected);
  });

  test('any text becomes one line within its bound, without unseen characters, and stays so when it is read again', () => {
    property((text) => {
      const line = formatPlainLine(text, 60);
      expect(line.length).toBeLessThanOrEqual(60);
      expect(line).not.toMatch(UNSEEN);
      expect(line).not.toMatch(/[\n\t]/u);
      expect(formatPlainLine(line, 60)).toBe(line);
    });
  });
});

describe('plainBlock', () => {
  test('keeps lines and tabs and drops what is not seen', () => {
    expect(formatPlainBlock('a\r\n\tb\rc\u0000\u202E\u2028d')).toBe('a\n\tb\nc\nd');
  });
});

describe('markdownText', () => {
  test.each([
    ['[x](y)', String.raw`\[x\](y)`],
    ['# not a heading', String.raw`\# not a heading`],
    ['- no item', String.raw`\- no item`],
    ['12) no item', String.raw`12\) no item`],
    ['well-known + more', 'well-known + more'],
    ['a_b *c* `d` <e> f|g ~h &amp;', String.raw`a\_b \*c\* \`d\` \<e\> f\|g \~h \&amp;`],
    ['https://evil.example/', String.raw`https\://evil.example/`],
    ['WWW.evil.example', String.raw`WWW\.evil.example`],
    ['me@evil.example', String.raw`me\@evil.example`],
    [String.raw`\](https://e/)`, String.raw`\\\](https\://e/)`],
  ])('%j is written %j', (text, expected) => {
    expect(escapeMarkdownText(text, 100)).toBe(expected);
  });

  test('any text reads back as its plain line when the escapes are taken away, and no special character is bare', () => {
    property((text) => {
      const written = escapeMarkdownText(text, 80);
      expect(written.replaceAll(/\\([!-/:-@[-`{-~])/gu, '$1')).toBe(formatPlainLine(text, 80));
      expect(written.replaceAll(/\\[!-/:-@[-`{-~]/gu, 'x')).not.toMatch(
        /[\\`*_[\]<>#|~&@]|:\/\/|www\.|^[-+=]|^\d{1,9}[.)]/u,
      );
    });
  });

  test('any text as the name of a link leaves the link with its own target', () => {
    property((text) => {
      const written = `[${escapeMarkdownText(text, 80)}](https://acme.example/a): note`;
      const link = readLink(written, 0, new Map());
      expect(link?.href).toBe('https://acme.example/a');
      expect(link?.end).toBe(written.length - ': note'.length);
    });
  });
});

describe('codeSpan', () => {
  test.each([
    ['x', '`x`'],
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    ['', '`  `'],
    ['two\nlines', '`two lines`'],
  ])('%j is written %j', (text, expected) => {
    expect(formatCodeSpan(text)).toBe(expected);
  });

  test('no run of backticks inside is as long as the fence', () => {
    property((text) => {
      const written = formatCodeSpan(text);
      const [fence = 0, ...others] = runs(written);
      expect(others.at(-1)).toBe(fence);
      expect(others.slice(0, -1).every((run) => run < fence)).toBe(true);
      expect(written).not.toContain('\n');
    });
  });

  test('a table cell has no bar', () => {
    property((text) => {
      expect(formatCodeCell(text)).not.toContain('|');
    });
    expect(formatCodeCell('a|b')).toBe('`a¦b`');
  });
});

describe('fenced', () => {
  test.each([
    ['a\nb', 'txt', '```txt\na\nb\n```'],
    ['a\n', '', '```\na\n```'],
    ['```\nx\n```', 'md', '````md\n```\nx\n```\n````'],
    ['x', 'js`\nevil', '```jsevil\nx\n```'],
  ])('%j in %j is written %j', (text, language, expected) => {
    expect(fenceCodeBlock(text, language)).toBe(expected);
  });

  test('no line inside any text closes the fence', () => {
    property((text) => {
      const lines = fenceCodeBlock(text, 'txt').split('\n');
      const fence = lines.at(-1) ?? '';
      expect(fence).toMatch(/^`{3,}$/u);
      expect(lines[0]).toBe(`${fence}txt`);
      const inside = lines.slice(1, -1);
      expect(inside.some((line) => line.includes(fence))).toBe(false);
      expect(inside.join('\n')).not.toMatch(UNSEEN);
    });
  });
});

describe('jsonForHtml', () => {
  test('X3: no text ends the script element it stands in, and every value reads back as it was', () => {
    property((text) => {
      const written = formatJsonForHtml({ [text]: [text] });
      expect(written).not.toContain('<');
      expect(written).not.toMatch(UNSEEN);
      expect(JSON.parse(written)).toEqual({ [text]: [text] });
    });
  });

  test('undefined is null', () => {
    expect(formatJsonForHtml(undefined)).toBe('null');
  });
});

describe('htmlText and xmlText', () => {
  const entities: Readonly<Record<string, string>> = {
    '&amp;': '&',
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
    '&apos;': "'",
  };

  test.each([
    ['htmlText', escapeHtml],
    ['xmlText', escapeXml],
  ])('X7: %s leaves no markup, no bare ampersand and no character outside XML 1.0, and reads back', (_, write) => {
    property((text) => {
      const written = write(text);
      expect(written).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|apos|#39);)/u);
      expect(written).toMatch(/^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u);
      expect(written.replaceAll(/&[a-z#\d]{2,4};/gu, (entity) => entities[entity] ?? '?')).toBe(formatPlainBlock(text));
    });
  });
});

describe('a line', () => {
  test.each([
    ['  two\n\nlines\tand  spaces ', 'two lines and spaces'],
    ['Ac\u200Bme\u00AD \u202Efdp\u202C', 'Acme fdp'],
    ['a\u2028b\u0085c\u0000', 'a b c'],
    ['\uD800x', 'x'],
    ['Café 東京 🚀', 'Café 東京 🚀'],
    ['', ''],
  ])('%j reads %j', (text, expected) => {
    expect(formatPlainLine(text, 240)).toBe(expected);
  });

  test.each([
    ['abcdefghij', 5, 'abcd…'],
    ['abcde', 5, 'abcde'],
    ['abc🚀de', 5, 'abc…'],
  ])('%j cut at %d is %j', (text, maxChars, expected) => {
    expect(formatPlainLine(text, maxChars)).toBe(expected);
  });
});
