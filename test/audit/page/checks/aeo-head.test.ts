import { describe, expect, test } from 'vitest';
import { countBrokenCharacters, findDeclaredCharset } from '../../../../src/audit/reach/facts/charset.ts';
import { isGuessCompatible } from '../../../../src/audit/language/language.ts';
import { hasScriptDemand } from '../../../../src/audit/controls/facts/scripts.ts';
import { SITE, type Served, type SiteMap, html, json, notFound, redirect } from '../../../support/audit/site-fetch.ts';
import { testCheck } from '../../../support/audit/judge-check.ts';
import { jsonLd, onePage, words } from '../../../support/audit/pages.ts';

const DESCRIPTION = '<meta name="description" content="What this page is about.">';

describe('aeo.render.head-tags-static', () => {
  const id = 'aeo.render.head-tags-static';
  const shell = '<div id="root"></div><script type="module" src="/a.js"></script>';
  testCheck(id, [
    ['title and description pass', onePage(words(5), `<title>Oak racks</title>${DESCRIPTION}`), 'pass', /HTML itself/],
    ['a shell with both passes', onePage(shell, `<title>Oak racks</title>${DESCRIPTION}`), 'pass', /HTML itself/],
    ['no description is partial', onePage(words(5), '<title>Oak racks</title>'), 'partial', /no description/],
    ['no title is partial', onePage(words(5), DESCRIPTION), 'partial', /no title/],
    [
      'a description in the body is none',
      onePage(`${words(5)}${DESCRIPTION}`, '<title>Oak racks</title>'),
      'partial',
      /no description/,
    ],
    ['a shell without a title fails', onePage(shell, DESCRIPTION), 'fail', /a script adds/],
    ['neither fails', onePage(words(5)), 'fail', /Neither/],
    ['no HTML is unknown', { '/': json({}) }, 'unknown', /not_html/],
  ]);
});

describe('aeo.render.hidden-text', () => {
  const id = 'aeo.render.hidden-text';
  const hidden = (how: string, count: number): string => `<div ${how}>${words(count)}</div>`;
  testCheck(id, [
    ['visible text passes', onePage(words(100)), 'pass', /^0%/],
    ['a fifth hidden passes', onePage(words(81) + hidden('hidden', 19)), 'pass', /^1\d/],
    ['a third hidden is partial', onePage(words(66) + hidden('style="display:none"', 33)), 'partial', /^3\d/],
    ['two thirds hidden fail', onePage(words(33) + hidden('style="visibility: hidden"', 66)), 'fail', /^6\d/],
    [
      'a closed details element is not hidden',
      onePage(`${words(10)}<details><summary>More</summary>${words(90)}</details>`),
      'pass',
      /^0%/,
    ],
    ['aria-hidden text is seen', onePage(words(10) + hidden('aria-hidden="true"', 90)), 'pass', /^0%/],
    ['scripts are no text', onePage(`${words(10)}<script>${'var word;'.repeat(100)}</script>`), 'pass', /^0%/],
    ['no text is not applicable', onePage(''), 'not_applicable', /no text/],
  ]);
});

