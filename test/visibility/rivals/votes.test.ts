import { describe, expect, test } from 'vitest';
import { findRivals } from '../../../src/visibility/rivals/rivals.ts';
import { parseStructure } from '../../../src/visibility/structure/structure.ts';

const knowsNone = (): boolean => false;
const namesIn = (...answers: readonly string[]): readonly string[] =>
  findRivals(answers.map(parseStructure), knowsNone)
    .map(({ name }) => name)
    .toSorted();

const others = [
  '1. **Zendril** - gut\n2. **Kayako** - alt\n3. **Mollwitz** - neu',
  '1. **Kayako** - gut\n2. **Zendril** - alt\n3. **Mollwitz** - neu',
];

describe('answers of a run vote', () => {
  test('bold labels that no other answer has are none', () => {
    const labels = '**Barrierefreiheit:** mit Aufzug.\n\n**Parken:** im Hof.\n\n**Steigerungssatz:** bis 3,5.';
    expect(namesIn(...others, labels)).toEqual(['Kayako', 'Mollwitz', 'Zendril']);
  });

  test('a list that ends with rare names has names: a brand that most answers name is among them', () => {
    expect(namesIn(...others, '- Zendril\n- Ostrava\n- Pellow\n- Quintal')).toContain('Quintal');
  });

  test('names that are written as nothing else are names, even if no other answer has them', () => {
    expect(namesIn(...others, '- Edifier W820NB\n- Hushwell Mini\n- EarFun Pro')).toContain('Hushwell Mini');
  });

  test('a title of a section is none, unless it has a number or another answer knows it', () => {
    expect(namesIn(...others, '## Ostrava\n\nSehr schön.\n\n## Zendril\n\nAuch gut.')).not.toContain('Ostrava');
    expect(namesIn(...others, '## 1. Ostrava\n\nSehr schön.\n\n## 2. Zendril\n\nAuch gut.')).toContain('Ostrava');
  });

  test('a title that two answers share is none', () => {
    const titled = '## Ostrava\n\nSehr schön.';
    expect(namesIn(...others, titled, titled)).not.toContain('Ostrava');
    expect(namesIn(...others, titled, '- **Ostrava**: gut')).toContain('Ostrava');
  });

  test('heads that begin in katakana are names, even if no other answer has them', () => {
    const known = '- **ナッシュ**：安い\n- **ワタミ**：便利\n- **ヨシケイ**：早い';
    const rare =
      '- **マッスル食堂**：高たんぱく\n- **つるかめ**：減塩\n- **ライフデリ**：手渡し\n- **シェフボックス**：高い';
    expect(namesIn(known, known, rare)).toContain('ライフデリ');
  });

  test('a name inside a cell is one where it heads something, too', () => {
    const table = '| Modell | Preis |\n|---|---|\n| Zendril | 9 € con Ostrava Plus |\n| Kayako | 8 € |';
    expect(namesIn(...others, table)).not.toContain('Ostrava Plus');
    expect(namesIn(...others, table, '- **Ostrava Plus**: gut')).toContain('Ostrava Plus');
  });

  test('two answers do not vote', () => {
    expect(namesIn('1. **Zendril** - gut', '- **Ostrava** - neu\n- **Pellow** - alt\n- **Quintal** - nah')).toContain(
      'Pellow',
    );
  });

  test('the columns of a table of options are none', () => {
    const table =
      '| Clube | Quantidade | Perfil |\n|---|---|---|\n| Zendril | 200 g | Torra |\n| Kayako | 300 g | Clara |';
    expect(namesIn(...others, table)).toEqual(['Kayako', 'Mollwitz', 'Zendril']);
  });

  test('values below a label of which no other answer knows one are none', () => {
    const detailed = '1. **Zendril**\n   - Area: Otley, Alwoodley, Hunslet\n2. **Kayako**\n   - Area: Adel, Horsforth';
    expect(namesIn(...others, detailed)).toEqual(['Kayako', 'Mollwitz', 'Zendril']);
  });
});

describe('a name is whole', () => {
  test('small words join its parts, and not those of another brand', () => {
    expect(
      namesIn('- Serrana do Bule: boa\n- Zendril: nova', 'A Serrana do Bule torra bem e a Zendril também.'),
    ).toEqual(['Serrana do Bule', 'Zendril']);
    expect(namesIn('- Cecotec: barato\n- Roborock: bueno', 'Prefiero la Conga de Cecotec.')).toContain('Cecotec');
  });

  test('with and without what kind of business it is', () => {
    expect(namesIn('- Boulangerie Jocteur : bien\n- Zendril : cher', 'Je vais chez Jocteur et chez Zendril.')).toEqual([
      'Boulangerie Jocteur',
      'Zendril',
    ]);
  });

  test('with an abbreviation inside, and with the halves of a pair', () => {
    expect(namesIn('- Praxis Dr. Krohn: gut\n- Zendril: neu')).toEqual(['Praxis Dr. Krohn', 'Zendril']);
    expect(namesIn('- Riese & Müller: goed', '- Riese & Mueller: duur', '- Riese & Müller: snel')).toHaveLength(1);
    expect(namesIn("1. **O'Dowell & Sons** - fair\n2. **Zendril** - good")).toEqual(["O'Dowell & Sons", 'Zendril']);
  });

  test('a place at its front is no brand', () => {
    expect(namesIn('- Sicily by Car: economico\n- Zendril: caro')).toEqual(['Sicily by Car', 'Zendril']);
  });
});

describe('Japanese names', () => {
  const inns = [
    '- **松葉旅館**：静か\n- **竹中荘**：安い',
    '松葉なら静かです。予約は宿天トラベルでも。',
    '宿天トラベルの口コミと安宿.comを見ます。',
  ];

  test('a kind of business ends a name that another answer has', () => {
    expect(namesIn(...inns)).toContain('松葉旅館');
    expect(namesIn('- **高級旅館**：高い\n- **竹中荘**：安い', '高級な宿が多いです。')).not.toContain('高級旅館');
  });

  test('domains, and characters with katakana that two answers have, are names', () => {
    expect(namesIn(...inns)).toEqual(expect.arrayContaining(['安宿.com', '宿天トラベル']));
  });
});

describe('what is beside a name says what it is', () => {
  test.each([
    ['a street', 'Elle est dans la rue Saint-Brice, près de Zendril.', 'Saint-Brice'],
    ['a province', 'La fabbrica è in provincia di Belforte e produce per Zendril.', 'Belforte'],
    [
      'an abbreviation that is explained',
      'Selon la direction des fraudes (DGCCRF), chez Zendril tout va bien.',
      'DGCCRF',
    ],
    ['a time', 'There is no fee before 10pm at Zendril.', '10pm'],
    ['a norm', 'Let op de norm NTA 8776 bij Zendril.', 'NTA'],
  ])('%s is no brand', (_, text, wrong) => {
    expect(namesIn(text).filter((name) => name.includes(wrong))).toEqual([]);
  });

  test('who is compared is one, with "frente a" as well', () => {
    expect(namesIn('Frente a Zendesk, Freshdesk es más barato.')).toEqual(['Freshdesk', 'Zendesk']);
  });
});
