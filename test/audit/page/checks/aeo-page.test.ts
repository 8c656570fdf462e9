import { describe, expect, test } from 'vitest';
import { SITE, type SiteMap, failure, html, notFound, redirect } from '../../../support/audit/site-fetch.ts';
import { goodPage, goodSite } from '../../../sites/good.ts';
import { judgeCheck, testCheck } from '../../../support/audit/judge-check.ts';

const page = (body: string, head = ''): SiteMap => ({
  '/': html(`<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`),
});
const words = (count: number): string => `<p>${'word '.repeat(count)}</p>`;
const inGood = (from: string | RegExp, to: string, extra: SiteMap = {}): SiteMap => ({
  ...goodSite,
  '/': html(goodPage('/').replace(from, to)),
  ...extra,
});

describe('aeo.index.meta-robots', () => {
  const id = 'aeo.index.meta-robots';
  const meta = (name: string, content: string): SiteMap =>
    page(words(10), `<meta name="${name}" content="${content}">`);
  testCheck(id, [
    ['no tag passes', goodSite, 'pass', /No robots meta tag/],
    ['index passes', meta('robots', 'index, follow'), 'pass', /allow indexing/],
    ['noindex fails in any case', meta('ROBOTS', 'NoIndex'), 'fail', /keeps the page out/],
    ['none fails', meta('robots', 'none'), 'fail', /keeps/],
    ['noindex for Bingbot fails', meta('bingbot', 'noindex'), 'fail', /keeps/],
    ['noindex for OAI-SearchBot fails', meta('OAI-SearchBot', 'noindex'), 'fail', /keeps/],
    ['noindex for another bot passes', meta('otherbot', 'noindex'), 'pass', /No robots meta tag/],
    [
      'the most restrictive tag counts',
      page('', '<meta name="robots" content="index"><meta name="robots" content="noindex">'),
      'fail',
      /keeps/,
    ],
    [
      'a tag inside noscript is none',
      page('<noscript><meta name="robots" content="noindex"></noscript>'),
      'pass',
      /No robots/,
    ],
    ['no HTML is unknown', { '/': notFound }, 'unknown', /http_404/],
  ]);
});

describe('aeo.index.snippet-allowed', () => {
  const id = 'aeo.index.snippet-allowed';
  const meta = (content: string): SiteMap => page(words(10), `<meta name="robots" content="${content}">`);
  testCheck(id, [
    ['no control passes', goodSite, 'pass', /allowed/],
    ['max-snippet:-1 passes', meta('max-snippet:-1'), 'pass', /allowed/],
    ['nosnippet fails', meta('index, nosnippet'), 'fail', /forbidden/],
    ['max-snippet:0 fails', meta('max-snippet: 0'), 'fail', /forbidden/],
    ['a short snippet is partial', meta('max-snippet:20'), 'partial', /20 characters/],
    [
      'data-nosnippet over most text is partial',
      page(`<div data-nosnippet>${words(30)}</div>${words(5)}`),
      'partial',
      /data-nosnippet covers/,
    ],
    [
      'data-nosnippet over an aside passes',
      page(`<aside data-nosnippet>${words(5)}</aside>${words(30)}`),
      'pass',
      /allowed/,
    ],
    [
      'the header counts too',
      { '/': html(goodPage('/'), { headers: { 'x-robots-tag': 'nosnippet' } }) },
      'fail',
      /forbidden/,
    ],
  ]);
});

describe('aeo.index.canonical', () => {
  const id = 'aeo.index.canonical';
  const own = `<link rel="canonical" href="${SITE}/">`;
  const link = (href: string, extra: SiteMap = {}): SiteMap =>
    inGood(own, `<link rel="canonical" href="${href}">`, extra);
  testCheck(id, [
    ['the page itself passes', goodSite, 'pass', /this very page/],
    [
      'fragment, campaign and last slash make no difference',
      link(`${SITE}?utm_source=x#top`),
      'pass',
      /this very page/,
    ],
    ['none is partial', inGood(own, ''), 'partial', /no canonical/],
    [
      'one outside the head is none',
      { ...goodSite, '/': html(`<html><head><title>x</title></head><body>${own}</body></html>`) },
      'partial',
      /no canonical/,
    ],
    ['a relative one is partial', link('/'), 'partial', /relative/],
    [
      'two different ones fail',
      inGood(own, `${own}<link rel="canonical" href="${SITE}/about">`),
      'fail',
      /2 different/,
    ],
    ['the same one twice passes', inGood(own, own + own), 'pass', /this very page/],
    ['another site fails', link('https://other.example/'), 'fail', /another site/],
    ['another page of the site is partial', link(`${SITE}/about`), 'partial', /another page/],
    ['a dead page of the site fails', link(`${SITE}/gone`), 'fail', /404/],
    ['no answer there is unknown', link(`${SITE}/slow`, { '/slow': failure('timeout') }), 'unknown', /timeout/],
    ['no web address fails', link('mailto:a@b.example'), 'fail', /no web address/],
    [
      'a Link header counts',
      { '/': html(goodPage('/').replace(own, ''), { headers: { link: `<${SITE}/>; rel="canonical"` } }) },
      'pass',
      /this very page/,
    ],
  ]);

  test('a preview on a private host that names the public one is not applicable', async () => {
    const options = { at: 'http://localhost:3000/' };
    expect((await judgeCheck(id, { '/': html(goodPage('/')) }, options)).status).toBe('not_applicable');
  });

  test('the page that a redirect leads to is the page itself', async () => {
    const map: SiteMap = { ...goodSite, '/': redirect('/racks'), '/racks': html(goodPage('/racks')) };
    expect((await judgeCheck(id, map)).status).toBe('pass');
  });
});

