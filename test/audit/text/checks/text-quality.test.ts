import { expect, test } from 'vitest';
import { computeFleschScore } from '../../../../src/audit/language/flesch.ts';
import { failure } from '../../../support/audit/site-fetch.ts';
import { mainPage, pageOf, paragraph, prose } from '../../../support/audit/pages.ts';
import { judgeCheck, type Row, testChecks } from '../../../support/audit/judge-check.ts';

const times = (sentence: string, count: number): string => `<p>${`${sentence} `.repeat(count)}</p>`;

const PLAIN = 'The cat sat on the mat and it was warm in the sun.';

const MIDDLING = 'The committee decided that the village should have another and larger library.';

const HARD = 'Institutional considerations necessitate comprehensive organisational interoperability evaluations.';

const filled = prose(100);

const long = (lead: string): string => `<p>${lead}</p>${prose(700, 90)}`;

const SHORT_LEAD = `A lamp gives light ${'where it is dark '.repeat(5)}.`;

const LONG_LEAD = `A lamp gives light ${'where it is dark '.repeat(30)}.`;

testChecks<string>(
  {
    'geo.text.easy': [
      ['short words and sentences', mainPage(times(PLAIN, 12)), 'pass'],
      ['middling words', mainPage(times(MIDDLING, 12)), 'partial', undefined, { value: 0.5 }],
      ['long words', mainPage(times(`${HARD} The is of the.`, 20)), 'fail', /Flesch reading ease -/],
      [
        'German, whatever the lang attribute says',
        mainPage(times('Die Katze sitzt auf der Matte und es ist warm in der Sonne.', 12)),
        'not_applicable',
        /de/,
      ],
      ['a language that the words do not tell', mainPage(filled, '', 'fi'), 'not_applicable', /fi/],
      ['fewer than a hundred words', mainPage(times(PLAIN, 3)), 'not_applicable'],
      [
        'a menu of many words without a sentence',
        mainPage('<p>the and of to in is for</p>'.repeat(40)),
        'not_applicable',
      ],
    ],
    'geo.text.no-placeholder': [
      ['finished prose', mainPage(filled), 'pass'],
      ['lorem ipsum', mainPage(`${filled}<p>Lorem ipsum dolor sit amet, consectetur.</p>`), 'fail', /filler/],
      ['a template variable', mainPage(`${filled}<p>Hello {{ user.name }}!</p>`), 'fail', /variable/],
      ['an object without its text', mainPage(`${filled}<p>Price: [object Object]</p>`), 'fail'],
      ['an undefined price', mainPage(`${filled}<p>Price: undefined</p><p>$NaN</p>`), 'fail', /2 placeholders/],
      ['a slot in brackets', mainPage(`${filled}<p>Welcome to [Your Company Name].</p>`), 'fail'],
      ['text of an editor', mainPage(`${filled}<p>Click edit button to change this text.</p>`), 'fail'],
      ['a note of the author', mainPage(`${filled}<p>TODO: write this.</p>`), 'fail'],
      ['a placeholder on a page with little text', mainPage('<p>Hello {{name}}</p>'), 'fail'],
      [
        'undefined behaviour, null results and a todo list',
        mainPage(`${filled}<p>This is undefined behaviour, a null result, and a TODO list.</p>`),
        'pass',
      ],
      [
        'a variable in code',
        mainPage(`${filled}<p>Write <code>{{ name }}</code> or <code><span>$</span>{name}</code>.</p>`),
        'pass',
      ],
      [
        'a variable in a page of documentation',
        mainPage(`${filled}<p>Write {{ name }}.</p>`),
        'pass',
        undefined,
        { at: '/docs/lamps' },
      ],
      ['lorem ipsum in a hidden element', mainPage(`${filled}<p hidden>Lorem ipsum dolor sit amet</p>`), 'pass'],
      [
        'a page about lorem ipsum',
        pageOf(`<main><h1>What is lorem ipsum?</h1>${filled}<p>Lorem ipsum dolor sit amet</p></main>`),
        'pass',
      ],
      ['an empty page', mainPage(''), 'not_applicable'],
    ],
    'geo.text.summary': [
      ['a heading "Key takeaways"', mainPage(`${long(LONG_LEAD)}<h2>Key takeaways</h2><ul><li>One</li></ul>`), 'pass'],
      ['a German heading', mainPage(`${long(LONG_LEAD)}<h2>Das Wichtigste in Kürze</h2>`, '', 'de'), 'pass'],
      ['a Japanese heading', mainPage(`${long(LONG_LEAD)}<h2>この記事のポイント</h2>`, '', 'ja'), 'pass'],
      [
        'a paragraph that begins with TL;DR',
        mainPage(`${long(LONG_LEAD)}<p>TL;DR: lamps give light when it is dark.</p>`),
        'pass',
      ],
      ['an id', mainPage(`${long(LONG_LEAD)}<div id="key-takeaways">Light.</div>`), 'pass'],
      ['an aria-label', mainPage(`${long(LONG_LEAD)}<section aria-label="Summary">Light.</section>`), 'pass'],
      ['a short lead', mainPage(long(SHORT_LEAD)), 'pass', /lead of/],
      ['a long first paragraph and nothing else', mainPage(long(LONG_LEAD)), 'fail'],
      ['the summary of an order', mainPage(`${long(LONG_LEAD)}<div id="order-summary">2 lamps</div>`), 'fail'],
      ['a heading that only holds the word', mainPage(`${long(LONG_LEAD)}<h2>Briefly in shortage</h2>`), 'fail'],
      ['a short text', mainPage(`<p>${LONG_LEAD}</p>`), 'not_applicable'],
    ],
  },
  { seen: 200 },
);

