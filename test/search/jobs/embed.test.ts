import { expect, test } from 'vitest';
import { answerSearch } from '../../../src/search/answer-search.ts';
import { answerUpload } from '../../../src/search/answer-upload.ts';
import { type Embedder, MAX_BATCH } from '../../../src/search/search-object.ts';
import { crawlWorld, facts } from '../crawl/world.ts';

/** An embedder that knows zeppelins from all else, and what it was asked. */
function embedder(model = 'm1') {
  const asked: number[] = [];
  const state = { isDown: false, retryable: true };
  const engine: Embedder = {
    kind: 'simulated',
    model,
    embed: async (texts) => {
      asked.push(texts.length);
      await Promise.resolve();
      if (state.isDown) return { ok: false, detail: 'status 500', retryable: state.retryable };
      return { ok: true, vectors: texts.map((text) => Float32Array.of(text.includes('zeppelin') ? 1 : 0, 1)) };
    },
  };
  return { asked, state, engine };
}

const { source: _source, ...config } = facts({ vector: true, chunkTokens: 16, overlapTokens: 0 }).config;
const instance = { ...facts(), config };

async function uploaded(words: number) {
  const world = crawlWorld({});
  const model = embedder();
  world.state.embedder = model.engine;
  world.learn(instance);
  const text = `${'word '.repeat(words)}zeppelin`;
  const bytes = new TextEncoder().encode(text);
  const file = { key: 'a.txt', type: 'text/plain', bytes, text, title: '', metadata: {}, waits: true };
  await answerUpload(world.parts, instance, file);
  return { ...world, model };
}

test('chunks get their vectors in batches of the size that engines take', async () => {
  const world = await uploaded(2000);
  const { parts, model } = world;
  const { chunks } = parts.store.stats();
  expect(chunks).toBeGreaterThan(2 * MAX_BATCH);
  await world.round();
  expect(parts.store.stats().vectors).toBe(chunks);
  expect(model.asked.slice(0, 2)).toEqual([MAX_BATCH, MAX_BATCH]);
  expect(model.asked.reduce((sum, count) => sum + count, 0)).toBe(chunks);
});

test.each([
  ['may come back', true, [5_000, 10_000, 20_000, 40_000, 80_000, 3_600_000]],
  ['will not', false, [3_600_000, 3_600_000]],
])('an engine that fails and %s is asked again after %s: %j ms', async (_, retryable, waits) => {
  const world = await uploaded(1);
  Object.assign(world.model.state, { isDown: true, retryable });
  const times: number[] = [];
  for (const _wait of [...waits, 0]) {
    await world.round();
    times.push(world.state.nowMs);
  }
  expect(times.slice(1).map((ms, index) => ms - (times[index] ?? 0))).toEqual(waits);
  world.model.state.isDown = false;
  await world.round();
  expect(world.parts.store.stats()).toMatchObject({ vectors: world.parts.store.stats().chunks });
});

test('another model makes all vectors anew', async () => {
  const world = await uploaded(200);
  await world.round();
  const other = embedder('m2');
  world.state.embedder = other.engine;
  const bytes = new TextEncoder().encode('new');
  const file = { key: 'b.txt', type: 'text/plain', bytes, text: 'new', title: '', metadata: {}, waits: true };
  await answerUpload(world.parts, instance, file);
  await world.round();
  const { chunks, vectors } = world.parts.store.stats();
  expect(vectors).toBe(chunks);
  expect(other.asked.reduce((sum, count) => sum + count, 0)).toBe(chunks);
});

test('without an engine nothing waits for vectors', async () => {
  const world = await uploaded(200);
  world.state.embedder = undefined;
  await world.round();
  expect(world.parts.store.stats()).toMatchObject({ completed: 1, vectors: 0 });
});

const query = {
  text: 'zeppelin',
  fusion: 'rrf',
  keywordMode: 'auto',
  threshold: 0.4,
  maxResults: 10,
  expansion: 0,
  boosts: [],
} as const;

test('where the engine fails a hybrid search goes by words if it may, and is refused if not', async () => {
  const world = await uploaded(1);
  const { parts, model } = world;
  await world.round();
  const search = (type: 'hybrid' | 'vector' | 'keyword', returnsOnFailure: boolean) =>
    answerSearch(parts, instance, { ...query, type, returnsOnFailure });
  expect(await search('vector', false)).toMatchObject({ ok: true, chunks: [{ item: { key: 'a.txt' } }] });
  model.state.isDown = true;
  expect(await search('hybrid', true)).toMatchObject({ ok: true, chunks: [{ item: { key: 'a.txt' } }] });
  expect(await search('keyword', false)).toMatchObject({ ok: true, chunks: [{ item: { key: 'a.txt' } }] });
  await expect(search('hybrid', false)).rejects.toMatchObject({ data: { status: 503, reason: 'engine_failed' } });
  await expect(search('vector', true)).rejects.toMatchObject({ data: { status: 503, reason: 'engine_failed' } });
});
