import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchStore, type SearchStore } from '../../../src/search/index/store.ts';
import { checkHistory, history } from '../../search/index/history.ts';
import { asked, chunksOf, itemOf } from '../../search/index/support-data.ts';
import { budgetFor } from '../../support/runner/budget.ts';

/** Runs the store in the SQLite of a Durable Object of any class. */
const inObject = <T>(
  name: string,
  work: (store: SearchStore, storage: DurableObjectStorage) => T,
  smallChunks = 200,
): Promise<T> =>
  runInDurableObject(env.RATE_COUNTER.getByName(name), (_, { storage }) =>
    work(
      searchStore({
        sql: storage.sql,
        transaction: (inner) => storage.transactionSync(inner),
        now: () => 1_700_000_000_000,
        random: (bytes) =>
          crypto
            .randomUUID()
            .replaceAll('-', '')
            .slice(0, 2 * bytes),
        databaseBytes: () => storage.sql.databaseSize,
        smallChunks,
      }),
      storage,
    ),
  );

test.each(['porter', 'trigram'] as const)('%s: words are found, filtered, replaced and removed', async (tokenizer) => {
  const found = await inObject(`words-${tokenizer}`, (store) => {
    store.reindex(tokenizer);
    const filter = { match: 'all', conditions: [{ field: 'year', type: 'number', op: 'gte', value: 2020 }] } as const;
    const keys = (text: string) => store.search(asked(text, { filter })).map(({ item }) => item.key);
    store.putItem(itemOf('a', { metadata: { year: 2024 } }), chunksOf('red quokka', '返品は三十日以内'));
    store.putItem(itemOf('b', { metadata: { year: 2019 } }), chunksOf('red quokka'));
    store.putItem(itemOf('c', { metadata: { year: 2024 } }), chunksOf('red numbat'));
    const first = [keys('quokka'), keys('返品'), keys('red" OR NEAR(')];
    store.putItem(itemOf('a', { metadata: { year: 2024 }, checksum: 'x' }), chunksOf('red okapi'));
    store.removeItem(store.itemByKey('builtin', 'c')?.id ?? '');
    return [...first, keys('quokka'), keys('numbat'), keys('okapi'), keys('red')];
  });
  const [quokka, returns, red, ...later] = found;
  expect([quokka, returns]).toEqual([['a'], ['a']]);
  expect(red?.toSorted()).toEqual(['a', 'c']);
  expect(later).toEqual([[], [], ['a'], ['a']]);
});

test('K9: a query of as many words as one may have is one that the platform takes', async () => {
  const words = Array.from({ length: 100 }, (_, at) => `word${at}`).join(' ');
  const found = await inObject('many-words', (store) => {
    store.putItem(itemOf('a'), chunksOf('Here word63 stands.'));
    store.putItem(itemOf('b'), chunksOf('Here word64 stands.'));
    return (['and', 'or', 'auto'] as const).map((keywordMode) =>
      store.search(asked(words, { keywordMode })).map(({ item }) => item.key),
    );
  });
  expect(found).toEqual([[], ['a'], ['a']]);
});

test('vectors, contents, pieces of a tokenizer and a reset work as in any SQLite', async () => {
  const seen = await inObject('rest', (store) => {
    const bytes = crypto.getRandomValues(new Uint8Array(65_536));
    const large = new Uint8Array(2_500_000).map((_, at) => bytes[at % 65_536] ?? 0);
    store.putItem(itemOf('a', { bytes: large }), chunksOf('east wind', 'north wind'), [
      Float32Array.of(1, 0),
      Float32Array.of(0, 1),
    ]);
    const { id = '' } = store.itemByKey('builtin', 'a') ?? {};
    const raw = store.raw(id) ?? new Uint8Array();
    const hybrid = store.search(asked('wind', { type: 'hybrid', threshold: 0 }), Float32Array.of(0, 1));
    store.dropVectors();
    const waiting = store.chunksWithoutVectors(10);
    store.setVectors(waiting.map((chunk) => ({ ...chunk, vector: Float32Array.of(1, 1) })));
    store.logItem(id, { level: 'info', action: 'indexed', message: 'Done.' });
    const stats = store.stats();
    const lines = store.logOf(id, 5).length;
    store.changeJob(store.addJob({ source: 'user' }).id, { endedMs: 5 });
    const jobs = store.listJobs(1, 5).jobs.length;
    store.reset();
    return {
      isSame: raw.length === large.length && raw.every((byte, at) => byte === large[at]),
      best: hybrid[0]?.text,
      score: hybrid[0]?.scoring.vector_score,
      waiting: waiting.map(({ text }) => text),
      stats,
      lines,
      jobs,
      left: store.stats().items,
    };
  });
  expect(seen).toMatchObject({
    isSame: true,
    best: 'north wind',
    waiting: ['east wind', 'north wind'],
    stats: { items: 1, chunks: 2, vectors: 2, bytes: 2_500_000 },
    lines: 1,
    jobs: 1,
    left: 0,
  });
  expect(seen.score).toBeCloseTo(1, 6);
  expect(seen.stats.databaseBytes).toBeGreaterThan(2_500_000);
});

test('K9: another tokenizer is reached in steps, and a filter of forty conditions binds no more than it may', async () => {
  const seen = await inObject('steps', (store) => {
    for (let at = 0; at < 30; at += 1)
      store.putItem(
        itemOf(`k${at}`),
        chunksOf(...Array.from({ length: 20 }, (_, n) => `guardedfetch n${at * 20 + n}`)),
      );
    const steps = [store.reindex('trigram'), store.reindex('trigram')];
    const conditions = Array.from(
      { length: 40 },
      (_, at) => ({ field: `f${at % 12}`, type: 'number', op: 'ne', value: at }) as const,
    );
    const filter = { match: 'all', conditions } as const;
    return { steps, found: store.search(asked('dedfet n599', { filter, maxResults: 1, expansion: 1 })) };
  });
  expect(seen.steps).toEqual([false, true]);
  expect(seen.found[0]?.text).toBe('guardedfetch n598guardedfetch n599');
});

test.each([
  ['number', '7', 7],
  ['text', 7, '7'],
  ['boolean', 'yes', true],
  ['datetime', '2025-01-01T01:00:00+01:00', 1_735_689_600_000],
] as const)('a stored value is cast to %s when it is filtered by', async (type, stored, value) => {
  const found = await inObject(`cast-${type}`, (store) => {
    store.putItem(itemOf('a', { metadata: { level: stored } }), chunksOf('word'));
    store.putItem(itemOf('b', { metadata: { level: 'none' } }), chunksOf('word'));
    const filter = { match: 'all', conditions: [{ field: 'level', type, op: 'eq', value }] } as const;
    return store.search(asked('word', { filter })).map(({ item }) => item.key);
  });
  expect(found).toEqual(['a']);
});

test.each([0, 6, 200])('any history ranks and scores as a fresh index; small up to %i chunks', async (smallChunks) => {
  const check = (store: SearchStore, { sql }: DurableObjectStorage): void => {
    const made = { sql, store };
    const openEmpty = () => {
      store.reset();
      return made;
    };
    fc.assert(
      fc.property(history, (steps) => checkHistory(openEmpty(), openEmpty, steps)),
      { numRuns: budgetFor(15, 500) },
    );
  };
  await inObject(`history-${smallChunks}`, check, smallChunks);
});