describe('aeo.render.noscript-wall', () => {
  const id = 'aeo.render.noscript-wall';
  const wall = '<noscript>You need to enable JavaScript to run this app.</noscript>';
  testCheck(id, [
    ['text beside a noscript passes', onePage(wall + words(60)), 'pass', /60 words/],
    ['a wall and few words fail', onePage(wall + words(59)), 'fail', /59 words/],
    [
      'a visible wall in a shell fails',
      onePage('<div id="root"><p>Please enable JavaScript.</p></div>'),
      'fail',
      /little but/,
    ],
    [
      'a short page about JavaScript is not applicable',
      onePage('<p>We need JavaScript developers.</p>'),
      'not_applicable',
      /no notice/,
    ],
    [
      'a noscript without such a notice is not applicable',
      onePage('<noscript><img src="/pixel.gif"></noscript>'),
      'not_applicable',
      /no notice/,
    ],
    ['an empty page is not applicable', onePage(''), 'not_applicable', /0 words/],
  ]);

  test.each([
    'JavaScript is required.',
    'Javascript is disabled in your browser',
    'Bitte aktivieren Sie JavaScript',
    'Veuillez activer JavaScript',
    'Por favor, habilite JavaScript',
    'Abilita JavaScript per continuare',
    'Ative o JavaScript',
    'Schakel JavaScript in',
    'Включите JavaScript',
    '请启用 JavaScript',
    'JavaScriptを有効にしてください',
    'JavaScript를 활성화하세요',
    'يرجى تفعيل JavaScript',
  ])('"%s" is a wall', (notice) => {
    expect(hasScriptDemand(notice)).toBe(true);
  });

  test.each(['', 'Learn JavaScript', 'Enable cookies to go on', `${'x'.repeat(3000)} enable JavaScript`])(
    '"%s" is none',
    (text) => {
      expect(hasScriptDemand(text)).toBe(false);
    },
  );
});

describe('aeo.meta.unique', () => {
  const id = 'aeo.meta.unique';
  const page = (title: string, description = '', more = ''): Served =>
    html(
      `<html><head><title>${title}</title>${description === '' ? '' : `<meta name="description" content="${description}">`}${more}</head><body>${title}</body></html>`,
    );
  const site = (pages: Record<string, SiteMap[string]>): SiteMap => ({
    '/robots.txt': notFound,
    '/': html(
      `<html><head><title>Start</title></head><body>${Object.keys(pages)
        .map((path) => `<a href="${path}">x</a>`)
        .join('')}</body></html>`,
    ),
    ...pages,
  });
  testCheck(id, [
    ['different titles pass', site({ '/a': page('A'), '/b': page('B') }), 'pass', /0 of 3/],
    ['one title twice of three fails', site({ '/a': page('A'), '/b': page('A') }), 'fail', /1 of 3/],
    ['one description twice fails', site({ '/a': page('A', 'same'), '/b': page('B', 'same') }), 'fail', /1 of 3/],
    ['pages without a description are no copies', site({ '/a': page('A', ''), '/b': page('B', '') }), 'pass', /0 of 3/],
    [
      'one of six is partial',
      site({
        ...Object.fromEntries(['a', 'b', 'c'].map((name) => [`/${name}`, page(name)])),
        '/g': page('same'),
        '/h': page('same'),
      }),
      'partial',
      /1 of 6/,
    ],
    [
      'a declared copy is left out',
      site({ '/a': page('A'), '/b': page('B'), '/c': page('A', '', `<link rel="canonical" href="${SITE}/a">`) }),
      'pass',
      /0 of 3/,
    ],
    [
      'addresses that redirect to one page are one',
      site({ '/a': page('A'), '/b': page('B'), '/c': redirect('/a') }),
      'pass',
      /0 of 3/,
    ],
    ['two pages are not applicable', site({ '/a': page('A') }), 'not_applicable', /^2 /],
    ['dead pages do not count', site({ '/a': page('A'), '/b': notFound }), 'not_applicable', /^2 /],
  ]);
});

