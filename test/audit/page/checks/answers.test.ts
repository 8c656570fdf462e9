import { describe, expect, test } from 'vitest';
import { failure, html, SITE, type SiteMap } from '../../../support/audit/site-fetch.ts';
import { goodSite } from '../../../sites/good.ts';
import { onePage, prose, words } from '../../../support/audit/pages.ts';
import { judgeCheck, type Row, testCheck } from '../../../support/audit/judge-check.ts';

describe('aeo.answer.capsule', () => {
  const id = 'aeo.answer.capsule';
  const answer =
    'Delivery takes nine days on average: six days to cut, oil and dry the rack, and three days for the carrier.';
  const ask = (...pairs: [string, string][]): SiteMap =>
    onePage(pairs.map(([question, text]) => `<h2>${question}</h2>${text}`).join(''));
  testCheck(id, [
    ['a short direct answer passes', ask(['How long does delivery take?', `<p>${answer}</p>`]), 'pass', /1 of 1/],
    [
      'one of three is partial',
      ask(['How long is delivery?', `<p>${answer}</p>`], ['What is oak?', words(200)], ['Why oak?', '']),
      'partial',
      /1 of 3/,
    ],
    [
      'a bold question on a line of its own asks',
      onePage(`<p><strong>How long does delivery take?</strong></p><p>${answer}</p>`),
      'pass',
      /1 of 1/,
    ],
    [
      'a question with bold words in it is prose',
      onePage(`<p>How <b>long</b> does delivery take?</p><p>${answer}</p>`),
      'not_applicable',
      /No heading/,
    ],
    [
      'many bold questions are an interview',
      onePage(`<p><b>How long does delivery take?</b></p><p>${answer}</p>`.repeat(5)),
      'not_applicable',
      /No heading/,
    ],
    [
      'questions that open what is below them ask',
      ask(['<a href="#a1">How long does delivery take?</a>', `<p>${answer}</p>`]),
      'pass',
      /1 of 1/,
    ],
    [
      'a question that leads to another page does not ask',
      ask(['<a href="/a1">How long does delivery take?</a>', `<p>${answer}</p>`]),
      'not_applicable',
      /No heading/,
    ],
    [
      'a long paragraph fails',
      ask(['How long does delivery take?', `<p>Delivery takes ${'a word and '.repeat(60)} more.</p>`]),
      'fail',
      /0 of 1/,
    ],
    [
      'an answer that decides need not repeat the question',
      ask([
        'Is the workshop open on holidays?',
        '<p>Nope. Holidays belong to the family, and the joiners are no exception.</p>',
      ]),
      'pass',
      /1 of 1/,
    ],
    [
      'lines that are no paragraphs answer too',
      ask(['How long does delivery take?', `${answer}<br><br>Parcels go out at noon.<br>`]),
      'pass',
      /1 of 1/,
    ],
    [
      'a headline above the article asks where its lead answers',
      onePage(`<h1>How long does delivery take?</h1><article><p>${answer}</p><p>Parcels go out at noon.</p></article>`),
      'pass',
      /1 of 1/,
    ],
    [
      'an answer about something else fails',
      ask([
        'How long does delivery take?',
        '<p>Our workshop was founded in 1921 and is still owned by the same family of joiners.</p>',
      ]),
      'fail',
      /0 of 1/,
    ],
    [
      'a paragraph below the next heading is none',
      ask(['How long does delivery take?', ''], ['Delivery', `<p>${answer}</p>`]),
      'fail',
      /0 of 1/,
    ],
    [
      'questions that lead to other pages are theirs',
      ask(['<a href="/x">How long does delivery take?</a>', `<p>${words(40)}</p>`]),
      'not_applicable',
      /No heading/,
    ],
    [
      'a few words with a question mark ask nothing',
      ask(['Passwort vergessen?', `<p>${words(40)}</p>`], ['Want more?', '']),
      'not_applicable',
      /No heading/,
    ],
    [
      'a headline that asks counts where its answer follows',
      onePage(`<main><h1>How long does delivery take?</h1><p>${answer}</p>${prose(200)}</main>`),
      'pass',
      /1 of 1/,
    ],
    [
      'a headline that asks, and is not answered, only calls for attention',
      onePage(
        `<main><h1>How long does delivery take?</h1><p>Our workshop was founded in 1921.</p>${prose(200)}</main>`,
      ),
      'not_applicable',
      /No heading/,
    ],
    [
      'questions of related stories and forms are none of the content',
      onePage(
        `<main><h1>Delivery</h1>${prose(200)}<aside><h2>How long is delivery?</h2><p>Read it here.</p></aside></main><footer><h2>Where are we?</h2></footer>`,
      ),
      'not_applicable',
      /No heading/,
    ],
    ['no question is not applicable', ask(['Delivery', `<p>${answer}</p>`]), 'not_applicable', /No heading/],
  ]);

  test('another language is not judged by English verbs', async () => {
    const map: SiteMap = {
      '/': html(
        '<html lang="de"><body><h2>Wie lange dauert die Lieferung?</h2><p>Die Lieferung dauert im Mittel neun Tage, sechs davon in der Werkstatt und drei beim Frachtführer.</p></body></html>',
      ),
    };
    expect((await judgeCheck(id, map)).status).toBe('pass');
  });
});

