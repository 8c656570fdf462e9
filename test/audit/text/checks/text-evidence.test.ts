import { describe, expect, test } from 'vitest';
import { isPrimarySource } from '../../../../src/audit/text/facts/cited-sources.ts';
import { snapshotOf } from '../../../support/audit/audit.ts';
import { failure, html, type SiteAnswer, type SiteMap } from '../../../support/audit/site-fetch.ts';
import { jsonLd, mainPage, pageOf, paragraph, prose } from '../../../support/audit/pages.ts';
import { judgeCheck, type Row, testCheck, testChecks } from '../../../support/audit/judge-check.ts';

const cited = (...hrefs: readonly string[]): string =>
  pageOf(
    `<main><h1>Lamps</h1>${prose(200)}${hrefs.map((href) => `<p>See <a href="${href}">the study</a>.</p>`).join('')}</main>`,
  );

const KEYWORDS =
  'gooseneck kettle, pour over kettle, coffee gear, barista tools, espresso grinder, filter paper, drip stand, coffee scale, milk jug, brew set, travel mug';

const ID = 'geo.evidence.links-resolve';

const found = html('<p>Found.</p>');

const gone = html('<p>Gone.</p>', { status: 410 });

const missing = html('<p>None.</p>', { status: 404 });

const withStatus = (status: number): SiteAnswer => html('<p>No.</p>', { status });

const [A, B, C] = ['https://a.test/1', 'https://b.test/1', 'https://c.test/1'];

const site = (answers: SiteMap, ...hrefs: readonly string[]): SiteMap => ({ '/': html(cited(...hrefs)), ...answers });

describe('geo.evidence.authoritative-domains', () => {
  const rows: readonly Row<readonly string[]>[] = [
    ['a study by its DOI', ['https://blog.test/a', 'https://doi.org/10.1000/1'], 'pass', /1 link of 2/],
    ['an encyclopaedia and a blog', ['https://en.wikipedia.org/wiki/Lamp', 'https://blog.test/a'], 'fail'],
    ['no citation', [], 'not_applicable'],
  ];
  testCheck('geo.evidence.authoritative-domains', rows, { site: (hrefs) => cited(...hrefs), seen: 200 });

  test.each([
    ['https://www.nist.gov/x', true],
    ['https://www.gov.uk/x', true],
    ['https://data.gov.au/x', true],
    ['https://www.ox.ac.uk/x', true],
    ['https://www.mit.edu/', true],
    ['https://eur-lex.europa.eu/x', true],
    ['https://www.rfc-editor.org/rfc/rfc9110', true],
    ['https://arxiv.org/abs/2311.09735', true],
    ['https://www.who.int/x', true],
    ['https://docs.stripe.com/api', true],
    ['https://developer.mozilla.org/en-US/', true],
    ['https://docs.google.com/document/d/1', false],
    ['https://en.wikipedia.org/wiki/Lamp', false],
    ['https://gov.example.com/', false],
    ['https://edu.lamps.test/', false],
    ['https://notarxiv.org/', false],
    ['https://go.com/', false],
    ['https://ac.me/', false],
    ['https://docs.test/', false],
  ])('%s is primary: %s', (url, primary) => {
    expect(isPrimarySource(url)).toBe(primary);
  });
});

