import { describe, expect, test } from 'vitest';
import { findTagMistake, isLanguageTag } from '../../../../src/audit/language/language.ts';
import { html, notFound, SITE, type SiteMap, text, xml } from '../../../support/audit/site-fetch.ts';
import { judgeCheck, testCheck } from '../../../support/audit/judge-check.ts';
import { onePage, words } from '../../../support/audit/pages.ts';

describe('aeo.index.noai-meta', () => {
  const id = 'aeo.index.noai-meta';
  testCheck(id, [
    ['noai is reported', onePage('', '<meta name="robots" content="NOAI, noimageai">'), 'pass', /noai and noimageai/],
    ['the header is reported', { '/': html('x', { headers: { 'x-robots-tag': 'noai' } }) }, 'pass', /noai/],
    [
      'other directives are not applicable',
      onePage('', '<meta name="robots" content="index">'),
      'not_applicable',
      /Neither/,
    ],
    ['no tag is not applicable', onePage(''), 'not_applicable', /Neither/],
  ]);
});

describe('aeo.index.hreflang', () => {
  const id = 'aeo.index.hreflang';
  const link = (code: string, href: string): string => `<link rel="alternate" hreflang="${code}" href="${href}">`;
  const own = link('en', `${SITE}/`);
  const page = (...links: string[]): SiteMap => onePage('', links.join(''));
  testCheck(id, [
    [
      'valid links with one for the page pass',
      page(own, link('de-AT', `${SITE}/de`), link('x-default', `${SITE}/`)),
      'pass',
      /All 3/,
    ],
    [
      'script subtags and digits pass',
      page(own, link('zh-Hant-TW', `${SITE}/zh`), link('es-419', `${SITE}/es`)),
      'pass',
      /All 3/,
    ],
    [
      'the canonical address is the page itself',
      onePage('', `<link rel="canonical" href="${SITE}/home">${link('en', `${SITE}/home`)}`),
      'pass',
      /All 1/,
    ],
    ['an underscore is partial', page(own, link('de_DE', `${SITE}/de`)), 'partial', /1 of 2.*code/],
    ['a country for a language is partial', page(own, link('jp', `${SITE}/jp`)), 'partial', /1 of 2.*code/],
    ['UK for Great Britain is partial', page(own, link('en-UK', `${SITE}/uk`)), 'partial', /1 of 2.*code/],
    ['a relative address is partial', page(own, link('de', '/de')), 'partial', /1 of 2.*relative/],
    [
      'two addresses for one code are partial',
      page(own, link('de', `${SITE}/de`), link('DE', `${SITE}/deutsch`)),
      'partial',
      /2 of 3.*two addresses/,
    ],
    ['no link for the page itself is partial', page(link('de', `${SITE}/de`)), 'partial', /1 of 1.*itself/],
    ['nothing valid fails', page(link('english', '/en'), link('xx_yy', '/de')), 'fail', /0 of 2/],
    ['none is not applicable', page(), 'not_applicable', /no other language/],
  ]);

  test.each(['en', 'EN-us', 'zh-Hans-CN', 'sr-Latn', 'de-1996', 'en-x-twain', 'ast'])('%s is a language tag', (tag) => {
    expect(isLanguageTag(tag)).toBe(true);
  });

  test.each(['', 'e', 'en_US', 'english', 'english-language', 'de-', '-de', 'en us', 'ö', 'a'.repeat(2000)])(
    '"%s" is none',
    (tag) => {
      expect(isLanguageTag(tag)).toBe(false);
    },
  );

  test.each([
    ['uk', undefined],
    ['uk-UA', undefined],
    ['en-uk', 'uk_for_gb'],
    ['us', 'country_for_language'],
  ] as const)('%s gives %s', (tag, mistake) => {
    expect(findTagMistake(tag)).toBe(mistake);
  });
});

describe('aeo.index.conflicts', () => {
  const id = 'aeo.index.conflicts';
  const NOINDEX = '<meta name="robots" content="noindex">';
  const canonical = (path: string): string => `<link rel="canonical" href="${SITE}${path}">`;
  const page = (head: string): ReturnType<typeof html> =>
    html(`<!doctype html><html><head>${head}</head><body>${words(20)}</body></html>`);
  const sitemap = (...paths: string[]): ReturnType<typeof xml> =>
    xml(
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths.map((path) => `<url><loc>${SITE}${path}</loc></url>`).join('')}</urlset>`,
    );
  const rules = text('User-agent: *\nDisallow: /private\n');
  const site = (more: SiteMap): SiteMap => ({
    '/': page(canonical('/')),
    '/robots.txt': rules,
    '/sitemap.xml': sitemap('/', '/a'),
    '/a': page(canonical('/a')),
    ...more,
  });
  testCheck(id, [
    ['signals that agree pass', site({}), 'pass', /no signals that contradict/],
    [
      'a start page in the sitemap with noindex fails',
      site({ '/sitemap.xml': sitemap('/'), '/': page(NOINDEX) }),
      'fail',
      /in the sitemap and noindex/,
    ],
    [
      'a sampled page in the sitemap with noindex fails',
      site({ '/a': page(NOINDEX) }),
      'fail',
      /1 contradiction: in the sitemap and noindex/,
    ],
    [
      'noindex by header counts',
      site({ '/a': html('x', { headers: { 'x-robots-tag': 'noindex' } }) }),
      'fail',
      /in the sitemap and noindex/,
    ],
    [
      'noindex for another bot passes',
      site({ '/a': page('<meta name="otherbot" content="noindex">') }),
      'pass',
      /no signals/,
    ],
    [
      'a canonical address with noindex fails',
      site({ '/': page(canonical('/b')), '/b': page(NOINDEX) }),
      'fail',
      /canonical and noindex/,
    ],
    [
      'an address that is listed and blocked fails',
      site({ '/sitemap.xml': sitemap('/', '/private/x') }),
      'fail',
      /in the sitemap and blocked/,
    ],
    [
      'a noindex that robots.txt keeps from being seen fails',
      { '/': page(NOINDEX), '/robots.txt': text('User-agent: *\nDisallow: /\n') },
      'fail',
      /keeps from being seen/,
    ],
    [
      'a noindex page that names itself as canonical passes',
      site({ '/sitemap.xml': sitemap('/a'), '/': page(NOINDEX + canonical('/')) }),
      'pass',
      /no signals/,
    ],
    [
      'a noindex page that nobody lists or blocks passes',
      site({ '/sitemap.xml': sitemap('/a'), '/': page(NOINDEX) }),
      'pass',
      /no signals/,
    ],
    [
      'one kind of signal is not applicable',
      { '/': page(canonical('/')), '/robots.txt': notFound },
      'not_applicable',
      /too few/,
    ],
    ['none is not applicable', { '/': page(''), '/robots.txt': notFound }, 'not_applicable', /too few/],
  ]);

  test('both sides of a contradiction are evidence', async () => {
    const { evidence } = await judgeCheck(id, site({ '/sitemap.xml': sitemap('/', '/private/x') }));
    expect(evidence).toMatchObject([
      { url: `${SITE}/sitemap.xml`, excerpt: `${SITE}/private/x` },
      { url: `${SITE}/robots.txt`, line: 2, excerpt: 'Disallow: /private' },
    ]);
  });
});