describe('aeo.meta.open-graph', () => {
  const id = 'aeo.meta.open-graph';
  const og = (name: string, content: string): string => `<meta property="og:${name}" content="${content}">`;
  const core = {
    title: og('title', 'T'),
    description: og('description', 'D'),
    image: og('image', `${SITE}/i.png`),
    url: og('url', `${SITE}/`),
    type: og('type', 'website'),
  };
  const page = (changes: Partial<Record<keyof typeof core, string>>, more = ''): SiteMap =>
    onePage('', Object.values({ ...core, ...changes }).join('') + more);
  testCheck(id, [
    ['all five pass', page({}), 'pass', /5 of 5/, { value: 1 }],
    [
      'the name attribute counts as property',
      page({ type: '<meta name="og:type" content="website">' }),
      'pass',
      /5 of 5/,
      { value: 1 },
    ],
    [
      'og:url may name the canonical address',
      page({ url: og('url', `${SITE}/home`) }, `<link rel="canonical" href="${SITE}/home">`),
      'pass',
      /5 of 5/,
      { value: 1 },
    ],
    ['a missing one is worth a fifth', page({ image: '' }), 'partial', /not og:image/, { value: 0.8 }],
    ['a relative image is none', page({ image: og('image', '/i.png') }), 'partial', /not og:image/, { value: 0.8 }],
    ['another og:url is none', page({ url: og('url', `${SITE}/other`) }), 'partial', /not og:url/, { value: 0.8 }],
    ['an empty value is none', page({ title: og('title', '') }), 'partial', /not og:title/, { value: 0.8 }],
    [
      'one of five is partial',
      page({ title: '', description: '', image: '', url: '' }),
      'partial',
      /1 of 5/,
      { value: 0.2 },
    ],
    ['none fails', onePage(''), 'fail', /0 of 5/, { value: 0 }],
  ]);
});

describe('aeo.meta.site-name', () => {
  const id = 'aeo.meta.site-name';
  const og = (name: string): string => `<meta property="og:site_name" content="${name}">`;
  const node = (name: string): string => jsonLd({ '@context': 'https://schema.org', '@type': 'WebSite', name });
  testCheck(id, [
    ['og:site_name passes', onePage('', og('Acme')), 'pass', /one place/],
    ['WebSite.name passes', onePage('', node('Acme')), 'pass', /one place/],
    ['both alike pass', onePage('', og('Acme') + node('Acme')), 'pass', /same name/],
    ['both alike but for the legal form pass', onePage('', og('Acme') + node('ACME Inc.')), 'pass', /same name/],
    ['both different are partial', onePage('', og('Acme') + node('Anvils')), 'partial', /different/],
    ['neither fails', onePage('', '<title>Acme</title>'), 'fail', /Neither/],
    ['empty names fail', onePage('', og('') + node('')), 'fail', /Neither/],
  ]);
});

describe('aeo.meta.viewport', () => {
  const id = 'aeo.meta.viewport';
  const viewport = (content: string): SiteMap => onePage('', `<meta name="viewport" content="${content}">`);
  testCheck(id, [
    ['width=device-width passes', viewport('width=device-width, initial-scale=1'), 'pass', /device/],
    ['spaces and case do not matter', viewport('Width = Device-Width'), 'pass', /device/],
    ['a fixed width fails', viewport('width=1024'), 'fail', /not that/],
    ['none fails', onePage(''), 'fail', /no viewport/],
  ]);
});

describe('aeo.meta.lang', () => {
  const id = 'aeo.meta.lang';
  const english =
    '<p>The rack that you see is made of oak and it is for the tools of a workshop with this name and on that.</p>'.repeat(
      12,
    );
  const german =
    '<p>Das Regal ist aus Eiche und die Werkstatt macht es für den Kunden mit einer Schraube in der Wand nicht ohne das Brett.</p>'.repeat(
      12,
    );
  testCheck(id, [
    ['the language of the text passes', onePage(english, '', 'en-GB'), 'pass', /fits/],
    ['a short text is not compared', onePage('<p>Guten Tag</p>', '', 'en'), 'pass', /well-formed/],
    ['another language than that of the text is partial', onePage(german, '', 'en'), 'partial', /\(de\)/],
    ['a dialect fits', onePage(german, '', 'gsw-CH'), 'pass', /fits/],
    ['no lang fails', { '/': html('<html><body>x</body></html>') }, 'fail', /no lang/],
    ['an empty lang fails', onePage('x', '', ''), 'fail', /no lang/],
    ['a name of a language fails', onePage('x', '', 'english'), 'fail', /no language tag/],
    ['an underscore fails', onePage('x', '', 'en_US'), 'fail', /no language tag/],
  ]);

  test.each([
    ['en-US', 'en', true],
    ['nb', 'sv', true],
    ['uk', 'ru', true],
    ['fa', 'ar', true],
    ['zh-Hant', 'zh', true],
    ['en', 'de', false],
    ['ja', 'ko', false],
    ['ru', 'el', false],
  ])('%s for a text that reads like %s: %s', (tag, guess, fits) => {
    expect(isGuessCompatible(tag, guess)).toBe(fits);
  });
});