test('reading ease is Flesch`s formula over words, sentences and syllables', () => {
  // 13 words of one syllable in one sentence: 206.835 - 1.015 * 13 - 84.6 * 1.
  expect(computeFleschScore({ text: PLAIN })).toMatchObject({ ease: 109, words: 13, sentences: 1 });
  // 6 words, 2 sentences, 9 syllables (hap-py, ba-by, smiled, ta-bles): 206.835 - 1.015 * 3 - 84.6 * 9 / 6.
  expect(computeFleschScore({ text: 'The happy baby smiled. Two tables.' })).toMatchObject({
    ease: 76.9,
    words: 6,
    sentences: 2,
  });
  expect(computeFleschScore({ text: '' })).toMatchObject({ words: 0, ease: 0 });
});

const sentence = (words: number): string => `${Array.from({ length: words }, (_, index) => `w${index}`).join(' ')}. `;

const sentences = (count: number, words: number): string => paragraph(sentence(words).repeat(count));

const article = prose(300);

const rows: Readonly<Record<string, readonly Row<string>[]>> = {
  'geo.text.fluency': [
    ['twelve words a sentence', mainPage(sentences(12, 12)), 'pass'],
    ['one in five too long', mainPage(sentences(12, 12) + sentences(3, 45)), 'partial'],
    ['four words a sentence', mainPage(sentences(20, 4)), 'partial'],
    ['all too long', mainPage(sentences(12, 50)), 'fail'],
    [
      'twelve words a sentence, beside a list of rates that end no sentence',
      mainPage(sentences(12, 12) + '<p>30yr fixed 3.80%</p>'.repeat(40)),
      'pass',
    ],
    ['nine sentences', mainPage(sentences(9, 12)), 'not_applicable'],
  ],
  'geo.text.depth': [
    [
      'a text for readers without scripts',
      pageOf(`<noscript><article><h1>Lamps</h1>${article}</article></noscript><div id="app"></div>`),
      'pass',
    ],
    ['a notice for readers without scripts', pageOf('<noscript><p>Please enable JavaScript.</p></noscript>'), 'fail'],
    ['300 words', mainPage(article), 'pass'],
    ['150 words', mainPage(prose(150)), 'partial'],
    [
      '150 words in main, 400 in the footer',
      pageOf(`<main>${prose(150)}</main><footer>${prose(400)}</footer>`),
      'partial',
    ],
    ['a shell', pageOf('<div id="root"></div>'), 'fail'],
    ['a contact page', mainPage(prose(20)), 'not_applicable', undefined, { at: '/contact' }],
  ],
  'geo.text.main-extractable': [
    ['a main element with the h1', mainPage(article), 'pass'],
    [
      'no landmark, but one dense run below its headline',
      pageOf(`<div>Home</div><div>Shop</div><div><h1>Lamps</h1>${article}</div><div>Terms</div>`),
      'pass',
    ],
    [
      'a few words among many others, and no element that marks them',
      pageOf(
        `<h1>Lamps</h1>${'<div>Home page</div><div>Our shop</div><div>All terms</div>'.repeat(40)}<div>${prose(40)}</div>`,
      ),
      'partial',
      /sets so few words apart/,
    ],
    ['a few words with little beside them', pageOf(`<div>Home</div><div><h1>Lamps</h1>${prose(70)}</div>`), 'pass'],
    [
      'the h1 above the main element',
      pageOf(`<h1>Lamps</h1><main>${article}</main>`),
      'partial',
      /Its headline is outside/,
    ],
    [
      'the name of the site in an h1 above, the headline with the article',
      pageOf(`<h1><a href="/">Shop</a></h1><article><h3>Lamps</h3>${article}</article>`),
      'pass',
    ],
    [
      'an article of which a script has the most',
      pageOf(
        `<main><h1>Lamps</h1>${prose(100)}</main><script>window.__APP_STATE__ = "${'Lamps are red. '.repeat(4000)}"</script>`,
        '<meta property="og:type" content="article">',
      ),
      'partial',
      /data for a script/,
    ],
    ['no headline', pageOf(`<main>${article}</main>`), 'partial', /No headline names it/],
    [
      'a headline in the menu only',
      pageOf(`<nav><h2>Menu</h2></nav><main>${article}</main>`),
      'partial',
      /No headline/,
    ],
    [
      'a headline of the second level',
      pageOf(`<main><h2>Lamps</h2>${article}</main>`),
      'pass',
      /inside main or article/,
    ],
    [
      'nothing but links and labels',
      pageOf(`<h1>Lamps</h1>${'<p><a href="/x">One more lamp of our shop</a></p>'.repeat(20)}`),
      'fail',
      /has \d{1,2} words?/,
    ],
    [
      'a main element with next to nothing',
      pageOf(`<main><p>Loading offers.</p></main><div><h1>Lamps</h1>${article}</div>`),
      'partial',
      /holds something else/,
    ],
    [
      'article elements that only hold teasers of other pages',
      pageOf(
        `<div><h1>Lamps</h1>${article}</div>${'<article><h3><a href="/x">Another lamp</a></h3><p>It is red.</p></article>'.repeat(4)}`,
      ),
      'pass',
      /recognised by its text alone/,
    ],
    ['an empty page', pageOf('<div id="root"></div>'), 'not_applicable'],
  ],
};

testChecks(rows, { seen: 200 });

test.each(Object.keys(rows))('%s is unknown, not a no, when the page cannot be read', async (id) => {
  expect((await judgeCheck(id, { '/': failure('connection_failed') })).status).toBe('unknown');
});
