import { expect, test } from 'vitest';
import { formatOrderFields } from '../../../src/web/buying/order-command.ts';

test.each([
  [{}, ''],
  [{ url: '' }, ''],
  [{ url: 'example.com' }, `'example.com'`],
  [{ url: 'https://example.com/?a=b', profile: 'blog' }, `'https://example.com/?a=b' profile='blog'`],
  [{ url: 'competitor=x' }, `url='competitor=x'`],
  [{ url: `https://x.example/'; rm -r ~` }, String.raw`'https://x.example/'\''; rm -r ~'`],
  [
    { brand: 'Acme', weak_spots: [{ topic: 'a' }], max_pages: 3 },
    `brand='Acme' weak_spots='[{"topic":"a"}]' max_pages='3'`,
  ],
])('%j as words of a command: %s', (body, words) => {
  expect(formatOrderFields(body)).toBe(words);
});