describe('aeo.render.ssr-text', () => {
  const id = 'aeo.render.ssr-text';
  testCheck(id, [
    ['200 words pass', page(words(200)), 'pass', /200 visible words/],
    ['a short page without an application root passes', page(words(60)), 'pass', /short page/],
    [
      'a short page with an empty root is partial',
      page(`${words(100)}<div id="root"></div>`),
      'partial',
      /scripts add the rest/,
    ],
    ['an empty root fails', page('<div id="__next"></div><script src="/x.js"></script>'), 'fail', /comes from scripts/],
    ['a filled root passes', page(`<div id="root">${words(250)}</div>`), 'pass', /250/],
    [
      'a module script and few words fail',
      page(`${words(20)}<script type="module" src="/x.js"></script>`),
      'fail',
      /comes from scripts/,
    ],
    ['few words without a script are partial', page(words(20)), 'partial', /no sign/],
    ['no words fail', page(''), 'fail', /No visible text/],
    [
      'text in scripts, noscript and hidden parts is none',
      page(
        `<noscript>${words(300)}</noscript><script>${'word '.repeat(300)}</script><div hidden>${words(300)}</div><div id="app"></div>`,
      ),
      'fail',
      /Only 0/,
    ],
    [
      '200 Chinese words pass without spaces',
      page(`<p>${'我们在工作台下面放小架子'.repeat(60)}</p>`),
      'pass',
      /visible words/,
    ],
  ]);
});

describe('aeo.meta.title', () => {
  const id = 'aeo.meta.title';
  const title = (text: string): SiteMap => page(words(5), `<title>${text}</title>`);
  testCheck(id, [
    ['10 to 70 characters pass', title('Oak tool racks'), 'pass', /14 characters/],
    ['none fails', page('x'), 'fail', /no title/],
    ['an empty one fails', title(' '), 'fail', /no title/],
    ['a generic one fails', title('Home'), 'fail', /no subject/],
    ['a short one is partial', title('Racks'), 'partial', /5 characters/],
    ['a short one in wide characters passes', title('樫の工具棚'), 'pass', /5 characters/],
    ['a long one is partial', title('x'.repeat(100)), 'partial', /100/],
    ['a very long one fails', title('x'.repeat(121)), 'fail', /121/],
    ['two are partial', page('', '<title>Oak tool racks</title><title>Another title</title>'), 'partial', /2 titles/],
    ['the title of an image is none', page('<svg><title>Oak tool racks</title></svg>'), 'fail', /no title/],
  ]);
});

describe('aeo.meta.description', () => {
  const id = 'aeo.meta.description';
  const description = (text: string): SiteMap => page('', `<meta name="description" content="${text}">`);
  testCheck(id, [
    ['50 to 170 characters pass', description('x'.repeat(50)), 'pass', /50 characters/],
    ['a short one is partial', description('short'), 'partial', /5 characters/],
    ['25 wide characters pass', description('樫'.repeat(25)), 'pass', /25 characters/],
    ['24 wide characters are partial', description('樫'.repeat(24)), 'partial', /24 characters/],
    ['a long one is partial', description('x'.repeat(171)), 'partial', /171/],
    ['none fails', page('x'), 'fail', /no meta description/],
    ['an empty one fails', description(''), 'fail', /no meta description/],
  ]);
});

