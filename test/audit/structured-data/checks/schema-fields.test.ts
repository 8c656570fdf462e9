import { expect, test } from 'vitest';
import { failure } from '../../../support/audit/site-fetch.ts';
import { context, pageWith, ORGANIZATION, article, anonymous } from '../../../support/audit/schema-pages.ts';
import { judgeCheck, type Row, testChecks } from '../../../support/audit/judge-check.ts';
import { jsonLd, pageOf } from '../../../support/audit/pages.ts';

const product = {
  ...context,
  '@type': 'Product',
  name: 'Lamp',
  image: 'https://acme.example/l.png',
  sku: 'L-1',
  offers: { '@type': 'Offer', price: '1299.00', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
};

const priced = (price: string): object => ({ ...product, offers: { ...product.offers, price } });

const buyable = (shown: string): string => `<main><h1>Lamp</h1><p>${shown}</p><button>Add to cart</button></main>`;

const { sku: _sku, ...unidentified } = product;

const rows: Readonly<Record<string, readonly Row<string>[]>> = {
  'geo.schema.page-type': [
    ['Organization on the home page', pageWith(ORGANIZATION), 'pass'],
    [
      'a subtype of Article on an article',
      pageOf('<article><p>By Ada Byron</p><time datetime="2026-01-01">1 Jan</time></article>', jsonLd(article)),
      'pass',
      undefined,
      { at: '/blog/lamps' },
    ],
    ['Recipe on a recipe', pageWith({ ...article, '@type': 'Recipe' }), 'pass', /fitting/, { at: '/blog/soup' }],
    ['RDFa that is about this page', pageOf('<p about="/" typeof="schema:Organization">Acme</p>'), 'pass'],
    [
      'RDFa that is about other pages',
      pageOf('<p about="/x" typeof="schema:Organization">X</p><p typeof="schema:Organization">Y</p>'),
      'fail',
    ],
    [
      'a trail, on a list of articles',
      pageWith({ ...context, '@type': 'BreadcrumbList' }),
      'partial',
      /only a general type/,
      { at: '/category/lamps' },
    ],
    ['WebPage only', pageWith({ ...context, '@type': 'WebPage' }), 'partial'],
    ['no node on a product page', pageOf(buyable('€ 5')), 'fail', /price and a way to buy/, { at: '/lamp' }],
    ['an unknown kind', pageWith(ORGANIZATION), 'not_applicable', undefined, { at: '/something' }],
  ],
  'geo.schema.article': [
    ['all six fields', pageWith(article), 'pass'],
    ['five', pageWith(anonymous), 'partial', /author/, { value: 0.833 }],
    [
      'an author whose name is empty',
      pageWith({ ...article, author: { '@type': 'Person', name: '' } }),
      'partial',
      /author/,
    ],
    ['none', pageWith({ ...context, '@type': 'Article' }), 'fail'],
    ['one', pageWith({ ...context, '@type': 'Article', headline: 'Lamps' }), 'fail', /1 of 6 fields/],
    [
      'two, and dates that stand for none',
      pageWith({
        ...context,
        '@type': 'Article',
        headline: 'Lamps',
        image: 'https://acme.example/l.png',
        datePublished: '0001-01-01T00:00:00Z',
        dateModified: '1970-01-01',
      }),
      'partial',
      /Missing: author, datePublished, dateModified, publisher/,
    ],
    [
      'a thread of a forum',
      pageWith({ ...context, '@type': 'DiscussionForumPosting', headline: 'Lamps' }),
      'not_applicable',
    ],
    ['no article', pageWith(ORGANIZATION), 'not_applicable'],
  ],
  'geo.schema.product': [
    ['all six fields', pageWith(product), 'pass'],
    [
      'a price specification',
      pageWith({
        ...product,
        offers: {
          '@type': 'Offer',
          availability: 'InStock',
          priceSpecification: { '@type': 'PriceSpecification', price: 5, priceCurrency: 'EUR' },
        },
      }),
      'pass',
    ],
    ['no identifier', pageWith(unidentified), 'partial', /gtin/, { value: 0.833 }],
    ['a product page without a node', pageOf(buyable('€ 5')), 'fail', undefined, { at: '/lamp' }],
    ['no product', pageWith(article), 'not_applicable'],
    [
      'the subscription of an article behind a paywall',
      pageWith({
        ...article,
        isAccessibleForFree: false,
        isPartOf: { '@type': ['CreativeWork', 'Product'], name: 'The Daily', productID: 'daily.example:basic' },
      }),
      'not_applicable',
    ],
    [
      'the same subscription by its id alone',
      pageWith({ ...context, '@type': ['CreativeWork', 'Product'], name: 'The Daily', productID: 'daily:basic' }),
      'not_applicable',
    ],
    [
      'a product page whose JSON-LD cannot be parsed',
      pageOf(buyable('€ 5'), '<script type="application/ld+json">{"@type": "Product",</script>'),
      'fail',
      /1 JSON-LD block cannot be parsed/,
      { at: '/lamp' },
    ],
    [
      'a product page with more JSON-LD than we read',
      pageOf(buyable('€ 5'), jsonLd({ ...context, '@type': 'Thing', description: 'x'.repeat(1_000_001) })),
      'unknown',
      /longer than we read/,
      { at: '/lamp' },
    ],
    [
      'the best described of two',
      pageWith({ ...context, '@graph': [product, { '@type': 'Product', name: 'Other' }] }),
      'pass',
      /best described of 2 nodes/,
    ],
    ['a product that is sold by its productID', pageWith({ ...product, productID: 'upc:1' }), 'pass'],
  ],
  'geo.schema.price-parity': [
    ['the visible price, written the German way', pageOf(buyable('Nur 1.299,00 €'), jsonLd(product)), 'pass'],
    ['the visible price, written the American way', pageOf(buyable('$1,299'), jsonLd(product)), 'pass'],
    [
      'one of the variants',
      pageOf(
        buyable('EUR 20'),
        jsonLd({
          ...product,
          offers: [
            { '@type': 'Offer', price: 10 },
            { '@type': 'Offer', price: 20 },
          ],
        }),
      ),
      'pass',
    ],
    ...(
      [
        ['the prices of its variants by name', '<td>£30.00</td>', 'pass', /are in the visible text/],
        ['another price in the row of a variant', '<td>£35.00</td>', 'fail', /1 variant by name.*35/],
        ['a variant without a price of its own', '<td>sold out</td>', 'pass', /are in the visible text/],
        ['a variant that was dearer', '<td><s>£35.00</s> £30.00</td>', 'pass', /are in the visible text/],
      ] as const
    ).map(([name, cell, status, note]): Row<string> => [
      name,
      pageOf(
        buyable(`<table><tr><th>Small</th><td>£20.00</td></tr><tr><th>Large</th>${cell}</tr></table>`),
        jsonLd({
          ...product,
          offers: [
            { '@type': 'Offer', name: 'Small', price: 20 },
            { '@type': 'Offer', name: 'Large', price: 30 },
          ],
        }),
      ),
      status,
      note,
    ]),
    ['free', pageOf(buyable('Free for ever'), jsonLd({ ...product, offers: { '@type': 'Offer', price: 0 } })), 'pass'],
    ['another price', pageOf(buyable('€ 999'), jsonLd(product)), 'fail'],
    ['the number without a currency', pageOf(buyable('Model 1299'), jsonLd(product)), 'fail'],
    ...['21,– €', '21.– CHF', '2 100 Kč', '4399 руб', 'Rs. 1,999', '¥12,800', '199 zł'].map((shown): Row<string> => [
      `the price as ${shown}`,
      pageOf(buyable(shown), jsonLd(priced(String(Number(shown.replaceAll(/\D/g, '')))))),
      'pass',
    ]),
    ['£169.00 against 149.00', pageOf(buyable('£169.00'), jsonLd(priced('149.00'))), 'fail', /names 169\.00/],
    ['£149.00 against 14900', pageOf(buyable('£149.00'), jsonLd(priced('14900'))), 'fail'],
    ['a price that is struck through', pageOf(buyable('<s>£149.00</s> £169.00'), jsonLd(priced('149.00'))), 'fail'],
    [
      'the price of another product, in its link',
      pageOf(`${buyable('£169.00')}<a href="/chair">Chair £149.00</a>`, jsonLd(priced('149.00'))),
      'fail',
    ],
    [
      'its own price again in a link to another product',
      pageOf(`${buyable('£149.00')}<a href="/chair">Chair <s>£149.00</s> £99.00</a>`, jsonLd(priced('149.00'))),
      'pass',
    ],
    ['no price at all', pageOf(buyable('Ask us'), jsonLd(priced('149.00'))), 'fail', /names no amount/],
    [
      'the product that an article reviews',
      pageOf('<p>Text.</p>', jsonLd({ ...context, '@type': 'Review', itemReviewed: product })),
      'not_applicable',
    ],
    ['no offer', pageWith(article), 'not_applicable'],
  ],
};

testChecks(rows, { seen: 200 });

test.each(Object.keys(rows))('%s is unknown, not a no, when the page cannot be read', async (id) => {
  expect((await judgeCheck(id, { '/': failure('timeout') }, { only: ['page', 'faq'] })).status).toBe('unknown');
});
