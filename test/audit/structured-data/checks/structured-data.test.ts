import { describe, expect, test } from 'vitest';
import { snapshotOf } from '../../../support/audit/audit.ts';
import { buildSchemaFacts } from '../../../../src/audit/structured-data/facts/schema-graph-facts.ts';
import { failure, html, notFound, text } from '../../../support/audit/site-fetch.ts';
import { jsonLd, pageOf } from '../../../support/audit/pages.ts';
import { judgeCheck, type Row, testChecks } from '../../../support/audit/judge-check.ts';

const context = { '@context': 'https://schema.org' };
const organization = { ...context, '@type': 'Organization', name: 'Acme', url: 'https://acme.example/' };
const whole = {
  ...organization,
  logo: 'https://acme.example/logo.png',
  sameAs: ['https://www.wikidata.org/wiki/Q42', 'https://www.linkedin.com/company/acme'],
  contactPoint: { '@type': 'ContactPoint', telephone: '+49 30 123' },
};
const article = {
  ...context,
  '@type': 'NewsArticle',
  headline: 'Lamps',
  author: { '@type': 'Person', name: 'Ada Byron', url: 'https://acme.example/ada' },
  datePublished: '2026-01-01',
  dateModified: '2026-02-01',
  image: 'https://acme.example/a.png',
  publisher: organization,
};
const product = {
  ...context,
  '@type': 'Product',
  name: 'Lamp',
  image: 'https://acme.example/l.png',
  sku: 'L-1',
  offers: { '@type': 'Offer', price: '1299.00', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
};
const question = (name: string, answer: string): object => ({
  '@type': 'Question',
  name,
  acceptedAnswer: { '@type': 'Answer', text: answer },
});
const faqPage = (...questions: object[]): object => ({ ...context, '@type': 'FAQPage', mainEntity: questions });
const FREE_QUESTION = question('Is it free?', 'Yes, <b>every</b> lamp&nbsp;is free.');
const COLD_QUESTION = question('Is it cold?', 'No, it is warm.');
const FREE_SHOWN = '<h3>Is it free?</h3><p>Yes, every lamp is free.</p>';
const COLD_SHOWN = '<details><summary>Is it cold?</summary>No, it is warm.</details>';
const rawScript = (json: string): string => `<script type="application/ld+json">${json}</script>`;
const only = (...blocks: unknown[]): string =>
  pageOf('<main><h1>Lamps</h1></main>', blocks.map((block) => jsonLd(block)).join(''));
const noData = pageOf('<main><h1>Lamps</h1></main>');
const buyable = (shown: string): string => `<main><h1>Lamp</h1><p>${shown}</p><button>Add to cart</button></main>`;
const { sku: _sku, ...unidentified } = product;
const { author: _author, ...anonymous } = article;

const rows: Readonly<Record<string, readonly Row<string>[]>> = {
  'geo.schema.jsonld-present': [
    ['one block', only(organization), 'pass'],
    ['a block in CDATA, which the note tells', pageOf('', rawScript('<![CDATA[{"@type":"Thing"}]]>')), 'pass', /CDATA/],
    [
      'microdata only',
      pageOf('<div itemscope itemtype="https://schema.org/Person"><b itemprop="name">A</b></div>'),
      'partial',
      /microdata/,
    ],
    ['RDFa only', pageOf('<div vocab="https://schema.org/" typeof="Person">A</div>'), 'partial', /RDFa/],
    ['nothing', noData, 'fail'],
    ['an empty script', pageOf('', rawScript(' ')), 'fail', /empty/],
  ],
  'geo.schema.parses': [
    ['strict JSON with white space around it', pageOf('', rawScript('\n {"@type":"Thing"} \n')), 'pass'],
    [
      'one of two blocks broken',
      pageOf('', rawScript('{"a":1}') + rawScript('{"a":1,}')),
      'partial',
      /trailing_comma/,
      { value: 0.5 },
    ],
    [
      'a comment that a forgiving parser would skip',
      pageOf('', rawScript('{/* x */"@type":"Thing"}')),
      'fail',
      /line 1, column \d+: comment/i,
    ],
    ['a CDATA section', pageOf('', rawScript('<![CDATA[{"@type":"Thing"}]]>')), 'fail', /cdata/],
    ['no JSON-LD', noData, 'not_applicable'],
  ],
  'geo.schema.context': [
    ['schema.org', only({ '@context': 'http://schema.org/', '@type': 'Thing' }), 'pass'],
    [
      'schema.org among others',
      only({ '@context': ['https://schema.org', { x: 'https://x.example/' }], '@type': 'Thing' }),
      'pass',
    ],
    ['none', only({ '@type': 'Thing' }), 'fail', /missing/],
    [
      'www.schema.org in the second block',
      only(organization, { '@context': 'https://www.schema.org', '@type': 'Thing' }),
      'fail',
    ],
    ['only a broken block', pageOf('', rawScript('{,}')), 'not_applicable'],
    ['no JSON-LD', noData, 'not_applicable'],
  ],
  'geo.schema.known-types': [
    ['known names, nested, pending ones too', only(article), 'pass'],
    [
      'names of another vocabulary and of the context itself',
      only({
        '@context': ['https://schema.org', { wattage: 'https://x.example/w', gr: 'http://purl.org/goodrelations/v1#' }],
        '@type': ['Product', 'gr:Offering'],
        wattage: 5,
      }),
      'pass',
    ],
    [
      'input annotations of actions',
      only({ ...context, '@type': 'SearchAction', 'query-input': 'required name=q', target: 'x' }),
      'pass',
    ],
    ['a misspelt type', only({ ...context, '@type': 'Organisation', name: 'Acme' }), 'partial'],
    ['a misspelt type and property', only({ ...context, '@type': 'Organisation', nmae: 'Acme' }), 'fail'],
    ['no readable names', only({ ...context }), 'not_applicable'],
    ['no JSON-LD', noData, 'not_applicable'],
  ],
  'geo.entity.organization': [
    ['complete', only(whole), 'pass'],
    ['a subtype in a graph', only({ ...context, '@graph': [{ ...whole, '@type': 'Dentist' }] }), 'pass'],
    ['name and url', only(organization), 'partial', undefined, { value: 0.5 }],
    [
      'name and @id, sameAs',
      only({ ...context, '@type': 'Organization', '@id': '#o', name: 'Acme', sameAs: 'https://x.example/' }),
      'partial',
      undefined,
      { value: 0.7 },
    ],
    [
      'split over two blocks by @id',
      only(
        { ...context, '@type': 'Organization', '@id': '#o', name: 'Acme' },
        { '@id': '#o', ...context, logo: 'https://acme.example/l.png' },
      ),
      'partial',
      undefined,
      { value: 0.65 },
    ],
    [
      'microdata',
      pageOf(
        '<div itemscope itemtype="http://schema.org/Corporation"><b itemprop="name">Acme</b><a itemprop="url" href="/">x</a></div>',
      ),
      'partial',
      undefined,
      { value: 0.5 },
    ],
    ['a name alone', only({ ...context, '@type': 'Organization', name: 'Acme' }), 'fail', /without url/],
    ['only in a broken block', pageOf('', rawScript(`${JSON.stringify(whole).slice(0, -1)},}`)), 'fail'],
    ['none', noData, 'fail'],
  ],
  'geo.entity.sameas': [
    ['two hosts, one a register', only(whole), 'pass'],
    ['one register', only({ ...organization, sameAs: ['https://en.wikipedia.org/wiki/Acme'] }), 'partial'],
    [
      'two hosts, no register',
      only({ ...organization, sameAs: ['https://x.com/acme', 'https://www.facebook.com/acme'] }),
      'partial',
    ],
    ['relative and http URLs only', only({ ...organization, sameAs: ['/about', 'http://github.com/acme'] }), 'fail'],
    ['none', only(organization), 'fail'],
  ],
  'geo.entity.name-consistent': [
    [
      'title, og:site_name and Organization agree, with and without a legal form',
      pageOf('', `<meta property="og:site_name" content="ACME">${jsonLd({ ...organization, name: 'Acme Inc.' })}`),
      'pass',
    ],
    [
      'the copyright line agrees too',
      pageOf(
        '<footer>© 2019–2026 Acme GmbH. All rights reserved.</footer>',
        '<meta property="og:site_name" content="Acme">',
      ),
      'pass',
    ],
    [
      'two of three agree',
      pageOf('', `<meta property="og:site_name" content="Acme">${jsonLd({ ...organization, name: 'Umbrella' })}`),
      'partial',
    ],
    [
      'all differ',
      pageOf('', `<meta property="og:site_name" content="Initech">${jsonLd({ ...organization, name: 'Umbrella' })}`),
      'fail',
    ],
    ['one source', noData, 'not_applicable'],
    [
      'a title that ends in its date, and one source',
      pageOf('', '<meta property="og:site_name" content="Initech">').replace('| Acme', '- Feb. 1, 2016'),
      'not_applicable',
    ],
  ],
  'geo.entity.website-node': [
    ['name and url', only({ ...context, '@type': 'WebSite', name: 'Acme', url: 'https://acme.example/' }), 'pass'],
    ['name only', only({ ...context, '@type': 'WebSite', name: 'Acme' }), 'partial'],
    ['none', only(organization), 'fail'],
  ],
  'geo.entity.author': [
    ['a person with a URL', only(article), 'pass'],
    [
      'a person by @id elsewhere in the graph',
      only({
        ...context,
        '@graph': [
          { ...article, author: { '@id': '#p' } },
          { '@id': '#p', '@type': 'Person', name: 'Ada', sameAs: 'https://x.example/' },
        ],
      }),
      'pass',
    ],
    ['a string', only({ ...article, author: 'Ada Byron' }), 'partial', undefined, { value: 0.6 }],
    [
      'a byline only',
      pageOf('<article><h1>L</h1><p>By Ada Byron</p><time datetime="2026-01-01">1 Jan</time></article>'),
      'partial',
      undefined,
      { value: 0.4 },
    ],
    [
      'admin',
      only({ ...article, author: { '@type': 'Person', name: 'admin', url: 'https://acme.example/a' } }),
      'partial',
      undefined,
      { value: 0.2 },
    ],
    ['nobody', only(anonymous), 'fail'],
    ['not an article', noData, 'not_applicable'],
  ],
  'geo.schema.page-type': [
    ['Organization on the home page', only(organization), 'pass'],
    [
      'a subtype of Article on an article',
      pageOf('<article><p>By Ada Byron</p><time datetime="2026-01-01">1 Jan</time></article>', jsonLd(article)),
      'pass',
      undefined,
      { at: '/blog/lamps' },
    ],
    ['WebPage only', only({ ...context, '@type': 'WebPage' }), 'partial'],
    ['no node on a product page', pageOf(buyable('€ 5')), 'fail', /price and a way to buy/, { at: '/lamp' }],
    ['an unknown kind', only(organization), 'not_applicable', undefined, { at: '/something' }],
  ],
  'geo.schema.article': [
    ['all six fields', only(article), 'pass'],
    ['five', only(anonymous), 'partial', /author/, { value: 0.833 }],
    ['none', only({ ...context, '@type': 'Article' }), 'fail'],
    ['no article', only(organization), 'not_applicable'],
  ],
  'geo.schema.product': [
    ['all six fields', only(product), 'pass'],
    [
      'a price specification',
      only({
        ...product,
        offers: {
          '@type': 'Offer',
          availability: 'InStock',
          priceSpecification: { '@type': 'PriceSpecification', price: 5, priceCurrency: 'EUR' },
        },
      }),
      'pass',
    ],
    ['no identifier', only(unidentified), 'partial', /gtin/, { value: 0.833 }],
    ['a product page without a node', pageOf(buyable('€ 5')), 'fail', undefined, { at: '/lamp' }],
    ['no product', only(article), 'not_applicable'],
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
    ['free', pageOf(buyable('Free for ever'), jsonLd({ ...product, offers: { '@type': 'Offer', price: 0 } })), 'pass'],
    ['another price', pageOf(buyable('€ 999'), jsonLd(product)), 'fail'],
    ['the number without a currency', pageOf(buyable('Model 1299'), jsonLd(product)), 'fail'],
    ['no offer', only(article), 'not_applicable'],
  ],
  'geo.schema.faq-parity': [
    [
      'both questions visible, one in closed details, one with markup in the answer',
      pageOf(FREE_SHOWN + COLD_SHOWN, jsonLd(faqPage(FREE_QUESTION, COLD_QUESTION))),
      'pass',
    ],
    ['one of two', pageOf(FREE_SHOWN, jsonLd(faqPage(FREE_QUESTION, COLD_QUESTION))), 'fail', /1 of 2/],
    ['another answer', pageOf('<h3>Is it free?</h3><p>No.</p>', jsonLd(faqPage(FREE_QUESTION))), 'fail'],
    [
      'text that is hidden',
      pageOf(`<div style="display:none">${FREE_SHOWN}</div>`, jsonLd(faqPage(FREE_QUESTION))),
      'fail',
    ],
    ['no FAQPage', noData, 'not_applicable'],
    ['a FAQPage without questions', only(faqPage()), 'not_applicable'],
  ],
  'geo.schema.faq': [
    ['a Question with name and answer', only(faqPage(FREE_QUESTION)), 'pass'],
    ['mainEntity that is one Question', only({ ...context, '@type': 'FAQPage', mainEntity: FREE_QUESTION }), 'pass'],
    [
      'one without an answer',
      only(faqPage(FREE_QUESTION, { '@type': 'Question', name: 'Why?' })),
      'partial',
      undefined,
      { value: 0.5 },
    ],
    ['no mainEntity', only({ ...context, '@type': 'FAQPage' }), 'fail'],
    ['no FAQPage', only(article), 'not_applicable'],
  ],
};

testChecks(rows, { seen: 200 });

test.each(Object.keys(rows))('%s is unknown, not a no, when the page cannot be read', async (id) => {
  expect((await judgeCheck(id, { '/': failure('timeout') }, { only: ['page', 'faq'] })).status).toBe('unknown');
});

test('the fault of a block is shown with the line of the page', async () => {
  const outcome = await judgeCheck('geo.schema.parses', `<!doctype html>\n<html>\n${rawScript('{\n"a": 1,\n}')}`);
  expect(outcome.evidence).toMatchObject([{ line: 4, selector: 'script[type="application/ld+json"]' }]);
});

test('a misspelt name comes with the nearest one of schema.org', async () => {
  const outcome = await judgeCheck('geo.schema.known-types', only({ ...context, '@type': 'Organisation', nmae: 'x' }));
  expect(outcome.evidence.map(({ excerpt }) => excerpt)).toEqual([
    'Organisation (nearest: Organization)',
    'nmae (nearest: name)',
  ]);
});

describe('the facts of check_schema', () => {
  test('list types with counts, blocks with errors, and whether FAQ and Organization are there', async () => {
    const page = pageOf('', jsonLd(article) + jsonLd(faqPage(FREE_QUESTION)) + rawScript('{"@type":"Person",}'));
    expect(buildSchemaFacts(await snapshotOf({ '/': html(page) }, { only: ['page'] }))).toMatchObject({
      readable: true,
      types: expect.arrayContaining([
        { type: 'NewsArticle', count: 1 },
        { type: 'Organization', count: 1 },
        { type: 'Person', count: 1 },
      ]),
      faq: true,
      faq_questions: 1,
      organization: true,
      organization_name: 'Acme',
      errors: 1,
      blocks: [
        { state: 'parsed' },
        { state: 'parsed' },
        { state: 'broken', types: ['Person'], error: { reason: 'trailing_comma' } },
      ],
    });
  });

  test.each([
    ['not found', notFound, 'http_404'],
    ['not HTML', text('hello'), 'not_html'],
    ['not reachable', failure('timeout'), 'timeout'],
  ])('say that nothing is known of a page that is %s', async (_, answer, reason) => {
    expect(buildSchemaFacts(await snapshotOf({ '/': answer }, { only: ['page'] }))).toEqual({
      readable: false,
      reason,
    });
  });
});
