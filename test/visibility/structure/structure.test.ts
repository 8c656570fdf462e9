import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_ANSWER_BYTES } from '../../../src/models/port.ts';
import { type AnswerBlock, MAX_BLOCKS, parseStructure } from '../../../src/visibility/structure/structure.ts';
import { naughty } from '../../support/audit/hostile-text.ts';
import { budgetFor } from '../../support/runner/budget.ts';

const blocksOf = (markdown: string): readonly AnswerBlock[] => parseStructure(markdown).blocks;
const textsOf = (markdown: string): readonly string[] => blocksOf(markdown).map(({ text }) => text);
const headsOf = (markdown: string): readonly (string | undefined)[] => blocksOf(markdown).map(({ head }) => head);

describe('the text of a block is what a reader sees', () => {
  test.each([
    ['Use *Acme* or ~~Beta~~ __Gamma__ `Delta`.', 'Use Acme or Beta Gamma Delta.'],
    ['AT&amp;T and B&#38;Q', 'AT&T and B&Q'],
    [String.raw`Acme \*Plus\*`, 'Acme *Plus*'],
    ['Try [Acme](https://beta.example/gamma "Delta").', 'Try Acme.'],
    ['![Acme logo](acme.png) Beta', 'Beta'],
    ['See https://acme.example/a?b=c. Then go.', 'See. Then go.'],
    ['See <https://acme.example/a> now', 'See now'],
    ['At www.acme.example, or acme.example/pricing: dear', 'At, or: dear'],
    ['Ask acme.com or Booking.com', 'Ask acme.com or Booking.com'],
    ['Booking.com/Expedia and Node.js/Deno', 'Booking.com/Expedia and Node.js/Deno'],
    ['Acme is good[1][2], Beta too [^3] [4, 5].', 'Acme is good, Beta too.'],
    ['Acme is good【4†source】.', 'Acme is good.'],
    ['Acme is good.(1) Beta is dear. (2) Gamma (3) stays.', 'Acme is good. Beta is dear. Gamma (3) stays.'],
    ['Acme costs 20 ([acme.com](https://www.acme.com/x?utm=y)).', 'Acme costs 20.'],
    ['Acme\uE200cite\uE202turn0search1\uE201 leads.', 'Acme leads.'],
    ['[1](https://a.example) Acme', 'Acme'],
    ['[![a [b] c](https://a.example/i.png) Acme](https://a.example) leads', 'Acme leads'],
    ['[[[[[[Acme]]]]]] and [Beta](https://a.example)', '[[[[[[Acme]]]]]] and Beta'],
    ['Ac\u00ADme, Be\u200Bta, &shy;Gam&#8203;ma, De\u202Elta', 'Acme, Beta, Gamma, Delta'],
    ['Acme <span class="x">Beta</span><br>Gamma <b>Delta</b>', 'Acme Beta Gamma Delta'],
    ['Acme <!-- Beta --> Gamma', 'Acme Gamma'],
    ['Acme <script>Beta</script > Gamma <style>Delta</style>', 'Acme Gamma'],
    ['Acme <!-- Beta is not closed', 'Acme <!-- Beta is not closed'],
    ['a < b and c > d', 'a < b and c > d'],
    ['**小米：**性价比', '小米： 性价比'],
    ['two\nlines', 'two lines'],
    ['Café (https://acme.example/x) au lait', 'Café au lait'],
  ])('%j reads %j', (markdown, text) => {
    expect(textsOf(markdown)).toEqual([text]);
  });

  test.each([
    ['a fence', '```\nAcme\n```'],
    ['a fence that never ends', '~~~ text\nAcme\n```\nBeta'],
    ['indented code', '    Acme'],
    ['a comment over paragraphs', '<!-- Acme\n\n- Beta\n\n-->'],
    ['a script over paragraphs', '<script type="x">\nAcme\n\nBeta\n</script>'],
    ['a definition of a link', '[1]: https://acme.example "Acme"'],
    ['a rule', '---'],
    ['nothing', ' \n\t\n'],
    ['a link with nothing but an address', '[https://acme.example](https://acme.example)'],
  ])('%s is no text', (_what, markdown) => {
    expect(blocksOf(markdown)).toEqual([]);
  });

  test('what looks like a comment in a fence hides nothing after it', () => {
    expect(textsOf('```html\n<!-- open\n```\nAcme\n\n```\n-->\n```\nBeta')).toEqual(['Acme', 'Beta']);
  });

  test('an answer that is one fence of Markdown is read', () => {
    expect(headsOf('```markdown\n## Acme\n- **Beta** - b\n```')).toEqual(['Acme', 'Beta']);
  });
});

