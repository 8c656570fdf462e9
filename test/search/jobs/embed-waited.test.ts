import { afterEach, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import { answerOrder, answerUpload, answerSearch } from '../../../src/search/answer-order.ts';
import { UPLOADED } from '../../../src/search/index/item.ts';
import { type Embedder, MAX_EMBEDDING_BATCH } from '../../../src/models/port.ts';
import { searchQuery } from '../../support/management/search-made.ts';
import { crawlWorld, facts, html, SITE } from '../crawl/world.ts';
import { embedder, fileOf, instance, uploaded } from './embedding-world.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const query = { ...searchQuery('zeppelin'), returnsOnFailure: false };

function waiting() {
  const [world, model] = [crawlWorld({}), embedder()];
  world.learn(instance);
  world.state.embedder = model.engine;
  const put = (text: string, key = 'a.txt') =>
    answerUpload(world.parts, instance, fileOf(text, key)) as Promise<{ result: JsonObject }>;
  const upload = (words: number, key = 'a.txt') => put(`${'word '.repeat(words)}zeppelin`, key);
  const sync = () => {
    const itemId = world.parts.store.itemByKey(UPLOADED, 'a.txt')?.id ?? '';
    return answerOrder(world.parts, { do: 'items.index', instance, waits: true, itemId });
  };
  const failures = () => [world.parts.own.word('embed_failures'), world.parts.own.time('embed_after')];
  /** Another engine of the same model. */
  const answers = (embed: Embedder['embed']) => void (world.state.embedder = { ...model.engine, embed });
  return { ...world, model, put, upload, sync, failures, answers };
}

const byVector = async ({ parts }: ReturnType<typeof waiting>, threshold = 0) => {
  const found = await answerSearch(parts, instance, { ...query, type: 'vector', threshold });
  return found.ok ? found.chunks.map(({ item }) => item.key) : [];
};

/** Time that only `pass` moves, for signals that time out as well. */
function clockOf(state: { nowMs: number }) {
  const timers: { atMs: number; abort: () => void }[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController();
    timers.push({ atMs: state.nowMs + ms, abort: () => controller.abort() });
    return controller.signal;
  });
  /** @param signal that ends it sooner */
  return (ms: number, signal?: AbortSignal): void => {
    const untilMs = state.nowMs + ms;
    const due = timers.filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs);
    for (const { atMs, abort } of due) {
      if (signal?.aborted) return;
      state.nowMs = Math.max(state.nowMs, atMs);
      abort();
    }
    if (!signal?.aborted) state.nowMs = untilMs;
  };
}

/** All that is not kept waiting has happened. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await settled();
}

test('who waits gets an item that is found by vector, the longest as well, and the engine is asked no more', async () => {
  const world = waiting();
  expect((await world.upload(20_000)).result).toMatchObject({ status: 'completed' });
  const { chunks, vectors } = world.parts.store.stats();
  expect([vectors, chunks > 20 * MAX_EMBEDDING_BATCH]).toEqual([chunks, true]);
  expect(await byVector(world)).not.toEqual([]);
  const asked = world.model.asked.length;
  await world.round();
  expect(world.model.asked).toHaveLength(asked);
});

test.each(['sync', 'createOrUpdate'])('who waits for an item to be indexed anew by %s gets the same', async (how) => {
  const world = waiting();
  await world.upload(1);
  world.parts.store.dropVectors();
  const itemId = world.parts.store.itemByKey(UPLOADED, 'a.txt')?.id ?? '';
  const asked = how === 'sync' ? { itemId } : { key: 'a.txt' };
  const order = { do: 'items.index', instance, waits: true, ...asked } as const;
  expect(await answerOrder(world.parts, order)).toMatchObject({ result: { status: 'completed' } });
  expect(await byVector(world)).toEqual(['a.txt']);
});

test('who waits is told of the item as it is where the engine fails, and the engine is left alone then', async () => {
  const world = waiting();
  world.model.state.isDown = true;
  expect((await world.upload(1)).result).toMatchObject({ status: 'completed', chunks_count: 1 });
  expect(world.parts.store.stats()).toMatchObject({ vectors: 0 });
  expect((await world.upload(2)).result).toMatchObject({ status: 'completed' });
  expect(world.model.asked).toHaveLength(1);
  const found = await answerSearch(world.parts, instance, query);
  expect(found).toMatchObject({ chunks: [{ item: { key: 'a.txt' } }] });
});

test('an engine that fails is asked once, however many wait', async () => {
  const world = waiting();
  let asked = 0;
  world.answers(async () => {
    asked += 1;
    await until(() => world.parts.embedding.waiting === 3);
    return { ok: false, detail: 'status 500', retryable: true };
  });
  await Promise.all(['a.txt', 'b.txt', 'c.txt'].map((key) => world.upload(1, key)));
  expect(asked).toBe(1);
});

test('nobody waits longer than 40 s: the question is broken off, which is no failure, and the rest comes with the rounds', async () => {
  const world = waiting();
  const pass = clockOf(world.state);
  world.answers(async (texts, signal) => {
    pass(15_000, signal);
    return signal.aborted ? { ok: false, detail: 'timeout', retryable: true } : world.model.engine.embed(texts, signal);
  });
  const fromMs = world.state.nowMs;
  expect((await world.upload(4_000)).result).toMatchObject({ status: 'completed' });
  expect(world.state.nowMs).toBe(fromMs + 40_000);
  await settled();
  expect(world.failures()).toEqual(['', 0]);
  const { chunks, vectors } = world.parts.store.stats();
  expect([vectors, chunks > vectors]).toEqual([2 * MAX_EMBEDDING_BATCH, true]);
  await world.round();
  expect(world.parts.store.stats()).toMatchObject({ vectors: chunks });
});

test.each([
  ['refuses late in the 40 s', [25_000, 1_000]],
  ['has not answered in 30 s', [30_000]],
])('an engine that %s has failed, and is left alone', async (_, times) => {
  const world = waiting();
  const pass = clockOf(world.state);
  let asked = 0;
  world.answers(async (texts, signal) => {
    asked += 1;
    pass(times[asked - 1] ?? 0, signal);
    if (asked < times.length) return world.model.engine.embed(texts, signal);
    return { ok: false, detail: 'status 429', retryable: true };
  });
  await world.upload(4_000);
  expect(asked).toBe(times.length);
  expect(world.failures()).toEqual(['1', world.state.nowMs + 5_000]);
});

test('a turn that does not come is waited for 40 s', async () => {
  const world = await uploaded(1);
  const pass = clockOf(world.state);
  let asked = 0;
  world.state.embedder = {
    ...world.model.engine,
    embed: async () => {
      asked += 1;
      return new Promise(() => undefined);
    },
  };
  void world.round();
  await until(() => asked === 1);
  let isDone = false;
  const upload = answerUpload(world.parts, instance, fileOf('new', 'b.txt')).then((answer) => {
    isDone = true;
    return answer;
  });
  await until(() => world.parts.embedding.waiting === 1);
  pass(39_999);
  await settled();
  expect(isDone).toBe(false);
  pass(1);
  expect(await upload).toMatchObject({ result: { key: 'b.txt', status: 'completed' } });
  expect([asked, world.parts.embedding.waiting]).toEqual([1, 0]);
});

test('for another item nobody is kept waiting by those that have no vectors yet', async () => {
  const world = await uploaded(2_000);
  await answerUpload(world.parts, instance, fileOf('new', 'b.txt'));
  expect(world.model.asked).toEqual([1]);
});

test('an item that goes on waiting to be indexed has nothing embedded of what it was', async () => {
  const [world, model] = [crawlWorld({ '/': html('<p>zeppelin') }), embedder()];
  const crawled = facts({ vector: true });
  world.learn(crawled);
  await world.job();
  world.state.embedder = model.engine;
  world.state.busyS = 5;
  const order = { do: 'items.index', instance: crawled, waits: true, key: `${SITE}/` } as const;
  expect(await answerOrder(world.parts, order)).toMatchObject({ result: { status: 'queued', chunks_count: 1 } });
  expect(model.asked).toEqual([]);
});

/**
 * The engine takes a moment for each question, and answers none before `callers` wait: to index an item again drops the
 * vectors that it has by then.
 */
