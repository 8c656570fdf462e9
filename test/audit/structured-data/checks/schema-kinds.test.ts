import { expect, test } from 'vitest';
import { isIsoDate } from '../../../../src/audit/structured-data/facts/schema-dates.ts';
import { organization, works, partsPage } from '../../../support/audit/schema-pages.ts';
import { judgeCheck, testChecks } from '../../../support/audit/judge-check.ts';
import { prose } from '../../../support/audit/pages.ts';

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

const SHOWN = '<p>Rated 4.5 of 5 by 12 buyers.</p>';

const GOOD_RATING = { ratingValue: '4.5', ratingCount: 12 };

testChecks(
  {
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
      ['a decimal comma', { body: SHOWN, nodes: [rated({ ratingValue: '4,5', reviewCount: '12' })] }, 'pass'],
      [
        'a scale of ten',
        { body: '<p>9/10, 2 tests</p>', nodes: [rated({ ratingValue: 9, bestRating: 10, ratingCount: 2 })] },
        'pass',
      ],
      [
        'a rounded value and a grouped count',
        { body: '<p>4,8 (1.234 Bewertungen)</p>', nodes: [rated({ ratingValue: 4.76, ratingCount: 1234 })] },
        'pass',
      ],
      [
        'a count in thousands with a space, and stars with a label',
        {
          body: '<span role="img" aria-label="4.8 stars on average"></span> 12 400 avis',
          nodes: [rated({ ratingValue: 4.8, ratingCount: 12400 })],
        },
        'pass',
      ],
      [
        'a whole value beside its count',
        { body: '<p>5 (31 reviews)</p>', nodes: [rated({ ratingValue: 5, ratingCount: 31 })] },
        'pass',
      ],
      [
        'a whole value that stands elsewhere',
        {
          body: `<p>Page 5 of the list.</p>${prose(60)}<p>31 reviews</p>`,
          nodes: [rated({ ratingValue: 5, ratingCount: 31 })],
        },
        'partial',
        /the count 31, and not the value 5/,
        { value: 0.5 },
      ],
      [
        'a value without its count',
        { body: '<p>Rated 4.5.</p>', nodes: [rated(GOOD_RATING)] },
        'partial',
        /the value 4\.5, and not the count 12/,
        { value: 0.5 },
      ],
      [
        'itemReviewed on the rating',
        {
          body: SHOWN,
          nodes: [
            { '@type': 'AggregateRating', ...GOOD_RATING, itemReviewed: { '@type': 'Product', name: 'Oak lamp' } },
          ],
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
        'a rating that is not shown, of a product that is',
        { body: '<p>Oak lamp for 45 euros, 112 in stock.</p>', nodes: [rated(GOOD_RATING)] },
        'fail',
        /the HTML shows neither the value 4\.5 nor the count 12/,
      ],
      [
        'an organisation that rates itself',
        { body: SHOWN, nodes: [rated(GOOD_RATING, { '@type': 'LocalBusiness', name: 'Acme' })] },
        'partial',
        /rates itself/,
      ],
      [
        'a rating of another organisation',
        {
          body: SHOWN,
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
  },
  { site: partsPage, seen: 200 },
);

test('a trail in RDFa is unknown, since we do not read it', async () => {
  const body = '<ol vocab="https://schema.org/" typeof="BreadcrumbList"><li>Home</li></ol>';
  expect(await judgeCheck('geo.schema.breadcrumb', partsPage({ body }), DEEP)).toMatchObject({
    status: 'unknown',
    note: expect.stringMatching(/RDFa/),
  });
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
