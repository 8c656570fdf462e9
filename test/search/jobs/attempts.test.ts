import { describe, expect, test } from 'vitest';
import { answerOrder, answerUpload } from '../../../src/search/answer-order.ts';
import { UPLOADED } from '../../../src/search/index/item.ts';
import { LEFT_OUT } from '../../../src/search/jobs/parts.ts';
import { MAX_JOB_DEATHS } from '../../../src/search/jobs/crawl.ts';
import { answer, crawlWorld, facts, html, type Served, SITE, sitemap, source, xml } from '../crawl/world.ts';
import { fileOf, instance, uploaded } from './embedding-world.ts';

type World = ReturnType<typeof crawlWorld>;

/** What reading a poison pill is to the object: it never comes to an end. */
const never = new Promise<never>(() => undefined);
/** All that is not kept waiting has happened. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

async function until(isSo: () => boolean): Promise<void> {
  for (let turns = 0; turns < 10_000 && !isSo(); turns += 1) await settled();
  expect(isSo()).toBe(true);
}

/** Begins rounds until the object dies in one, then starts it anew over the same database. */
async function dieOnce(world: World, isDying: () => boolean): Promise<void> {
  for (let rounds = 0; rounds < 20 && !isDying(); rounds += 1) {
    const round = world.round();
    await Promise.race([round, until(isDying)]);
  }
  expect(isDying()).toBe(true);
  world.restart();
}

/** A site with pages at which the object dies. */
function poisoned(pages: Record<string, Served>, ...bad: readonly string[]) {
  let deaths = 0;
  const synced: number[] = [];
  const world = crawlWorld({ '/robots.txt': answer(404), ...pages });
  for (const path of bad)
    world.pages[path] = () => {
      deaths += 1;
      synced.push(world.state.synced);
      return never;
    };
  const asks = (path: string) => world.asked.filter((one) => one.path === path).length;
  return { world, asks, synced, deaths: () => deaths };
}

const listing = (...paths: readonly string[]): Record<string, Served> => ({
  '/sitemap.xml': sitemap(...paths.map((path) => `${SITE}${path}`)),
  ...Object.fromEntries(paths.map((path) => [path, html(`<p>Words of ${path}`)])),
});

