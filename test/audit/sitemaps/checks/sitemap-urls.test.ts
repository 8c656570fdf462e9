import { describe, expect, test } from 'vitest';
import { parseW3cDate } from '../../../../src/audit/text/facts/dates.ts';
import { failure, html, notFound, SITE, type SiteMap, text, xml } from '../../../support/audit/site-fetch.ts';
import { jsonLd, onePage, words } from '../../../support/audit/pages.ts';
import { judgeCheck, testCheck } from '../../../support/audit/judge-check.ts';

type Entry = readonly [path: string, lastmod?: string];

const urlset = (entries: readonly Entry[]): ReturnType<typeof xml> =>
  xml(
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries
      .map(
        ([path, lastmod]) =>
          `<url><loc>${SITE}${path}</loc>${lastmod === undefined ? '' : `<lastmod>${lastmod}</lastmod>`}</url>`,
      )
      .join('')}</urlset>`,
  );

const site = (entries: readonly Entry[], more: SiteMap = {}): SiteMap => ({
  ...onePage(words(10)),
  '/robots.txt': notFound,
  '/sitemap.xml': urlset(entries),
  ...more,
});

const many = (count: number, lastmod: (index: number) => string | undefined): readonly Entry[] =>
  Array.from({ length: count }, (_, index) => {
    const date = lastmod(index);
    return date === undefined ? [`/p${index}`] : [`/p${index}`, date];
  });

describe('W3C datetimes', () => {
  test.each([
    ['2026', Date.UTC(2026, 0, 1), false],
    ['2026-03', Date.UTC(2026, 2, 1), false],
    ['2026-03-04', Date.UTC(2026, 2, 4), false],
    ['2026-03-04T05:06Z', Date.UTC(2026, 2, 4, 5, 6), true],
    ['2026-03-04T05:06:07Z', Date.UTC(2026, 2, 4, 5, 6, 7), true],
    ['2026-03-04T05:06:07.89+02:00', Date.UTC(2026, 2, 4, 3, 6, 7), true],
    [' 2026-03-04 ', Date.UTC(2026, 2, 4), false],
  ] as const)('%s is a date', (given, ms, timed) => {
    expect(parseW3cDate(given)).toEqual({ ms, timed });
  });

  test.each([
    '',
    'today',
    '04/03/2026',
    '2026-13-01',
    '2026-02-30',
    '2026-03-04 05:06',
    '2026-03-04T05:06',
    '2026-03-04T25:00Z',
    '20260304',
    'Wed, 04 Mar 2026 05:06:07 GMT',
  ])('"%s" is none', (given) => {
    expect(parseW3cDate(given)).toBeUndefined();
  });
});

describe('aeo.sitemap.lastmod', () => {
  const id = 'aeo.sitemap.lastmod';
  const day = (index: number): string => `2026-10-${String((index % 28) + 1).padStart(2, '0')}`;
  testCheck(id, [
    ['dates everywhere pass', site(many(10, day)), 'pass', /10 of 10/],
    ['80 % pass', site(many(10, (index) => (index < 8 ? day(index) : undefined))), 'pass', /8 of 10/],
    ['30 % are partial', site(many(10, (index) => (index < 3 ? day(index) : undefined))), 'partial', /3 of 10/],
    ['20 % fail', site(many(10, (index) => (index < 2 ? day(index) : undefined))), 'fail', /2 of 10/],
    ['none fails', site(many(10, () => undefined)), 'fail', /0 of 10/],
    ['dates that are none fail', site(many(10, () => '01.02.2026')), 'fail', /0 of 10/],
    [
      'one date in the future is partial',
      site(many(10, (index) => (index === 0 ? '2027-01-01' : day(index)))),
      'partial',
      /1 of them in the future/,
    ],
    ['only dates in the future fail', site(many(10, () => '2027-01-01')), 'fail', /10 of them/],
    ['tomorrow passes, for time zones', site(many(4, () => '2026-11-22')), 'pass', /4 of 4/],
    ['the same second everywhere is partial', site(many(4, () => '2026-10-01T10:11:12Z')), 'partial', /same second/],
    ['the same second for three pages passes', site(many(3, () => '2026-10-01T10:11:12Z')), 'pass', /3 of 3/],
    ['the same day everywhere passes', site(many(4, () => '2026-10-01')), 'pass', /4 of 4/],
    ['no sitemap is not applicable', { ...onePage(''), '/robots.txt': notFound }, 'not_applicable', /no sitemap/],
    [
      'no answer is unknown',
      site([], { '/sitemap.xml': failure('timeout'), '/sitemap_index.xml': failure('timeout') }),
      'unknown',
      /timeout/,
    ],
  ]);

  test('only the first 500 addresses are judged', async () => {
    expect((await judgeCheck(id, site(many(600, (index) => (index < 500 ? day(index) : undefined))))).note).toMatch(
      /500 of 500/,
    );
  });
});

describe('aeo.sitemap.lastmod-agrees', () => {
  const id = 'aeo.sitemap.lastmod-agrees';
  const dated = (date: string): ReturnType<typeof html> =>
    html(
      `<html><head>${jsonLd({ '@context': 'https://schema.org', '@type': 'WebPage', dateModified: date })}</head><body>${words(20)}</body></html>`,
    );
  testCheck(id, [
    ['the same day passes', site([['/', '2026-10-01']], { '/': dated('2026-10-01T09:00:00Z') }), 'pass', /1 of 1/],
    ['a week apart passes', site([['/', '2026-10-08']], { '/': dated('2026-10-01') }), 'pass', /1 of 1/],
    ['eight days apart fail', site([['/', '2026-10-09']], { '/': dated('2026-10-01') }), 'fail', /0 of 1/],
    ['the other way round as well', site([['/', '2026-10-01']], { '/': dated('2026-10-20') }), 'fail', /0 of 1/],
    [
      'one of two is partial',
      site(
        [
          ['/', '2026-10-01'],
          ['/a', '2026-10-01'],
        ],
        { '/': dated('2026-10-01'), '/a': dated('2020-01-01') },
      ),
      'partial',
      /1 of 2/,
    ],
    [
      'the later of several dates counts',
      site([['/', '2026-10-01']], {
        '/': html(
          `<html><head>${jsonLd([
            { '@context': 'https://schema.org', '@type': 'WebPage', dateModified: '2026-10-01' },
            { '@context': 'https://schema.org', '@type': 'Organization', dateModified: '2020-01-01' },
          ])}</head><body>x</body></html>`,
        ),
      }),
      'pass',
      /1 of 1/,
    ],
    ['no dateModified is not applicable', site([['/', '2026-10-01']]), 'not_applicable', /both/],
    ['no lastmod is not applicable', site([['/']], { '/': dated('2026-10-01') }), 'not_applicable', /both/],
  ]);
});

describe('aeo.fresh.recent', () => {
  const id = 'aeo.fresh.recent';
  const clean = { '/robots.txt': notFound };
  const published = (date: string): SiteMap => ({
    ...onePage(words(10), `<meta property="article:modified_time" content="${date}">`),
    ...clean,
  });
  testCheck(id, [
    ['a lastmod of today passes', site([['/', '2026-11-21']]), 'pass', /0 days/],
    ['180 days pass', site([['/', '2026-05-25']]), 'pass', /180 days/],
    ['181 days are partial', site([['/', '2026-05-24']]), 'partial', /181/],
    ['540 days are partial', site([['/', '2025-05-30']]), 'partial', /540/],
    ['541 days fail', site([['/', '2025-05-29']]), 'fail', /541/],
    [
      'the newest of all counts',
      site([
        ['/a', '2020-01-01'],
        ['/b', '2026-11-01'],
      ]),
      'pass',
      /20 days/,
    ],
    ['a date in metadata counts', published('2026-11-20'), 'pass', /1 day /],
    [
      'a sampled page counts',
      {
        ...onePage('<a href="/a">A</a>'),
        ...clean,
        '/a': html(jsonLd({ '@context': 'https://schema.org', '@type': 'Article', datePublished: '2026-11-01' })),
      },
      'pass',
      /20 days/,
    ],
    ['a date in the future is none', published('2030-01-01'), 'not_applicable', /states a date/],
    [
      'a visible date counts where there is no other',
      { ...onePage('<time datetime="2024-01-01">then</time>'), ...clean },
      'fail',
      /1055 days/,
    ],
    [
      'a visible date does not outweigh the stated one',
      {
        ...onePage(
          '<time datetime="2026-11-21">today</time>',
          '<meta property="article:modified_time" content="2020-01-01">',
        ),
        ...clean,
      },
      'fail',
      /days old/,
    ],
    ['no date is not applicable', { ...onePage(words(10)), ...clean }, 'not_applicable', /states a date/],
  ]);
});

describe('aeo.sitemap.contains-start', () => {
  const id = 'aeo.sitemap.contains-start';
  const menu = (count: number): string =>
    `<nav>${Array.from({ length: count }, (_, index) => `<a href="/p${index}">P${index}</a>`).join('')}</nav>`;
  const paths = (count: number): readonly Entry[] => Array.from({ length: count }, (_, index) => [`/p${index}`]);
  const withMenu = (entries: readonly Entry[], more: SiteMap = {}): SiteMap =>
    site(entries, { ...onePage(menu(10)), ...more });
  testCheck(id, [
    ['start page and menu pass', withMenu([['/'], ...paths(10)]), 'pass', /lists the start page; 10 of 10/],
    ['70 % of the menu pass', withMenu([['/'], ...paths(7)]), 'pass', /7 of 10/],
    ['less of the menu is partial', withMenu([['/'], ...paths(6)]), 'partial', /6 of 10/],
    ['the menu without the start page is partial', withMenu(paths(10)), 'partial', /does not list/],
    ['neither fails', withMenu([['/other']]), 'fail', /0 of 10/],
    [
      'the canonical address counts as the start page',
      site([['/home']], onePage('', `<link rel="canonical" href="${SITE}/home">`)),
      'pass',
      /no menu/,
    ],
    ['without a menu the start page decides', site([['/']]), 'pass', /no menu/],
    ['without a menu a missing start page fails', site([['/other']]), 'fail', /no menu/],
    [
      'a last slash and a campaign make no difference',
      site([['/']], {
        ...onePage('<nav><a href="/p0/?utm_source=menu">P</a></nav>'),
        '/sitemap.xml': urlset([['/'], ['/p0']]),
      }),
      'pass',
      /1 of 1/,
    ],
    [
      'an index of several files is unknown',
      withMenu([], {
        '/sitemap.xml': xml(
          `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${SITE}/s1</loc></sitemap><sitemap><loc>${SITE}/s2</loc></sitemap></sitemapindex>`,
        ),
        '/s1': urlset([['/other']]),
      }),
      'unknown',
      /Not all/,
    ],
    [
      'sitemaps beyond those we read are unknown',
      withMenu([], {
        '/robots.txt': text(`Sitemap: ${SITE}/1\nSitemap: ${SITE}/2\nSitemap: ${SITE}/3\n`),
        '/1': urlset([['/other']]),
        '/2': urlset([['/more']]),
      }),
      'unknown',
      /Not all/,
    ],
    ['no sitemap is not applicable', { ...onePage(menu(3)), '/robots.txt': notFound }, 'not_applicable', /no sitemap/],
  ]);

  test('a preview whose sitemap lists the public host is not applicable', async () => {
    const options = { at: 'http://localhost:3000/' };
    expect((await judgeCheck(id, withMenu([['/'], ...paths(10)]), options)).status).toBe('not_applicable');
  });
});
