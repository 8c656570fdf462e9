import { describe, expect, test } from 'vitest';
import { isGenericLinkText } from '../../../../src/audit/text/facts/link-words.ts';
import { json, type SiteMap } from '../../../support/audit/site-fetch.ts';
import { onePage, words } from '../../../support/audit/pages.ts';
import { testCheck } from '../../../support/audit/judge-check.ts';

describe('aeo.links.anchor-text', () => {
  const id = 'aeo.links.anchor-text';
  const links = (...texts: string[]): SiteMap =>
    onePage(texts.map((text, index) => `<a href="/p${index}">${text}</a>\n`).join(''));
  const good = (count: number): string[] => Array.from({ length: count }, (_, index) => `Oak rack ${index}`);
  testCheck(id, [
    ['named links pass', links(...good(5)), 'pass', /0 of 5/],
    ['one generic of ten passes', links('Read more', ...good(9)), 'pass', /1 of 10/],
    ['two of ten are partial', links('Read more', 'here', ...good(8)), 'partial', /2 of 10/],
    ['four of ten fail', links('Read more', 'here', 'Mehr', '»', ...good(6)), 'fail', /4 of 10/],
    ['an aria-label names a link', onePage('<a href="/a" aria-label="All oak racks">Read more</a>'), 'pass', /0 of 1/],
    [
      'a label of the same kind names none',
      onePage('<a href="/a" aria-label="Read more">Read more</a>'),
      'fail',
      /1 of 1/,
    ],
    [
      'one label names one link of its line',
      onePage('<a href="/a" aria-label="Racks">more</a><a href="/b">more</a>'),
      'fail',
      /1 of 2/,
    ],
    [
      'links to other sites do not count',
      onePage('<a href="https://other.example/">here</a>'),
      'not_applicable',
      /no internal/,
    ],
    ['links inside the page do not count', onePage('<a href="#top">here</a>'), 'not_applicable', /no internal/],
    [
      'hidden links do not count',
      onePage('<div hidden><a href="/a">here</a></div><a href="/b">Racks</a>'),
      'pass',
      /0 of 1/,
    ],
    ['a link without any text is judged elsewhere', links('', 'Racks'), 'pass', /0 of 2/],
    ['no HTML is unknown', { '/': json({}) }, 'unknown', /not_html/],
  ]);

  test.each([
    'Click here',
    'Read more →',
    ' HERE. ',
    'hier klicken',
    'en savoir plus…',
    'Más información',
    'leggi tutto',
    'Saiba mais',
    'Lees meer >',
    'Подробнее',
    '阅读更多',
    'もっと見る',
    '더보기',
    'اقرأ المزيد',
    '...',
  ])('"%s" names no target', (text) => {
    expect(isGenericLinkText(text)).toBe(true);
  });

  test.each(['', 'Read more about oak', 'Herefordshire', 'Contact', '价格'])('"%s" is not on the list', (text) => {
    expect(isGenericLinkText(text)).toBe(false);
  });
});

describe('aeo.links.nofollow-internal', () => {
  const id = 'aeo.links.nofollow-internal';
  const links = (open: number, closed: string): SiteMap =>
    onePage(Array.from({ length: open }, (_, index) => `<a href="/p${index}">P</a>`).join('') + closed);
  const nofollow = (path: string): string => `<a href="${path}" rel="nofollow">X</a>`;
  testCheck(id, [
    ['none passes', links(3, ''), 'pass', /0 of 3/],
    ['one of ten is partial', links(9, nofollow('/x')), 'partial', /1 of 10/],
    ['one of nine fails', links(8, nofollow('/x')), 'fail', /1 of 9/],
    ['any case and other tokens count', links(3, '<a href="/x" rel="noopener NoFollow">X</a>'), 'fail', /1 of 4/],
    ['login and cart are left out', links(3, nofollow('/login') + nofollow('/shop/cart/')), 'pass', /0 of 3/],
    ['a word that holds "cart" is not left out', links(8, nofollow('/cartography')), 'fail', /1 of 9/],
    ['links to other sites do not count', links(3, nofollow('https://other.example/')), 'pass', /0 of 3/],
    [
      'no internal link is not applicable',
      links(0, nofollow('https://other.example/')),
      'not_applicable',
      /no internal/,
    ],
  ]);
});

describe('aeo.media.alt', () => {
  const id = 'aeo.media.alt';
  const images = (good: number, bad: number, more = ''): SiteMap =>
    onePage('<img src="/i.png" alt="An oak rack">'.repeat(good) + '<img src="/i.png">'.repeat(bad) + more);
  testCheck(id, [
    ['all pass', images(3, 0), 'pass', /3 of 3/],
    ['90 % pass', images(9, 1), 'pass', /9 of 10/],
    ['80 % are partial', images(8, 2), 'partial', /8 of 10/],
    ['60 % are partial', images(6, 4), 'partial', /6 of 10/],
    ['half fails', images(5, 5), 'fail', /5 of 10/],
    ['an empty alt counts', onePage('<img src="/i.png" alt="">'), 'pass', /1 of 1/],
    ['decoration by role is left out', images(1, 0, '<img src="/i.png" role="presentation">'), 'pass', /1 of 1/],
    ['a pixel is left out', images(1, 0, '<img src="/i.gif" width="1" height="1">'), 'pass', /1 of 1/],
    ['a hidden image is left out', images(1, 0, '<div hidden><img src="/i.png"></div>'), 'pass', /1 of 1/],
    ['no image is not applicable', onePage(words(5)), 'not_applicable', /no image/],
    ['only decoration is not applicable', onePage('<img src="/i.png" role="none">'), 'not_applicable', /no image/],
  ]);
});