describe('B1: what ends the process twice while it is read is left out', () => {
  test('a page of a crawl: the job goes on without it, and says so', async () => {
    const { world, asks, synced, deaths } = poisoned(listing('/a', '/bad', '/b', '/c'), '/bad');
    world.learn(facts());
    for (const count of [1, 2]) await dieOnce(world, () => deaths() === count);
    const job = await world.job();
    expect([job?.endReason, asks('/bad'), world.keys()]).toEqual(['completed', 2, ['/a', '/b', '/bad error', '/c']]);
    expect(world.log(job?.id ?? '')).toContain(`A page could not be read: ${SITE}/bad (${LEFT_OUT})`);
    const items = world.parts.store.listItems({ page: 1, perPage: 10, sortBy: 'modified_at', search: 'bad' }).items;
    expect(items).toMatchObject([{ status: 'error', error: `could not be read: ${LEFT_OUT}` }]);
    expect(synced.every((count) => count > 0)).toBe(true);
  });

  test('a page stays left out of later crawls, and is read again when it is asked for by its name', async () => {
    const { world, asks, deaths } = poisoned(listing('/bad'), '/bad');
    const config = facts();
    world.learn(config);
    for (const count of [1, 2]) await dieOnce(world, () => deaths() === count);
    await world.job();
    await world.job(world.parts.store.addJob({ source: 'user' }).id);
    expect(asks('/bad')).toBe(2);
    world.pages['/bad'] = html('<p>Harmless now');
    const order = { do: 'items.index', instance: config, key: `${SITE}/bad`, waits: true } as const;
    expect(await answerOrder(world.parts, order)).toMatchObject({ result: { status: 'completed' } });
    expect(asks('/bad')).toBe(3);
  });

  test('the page that was being read beside it is kept: after a death each is read by itself', async () => {
    const { world, deaths } = poisoned(listing('/slow', '/bad'), '/bad');
    world.pages['/slow'] = async () => {
      await (deaths() === 0 ? never : settled()); // Still being read at the first death.
      return new Response(html('<p>slow'), { headers: { 'content-type': 'text/html' } });
    };
    world.learn(facts());
    for (const count of [1, 2]) await dieOnce(world, () => deaths() === count);
    await world.job();
    expect(world.keys()).toEqual(['/bad error', '/slow']);
  });

  test.each([
    ['robots.txt', '/robots.txt', 'robots_unreachable', `robots.txt could not be read: ${LEFT_OUT}`],
    ['a sitemap', '/sitemap.xml', 'completed', `A sitemap is not read: ${SITE}/sitemap.xml (${LEFT_OUT})`],
  ])('%s', async (_what, path, endReason, line) => {
    const { world, asks, deaths } = poisoned({ '/': html('<p>start'), '/sitemap_index.xml': xml('<urlset/>') }, path);
    world.learn(facts());
    for (const count of [1, 2]) await dieOnce(world, () => deaths() === count);
    const job = await world.job();
    expect([job?.endReason, asks(path)]).toEqual([endReason, 2]);
    expect(world.log(job?.id ?? '')).toContain(line);
  });

  test('a site whose every page is one: the job ends after a few deaths, and the next crawl waits for a day', async () => {
    const paths = Array.from({ length: 20 }, (_, at) => `/p${at}`);
    const { world, deaths } = poisoned(listing(...paths), ...paths);
    world.learn(facts());
    for (let count = 1; count <= MAX_JOB_DEATHS; count += 1) {
      const before = deaths();
      await dieOnce(world, () => deaths() > before);
    }
    const atAll = deaths();
    const job = await world.job();
    expect([job?.endReason, deaths()]).toEqual(['failed', atAll]);
    expect(world.parts.own.time('next_sync') - world.state.nowMs).toBeGreaterThan(23 * 3_600_000);
  });

  test.each(['a.html', 'a.md', 'a.txt', 'a.json', 'a.pdf'])('an upload: %s', async (key) => {
    const world = crawlWorld({});
    world.learn(instance);
    await answerUpload(world.parts, instance, { ...fileOf('# Some words', key), type: '', waits: false });
    const { sync } = world.tools;
    let deaths = 0;
    world.tools.sync = () => {
      deaths += 1; // The mark is written; what comes next is the file.
      return never;
    };
    for (const count of [1, 2]) {
      world.restart();
      await dieOnce(world, () => deaths === count);
    }
    world.tools.sync = sync;
    world.restart();
    await world.round();
    const item = world.parts.store.itemByKey(UPLOADED, key);
    expect(item).toMatchObject({ status: 'error', error: LEFT_OUT, nextAction: null });
    expect(world.parts.store.logOf(item?.id ?? '', 1)).toMatchObject([{ level: 'error', message: LEFT_OUT }]);
  });

  test('an upload in its place is another file', async () => {
    const world = crawlWorld({});
    world.learn(instance);
    const put = (text: string) => answerUpload(world.parts, instance, { ...fileOf(text), waits: false });
    await put('poison');
    const item = world.parts.store.itemByKey(UPLOADED, 'a.txt');
    for (const _ of [1, 2]) {
      await world.parts.attempts.begin(`file ${item?.id}`);
      world.restart();
    }
    await put('harmless');
    await world.round();
    expect(world.parts.store.itemByKey(UPLOADED, 'a.txt')).toMatchObject({ status: 'completed', error: null });
  });

  test('a chunk whose vector is asked for: it alone is passed over', async () => {
    const { model, ...world } = await uploaded(1_000);
    const { embed } = model.engine;
    let deaths = 0;
    const count = world.parts.store.stats().chunks;
    expect(count).toBeGreaterThan(64);
    model.engine.embed = async (texts, signal) => {
      if (!texts.some((text) => text.includes('zeppelin'))) return embed(texts, signal);
      deaths += 1;
      return never;
    };
    const died = async (nth: number): Promise<void> => {
      const isDead = () => deaths === nth;
      for (let rounds = 0; rounds < 20 && !isDead(); rounds += 1) await Promise.race([world.round(), until(isDead)]);
      world.restart();
    };
    await died(1);
    await died(2);
    for (let rounds = 0; rounds < 20; rounds += 1) await world.round();
    expect([deaths, world.parts.store.stats()]).toMatchObject([2, { chunks: count, vectors: count }]);
  });
});

test('a reading that fails, or is over, is held against nothing', async () => {
  const world = crawlWorld({ '/robots.txt': answer(404), '/sitemap.xml': sitemap(`${SITE}/a`), '/a': answer(500) });
  world.learn(facts({ source: source() }));
  for (let crawls = 0; crawls < 3; crawls += 1) await world.job(world.parts.store.addJob({ source: 'user' }).id);
  expect(world.asked.filter(({ path }) => path === '/a').length).toBeGreaterThanOrEqual(3);
  expect(world.tools.sql.exec('SELECT count(*) AS n FROM attempt').toArray()).toEqual([{ n: 0 }]);
});
