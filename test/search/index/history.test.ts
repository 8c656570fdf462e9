import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { budgetFor } from '../../support/runner/budget.ts';
import { writeFormerStore } from './former.ts';
import { checkHistory, history, listRankings, listTotals } from './history.ts';
import { asked, chunksOf, itemOf } from './support-data.ts';
import { filled, testStore } from './support.ts';

describe('what was done before leaves no trace', () => {
  // Histories have up to 24 chunks: all of them are small, none is, and some go over the limit and back.
  test.each([0, 6, 200])('any history ranks and scores as a fresh index; small up to %i chunks', (smallChunks) => {
    fc.assert(
      fc.property(history, (steps) =>
        checkHistory(testStore({ smallChunks }), () => testStore({ smallChunks }), steps),
      ),
      { numRuns: budgetFor(60, 800) },
    );
  });

  const texts = {
    'README.md': 'Audits cost money. Pay for audits in USDC.',
    'two.md': 'The zebra has stripes, and audits have none.',
    'three.md': 'Nothing else is here.',
  };

  test('an item that is indexed fifty times over keeps its rank and its score', () => {
    for (const smallChunks of [0, 200]) {
      const { store } = filled(texts, undefined, smallChunks);
      const before = listRankings(store);
      for (let time = 0; time < 50; time += 1)
        store.putItem(itemOf('two.md', { checksum: `time ${time}` }), chunksOf(texts['two.md']));
      expect(listRankings(store)).toEqual(before);
      expect(store.search(asked('audits'))[0]?.score).toBeLessThan(0.9);
    }
  });

  test('a queued upload that names another title is found as it was, and forgotten whole', () => {
    const { store, keys, sql } = filled({ a: 'red panda', b: 'blue whale' }, (key) => ({ title: `Title of ${key}` }));
    const before = listRankings(store);
    store.putItem(itemOf('a', { status: 'queued', title: 'Quokka', checksum: 'x', bytes: new Uint8Array(9) }), []);
    expect(keys('quokka')).toEqual([]);
    expect(listRankings(store)).toEqual(before);
    store.putItem(itemOf('a', { title: 'Quokka', checksum: 'y' }), chunksOf('green'));
    expect([keys('title'), keys('quokka'), keys('panda')]).toEqual([['b'], ['a'], []]);
    store.removeItem(store.itemByKey('builtin', 'b')?.id ?? '');
    expect([keys('whale'), keys('title')]).toEqual([[], []]);
    expect(sql.exec('SELECT rowid FROM word_porter').toArray()).toHaveLength(1);
  });

  test('words of characters that Unicode has not assigned are forgotten as they were written, whatever they mean then', () => {
    const unassigned = '\u{E0EF0}\u{38F}\u{5FF}';
    const { store, sql, keys } = filled({ a: `old ${unassigned}`, b: 'old' });
    expect(sql.exec('SELECT chunk FROM unsettled_word').toArray()).toEqual([{ chunk: 1_000_000 }]);
    // As if the next Unicode took what was written for other words.
    sql.exec("UPDATE unsettled_word SET text = 'old other'");
    sql.exec(
      "INSERT INTO word_porter (word_porter, rowid, title, text) VALUES ('delete', 1000000, ' ', ?)",
      `old ${unassigned}`,
    );
    sql.exec("INSERT INTO word_porter (rowid, title, text) VALUES (1000000, ' ', 'old other')");
    expect(keys('other')).toEqual(['a']);
    store.putItem(itemOf('a', { checksum: 'x' }), chunksOf('new'));
    expect([keys('other'), keys('old'), keys('new')]).toEqual([[], ['b'], ['a']]);
    expect(sql.exec('SELECT chunk FROM unsettled_word').toArray()).toEqual([]);
  });
});

describe('an index of version 1', () => {
  const texts = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`k${at}`, `${at % 2 === 0 ? 'tea' : 'milk'} and n${at} tea`]),
  );
  const many = Object.fromEntries(Array.from({ length: 1_200 }, (_, at) => [`k${at}`, `word n${at} w${at % 7}`]));
  const tables = "SELECT name FROM sqlite_schema WHERE name IN ('words_porter', 'words_trigram') ORDER BY name";

  test.each(['porter', 'trigram'] as const)('%s: a small one is written anew when it opens', (tokenizer) => {
    const { store, sql } = testStore({ prepare: writeFormerStore(texts, tokenizer) });
    const fresh = filled(texts);
    fresh.store.reindex(tokenizer);
    expect(store.formerTokenizer()).toBeUndefined();
    expect(sql.exec(tables).toArray()).toEqual([]);
    expect(listRankings(store, ['tea', 'milk n3', 'n5 tea'])).toEqual(
      listRankings(fresh.store, ['tea', 'milk n3', 'n5 tea']),
    );
    expect(listTotals({ sql, store })).toEqual(listTotals(fresh));
  });

  test('a large one is searched as it was until it has all its words anew, and takes changes meanwhile', () => {
    const { store, sql, state } = testStore({ prepare: writeFormerStore(many) });
    const keys = (text: string) => store.search(asked(text)).map(({ item }) => item.key);
    expect(store.formerTokenizer()).toBe('porter');
    state.databaseBytes = 10 ** 12; // It is made anew however full the instance is.
    expect([keys('n3'), keys('n1100')]).toEqual([['k3'], ['k1100']]);
    state.databaseBytes = 0;
    store.putItem(itemOf('k3', { checksum: 'x' }), chunksOf('early quokka'));
    store.putItem(itemOf('k1100', { checksum: 'x' }), chunksOf('late numbat'));
    store.removeItem(store.itemByKey('builtin', 'k4')?.id ?? '');
    store.removeItem(store.itemByKey('builtin', 'k1101')?.id ?? '');
    expect([keys('n3'), keys('quokka'), keys('numbat'), keys('n1101')]).toEqual([[], ['k3'], ['k1100'], []]);
    state.databaseBytes = 10 ** 12;
    while (!store.reindex('porter'));
    expect(store.formerTokenizer()).toBeUndefined();
    expect(sql.exec(tables).toArray()).toEqual([]);
    const { k4: _4, k1101: _1101, ...kept } = many;
    const fresh = filled({ ...kept, k3: 'early quokka', k1100: 'late numbat' });
    const questions = ['n3', 'quokka', 'numbat', 'n1101', 'word w3', 'n1100 n7'];
    expect(listRankings(store, questions)).toEqual(listRankings(fresh.store, questions));
  });

  test('that was on its way to another tokenizer begins with it again', () => {
    const { store, sql } = testStore({ prepare: writeFormerStore(texts, 'porter', 'trigram') });
    expect(sql.exec(tables).toArray()).toEqual([]);
    expect(store.reindex('trigram')).toBe(true);
    expect(store.search(asked('illk')).length + store.search(asked('mil', { keywordMode: 'and' })).length).toBe(6);
  });

  test('that is to have another tokenizer, and has no room for it, is made anew with its own', () => {
    const { store, state } = testStore({ prepare: writeFormerStore(many) });
    state.databaseBytes = 10 ** 12;
    expect(store.reindex('trigram')).toBe(true);
    expect(store.formerTokenizer()).toBe('porter');
    while (!store.reindex());
    expect(store.formerTokenizer()).toBeUndefined();
    expect(store.stats().noRoom.words).toBe(true);
    expect(store.search(asked('n7')).map(({ item }) => item.key)).toEqual(['k7']);
  });
});
