import { describe, expect, test } from 'vitest';
import { gatherSite } from '../../../../src/audit/core/gather.ts';
import { artifacts } from '../../../../src/audit/core/artifacts.ts';
import { CLOCK_MS } from '../../../support/audit/audit.ts';
import {
  failure,
  html,
  json,
  notFound,
  redirect,
  SITE,
  siteFetch,
  type SiteMap,
} from '../../../support/audit/site-fetch.ts';
import { type Row, testCheck, testChecks } from '../../../support/audit/judge-check.ts';
import { jsonLd, pageOf, prose, RESULTS, searchForm, startWith } from '../../../support/audit/pages.ts';

const CAPTCHA = '<script src="https://www.google.com/recaptcha/api.js"></script>';

const SEARCH = '<form action="/s"><input name="q" type="search"></form>';

const LETTER =
  '<form method="post" action="/l"><input name="email" type="email"><input name="first" type="text"></form>';

const refresh = (content: string): string => `<meta http-equiv="refresh" content="${content}">`;

testChecks(
  {
    'agent.ui.captcha': [
      [
        'a captcha beside a contact form passes',
        `${CAPTCHA}<form method="post"><textarea name="m"></textarea></form>`,
        'pass',
        /recaptcha/,
      ],
      [
        'beside a script-driven sign-up it passes',
        `${CAPTCHA}<form><input type="email"><input type="password"></form>`,
        'pass',
        /recaptcha/,
      ],
      [
        'beside search and letter it is partial',
        CAPTCHA + SEARCH + LETTER,
        'partial',
        /search or order/,
        { value: 0.5 },
      ],
      [
        'beside a choice of languages it is partial',
        `${CAPTCHA}<form><select name="lang"></select></form>`,
        'partial',
        /search or order/,
      ],
      ['without a form it is partial', CAPTCHA, 'partial', /without a form/, { value: 0.5 }],
      ['no captcha is not applicable', LETTER, 'not_applicable', /no captcha/],
    ],
    'agent.ui.dangerous-get': [
      ['a link that deletes fails', '<a href="/basket?action=delete&item=4">x</a>', 'fail', /1 link/],
      ['a link that signs out fails', '<a href="/account/logout">x</a><a href="/about">y</a>', 'fail', /1 link/],
      ['on a sister host it fails', '<a href="https://shop.acme.example/?add-to-cart=9">x</a>', 'fail', /1 link/],
      ['marked nofollow it passes', '<a href="/?add-to-cart=9" rel="nofollow">x</a>', 'pass', /nofollow/],
      ['one of two unmarked fails', '<a href="/logout" rel="nofollow">x</a><a href="/delete">y</a>', 'fail', /1 link/],
      [
        'a title with such a word is not applicable',
        '<a href="/how-to-remove-rust">x</a>',
        'not_applicable',
        /No link/,
      ],
      [
        'a link that puts into a basket fails',
        '<a href="/basket/add?sku=kettle">x</a><a href="/index.php?route=checkout/cart/add&id=4">y</a><a href="/warenkorb?add=3">z</a>',
        'fail',
        /3 links/,
      ],
      [
        'the address of a basket with a text that says so fails',
        '<a href="/cart?product=kettle&quantity=1">Add to basket</a>',
        'fail',
        /1 link/,
      ],
      [
        'a basket, and a product page whose link says "Add to cart", are not applicable',
        '<a href="/cart">Basket</a><a href="/lamps/oak?id=5">Add to cart</a><a href="/cart/add-ons">x</a>',
        'not_applicable',
        /No link/,
      ],
      ['documentation of it is not applicable', '<a href="/docs/api/delete">x</a>', 'not_applicable', /No link/],
      ['another site is not applicable', '<a href="https://other.example/logout">x</a>', 'not_applicable', /No link/],
    ],
    'agent.ui.refresh': [
      ['a reload after 30 seconds fails', refresh('30'), 'fail', /after 30 seconds/],
      ['a redirect after 5 seconds fails', refresh('5; url=/x'), 'fail', /after 5 seconds/],
      ['more than 20 hours pass', refresh('72001'), 'pass', /20 hours/],
      ['20 hours fail', refresh('72000'), 'fail', /72000/],
      ['a redirect at once is for another check', refresh('0;url=/x'), 'not_applicable', /at once/],
      ['what browsers ignore is not applicable', refresh('soon'), 'not_applicable', /no meta refresh/],
      ['no refresh is not applicable', '<p>x</p>', 'not_applicable', /no meta refresh/],
    ],
  },
  { site: (body) => pageOf(body + prose(80)) },
);

const ONLY = ['page', 'control', 'siteSearch'] as const;

const action = (target: unknown): string =>
  jsonLd({
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    potentialAction: { '@type': 'SearchAction', target, 'query-input': 'required name=words' },
  });