describe('aeo.answer.faq', () => {
  const id = 'aeo.answer.faq';
  const qa = '<details><summary>Is oak hard?</summary><p>Oak is a hard wood that lasts.</p></details>';
  const dl = '<dl><dt>Is oak heavy?</dt><dd>Yes, about 700 kg per cubic metre.</dd></dl>';
  const faqLd = (question: string): string =>
    `<script type="application/ld+json">{"@context":"https://schema.org","@type":"FAQPage","mainEntity":[{"@type":"Question","name":"${question}","acceptedAnswer":{"@type":"Answer","text":"Yes."}}]}</script>`;
  testCheck(id, [
    ['two pairs of different forms pass', onePage(words(30) + qa + dl), 'pass', /2 visible/],
    ['question headings with paragraphs pass', goodSite, 'pass', /2 visible/],
    [
      'a linked FAQ page passes',
      { ...onePage(`${words(30)}<a href="/faq">FAQ</a>`), '/faq': html(`<body>${qa}${dl}</body>`) },
      'pass',
      /linked FAQ/,
    ],
    [
      'a linked FAQ page without questions fails',
      { ...onePage(`${words(30)}<a href="/faq">FAQ</a>`), '/faq': html('<body>soon</body>') },
      'fail',
      /no FAQ page/,
    ],
    ['one pair fails', onePage(words(30) + qa), 'fail', /1 visible/],
    [
      'markup that the page does not show fails',
      onePage(words(30) + faqLd('Is it waterproof?')),
      'fail',
      /none of which/,
    ],
    [
      'an unreadable FAQ page is unknown',
      { ...onePage(`${words(30)}<a href="/faq">FAQ</a>`), '/faq': failure('timeout') },
      'unknown',
      /timeout/,
    ],
  ]);

  test('an article is not expected to have questions', async () => {
    const article = `<html lang="en"><head><meta property="og:type" content="article"></head><body><main>${words(200)}</main></body></html>`;
    const outcome = await judgeCheck(id, { '/news/oak': html(article) }, { at: `${SITE}/news/oak` });
    expect(outcome.status).toBe('not_applicable');
  });
});

