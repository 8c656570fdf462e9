import { describe, expect, test } from 'vitest';
import { answer, crawlWorld, facts, html, links, SITE, sitemap, source } from './world.ts';

/** A site with these pages, of an instance with this source. */
function crawling(pages: Parameters<typeof crawlWorld>[0], changes = {}) {
  const world = crawlWorld(pages);
  world.learn(facts({ source: source(changes) }));
  return world;
}

const SITE_PAGES = {
  '/robots.txt': answer(200, `Sitemap: ${SITE}/map.xml`),
  '/map.xml': sitemap(`${SITE}/listed`),
  '/': links('/linked'),
  '/listed': links('/deep'),
  '/linked': html('<p>linked'),
  '/deep': html('<p>deep'),
};

test.each([
  ['links alone', { discover: true, linksOnly: true }, ['/', '/linked'], false],
  ['sitemaps alone', { discover: false }, ['/listed'], true],
  ['both', { discover: true }, ['/', '/deep', '/linked', '/listed'], true],
])('pages are found by %s', async (_, changes, keys, readsSitemaps) => {
  const world = crawling({ ...SITE_PAGES }, changes);
  expect(await world.job()).toMatchObject({ endReason: 'completed' });
  expect(world.keys()).toEqual(keys);
  expect(world.asked.some(({ path }) => path.endsWith('.xml'))).toBe(readsSitemaps);
});

describe('where only sitemaps list pages', () => {
  const mapped = (...paths: string[]) => sitemap(...paths.map((path) => SITE + path));

  test('a page that fails keeps itself, and none that is listed no more', async () => {
    const world = crawling(
      { '/sitemap.xml': mapped('/a', '/b', '/bad'), '/a': html('<p>a'), '/b': html('<p>b'), '/bad': html('<p>c') },
      { discover: false },
    );
    await world.job();
    Object.assign(world.pages, { '/sitemap.xml': mapped('/a', '/bad'), '/bad': answer(500) });
    await world.job();
    expect(world.keys()).toEqual(['/a', '/bad']);
  });

  test('so does one that was never read', async () => {
    const world = crawling(
      { '/sitemap.xml': mapped('/a', '/b', '/bad'), '/a': html('<p>a'), '/b': html('<p>b'), '/bad': answer(500) },
      { discover: false },
    );
    await world.job();
    world.pages['/sitemap.xml'] = mapped('/a', '/bad');
    await world.job();
    expect(world.keys()).toEqual(['/a', '/bad error']);
  });

  test('a list that fails keeps them', async () => {
    const world = crawling({ '/sitemap.xml': mapped('/a'), '/a': html('<p>a') }, { discover: false });
    await world.job();
    world.pages['/sitemap.xml'] = answer(503);
    await world.job();
    expect(world.keys()).toEqual(['/a']);
  });

  test.each([
    ['redirects to', answer(301, '', { location: '/new' })],
    ['names as its canonical address', html('<p>x', '<title>t</title><link rel=canonical href="/new">')],
  ])('a page that fails keeps the one that it %s, and no longer than it does so', async (_, old) => {
    const world = crawling(
      { '/sitemap.xml': mapped('/old', '/a'), '/old': old, '/new': html('<p>new words'), '/a': html('<p>a') },
      { discover: false },
    );
    await world.job();
    expect(world.keys()).toEqual(['/a', '/new']);
    Object.assign(world.pages, { '/old': answer(503), '/new': answer(503) });
    for (let crawl = 0; crawl < 2; crawl += 1) {
      await world.job();
      expect(world.keys()).toEqual(['/a', '/new', '/old error']);
    }
    Object.assign(world.pages, { '/old': html('<p>old words') });
    await world.job();
    expect(world.keys()).toEqual(['/a', '/old']);
    world.pages['/old'] = answer(503);
    await world.job();
    expect(world.keys()).toEqual(['/a', '/old']);
  });

  /** The site once `/old` has led to `/new`. */
  async function led() {
    const redirect = answer(301, '', { location: '/new' });
    const pages = { '/sitemap.xml': mapped('/old', '/a'), '/a': html('<p>a'), '/old': redirect, '/new': html('<p>n') };
    const world = crawling(pages, { discover: false, exclude: ['/out'] });
    await world.job();
    expect(world.keys()).toEqual(['/a', '/new']);
    const askedBy = async (): Promise<readonly string[]> => {
      const from = world.asked.length;
      await world.job();
      return world.asked.slice(from).map(({ path }) => path);
    };
    return { world, askedBy };
  }

  test.each([
    ['is gone', answer(410)],
    ['may not be indexed', html('<p>x', '<title>t</title><meta name=robots content=noindex>')],
    ['leads to what is left out', answer(301, '', { location: '/out' })],
  ])('a page that %s leads nowhere from then on, where it fails later too', async (_, served) => {
    const { world, askedBy } = await led();
    Object.assign(world.pages, { '/old': served, '/out': html('<p>out') });
    await world.job();
    expect(world.keys()).toEqual(['/a']);
    world.pages['/old'] = answer(503);
    expect(await askedBy()).not.toContain('/new');
    expect(world.keys()).toEqual(['/a', '/old error']);
  });

  test.each([
    ['robots.txt forbids it', answer(200, 'User-agent: *\nDisallow: /new'), {}],
    ['the rules leave it out', answer(404), { exclude: ['/new'] }],
  ])('where a page that fails led is not asked for once %s', async (_, robots, rules) => {
    const { world, askedBy } = await led();
    world.learn(facts({ source: source({ discover: false, ...rules }) }));
    Object.assign(world.pages, { '/old': answer(503), '/robots.txt': robots });
    expect(await askedBy()).not.toContain('/new');
    expect(world.keys()).toEqual(['/a', '/old error']);
  });

  test('F5: where a page that fails led is not asked for on another host', async () => {
    const { world, askedBy } = await led();
    const other = 'https://other.example/new';
    Object.assign(world.pages, { '/old': answer(503), [other]: html('<p>other') });
    world.parts.frontier.setLead(`${SITE}/old`, other);
    expect(await askedBy()).not.toContain(other);
    expect(world.keys()).toEqual(['/a', '/old error']);
  });
});
