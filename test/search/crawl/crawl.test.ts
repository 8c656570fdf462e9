import { describe, expect, test } from 'vitest';
import { allowLoopbackExcept } from '../../../src/net/address-policy.ts';
import { answerOrder } from '../../../src/search/answer-order.ts';
import { applyInstanceSettings } from '../../../src/search/jobs/apply-instance-settings.ts';
import { answer, crawlWorld, facts, html, links, SITE, sitemap, source, xml } from './world.ts';

/** A site with these pages, of an instance with this source. */
function crawling(pages: Parameters<typeof crawlWorld>[0], changes = {}) {
  const world = crawlWorld(pages);
  world.learn(facts({ source: source(changes) }));
  return world;
}

describe('a crawl', () => {
  test('reads the start page and what it links to, by depth, as SightlineBot', async () => {
    const world = crawling(
      { '/': links('/a', '/b#x', 'https://other.example/'), '/a': links('/c'), '/b': links('/'), '/c': links('/d') },
      { depth: 2 },
    );
    const job = await world.job();
    expect(job).toMatchObject({ endReason: 'completed', source: 'schedule' });
    expect(world.keys()).toEqual(['/', '/a', '/b', '/c']);
    expect(new Set(world.asked.map(({ userAgent }) => userAgent))).toEqual(
      new Set(['SightlineBot/0.1 (+https://sightline.test/bot)']),
    );
    expect(world.asked[0]?.path).toBe('/robots.txt');
  });

  test('obeys robots.txt: what it forbids is never asked for, and its sitemaps are read', async () => {
    const world = crawling({
      '/robots.txt': answer(200, `User-agent: SightlineBot\nDisallow: /private\nSitemap: ${SITE}/map.xml\n`),
      '/map.xml': sitemap(`${SITE}/listed`, `${SITE}/private/x`, 'https://other.example/y'),
      '/': links('/private/a', '/open'),
      '/open': html('<p>open'),
      '/listed': html('<p>listed'),
    });
    await world.job();
    expect(world.keys()).toEqual(['/', '/listed', '/open']);
    expect(world.asked.filter(({ path }) => path.startsWith('/private'))).toEqual([]);
  });

  test.each([
    ['is disallowed wholly', answer(200, 'User-agent: *\nDisallow: /'), 'robots_disallowed'],
    ['cannot be read', answer(503), 'robots_unreachable'],
    ['has too many requests', answer(429), 'robots_unreachable'],
  ])('a site whose robots.txt %s is left alone', async (_, robots, endReason) => {
    const world = crawling({ '/robots.txt': robots, '/': links('/a') });
    expect(await world.job()).toMatchObject({ endReason });
    expect(world.asked.map(({ path }) => path).filter((path) => !/robots|sitemap/.test(path))).toEqual([]);
  });

  test('reads nested sitemaps, and without `discover` nothing but what they list', async () => {
    const index = (...urls: string[]) =>
      xml(
        `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`,
      );
    const world = crawling(
      {
        '/sitemap.xml': index(`${SITE}/one.xml`, `${SITE}/two.xml`, `${SITE}/sitemap.xml`),
        '/one.xml': sitemap(`${SITE}/a`),
        '/two.xml': index(`${SITE}/three.xml`),
        '/three.xml': sitemap(`${SITE}/b`),
        '/a': links('/c'),
        '/b': html('<p>b'),
        '/c': html('<p>c'),
      },
      { discover: false },
    );
    await world.job();
    expect(world.keys()).toEqual(['/a', '/b']);
  });

  test('reads the sitemaps of the instance in place of those of the site', async () => {
    const world = crawling(
      {
        '/sitemap.xml': sitemap(`${SITE}/a`),
        '/own.xml': sitemap(`${SITE}/b`),
        '/a': html('<p>a'),
        '/b': html('<p>b'),
      },
      { discover: false, sitemaps: [`${SITE}/own.xml`, 'https://other.example/x.xml'] },
    );
    await world.job();
    expect(world.keys()).toEqual(['/b']);
    expect(world.asked.map(({ path }) => path)).not.toContain('https://other.example/x.xml');
  });

  test('reads only what is included and not excluded', async () => {
    const world = crawling(
      { '/': links('/docs/a', '/docs/b/c', '/blog/x'), '/docs/a': links('/docs/d'), '/docs/d': html('<p>d') },
      { url: `${SITE}/docs/a`, include: ['/docs/*'], exclude: ['/docs/b/**'] },
    );
    await world.job();
    expect(world.keys()).toEqual(['/docs/a', '/docs/d']);
  });

  test('one page by many addresses is one item: canonical addresses, redirects, and circles of them', async () => {
    const canonical = (to: string, body = '<p>x') => html(body, `<title>t</title><link rel=canonical href="${to}">`);
    const world = crawling({
      '/': links('/p?utm=1', '/p', '/old', '/a', '/b', '/lost'),
      '/p?utm=1': canonical('/p'),
      '/p': canonical('/p'),
      '/old': answer(301, '', { location: '/p' }),
      '/a': canonical('/b'),
      '/b': canonical('/a'),
      '/lost': canonical('https://other.example/'),
    });
    await world.job();
    expect(world.keys()).toEqual(['/', '/b', '/lost', '/p']);
  });

  test('pages without permission, text or a type to read are no items', async () => {
    const world = crawling({
      '/': links('/meta', '/header', '/ours', '/picture', '/empty', '/other-bot'),
      '/meta': html('<p>x <a href="/found">f</a>', '<title>t</title><meta name=robots content="noindex">'),
      '/found': html('<p>found by a page that is not indexed'),
      '/header': answer(200, html('<p>x'), { 'content-type': 'text/html', 'x-robots-tag': 'noindex' }),
      '/ours': html('<p>x', '<title>t</title><meta name=sightlinebot content="none">'),
      '/other-bot': html('<p>x', '<title>t</title><meta name=googlebot content="noindex">'),
      '/picture': answer(200, 'x', { 'content-type': 'image/png' }),
      '/empty': '<p></p>',
    });
    const job = await world.job();
    expect(world.keys()).toEqual(['/', '/found', '/other-bot']);
    expect(world.log(job?.id ?? '')).toContain(`A page is not indexed: ${SITE}/picture (unsupported_type)`);
  });

  test('a page that fails is an item that says so, and the crawl goes on', async () => {
    const world = crawling({
      '/': links('/broken', '/loop', '/ok', '/large'),
      '/broken': answer(500),
      '/loop': answer(302, '', { location: '/loop' }),
      '/ok': html('<p>fine'),
      '/large': answer(200, 'x'.repeat(4 * 1024 * 1024 + 1), { 'content-type': 'text/plain' }),
    });
    const job = await world.job();
    expect(world.keys()).toEqual(['/', '/broken error', '/loop error', '/ok']);
    expect(world.log(job?.id ?? '')).toEqual(
      expect.arrayContaining([
        `A page could not be read: ${SITE}/broken (status_500)`,
        `A page could not be read: ${SITE}/loop (redirect_loop)`,
        `A page is not indexed: ${SITE}/large (too_large)`,
      ]),
    );
  });

  test('asks two pages at once at most, with a pause between requests', async () => {
    const paths = Array.from({ length: 20 }, (_, index) => `/p${index}`);
    const world = crawling({ '/': links(...paths), ...Object.fromEntries(paths.map((path) => [path, html('<p>x')])) });
    await world.job();
    expect(world.state.most).toBeLessThanOrEqual(2);
    expect(world.keys()).toHaveLength(21);
    const times = world.asked.map(({ atMs }) => atMs);
    expect(
      times
        .slice(1)
        .map((ms, index) => ms - (times[index] ?? 0))
        .every((gap) => gap >= 100),
    ).toBe(true);
  });

  test.each([
    ['5', 5000],
    ['0.5', 500],
    ['5s', 5000],
    ['0,5', 500],
    ['3600', 10_000],
    ['soon', 100],
  ])('waits as long as Crawl-delay: %s says, 10 s at most', async (delay, gapMs) => {
    const world = crawling({
      '/robots.txt': answer(200, `User-agent: *\nCrawl-delay: ${delay}\n`),
      '/': links('/a', '/b', '/c'),
      '/a': html('<p>a'),
      '/b': html('<p>b'),
      '/c': html('<p>c'),
    });
    await world.job();
    const times = world.asked.map(({ atMs }) => atMs);
    expect(Math.min(...times.slice(1).map((ms, index) => ms - (times[index] ?? 0)))).toBe(gapMs);
    expect(world.keys()).toHaveLength(4);
  });

  test('ends at the page limit, and then deletes nothing that it has not seen', async () => {
    const world = crawling({ '/': links('/a', '/b'), '/a': html('<p>a'), '/b': html('<p>b') });
    await world.job();
    world.learn(facts({ source: source({ maxPages: 2 }) }));
    world.pages['/'] = links('/c', '/d');
    const job = await world.job();
    expect(job).toMatchObject({ endReason: 'page_limit' });
    expect(world.keys()).toEqual(['/', '/a', '/b']);
  });

  test('ends after half an hour', async () => {
    const paths = Array.from({ length: 400 }, (_, index) => `/p${index}`);
    const world = crawling(
      { '/robots.txt': answer(200, 'User-agent: *\nCrawl-delay: 10'), '/': links(...paths) },
      { maxPages: 400 },
    );
    const job = await world.job();
    expect(job).toMatchObject({ endReason: 'time_limit' });
    expect((job?.endedMs ?? 0) - (job?.startedMs ?? 0)).toBeLessThan(32 * 60_000);
  });
});

