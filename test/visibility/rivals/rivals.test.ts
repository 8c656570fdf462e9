import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DiscoveredRival, findNames, findRivals } from '../../../src/visibility/rivals/rivals.ts';
import { parseStructure } from '../../../src/visibility/structure/structure.ts';
import { naughty } from '../../support/audit/hostile-text.ts';
import { budgetFor } from '../../support/runner/budget.ts';

const nobody = (): boolean => false;
const rivalsIn = (...answers: readonly string[]): readonly DiscoveredRival[] =>
  findRivals(answers.map(parseStructure), nobody);
const namesIn = (...answers: readonly string[]): readonly string[] =>
  rivalsIn(...answers)
    .map(({ name }) => name)
    .toSorted();

describe('names stand where answers put options', () => {
  test.each([
    ['bold items', '1. **Zendesk** - big\n2. **Kayako** - old', ['Kayako', 'Zendesk']],
    ['plain items', '- Zendesk: big\n- Kayako: old', ['Kayako', 'Zendesk']],
    ['headings', '### 1. Zendesk\nIt is big.\n\n### 2. Kayako\nIt is old.', ['Kayako', 'Zendesk']],
    ['bold lines', '**Zendesk**\n\nIt is big.\n\n**Kayako**\n\nIt is old.', ['Kayako', 'Zendesk']],
    ['labels', '- **Best overall:** Zendesk\n- **For teams:** Kayako (cheap)', ['Kayako', 'Zendesk']],
    ['rows of options', '| Tool | Price |\n|---|---|\n| Zendesk | $9 |\n| Kayako | $8 |', ['Kayako', 'Zendesk']],
    [
      'a column of options',
      '| Need | Pick |\n|---|---|\n| Small teams | Zendesk |\n| Shops | Kayako |',
      ['Kayako', 'Zendesk'],
    ],
    [
      'the header of a comparison',
      '| Feature | Zendesk | Kayako |\n|---|---|---|\n| Ease of use | good | fair |',
      ['Kayako', 'Zendesk'],
    ],
    ['a heading that compares', '### Zendesk vs. Kayako\nBoth are fine.', ['Kayako', 'Zendesk']],
    [
      'prose with "such as"',
      'Look at tools such as Zendesk, Kayako and Help Scout.',
      ['Help Scout', 'Kayako', 'Zendesk'],
    ],
    ['prose that recommends', 'For a start I would recommend Zendesk to you.', ['Zendesk']],
    ['a list in prose', 'Zendesk, Kayako, and iDesk all have free plans.', ['Kayako', 'Zendesk', 'iDesk']],
    ['German', 'Ich empfehle Lexware, sevDesk oder WISO.', ['Lexware', 'WISO', 'sevDesk']],
    ['French', 'Je recommande Pennylane, Qonto ou Tiime.', ['Pennylane', 'Qonto', 'Tiime']],
    [
      'names with marks',
      '- **1Password** - a\n- **AT&T** - b\n- **monday.com** - c',
      ['1Password', 'AT&T', 'monday.com'],
    ],
    ['links', '- [Zendesk](https://zendesk.example) is big', ['Zendesk']],
  ])('%s', (_where, answer, names) => {
    expect(namesIn(answer)).toEqual([...names].toSorted());
  });
});