describe('aeo.links.internal', () => {
  const id = 'aeo.links.internal';
  const linked = (count: number, text: string, more = ''): SiteMap =>
    onePage(Array.from({ length: count }, (_, index) => `<a href="/p${index}">${text}</a>`).join(' ') + more);
  /** A menu whose entries only a script follows. */
  const scripted = (...names: readonly string[]): string =>
    `<nav>${names.map((name) => `<a href="javascript:show('${name}')">${name}</a>`).join(' ')}</nav>`;
  testCheck(id, [
    ['five named links pass', linked(5, 'Page'), 'pass', /Links to 5 pages of the site, 5 of them/],
    ['images with alt text name a link', linked(5, '<img src="x" alt="Page">'), 'pass', /5 of them with a text/],
    ['links without a text are partial', linked(5, '<img src="x" alt="">'), 'partial', /0 of them with a text/],
    [
      'five named links among twenty without a text pass',
      linked(5, 'Page', Array.from({ length: 20 }, (_, index) => `<a href="/i${index}"></a>`).join('')),
      'pass',
      /Links to 25 pages of the site, 5 of them/,
    ],
    ['one link is partial', linked(1, 'Page'), 'partial', /Links to 1 page of the site/],
    ['four links are partial', linked(4, 'Page'), 'partial', /4 of them/],
    [
      'a script that prints, goes back or asks for consent hides no page',
      linked(5, 'Page', '<a href="javascript:window.print()">Print</a><a href="javascript:void(0)">Cookies</a>'),
      'pass',
      /5 of them/,
    ],
    [
      'a menu of handlers without addresses hides pages',
      onePage(
        `<nav>${['Lamps', 'Shades', 'Bulbs'].map((name) => `<a onclick="show()">${name}</a>`).join('')}</nav><a href="/imprint">Imprint</a>`,
      ),
      'partial',
      /3 entries of the menu are followed by a script only/,
    ],
    [
      'a menu that only a script follows hides pages',
      onePage(`${scripted('Lamps', 'Shades', 'Bulbs')}<a href="/imprint">Imprint</a>`),
      'partial',
      /1 named link to pages of the site; 3 entries of the menu are followed by a script only/,
    ],
    [
      'a menu of scripts whose entries have plain links too hides nothing',
      linked(
        2,
        'Page',
        `${scripted('Lamps', 'Shades', 'Bulbs')}<a href="/lamps">Lamps</a><a href="/shades">shades</a><a href="/bulbs">Bulbs</a>`,
      ),
      'pass',
      /5 of them/,
    ],
    [
      'hosts of the same owner are the same site',
      onePage(
        ['www', 'shop', 'blog', 'help', 'jobs']
          .map((name) => `<a href="https://${name}.acme.example/">${name}</a>`)
          .join(''),
      ),
      'pass',
      /5 pages of the site/,
    ],
    [
      'the same target five times is one',
      onePage('<a href="/a">A</a> <a href="/a#b">B</a> <a href="/a">C</a>'),
      'partial',
      /Links to 1 page of the site/,
    ],
    [
      'links to other hosts and to this page are none',
      onePage(`<a href="https://other.example/">O</a><a href="#top">T</a><a href="${SITE}/">S</a>`),
      'fail',
      /No plain link/,
    ],
    [
      'a menu of scripts alone is no link',
      onePage(scripted('Lamps', 'Shades', 'Bulbs', 'About', 'Help')),
      'fail',
      /No plain link/,
    ],
    ['buttons are no links', onePage('<button onclick="go()">Go</button>'), 'fail', /No plain link/],
  ]);
});

