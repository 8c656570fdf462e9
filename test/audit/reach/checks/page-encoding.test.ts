import { describe, expect, test } from 'vitest';
import { countBrokenCharacters, findDeclaredCharset } from '../../../../src/audit/reach/facts/charset.ts';
import { isGuessCompatible } from '../../../../src/audit/language/language.ts';
import { html, type Served, SITE, type SiteMap } from '../../../support/audit/site-fetch.ts';
import { testCheck } from '../../../support/audit/judge-check.ts';
import { onePage } from '../../../support/audit/pages.ts';

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
