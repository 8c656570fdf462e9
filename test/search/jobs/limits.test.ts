import { describe, expect, test } from 'vitest';
import type { InstanceFacts } from '../../../src/search/order.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { answerOrder } from '../../../src/search/answer-order.ts';
import { computeNextRoundMs, runDueJobs } from '../../../src/search/jobs/run-due-jobs.ts';
import { answer, crawlWorld, facts, html, links, SITE, sitemap, source, xml } from '../crawl/world.ts';

const XML = { headers: { 'content-type': 'application/xml' } };
const MAP = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${SITE}/p0</loc></url></urlset>`;

const paused = facts({ source: source(), isPaused: true });
const paths = (count: number) => Array.from({ length: count }, (_, index) => `/p${index}`);
const texts = (count: number) => Object.fromEntries(paths(count).map((path) => [path, html(`<p>${path}`)]));
const listed = (count: number) => sitemap(...paths(count).map((path) => SITE + path));

function crawling(pages: Parameters<typeof crawlWorld>[0], changes = {}) {
  const world = crawlWorld(pages);
  world.learn(facts({ source: source(changes), isPaused: true }));
  return world;
}

function paging(pages: Parameters<typeof crawlWorld>[0], config = paused) {
  const world = crawlWorld(pages);
  world.learn(config);
  const index = (path: string, waits = true) =>
    answerOrder(world.parts, { do: 'items.index', instance: config, key: SITE + path, waits });
  return { world, index };
}

describe('a page that is asked for by its address', () => {
  test('is never read where robots.txt forbids it', async () => {
    const { world, index } = paging({ '/robots.txt': answer(200, 'User-agent: *\nDisallow: /p'), ...texts(1) });
    expect(await index('/p0')).toMatchObject({ result: { error: 'robots_disallowed: robots.txt forbids this page' } });
    expect(world.asked.map(({ path }) => path)).toEqual(['/robots.txt']);
  });

  test.each([
    [{ exclude: ['/p*'] }, 0],
    [{ include: ['/docs/**'] }, 0],
    [{ include: ['/p*'] }, 2],
  ])('is read only where the globs of the source want it: %j', async (globs, asked) => {
    const { world, index } = paging(texts(1), facts({ source: source(globs), isPaused: true }));
    await index('/p0');
    expect(world.asked).toHaveLength(asked);
  });

  test('is not followed off the host, nor to what robots.txt forbids or the globs leave out', async () => {
    const config = facts({ source: source({ exclude: ['/out'] }), isPaused: true });
    const { world, index } = paging(
      {
        '/robots.txt': answer(200, 'User-agent: *\nDisallow: /no'),
        '/a': answer(302, '', { location: 'https://other.example/' }),
        '/b': answer(302, '', { location: '/no' }),
        '/c': answer(302, '', { location: '/out' }),
        '/out': html('<p>left out'),
      },
      config,
    );
    for (const path of ['/a', '/b', '/c']) expect(await index(path)).toMatchObject({ result: { status: 'error' } });
    const asked = world.asked.map(({ path }) => path);
    expect(asked).not.toContain('https://other.example/');
    expect(asked).not.toContain('/no');
    expect(world.parts.store.stats().chunks).toBe(0);
  });

  test.each([
    ['', 100],
    ['User-agent: *\nCrawl-delay: 5', 5000],
  ])('F6: is read with the pauses of its site: %j', async (robots, gapMs) => {
    const { world, index } = paging({ '/robots.txt': answer(200, robots), ...texts(4) });
    await Promise.all(paths(4).map((path) => index(path)));
    const times = world.asked.filter(({ path }) => path !== '/robots.txt').map(({ atMs }) => atMs);
    expect(times).toHaveLength(4);
    expect(Math.min(...times.slice(1).map((ms, at) => ms - (times[at] ?? 0)))).toBeGreaterThanOrEqual(gapMs);
  });

  test('waits where its turn is far off, without an alarm before', async () => {
    const { world, index } = paging({ '/robots.txt': answer(200, 'User-agent: *\nCrawl-delay: 10'), ...texts(8) });
    for (const path of paths(8)) await index(path, false);
    await world.round();
    expect(computeNextRoundMs(world.parts)).toBeGreaterThan(world.state.nowMs);
    for (let round = 0; round < 4; round += 1) await world.round();
    expect(world.parts.store.stats()).toMatchObject({ completed: 8 });
  });

  test('is one of 50 a minute', async () => {
    const { world, index } = paging({});
    for (const path of paths(50)) await index(path, false);
    await expect(index('/more', false)).rejects.toMatchObject({
      data: { status: 429, reason: 'too_many_pages', retryAfterS: 60 },
    });
    world.state.nowMs += 60_000;
    expect(await index('/more', false)).toMatchObject({ ok: true });
  });

  test('is read once, though a call and the alarm come to it together', async () => {
    const { world, index } = paging(texts(1));
    await Promise.all([index('/p0'), runDueJobs(world.parts)]);
    expect(world.asked.map(({ path }) => path)).toEqual(['/robots.txt', '/p0']);
  });

  test.each([
    ['may not be indexed', html('<p>secret', '<title>t</title><meta name=robots content=noindex>')],
    ['is gone', answer(410)],
  ])('is found no more where it %s', async (_, served) => {
    const { world, index } = paging({ '/a': html('<p>secret') });
    await index('/a');
    expect(world.parts.store.stats().chunks).toBe(1);
    world.pages['/a'] = served;
    expect(await index('/a')).toMatchObject({ result: { status: 'error', next_action: null } });
    expect(world.parts.store.stats().chunks).toBe(0);
  });

  test('that is deleted meanwhile stays deleted', async () => {
    const { world, index } = paging({});
    world.pages['/a'] = () => {
      const [item] = world.parts.store.waitingItems(1);
      world.parts.store.removeItem(item?.id ?? '');
      return new Response(html('<p>late'), { headers: { 'content-type': 'text/html' } });
    };
    await expect(index('/a')).rejects.toMatchObject({ data: { status: 404 } });
    expect(world.parts.store.stats().items).toBe(0);
  });

  test('goes on waiting where the gate cannot be asked', async () => {
    const { world, index } = paging(texts(1));
    const { enter } = world.tools;
    world.tools.enter = () => Promise.reject(new Error('gate down'));
    expect(await index('/p0')).toMatchObject({ result: { status: 'queued' } });
    expect(computeNextRoundMs(world.parts)).toBe(world.state.nowMs + 10_000);
    world.tools.enter = enter;
    await world.round();
    expect(world.parts.store.stats()).toMatchObject({ completed: 1 });
  });
});

describe('nothing is deleted', () => {
  test.each([
    ['says 503', answer(503)],
    ['says 429', answer(429)],
    ['does not answer', () => Promise.reject(new TypeError('reset'))],
    ['is cut', answer(200, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${SITE}/p0</loc>`)],
    ['has too many pages', listed(5001)],
  ])('where a sitemap at its usual place %s', async (_, served) => {
    const world = crawling({ '/sitemap.xml': listed(3), ...texts(3) }, { discover: false });
    await world.job();
    world.pages['/sitemap.xml'] = served;
    // A page that no list of these names.
    world.parts.store.putItem(
      {
        source: 'web-crawler:https://example.com',
        key: `${SITE}/old`,
        status: 'completed',
        type: 'text/html',
        title: '',
        metadata: {},
        checksum: 'x',
        size: 0,
      },
      [],
    );
    const job = await world.job(await world.begin());
    expect(world.keys()).toEqual(expect.arrayContaining(['/old', '/p0', '/p1', '/p2']));
    expect(world.log(job?.id ?? '').join()).toMatch(/A sitemap could not be read|a part of it is read/);
  });

  const index = (...urls: string[]) =>
    xml(
      `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls
        .map((url) => `<sitemap><loc>${SITE}${url}</loc></sitemap>`)
        .join('')}</sitemapindex>`,
    );
  const maps = paths(60).map((path) => `${path}.xml`);
  test.each([
    ['too many', { '/sitemap.xml': index(...maps) }, 50],
    [
      'nested too deep',
      Object.fromEntries(['/sitemap.xml', ...maps].map((path, at) => [path, index(`/p${at}.xml`)])),
      6,
    ],
  ])('where sitemaps are %s', async (why, pages, asked) => {
    const world = crawling({ '/old': html('<p>old'), '/sitemap.xml': sitemap(`${SITE}/old`) }, { discover: false });
    await world.job();
    Object.assign(world.pages, pages);
    const from = world.asked.length;
    const job = await world.job(await world.begin());
    expect(world.keys()).toContain('/old');
    expect(world.log(job?.id ?? '').join()).toContain(why);
    expect(world.asked.slice(from).filter(({ path }) => path.endsWith('.xml'))).toHaveLength(asked);
  });
});