describe('aeo.answer.capsule', () => {
  const id = 'aeo.answer.capsule';
  const answer =
    'Delivery takes nine days on average: six days to cut, oil and dry the rack, and three days for the carrier.';
  const ask = (...pairs: [string, string][]): SiteMap =>
    page(pairs.map(([question, text]) => `<h2>${question}</h2>${text}`).join(''));
  testCheck(id, [
    ['a short direct answer passes', ask(['How long does delivery take?', `<p>${answer}</p>`]), 'pass', /1 of 1/],
    [
      'one of three is partial',
      ask(['How long is delivery?', `<p>${answer}</p>`], ['What is oak?', words(200)], ['Why oak?', '']),
      'partial',
      /1 of 3/,
    ],
    [
      'a long paragraph fails',
      ask(['How long does delivery take?', `<p>Delivery takes ${'a word and '.repeat(60)} more.</p>`]),
      'fail',
      /0 of 1/,
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
    ['two pairs of different forms pass', page(words(30) + qa + dl), 'pass', /2 visible/],
    ['question headings with paragraphs pass', goodSite, 'pass', /2 visible/],
    [
      'a linked FAQ page passes',
      { ...page(`${words(30)}<a href="/faq">FAQ</a>`), '/faq': html(`<body>${qa}${dl}</body>`) },
      'pass',
      /linked FAQ/,
    ],
    [
      'a linked FAQ page without questions fails',
      { ...page(`${words(30)}<a href="/faq">FAQ</a>`), '/faq': html('<body>soon</body>') },
      'fail',
      /no FAQ page/,
    ],
    ['one pair fails', page(words(30) + qa), 'fail', /1 visible/],
    ['markup that the page does not show fails', page(words(30) + faqLd('Is it waterproof?')), 'fail', /none of which/],
    [
      'an unreadable FAQ page is unknown',
      { ...page(`${words(30)}<a href="/faq">FAQ</a>`), '/faq': failure('timeout') },
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
    page(Array.from({ length: count }, (_, index) => `<a href="/p${index}">${text}</a>`).join(' ') + more);
  testCheck(id, [
    ['five named links pass', linked(5, 'Page'), 'pass', /5 internal links/],
    ['images with alt text name a link', linked(5, '<img src="x" alt="Page">'), 'pass', /100 %/],
    ['links without a text are partial', linked(5, '<img src="x" alt="">'), 'partial', /0 %/],
    ['one link is partial', linked(1, 'Page'), 'partial', /1 internal/],
    [
      'a javascript: link is partial',
      linked(5, 'Page', '<a href="javascript:go()">Go</a>'),
      'partial',
      /only a script/,
    ],
    [
      'the same target five times is one',
      page('<a href="/a">A</a> <a href="/a#b">B</a> <a href="/a">C</a>'),
      'partial',
      /1 internal/,
    ],
    [
      'links to other hosts and to this page are none',
      page(`<a href="https://other.example/">O</a><a href="#top">T</a><a href="${SITE}/">S</a>`),
      'fail',
      /No plain link/,
    ],
    ['buttons are no links', page('<button onclick="go()">Go</button>'), 'fail', /No plain link/],
  ]);
});

describe('aeo.fresh.dates', () => {
  const id = 'aeo.fresh.dates';
  const ld = (date: string): string =>
    `<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"Article","dateModified":"${date}"}]}</script>`;
  const headed = (headers: Record<string, string>): SiteMap => ({
    '/': html(`<body>${words(200)}</body>`, { headers }),
  });
  testCheck(id, [
    ['a time element passes', page(`${words(200)}<time datetime="2026-10-01">October</time>`), 'pass', /1 of 1/],
    ['a date in JSON-LD passes', page(words(200) + ld('2026-10-01T10:00:00+02:00')), 'pass', /1 of 1/],
    [
      'a date in metadata passes',
      page(words(200), '<meta property="article:published_time" content="2026-10-01">'),
      'pass',
      /1 of 1/,
    ],
    [
      'only a Last-Modified header is partial',
      headed({ 'last-modified': 'Fri, 02 Oct 2026 10:00:00 GMT' }),
      'partial',
      /0 of 1/,
    ],
    ['no date fails', page(words(200)), 'fail', /0 of 1/],
    ['a date in the future fails', page(`${words(200)}<time datetime="2030-01-01">2030</time>`), 'fail', /0 of 1/],
    ['a date that is none fails', page(`${words(200)}<time datetime="2026-13-45">?</time>`), 'fail', /0 of 1/],
    ['a page of a few words is not applicable', page(words(10)), 'not_applicable', /No page/],
    [
      'every content page of the sample counts',
      { ...page(`${words(200)}<time datetime="2026-10-01">x</time><a href="/a">A</a>`), '/a': html(words(200)) },
      'partial',
      /1 of 2/,
    ],
  ]);
});
