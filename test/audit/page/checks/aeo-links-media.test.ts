import { describe, expect, test } from 'vitest';
import { type LinkPurpose, isGenericLinkText, findPurposeLinks } from '../../../../src/audit/text/facts/link-words.ts';
import { findUrlFault } from '../../../../src/audit/reach/facts/urls.ts';
import { SITE, type SiteMap, html, json, notFound } from '../../../support/audit/site-fetch.ts';
import { onePage, words } from '../../../support/audit/pages.ts';
import { judgeCheck, testCheck } from '../../../support/audit/judge-check.ts';

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

describe('aeo.url.readable', () => {
  const id = 'aeo.url.readable';
  const site = (...paths: string[]): SiteMap => ({
    '/robots.txt': notFound,
    '/': html(paths.map((path) => `<a href="${path}">x</a>`).join('')),
    ...Object.fromEntries(paths.map((path) => [path, html('<p>x</p>')])),
  });
  testCheck(id, [
    ['words with hyphens pass', site('/oak-racks', '/prices/2026'), 'pass', /2 of 2/],
    ['four of five pass', site('/a', '/b', '/c', '/d', '/E_F'), 'pass', /4 of 5/],
    ['half is partial', site('/a', '/B'), 'partial', /1 of 2.*upper-case/],
    ['one of three fails', site('/a', '/B', '/c?id=7'), 'fail', /1 of 3/],
    ['the root alone is not applicable', site(), 'not_applicable', /Only the root/],
  ]);

  test('a start page with a path is judged itself', async () => {
    const map = { '/Oak_Racks': html('<p>x</p>'), '/robots.txt': notFound };
    expect(await judgeCheck(id, map, { at: `${SITE}/Oak_Racks` })).toMatchObject({
      status: 'fail',
      note: expect.stringMatching(/0 of 1/),
    });
  });

  test.each([
    ['/oak-racks', undefined],
    ['/blog/2026/10/oak', undefined],
    ['/search?q=oak', undefined],
    ['/%E6%A9%A1%E6%9C%A8', undefined],
    ['/%C3%9Cber-uns', 'upper_case'],
    ['/100%', undefined],
    [`/${'a'.repeat(100)}`, 'long'],
    [`/${'a-'.repeat(40)}`, undefined],
    ['/Oak', 'upper_case'],
    ['/oak_racks', 'separator'],
    ['/oak%20racks', 'separator'],
    ['/oak?sid=1', 'session'],
    ['/oak;jsessionid=1A2B', 'session'],
    ['/?p=123', 'query_id'],
    ['/node?id=abc', undefined],
    ['/p/8f3a9c0d11223344', 'opaque'],
    ['/p/123e4567-e89b-12d3-a456-426614174000', 'opaque'],
    ['/p/a1b2c3d4e5f6g7h8i9j0k1', 'opaque'],
    ['/internationalisation', undefined],
  ])('%s: %s', (path, fault) => {
    expect(findUrlFault(new URL(path, SITE))).toBe(fault);
  });
});

describe('aeo.archive.presence', () => {
  testCheck('aeo.archive.presence', [
    ['no third party is asked: never judged', onePage(''), 'not_applicable', /not asked/],
  ]);
});

const namedBy = (text: string, path: string): readonly LinkPurpose[] => {
  const place = { line: 1, region: 'footer', inContent: false } as const;
  const anchor = { ...place, href: `${SITE}${path}`, rawHref: path, text, rels: [], type: '', inProse: false };
  return [...findPurposeLinks([anchor], ['privacy', 'terms']).keys()];
};

describe('aeo.trust.policies', () => {
  const id = 'aeo.trust.policies';
  const footer = (...links: string[]): SiteMap => onePage(`<footer>${links.join('')}</footer>`);
  const privacy = '<a href="/privacy">Privacy</a>';
  testCheck(id, [
    ['both linked pass', footer(privacy, '<a href="/agb">AGB</a>'), 'pass', /are linked/],
    ['one is partial', footer(privacy), 'partial', /terms/],
    ['the other alone is partial', footer('<a href="/x">Terms of service</a>'), 'partial', /privacy/],
    ['none fails', footer('<a href="/a">About</a>'), 'fail', /Neither/],
    [
      'a page of a policy host counts',
      footer(privacy, '<a href="https://legal.example/terms">Terms</a>'),
      'pass',
      /are linked/,
    ],
    ['a script link is none', footer('<a href="javascript:open()">Privacy</a>'), 'fail', /Neither/],
  ]);

  test.each([
    ['privacy', 'Datenschutzerklärung', '/x'],
    ['privacy', 'Politique de confidentialité', '/x'],
    ['privacy', 'x', '/legal/privacy-policy.html'],
    ['privacy', '隐私政策', '/x'],
    ['privacy', '개인정보처리방침', '/x'],
    ['terms', 'Terms & Conditions', '/x'],
    ['terms', 'Условия использования', '/x'],
    ['terms', '利用規約', '/x'],
    ['terms', 'x', '/tos/'],
  ] as const)('%s: "%s" at %s', (purpose, text, path) => {
    expect(namedBy(text, path)).toContain(purpose);
  });

  test.each([
    ['privacy', 'Privacyfence garden screens', '/screens'],
    ['terms', 'Terminal', '/terminal'],
    ['terms', 'Legal tech news', '/news'],
    ['terms', 'x', '/terms/glossary'],
  ] as const)('%s is not "%s" at %s', (purpose, text, path) => {
    expect(namedBy(text, path)).not.toContain(purpose);
  });
});