describe('the limit of pages', () => {
  test('ends a job as such, and keeps the pages that are indexed, however a sitemap is turned', async () => {
    const world = crawling({ '/sitemap.xml': listed(30), ...texts(30) }, { discover: false, maxPages: 10 });
    expect(await world.job()).toMatchObject({ endReason: 'page_limit' });
    const before = world.keys();
    expect(before).toHaveLength(10);
    world.pages['/sitemap.xml'] = sitemap(
      ...paths(30)
        .map((path) => SITE + path)
        .toReversed(),
    );
    expect(await world.job(await world.begin())).toMatchObject({ endReason: 'page_limit' });
    expect(world.keys()).toEqual(before);
  });

  test('counts a page behind a redirect once', async () => {
    const pages = Object.fromEntries(paths(5).map((path) => [path, answer(301, '', { location: `${path}/` })]));
    const ends = Object.fromEntries(paths(5).map((path) => [`${path}/`, html(`<p>${path}`)]));
    const world = crawling({ '/sitemap.xml': listed(5), ...pages, ...ends }, { discover: false, maxPages: 5 });
    expect(await world.job()).toMatchObject({ endReason: 'completed' });
    expect(world.keys()).toEqual(paths(5).map((path) => `${path}/`));
  });

  test('is 500, whatever a source says', async () => {
    const world = crawling({ '/sitemap.xml': listed(510), ...texts(510) }, { discover: false, maxPages: 10_000 });
    expect(await world.job()).toMatchObject({ endReason: 'page_limit' });
    expect(world.parts.store.stats().items).toBe(500);
  });
});

