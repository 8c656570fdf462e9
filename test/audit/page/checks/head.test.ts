import { describe } from 'vitest';
import { html, notFound, redirect, type Served, SITE, type SiteMap } from '../../../support/audit/site-fetch.ts';
import { testCheck } from '../../../support/audit/judge-check.ts';
import { jsonLd, onePage } from '../../../support/audit/pages.ts';

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
  const named = (other: string, lang: string): SiteMap => ({
    '/robots.txt': notFound,
    '/': html(`<html lang="en"><head>${og('Anvils')}</head><body><a href="/a">A</a></body></html>`),
    '/a': html(`<html lang="${lang}"><head>${og(other)}</head><body>A</body></html>`),
  });
  testCheck(id, [
    ['og:site_name passes', onePage('', og('Acme')), 'pass', /one place/],
    ['WebSite.name passes', onePage('', node('Acme')), 'pass', /one place/],
    ['both alike pass', onePage('', og('Acme') + node('Acme')), 'pass', /same name/],
    ['both alike but for the legal form pass', onePage('', og('Acme') + node('ACME Inc.')), 'pass', /same name/],
    ['both different are partial', onePage('', og('Acme') + node('Anvils')), 'partial', /different/],
    ['a sampled page with another name is partial', named('Acme Shoes', 'en'), 'partial', /^1 of 1 sampled page/],
    ['a longer form of the name is the same', named('Anvils of Dover', 'en'), 'pass', /one place/],
    ['a page in another language may translate the name', named('Enclumes', 'fr'), 'pass', /one place/],
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
