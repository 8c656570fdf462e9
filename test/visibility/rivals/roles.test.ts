import { describe, expect, test } from 'vitest';
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
    ).not.toContain('Belforte');
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

  test('the model behind a brand is no mention of its own', () => {
    const answers = ['I would take the Kayako Orvette for the office.', '- **Orvette**: good\n- **Kayako**: good'];
    const found = findRivals(answers.map(parseStructure), knowsNone);
    expect(found.find(({ name }) => name === 'Orvette')?.mentionedIn).toEqual([1]);
    expect(found.find(({ name }) => name === 'Kayako')?.mentionedIn).toEqual([0, 1]);
  });
});
