import { describe, expect, test } from 'vitest';
import { MAX_SKIP_LINES } from '../../../src/search/crawl/frontier.ts';
import { answer, crawlWorld, facts, html, links, SITE, sitemap, source } from './world.ts';

/** A site with these pages, of an instance with this source. */
function crawling(pages: Parameters<typeof crawlWorld>[0], changes = {}) {
  const world = crawlWorld(pages);
  world.learn(facts({ source: source(changes) }));
  return world;
}

/** What the log of a job says of rules, as it was written. */
const skips = (lines: readonly string[]) => lines.filter((line) => /^Skipped|left out by rules/.test(line));

describe('the start page of an instance whose rules leave it out', () => {
  test('is read for its links, and is no item', async () => {
    const world = crawling({ '/': links('/docs/a', '/blog'), '/docs/a': html('<p>a') }, { include: ['/docs/**'] });
    const job = await world.job();
    expect(job).toMatchObject({ endReason: 'completed' });
    expect(world.keys()).toEqual(['/docs/a']);
    expect(world.asked.map(({ path }) => path)).toContain('/');
    expect(world.asked.map(({ path }) => path)).not.toContain('/blog');
  });

  test('is followed through its redirect, and neither of both is an item', async () => {
    const world = crawling(
      { '/': answer(302, '', { location: '/en/' }), '/en/': links('/docs/a'), '/docs/a': html('<p>a') },
      { include: ['/docs/**'] },
    );
    await world.job();
    expect(world.keys()).toEqual(['/docs/a']);
  });

  test('is no item either where it cannot be read, and what it lists stays', async () => {
    const world = crawling({ '/': links('/docs/a'), '/docs/a': html('<p>a') }, { include: ['/docs/**'] });
    await world.job();
    world.pages['/'] = answer(500);
    await world.job();
    expect(world.keys()).toEqual(['/docs/a']);
  });

  test('loses its item where the rules leave it out since', async () => {
    const world = crawling({ '/': links('/docs/a'), '/docs/a': html('<p>a') });
    await world.job();
    expect(world.keys()).toEqual(['/', '/docs/a']);
    world.learn(facts({ source: source({ include: ['/docs/**'] }) }));
    await world.job();
    expect(world.keys()).toEqual(['/docs/a']);
  });

  test('is not even asked for where sitemaps alone count and none is there', async () => {
    const world = crawling({ '/': html('<p>a') }, { discover: false, include: ['/docs/**'] });
    await world.job();
    expect(world.keys()).toEqual([]);
    expect(world.asked.map(({ path }) => path)).not.toContain('/');
  });
});

test('a page whose redirect leads to what is left out is no item', async () => {
  const world = crawling(
    { '/': links('/a'), '/a': answer(302, '', { location: '/old/a' }), '/old/a': links('/b'), '/b': html('<p>b') },
    { exclude: ['/old/**'] },
  );
  const job = await world.job();
  expect(world.keys()).toEqual(['/']);
  expect(skips(world.log(job?.id ?? ''))).toEqual([`Skipped by rule: /old/** (${SITE}/old/a)`]);
});

test('rules are compared with queries', async () => {
  const pages = {
    '/sitemap.xml': sitemap(`${SITE}/page`, `${SITE}/page?id=1`, `${SITE}/page?id=2`),
    '/page': html('<p>none'),
    '/page?id=1': html('<p>one'),
    '/page?id=2': html('<p>two'),
  };
  const included = crawling(pages, { discover: false, include: ['/page?id=1'] });
  await included.job();
  expect(included.keys()).toEqual(['/page?id=1']);
  const excluded = crawling(pages, { discover: false, exclude: ['**?id=*'] });
  await excluded.job();
  expect(excluded.keys()).toEqual(['/page']);
});

describe('the log of a job', () => {
  test('says of each page once which rule left it out', async () => {
    const world = crawling(
      { '/': links('/docs/a', '/docs/old', '/blog'), '/docs/a': links('/docs/old', '/blog', '/docs/b') },
      { include: ['/', '/docs/*'], exclude: ['/docs/old*'] },
    );
    const lines = [`Skipped by rule: /docs/old* (${SITE}/docs/old)`, `Skipped by Include Rules: ${SITE}/blog`];
    for (let crawl = 0; crawl < 2; crawl += 1) {
      const job = await world.job();
      expect(skips(world.log(job?.id ?? ''))).toEqual(lines);
    }
  });

  test('names so many of them, and says that there are more', async () => {
    const listed = Array.from({ length: MAX_SKIP_LINES + 50 }, (_, at) => `${SITE}/old/${at}`);
    const world = crawling(
      { '/sitemap.xml': sitemap(...listed), '/': links('/old/x', '/old/y') },
      { exclude: ['/old/*'] },
    );
    const job = await world.job();
    const lines = skips(world.log(job?.id ?? ''));
    expect(lines).toHaveLength(MAX_SKIP_LINES + 1);
    expect(lines[0]).toBe(`Skipped by rule: /old/* (${SITE}/old/0)`);
    expect(lines.at(-1)).toBe('More pages are left out by rules: they are not named');
    expect(world.log(job?.id ?? '')).toContain(
      `A sitemap lists ${MAX_SKIP_LINES + 50} pages, 0 of them new and to be read: ${SITE}/sitemap.xml`,
    );
  });
});
