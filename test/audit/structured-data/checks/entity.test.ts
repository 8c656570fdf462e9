import { describe, expect, test } from 'vitest';
import { snapshotOf } from '../../../support/audit/audit.ts';
import { buildSchemaFacts } from '../../../../src/audit/structured-data/facts/schema-graph-facts.ts';
import { failure, html, notFound, text } from '../../../support/audit/site-fetch.ts';
import {
  ORGANIZATION,
  pageWith,
  context,
  rawScript,
  noData,
  article,
  anonymous,
  faqPage,
  FREE_QUESTION,
} from '../../../support/audit/schema-pages.ts';
import { judgeCheck, type Row, testChecks } from '../../../support/audit/judge-check.ts';
import { jsonLd, pageOf, prose } from '../../../support/audit/pages.ts';

const whole = {
  ...ORGANIZATION,
  logo: 'https://acme.example/logo.png',
  sameAs: ['https://www.wikidata.org/wiki/Q42', 'https://www.linkedin.com/company/acme'],
  contactPoint: { '@type': 'ContactPoint', telephone: '+49 30 123' },
};

const rows: Readonly<Record<string, readonly Row<string>[]>> = {
  'geo.entity.organization': [
    ['complete', pageWith(whole), 'pass'],
    ['a subtype in a graph', pageWith({ ...context, '@graph': [{ ...whole, '@type': 'Dentist' }] }), 'pass'],
    ['name and url', pageWith(ORGANIZATION), 'partial', undefined, { value: 0.5 }],
    [
      'name and @id, sameAs',
      pageWith({ ...context, '@type': 'Organization', '@id': '#o', name: 'Acme', sameAs: 'https://x.example/' }),
      'partial',
      undefined,
      { value: 0.7 },
    ],
    [
      'split over two blocks by @id',
      pageWith(
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
    ['a name alone', pageWith({ ...context, '@type': 'Organization', name: 'Acme' }), 'fail', /without url/],
    ['only in a broken block', pageOf('', rawScript(`${JSON.stringify(whole).slice(0, -1)},}`)), 'fail'],
    ['none', noData, 'fail'],
  ],
  'geo.entity.sameas': [
    ['two hosts, one a register', pageWith(whole), 'pass'],
    ['one register', pageWith({ ...ORGANIZATION, sameAs: ['https://en.wikipedia.org/wiki/Acme'] }), 'partial'],
    [
      'two hosts, no register',
      pageWith({ ...ORGANIZATION, sameAs: ['https://x.com/acme', 'https://www.facebook.com/acme'] }),
      'partial',
    ],
    [
      'relative addresses and words only',
      pageWith({ ...ORGANIZATION, sameAs: ['/about', 'our GitHub', 'mailto:a@acme.example'] }),
      'fail',
    ],
    ['one address without TLS', pageWith({ ...ORGANIZATION, sameAs: ['http://acme.example/'] }), 'partial', /1 host/],
    [
      'an address of something that is no organisation',
      pageWith({ ...context, '@type': 'MusicGroup', name: 'The Lamps', sameAs: 'https://lamps.example/' }),
      'partial',
      /1 host/,
    ],
    ['none', pageWith(ORGANIZATION), 'fail'],
  ],
  'geo.entity.name-consistent': [
    [
      'title, og:site_name and Organization agree, with and without a legal form',
      pageOf('', `<meta property="og:site_name" content="ACME">${jsonLd({ ...ORGANIZATION, name: 'Acme Inc.' })}`),
      'pass',
    ],
    [
      'what the bakery is, behind its name in the title, is no other name',
      pageOf(
        '',
        `<meta property="og:site_name" content="Ofenhaus">${jsonLd({ ...ORGANIZATION, name: 'Ofenhaus' })}`,
      ).replace(/<title>[^<]*/u, '<title>Ofenhaus: sourdough bakery in Weimar'),
      'pass',
      /3 of 3/,
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
      pageOf('', `<meta property="og:site_name" content="Acme">${jsonLd({ ...ORGANIZATION, name: 'Umbrella' })}`),
      'partial',
    ],
    [
      'all differ',
      pageOf('', `<meta property="og:site_name" content="Initech">${jsonLd({ ...ORGANIZATION, name: 'Umbrella' })}`),
      'fail',
    ],
    [
      'two names, each in two forms',
      pageOf(
        '<header><a href="/">Kettle Barn Online</a></header><footer>© Kettle Barn GmbH</footer>',
        `<meta property="og:site_name" content="Brennan">${jsonLd({ ...ORGANIZATION, name: 'Brennan Ltd' })}`,
      ).replace('| Acme', '| Kettle Barn'),
      'partial',
    ],
    [
      'three that agree, and a publisher of another name',
      pageOf(
        '<header><a href="/">Acme</a></header>',
        `<meta property="og:site_name" content="Acme">${jsonLd({ ...ORGANIZATION, name: 'Umbrella' })}`,
      ),
      'partial',
      /3 of 4/,
    ],
    [
      'two forms that a third one contains',
      pageOf(
        '',
        `<meta property="og:site_name" content="Daily Acme">${jsonLd({ ...ORGANIZATION, name: 'Acme Lamps' })}`,
      ).replace('| Acme', '| Daily Acme Lamps'),
      'pass',
      /3 of 3/,
    ],
    [
      'three that agree, and the owner in the copyright line',
      pageOf(
        '<footer>© 2026 Umbrella Holding</footer>',
        `<meta property="og:site_name" content="Acme">${jsonLd({ ...ORGANIZATION, name: 'Acme' })}`,
      ),
      'pass',
      /3 of 3/,
    ],
    [
      'two that agree, and the owner in the copyright line',
      pageOf('<footer>© 2026 Umbrella Holding</footer>', '<meta property="og:site_name" content="Acme">'),
      'pass',
    ],
    [
      'a name, and the owner in the copyright line',
      pageOf('<footer>© 2026 Umbrella Holding</footer>', ''),
      'not_applicable',
    ],
    [
      'a name and its initials',
      pageOf(
        '<footer>© 2026 Lampen-Bund Nord</footer>',
        `<meta property="og:site_name" content="LBN">${jsonLd({ ...ORGANIZATION, name: 'LBN' })}`,
      ).replace('| Acme', '| LBN'),
      'partial',
      /3 of 4/,
    ],
    ['one source', noData, 'not_applicable'],
    ['one source, and a general word', pageOf('', jsonLd({ ...ORGANIZATION, name: 'Home' })), 'not_applicable'],
    [
      'a title that ends in its date, and one source',
      pageOf('', '<meta property="og:site_name" content="Initech">').replace('| Acme', '- Feb. 1, 2016'),
      'not_applicable',
    ],
  ],
  'geo.entity.website-node': [
    ['name and url', pageWith({ ...context, '@type': 'WebSite', name: 'Acme', url: 'https://acme.example/' }), 'pass'],
    ['name only', pageWith({ ...context, '@type': 'WebSite', name: 'Acme' }), 'partial'],
    ['none', pageWith(ORGANIZATION), 'fail'],
  ],
  'geo.entity.author': [
    ['a person with a URL', pageWith(article), 'pass'],
    [
      'a person by @id elsewhere in the graph',
      pageWith({
        ...context,
        '@graph': [
          { ...article, author: { '@id': '#p' } },
          { '@id': '#p', '@type': 'Person', name: 'Ada', sameAs: 'https://x.example/' },
        ],
      }),
      'pass',
    ],
    ['a string', pageWith({ ...article, author: 'Ada Byron' }), 'partial', undefined, { value: 0.6 }],
    [
      'a byline only',
      pageOf(`<article><h1>L</h1><p>By Ada Byron</p>${prose(90)}</article>`),
      'partial',
      undefined,
      { value: 0.4, at: '/blog/lamps' },
    ],
    [
      'admin',
      pageWith({ ...article, author: { '@type': 'Person', name: 'admin', url: 'https://acme.example/a' } }),
      'partial',
      undefined,
      { value: 0.2 },
    ],
    [
      'a marked name on a page whose article node has none',
      pageOf(`<article><span class="byline">Ada Byron</span>${prose(90)}</article>`, jsonLd(anonymous)),
      'partial',
      /outside of structured data/,
      { value: 0.4 },
    ],
    [
      'the author of the page where the article has none',
      pageWith({
        ...context,
        '@graph': [
          anonymous,
          { '@type': 'WebPage', author: { '@type': 'Person', name: 'Ada', url: 'https://acme.example/ada' } },
        ],
      }),
      'pass',
      /with an address/,
    ],
    [
      'a recipe',
      pageWith({ ...context, '@type': 'Recipe', name: 'Bread', author: { '@type': 'Person', name: 'Ada' } }),
      'partial',
      /without url/,
      { value: 0.6 },
    ],
    ['nobody', pageWith(anonymous), 'fail'],
    [
      'a name in a block that is not JSON',
      pageOf(
        `<article><h1>Lamps</h1>${prose(200)}</article>`,
        '<script type="application/ld+json">{"@type": "NewsArticle" "author": {"name": "Ada Byron"}}</script>',
      ),
      'partial',
      /outside of structured data/,
      { value: 0.4, at: '/blog/lamps' },
    ],
    ['not an article', noData, 'not_applicable'],
  ],
};

testChecks(rows, { seen: 200 });

test.each(Object.keys(rows))('%s is unknown, not a no, when the page cannot be read', async (id) => {
  expect((await judgeCheck(id, { '/': failure('timeout') }, { only: ['page', 'faq'] })).status).toBe('unknown');
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
