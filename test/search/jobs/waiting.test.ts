import { describe, expect, test } from 'vitest';
import { allowLoopbackExcept } from '../../../src/net/address-policy.ts';
import { answerOrder, answerUpload } from '../../../src/search/answer-order.ts';
import { computeNextRoundMs } from '../../../src/search/jobs/run-due-jobs.ts';
import { answer, crawlWorld, facts, html, SITE, source } from '../crawl/world.ts';

const instance = facts({ source: source(), isPaused: true });

/** An object that crawls nothing of its own accord, and how many places at the gate it has while it reads. */
function waiting(config = instance) {
  const places: number[] = [];
  const world = crawlWorld({
    '/a': () => {
      places.push(world.state.inside);
      return new Response(html('<p>A rare zeppelin'), { headers: { 'content-type': 'text/html' } });
    },
    '/b': html('<p>b'),
  });
  world.learn(config);
  const index = async (path: string, waits: boolean) => {
    const told = await answerOrder(world.parts, { do: 'items.index', instance: config, key: `${SITE}${path}`, waits });
    return told.ok ? told.result : told.refusal;
  };
  const statuses = () =>
    world.parts.store
      .listItems({ page: 1, perPage: 100, sortBy: 'modified_at' })
      .items.map(({ key, status }) => `${key.replace(SITE, '')} ${status}`)
      .toSorted();
  return { world, places, index, statuses };
}

describe('F6: a page that is asked for by its address', () => {
  test('is read at a place in front of its host, which is given back', async () => {
    const { world, places, index } = waiting();
    expect(await index('/a', true)).toMatchObject({ status: 'completed' });
    expect([places, world.state.inside]).toEqual([[1], 0]);
  });

  test('gives the place back where the page cannot be read', async () => {
    const { world, index } = waiting();
    world.pages['/a'] = answer(500);
    expect(await index('/a', true)).toMatchObject({ status: 'error' });
    expect(world.state.inside).toBe(0);
  });

  test('waits while others are reading the host, whoever asks, and is read after that', async () => {
    const { world, index, statuses } = waiting();
    world.state.busyS = 10;
    expect(await index('/a', true)).toMatchObject({ status: 'queued', next_action: 'INDEX' });
    expect(await index('/b', false)).toMatchObject({ status: 'queued' });
    const id = world.parts.store.waitingItems(1)[0]?.id ?? '';
    expect(world.parts.store.logOf(id, 1)).toMatchObject([{ message: 'Others are reading this host: on in 10 s' }]);
    const dueMs = world.state.nowMs + 10_000;
    expect(computeNextRoundMs(world.parts)).toBe(dueMs);
    expect(world.asked).toEqual([]);
    world.state.busyS = 0;
    await world.round();
    expect(world.state.nowMs).toBeGreaterThanOrEqual(dueMs);
    expect(statuses()).toEqual(['/a completed', '/b completed']);
  });

  test('takes one place for all that wait', async () => {
    const { world, places, index } = waiting();
    await index('/a', false);
    await index('/b', false);
    let entered = 0;
    const { enter } = world.tools;
    world.tools.enter = (...about) => {
      entered += 1;
      return enter(...about);
    };
    await world.round();
    expect([entered, places, world.state.inside]).toEqual([1, [1], 0]);
  });

  test('holds up no upload, however many wait: that needs no site', async () => {
    const { world, index, statuses } = waiting();
    world.state.busyS = 10;
    for (let at = 0; at < 20; at += 1) await index(`/p${at}`, false); // As many as one round indexes.
    await index('/a', true);
    const text = 'A file.';
    const file = { key: 'a.txt', type: 'text/plain', bytes: new TextEncoder().encode(text), text, title: '' };
    await answerUpload(world.parts, instance, { ...file, metadata: {}, waits: false });
    expect(computeNextRoundMs(world.parts)).toBe(0);
    await world.round();
    expect(statuses()).toContain('a.txt completed');
    expect(statuses().filter((status) => status.endsWith(' queued'))).toHaveLength(21);
    expect(world.asked).toEqual([]);
  });

  test('of a host of our own needs no place', async () => {
    const url = 'http://127.0.0.1:8080/';
    const own = facts({ source: source({ url }), isPaused: true });
    const world = crawlWorld({ [`${url}a`]: html('<p>a') }, allowLoopbackExcept([]));
    world.learn(own);
    world.state.busyS = 10;
    const order = { do: 'items.index', instance: own, key: `${url}a`, waits: true } as const;
    expect(await answerOrder(world.parts, order)).toMatchObject({ result: { status: 'completed' } });
  });
});

test('an upload that waits has the metadata that was sent with it, where the fields are those of pages too', async () => {
  const fields = facts({ source: source(), isPaused: true, metadata: [{ name: 'category', type: 'text' }] });
  const { world, statuses } = waiting(fields);
  const text = html('<p>A file.', '<title>t</title><meta name="category" content="page">');
  const file = { key: 'a.html', type: 'text/html', bytes: new TextEncoder().encode(text), text, title: '' };
  await answerUpload(world.parts, fields, { ...file, metadata: { category: 'sent', note: 1 }, waits: false });
  expect(statuses()).toEqual(['a.html queued']);
  await world.round();
  expect(statuses()).toEqual(['a.html completed']);
  expect(world.parts.store.itemByKey('builtin', 'a.html')?.metadata).toEqual({ category: 'sent', note: 1 });
});