describe('geo.evidence.links-resolve', () => {
  const rows: readonly Row<SiteMap>[] = [
    ['two links that answer', site({ [A]: found, [B]: found }, A, B), 'pass', /2 of 2/],
    ['a redirect to a page', site({ [A]: { status: 301, headers: { location: B }, body: '' }, [B]: found }, A), 'pass'],
    ['one of two dead', site({ [A]: found, [B]: missing }, A, B), 'partial', /1 are dead/, { value: 0.5 }],
    ['two of three dead', site({ [A]: found, [B]: missing, [C]: gone }, A, B, C), 'fail'],
    [
      'one that answers and one that refuses us',
      site({ [A]: found, [B]: withStatus(403) }, A, B),
      'pass',
      /1 gave us no answer/,
    ],
    ['no citation', site({}), 'not_applicable'],
  ];
  testCheck(ID, rows, { seen: 200 });

  test.each<[string, SiteAnswer]>([
    ['403', withStatus(403)],
    ['429', withStatus(429)],
    ['999', withStatus(999)],
    ['503', withStatus(503)],
    ['a time-out', failure('timeout')],
    ['no connection', failure('connection_failed')],
    ['a spent budget', failure('budget_exhausted')],
  ])('a link that answers with %s is unknown, not dead', async (_name, answer) => {
    expect(await judgeCheck(ID, site({ [A]: answer }, A))).toMatchObject({ status: 'unknown' });
  });

  test('the first five links are asked with GET, at most two of one owner, each for 16 KiB', async () => {
    const hrefs = [1, 2, 3].map((n) => `https://www.a.test/${n}`).concat(B, C, 'https://d.test/', 'https://e.test/');
    const { exchanges } = await snapshotOf(site({}, 'https://a.test/0', ...hrefs), { only: ['page', 'citations'] });
    const asked = exchanges.filter(({ role }) => role.startsWith('citation:'));
    expect(asked.map(({ url, method }) => `${method} ${url}`)).toEqual(
      ['https://a.test/0', 'https://www.a.test/1', B, C, 'https://d.test/'].map((url) => `GET ${url}`),
    );
  });

  test('a site on a private host follows no link', async () => {
    const origin = 'http://127.0.0.1:8080';
    const map = site({ [A]: missing }, A);
    expect(await judgeCheck(ID, map, { at: `${origin}/` })).toMatchObject({ status: 'not_applicable' });
    const { exchanges } = await snapshotOf(map, { origin, url: `${origin}/`, only: ['page', 'citations'] });
    expect(exchanges.map(({ role }) => role)).toEqual(['page']);
  });

  test('links that were not asked are unknown', async () => {
    expect(await judgeCheck(ID, cited(A), { only: ['page'] })).toMatchObject({
      status: 'unknown',
      note: expect.stringMatching(/budget/),
    });
  });
});

const link = (href: string, text = 'the study of lamps'): string => `<a href="${href}">${text}</a>`;

const FIGURES = [
  'Sales grew by 41 %.',
  'It weighs 3.5 kg.',
  'Of all homes, 7 out of 10 have one.',
  'It costs $4.2 million.',
];

const SOURCE = 'https://research.example.org/lamps';

const QUOTE = 'Light is the first thing that I notice in any room';

const stuffed = (times: number): string => paragraph('cheap lamps '.repeat(times));

const article = prose(300);

/** A text of 160 words that states no figure. */
const short = prose(160);

const see = (href: string): string => paragraph(`Read more in ${link(href)} of last year.`);

