import { expect, test } from 'vitest';
import { organization, works, partsPage } from '../../../support/audit/schema-pages.ts';
import { judgeCheck, testChecks } from '../../../support/audit/judge-check.ts';
import { prose } from '../../../support/audit/pages.ts';

testChecks(
  {
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
          nodes: [9, 12].map((price) => ({
            '@type': 'Product',
            name: 'Oak lamp',
            offers: { '@type': 'Offer', price },
          })),
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
  },
  { site: partsPage, seen: 200 },
);

test('a dangling reference beside a block that is longer than we read is unknown', async () => {
  const long = `<script type="application/ld+json">{"@context":"https://schema.org","x":"${'a'.repeat(1_100_000)}"}</script>`;
  const html = partsPage({ nodes: [works({ publisher: { '@id': '#org' } })], head: long });
  expect(await judgeCheck('geo.schema.ids-linked', html)).toMatchObject({ status: 'unknown' });
});
