import { describe, expect, test } from 'vitest';
import { isIsoDate } from '../../../../src/audit/structured-data/facts/schema-dates.ts';
import {
  type ExpectedOutcome,
  jsonLd,
  judgePage,
  outcomeOf,
  pageOf,
  type PageOptions,
  prose,
} from '../../../support/audit/judge-page.ts';

type Row = ExpectedOutcome & {
  name: string;
  nodes?: readonly object[];
  body?: string;
  head?: string;
  options?: PageOptions;
};

const page = ({ nodes = [], body = '', head = '' }: Pick<Row, 'nodes' | 'body' | 'head'>): string =>
  pageOf(
    `<main><h1>Lamps</h1>${body}</main>`,
    head + (nodes.length === 0 ? '' : jsonLd({ '@context': 'https://schema.org', '@graph': nodes })),
  );
const DEEP = { path: '/lamps/desk/oak' } as const;
const step = (position: number | string, name: string, item?: string): object => ({
  '@type': 'ListItem',
  position,
  name,
  ...(item === undefined ? {} : { item }),
});
const trail = (...steps: readonly object[]): object => ({ '@type': 'BreadcrumbList', itemListElement: steps });
const PLACE = {
  '@type': 'Bakery',
  name: 'Acme',
  address: { '@type': 'PostalAddress', streetAddress: 'Lampenweg 7' },
  telephone: '+49 30 1234567',
  openingHours: 'Mo-Fr 09:00-17:00',
  geo: { '@type': 'GeoCoordinates', latitude: 52.5, longitude: 13.4 },
};
const SHOP_FRONT =
  '<p>Lampenweg 7, 10115 Berlin. Öffnungszeiten: Mo-Fr 9-17 Uhr. <a href="tel:+49301234567">Anrufen</a></p>';
const rated = (rating: object, rest: object = {}): object => ({
  '@type': 'Product',
  name: 'Oak lamp',
  ...rest,
  aggregateRating: { '@type': 'AggregateRating', ...rating },
});
const SHOWN = '<p>Our Oak Lamp is rated 4.5.</p>';
const GOOD_RATING = { ratingValue: '4.5', ratingCount: 12 };
const works = (rest: object): object => ({ '@type': 'Article', headline: 'Lamps', ...rest });
const organization = (rest: object): object => ({ '@type': 'Organization', ...rest });