const rows: Readonly<Record<string, readonly Row<string>[]>> = {
  'geo.evidence.statistics': [
    ['four figures in 300 words', mainPage(article + FIGURES.map(paragraph).join('')), 'pass'],
    [
      'one figure in 900 words',
      mainPage(prose(900) + paragraph(FIGURES[0] ?? '')),
      'partial',
      undefined,
      { value: 0.5 },
    ],
    [
      'six figures however long the text',
      mainPage(prose(3000) + paragraph('1 kg, 2 kg, 3 kg, 4 kg, 5 kg, 6 kg')),
      'pass',
    ],
    [
      'bare numbers, dates, versions, phones, addresses',
      mainPage(
        `${article}<p>Version 3.14, 12 May 2026, call 030 1234567, page 3 of 10, 5 days ago, at 12 Mill Lane, Larne.</p>`,
      ),
      'fail',
    ],
    ['a count of things', mainPage(article + paragraph('Our works made 42 lamps for it.')), 'pass', /1 number/],
    [
      'three figures in 3000 words',
      mainPage(prose(3000) + FIGURES.slice(0, 3).map(paragraph).join('')),
      'pass',
      /3 numbers/,
    ],
    [
      'two figures in 3000 words',
      mainPage(prose(3000) + FIGURES.slice(0, 2).map(paragraph).join('')),
      'partial',
      /3 are enough/,
    ],
    ['figures in the menu only', pageOf(`<nav>41 % off</nav><main>${article}</main>`), 'fail'],
    [
      'Chinese figures straight behind a word',
      mainPage(article + paragraph('湿地的水面面积增加了18%，票价是100元。')),
      'pass',
      /2 numbers/,
    ],
    ['a short text', mainPage(paragraph('41 %')), 'not_applicable', /150/],
  ],
  'geo.evidence.quotations': [
    [
      'a blockquote with a cite element',
      mainPage(`${article}<blockquote>${QUOTE}</blockquote><cite>Ada Byron</cite>`),
      'pass',
    ],
    [
      'a blockquote that ends in a dash and a name',
      mainPage(`${article}<blockquote>${QUOTE} — Ada Byron, engineer</blockquote>`),
      'pass',
    ],
    ['typographic quotes and "said"', mainPage(`${article}<p>“${QUOTE},” said Ada Byron.</p>`), 'pass'],
    ['German quotes and "sagt"', mainPage(`${article}<p>„${QUOTE}“, sagt Ada Byron.</p>`), 'pass'],
    ['Japanese quotes', mainPage(`${article}<p>「${'明'.repeat(30)}」と述べた。</p>`), 'pass'],
    ['a quotation of nobody', mainPage(`${article}<p>“${QUOTE}”</p>`), 'fail', /1 quotation, none with a name/],
    [
      'a dash and a name long before the end of a blockquote',
      mainPage(
        `${article}<blockquote>${QUOTE} — Ada, and ${'then more light in all of our rooms '.repeat(3)}</blockquote>`,
      ),
      'fail',
      /none with a name/,
    ],
    [
      'a blockquote of dashes that ends in one and a name',
      mainPage(`${article}<blockquote>${QUOTE} ${'— '.repeat(20)}— Ada Byron</blockquote>`),
      'pass',
    ],
    ['quoted words too short to be a quotation', mainPage(`${article}<p>The “smart lamp” said Ada.</p>`), 'fail'],
    ['a hidden quotation', mainPage(`${article}<blockquote hidden>${QUOTE} — Ada Byron</blockquote>`), 'fail'],
    [
      'a quotation with a name on the site of an API',
      mainPage(`${article}<blockquote>${QUOTE} — Ada Byron</blockquote>`),
      'pass',
      undefined,
      { profile: 'api' },
    ],
    [
      'a product with a button to buy',
      mainPage(`${article}<p>€ 5</p><button>Add to cart</button>`),
      'not_applicable',
      /product page/,
      { at: '/lamp' },
    ],
    [
      'a start page of links',
      mainPage('<p><a href="/x">Another lamp of our shop</a></p>'.repeat(60)),
      'not_applicable',
      /home page/,
    ],
    ['the start page of a shop that tells a story', mainPage(article), 'fail', undefined, { profile: 'commerce' }],
    ['a thread of a forum', mainPage(article), 'not_applicable', /forum page/, { at: '/viewtopic.php?t=7' }],
    ['a page of documentation', mainPage(article), 'not_applicable', undefined, { at: '/docs/lamps' }],
    ['a short text', mainPage(paragraph('Hello.')), 'not_applicable'],
  ],
  'geo.evidence.cited-sources': [
    ['one source in 300 words', mainPage(article + paragraph(`See ${link(SOURCE)}.`)), 'pass'],
    ['a link alone in its paragraph', mainPage(article + paragraph(link(SOURCE))), 'fail', /0 /],
    ['a list of bare links', mainPage(`${article}<ul><li>${link(SOURCE)}</li></ul>`), 'fail'],
    ['a list of sources', mainPage(`${article}<h2>Sources</h2><ul><li>${link(SOURCE)}</li></ul>`), 'pass'],
    ['a source list in German', mainPage(`${article}<h2>Quellen</h2><ul><li>${link(SOURCE)}</li></ul>`), 'pass'],
    [
      'a link in a sentence of a list item',
      mainPage(`${article}<ul><li>Lamps last longer, as ${link(SOURCE)} says.</li></ul>`),
      'pass',
    ],
    [
      'an address that is written out',
      mainPage(article + paragraph(link(SOURCE, 'research.example.org/lamps'))),
      'pass',
    ],
    ['one source in 900 words', mainPage(prose(900) + see(SOURCE)), 'partial', /3 are enough/],
    ['the same source three times', mainPage(prose(900) + see(SOURCE) + see(`${SOURCE}#a`) + see(SOURCE)), 'partial'],
    [
      'three sources in 3000 words',
      mainPage(prose(3000) + [1, 2, 3].map((part) => see(`${SOURCE}/${part}`)).join('')),
      'pass',
    ],
    ['its own other host', mainPage(article + see('https://blog.acme.example/x')), 'fail'],
    ...[
      ['an affiliate link', 'https://lamps.test/all?tag=acme-21'],
      ['an advertising link', 'https://lamps.test/all?gclid=x1'],
      ['a link of an affiliate network', 'https://www.awin1.com/cread.php?p=1'],
      ['a shortened link', 'https://amzn.to/3abc'],
      ['a shop of many countries', 'https://www.amazon.co.uk/lamp'],
      ['a shop by its host', 'https://shop.lamps.test/red'],
      ['a product by its path', 'https://lamps.test/products/red'],
      ['a recording to download', 'https://cast.test/episode-1.mp3'],
      ['a licence', 'https://creativecommons.org/licenses/by/4.0/'],
      ['the credit of a photo', 'https://unsplash.com/@ada'],
      ['a call for gifts', 'https://www.patreon.com/acme'],
    ].map(([name, href]): Row<string> => [name ?? '', mainPage(article + see(href ?? '')), 'fail', /0 /]),
    [
      'share buttons, stores, adverts',
      mainPage(
        article +
          [
            'https://x.com/intent/post?u=1',
            'https://www.facebook.com/acme',
            'https://play.google.com/store/apps/details?id=a',
            'https://ad.doubleclick.net/x',
          ]
            .map(see)
            .join(''),
      ),
      'fail',
    ],
    [
      'a sponsored link',
      mainPage(`${article}<p>They sell <a rel="sponsored" href="${SOURCE}">lamps</a> by weight.</p>`),
      'fail',
    ],
    [
      'the organisation itself under another name',
      mainPage(
        article + see('https://acme-holding.test/') + see('https://www.wikidata.org/wiki/Q42'),
        jsonLd({
          '@context': 'https://schema.org',
          '@type': 'Organization',
          sameAs: ['https://acme-holding.test/', 'https://www.wikidata.org/wiki/Q42/'],
        }),
      ),
      'fail',
    ],
    ['a single post on a network', mainPage(article + see('https://x.com/ada/status/123')), 'pass'],
    ['a profile on a network', mainPage(article + see('https://x.com/ada')), 'fail'],
    ['a link in the footer', pageOf(`<main>${article}</main><footer>${see(SOURCE)}</footer>`), 'fail'],
    ['a short text', mainPage(prose(60) + see(SOURCE)), 'not_applicable', /150/, { at: '/blog/lamps' }],
    ['documentation', mainPage(article), 'not_applicable', /docs page/, { at: '/docs/lamps' }],
    ['a list of articles', mainPage(article), 'not_applicable', /listing page/, { at: '/category/lamps' }],
  ],
  'geo.evidence.no-keyword-stuffing': [
    ['varied prose', mainPage(article), 'pass'],
    ['a pair of words at 4 %', mainPage(article + '<p>cheap lamps</p>'.repeat(13)), 'partial'],
    ['a pair of words in every other place', mainPage(article + stuffed(60)), 'fail', /times/],
    ['a name at 4 %', mainPage(article + '<p>Harbour Museum</p>'.repeat(13)), 'pass'],
    ['a name in every other place', mainPage(article + '<p>Harbour Museum</p>'.repeat(60)), 'fail'],
    [
      'a phrase that now and then begins with capitals',
      mainPage(article + '<p>Cheap Lamps</p><p>cheap lamps</p>'.repeat(7)),
      'partial',
    ],
    ['a common pair of function words', mainPage(article + '<p>of the</p>'.repeat(60)), 'pass'],
    ['a short text', mainPage(stuffed(20)), 'not_applicable'],
    ...[
      '<a href="https://a.test/x">Report <span>(opens in a new window)</span></a> ',
      '<p>Beleg <span class="visually-hidden">öffnet in neuem Fenster</span></p>',
      '<p><a href="/g.png">Grafik herunterladen</a></p>',
      '<p><button>Grafik herunterladen</button></p>',
      '<p>http://amzn.to/2abc</p>',
      '<p>amzn.to/2abc</p>',
    ].map((label): Row<string> => [`many times ${label}`, mainPage(article + label.repeat(40)), 'pass']),
    ...[
      `<div style="display:none">${KEYWORDS}</div>`,
      `<div hidden><p>${KEYWORDS}</p></div>`,
      `<p style="position:absolute;left:-9999px">${KEYWORDS}</p>`,
      `<p style="color:#fff;background:#fff">${KEYWORDS}</p>`,
      `<p hidden>${'cheap kettle best kettle buy kettle '.repeat(4)}</p>`,
    ].map((block): Row<string> => [
      `a hidden list of keywords: ${block.slice(0, 40)}`,
      mainPage(article + block),
      'fail',
      /hidden text/,
    ]),
    ['a hidden list of keywords on a short page', mainPage(`<p>Kettles.</p><p hidden>${KEYWORDS}</p>`), 'fail'],
    ...[
      `<dialog style="display:none">${KEYWORDS}</dialog>`,
      `<div hidden>Your basket is empty. Add something, or go on, and come back, when, as, or if, you find, what, you want.</div>`,
      `<div hidden>1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17</div>`,
      `<div hidden>cookie settings, imprint</div>`,
      `<p aria-hidden="true">${KEYWORDS}</p>`,
    ].map((block): Row<string> => [`hidden and no keywords: ${block.slice(0, 40)}`, mainPage(article + block), 'pass']),
  ],
  'geo.evidence.number-source-adjacent': [
    [
      'a link in each block',
      mainPage(short + FIGURES.map((figure) => paragraph(`${figure} ${link(SOURCE)}`)).join('')),
      'pass',
      /4 of 4/,
    ],
    [
      '"according to" in the block',
      mainPage(`${short}<p>According to the office, sales grew by 41 % in 3 years.</p>`),
      'pass',
      /2 of 2/,
    ],
    [
      'a speaker in the block',
      mainPage(`${short}<p>Sales grew by 41 % in 3 years, Ada Byron said.</p>`),
      'pass',
      /2 of 2/,
    ],
    [
      'one of four',
      mainPage(short + paragraph(`${FIGURES[0]} ${link(SOURCE)}`) + FIGURES.slice(1).map(paragraph).join('')),
      'partial',
      /1 of 4/,
      { value: 0.25 },
    ],
    [
      'none, with the link elsewhere',
      mainPage(short + FIGURES.map(paragraph).join('') + paragraph(link(SOURCE))),
      'fail',
      /0 of 4/,
    ],
    ['one figure', mainPage(short + paragraph('41 %')), 'not_applicable', /Fewer than two/],
    ['a short text', mainPage(FIGURES.map(paragraph).join('')), 'not_applicable', /150/],
  ],
};

testChecks(rows, { seen: 200 });

test.each(Object.keys(rows))('%s is unknown, not a no, when the page cannot be read', async (id) => {
  expect((await judgeCheck(id, { '/': failure('connection_failed') })).status).toBe('unknown');
});