describe('what a later crawl finds', () => {
  test('items of pages that are gone, forbidden or listed no more are deleted', async () => {
    const world = crawling({
      '/': links('/gone', '/hidden', '/unlisted', '/kept'),
      '/gone': html('<p>a'),
      '/hidden': html('<p>b'),
      '/unlisted': html('<p>c'),
      '/kept': html('<p>d'),
    });
    await world.job();
    expect(world.keys()).toHaveLength(5);
    Object.assign(world.pages, {
      '/': links('/gone', '/hidden', '/kept'),
      '/gone': answer(410),
      '/hidden': html('<p>b', '<title>t</title><meta name=robots content=noindex>'),
    });
    await world.job();
    expect(world.keys()).toEqual(['/', '/kept']);
  });

  test('a page that could not be looked at keeps its item, and so does what it may list', async () => {
    const world = crawling({ '/': links('/list'), '/list': links('/deep'), '/deep': html('<p>deep words') });
    await world.job();
    world.pages['/list'] = answer(503);
    await world.job();
    expect(world.keys()).toEqual(['/', '/deep', '/list']);
    const list = world.parts.store.itemByKey('web-crawler:https://example.com', `${SITE}/list`);
    expect(list).toMatchObject({ status: 'completed', error: 'could not be read: status_503' });
  });

  test('nothing is deleted where the site cannot be reached', async () => {
    const world = crawling({ '/': html('<p>a') });
    await world.job();
    world.pages['/robots.txt'] = answer(500);
    await world.job();
    expect(world.keys()).toEqual(['/']);
  });

  test('an unchanged page is not indexed anew, a changed one is', async () => {
    const world = crawling({ '/': links('/a', '/b'), '/a': html('<p>a'), '/b': html('<p>b') });
    await world.job();
    world.pages['/a'] = html('<p>changed words');
    await world.job();
    const lines = (path: string) =>
      world.parts.store.logOf(
        world.parts.store.itemByKey('web-crawler:https://example.com', SITE + path)?.id ?? '',
        10,
      );
    expect([lines('/a').length, lines('/b').length]).toEqual([2, 1]);
  });

  test('another source takes the place of the items of the former one', async () => {
    const world = crawling({ '/': html('<p>a') });
    await world.job();
    world.learn(facts({ source: source({ url: 'https://other.example/' }) }));
    expect(world.keys()).toEqual([]);
  });
});

