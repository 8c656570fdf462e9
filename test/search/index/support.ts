import type { SearchQuery } from '../../../src/search/order.ts';
import type { NewItem } from '../../../src/search/index/item.ts';
import { searchStore } from '../../../src/search/index/store.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';
import { asked, chunksOf, itemOf } from './support-data.ts';

const NOW_MS = 1_700_000_000_000;

type TestDatabase = ReturnType<typeof memorySqlite>;

/**
 * A store in memory. Its clock stands until it is moved; its ids count up.
 * @param smallChunks up to how many chunks it counts as small
 * @param prepare writes what is there before the store opens
 */
export function testStore(some: { smallChunks?: number; prepare?: (database: TestDatabase) => void } = {}) {
  const { smallChunks, prepare } = some;
  const statements: string[] = [];
  const { sql, transaction } = memorySqlite((query) => statements.push(query));
  prepare?.({ sql, transaction });
  const state = { nowMs: NOW_MS, ids: 0, databaseBytes: 0 };
  const store = searchStore({
    sql,
    transaction,
    now: () => state.nowMs,
    random: (bytes) => (state.ids += 1).toString(16).padStart(2 * bytes, '0'),
    databaseBytes: () => state.databaseBytes,
    ...(smallChunks !== undefined && { smallChunks }),
  });
  return { store, sql, transaction, statements, state };
}

type Texts = Readonly<Record<string, string>>;

/** A store with an item of one chunk for each key. */
export function filled(texts: Texts, some: (key: string) => Partial<NewItem> = () => ({}), smallChunks?: number) {
  const made = testStore(smallChunks === undefined ? {} : { smallChunks });
  for (const [key, text] of Object.entries(texts)) made.store.putItem(itemOf(key, some(key)), chunksOf(text));
  const keys = (text: string, query: Partial<SearchQuery> = {}, vector?: Float32Array): string[] =>
    made.store.search(asked(text, query), vector).map(({ item }) => item.key);
  return { ...made, keys };
}
