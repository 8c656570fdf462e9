import { describe, expect, test } from 'vitest';
import { failure, html, SITE, type SiteMap } from '../../../support/audit/site-fetch.ts';
import { goodSite } from '../../../sites/good.ts';
import { onePage, words } from '../../../support/audit/pages.ts';
import { judgeCheck, testCheck } from '../../../support/audit/judge-check.ts';

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
      onePage('<a href="/a">A</a> <a href="/a#b">B</a> <a href="/a">C</a>'),
      'partial',
      /1 internal/,
    ],
    [
      'links to other hosts and to this page are none',
      onePage(`<a href="https://other.example/">O</a><a href="#top">T</a><a href="${SITE}/">S</a>`),
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
  const headed = (headers: Record<string, string>): SiteMap => ({
    '/': html(`<body>${words(200)}</body>`, { headers }),
  });
  testCheck(id, [
    ['a time element passes', onePage(`${words(200)}<time datetime="2026-10-01">October</time>`), 'pass', /1 of 1/],
    ['a date in JSON-LD passes', onePage(words(200) + ld('2026-10-01T10:00:00+02:00')), 'pass', /1 of 1/],
    [
      'a date in metadata passes',
      onePage(words(200), '<meta property="article:published_time" content="2026-10-01">'),
      'pass',
      /1 of 1/,
    ],
    [
      'only a Last-Modified header is partial',
      headed({ 'last-modified': 'Fri, 02 Oct 2026 10:00:00 GMT' }),
      'partial',
      /0 of 1/,
    ],
    ['no date fails', onePage(words(200)), 'fail', /0 of 1/],
    ['a date in the future fails', onePage(`${words(200)}<time datetime="2030-01-01">2030</time>`), 'fail', /0 of 1/],
    ['a date that is none fails', onePage(`${words(200)}<time datetime="2026-13-45">?</time>`), 'fail', /0 of 1/],
    ['a page of a few words is not applicable', onePage(words(10)), 'not_applicable', /No page/],
    [
      'every content page of the sample counts',
      { ...onePage(`${words(200)}<time datetime="2026-10-01">x</time><a href="/a">A</a>`), '/a': html(words(200)) },
      'partial',
      /1 of 2/,
    ],
  ]);
});