describe('F5: a crawl reaches public addresses only', () => {
  test.each([
    'http://127.0.0.1/',
    'http://169.254.169.254/',
    'http://[::1]/',
    'http://10.0.0.1/',
    'https://example.com:22/',
  ])('F5: the source %s is refused, and the job says so', async (url) => {
    const world = crawling({}, { url });
    const job = await world.job();
    expect(job).toMatchObject({ endReason: 'source_refused' });
    expect(world.log(job?.id ?? '').join()).toMatch(/private_target|port_refused/);
    expect(world.asked).toEqual([]);
  });

  test.each(['http://127.0.0.1/', 'http://169.254.169.254/latest', 'https://other.example/'])(
    'F5: a redirect to %s is not followed',
    async (location) => {
      const world = crawling({ '/': links('/a'), '/a': answer(302, '', { location }) });
      const job = await world.job();
      expect(world.asked.map(({ path }) => path)).not.toContain(location);
      expect(world.keys().filter((key) => key.startsWith('/a '))).toEqual(
        location.startsWith('http:') ? ['/a error'] : [],
      );
      expect(world.log(job?.id ?? '').join()).toMatch(/\/a \((?:private_target|leaves_site)\)/);
    },
  );

  test('F5: a redirect to what robots.txt forbids is not followed', async () => {
    const world = crawling({
      '/robots.txt': answer(200, 'User-agent: *\nDisallow: /no'),
      '/': links('/a'),
      '/a': answer(302, '', { location: '/no' }),
    });
    await world.job();
    expect(world.asked.map(({ path }) => path)).not.toContain('/no');
  });

  test('F5: the local stack may crawl its own machine, but for its own ports', async () => {
    const world = crawlWorld({ 'http://127.0.0.1:4000/': html('<p>local') }, allowLoopbackExcept([8787]));
    world.learn(facts({ source: source({ url: 'http://127.0.0.1:4000/' }) }));
    await world.job();
    expect(world.keys()).toEqual(['http://127.0.0.1:4000/']);
    world.learn(facts({ source: source({ url: 'http://127.0.0.1:8787/' }) }));
    expect(await world.job()).toMatchObject({ endReason: 'source_refused' });
  });
});

