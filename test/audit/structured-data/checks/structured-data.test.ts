import { describe, expect, test } from 'vitest';
import { buildSchemaFacts } from '../../../../src/audit/structured-data/facts/schema-graph-facts.ts';
import {
  gatherPages,
  type ExpectedOutcome,
  jsonLd,
  judgePage,
  outcomeOf,
  pageOf,
  type PageOptions,
} from '../../../support/audit/judge-page.ts';
import { failure, html, notFound, text } from '../../../support/audit/site-fetch.ts';

type Row = ExpectedOutcome & { name: string; page: string; options?: PageOptions };

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

const rows: Readonly<Record<string, readonly Row[]>> = {
  'geo.schema.jsonld-present': [
    { name: 'one block', page: only(organization), gives: 'pass' },
    {
      name: 'a block in CDATA, which the note tells',
      page: pageOf('', rawScript('<![CDATA[{"@type":"Thing"}]]>')),
      gives: 'pass',
      note: /CDATA/,
    },
    {
      name: 'microdata only',
      page: pageOf('<div itemscope itemtype="https://schema.org/Person"><b itemprop="name">A</b></div>'),
      gives: 'partial',
      note: /microdata/,
    },
    {
      name: 'RDFa only',
      page: pageOf('<div vocab="https://schema.org/" typeof="Person">A</div>'),
      gives: 'partial',
      note: /RDFa/,
    },
    { name: 'nothing', page: noData, gives: 'fail' },
    { name: 'an empty script', page: pageOf('', rawScript(' ')), gives: 'fail', note: /empty/ },
  ],
  'geo.schema.parses': [
    {
      name: 'strict JSON with white space around it',
      page: pageOf('', rawScript('\n {"@type":"Thing"} \n')),
      gives: 'pass',
    },
    {
      name: 'one of two blocks broken',
      page: pageOf('', rawScript('{"a":1}') + rawScript('{"a":1,}')),
      gives: 'partial',
      value: 0.5,
      note: /trailing_comma/,
    },
    {
      name: 'a comment that a forgiving parser would skip',
      page: pageOf('', rawScript('{/* x */"@type":"Thing"}')),
      gives: 'fail',
      note: /line 1, column \d+: comment/i,
    },
    {
      name: 'a CDATA section',
      page: pageOf('', rawScript('<![CDATA[{"@type":"Thing"}]]>')),
      gives: 'fail',
      note: /cdata/,
    },
    { name: 'no JSON-LD', page: noData, gives: 'not_applicable' },
  ],
  'geo.schema.context': [
    { name: 'schema.org', page: only({ '@context': 'http://schema.org/', '@type': 'Thing' }), gives: 'pass' },
    {
      name: 'schema.org among others',
      page: only({ '@context': ['https://schema.org', { x: 'https://x.example/' }], '@type': 'Thing' }),
      gives: 'pass',
    },
    { name: 'none', page: only({ '@type': 'Thing' }), gives: 'fail', note: /missing/ },
    {
      name: 'www.schema.org in the second block',
      page: only(organization, { '@context': 'https://www.schema.org', '@type': 'Thing' }),
      gives: 'fail',
    },
    { name: 'only a broken block', page: pageOf('', rawScript('{,}')), gives: 'not_applicable' },
    { name: 'no JSON-LD', page: noData, gives: 'not_applicable' },
  ],
  'geo.schema.known-types': [
    { name: 'known names, nested, pending ones too', page: only(article), gives: 'pass' },
    {
      name: 'names of another vocabulary and of the context itself',
      page: only({
        '@context': ['https://schema.org', { wattage: 'https://x.example/w', gr: 'http://purl.org/goodrelations/v1#' }],
        '@type': ['Product', 'gr:Offering'],
        wattage: 5,
      }),
      gives: 'pass',
    },
    {
      name: 'input annotations of actions',
      page: only({ ...context, '@type': 'SearchAction', 'query-input': 'required name=q', target: 'x' }),
      gives: 'pass',
    },
    { name: 'a misspelt type', page: only({ ...context, '@type': 'Organisation', name: 'Acme' }), gives: 'partial' },
    {
      name: 'a misspelt type and property',
      page: only({ ...context, '@type': 'Organisation', nmae: 'Acme' }),
      gives: 'fail',
    },
    { name: 'no readable names', page: only({ ...context }), gives: 'not_applicable' },
    { name: 'no JSON-LD', page: noData, gives: 'not_applicable' },
  ],
  'geo.entity.organization': [
    { name: 'complete', page: only(whole), gives: 'pass' },
    {
      name: 'a subtype in a graph',
      page: only({ ...context, '@graph': [{ ...whole, '@type': 'Dentist' }] }),
      gives: 'pass',
    },
    { name: 'name and url', page: only(organization), gives: 'partial', value: 0.5 },
    {
      name: 'name and @id, sameAs',
      page: only({ ...context, '@type': 'Organization', '@id': '#o', name: 'Acme', sameAs: 'https://x.example/' }),
      gives: 'partial',
      value: 0.7,
    },
    {
      name: 'split over two blocks by @id',
      page: only(
        { ...context, '@type': 'Organization', '@id': '#o', name: 'Acme' },
        { '@id': '#o', ...context, logo: 'https://acme.example/l.png' },
      ),
      gives: 'partial',
      value: 0.65,
    },
    {
      name: 'microdata',
      page: pageOf(
        '<div itemscope itemtype="http://schema.org/Corporation"><b itemprop="name">Acme</b><a itemprop="url" href="/">x</a></div>',
      ),
      gives: 'partial',
      value: 0.5,
    },
    {
      name: 'a name alone',
      page: only({ ...context, '@type': 'Organization', name: 'Acme' }),
      gives: 'fail',
      note: /without url/,
    },
    {
      name: 'only in a broken block',
      page: pageOf('', rawScript(`${JSON.stringify(whole).slice(0, -1)},}`)),
      gives: 'fail',
    },
    { name: 'none', page: noData, gives: 'fail' },
  ],
  'geo.entity.sameas': [
    { name: 'two hosts, one a register', page: only(whole), gives: 'pass' },
    {
      name: 'one register',
      page: only({ ...organization, sameAs: ['https://en.wikipedia.org/wiki/Acme'] }),
      gives: 'partial',
    },
    {
      name: 'two hosts, no register',
      page: only({ ...organization, sameAs: ['https://x.com/acme', 'https://www.facebook.com/acme'] }),
      gives: 'partial',
    },
    {
      name: 'relative and http URLs only',
      page: only({ ...organization, sameAs: ['/about', 'http://github.com/acme'] }),
      gives: 'fail',
    },
    { name: 'none', page: only(organization), gives: 'fail' },
  ],
  'geo.entity.name-consistent': [
    {
      name: 'title, og:site_name and Organization agree, with and without a legal form',
      page: pageOf(
        '',
        `<meta property="og:site_name" content="ACME">${jsonLd({ ...organization, name: 'Acme Inc.' })}`,
      ),
      gives: 'pass',
    },
    {
      name: 'the copyright line agrees too',
      page: pageOf(
        '<footer>© 2019–2026 Acme GmbH. All rights reserved.</footer>',
        '<meta property="og:site_name" content="Acme">',
      ),
      gives: 'pass',
    },
    {
      name: 'two of three agree',
      page: pageOf('', `<meta property="og:site_name" content="Acme">${jsonLd({ ...organization, name: 'Umbrella' })}`),
      gives: 'partial',
    },
    {
      name: 'all differ',
      page: pageOf(
        '',
        `<meta property="og:site_name" content="Initech">${jsonLd({ ...organization, name: 'Umbrella' })}`,
      ),
      gives: 'fail',
    },
    { name: 'one source', page: noData, gives: 'not_applicable' },
    {
      name: 'a title that ends in its date, and one source',
      page: pageOf('', '<meta property="og:site_name" content="Initech">').replace('| Acme', '- Feb. 1, 2016'),
      gives: 'not_applicable',
    },
  ],
  'geo.entity.website-node': [
    {
      name: 'name and url',
      page: only({ ...context, '@type': 'WebSite', name: 'Acme', url: 'https://acme.example/' }),
      gives: 'pass',
    },
    { name: 'name only', page: only({ ...context, '@type': 'WebSite', name: 'Acme' }), gives: 'partial' },
    { name: 'none', page: only(organization), gives: 'fail' },
  ],
  'geo.entity.author': [
    { name: 'a person with a URL', page: only(article), gives: 'pass' },
    {
      name: 'a person by @id elsewhere in the graph',
      page: only({
        ...context,
        '@graph': [
          { ...article, author: { '@id': '#p' } },
          { '@id': '#p', '@type': 'Person', name: 'Ada', sameAs: 'https://x.example/' },
        ],
      }),
      gives: 'pass',
    },
    { name: 'a string', page: only({ ...article, author: 'Ada Byron' }), gives: 'partial', value: 0.6 },
    {
      name: 'a byline only',
      page: pageOf('<article><h1>L</h1><p>By Ada Byron</p><time datetime="2026-01-01">1 Jan</time></article>'),
      gives: 'partial',
      value: 0.4,
    },
    {
      name: 'admin',
      page: only({ ...article, author: { '@type': 'Person', name: 'admin', url: 'https://acme.example/a' } }),
      gives: 'partial',
      value: 0.2,
    },
    { name: 'nobody', page: only(anonymous), gives: 'fail' },
    { name: 'not an article', page: noData, gives: 'not_applicable' },
  ],
  'geo.schema.page-type': [
    { name: 'Organization on the home page', page: only(organization), gives: 'pass' },
    {
      name: 'a subtype of Article on an article',
      page: pageOf('<article><p>By Ada Byron</p><time datetime="2026-01-01">1 Jan</time></article>', jsonLd(article)),
      gives: 'pass',
      options: { path: '/blog/lamps' },
    },
    { name: 'WebPage only', page: only({ ...context, '@type': 'WebPage' }), gives: 'partial' },
    {
      name: 'no node on a product page',
      page: pageOf(buyable('€ 5')),
      gives: 'fail',
      note: /price and a way to buy/,
      options: { path: '/lamp' },
    },
    { name: 'an unknown kind', page: only(organization), gives: 'not_applicable', options: { path: '/something' } },
  ],
  'geo.schema.article': [
    { name: 'all six fields', page: only(article), gives: 'pass' },
    { name: 'five', page: only(anonymous), gives: 'partial', value: 0.833, note: /author/ },
    { name: 'none', page: only({ ...context, '@type': 'Article' }), gives: 'fail' },
    { name: 'no article', page: only(organization), gives: 'not_applicable' },
  ],
  'geo.schema.product': [
    { name: 'all six fields', page: only(product), gives: 'pass' },
    {
      name: 'a price specification',
      page: only({
        ...product,
        offers: {
          '@type': 'Offer',
          availability: 'InStock',
          priceSpecification: { '@type': 'PriceSpecification', price: 5, priceCurrency: 'EUR' },
        },
      }),
      gives: 'pass',
    },
    { name: 'no identifier', page: only(unidentified), gives: 'partial', value: 0.833, note: /gtin/ },
    { name: 'a product page without a node', page: pageOf(buyable('€ 5')), gives: 'fail', options: { path: '/lamp' } },
    { name: 'no product', page: only(article), gives: 'not_applicable' },
  ],
  'geo.schema.price-parity': [
    {
      name: 'the visible price, written the German way',
      page: pageOf(buyable('Nur 1.299,00 €'), jsonLd(product)),
      gives: 'pass',
    },
    {
      name: 'the visible price, written the American way',
      page: pageOf(buyable('$1,299'), jsonLd(product)),
      gives: 'pass',
    },
    {
      name: 'one of the variants',
      page: pageOf(
        buyable('EUR 20'),
        jsonLd({
          ...product,
          offers: [
            { '@type': 'Offer', price: 10 },
            { '@type': 'Offer', price: 20 },
          ],
        }),
      ),
      gives: 'pass',
    },
    {
      name: 'free',
      page: pageOf(buyable('Free for ever'), jsonLd({ ...product, offers: { '@type': 'Offer', price: 0 } })),
      gives: 'pass',
    },
    { name: 'another price', page: pageOf(buyable('€ 999'), jsonLd(product)), gives: 'fail' },
    { name: 'the number without a currency', page: pageOf(buyable('Model 1299'), jsonLd(product)), gives: 'fail' },
    { name: 'no offer', page: only(article), gives: 'not_applicable' },
  ],
  'geo.schema.faq-parity': [
    {
      name: 'both questions visible, one in closed details, one with markup in the answer',
      page: pageOf(FREE_SHOWN + COLD_SHOWN, jsonLd(faqPage(FREE_QUESTION, COLD_QUESTION))),
      gives: 'pass',
    },
    {
      name: 'one of two',
      page: pageOf(FREE_SHOWN, jsonLd(faqPage(FREE_QUESTION, COLD_QUESTION))),
      gives: 'fail',
      note: /1 of 2/,
    },
    {
      name: 'another answer',
      page: pageOf('<h3>Is it free?</h3><p>No.</p>', jsonLd(faqPage(FREE_QUESTION))),
      gives: 'fail',
    },
    {
      name: 'text that is hidden',
      page: pageOf(`<div style="display:none">${FREE_SHOWN}</div>`, jsonLd(faqPage(FREE_QUESTION))),
      gives: 'fail',
    },
    { name: 'no FAQPage', page: noData, gives: 'not_applicable' },
    { name: 'a FAQPage without questions', page: only(faqPage()), gives: 'not_applicable' },
  ],
  'geo.schema.faq': [
    { name: 'a Question with name and answer', page: only(faqPage(FREE_QUESTION)), gives: 'pass' },
    {
      name: 'mainEntity that is one Question',
      page: only({ ...context, '@type': 'FAQPage', mainEntity: FREE_QUESTION }),
      gives: 'pass',
    },
    {
      name: 'one without an answer',
      page: only(faqPage(FREE_QUESTION, { '@type': 'Question', name: 'Why?' })),
      gives: 'partial',
      value: 0.5,
    },
    { name: 'no mainEntity', page: only({ ...context, '@type': 'FAQPage' }), gives: 'fail' },
    { name: 'no FAQPage', page: only(article), gives: 'not_applicable' },
  ],
};