const rows: Readonly<Record<string, readonly Row[]>> = {
  'geo.schema.breadcrumb': [
    {
      name: 'a whole trail',
      nodes: [trail(step(1, 'Home', '/'), step('2', 'Desk', '/desk'), step(3, 'Oak'))],
      options: DEEP,
      gives: 'pass',
    },
    {
      name: 'names in the items',
      nodes: [trail({ '@type': 'ListItem', position: 1, item: { '@id': '/', name: 'Home' } }, step(2, 'Oak'))],
      options: DEEP,
      gives: 'pass',
    },
    {
      name: 'microdata',
      body: '<ol itemscope itemtype="https://schema.org/BreadcrumbList"><li itemprop="itemListElement" itemscope itemtype="https://schema.org/ListItem"><a itemprop="item" href="/"><span itemprop="name">Home</span></a><meta itemprop="position" content="1"></li><li itemprop="itemListElement" itemscope itemtype="https://schema.org/ListItem"><span itemprop="name">Oak</span><meta itemprop="position" content="2"></li></ol>',
      options: DEEP,
      gives: 'pass',
    },
    {
      name: 'positions from 0',
      nodes: [trail(step(0, 'Home', '/'), step(1, 'Oak'))],
      options: DEEP,
      gives: 'partial',
      note: /1 to n/,
    },
    {
      name: 'a step without address',
      nodes: [trail(step(1, 'Home'), step(2, 'Oak'))],
      options: DEEP,
      gives: 'partial',
      note: /without item/,
    },
    {
      name: 'a step without name',
      nodes: [trail(step(1, '', '/'), step(2, 'Oak'))],
      options: DEEP,
      gives: 'partial',
      note: /without a name/,
    },
    { name: 'an empty trail', nodes: [trail()], options: DEEP, gives: 'fail' },
    { name: 'none on a deep page', options: DEEP, gives: 'fail' },
    { name: 'none one step below the root', options: { path: '/lamps' }, gives: 'not_applicable' },
    { name: 'none one step below a language', options: { path: '/en/lamps' }, gives: 'not_applicable' },
    {
      name: 'a broken trail one step below the root',
      nodes: [trail(step(3, 'Home'))],
      options: { path: '/lamps' },
      gives: 'partial',
    },
  ],
  'geo.schema.local-business': [
    { name: 'all five fields of a subtype', nodes: [PLACE], gives: 'pass' },
    {
      name: 'hours in the long form',
      nodes: [
        {
          ...PLACE,
          openingHours: undefined,
          openingHoursSpecification: { '@type': 'OpeningHoursSpecification', opens: '09:00' },
        },
      ],
      gives: 'pass',
    },
    { name: 'without geo', nodes: [{ ...PLACE, geo: undefined }], gives: 'partial', value: 0.8, note: /Missing: geo/ },
    { name: 'the bare type', nodes: [{ '@type': 'LocalBusiness' }], gives: 'fail' },
    { name: 'a shop front without the type', body: SHOP_FRONT, gives: 'fail' },
    {
      name: 'an address and a telephone without hours',
      body: SHOP_FRONT.replace(/Öffnungszeiten[^.]*\./, ''),
      gives: 'not_applicable',
    },
    { name: 'an Organization', nodes: [organization({ name: 'Acme' })], body: prose(60), gives: 'not_applicable' },
  ],
  'geo.schema.review-honest': [
    {
      name: 'a rating in its range of a product that is shown',
      nodes: [rated(GOOD_RATING)],
      body: SHOWN,
      gives: 'pass',
    },
    { name: 'a decimal comma', nodes: [rated({ ratingValue: '4,5', reviewCount: '3' })], body: SHOWN, gives: 'pass' },
    {
      name: 'a scale of ten',
      nodes: [rated({ ratingValue: 9, bestRating: 10, ratingCount: 2 })],
      body: SHOWN,
      gives: 'pass',
    },
    {
      name: 'itemReviewed on the rating',
      nodes: [{ '@type': 'AggregateRating', ...GOOD_RATING, itemReviewed: { '@type': 'Product', name: 'Oak lamp' } }],
      body: SHOWN,
      gives: 'pass',
    },
    {
      name: 'above the best',
      nodes: [rated({ ratingValue: 9, ratingCount: 2 })],
      body: SHOWN,
      gives: 'fail',
      note: /between/,
    },
    { name: 'no number', nodes: [rated({ ratingValue: 'great', ratingCount: 2 })], body: SHOWN, gives: 'fail' },
    { name: 'no count', nodes: [rated({ ratingValue: 4 })], body: SHOWN, gives: 'fail', note: /ratingCount/ },
    { name: 'a count of 0', nodes: [rated({ ratingValue: 4, ratingCount: 0 })], body: SHOWN, gives: 'fail' },
    {
      name: 'a rating of nothing',
      nodes: [{ '@type': 'AggregateRating', ...GOOD_RATING }],
      body: SHOWN,
      gives: 'fail',
      note: /nothing is rated/,
    },
    {
      name: 'a product that is not shown',
      nodes: [rated(GOOD_RATING)],
      body: '<p>Chairs.</p>',
      gives: 'partial',
      value: 0.5,
      note: /does not show/,
    },
    {
      name: 'an organisation that rates itself',
      nodes: [rated(GOOD_RATING, { '@type': 'LocalBusiness', name: 'Acme' })],
      body: '<p>Acme makes lamps.</p>',
      gives: 'partial',
      note: /rates itself/,
    },
    {
      name: 'a rating of another organisation',
      nodes: [rated(GOOD_RATING, { '@type': 'LocalBusiness', name: 'Zora', url: 'https://zora.test/' })],
      body: '<p>Zora makes lamps.</p>',
      gives: 'pass',
    },
    {
      name: 'a rating by @id',
      nodes: [
        { '@type': 'Product', name: 'Oak lamp', aggregateRating: { '@id': '#r' } },
        { '@type': 'AggregateRating', '@id': '#r', ...GOOD_RATING },
      ],
      body: SHOWN,
      gives: 'pass',
      note: /^1 rating,/,
    },
    { name: 'none', nodes: [organization({ name: 'Acme' })], gives: 'not_applicable' },
  ],
  'geo.schema.ids-linked': [
    {
      name: 'a reference that resolves',
      nodes: [organization({ '@id': '#org', name: 'Acme' }), works({ publisher: { '@id': '#org' } })],
      gives: 'pass',
      note: /1 of 1/,
    },
    {
      name: 'a reference to a node of another page',
      nodes: [works({ publisher: { '@id': '/about#org' } })],
      gives: 'not_applicable',
      note: /other pages/,
    },
    {
      name: 'a reference to another site',
      nodes: [works({ about: { '@id': 'https://www.wikidata.org/entity/Q42' } })],
      gives: 'not_applicable',
    },
    {
      name: 'a fragment of this page that nobody describes',
      nodes: [works({ publisher: { '@id': '#org' } })],
      gives: 'fail',
      note: /0 of 1/,
    },
    { name: 'a blank node that nobody describes', nodes: [works({ publisher: { '@id': '_:b0' } })], gives: 'fail' },
    {
      name: 'one of two resolves',
      nodes: [organization({ '@id': '#org' }), works({ publisher: { '@id': '#org' }, author: { '@id': '#me' } })],
      gives: 'partial',
      value: 0.5,
    },
    { name: 'no reference', nodes: [works({ publisher: organization({ name: 'Acme' }) })], gives: 'not_applicable' },
    { name: 'no structured data', gives: 'not_applicable' },
  ],
  'geo.schema.dates-valid': [
    {
      name: 'days in order',
      nodes: [works({ datePublished: '2026-05-01', dateModified: '2026-06-01T09:00:00+02:00' })],
      gives: 'pass',
    },
    { name: 'a date of the audit`s own day', nodes: [works({ dateModified: '2026-11-21' })], gives: 'pass' },
    { name: 'a month', nodes: [works({ datePublished: '2026-05' })], gives: 'pass' },
    { name: 'a date for people', nodes: [works({ datePublished: 'May 1, 2026' })], gives: 'fail', note: /no ISO 8601/ },
    { name: 'a day that no calendar has', nodes: [works({ datePublished: '2026-02-30' })], gives: 'fail' },
    { name: 'a space for the T', nodes: [works({ datePublished: '2026-05-01 10:00' })], gives: 'fail' },
    { name: 'tomorrow and a day', nodes: [works({ dateModified: '2026-11-23' })], gives: 'fail', note: /future/ },
    {
      name: 'modified before published',
      nodes: [works({ datePublished: '2026-06-01', dateModified: '2026-05-01' })],
      gives: 'fail',
      note: /before/,
    },
    {
      name: 'a visible date of the same day',
      nodes: [works({ datePublished: '2026-05-01' })],
      body: `<article><p>By Ada Byron <time datetime="2026-05-02">2 May</time></p>${prose(120)}</article>`,
      head: '<meta property="article:published_time" content="2026-05-01">',
      gives: 'pass',
    },
    {
      name: 'a visible date of another month',
      nodes: [works({ datePublished: '2026-05-01' })],
      body: `<article><p>By Ada Byron <time datetime="2026-09-02">2 September</time></p>${prose(120)}</article>`,
      head: '<meta property="article:published_time" content="2026-05-01">',
      gives: 'partial',
      value: 0.5,
    },
    { name: 'no date', nodes: [works({})], gives: 'not_applicable' },
    { name: 'the date of an event', nodes: [{ '@type': 'Event', startDate: '2030-01-01' }], gives: 'not_applicable' },
  ],
  'geo.schema.no-duplicates': [
    {
      name: 'two organisations of one name',
      nodes: [organization({ name: 'Acme' }), organization({ name: 'ACME GmbH' })],
      gives: 'pass',
    },
    {
      name: 'two organisations with addresses of their own',
      nodes: [
        organization({ name: 'Acme', url: 'https://a.test/' }),
        organization({ name: 'Zora', url: 'https://z.test/' }),
      ],
      gives: 'pass',
    },
    {
      name: 'two names for one organisation',
      nodes: [organization({ name: 'Acme', url: '/' }), organization({ name: 'Zora', url: '/#x' })],
      gives: 'fail',
      note: /Organization\.name/,
    },
    {
      name: 'two nameless places',
      nodes: [organization({ name: 'Acme' }), organization({ name: 'Zora' })],
      gives: 'fail',
    },
    { name: 'a list of partners', nodes: ['A', 'B', 'C', 'D'].map((name) => organization({ name })), gives: 'pass' },
    {
      name: 'one product at two prices',
      nodes: [9, 12].map((price) => ({ '@type': 'Product', name: 'Oak lamp', offers: { '@type': 'Offer', price } })),
      gives: 'fail',
      note: /Product\.price/,
    },
    {
      name: 'two variants',
      nodes: [9, 12].map((price) => ({
        '@type': 'Product',
        name: 'Oak lamp',
        sku: `S${price}`,
        offers: { '@type': 'Offer', price },
      })),
      gives: 'pass',
    },
    {
      name: 'two headlines of one article',
      nodes: [works({ url: '/a' }), { ...works({ url: '/a' }), headline: 'Chairs' }],
      gives: 'fail',
      note: /Article\.headline/,
    },
    {
      name: 'a publisher inside an article',
      nodes: [organization({ name: 'Acme' }), works({ publisher: organization({ name: 'Acme Press' }) })],
      gives: 'not_applicable',
    },
    {
      name: 'one node in two parts',
      nodes: [organization({ '@id': '#o', name: 'Acme' }), organization({ '@id': '#o', url: '/' })],
      gives: 'not_applicable',
    },
  ],
  'geo.schema.speakable': [
    {
      name: 'a selector',
      nodes: [works({ speakable: { '@type': 'SpeakableSpecification', cssSelector: ['.lead'] } })],
      gives: 'pass',
      note: /with a selector/,
    },
    {
      name: 'no selector',
      nodes: [works({ speakable: { '@type': 'SpeakableSpecification' } })],
      gives: 'pass',
      note: /without/,
    },
    { name: 'none', nodes: [works({})], gives: 'not_applicable' },
  ],
  'geo.schema.howto': [
    {
      name: 'two steps',
      nodes: [
        {
          '@type': 'HowTo',
          name: 'Light',
          step: [
            { '@type': 'HowToStep', text: 'Fill' },
            { '@type': 'HowToStep', text: 'Light' },
          ],
        },
      ],
      gives: 'pass',
      note: /2 steps/,
    },
    { name: 'none', nodes: [works({})], gives: 'not_applicable' },
  ],
};