describe('one site does not hold up an object', () => {
  test('with more rules than links can be compared with: a part is followed, and nothing deleted', async () => {
    const rules = Array.from({ length: 19_000 }, (_, at) => `Disallow: /*a*b*c${at}`).join('\n');
    const long = Array.from({ length: 300 }, (_, at) => `/${'abc'.repeat(300)}${at}x`);
    const world = crawling({ '/robots.txt': answer(200, `User-agent: *\n${rules}`), '/': links(...long) });
    const job = await world.job();
    expect(world.log(job?.id ?? '').join()).toContain('robots.txt has too many rules');
    expect(world.asked.length).toBeLessThan(30);
  });

  test('with more pages than a crawl remembers', async () => {
    const list = (from: number) =>
      sitemap(
        ...paths(6000)
          .slice(from, from + 3000)
          .map((path) => SITE + path),
      );
    const world = crawling(
      { '/sitemap.xml': list(0), '/sitemap_index.xml': list(3000) },
      { discover: false, maxPages: 1 },
    );
    const job = await world.job();
    expect(world.log(job?.id ?? '').join()).toContain('More pages are listed than one crawl remembers');
  });

  test('with more links than are followed of one page', async () => {
    const world = crawling({ '/': links(...paths(600)) }, { maxPages: 2 });
    const job = await world.job();
    expect(world.log(job?.id ?? '').join()).toContain('only the first 500 links are followed');
    expect(job).toMatchObject({ endReason: 'page_limit' });
  });
});

