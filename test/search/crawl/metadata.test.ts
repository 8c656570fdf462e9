import { describe, expect, test } from 'vitest';
import type { MetadataField } from '../../../src/search/order.ts';
import { answerOrder } from '../../../src/search/answer-order.ts';
import { answer, crawlWorld, facts, html, links, SITE, source } from './world.ts';

const FIELDS: readonly MetadataField[] = [
  { name: 'category', type: 'text' },
  { name: 'version', type: 'number' },
];
const SOURCE_ID = 'web-crawler:https://example.com';

const meta = (category: string, rest = '') => `<title>t</title><meta name="category" content="${category}">${rest}`;

function crawling(pages: Parameters<typeof crawlWorld>[0], metadata = FIELDS) {
  const world = crawlWorld(pages);
  world.learn(facts({ source: source(), metadata }));
  const ofPage = (path: string) => world.parts.store.itemByKey(SOURCE_ID, SITE + path);
  return { world, ofPage };
}

describe('the metadata of a page', () => {
  test('comes from its metas, is shown, and is known to filters', async () => {
    const { world, ofPage } = crawling({
      '/': links('/a', '/b', '/c.txt'),
      '/a': html('<p>quoll', meta('x', '<meta property="Version" content="2.5"><meta name=other content=y>')),
      '/b': html('<p>quoll', meta('y', '<meta name="version" content="two">')),
      '/c.txt': answer(200, 'quoll <meta name=category content=x>', { 'content-type': 'text/plain' }),
    });
    await world.job();
    expect(['/', '/a', '/b', '/c.txt'].map((path) => ofPage(path)?.metadata)).toEqual([
      {},
      { category: 'x', version: 2.5 },
      { category: 'y' },
      {},
    ]);
    const filter = { match: 'all', conditions: [{ field: 'category', type: 'text', op: 'eq', value: 'x' }] } as const;
    const order = { do: 'items.list', page: 1, perPage: 10, sortBy: 'status', filter } as const;
    const instance = facts({ source: source(), metadata: FIELDS });
    expect(await answerOrder(world.parts, { ...order, instance })).toMatchObject({
      result: [{ key: `${SITE}/a`, metadata: { category: 'x', version: 2.5, filename: 'a' } }],
    });
  });

  test('is read anew with each crawl, where the text is the same too', async () => {
    const { world, ofPage } = crawling({ '/': html('<p>same', meta('x')) });
    await world.job();
    world.pages['/'] = html('<p>same', meta('z'));
    await world.job();
    expect(ofPage('/')?.metadata).toEqual({ category: 'z' });
    world.pages['/'] = html('<p>same');
    await world.job();
    expect(ofPage('/')?.metadata).toEqual({});
  });

  test('follows other fields of the instance by a crawl that begins as soon as one may, and indexes nothing anew', async () => {
    const { world, ofPage } = crawling({ '/': html('<p>same', meta('x')) }, []);
    await world.job();
    expect(ofPage('/')?.metadata).toEqual({});
    const atMs = world.state.nowMs;
    world.learn(facts({ source: source(), metadata: FIELDS }));
    await world.round();
    expect(world.parts.store.listJobs(1, 1).jobs).toMatchObject([{ source: 'schedule', endReason: 'completed' }]);
    expect(world.state.nowMs - atMs).toBeLessThan(60_000);
    expect(ofPage('/')?.metadata).toEqual({ category: 'x' });
    expect(world.parts.store.logOf(ofPage('/')?.id ?? '', 10)).toHaveLength(1);
  });

  test('comes from the kept page where its chunks are made anew without a crawl', async () => {
    const { world, ofPage } = crawling({ '/': html('<p>same', meta('x')) }, []);
    await world.job();
    world.pages['/'] = answer(500);
    world.learn(facts({ source: source(), metadata: FIELDS, chunkTokens: 64 }));
    await world.job();
    expect(ofPage('/')).toMatchObject({ status: 'completed', metadata: { category: 'x' } });
  });
});