describe.each(Object.entries(rows))('%s', (id, cases) => {
  test.each(cases)('$name gives $gives', async ({ nodes, body, head, options, ...expected }) => {
    const parts = {
      ...(nodes ? { nodes } : {}),
      ...(body === undefined ? {} : { body }),
      ...(head === undefined ? {} : { head }),
    };
    expect(await judgePage(id, page(parts), options)).toMatchObject(outcomeOf(expected));
  });
});

test('a trail in RDFa is unknown, since we do not read it', async () => {
  const body = '<ol vocab="https://schema.org/" typeof="BreadcrumbList"><li>Home</li></ol>';
  expect(await judgePage('geo.schema.breadcrumb', page({ body }), DEEP)).toMatchObject({
    status: 'unknown',
    note: expect.stringMatching(/RDFa/),
  });
});

test('a dangling reference beside a block that is longer than we read is unknown', async () => {
  const long = `<script type="application/ld+json">{"@context":"https://schema.org","x":"${'a'.repeat(1_100_000)}"}</script>`;
  const html = page({ nodes: [works({ publisher: { '@id': '#org' } })], head: long });
  expect(await judgePage('geo.schema.ids-linked', html)).toMatchObject({ status: 'unknown' });
});

// Forms of ISO 8601-1:2019, 5.2.2 and 5.4.2, and what is none.
test.each([
  ['2026', true],
  ['2026-11', true],
  ['2026-11-21', true],
  ['20261121', true],
  ['2026-11-21T09', true],
  ['2026-11-21T09:30', true],
  ['2026-11-21T09:30:15Z', true],
  ['2026-11-21T09:30:15.123+02:00', true],
  ['20261121T093015Z', true],
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['2026-11-21 09:30', false],
  ['21.11.2026', false],
  ['11/21/2026', false],
  ['yesterday', false],
  ['', false],
])('"%s" is an ISO 8601 date: %s', (text, valid) => {
  expect(isIsoDate(text)).toBe(valid);
});
