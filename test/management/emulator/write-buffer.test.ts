import { describe, expect, test } from 'vitest';
import { createWriteBuffer } from '../../../src/management/emulator/write-buffer.ts';
import { createResourceStore } from '../../../src/management/core/engine/resources.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';

const row = (collection: string, id: string, word = 'x') => ({ collection, parent: '', id, s1: id, body: { word } });

function world() {
  const real = createResourceStore(memorySqlite().sql);
  real.insert(row('old', 'a'));
  return { real, ...createWriteBuffer(real) };
}

describe('a collecting store', () => {
  test('shows what it keeps back: rows, names, counts', () => {
    const { real, store, flush } = world();
    expect(store.insert(row('new', '1'))).toMatchObject({ id: '1', body: { word: 'x' } });
    expect(store.insert(row('new', '1'))).toBeUndefined();
    expect(store.name('n', 'one', row('new', '1'))).toBe(true);
    expect(store.name('n', 'one', row('old', 'a'))).toBe(false);
    expect(store.get('new', '', '1')).toMatchObject({ body: { word: 'x' } });
    expect(store.named('n', 'one')).toMatchObject({ row: { id: '1' }, primary: true });
    expect(store.namesOf(row('new', '1'), 'n')).toEqual([{ name: 'one', primary: true }]);
    expect([store.count('new', ''), real.count('new', '')]).toEqual([1, 0]);
    store.insert(row('new', '2'));
    expect(store.count('new', '')).toBe(2);
    flush();
    expect([real.count('new', ''), real.named('n', 'one')?.row.id]).toEqual([2, '1']);
  });

  test('lists what it keeps back, and reads an untouched collection once, without writing', () => {
    const { real, store } = world();
    store.insert(row('new', '1'));
    const before = real.statements();
    const list = (collection: string) => store.list({ collection, parent: '', limit: 9 }).map((each) => each.row.id);
    expect([list('old'), list('old')]).toEqual([['a'], ['a']]);
    expect(real.statements() - before).toBe(1);
    expect(list('new')).toEqual(['1']);
    expect(real.count('new', '')).toBe(1);
  });

  test('forgets a list that a change made old', () => {
    const { store } = world();
    const words = () => store.list({ collection: 'old', parent: '', limit: 9 }).map((each) => each.row.body['word']);
    expect(words()).toEqual(['x']);
    store.put(row('old', 'a', 'y'));
    expect(words()).toEqual(['y']);
    store.insert(row('old', 'b', 'z'));
    expect(words()).toEqual(['y', 'z']);
    store.remove(row('old', 'a'));
    expect(words()).toEqual(['z']);
  });

  test('throws at the flush where something is taken', () => {
    const { store, flush } = world();
    store.insert(row('old', 'a'));
    expect(flush).toThrow('UNIQUE constraint failed');
  });
});