describe('the head of a block is the name at its front', () => {
  test.each([
    ['- **Acme** is good', 'Acme'],
    ['- **Acme:** good', 'Acme'],
    ['- **Acme – the best** of all', 'Acme'],
    ['- Acme - a help desk', 'Acme'],
    ['- Acme – a help desk', 'Acme'],
    ['- Acme — a help desk', 'Acme'],
    ['- Acme: a help desk', 'Acme'],
    ['- Acme : un outil', 'Acme'],
    ['- Acme', 'Acme'],
    ['- Acme (free for one)', 'Acme'],
    ['- [Acme](https://acme.example) is good', 'Acme'],
    ['- 🏆 **Acme** is good', 'Acme'],
    ['- **🥇 1. Acme** is good', 'Acme'],
    ['- **Best overall:** Acme - good', 'Acme'],
    ['- **Best overall:** **Acme** is good', 'Acme'],
    ['- **Best Overall: Acme** is good', 'Acme'],
    ['- Best for small teams: Acme, because', 'Acme'],
    ['- Best overall: **Acme** is good', 'Acme'],
    ['- **Für kleine Teams:** Acme (kostenlos)', 'Acme'],
    ['- **Best Buy** - a shop', 'Best Buy'],
    ['- **Pros:** cheap', 'Pros'],
    ['- **Best for:** small teams', 'Best for'],
    ['- T-Mobile: a network', 'T-Mobile'],
    ['- 1Password - keeps passwords', '1Password'],
    ['1️⃣ **Acme** is good', 'Acme'],
    ['• Acme - good', 'Acme'],
    ['# 1. Acme', 'Acme'],
    ['## #1 Acme', 'Acme'],
    ['### 🏆 Best overall: **Acme**', 'Acme'],
    ['#### 2) **Acme** (2024)', 'Acme'],
    ['### Acme – best for teams', 'Acme'],
    ['**Acme** is good', 'Acme'],
    ['**Winner: Acme**', 'Acme'],
    ['**1. Acme**', 'Acme'],
  ])('of %j it is %j', (markdown, head) => {
    expect(headsOf(markdown)).toEqual([head]);
  });

  test.each([
    ['Acme - a help desk'],
    ['We like **Acme** best'],
    ['- It works with every shop that you have ever opened'],
    ['- Acme is good.'],
    [`- **${'Acme '.repeat(13)}** is long`],
    [`- ${'Acme '.repeat(13)}: long`],
    ['> Acme: a help desk'],
  ])('%j has none', (markdown) => {
    expect(headsOf(markdown)).toEqual([undefined]);
  });

  test('of the rows of a table it is the first cell, and a header has none', () => {
    expect(
      blocksOf('| Tool | Price |\n|---|---|\n| **Acme** | $1<br>each |\n| [Beta](https://x.example) | a \\| b |'),
    ).toEqual([
      { kind: 'row', depth: 0, text: 'Tool | Price', head: undefined, bold: [], parent: undefined },
      { kind: 'row', depth: 0, text: 'Acme | $1 each', head: 'Acme', bold: ['Acme'], parent: undefined },
      { kind: 'row', depth: 0, text: 'Beta | a ¦ b', head: 'Beta', bold: [], parent: undefined },
    ]);
  });
});