describe('what is no name', () => {
  test.each([
    [
      'common heads',
      '## Comparison\n- **Pricing:** fair\n- **Ease of use:** good\n- **USB-C**\n- **Key features**\n## Verdict',
    ],
    ['German heads', '## Vergleich\n- **Preis:** gut\n- **Datenschutz:** gut\n## Fazit'],
    ['French heads', '## Comparatif\n- **Prix :** bas\n- **Prise en main :** simple\n## Conclusion'],
    ['Spanish heads', '## Comparativa\n- **Precio:** bajo\n- **Facilidad de uso:** alta\n## Conclusión'],
    ['questions and sentences', '## How to Choose?\n- **Which One Is Best?**\n- **Start with a free trial.** Then go.'],
    ['prices and dates', '- **$25/month**: dear\n- **2024**: old\n- **24/7**: always'],
    ['small heads', '- **shared inbox**: good\n- **reporting** - fine'],
    ['long heads', '- **Customer Relations Made Really Very Easy For Everyone**: good'],
    ['text that nobody reads', '```\n- Zendesk\n```\n<!-- Kayako -->\nSee https://gorgias.example/x'],
    ['a refusal', 'I do not have current data on this market. Please check recent reviews.'],
  ])('%s', (_what, answer) => {
    expect(namesIn(answer)).toEqual([]);
  });

  test('a head that the answers also write small is none', () => {
    expect(namesIn('- **Lightweight**: good\n- **Zendesk** - big', 'Take a lightweight one.')).toEqual(['Zendesk']);
  });

  test('a head that returns four times in one answer is a label', () => {
    const four = '- **Verdor:** x\n\nText.\n\n'.repeat(4);
    expect(namesIn(four)).toEqual([]);
    expect(namesIn('- **Verdor:** x\n\nText.\n\n'.repeat(3))).toEqual(['Verdor']);
  });

  test('bullets under a product are its details', () => {
    expect(namesIn('1. **Zendesk** - big\n   - **Omnichannel Inbox**: yes\n   - **Answer Bot**: yes')).toEqual([
      'Zendesk',
    ]);
  });

  test('a name of ordinary words is one among names, and a capitalised feature is none among features', () => {
    const names = '- **Pipedrive** - a\n- **Close** - b\n- **Zendesk** - c\n\nDeals close, and close again.';
    const features = '- **Offline mode:** a\n- **Verdoria:** b\n- **Dark theme:** c\n- **Shared views:** d';
    expect(namesIn(names)).toEqual(['Close', 'Pipedrive', 'Zendesk']);
    expect(namesIn(features)).toEqual([]);
  });

  test.each([
    ['a name written small', '- **sevdesk** - a'],
    ['ordinary words', '- **Home Chef** - a'],
  ])('%s is believed when two answers have it', (_what, answer) => {
    const context = 'You cook at home like a chef.';
    expect(namesIn(answer, context)).toEqual([]);
    expect(namesIn(answer, answer, context)).toHaveLength(1);
  });

  test('places, languages and abbreviations inside sentences are none', () => {
    expect(namesIn('It was made in Germany with Python for the API, and is loved by British teams.')).toEqual([]);
  });

  test('German nouns in a list are none', () => {
    expect(namesIn('Das Programm bietet Rechnungen, Zeiterfassung und Projektverwaltung für die Buchhaltung.')).toEqual(
      [],
    );
  });

  test('bullets under a kind of thing are options', () => {
    const grouped = '### Suites\n- **Zendesk** - big\n- **Kayako** - old';
    expect(namesIn(grouped, '- **Zendesk** - big\n- **Kayako** - old')).toEqual(
      expect.arrayContaining(['Kayako', 'Zendesk']),
    );
  });
});

describe('products go to their brand', () => {
  test('that different heads share', () => {
    expect(namesIn('- **Sony WH-1000XM5** - a\n- **Sony LinkBuds S** - b')).toEqual(['Sony']);
  });

  test('that stands alone elsewhere', () => {
    expect(namesIn('- **Sennheiser Momentum 4** - a', 'I also like what Sennheiser does.')).toEqual(['Sennheiser']);
  });

  test('but not to a word that different brands share', () => {
    expect(namesIn('- **American Express** - a\n- **American Airlines** - b')).toEqual([
      'American Airlines',
      'American Express',
    ]);
  });

  test.each([
    ['Beta Corp', ['Beta Corp', 'Beta Corp', 'Beta Corp']],
    ['Beta Corp', ['Beta Corp', 'Beta', 'Beta Corp']],
    ['Beta', ['Beta', 'Beta Corp', 'Beta']],
    ['Beta', ['Beta', 'Beta', 'Beta']],
  ])('and a legal form is one rival, %s, as most answers write it: %j', (name, written) => {
    const answers = written.map((one) => `1. **${one}** - big\n2. **Kayako** - old\n\nI would start with ${one}.`);
    expect(rivalsIn(...answers).map((one) => [one.name, one.mentionedIn.length])).toEqual(
      expect.arrayContaining([[name, 3]]),
    );
    expect(rivalsIn(...answers)).toHaveLength(2);
  });

  test('and spellings of one name are one rival, the most frequent form first', () => {
    const [rival, ...others] = rivalsIn(
      '- **HelpScout** - a',
      '- **Help Scout** - a\n\nHelp Scout is old.',
      'Unlike Help Scout.',
    );
    expect(others).toEqual([]);
    expect(rival?.forms).toEqual(['Help Scout', 'HelpScout']);
    expect(rival?.mentionedIn).toEqual([0, 1, 2]);
  });
});

