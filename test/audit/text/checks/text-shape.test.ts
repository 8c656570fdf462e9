import { describe, expect, test } from 'vitest';
import { failure, html, type SiteMap } from '../../../support/audit/site-fetch.ts';
import { mainPage, pageOf, prose } from '../../../support/audit/pages.ts';
import { judgeCheck, type Row, testCheck, testChecks } from '../../../support/audit/judge-check.ts';

const OWN = ['apple', 'birch', 'cedar', 'dogwood', 'elm'];

const own = (page: number): string =>
  Array.from({ length: 3 }, (_, index) => `<p>${`${OWN[page] ?? 'oak'} ${index} grows here. `.repeat(10)}</p>`).join(
    '',
  );

const SHARED = `<p>${'We deliver lamps to every town of the county. '.repeat(5)}</p>`;

const links = (count: number): string =>
  Array.from({ length: count }, (_, index) => `<a href="/p${index + 1}">Page ${index + 1}</a>`).join(' ');

/** A start page that links to `count` others; `body` writes each of them, 0 the start page. */
const site = (count: number, body: (page: number) => string, head: (page: number) => string = () => ''): SiteMap =>
  Object.fromEntries(
    Array.from({ length: count + 1 }, (_, page) => [
      page === 0 ? '/' : `/p${page}`,
      html(pageOf(`<nav>${links(count)}</nav><main><h1>Lamps</h1>${body(page)}</main>`, head(page))),
    ]),
  );

const rows: Readonly<Record<string, readonly Row<SiteMap>[]>> = {
  'geo.text.unique-passages': [
    ['four pages of their own words', site(3, own), 'pass', /0 of 12 paragraphs on 4 pages/],
    ['one shared paragraph of four on each', site(3, (page) => own(page) + SHARED), 'partial', /4 of 16 .*25%/],
    ['the same text on all', site(3, () => SHARED), 'fail', /100%/],
    [
      'a shared paragraph in the footer',
      site(3, (page) => `${own(page)}</main><footer>${SHARED}</footer><main>`),
      'pass',
    ],
    [
      'a shared notice of ten words',
      site(3, (page) => `${own(page)}<p>We use cookies to make this site work for you.</p>`),
      'pass',
    ],
    [
      'copies that name another page as their canonical',
      site(
        3,
        () => SHARED,
        (page) => (page > 1 ? '<link rel="canonical" href="/p1">' : ''),
      ),
      'not_applicable',
      /2 pages/,
    ],
    ['two pages', site(1, () => SHARED), 'not_applicable'],
    ['pages without paragraphs', site(3, () => '<div>Lamps.</div>'), 'not_applicable', /No paragraph/],
    ['sampled pages that are not there', { '/': html(pageOf(links(3))) }, 'not_applicable'],
  ],
  'geo.parity.topic-coherence': [
    ['pages of one text', site(3, () => SHARED), 'pass', /cosine of 4 pages: 1\.00/],
    ['pages of different words', site(3, (page) => `<p>${`${OWN[page] ?? ''} `.repeat(40)}</p>`), 'pass', /0\.[0-4]\d/],
    ['two pages', site(1, () => SHARED), 'not_applicable'],
    ['pages that hold the same heading only', site(3, () => ''), 'pass', /1\.00/],
  ],
};

describe.each(Object.entries(rows))('%s', (id, cases) => {
  testCheck(id, cases, { seen: 200 });

  test.each([403, 429, 503])('sampled pages that answer %i make it unknown', async (status) => {
    const refused = html('<p>No.</p>', { status });
    const map = { '/': html(pageOf(links(3) + prose(50))), '/p1': refused, '/p2': refused, '/p3': refused };
    expect(await judgeCheck(id, map)).toMatchObject({ status: 'unknown', note: expect.stringMatching(/3 of 3/) });
  });

  test('sampled pages that do not answer make it unknown', async () => {
    const map = { '/': html(pageOf(links(2))), '/p1': failure('timeout'), '/p2': failure('timeout') };
    expect(await judgeCheck(id, map)).toMatchObject({ status: 'unknown' });
  });
});

const words = (count: number, start = 'Lamp'): string =>
  `${[start, ...Array.from({ length: count - 1 }, (_, index) => `lamp${index}`)].join(' ')}.`;

const paragraphs = (...sizes: readonly number[]): string => sizes.map((size) => `<p>${words(size)}</p>`).join('');

const section = (title: string, size: number): string => `<h2>${title}</h2><p>${words(size)}</p>`;

const opening = (...starts: readonly string[]): string =>
  starts.map((start, index) => `<h2>Part ${index}</h2><p>${start} ${words(20, 'and')}</p>`).join('');

const bulk = `<style>${'.a{color:red}'.repeat(1000)}</style>`;

