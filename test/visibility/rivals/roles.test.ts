import { describe, expect, test } from 'vitest';
import { findLanguage } from '../../../src/visibility/rivals/joins.ts';
import { findRivals } from '../../../src/visibility/rivals/rivals.ts';
import { parseStructure } from '../../../src/visibility/structure/structure.ts';

const knowsNone = (): boolean => false;
const namesIn = (...answers: readonly string[]): readonly string[] =>
  findRivals(answers.map(parseStructure), knowsNone)
    .map(({ name }) => name)
    .toSorted();

describe('words that are no one’s', () => {
  const italian = 'Per i bambini sceglierei la Belforte Lusenta, che è più vicina, e non la Scuola Zendril.';

  test('a word that names share is no brand', () => {
    expect(
      namesIn(italian, '- **Noleggio Belforte**: comodo\n- **Scuola Zendril**: bella', 'Il noleggio è a Belforte.'),
    ).toEqual(['Belforte Lusenta', 'Noleggio Belforte', 'Scuola Zendril']);
  });

  test('a place is none, even at the head of an entry', () => {
    const places = '- **Belforte**: due scuole\n- **Zendril**: una scuola';
    expect(
      namesIn(
        places,
        'Per chi dorme a Belforte il noleggio che è vicino è di Zendril.',
        'Chi sale a Belforte trova che la Zendril è buona.',
      ),
    ).toEqual(['Zendril']);
  });

  test('what is in brackets behind a head says where', () => {
    const list = '- **Kayako (Belforte)**: buona\n- **Zendril**: nuova';
    expect(namesIn(list, 'Prendo la Kayako di Belforte, che è buona.')).toEqual(['Kayako', 'Zendril']);
  });

  test('a maker in brackets is a brand: its products begin with it', () => {
    const list = '- **Conga (Cecotec)**: barato\n- **Cecotec Conga 2299**: nuevo';
    expect(namesIn(list, 'La Cecotec Conga es buena.')).toContain('Cecotec');
  });
});

describe('words that join', () => {
  test('a small word of another language joins the parts of a name, not a list', () => {
    const booked = 'Con le prenotazioni di Zend and Ril la tariffa è bassa, per chi ha tempo.';
    expect(namesIn(booked, `${booked} Ci sono Kayako e Mollwitz.`)).toContain('Zend and Ril');
  });

  test('the language is that of the words no other has', () => {
    const spanish = { de: 20, en: 8, la: 9, y: 4, con: 3, una: 2 };
    expect(findLanguage(new Map(Object.entries(spanish)))).toBe('es');
  });

  test('the model behind a brand is no mention of its own', () => {
    const answers = ['I would take the Kayako Orvette for the office.', '- **Orvette**: good\n- **Kayako**: good'];
    const found = findRivals(answers.map(parseStructure), knowsNone);
    expect(found.find(({ name }) => name === 'Orvette')?.mentionedIn).toEqual([1]);
    expect(found.find(({ name }) => name === 'Kayako')?.mentionedIn).toEqual([0, 1]);
  });
});

describe('the word before a name', () => {
  const others = ['Io sceglierei Kayako, che è vicina.', 'Anche la scuola Zendril è buona, come Kayako.'];

  test('an article is that of a place or an office, unless another answer knows the name', () => {
    expect(namesIn(...others, 'La pista che sale al Belforte è facile.')).not.toContain('Belforte');
    expect(namesIn(...others, 'La pista che sale alla Zendril è facile.')).toContain('Zendril');
  });

  test('what two answers only have behind a word of origin is a place', () => {
    const origin = ['È un olio di Belforte.', 'Prendi un vino di Belforte.'];
    expect(namesIn(...others, ...origin)).not.toContain('Belforte');
    expect(namesIn(...others, ...origin, 'Io comprerei Belforte.')).toContain('Belforte');
  });

  test('a capital behind a comma inside a sentence is a name’s', () => {
    expect(namesIn(...others, 'Se hai poco tempo, Mollwitz consegna domani.')).toContain('Mollwitz');
  });
});

describe('the front of names', () => {
  const english = ['I would buy the Velmora Sense Rio.', 'Many like the Velmora Sense Lugano, and it is cheap.'];

  test('is as long as the names are the same', () => {
    expect(namesIn(...english)).toEqual(['Velmora Sense']);
  });

  test('is the word that different words follow', () => {
    expect(namesIn('I would buy the Kayako Rio.', 'Many like the Kayako Lugano, and it is cheap.')).toEqual(['Kayako']);
  });
});

describe('letters and numbers', () => {
  test('a capital and a number may be a brand', () => {
    const list = '- **Albert Heijn**: groot\n- **C1000**: goedkoop\n- **Jumbo**: ruim';
    expect(namesIn(list, list, list)).toEqual(['Albert Heijn', 'C1000', 'Jumbo']);
  });

  test('codes of models and units are no names', () => {
    const codes = 'You could take the R500E with a ART-2 lock, and 50 kWh from Kayako.';
    expect(namesIn(codes, codes, codes)).toEqual(['Kayako']);
  });

  test('a number may be the first word of a name, not of an amount', () => {
    const list = '- **58 Surf**: good\n- **Kayako**: near\n- **30 Nights**: for a stay of many nights';
    expect(namesIn(list, list)).toEqual(['58 Surf', 'Kayako']);
  });
});

describe('letters without case', () => {
  test('a name inside a longer one is no mention', () => {
    const found = findRivals(
      ['- **ニチレイ**：冷凍\n- **カヤコ**：安い', '- **ニチレイフーズダイレクト**：冷凍\n- **カヤコ**：安い'].map(
        parseStructure,
      ),
      knowsNone,
    );
    expect(found.find(({ name }) => name === 'ニチレイ')?.mentionedIn).toEqual([0]);
  });
});
