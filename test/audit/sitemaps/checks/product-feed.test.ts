import { describe, expect, test } from 'vitest';
import { parseProductFeed } from '../../../../src/audit/sitemaps/facts/product-feed.ts';
import { testCheck } from '../../../support/audit/judge-check.ts';
import {
  failure,
  html,
  json,
  notFound,
  SITE,
  type SiteAnswer,
  type SiteMap,
  xml,
} from '../../../support/audit/site-fetch.ts';

const FEED = '/feeds/products.xml';
const item = (price: string, more = '<g:availability>in_stock</g:availability>') =>
  `<item><g:id>k1</g:id><title>Kettle</title><link>${SITE}/kettle</link>${price}${more}</item>`;
const rss = (...items: string[]) =>
  xml(
    `<?xml version="1.0"?><rss xmlns:g="http://base.google.com/ns/1.0"><channel><title>Acme</title>${items.join('')}</channel></rss>`,
  );
const PRICE = '<g:price>89.00 EUR</g:price>';

const product = (price: string) =>
  html(
    `<!doctype html><title>Kettle</title><script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'Product', name: 'Kettle', offers: { '@type': 'Offer', price, priceCurrency: 'EUR' } })}</script><h1>Kettle</h1>`,
  );
const shop = (feed: SiteAnswer, kettle: SiteAnswer = product('89.00')): SiteMap => ({
  '/': html(`<!doctype html><title>Acme</title><a href="${FEED}">Feed</a> <a href="/kettle">Kettle</a>`),
  [FEED]: feed,
  '/kettle': kettle,
});

testCheck('agent.feed.products', [
  ['a complete item with the price of its page', shop(rss(item(PRICE))), 'pass'],
  ['a price in another form', shop(rss(item('<g:price>EUR 89</g:price>'))), 'pass'],
  ['a page that was not read', shop(rss(item(PRICE)), notFound), 'pass'],
  ['another price than the page', shop(rss(item('<g:price>79.00 EUR</g:price>'))), 'partial', /not that of the page/],
  ['an item without availability', shop(rss(item(PRICE), item(PRICE, ''))), 'partial', /missing: availability/],
  ['no item is complete', shop(rss(item(PRICE, ''))), 'fail'],
  [
    'in JSON',
    shop(
      json({
        products: [{ id: 1, title: 'Kettle', link: `${SITE}/kettle`, price: '89.00 EUR', availability: 'in_stock' }],
      }),
    ),
    'pass',
  ],
  [
    'a feed of articles',
    shop(xml('<rss><channel><item><title>News</title><link>https://acme.example/n</link></item></channel></rss>')),
    'fail',
    /lists no products/,
  ],
  ['a feed that is not there', shop(notFound), 'fail', /not there/],
  ['a feed that refuses us', shop(html('no', { status: 403 })), 'unknown'],
  ['a feed that gives no answer', shop(failure('timeout')), 'unknown'],
  [
    'no feed is named',
    { '/': html('<!doctype html><title>Acme</title><a href="/feed">News feed</a>') },
    'not_applicable',
  ],
  [
    'a feed of another owner',
    { '/': html('<!doctype html><a href="https://other.example/product-feed.xml">Feed</a>') },
    'not_applicable',
  ],
]);

describe('a product feed', () => {
  test('of Atom has its links', () => {
    const entry =
      '<entry><g:id>1</g:id><title>A</title><link href="https://acme.example/a"/><g:price>1</g:price></entry>';
    expect(parseProductFeed(`<feed xmlns="http://www.w3.org/2005/Atom">${entry}</feed>`)).toEqual([
      { id: '1', title: 'A', link: 'https://acme.example/a', price: '1', availability: '' },
    ]);
  });

  test('of any size is read up to its bound', () => {
    const many = '<item><g:price>1</g:price></item>'.repeat(5_000);
    expect(parseProductFeed(`<rss>${many}</rss>`)).toHaveLength(200);
  });

  test.each(['', 'id,title,price', '<html><item>', '{', '[null, 1, "x"]', '<item>'.repeat(10_000)])(
    'of %j never throws',
    (text) => {
      expect(() => parseProductFeed(text)).not.toThrow();
    },
  );
});