describe('what an instance is like', () => {
  test('a call that tells of it as it was is not believed just after a change, but later', () => {
    const world = crawling({});
    const changed = facts({ chunkTokens: 64 });
    world.learn(changed);
    expect(applyInstanceSettings(world.parts, facts(), 'heard')).toBe(false);
    expect(world.parts.own.facts()).toEqual(changed);
    world.state.nowMs += 10_000;
    expect(applyInstanceSettings(world.parts, facts(), 'heard')).toBe(true);
    expect(world.parts.own.facts()).toEqual(facts());
  });
});

describe('jobs', () => {
  test('a new instance is crawled by itself, and again after its interval', async () => {
    const world = crawling({ '/': html('<p>a') });
    await world.round();
    const [first] = world.parts.store.listJobs(1, 10).jobs;
    expect(first).toMatchObject({ source: 'schedule', endReason: 'completed' });
    await world.round();
    const { jobs } = world.parts.store.listJobs(1, 10);
    expect(jobs.map(({ source: by }) => by)).toEqual(['schedule', 'schedule']);
    expect((jobs[0]?.startedMs ?? 0) - (first?.startedMs ?? 0)).toBe(21_600_000);
  });

  test('one that is paused is not', async () => {
    const world = crawlWorld({ '/': html('<p>a') });
    world.learn(facts({ isPaused: true }));
    await world.round();
    expect(world.parts.store.listJobs(1, 10).jobs).toEqual([]);
  });

  test('a restart in the middle goes on where it was: each page is asked for once', async () => {
    const paths = Array.from({ length: 300 }, (_, index) => `/p${index}`);
    const world = crawling(
      { '/': links(...paths), ...Object.fromEntries(paths.map((path) => [path, html(`<p>${path}`)])) },
      { maxPages: 300 },
    );
    const id = await world.begin();
    for (let round = 0; round < 2; round += 1) {
      await world.round();
      world.restart();
    }
    expect(world.parts.store.job(id)?.endedMs).toBeNull();
    expect(await world.job(id)).toMatchObject({ endReason: 'page_limit' });
    const pages = world.asked.map(({ path }) => path).filter((path) => !/robots|sitemap/.test(path));
    expect(pages).toHaveLength(300);
    expect(new Set(pages).size).toBe(300);
  });

  test('a cancelled job ends at once, and what was read stays', async () => {
    const paths = Array.from({ length: 300 }, (_, index) => `/p${index}`);
    const world = crawling({
      '/': links(...paths),
      ...Object.fromEntries(paths.map((path) => [path, html(`<p>${path}`)])),
    });
    const id = await world.begin();
    const instance = facts();
    world.pages['/p20'] = async () => {
      await answerOrder(world.parts, { do: 'jobs.cancel', instance, jobId: id });
      return new Response(html('<p>late'), { headers: { 'content-type': 'text/html' } });
    };
    expect(await world.job(id)).toMatchObject({ endReason: 'cancelled' });
    expect(world.keys()).not.toContain('/p20');
    expect(world.keys()).toContain('/p18');
    const asked = world.asked.length;
    expect(world.parts.frontier.state()).toBeUndefined();
    expect(asked).toBeLessThan(40);
    const again = () => answerOrder(world.parts, { do: 'jobs.cancel', instance, jobId: id });
    await expect(again()).rejects.toMatchObject({ data: { status: 400, message: 'job_cannot_be_cancelled' } });
  });

  test('a host that others are reading is waited for', async () => {
    const world = crawling({ '/': html('<p>a') });
    world.state.busyS = 10;
    const id = await world.begin();
    await world.round();
    expect(world.asked).toEqual([]);
    expect(world.log(id)).toContain('Others are reading this host: on in 10 s');
    world.state.busyS = 0;
    expect(await world.job(id)).toMatchObject({ endReason: 'completed' });
    expect(world.state.inside).toBe(0);
  });

  test('F6: the place at the gate is given back between turns', async () => {
    const world = crawling({ '/': answer(500) });
    await world.job();
    expect(world.state.inside).toBe(0);
  });

  test('a second job within 30 s of the first is refused, one behind a scheduled crawl waits for it', async () => {
    const world = crawling({ '/': html('<p>a') });
    const create = () => answerOrder(world.parts, { do: 'jobs.create', instance: facts(), description: 'mine' });
    await expect(create()).rejects.toMatchObject({ data: { status: 429, reason: 'sync_in_cooldown' } });
    world.state.nowMs += 30_000;
    const created = await create();
    expect(created).toMatchObject({ ok: true, result: { source: 'user', description: 'mine' } });
    await expect(create()).rejects.toMatchObject({
      data: { status: 429, reason: 'sync_in_cooldown', retryAfterS: 30 },
    });
    await world.job();
    await world.job();
    world.state.nowMs += 31_000;
    expect(await create()).toMatchObject({ ok: true });
  });

  test('a job of an instance without a source ends and says so', async () => {
    const world = crawlWorld({});
    const { source: _source, ...config } = facts().config;
    world.learn({ ...facts(), config });
    expect(await world.job()).toMatchObject({ endReason: 'no_source' });
  });
});