describe.each(Object.entries(rows))('%s', (id, cases) => {
  test.each(cases.map((row) => [row.name, row] as const))('%s', async (_, row) => {
    expect(await judgePage(id, row.page, row.options)).toMatchObject(outcomeOf(row));
  });
});

test.each(Object.keys(rows))('%s is unknown, not a no, when the page cannot be read', async (id) => {
  expect((await judgePage(id, { '/': failure('timeout') }, { only: ['page', 'faq'] })).status).toBe('unknown');
});

test('the fault of a block is shown with the line of the page', async () => {
  const outcome = await judgePage('geo.schema.parses', `<!doctype html>\n<html>\n${rawScript('{\n"a": 1,\n}')}`);
  expect(outcome.evidence).toMatchObject([{ line: 4, selector: 'script[type="application/ld+json"]' }]);
});

test('a misspelt name comes with the nearest one of schema.org', async () => {
  const outcome = await judgePage('geo.schema.known-types', only({ ...context, '@type': 'Organisation', nmae: 'x' }));
  expect(outcome.evidence.map(({ excerpt }) => excerpt)).toEqual([
    'Organisation (nearest: Organization)',
    'nmae (nearest: name)',
  ]);
});

describe('the facts of check_schema', () => {
  test('list types with counts, blocks with errors, and whether FAQ and Organization are there', async () => {
    const page = pageOf('', jsonLd(article) + jsonLd(faqPage(FREE_QUESTION)) + rawScript('{"@type":"Person",}'));
    expect(buildSchemaFacts(await gatherPages({ '/': html(page) }))).toMatchObject({
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
    expect(buildSchemaFacts(await gatherPages({ '/': answer }))).toEqual({ readable: false, reason });
  });
});