function slowly(world: ReturnType<typeof waiting>, callers: number) {
  const seen = { running: 0, most: 0 };
  let isOpen = false;
  world.answers(async (texts, signal) => {
    seen.running += 1;
    seen.most = Math.max(seen.most, seen.running);
    await settled();
    if (!isOpen) await until(() => world.parts.embedding.waiting === callers);
    isOpen = true;
    seen.running -= 1;
    return world.model.engine.embed(texts, signal);
  });
  return seen;
}
const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

test.each([
  ['a round', 0],
  ['7 others', 7],
])('an upload beside %s has each chunk embedded once, one question after another', async (_, callers) => {
  const world = waiting();
  const seen = slowly(world, 1 + callers);
  const upload = world.upload(2_000);
  await until(() => seen.running === 1);
  const others = callers === 0 ? [world.round()] : Array.from({ length: callers }, () => world.sync());
  await Promise.all([upload, ...others]);
  const { chunks, vectors } = world.parts.store.stats();
  expect([vectors, sum(world.model.asked), seen.most]).toEqual([chunks, chunks, 1]);
});

test('eight wait at once; one more is told of its item as it is', async () => {
  const world = waiting();
  const free: (() => void)[] = [];
  world.answers(async (texts, signal) => {
    await new Promise<void>((resolve) => void free.push(resolve));
    return world.model.engine.embed(texts, signal);
  });
  const uploads = Array.from({ length: 8 }, (_, at) => world.upload(1, `${at}.txt`));
  await until(() => world.parts.embedding.waiting === 8);
  expect((await world.upload(1, 'more.txt')).result).toMatchObject({ status: 'completed' });
  expect(world.parts.store.itemByKey(UPLOADED, 'more.txt')).toMatchObject({ chunks: 1, vectors: 0 });
  const all = Promise.all(uploads);
  for (let at = 0; at < 8; at += 1) {
    await until(() => free.length > at);
    free[at]?.();
  }
  await all;
  expect([world.parts.store.stats().vectors, world.parts.embedding.waiting]).toEqual([8, 0]);
});

test.each(['replaced', 'deleted'])(
  'a text that is %s while the engine answers leaves its vectors to no other',
  async (how) => {
    const world = waiting();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let asked = 0;
    world.answers(async (texts, signal) => {
      asked += 1;
      if (asked === 1) await held;
      return world.model.engine.embed(texts, signal);
    });
    const first = world.put('zeppelin').catch((error: unknown) => error);
    await until(() => asked === 1);
    if (how === 'deleted') world.parts.store.removeItem(world.parts.store.itemByKey(UPLOADED, 'a.txt')?.id ?? '');
    const second = world.put('banana', how === 'deleted' ? 'b.txt' : 'a.txt');
    await until(() => world.parts.embedding.waiting === 2);
    release();
    await Promise.all([first, second]);
    expect(world.parts.store.stats()).toMatchObject({ chunks: 1, vectors: 1 });
    expect(await byVector(world, 0.9)).toEqual([]);
  },
);
