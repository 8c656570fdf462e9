import { describe, expect, test } from 'vitest';
import { compileName, readPresence } from '../../../src/visibility/names/mentions.ts';
import { isWrittenWithCapitals } from '../../../src/visibility/names/small-letters.ts';
import { parseStructure } from '../../../src/visibility/structure/structure.ts';

function isNamed(name: string, text: string): boolean {
  const answer = parseStructure(text);
  const corpus = [answer.blocks.map((block) => block.text).join('\n')];
  return readPresence(answer, compileName(name, corpus)).mentioned;
}

describe('an answer is written with capitals', () => {
  test.each([
    ['Take Acme. It is fast.', true],
    ['Buy it there. iRobot is fine.', true],
    ['take acme. it is fast.', false],
    ['- acme\n- beta', false],
    ['', false],
  ])('%j: %s', (text, expected) => {
    expect(isWrittenWithCapitals(parseStructure(text))).toBe(expected);
  });
});

describe('in an answer with capitals, small letters are the word', () => {
  test.each([
    ['Sensible', 'Block your own visits. It is sensible that you look twice.'],
    ['Fresco', 'Con la pasta serve un sugo fresco e leggero.'],
    ['Gelijkmoed', 'Een verzekering geeft veel gelijkmoed.'],
    ['Vía Rápida', 'El formulario da vía rápida con un agente.'],
  ])('%s in "%s"', (name, text) => {
    expect(isNamed(name, text)).toBe(false);
  });
});

describe('small letters are the name', () => {
  test.each([
    ['in chat', 'Zalora', 'just get it from zalora, they ship fast'],
    ['in a row of names', 'Adidas', 'The shoes of Nike, adidas and Puma last.'],
    ['before the name of a product', 'Eufy', 'Bei Saugern lohnt der eufy X10 den Aufpreis.'],
    ['in English, where a thing would have an article', 'Zalora', 'There was only zalora left.'],
    ['joined', 'ClickUp', 'Our team moved to clickup last year.'],
    [
      'with letters that words of the language do not have',
      'Scalapay',
      'Nel pannello attiva la voce scalapay e salva, per poi pagare con calma.',
    ],
    ['in bold', 'Idealo', 'Der Vergleich von **idealo** reicht.'],
    ['as the seller', 'Otto', 'Am Ende ist nur otto.de billiger.'],
    ['behind who sells it', 'Idealo', 'Die Preise sind von idealo.'],
  ])('%s: %s', (_, name, text) => {
    expect(isNamed(name, text)).toBe(true);
  });
});

describe('a capital that only opens the sentence', () => {
  test.each([
    ['Gelijkmoed', 'Het geeft veel gelijkmoed. Gelijkmoed met de fiscus valt niet mee.'],
    ['Prima', 'Prima di firmare chiedi il prezzo. Prima si guarda la franchigia.'],
    ['Nos', 'Para nos livrarmos da humidade, abra. Nos meses de inverno feche.'],
    ['Sole', 'Sole con poche nuvole fino a sera.'],
  ])('is no name: %s in "%s"', (name, text) => {
    expect(isNamed(name, text)).toBe(false);
  });

  test.each([
    ['with a verb of sellers', 'Prima', 'Prima di firmare chiedi il prezzo. Prima offre una polizza online.'],
    ['in a row of names', 'Claro', 'Es claro que importa la red. Claro, Movistar y Entel tienen 5G.'],
    ['before a product', 'Salsa', 'Salsa Jeans é cara.'],
    ['with a capital inside another sentence', 'Zwilling', 'Für Zwilling spricht viel. Zwilling schleift gut.'],
    ['behind a colon', 'Gamma', 'Laminaat voor 20 m²: Gamma € 260 met ondervloer.'],
  ])('is a name %s: %s', (_, name, text) => {
    expect(isNamed(name, text)).toBe(true);
  });
});

describe('a name that is a part of another', () => {
  test.each([
    ['Serrano', '- **Clínica Joan Serrano**: punción seca'],
    ['Leclerc', '- **Étude Leclerc et Kervadec** : successions'],
    ['Rose', 'Le soir, dînez chez La Rose Bleue, au port.'],
  ])('is not that brand: %s in "%s"', (name, text) => {
    expect(isNamed(name, text)).toBe(false);
  });

  test.each([
    ['Notion', 'Wer in der Praxis Notion nutzt, spart Zeit.'],
    ['Oetker', 'Die Pizza von Dr. Oetker ist gut.'],
    ['Rose', 'Für den Berg nimm das Rad von Rose.'],
  ])('is the brand: %s in "%s"', (name, text) => {
    expect(isNamed(name, text)).toBe(true);
  });
});