describe('blocks stand under headings and items', () => {
  const shapeOf = (markdown: string): readonly unknown[] =>
    blocksOf(markdown).map(({ kind, depth, text, parent }) => [kind, depth, text, parent]);

  test('under the innermost heading, and headings under higher ones', () => {
    expect(shapeOf('# A\nb\n### C\nd\n## E\n> f')).toEqual([
      ['heading', 1, 'A', undefined],
      ['paragraph', 0, 'b', 0],
      ['heading', 3, 'C', 0],
      ['paragraph', 0, 'd', 2],
      ['heading', 2, 'E', 0],
      ['quote', 0, 'f', 4],
    ]);
  });

  test('under the item that holds them', () => {
    expect(shapeOf('1. a\n\n   b\n   - c\n     - d\n2. e')).toEqual([
      ['item', 0, 'a', undefined],
      ['paragraph', 0, 'b', 0],
      ['item', 1, 'c', 0],
      ['item', 2, 'd', 2],
      ['item', 0, 'e', undefined],
    ]);
  });

  test('bullets straight after a numbered item stand under it', () => {
    expect(shapeOf('1. a\n- b\n- c\n2. d\n- e')).toEqual([
      ['item', 0, 'a', undefined],
      ['item', 1, 'b', 0],
      ['item', 1, 'c', 0],
      ['item', 0, 'd', undefined],
      ['item', 1, 'e', 3],
    ]);
  });

  test('a bold line is a heading, a bold sentence is none', () => {
    expect(shapeOf('**A**\n\n- b\n\n**C is good.**')).toEqual([
      ['heading', 6, 'A', undefined],
      ['item', 0, 'b', 0],
      ['paragraph', 0, 'C is good.', 0],
    ]);
  });

  test('lines that begin with bold are blocks of their own', () => {
    expect(headsOf('**A** - one\n**B** - two\n**C** - three')).toEqual(['A', 'B', 'C']);
  });

  test('the bold parts of a block are kept in order', () => {
    expect(blocksOf('Take **A** or __B &amp; C__, not *D*.')[0]?.bold).toEqual(['A', 'B & C']);
  });
});

describe('hostile text', () => {
  const atoms = [
    '[',
    '*a ',
    '> ',
    '|',
    '- ',
    '`',
    '``` `\n',
    '![',
    '[](',
    '<!--',
    '<script ',
    '<a ',
    '**a',
    '&a;',
    '1. ',
    '\\',
    '(',
    'https://',
    '- a\n  ',
    '| a |\n|--|\n',
    '\u0301',
    '\uD800',
    '🏆',
    '【',
    '#\n',
    'a\n=\n',
  ];

  test.each(atoms)('32 kB of %j are read within the limits', (atom) => {
    const { blocks } = parseStructure(atom.repeat(MAX_ANSWER_BYTES / atom.length));
    expect(blocks.length).toBeLessThanOrEqual(MAX_BLOCKS);
    for (const { parent } of blocks) expect(parent ?? -1).toBeLessThan(blocks.length);
  });

  test('a table of more than 50 columns is text: a short row of it would be filled up to as many', () => {
    const table = (columns: number): string =>
      `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'|\n'.repeat(9)}| b |`;
    expect(blocksOf(table(49)).map(({ kind }) => kind)).toContain('row');
    expect(blocksOf(table(51)).map(({ kind }) => kind)).toEqual(['paragraph']);
  });

  test('no more than 2,000 blocks and 32 kB are read', () => {
    expect(blocksOf('- a\n'.repeat(3000))).toHaveLength(MAX_BLOCKS);
    expect(textsOf(`${' '.repeat(MAX_ANSWER_BYTES)}Acme`)).toEqual([]);
  });

  test('parents come before, texts have no markup of ours, and equal input gives equal blocks', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.constantFrom(...naughty),
      fc
        .array(fc.constantFrom(...atoms, '\n', '\n\n', 'Acme', ' ', ': ', '**', '|---|'), { maxLength: 40 })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (markdown) => {
        const blocks = blocksOf(markdown);
        expect(blocksOf(markdown)).toEqual(blocks);
        for (const [index, { parent, text: seen, head }] of blocks.entries()) {
          expect(parent ?? -1).toBeLessThan(index);
          expect(seen.trim()).not.toBe('');
          expect(seen).not.toMatch(/\n|\u200B/u);
          expect(head?.length ?? 1).toBeGreaterThan(0);
          expect(head?.length ?? 1).toBeLessThanOrEqual(60);
        }
      }),
      { numRuns: budgetFor(100, 500) },
    );
  });
});
