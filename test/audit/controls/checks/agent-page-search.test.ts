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
  type SiteAnswer,
  type SiteMap,
  siteFetch,
} from '../../../support/audit/site-fetch.ts';
import { jsonLd, pageOf, prose } from '../../../support/audit/pages.ts';
import { judgeCheck, type Row, testCheck } from '../../../support/audit/judge-check.ts';

const ONLY = ['page', 'control', 'siteSearch'] as const;
const RESULTS = html(pageOf(`<h1>Results</h1>${prose(90)}`));
const start = (body: string): SiteAnswer => html(pageOf(`${body}<h1>Start</h1>${prose(120)}`));
const form = (attributes: string, field = '<input name="q" type="search">'): string =>
  `<form ${attributes}>${field}</form>`;
const action = (target: unknown): string =>
  jsonLd({
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    potentialAction: { '@type': 'SearchAction', target, 'query-input': 'required name=words' },
  });

const rows: readonly Row<SiteMap>[] = [
  [
    'a GET form whose results have text passes',
    { '/': start(form('action="/s"')), '/s?q=test': RESULTS },
    'pass',
    /words of text/,
  ],
  [
    'a hidden form counts as well',
    { '/': start(form('action="/s" hidden')), '/s?q=test': RESULTS },
    'pass',
    /words of text/,
  ],
  [
    'a text field by the name of query passes',
    { '/': start(form('action="/s?lang=en"', '<input name="query">')), '/s?query=test': RESULTS },
    'pass',
    /words/,
  ],
  ['a form without action asks its own page', { '/': start(form('')), '/?q=test': RESULTS }, 'pass', /words of text/],
  [
    'a SearchAction passes',
    { '/': start(action({ '@type': 'EntryPoint', urlTemplate: `${SITE}/s?q={words}` })), '/s?q=test': RESULTS },
    'pass',
    /words/,
  ],
  [
    'a SearchAction with a plain target passes',
    { '/': start(action(`${SITE}/find/{words}`)), '/find/test': RESULTS },
    'pass',
    /words/,
  ],
  [
    'a SearchAction stands in for a form without an address',
    { '/': start(form('method="post"') + action(`${SITE}/find/{words}`)), '/find/test': RESULTS },
    'pass',
    /words/,
  ],
  [
    'results of few words are partial',
    { '/': start(form('action="/s"')), '/s?q=test': html(pageOf('<p>None.</p>')) },
    'partial',
    /1 word only/,
  ],
  ['results that are missing fail', { '/': start(form('action="/s"')) }, 'fail', /answers 404/],
  ['the unchanged page fails', { '/': start(form('')), '/?q=test': start(form('')) }, 'fail', /very page/],
  [
    'a redirect back to the page fails',
    { '/': start(form('action="/s"')), '/s?q=test': redirect('/') },
    'fail',
    /very page/,
  ],
  ['results as JSON fail', { '/': start(form('action="/s"')), '/s?q=test': json({ results: [] }) }, 'fail', /no page/],
  ['a POST form fails', { '/': start(form('action="/s" method="POST"')) }, 'fail', /POST/],
  ['a field without a name fails', { '/': start(form('action="/s"', '<input type="search">')) }, 'fail', /no name/],
  ['a field outside a form fails', { '/': start('<input type="search" name="q">') }, 'fail', /no form/],
  ['a script as action fails', { '/': start(form('action="javascript:find()"')) }, 'fail', /no web address/],
  ['another origin is not asked', { '/': start(form('action="https://search.example/s"')) }, 'unknown', /do not ask/],
  [
    'an address that speaks of a change is not asked',
    { '/': start(form('action="/unsubscribe"')) },
    'unknown',
    /do not ask/,
  ],
  [
    'a refusal is unknown',
    { '/': start(form('action="/s"')), '/s?q=test': html('no', { status: 403 }) },
    'unknown',
    /http_403/,
  ],
  [
    'an error of the server is unknown',
    { '/': start(form('action="/s"')), '/s?q=test': html('no', { status: 503 }) },
    'unknown',
    /http_503/,
  ],
  ['a timeout is unknown', { '/': start(form('action="/s"')), '/s?q=test': failure('timeout') }, 'unknown', /timeout/],
  [
    'a page without a search is not applicable',
    { '/': start('<form><input name="email"></form>') },
    'not_applicable',
    /no search field/,
  ],
  ['a broken SearchAction is no search', { '/': start(action('no template')) }, 'not_applicable', /no search field/],
  ['a start page that is missing is unknown', { '/': notFound }, 'unknown', /http_404/],
];

describe('agent.ui.search-url', () => {
  testCheck('agent.ui.search-url', rows);

  test('a site that answers every path alike has no search', async () => {
    const shell = pageOf(`${form('action="/s"')}${prose(90)}`);
    const fetch = siteFetch({ '/': start(form('action="/s"')) }, { catchAll: html(shell) });
    const snapshot = await gatherSite(`${SITE}/`, { fetch, clockMs: CLOCK_MS, only: ONLY });
    const { judgeSite } = await import('../../../../src/audit/core/report.ts');
    const found = judgeSite(snapshot).judged.find(({ check }) => check.id === 'agent.ui.search-url');
    expect(found?.outcome).toMatchObject({ status: 'fail', note: expect.stringMatching(/any path/) as string });
  });

  test('one search is made, by GET, for a fixed word and whatever the field is called', async () => {
    const fetch = siteFetch({ '/': start(form('action="/s#x"', '<input type="search" name="a&b=c d">').repeat(3)) });
    await gatherSite(`${SITE}/`, { fetch, clockMs: CLOCK_MS, only: ONLY });
    const asked = fetch.requests.filter(({ url }) => url.includes('/s'));
    expect(asked.map(({ method, url, body }) => [method ?? 'GET', url, body])).toEqual([
      ['GET', `${SITE}/s?a%26b%3Dc+d=test`, undefined],
    ]);
    expect(artifacts.siteSearch.gather.siteSearch).toMatchObject({ wave: 'late', atMost: 1 });
  });
});

describe('a form without an action that searches', () => {
  test.each([
    ['counts as one that can be sent when its results have text', RESULTS, 'pass'],
    ['does not when it leads nowhere', notFound, 'fail'],
  ] as const)('%s', async (_name, results, gives) => {
    const map: SiteMap = { '/': start(form('')), '/?q=test': results };
    expect(await judgeCheck('agent.ui.forms-no-js', map)).toMatchObject({ status: gives });
  });
});