describe('where a rival was found', () => {
  const answers = [
    'Hello.\n\n- **Zendesk** - big',
    'Few people know it. Zendesk is good. It is big.',
    '### Avoid these\n- **Zendesk** - dear',
    'Nothing here.',
  ] as const;

  test('the answers, blocks and sentences that name it', () => {
    expect(rivalsIn(...answers)).toEqual([
      {
        name: 'Zendesk',
        forms: ['Zendesk'],
        isOrdinary: false,
        mentionedIn: [0, 1, 2],
        recommendedIn: [0],
        firstBlocks: [1, 0, 1],
        quotes: ['Zendesk - big', 'Zendesk is good.', 'Zendesk - dear'],
      },
    ]);
  });

  test('a quote is a literal part of the answer, holds the name and has at most 240 characters', () => {
    const long = `${'so it goes on '.repeat(40)}with Zendesk and ${'so it goes on '.repeat(40)}`;
    expect(
      rivalsIn('Für Überblick: Yahoo! mail and **Zendesk** work. More.', '- **Zendesk** - big')[0]?.quotes[0],
    ).toBe('Für Überblick: Yahoo! mail and Zendesk work.');
    const quotes = rivalsIn(long, '- **Zendesk** - big').flatMap((rival) => rival.quotes);
    expect(quotes).toHaveLength(2);
    expect(quotes[0]?.length).toBeLessThanOrEqual(240);
    expect(quotes[0]).toContain('Zendesk');
    expect(quotes[0]).toMatch(/^….*…$/u);
    expect(long).toContain(quotes[0]?.slice(1, -1));
  });

  test('a column of a comparison does not recommend, a row of options does', () => {
    const header = '| Feature | Zendesk | Kayako |\n|---|---|---|\n| Price | 1 | 2 |';
    const rows = '| Tool | Price |\n|---|---|\n| Zendesk | 1 |';
    expect(rivalsIn(header, rows)[0]).toMatchObject({ name: 'Zendesk', mentionedIn: [0, 1], recommendedIn: [1] });
  });

  test('whom the caller excludes is left out with the products that begin with the name', () => {
    const found = findRivals(
      ['- **Zendesk Sell** - a\n- **Zendesk** - b\n- **Kayako** - c'].map(parseStructure),
      (name) => name === 'Zendesk',
    );
    expect(found.map(({ name }) => name)).toEqual(['Kayako']);
  });
});

describe('which rivals are listed', () => {
  const once = '- **Kayako** - a';
  const filler = 'Nothing here.';

  test('in a run of 10 answers those of at least 2, in a smaller run all', () => {
    expect(namesIn(once, ...Array.from({ length: 8 }, () => filler))).toEqual(['Kayako']);
    expect(namesIn(once, ...Array.from({ length: 9 }, () => filler))).toEqual([]);
    expect(namesIn(once, once, ...Array.from({ length: 8 }, () => filler))).toEqual(['Kayako']);
  });

  test('by answers, then by answers that recommend, then by name', () => {
    const found = rivalsIn(
      'Tools such as Alpaco, Bertini and Corvino.',
      '- **Corvino** - a\n- **Bertini** - b',
      'Tools such as Alpaco and Zumba.\n\n- **Bertini** - a',
    );
    expect(found.map(({ name }) => name)).toEqual(['Bertini', 'Corvino', 'Alpaco', 'Zumba']);
  });

  test('at most 50', () => {
    const letters = 'bdfgklmnprstvz'.split('');
    const names = letters.flatMap((a) => letters.map((b) => `${a.toUpperCase()}o${b}axi`));
    expect(rivalsIn(names.map((name) => `- **${name}** - x`).join('\n'))).toHaveLength(50);
  });

  test('none where there are no answers', () => {
    expect(rivalsIn()).toEqual([]);
  });
});

describe('criteria, programmes and credentials are no names', () => {
  test.each([
    ['explained criteria', 'What matters:\n\n- **Guest Access** - who may see what\n- **Page Trees** - start quickly'],
    ['criteria under a heading', '## Factors\n- **Guest Access** - who may see\n- **Page Trees** - start quickly'],
    ['credentials', '1. **Dr. Jane Miller, DDS** - implants'],
    ['programmes', '- **Cash Back** - no fee\n- **Miles** - travel\n- **Medicaid** - covered'],
    ['review sites', 'Check **Google Reviews** first.'],
  ])('%s', (_what, answer) => {
    expect(namesIn(answer, answer).filter((name) => !name.includes('Jane'))).toEqual([]);
  });

  test('options that a lead-in announces are names, also where it says "consider"', () => {
    expect(namesIn('Options to consider:\n\n- **Zendesk** - big\n- **Kayako** - old')).toEqual(['Kayako', 'Zendesk']);
  });

  test('a bracket that is not closed is left out', () => {
    expect(namesIn('1. **三井住友カード(NL)** - a\n2. **エポスカード** - b')).toEqual([
      'エポスカード',
      '三井住友カード',
    ]);
  });
});