testChecks<string>(
  {
    'geo.text.ratio': [
      ['prose with little markup', mainPage(prose(400)), 'pass'],
      ['a page of which a twentieth is text', mainPage(prose(150), bulk), 'partial', undefined, { value: 0.5 }],
      ['text drowned in inline styles', mainPage(prose(70), bulk.repeat(3)), 'fail', /of the HTML/],
      ['next to no text', mainPage('<p>Hello.</p>', bulk), 'not_applicable'],
    ],
    'geo.text.paragraph-size': [
      ['five paragraphs of passage size', mainPage(paragraphs(40, 60, 30, 80, 50)), 'pass'],
      ['one paragraph of 200 words', mainPage(paragraphs(40, 60, 200)), 'partial', /1 over 150/],
      ['two paragraphs of 200 words', mainPage(paragraphs(40, 40, 40, 200, 200)), 'partial'],
      ['three paragraphs of 200 words', mainPage(paragraphs(40, 40, 40, 40, 200, 200, 200)), 'fail'],
      ['short lines only', mainPage(paragraphs(8, 8, 8, 8)), 'partial', /median 8 words/],
      ['two long ones among short lines', mainPage(paragraphs(8, 8, 8, 8, 200, 200)), 'fail'],
      [
        'a long paragraph in the footer',
        pageOf(`<main>${paragraphs(40, 40, 40)}</main><footer>${paragraphs(300)}</footer>`),
        'pass',
      ],
      ['a hidden long paragraph', mainPage(`${paragraphs(40, 40, 40)}<p hidden>${words(300)}</p>`), 'pass'],
      ['two paragraphs', mainPage(paragraphs(300, 300)), 'not_applicable'],
      ['labels of a few words', mainPage(paragraphs(3, 3, 3, 3)), 'not_applicable'],
    ],
    'geo.text.section-size': [
      ['three sections of 100 words', mainPage(section('A', 100) + section('B', 100) + section('C', 100)), 'pass'],
      ['one of three in range', mainPage(section('A', 100) + section('B', 20) + section('C', 20)), 'partial', /1 of 3/],
      [
        'none of four in range',
        mainPage(section('A', 20) + section('B', 20) + section('C', 400) + section('D', 20)),
        'fail',
        /0 of 4/,
      ],
      [
        'short answers below questions',
        mainPage(section('What is a lamp?', 40) + section('How long does it burn?', 40) + section('Who made it?', 40)),
        'pass',
      ],
      [
        'endless answers below questions',
        mainPage(section('What is a lamp?', 500) + section('Who made it?', 500) + section('Where is it?', 500)),
        'fail',
      ],
      [
        'a last section that ends where the content ends',
        pageOf(
          `<main>${section('A', 100) + section('B', 100) + section('C', 100)}</main><footer>${'<p>Imprint and more links</p>'.repeat(200)}</footer>`,
        ),
        'pass',
        /3 of 3/,
      ],
      ['two sections', mainPage(section('A', 100) + section('B', 100)), 'not_applicable'],
      [
        'headings in the menu only',
        pageOf(`<nav>${section('A', 9) + section('B', 9) + section('C', 9)}</nav><main>${prose(100)}</main>`),
        'not_applicable',
      ],
      [
        'a list of teasers',
        mainPage(section('A', 20) + section('B', 20) + section('C', 20)),
        'not_applicable',
        undefined,
        { at: '/category/lamps' },
      ],
    ],
    'geo.text.self-contained': [
      ['sections that name their subject', mainPage(opening('The lamp', 'A bulb', 'This lamp')), 'pass'],
      ['one of four that says "it"', mainPage(opening('The lamp', 'A bulb', 'Oil', 'It burns')), 'partial'],
      [
        'two of three that say "this is" and "they"',
        mainPage(opening('This is', 'They burn', 'The lamp')),
        'fail',
        /2 of 3/,
      ],
      ['a German "es gibt"', mainPage(opening('Es gibt', 'Die Lampe ist', 'Das Licht der'), '', 'de'), 'pass'],
      [
        'German "dies" and "das ist"',
        mainPage(opening('Dies zeigt der', 'Das ist die', 'Die Lampe und der'), '', 'de'),
        'fail',
      ],
      [
        'French "cela" and "il y a"',
        mainPage(opening('Cela est', 'Il y a', 'La lampe est', 'Le verre de la lampe'), '', 'fr'),
        'partial',
      ],
      [
        'Japanese これは',
        mainPage(
          `<h2>一</h2><p>${'これは明かりです。'.repeat(9)}</p><h2>二</h2><p>${'ランプは明るいです。'.repeat(9)}</p><h2>三</h2><p>${'油は燃えます。'.repeat(9)}</p>`,
          '',
          'ja',
        ),
        'fail',
      ],
      [
        'a language we have no list of',
        mainPage(opening('Lampa je', 'Svetlo je', 'Olej je'), '', 'sk'),
        'not_applicable',
        /sk/,
      ],
      ['two sections', mainPage(opening('It', 'It')), 'not_applicable'],
    ],
    'geo.text.lists': [
      ['a list of three', mainPage(`${prose(320)}<ul><li>One</li><li>Two</li><li>Three</li></ul>`), 'pass'],
      ['a numbered list', mainPage(`${prose(320)}<ol><li>One</li><li>Two</li><li>Three</li></ol>`), 'pass'],
      ['a list of two', mainPage(`${prose(320)}<ul><li>One</li><li>Two</li></ul>`), 'fail'],
      ['three empty items', mainPage(`${prose(320)}<ul><li></li><li> </li><li></li></ul>`), 'fail'],
      [
        'a list in the menu',
        pageOf(`<nav><ul><li>One</li><li>Two</li><li>Three</li></ul></nav><main>${prose(320)}</main>`),
        'fail',
      ],
      ['a hidden list', mainPage(`${prose(320)}<ul hidden><li>One</li><li>Two</li><li>Three</li></ul>`), 'fail'],
      [
        'a menu on a page without landmarks',
        pageOf(
          `<ul>${['Home', 'Shop', 'Help'].map((text) => `<li><a href="/${text}">${text}</a></li>`).join('')}</ul>${prose(320)}`,
        ),
        'fail',
      ],
      ['a short text', mainPage('<ul><li>One</li><li>Two</li><li>Three</li></ul>'), 'not_applicable'],
    ],
  },
  { seen: 200 },
);