describe('aeo.fresh.dates', () => {
  const id = 'aeo.fresh.dates';
  const ld = (date: string): string =>
    `<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"Article","dateModified":"${date}"}]}</script>`;
  const at = '/blog/oak';
  const dated = (body: string, head = ''): SiteMap => ({ [at]: html(`<head>${head}</head><body>${body}</body>`) });
  const headed = (headers: Record<string, string>, more = ''): SiteMap => ({
    [at]: html(`<body>${words(200)}${more}</body>`, { headers }),
  });
  const modified = { 'last-modified': 'Fri, 02 Oct 2026 10:00:00 GMT' };
  testCheck(
    id,
    [
      ['a time element passes', dated(`${words(200)}<time datetime="2026-10-01">October</time>`), 'pass', /1 of 1/],
      ['a time element that holds an ISO day passes', dated(`${words(200)}<time>2026-10-01</time>`), 'pass', /1 of 1/],
      [
        'a time element whose day is in words is half a date',
        dated(`${words(200)}<p><time>1 October 2026</time></p>`),
        'partial',
        /0 of 1/,
      ],
      [
        'a line at the end that says when the page was changed is half a date',
        dated(`${words(2000)}<footer><p>Last updated: 1 October 2026</p></footer>`),
        'partial',
        /0 of 1/,
      ],
      [
        'the head of a press release is half a date',
        dated(`<p>Press release of the ministry of 1 October 2026 | Berlin: ${words(200)}</p>`),
        'partial',
        /0 of 1/,
      ],
      ['a date in JSON-LD passes', dated(words(200) + ld('2026-10-01T10:00:00+02:00')), 'pass', /1 of 1/],
      ...[
        'article:published_time',
        'dc.date',
        'DC.date.issued',
        'pubdate',
        'parsely-pub-date',
        'isodatetime',
        'date',
      ].map((name): Row<SiteMap> => [
        `a date in a meta element named ${name} passes`,
        dated(words(200), `<meta ${name.startsWith('article:') ? 'property' : 'name'}="${name}" content="2026-10-01">`),
        'pass',
        /1 of 1/,
      ]),
      [
        'a meta element about something else is no date',
        dated(words(200), '<meta name="update-policy" content="2026-10-01">'),
        'fail',
        /0 of 1/,
      ],
      [
        'microdata outside of an item pass',
        dated(`<span itemprop="datePublished" content="2026-10-01">today</span>${words(200)}`),
        'pass',
        /1 of 1/,
      ],
      [
        'a class of a microformat with a short year passes',
        dated(`<span class="published updated">3/09/15 8:00am</span>${words(200)}`),
        'pass',
        /1 of 1/,
      ],
      [
        'a month that is shown is half a date',
        dated(`<div class="article-property--date"><b>Date</b> 04/2021</div>${words(200)}`),
        'partial',
        /0 of 1/,
      ],
      ['a month in a sentence is no date', dated(`<p>We met in April 2021 in Rome</p>${words(200)}`), 'fail', /0 of 1/],
      [
        'a day at the beginning of a long paragraph is half a date',
        dated(`<p>(21. November 2022) ${'Lamps are red. '.repeat(40)}</p>`),
        'partial',
        /0 of 1/,
      ],
      [
        'a short article needs its date',
        dated(
          '<h1>Lamps</h1><p>Listen here.</p>',
          '<meta property="article:published_time" content="2026-10-01">' + ld('2026-10-01'),
        ),
        'pass',
        /1 of 1/,
      ],
      [
        'a page about the house needs none',
        { '/about': html(`<body>${words(200)}</body>`) },
        'not_applicable',
        /needs a date/,
        { at: '/about' },
      ],
      [
        'a class of a microformat passes',
        dated(`<abbr class="published" title="2026-10-01T08:00:00Z">Thursday</abbr>${words(200)}`),
        'pass',
        /1 of 1/,
      ],
      [
        'a date in words only is half a date',
        dated(`<p>1. Oktober 2026</p>${words(200)}`),
        'partial',
        /0 of 1/,
        { value: 0.5 },
      ],
      [
        'a date in a sentence of the text is not that of the page',
        dated(`${words(200)}<p>${'The shop that my father kept was sold on '.repeat(4)} 1 October 2020.</p>`),
        'fail',
        /0 of 1/,
      ],
      [
        'a property of RDFa passes',
        dated(`<span property="schema:dateCreated" content="2026-10-01"></span>${words(200)}`),
        'pass',
        /1 of 1/,
      ],
      [
        'the date of a comment is not that of the page',
        dated(
          `${words(200)}<div class="comments"><p>Ada <time datetime="2026-10-01">1 October</time></p>` +
            '<b itemprop="datePublished" content="2026-10-01">1 October</b></div>' +
            '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Comment","dateCreated":"2026-10-01"}</script>',
        ),
        'fail',
        /0 of 1/,
      ],
      [
        'the first day of the calendar stands for none',
        dated(words(200) + ld('0001-01-01T00:00:00Z')),
        'fail',
        /0 of 1/,
      ],
      ['the first day of Unix time stands for none', dated(words(200) + ld('1970-01-01')), 'fail', /0 of 1/],
      ['a Last-Modified header alone is half a date', headed(modified), 'partial', /0 of 1/, { value: 0.5 }],
      ['no date fails', dated(words(200)), 'fail', /0 of 1/],
      ['a date in the future fails', dated(`${words(200)}<time datetime="2030-01-01">2030</time>`), 'fail', /0 of 1/],
      ['a date that is none fails', dated(`${words(200)}<time datetime="2026-13-45">?</time>`), 'fail', /0 of 1/],
      ['a page of a few words is not applicable', dated(words(10)), 'not_applicable', /No page/],
      ...(
        [
          ['a start page', '/'],
          ['a product', '/lamp', '<p>€ 5</p><button>Add to cart</button>'],
          ['a list of articles', '/category/oak'],
          ['a contact page', '/contact'],
          ['documentation without versions', '/docs/oak'],
        ] as const
      ).map(([name, path, more = '']): Row<SiteMap> => [
        `${name} needs no date`,
        { [path]: html(`<body><main>${words(200)}${more}</main></body>`) },
        'not_applicable',
        /needs a date/,
        { at: path },
      ]),
      [
        'every content page of the sample counts',
        {
          ...dated(`${words(200)}<time datetime="2026-10-01">x</time><a href="/blog/a">A</a>`),
          '/blog/a': html(words(200)),
        },
        'partial',
        /1 of 2/,
      ],
      [
        'pages of the sample that need no date do not count',
        {
          ...dated(`${words(200)}<time datetime="2026-10-01">x</time><a href="/contact">Contact</a>`),
          '/contact': html(words(200)),
        },
        'pass',
        /1 of 1/,
      ],
    ],
    { at },
  );
});