describe('running text without capitals that tell', () => {
  const german = 'Die ING ist für die meisten am besten. Auch die DKB und die Commerzbank sind kostenlos.';
  const nouns = 'Die Kreditkarte ist gut, und bei der Filiale hilft die Beratung mit dem Konto.';

  test('German names behind an article count from three answers on', () => {
    expect(namesIn(german, german, german)).toEqual(['Commerzbank', 'DKB', 'ING']);
    expect(namesIn(german, german)).not.toContain('Commerzbank');
  });

  test('German nouns do not, and neither does what also stands behind "eine"', () => {
    expect(namesIn(nouns, nouns, nouns)).toEqual([]);
    const plonk = 'Die Plonke ist gut und für die Familie.';
    expect(namesIn(plonk, plonk, plonk)).toEqual(['Plonke']);
    expect(namesIn(plonk, plonk, `${plonk} Nimm eine Plonke.`)).toEqual([]);
  });

  test.each([
    ['推荐：三星、华为、OPPO、vivo 和小米。三星屏幕好。', ['OPPO', 'vivo', '三星', '华为', '小米']],
    ['价格、质量和服务都很重要。', []],
  ])('an announced list in %s', (answer, names) => {
    expect(namesIn(answer, answer)).toEqual(names);
  });

  test.each([
    ['German prose', [german, german, '- **ING** - gut'], true],
    ['Chinese prose', ['我会选择一加。'], true],
    ['a German list', ['- **ING** - die Bank und mit der App', 'Das ist alles und gut für dich.'], false],
    ['English prose', ['I would take Zendesk for this and the rest.'], false],
  ])('%s: names may be under-read is %j', (_what, answers, isUnderRead) => {
    expect(findNames(answers.map(parseStructure), nobody, [])).toMatchObject({ isUnderRead });
  });
});

describe('the measured names', () => {
  const foundIn = (measured: string, answers: readonly string[]): readonly string[] =>
    findNames(answers.map(parseStructure), (name) => name === measured, [measured]).rivals.map(({ name }) => name);

  test('a piece of one that never stands alone is no rival', () => {
    const answer = '- **Pizzeria Bianco** - a\n- **Pizzeria Virtù** - b\n- **Pomo Pizzeria** - c';
    expect(foundIn('Pizzeria Bianco', [answer, answer])).toEqual(['Pizzeria Virtù', 'Pomo Pizzeria']);
  });

  test('one that does counts where it stands alone', () => {
    const answers = ['- **Zoho CRM** - a', '- **Zoho CRM** - a', '- **Zoho** - a'].map(parseStructure);
    expect(findNames(answers, (name) => name === 'Zoho CRM', ['Zoho CRM']).rivals).toMatchObject([
      { name: 'Zoho', mentionedIn: [2] },
    ]);
  });
});

describe('names beyond the rivals', () => {
  const filler = Array.from({ length: 9 }, () => 'Nothing here.');

  test('a head of one answer is no rival of a large run, but a name', () => {
    expect(findNames(['- **Kayako** - a', ...filler].map(parseStructure), nobody, [])).toMatchObject({
      rivals: [],
      further: { names: 1, perAnswer: [[0], [], [], [], [], [], [], [], [], []] },
    });
  });

  test('what stands once inside a sentence is not sure enough', () => {
    expect(findNames(['I would recommend Kayako.', ...filler].map(parseStructure), nobody, []).further.names).toBe(0);
  });
});

describe('hostile text', () => {
  const atoms = [
    'Acme, ',
    '**A** ',
    '- **Ab** - x\n',
    '| Ab | C |\n|--|--|\n',
    'Ab Cd ',
    'A.B.',
    'a',
    '小米',
    '# Ab vs Cd\n',
    'Ab & ',
    "Ab's ",
    'Ab/',
  ];

  test.each(atoms)('an answer of 32 kB of %j is read', (atom) => {
    const text = atom.repeat(32_768 / atom.length);
    for (const { quotes } of rivalsIn(text, text))
      for (const quote of quotes) expect(quote.length).toBeLessThanOrEqual(240);
  });

  test('quotes are literal, positions ascend, and equal input gives equal rivals', () => {
    const part = fc.constantFrom(
      ...atoms,
      ...naughty,
      '\n\n',
      'such as ',
      'Zendesk',
      'zendesk',
      'iDesk',
      ' and ',
      '. ',
      '### ',
    );
    const answer = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(answer, { maxLength: 4 }), (answers) => {
        const structures = answers.map(parseStructure);
        const found = findRivals(structures, nobody);
        expect(findRivals(structures, nobody)).toEqual(found);
        for (const rival of found) {
          expect(rival.mentionedIn).toEqual([...new Set(rival.mentionedIn)].toSorted((a, b) => a - b));
          expect(rival.mentionedIn).toEqual(expect.arrayContaining([...rival.recommendedIn]));
          for (const [at, position] of rival.mentionedIn.entries()) {
            const block = structures[position]?.blocks[rival.firstBlocks[at] ?? -1];
            expect(block?.text).toContain(rival.quotes[at]?.replaceAll(/^…|…$/gu, ''));
          }
        }
      }),
      { numRuns: budgetFor(60, 300) },
    );
  });
});