const rows: readonly Row<SiteMap>[] = [
  [
    'a GET form whose results have text passes',
    { '/': startWith(searchForm('action="/s"')), '/s?q=test': RESULTS },
    'pass',
    /words of text/,
  ],
  [
    'a hidden form counts as well',
    { '/': startWith(searchForm('action="/s" hidden')), '/s?q=test': RESULTS },
    'pass',
    /words of text/,
  ],
  [
    'a text field by the name of query passes',
    { '/': startWith(searchForm('action="/s?lang=en"', '<input name="query">')), '/s?query=test': RESULTS },
    'pass',
    /words/,
  ],
  [
    'a form without action asks its own page',
    { '/': startWith(searchForm('')), '/?q=test': RESULTS },
    'pass',
    /words of text/,
  ],
  [
    'a SearchAction passes',
    { '/': startWith(action({ '@type': 'EntryPoint', urlTemplate: `${SITE}/s?q={words}` })), '/s?q=test': RESULTS },
    'pass',
    /words/,
  ],
  [
    'a SearchAction with a plain target passes',
    { '/': startWith(action(`${SITE}/find/{words}`)), '/find/test': RESULTS },
    'pass',
    /words/,
  ],
  [
    'a SearchAction stands in for a form without an address',
    { '/': startWith(searchForm('method="post"') + action(`${SITE}/find/{words}`)), '/find/test': RESULTS },
    'pass',
    /words/,
  ],
  [
    'results of few words are partial',
    { '/': startWith(searchForm('action="/s"')), '/s?q=test': html(pageOf('<p>None.</p>')) },
    'partial',
    /1 word only/,
  ],
  ['results that are missing fail', { '/': startWith(searchForm('action="/s"')) }, 'fail', /answers 404/],
  [
    'the unchanged page fails',
    { '/': startWith(searchForm('')), '/?q=test': startWith(searchForm('')) },
    'fail',
    /very page/,
  ],
  [
    'a redirect back to the page fails',
    { '/': startWith(searchForm('action="/s"')), '/s?q=test': redirect('/') },
    'fail',
    /very page/,
  ],
  [
    'results as JSON fail',
    { '/': startWith(searchForm('action="/s"')), '/s?q=test': json({ results: [] }) },
    'fail',
    /no page/,
  ],
  ['a POST form fails', { '/': startWith(searchForm('action="/s" method="POST"')) }, 'fail', /POST/],
  [
    'a field without a name fails',
    { '/': startWith(searchForm('action="/s"', '<input type="search">')) },
    'fail',
    /no name/,
  ],
  ['a field outside a form fails', { '/': startWith('<input type="search" name="q">') }, 'fail', /no form/],
  ['a script as action fails', { '/': startWith(searchForm('action="javascript:find()"')) }, 'fail', /no web address/],
  [
    'another origin is not asked',
    { '/': startWith(searchForm('action="https://search.example/s"')) },
    'unknown',
    /do not ask/,
  ],
  [
    'an address that speaks of a change is not asked',
    { '/': startWith(searchForm('action="/unsubscribe"')) },
    'unknown',
    /do not ask/,
  ],
  [
    'a refusal is unknown',
    { '/': startWith(searchForm('action="/s"')), '/s?q=test': html('no', { status: 403 }) },
    'unknown',
    /http_403/,
  ],
  [
    'an error of the server is unknown',
    { '/': startWith(searchForm('action="/s"')), '/s?q=test': html('no', { status: 503 }) },
    'unknown',
    /http_503/,
  ],
  [
    'a timeout is unknown',
    { '/': startWith(searchForm('action="/s"')), '/s?q=test': failure('timeout') },
    'unknown',
    /timeout/,
  ],
  [
    'a page without a search is not applicable',
    { '/': startWith('<form><input name="email"></form>') },
    'not_applicable',
    /no search field/,
  ],
  [
    'a broken SearchAction is no search',
    { '/': startWith(action('no template')) },
    'not_applicable',
    /no search field/,
  ],
  ['a start page that is missing is unknown', { '/': notFound }, 'unknown', /http_404/],
];

describe('agent.ui.search-url', () => {
  testCheck('agent.ui.search-url', rows);

  test('a site that answers every path alike has no search', async () => {
    const shell = pageOf(`${searchForm('action="/s"')}${prose(90)}`);
    const fetch = siteFetch({ '/': startWith(searchForm('action="/s"')) }, { catchAll: html(shell) });
    const snapshot = await gatherSite(`${SITE}/`, { fetch, clockMs: CLOCK_MS, only: ONLY });
    const { judgeSite } = await import('../../../../src/audit/core/report.ts');
    const found = judgeSite(snapshot).judged.find(({ check }) => check.id === 'agent.ui.search-url');
    expect(found?.outcome).toMatchObject({ status: 'fail', note: expect.stringMatching(/any path/) as string });
  });

  test('one search is made, by GET, for a fixed word and whatever the field is called', async () => {
    const fetch = siteFetch({
      '/': startWith(searchForm('action="/s#x"', '<input type="search" name="a&b=c d">').repeat(3)),
    });
    await gatherSite(`${SITE}/`, { fetch, clockMs: CLOCK_MS, only: ONLY });
    const asked = fetch.requests.filter(({ url }) => url.includes('/s'));
    expect(asked.map(({ method, url, body }) => [method ?? 'GET', url, body])).toEqual([
      ['GET', `${SITE}/s?a%26b%3Dc+d=test`, undefined],
    ]);
    expect(artifacts.siteSearch.gather.siteSearch).toMatchObject({ wave: 'late', atMost: 1 });
  });
});
