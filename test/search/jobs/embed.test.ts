import { searchQuery } from '../../support/management/search-made.ts';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import { answerOrder, answerUpload, answerSearch } from '../../../src/search/answer-order.ts';
import { type Embedder, MAX_EMBEDDING_BATCH } from '../../../src/models/port.ts';
import { computeNextRoundMs } from '../../../src/search/jobs/run-due-jobs.ts';
import { embedder, fileOf, instance, uploaded } from './embedding-world.ts';

const query = searchQuery('zeppelin');

test('chunks get their vectors in batches of the size that engines take', async () => {
  const world = await uploaded(2000);
  const { parts, model } = world;
  const { chunks } = parts.store.stats();
  expect(chunks).toBeGreaterThan(2 * MAX_EMBEDDING_BATCH);
  await world.round();
  expect(parts.store.stats().vectors).toBe(chunks);
  expect(model.asked.slice(0, 2)).toEqual([MAX_EMBEDDING_BATCH, MAX_EMBEDDING_BATCH]);
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
  await answerUpload(world.parts, instance, fileOf('new', 'b.txt'));
  await world.round();
  const { chunks, vectors } = world.parts.store.stats();
  expect(vectors).toBe(chunks);
  expect(other.asked.reduce((sum, count) => sum + count, 0)).toBe(chunks);
});

test('statistics tell how many numbers a vector has, once there is one', async () => {
  const world = await uploaded(1);
  const engine = async () =>
    ((await answerOrder(world.parts, { do: 'stats', instance })) as { result: JsonObject }).result['engine'];
  expect(await engine()).toMatchObject({ vectorize: { dimensions: 0, vectorsCount: 0 } });
  await world.round();
  expect(await engine()).toMatchObject({ vectorize: { dimensions: 2, vectorsCount: 1 } });
});

test('without an engine nothing waits for vectors', async () => {
  const world = await uploaded(200);
  world.state.embedder = undefined;
  await world.round();
  expect(world.parts.store.stats()).toMatchObject({ completed: 1, vectors: 0 });
});

test.each([
  [{ keyword: true, vector: true }, ['keyword_rank', 'vector_rank']],
  [{ keyword: true, vector: false }, ['keyword_rank']],
  [{ keyword: false, vector: true }, ['vector_rank']],
])('a search that is hybrid for several instances is of an instance with %j what it has: %j', async (method, parts) => {
  const world = await uploaded(1);
  await world.round();
  const own = { ...instance, config: { ...instance.config, ...method } };
  const found = await answerSearch(world.parts, own, { ...query, type: 'hybrid', returnsOnFailure: false });
  const [first] = found.ok ? found.chunks : [];
  expect(first?.item.key).toBe('a.txt');
  const ranks = Object.keys(first?.scoring ?? {}).filter((name) => name.endsWith('_rank'));
  expect(ranks.toSorted()).toEqual(parts);
});

test('an instance of vectors alone is not searched by words where there is no engine', async () => {
  const world = await uploaded(1);
  world.state.embedder = undefined;
  const own = { ...instance, config: { ...instance.config, keyword: false } };
  const found = answerSearch(world.parts, own, { ...query, type: 'hybrid', returnsOnFailure: true });
  await expect(found).rejects.toMatchObject({ data: { status: 503, reason: 'engine_not_configured' } });
});

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

/** The same model, by its name, with one number more. */
const longer: Embedder = {
  ...embedder().engine,
  embed: async (texts) => Promise.resolve({ ok: true, vectors: texts.map(() => Float32Array.of(1, 1, 1)) }),
};

test.each([
  ['another model', embedder('m2').engine],
  ['vectors of another length', longer],
])('with %s the vectors that are kept are not used, and made anew at once', async (_, engine) => {
  const world = await uploaded(1);
  await world.round();
  world.state.embedder = engine;
  const search = (type: 'hybrid' | 'vector') =>
    answerSearch(world.parts, instance, { ...query, type, returnsOnFailure: false });
  await expect(search('vector')).rejects.toMatchObject({ data: { status: 503, reason: 'index_out_of_date' } });
  const found = await search('hybrid');
  expect(found).toMatchObject({ ok: true, chunks: [{ item: { key: 'a.txt' }, scoring: { keyword_rank: 1 } }] });
  expect(computeNextRoundMs(world.parts)).toBe(0);
  await world.round();
  expect(world.parts.store.stats()).toMatchObject({ vectors: 1 });
  expect(await search('vector')).toMatchObject({ ok: true });
});

test('a chunk that the engine refuses is passed over, and the others get their vectors', async () => {
  const world = await uploaded(500);
  const { embed } = world.model.engine;
  world.state.embedder = {
    ...world.model.engine,
    embed: async (texts, signal) =>
      texts.some((text) => text.includes('zeppelin'))
        ? { ok: false, detail: 'status 400', retryable: false }
        : embed(texts, signal),
  };
  for (let round = 0; round < 3; round += 1) await world.round();
  const { chunks, vectors } = world.parts.store.stats();
  expect(vectors).toBe(chunks);
  const refused = world.parts.store.search(
    { ...query, type: 'vector', returnsOnFailure: false },
    Float32Array.of(1, 1),
  );
  expect(refused.some(({ text }) => text.includes('zeppelin'))).toBe(false);
  expect(refused.length).toBeGreaterThan(0);
});

test('an engine whose settings are wrong is none: calls and rounds go on, and the log says so once', async () => {
  const world = await uploaded(1);
  const lines: unknown[] = [];
  world.tools.log = (line) => void lines.push(line);
  world.tools.embedder = () => {
    throw new Error('bad setting');
  };
  await world.round();
  const search = answerSearch(world.parts, instance, { ...query, type: 'vector', returnsOnFailure: false });
  await expect(search).rejects.toMatchObject({ data: { reason: 'engine_not_configured' } });
  expect(
    await answerSearch(world.parts, instance, { ...query, type: 'hybrid', returnsOnFailure: false }),
  ).toMatchObject({
    chunks: [{ item: { key: 'a.txt' } }],
  });
  expect(lines).toEqual([{ event: 'search.embedder.unusable' }]);
});
