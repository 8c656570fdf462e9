import fc from 'fast-check';
import { expect } from 'vitest';
import type { NewChunk } from '../../../src/search/index/item.ts';
import type { SearchStore } from '../../../src/search/index/store.ts';
import { asked, chunksOf, itemOf } from './support-data.ts';
import type { Sql } from '../../../src/lib/sqlite.ts';

/** A few words, so that chunks share them; some that all have, letters without spaces, and one of no Unicode yet. */
const WORDS = ['tea', 'milk', 'teas', 'quokka', 'the', 'Zürich', '日本', '本州', 'x\u{38F}y', 'n7'] as const;
const KEYS = ['a', 'b', 'c', 'd/e', 'f'] as const;
const SITE = 'web-crawler:https://a.example';
const QUESTIONS = ['tea', 'the milk', 'the tea quokka', '日本州', 'zurich unicorn', 'n7 the xy'] as const;
const MODES = ['and', 'or', 'auto'] as const;

const phrase = (max: number) =>
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: max }).map((words) => words.join(' '));
const anyContent = fc.record({
  title: phrase(2),
  texts: fc.array(phrase(8), { maxLength: 4 }),
  heading: phrase(2),
  hasVectors: fc.boolean(),
  bytes: fc.integer({ min: 0, max: 9 }),
});
type Content = typeof anyContent extends fc.Arbitrary<infer T> ? T : never;
const anyPlace = fc.record({ key: fc.constantFrom(...KEYS), source: fc.constantFrom('builtin', SITE) });

/** What may happen to an index. `again`: the same content is indexed again, or only seen again. */
export const history = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), place: anyPlace, content: anyContent }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('again' as const), place: anyPlace, isNew: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('queue' as const), place: anyPlace, content: anyContent }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('remove' as const), place: anyPlace }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('removeSource' as const), place: anyPlace }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('embed' as const), count: fc.integer({ min: 1, max: 4 }) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('dropVectors' as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('reindex' as const),
        tokenizer: fc.constantFrom('porter' as const, 'trigram' as const),
      }),
    },
  ),
  { maxLength: 30 },
);
type Step = typeof history extends fc.Arbitrary<infer T> ? (T extends readonly (infer S)[] ? S : never) : never;
type Place = { key: string; source: string };

const nameOf = ({ source, key }: Place): string => `${source} ${key}`;
const chunksOfContent = ({ texts, heading }: Content): NewChunk[] =>
  chunksOf(...texts).map((chunk) => ({ ...chunk, heading }));
const vectorsOf = ({ texts, hasVectors }: Content): Float32Array[] =>
  hasVectors ? texts.map(({ length }, at) => Float32Array.of(length, at + 1)) : [];

type Made = { sql: Sql; store: SearchStore };

/** Takes the steps with one store, puts what is left of them into a fresh one, and compares what they find and count. */
export function checkHistory(lived: Made, openFresh: () => Made, steps: readonly Step[]): void {
  const there = new Map<string, { place: Place; content: Content; bytes: number }>();
  let checksum = 0;
  let tokenizer: 'porter' | 'trigram' = 'porter';
  const put = (place: Place, content: Content, sum = `${(checksum += 1)}`) =>
    lived.store.putItem(
      itemOf(place.key, {
        source: place.source,
        title: content.title,
        checksum: sum,
        bytes: new Uint8Array(content.bytes),
      }),
      chunksOfContent(content),
      vectorsOf(content),
    );
  for (const step of steps) {
    if (step.do === 'put') {
      put(step.place, step.content);
      there.set(nameOf(step.place), { place: step.place, content: step.content, bytes: step.content.bytes });
    } else if (step.do === 'again') {
      const known = there.get(nameOf(step.place));
      if (known === undefined) continue;
      put(
        known.place,
        known.content,
        step.isNew ? undefined : lived.store.itemByKey(known.place.source, known.place.key)?.checksum,
      );
      known.bytes = known.content.bytes;
    } else if (step.do === 'queue') {
      const known = there.get(nameOf(step.place));
      const { key, source } = step.place;
      const { title, bytes } = step.content;
      const item = {
        source,
        status: 'queued',
        title,
        checksum: `${(checksum += 1)}`,
        bytes: new Uint8Array(bytes),
      } as const;
      lived.store.putItem(itemOf(key, item), []);
      const nothing = { ...step.content, texts: [], hasVectors: false };
      there.set(nameOf(step.place), { place: step.place, content: known?.content ?? nothing, bytes });
    } else if (step.do === 'remove') {
      const item = lived.store.itemByKey(step.place.source, step.place.key);
      if (item) lived.store.removeItem(item.id);
      there.delete(nameOf(step.place));
    } else if (step.do === 'removeSource') {
      lived.store.removeSource(step.place.source);
      for (const [name, known] of there) if (known.place.source === step.place.source) there.delete(name);
    } else if (step.do === 'embed') {
      const waiting = lived.store.chunksWithoutVectors(step.count);
      lived.store.setVectors(waiting.map((chunk) => ({ ...chunk, vector: Float32Array.of(1, 1) })));
    } else if (step.do === 'dropVectors') lived.store.dropVectors();
    else {
      while (!lived.store.reindex(step.tokenizer));
      tokenizer = step.tokenizer;
    }
  }
  const [rankings, totals] = [listRankings(lived.store), listTotals(lived)];
  const fresh = openFresh();
  for (const { place, content } of there.values())
    fresh.store.putItem(itemOf(place.key, { source: place.source, title: content.title }), chunksOfContent(content));
  fresh.store.reindex(tokenizer);
  expect(rankings).toEqual(listRankings(fresh.store));
  const { items, chunks } = listTotals(fresh);
  const bytes = [...there.values()].reduce((sum, known) => sum + known.bytes, 0);
  expect(totals).toMatchObject({ items, chunks, bytes });
}

/** What questions find in each mode, with the exact scores. Equal scores are in the order in which items were made. */
export const listRankings = (store: SearchStore, questions: readonly string[] = QUESTIONS) =>
  questions.flatMap((question) =>
    MODES.map((keywordMode) => [
      question,
      keywordMode,
      store
        .search(asked(question, { keywordMode, maxResults: 50 }))
        .map(({ item, score, text }) => `${item.key} ${score} ${text}`),
    ]),
  );

/** What is counted, after it was counted again from the rows that are there. */
export function listTotals({ sql, store }: Made): { items: number; chunks: number; vectors: number; bytes: number } {
  const { items, chunks, vectors, bytes } = store.stats();
  const count = (query: string): number => Number(sql.exec(`SELECT (${query}) AS n`).toArray()[0]?.['n']);
  expect({ items, chunks, vectors, bytes }).toEqual({
    items: count('SELECT count(*) FROM item'),
    chunks: count('SELECT count(*) FROM chunk'),
    vectors: count('SELECT count(*) FROM vector'),
    bytes: count('SELECT coalesce(sum(length(bytes)), 0) FROM piece'),
  });
  expect(count('SELECT coalesce(sum(chunks), 0) FROM item')).toBe(chunks);
  expect(count('SELECT coalesce(sum(vectors), 0) FROM item')).toBe(vectors);
  expect(count('SELECT coalesce(sum(size), 0) FROM item')).toBe(bytes);
  return { items, chunks, vectors, bytes };
}
