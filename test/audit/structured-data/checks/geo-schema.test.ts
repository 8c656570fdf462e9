import { expect, test } from 'vitest';
import { isIsoDate } from '../../../../src/audit/structured-data/facts/schema-dates.ts';
import { jsonLd, pageOf, prose } from '../../../support/audit/pages.ts';
import { judgeCheck, type Row, testChecks } from '../../../support/audit/judge-check.ts';

type PageParts = { nodes?: readonly object[]; body?: string; head?: string };

const page = ({ nodes = [], body = '', head = '' }: PageParts): string =>
  pageOf(
    `<main><h1>Lamps</h1>${body}</main>`,
    head + (nodes.length === 0 ? '' : jsonLd({ '@context': 'https://schema.org', '@graph': nodes })),
  );
const DEEP = { at: '/lamps/desk/oak' } as const;
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

const rows: Readonly<Record<string, readonly Row<PageParts>[]>> = {
  'geo.schema.breadcrumb': [
    [
      'a whole trail',
      { nodes: [trail(step(1, 'Home', '/'), step('2', 'Desk', '/desk'), step(3, 'Oak'))] },
      'pass',
      undefined,
      DEEP,
    ],
    [
      'names in the items',
      { nodes: [trail({ '@type': 'ListItem', position: 1, item: { '@id': '/', name: 'Home' } }, step(2, 'Oak'))] },
      'pass',
      undefined,
      DEEP,
    ],
    [
      'microdata',
      {
        body: '<ol itemscope itemtype="https://schema.org/BreadcrumbList"><li itemprop="itemListElement" itemscope itemtype="https://schema.org/ListItem"><a itemprop="item" href="/"><span itemprop="name">Home</span></a><meta itemprop="position" content="1"></li><li itemprop="itemListElement" itemscope itemtype="https://schema.org/ListItem"><span itemprop="name">Oak</span><meta itemprop="position" content="2"></li></ol>',
      },
      'pass',
      undefined,
      DEEP,
    ],
    ['positions from 0', { nodes: [trail(step(0, 'Home', '/'), step(1, 'Oak'))] }, 'partial', /1 to n/, DEEP],
    ['a step without address', { nodes: [trail(step(1, 'Home'), step(2, 'Oak'))] }, 'partial', /without item/, DEEP],
    ['a step without name', { nodes: [trail(step(1, '', '/'), step(2, 'Oak'))] }, 'partial', /without a name/, DEEP],
    ['an empty trail', { nodes: [trail()] }, 'fail', undefined, DEEP],
    ['none on a deep page', {}, 'fail', undefined, DEEP],
    ['none one step below the root', {}, 'not_applicable', undefined, { at: '/lamps' }],
    ['none one step below a language', {}, 'not_applicable', undefined, { at: '/en/lamps' }],
    [
      'a broken trail one step below the root',
      { nodes: [trail(step(3, 'Home'))] },
      'partial',
      undefined,
      { at: '/lamps' },
    ],
  ],
  'geo.schema.local-business': [
    ['all five fields of a subtype', { nodes: [PLACE] }, 'pass'],
    [
      'hours in the long form',
      {
        nodes: [
          {
            ...PLACE,
            openingHours: undefined,
            openingHoursSpecification: { '@type': 'OpeningHoursSpecification', opens: '09:00' },
          },
        ],
      },
      'pass',
    ],
    ['without geo', { nodes: [{ ...PLACE, geo: undefined }] }, 'partial', /Missing: geo/, { value: 0.8 }],
    ['the bare type', { nodes: [{ '@type': 'LocalBusiness' }] }, 'fail'],
    ['a shop front without the type', { body: SHOP_FRONT }, 'fail'],
    [
      'an address and a telephone without hours',
      { body: SHOP_FRONT.replace(/Öffnungszeiten[^.]*\./, '') },
      'not_applicable',
    ],
    ['an Organization', { body: prose(60), nodes: [organization({ name: 'Acme' })] }, 'not_applicable'],
  ],
  'geo.schema.review-honest': [
    ['a rating in its range of a product that is shown', { body: SHOWN, nodes: [rated(GOOD_RATING)] }, 'pass'],
    ['a decimal comma', { body: SHOWN, nodes: [rated({ ratingValue: '4,5', reviewCount: '3' })] }, 'pass'],
    ['a scale of ten', { body: SHOWN, nodes: [rated({ ratingValue: 9, bestRating: 10, ratingCount: 2 })] }, 'pass'],
    [
      'itemReviewed on the rating',
      {
        body: SHOWN,
        nodes: [{ '@type': 'AggregateRating', ...GOOD_RATING, itemReviewed: { '@type': 'Product', name: 'Oak lamp' } }],
      },
      'pass',
    ],
    ['above the best', { body: SHOWN, nodes: [rated({ ratingValue: 9, ratingCount: 2 })] }, 'fail', /between/],
    ['no number', { body: SHOWN, nodes: [rated({ ratingValue: 'great', ratingCount: 2 })] }, 'fail'],
    ['no count', { body: SHOWN, nodes: [rated({ ratingValue: 4 })] }, 'fail', /ratingCount/],
    ['a count of 0', { body: SHOWN, nodes: [rated({ ratingValue: 4, ratingCount: 0 })] }, 'fail'],
    [
      'a rating of nothing',
      { body: SHOWN, nodes: [{ '@type': 'AggregateRating', ...GOOD_RATING }] },
      'fail',
      /nothing is rated/,
    ],
    [
      'a product that is not shown',
      { body: '<p>Chairs.</p>', nodes: [rated(GOOD_RATING)] },
      'partial',
      /does not show/,
      { value: 0.5 },
    ],
    [
      'an organisation that rates itself',
      { body: '<p>Acme makes lamps.</p>', nodes: [rated(GOOD_RATING, { '@type': 'LocalBusiness', name: 'Acme' })] },
      'partial',
      /rates itself/,
    ],
    [
      'a rating of another organisation',
      {
        body: '<p>Zora makes lamps.</p>',
        nodes: [rated(GOOD_RATING, { '@type': 'LocalBusiness', name: 'Zora', url: 'https://zora.test/' })],
      },
      'pass',
    ],
    [
      'a rating by @id',
      {
        body: SHOWN,
        nodes: [
          { '@type': 'Product', name: 'Oak lamp', aggregateRating: { '@id': '#r' } },
          { '@type': 'AggregateRating', '@id': '#r', ...GOOD_RATING },
        ],
      },
      'pass',
      /^1 rating,/,
    ],
    ['none', { nodes: [organization({ name: 'Acme' })] }, 'not_applicable'],
  ],
  'geo.schema.ids-linked': [
    [
      'a reference that resolves',
      { nodes: [organization({ '@id': '#org', name: 'Acme' }), works({ publisher: { '@id': '#org' } })] },
      'pass',
      /1 of 1/,
    ],
    [
      'a reference to a node of another page',
      { nodes: [works({ publisher: { '@id': '/about#org' } })] },
      'not_applicable',
      /other pages/,
    ],
    [
      'a reference to another site',
      { nodes: [works({ about: { '@id': 'https://www.wikidata.org/entity/Q42' } })] },
      'not_applicable',
    ],
    [
      'a fragment of this page that nobody describes',
      { nodes: [works({ publisher: { '@id': '#org' } })] },
      'fail',
      /0 of 1/,
    ],
    ['a blank node that nobody describes', { nodes: [works({ publisher: { '@id': '_:b0' } })] }, 'fail'],
    [
      'one of two resolves',
      { nodes: [organization({ '@id': '#org' }), works({ publisher: { '@id': '#org' }, author: { '@id': '#me' } })] },
      'partial',
      undefined,
      { value: 0.5 },
    ],
    ['no reference', { nodes: [works({ publisher: organization({ name: 'Acme' }) })] }, 'not_applicable'],
    ['no structured data', {}, 'not_applicable'],
  ],
  'geo.schema.dates-valid': [
    [
      'days in order',
      { nodes: [works({ datePublished: '2026-05-01', dateModified: '2026-06-01T09:00:00+02:00' })] },
      'pass',
    ],
    ['a date of the audit`s own day', { nodes: [works({ dateModified: '2026-11-21' })] }, 'pass'],
    ['a month', { nodes: [works({ datePublished: '2026-05' })] }, 'pass'],
    ['a date for people', { nodes: [works({ datePublished: 'May 1, 2026' })] }, 'fail', /no ISO 8601/],
    ['a day that no calendar has', { nodes: [works({ datePublished: '2026-02-30' })] }, 'fail'],
    ['a space for the T', { nodes: [works({ datePublished: '2026-05-01 10:00' })] }, 'fail'],
    ['tomorrow and a day', { nodes: [works({ dateModified: '2026-11-23' })] }, 'fail', /future/],
    [
      'modified before published',
      { nodes: [works({ datePublished: '2026-06-01', dateModified: '2026-05-01' })] },
      'fail',
      /before/,
    ],
    [
      'a visible date of the same day',
      {
        body: `<article><p>By Ada Byron <time datetime="2026-05-02">2 May</time></p>${prose(120)}</article>`,
        nodes: [works({ datePublished: '2026-05-01' })],
        head: '<meta property="article:published_time" content="2026-05-01">',
      },
      'pass',
    ],
    [
      'a visible date of another month',
      {
        body: `<article><p>By Ada Byron <time datetime="2026-09-02">2 September</time></p>${prose(120)}</article>`,
        nodes: [works({ datePublished: '2026-05-01' })],
        head: '<meta property="article:published_time" content="2026-05-01">',
      },
      'partial',
      undefined,
      { value: 0.5 },
    ],
    ['no date', { nodes: [works({})] }, 'not_applicable'],
    ['the date of an event', { nodes: [{ '@type': 'Event', startDate: '2030-01-01' }] }, 'not_applicable'],
  ],
  'geo.schema.no-duplicates': [
    [
      'two organisations of one name',
      { nodes: [organization({ name: 'Acme' }), organization({ name: 'ACME GmbH' })] },
      'pass',
    ],
    [
      'two organisations with addresses of their own',
      {
        nodes: [
          organization({ name: 'Acme', url: 'https://a.test/' }),
          organization({ name: 'Zora', url: 'https://z.test/' }),
        ],
      },
      'pass',
    ],
    [
      'two names for one organisation',
      { nodes: [organization({ name: 'Acme', url: '/' }), organization({ name: 'Zora', url: '/#x' })] },
      'fail',
      /Organization\.name/,
    ],
    ['two nameless places', { nodes: [organization({ name: 'Acme' }), organization({ name: 'Zora' })] }, 'fail'],
    ['a list of partners', { nodes: ['A', 'B', 'C', 'D'].map((name) => organization({ name })) }, 'pass'],
    [
      'one product at two prices',
      {
        nodes: [9, 12].map((price) => ({ '@type': 'Product', name: 'Oak lamp', offers: { '@type': 'Offer', price } })),
      },
      'fail',
      /Product\.price/,
    ],
    [
      'two variants',
      {
        nodes: [9, 12].map((price) => ({
          '@type': 'Product',
          name: 'Oak lamp',
          sku: `S${price}`,
          offers: { '@type': 'Offer', price },
        })),
      },
      'pass',
    ],
    [
      'two headlines of one article',
      { nodes: [works({ url: '/a' }), { ...works({ url: '/a' }), headline: 'Chairs' }] },
      'fail',
      /Article\.headline/,
    ],
    [
      'a publisher inside an article',
      { nodes: [organization({ name: 'Acme' }), works({ publisher: organization({ name: 'Acme Press' }) })] },
      'not_applicable',
    ],
    [
      'one node in two parts',
      { nodes: [organization({ '@id': '#o', name: 'Acme' }), organization({ '@id': '#o', url: '/' })] },
      'not_applicable',
    ],
  ],
  'geo.schema.speakable': [
    [
      'a selector',
      { nodes: [works({ speakable: { '@type': 'SpeakableSpecification', cssSelector: ['.lead'] } })] },
      'pass',
      /with a selector/,
    ],
    ['no selector', { nodes: [works({ speakable: { '@type': 'SpeakableSpecification' } })] }, 'pass', /without/],
    ['none', { nodes: [works({})] }, 'not_applicable'],
  ],
  'geo.schema.howto': [
    [
      'two steps',
      {
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
      },
      'pass',
      /2 steps/,
    ],
    ['none', { nodes: [works({})] }, 'not_applicable'],
  ],
};

testChecks(rows, { site: page, seen: 200 });

test('a trail in RDFa is unknown, since we do not read it', async () => {
  const body = '<ol vocab="https://schema.org/" typeof="BreadcrumbList"><li>Home</li></ol>';
  expect(await judgeCheck('geo.schema.breadcrumb', page({ body }), DEEP)).toMatchObject({
    status: 'unknown',
    note: expect.stringMatching(/RDFa/),
  });
});

test('a dangling reference beside a block that is longer than we read is unknown', async () => {
  const long = `<script type="application/ld+json">{"@context":"https://schema.org","x":"${'a'.repeat(1_100_000)}"}</script>`;
  const html = page({ nodes: [works({ publisher: { '@id': '#org' } })], head: long });
  expect(await judgeCheck('geo.schema.ids-linked', html)).toMatchObject({ status: 'unknown' });
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
