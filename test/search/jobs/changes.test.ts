import { describe, expect, test } from 'vitest';
import type { MetadataField } from '../../../src/search/order.ts';
import { answerOrder } from '../../../src/search/answer-order.ts';
import { computeNextRoundMs } from '../../../src/search/jobs/run-due-jobs.ts';
import { rememberClock } from '../../../src/search/jobs/sync.ts';
import { crawlWorld, facts, html, source } from '../crawl/world.ts';
import { writeFormerStore } from '../index/former.ts';
import { asked } from '../index/support-data.ts';

describe('a job of a changed instance', () => {
  const text = (name: string): MetadataField => ({ name, type: 'text' });
  const changes = {
    fields: (count: number) => facts({ metadata: [text(`f${count}`)] }),
    website: (count: number) => facts({ source: source({ exclude: [`/x${count}`] }) }),
  };

  test.each(Object.entries(changes))('waits until 30 s after the last one: %s', async (_, changed) => {
    const world = crawlWorld({ '/': html('<p>a') });
    world.learn(changed(0));
    const fromMs = (await world.job())?.createdMs ?? 0;
    for (let count = 1; count <= 30; count += 1) {
      world.learn(changed(count));
      expect(world.parts.store.openJobs()).toEqual([]);
      world.state.nowMs += 500;
    }
    await world.round();
    const times = world.parts.store.listJobs(1, 100).jobs.map(({ createdMs }) => createdMs - fromMs);
    expect(times).toEqual([30_000, 0]);
  });

  test('is one of 12 an hour, and begins when there is room', async () => {
    const world = crawlWorld({});
    const fromMs = world.state.nowMs;
    const times = () => world.parts.store.listJobs(1, 100).jobs.map(({ createdMs }) => createdMs - fromMs);
    for (let count = 0; count < 12; count += 1) {
      world.learn(changes.fields(count));
      await world.job(world.parts.store.openJobs()[0]?.id);
      world.state.nowMs += 60_000;
    }
    expect(times()).toHaveLength(12);
    const create = () => answerOrder(world.parts, { do: 'jobs.create', instance: changes.fields(11) });
    await expect(create()).rejects.toMatchObject({ data: { reason: 'sync_in_cooldown' } });
    world.learn(changes.fields(12));
    expect(times()).toHaveLength(12);
    await world.round();
    expect(times()[0]).toBe(3_600_000);
  });

  test('is none where its fields are the same in another order', async () => {
    const world = crawlWorld({ '/': html('<p>a') });
    const number: MetadataField = { name: 'a', type: 'number' };
    const due = (...metadata: MetadataField[]): boolean => {
      const beforeMs = world.parts.own.time('next_sync');
      expect(world.learn(facts({ metadata }))).toBe(true);
      return world.parts.own.time('next_sync') < beforeMs;
    };
    world.learn(facts({ metadata: [text('a'), text('b')] }));
    await world.job();
    expect(due(text('b'), text('a'))).toBe(false);
    expect(due(text('b'), number)).toBe(true);
  });
});

describe('jobs of a sandbox count by its clock', () => {
  const create = (world: ReturnType<typeof crawlWorld>, clockMs?: number) =>
    answerOrder(world.parts, { do: 'jobs.create', instance: facts(), ...(clockMs !== undefined && { clockMs }) });
  const refused = { data: { reason: 'sync_in_cooldown' } };
  /** A world whose first job has ended, and whose tenant's clock is that far ahead. */
  const begun = async (aheadMs: number) => {
    const world = crawlWorld({ '/': html('<p>a') });
    rememberClock(world.parts, world.state.nowMs + aheadMs);
    const clockMs = world.state.nowMs + aheadMs;
    world.learn(facts());
    await world.job();
    return { world, clockMs };
  };

  test.each([0, -86_400_000, 86_400_000])('which is %i ms ahead', async (aheadMs) => {
    const { world, clockMs } = await begun(aheadMs);
    // What the job took is no part of it: the clock is frozen.
    expect(world.state.nowMs + aheadMs).toBeGreaterThan(clockMs);
    await expect(create(world, clockMs + 29_999)).rejects.toMatchObject(refused);
    await create(world, clockMs + 30_000);
    await world.job();
    await expect(create(world, clockMs + 59_999)).rejects.toMatchObject(refused);
    await create(world, clockMs + 60_000);
    expect(world.parts.store.listJobs(1, 10).total).toBe(3);
  });

  test.each([
    ['an hour later by the real one', (clockMs: number) => clockMs - 86_400_000 + 3_600_000],
    ['years before', () => 1_577_836_800_000],
  ])('a clock that goes back to %s locks nothing', async (_what, back) => {
    const { world, clockMs } = await begun(86_400_000);
    const backMs = back(clockMs);
    await create(world, backMs);
    await world.job();
    await expect(create(world, backMs + 29_999)).rejects.toMatchObject(refused);
    await create(world, backMs + 30_000);
  });

  test('the thirteenth within an hour of that clock is refused, and one later is not', async () => {
    const { world, clockMs } = await begun(0);
    for (let count = 1; count < 12; count += 1) {
      await create(world, clockMs + count * 30_000);
      await world.job();
    }
    await expect(create(world, clockMs + 3_599_999)).rejects.toMatchObject(refused);
    await create(world, clockMs + 3_600_000);
  });

  test('a live tenant waits by the real one', async () => {
    const world = crawlWorld({ '/': html('<p>a') });
    world.learn(facts());
    const beginMs = world.state.nowMs;
    await world.job();
    world.state.nowMs = beginMs + 29_999;
    await expect(create(world)).rejects.toMatchObject(refused);
    world.state.nowMs = beginMs + 30_000;
    await create(world);
  });
});

test('words that an earlier version wrote are written anew by a round, at once', async () => {
  const world = crawlWorld({});
  for (const table of ['meta', 'item', 'piece', 'chunk', 'vector', 'total', 'job', 'log', 'word_porter'])
    world.tools.sql.exec(`DROP TABLE ${table}`);
  writeFormerStore(Object.fromEntries(Array.from({ length: 1_200 }, (_, at) => [`k${at}`, `word n${at}`])))(
    world.tools,
  );
  world.restart();
  const { source: _none, ...config } = facts().config;
  world.learn({ ...facts(), config });
  expect(world.parts.store.formerTokenizer()).toBe('porter');
  expect(computeNextRoundMs(world.parts)).toBe(0);
  await world.round();
  expect(world.parts.store.formerTokenizer()).toBeUndefined();
  expect(computeNextRoundMs(world.parts)).toBeGreaterThan(world.state.nowMs);
  expect(world.parts.store.search(asked('n1100')).map(({ item }) => item.key)).toEqual(['k1100']);
});
