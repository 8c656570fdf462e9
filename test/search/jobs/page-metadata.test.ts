import { expect, test } from 'vitest';
import { answerOrder } from '../../../src/search/answer-order.ts';
import { crawlWorld, facts, html, SITE, source } from '../crawl/world.ts';

test('a page that is indexed by its address has the metadata of its metas', async () => {
  const world = crawlWorld({
    '/a': html('<p>a', '<title>t</title><meta name="category" content="x">'),
    '/b': html('<p>b'),
  });
  const instance = facts({ source: source(), isPaused: true, metadata: [{ name: 'category', type: 'text' }] });
  world.learn(instance);
  const index = (path: string) =>
    answerOrder(world.parts, { do: 'items.index', instance, key: SITE + path, waits: true });
  expect(await index('/a')).toMatchObject({ result: { status: 'completed', metadata: { category: 'x' } } });
  world.pages['/a'] = html('<p>a', '<title>t</title><meta name="category" content="y">');
  expect(await index('/a')).toMatchObject({ result: { metadata: { category: 'y' } } });
  expect(await index('/b')).not.toHaveProperty('result.metadata.category');
});