describe('aeo.meta.charset', () => {
  const id = 'aeo.meta.charset';
  const bytes = (...values: (string | number)[]): Uint8Array<ArrayBuffer> =>
    new Uint8Array(
      values.flatMap((value) => (typeof value === 'number' ? [value] : [...new TextEncoder().encode(value)])),
    );
  const served = (body: Served['body'], type = 'text/html'): SiteMap => ({
    '/': { status: 200, headers: { 'content-type': type }, body },
  });
  testCheck(id, [
    ['the header passes', served('<p>é</p>', 'text/html; charset=UTF-8'), 'pass', /UTF-8/],
    [
      'a meta element passes',
      served('<html><head><meta charset="utf-8"></head><body>é</body></html>'),
      'pass',
      /UTF-8/,
    ],
    [
      'the old meta element passes',
      served('<meta http-equiv="Content-Type" content="text/html; charset=utf-8"><p>é</p>'),
      'pass',
      /UTF-8/,
    ],
    ['a byte order mark passes', served(bytes(0xef, 0xbb, 0xbf, '<p>é</p>')), 'pass', /UTF-8/],
    [
      'a meta element after 1,024 bytes is none',
      served(`<!--${'x'.repeat(1024)}--><meta charset="utf-8"><p>x</p>`),
      'fail',
      /No charset/,
    ],
    ['nothing fails', served('<p>x</p>'), 'fail', /No charset/],
    [
      'another charset is partial',
      served(bytes('<p>', 0xe9, '</p>'), 'text/html; charset=iso-8859-1'),
      'partial',
      /Another charset/,
    ],
    [
      'one broken character is partial',
      served(bytes('<p>caf', 0xe9, ' noir</p>'), 'text/html; charset=utf-8'),
      'partial',
      /1 broken character /,
    ],
    [
      'many fail',
      served(bytes('<p>', 0xe9, ' ', 0xe9, ' ', 0xe9, ' ', 0xe9, ' ', 0xe9, '</p>'), 'text/html; charset=utf-8'),
      'fail',
      /5 broken/,
    ],
    [
      'text that was converted twice is broken',
      served('<p>cafÃ© â€œnoirâ€\u009d</p>', 'text/html; charset=utf-8'),
      'partial',
      /3 broken/,
    ],
    ['accents are not broken', served('<p>SÃO, Ângela, Pâté</p>', 'text/html; charset=utf-8'), 'pass', /UTF-8/],
  ]);

  test('a hostile page is counted up to 1,000', () => {
    expect(countBrokenCharacters('\uFFFD'.repeat(2_000_000)).count).toBe(1000);
  });

  test('the 1,024 bytes are bytes, not characters', () => {
    const body = `<!--${'é'.repeat(510)}--><meta charset="utf-8">`;
    const answer = {
      ok: true,
      url: SITE,
      status: 200,
      headers: {},
      body,
      bodyBytes: 1,
      sha256: '',
      truncated: false,
      redirects: [],
    } as const;
    expect(findDeclaredCharset(answer)).toBeUndefined();
    expect(findDeclaredCharset({ ...answer, body: body.replace('é'.repeat(100), '') })).toEqual({
      name: 'utf-8',
      from: 'meta',
    });
  });
});