describe('a job', () => {
  test('of a new website waits as soon as the instance is told of it, and only one', async () => {
    const world = crawlWorld(texts(1));
    const list = async (instance: InstanceFacts) => {
      const told = await answerOrder(world.parts, { do: 'jobs.list', instance, page: 1, perPage: 10 });
      return told.ok ? (told.result as JsonObject[]) : [];
    };
    world.learn(facts());
    expect(await list(facts())).toEqual([{ id: expect.any(String), source: 'schedule' }]);
    const create = () => answerOrder(world.parts, { do: 'jobs.create', instance: facts() });
    await expect(create()).rejects.toMatchObject({
      data: { status: 429, reason: 'sync_in_cooldown', retryAfterS: 30 },
    });
    await world.job();
    await expect(create()).rejects.toMatchObject({ data: { reason: 'sync_in_cooldown' } });
    expect(await list(facts())).toHaveLength(1);
    world.learn(paused);
    world.state.nowMs += 30_000;
    expect(await create()).toMatchObject({ ok: true, result: { source: 'user' } });
  });

  test('that is asked for while that of another caller runs is refused, however long it does', async () => {
    const world = crawling({ '/': html('<p>a') });
    const create = () => answerOrder(world.parts, { do: 'jobs.create', instance: paused });
    await create();
    world.state.nowMs += 31_000;
    await expect(create()).rejects.toMatchObject({
      data: { status: 429, reason: 'sync_in_cooldown', retryAfterS: 1 },
    });
    await world.job();
    expect(await create()).toMatchObject({ ok: true });
  });

  test('of a paused instance waits as soon as it is paused no more', () => {
    const world = crawlWorld({});
    world.learn(paused);
    expect(world.parts.store.openJobs()).toEqual([]);
    world.learn(facts());
    expect(world.parts.store.openJobs()).toHaveLength(1);
  });

  test('that waits for its host for an hour has its whole time then', async () => {
    const world = crawling(texts(1));
    world.pages['/'] = links('/p0');
    const id = await world.begin();
    world.state.busyS = 3600;
    await world.round();
    expect(world.parts.store.job(id)).toMatchObject({ startedMs: null });
    world.state.busyS = 0;
    expect(await world.job(id)).toMatchObject({ endReason: 'completed' });
    expect(world.keys()).toEqual(['/', '/p0']);
  });

  test('waits six hours at most', async () => {
    const world = crawling({ '/': html('<p>a') });
    world.state.busyS = 3600;
    const fromMs = world.state.nowMs;
    const job = await world.job(await world.begin());
    expect(job).toMatchObject({ endReason: 'time_limit', endedMs: fromMs + 6 * 3_600_000 });
    expect(world.asked).toEqual([]);
  });

  test('does not wait for the host of a former source', async () => {
    const world = crawlWorld({ 'https://other.example/': html('<p>b') });
    world.learn(facts());
    world.state.busyS = 3600;
    await world.round();
    world.state.busyS = 0;
    const changedMs = world.state.nowMs;
    world.learn(facts({ source: source({ url: 'https://other.example/' }) }));
    await world.round();
    expect(world.state.nowMs - changedMs).toBeLessThan(60_000);
    expect(world.asked.map(({ path }) => path)).toContain('https://other.example/');
  });

  test('that fails by a fault of ours is tried again after 10 s, 60 s and 300 s, and then is failed', async () => {
    const world = crawling({ '/': html('<p>a') });
    world.tools.enter = () => Promise.reject(new Error('gate down'));
    const id = await world.begin();
    const times: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      await world.round();
      times.push(world.state.nowMs);
    }
    expect(times.slice(1).map((ms, at) => ms - (times[at] ?? 0))).toEqual([10_000, 60_000, 300_000]);
    expect(world.parts.store.job(id)).toMatchObject({ endReason: 'failed' });
  });

  test.each(['/robots.txt', '/sitemap.xml'])('that is cancelled while %s is read writes nothing more', async (path) => {
    const world = crawling({ '/': html('<p>a') });
    const id = await world.begin();
    world.pages[path] = async () => {
      await answerOrder(world.parts, { do: 'jobs.cancel', instance: paused, jobId: id });
      return path === '/robots.txt' ? new Response('', { status: 404 }) : new Response(MAP, XML);
    };
    expect(await world.job(id)).toMatchObject({ endReason: 'cancelled' });
    expect(world.asked.at(-1)?.path).toBe(path);
    expect([world.parts.frontier.state(), world.parts.frontier.count('waiting')]).toEqual([undefined, 0]);
  });

  test('is one of 12 an hour that are asked for', async () => {
    const world = crawling({ '/robots.txt': answer(500) });
    const create = () => answerOrder(world.parts, { do: 'jobs.create', instance: paused });
    for (let count = 0; count < 12; count += 1) {
      await create();
      await world.job();
      world.state.nowMs += 60_000;
    }
    await expect(create()).rejects.toMatchObject({ data: { status: 429, reason: 'sync_in_cooldown' } });
    world.state.nowMs += 3_600_000 - 12 * 60_000;
    expect(await create()).toMatchObject({ ok: true });
  });

  test('asks its site for 2,000 things in an hour', async () => {
    const world = crawling({ '/sitemap.xml': listed(500), ...texts(500) }, { discover: false });
    world.parts.own.setTime('asked_from', world.state.nowMs);
    world.parts.own.setWord('asked', '1950');
    const id = await world.begin();
    for (let round = 0; round < 3; round += 1) await runDueJobs(world.parts);
    expect(world.asked.length).toBeLessThan(55);
    expect(computeNextRoundMs(world.parts)).toBeGreaterThan(world.state.nowMs + 3_000_000);
    expect(world.parts.store.job(id)?.endedMs).toBeNull();
  });
});

test('links that say nofollow, or hold a name and a password, are not followed', async () => {
  const rel = html(
    '<p><a rel="nofollow" href="/no">x</a> <a href="https://me:secret@example.com/in">y</a> <a href="/yes">z</a>',
  );
  const world = crawling({
    '/': rel,
    '/yes': html('<p>yes <a href="/after">x</a>', '<title>t</title><meta name=robots content=nofollow>'),
  });
  await world.job();
  expect(world.keys()).toEqual(['/', '/yes']);
  const asked = world.asked.map(({ path }) => path);
  for (const path of ['/in', '/no', '/after']) expect(asked).not.toContain(path);
});
