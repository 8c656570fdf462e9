import { describe, expect, test } from 'vitest';
import { snapshotOf } from '../../../support/audit/audit.ts';
import {
  failure,
  html,
  json,
  notFound,
  redirect,
  type SiteAnswer,
  type SiteMap,
} from '../../../support/audit/site-fetch.ts';
import { goodPage, goodSite } from '../../../sites/good.ts';
import { judgeCheck, testCheck } from '../../../support/audit/judge-check.ts';

const start = (answer: SiteAnswer): SiteMap => ({ ...goodSite, '/': answer });

const withHeader = (name: string, value: string): SiteMap => start(html(goodPage('/'), { headers: { [name]: value } }));

const short = (body: string): SiteMap =>
  start(html(`<html><head><title>A page of the workshop</title></head><body>${body}</body></html>`));

/** The control path of the fixture host, as the auditor computes it. */
async function controlPath(): Promise<string> {
  const snapshot = await snapshotOf(goodSite, { only: ['control'] });
  return new URL(snapshot.exchanges[0]?.url ?? '').pathname;
}

describe('aeo.reach.http-200', () => {
  const id = 'aeo.reach.http-200';
  testCheck(id, [
    ['200 HTML passes', goodSite, 'pass', /200 with HTML/],
    ['a redirect to a page passes', { ...start(redirect('/about')) }, 'pass', /200/],
    ['404 fails', start(notFound), 'fail', /404/],
    ['500 fails', start(html('x', { status: 500 })), 'fail', /500/],
    ['403 is a refusal of us', start(html('x', { status: 403 })), 'unknown', /403 to us/],
    ['429 is a refusal of us', start(html('x', { status: 429 })), 'unknown', /429 to us/],
    ['401 fails', start(html('x', { status: 401 })), 'fail', /401/],
    ['another media type fails', start(json({ a: 1 })), 'fail', /not with HTML/],
    ['HTML without a media type passes', start({ status: 200, headers: {}, body: goodPage('/') }), 'pass', /200/],
    [
      'bytes without a media type fail',
      start({ status: 200, headers: {}, body: 'plain words' }),
      'fail',
      /not with HTML/,
    ],
  ]);
});

describe('aeo.reach.https', () => {
  const id = 'aeo.reach.https';
  const http = (answer: SiteAnswer): SiteMap => ({ ...goodSite, 'http://acme.example/': answer });
  testCheck(id, [
    ['a 308 to the same host passes', goodSite, 'pass', /308/],
    ['a 301 to the same host passes', http(redirect('https://acme.example/', 301)), 'pass', /301/],
    [
      'a temporary redirect is partial',
      http(redirect('https://acme.example/', 302)),
      'partial',
      /temporary status 302/,
    ],
    [
      'a redirect by way of another host is partial',
      { ...http(redirect('https://www.acme.example/')), 'https://www.acme.example/': html('x') },
      'partial',
      /not straight/,
    ],
    ['content over http is partial', http(html('x')), 'partial', /serves content/],
    ['no answer over http is unknown', http(failure('connection_failed')), 'unknown', /could not be checked/],
  ]);

  test.each([
    ['a loopback host', 'http://127.0.0.1:8080/'],
    ['a private host', 'https://site.internal/'],
    ['a port of its own', 'https://acme.example:8443/'],
  ])('%s is not applicable', async (_name, url) => {
    expect((await judgeCheck(id, { '/': html(goodPage('/')) }, { at: url })).status).toBe('not_applicable');
  });

  test('a host that answers only over http fails', async () => {
    const map: SiteMap = { '/': html('x'), 'https://plain.example/': failure('connection_failed') };
    expect((await judgeCheck(id, map, { at: 'http://plain.example/' })).status).toBe('fail');
  });
});

describe('aeo.reach.soft-404', () => {
  const id = 'aeo.reach.soft-404';
  test('404 passes', async () => {
    expect(await judgeCheck(id, goodSite)).toMatchObject({ status: 'pass', note: expect.stringContaining('404') });
  });

  test.each([
    ['410 passes', html('gone', { status: 410 }), 'pass'],
    ['200 fails', html('hello'), 'fail'],
    ['a redirect to the start page fails', redirect('/', 302), 'fail'],
    ['403 is partial', html('no', { status: 403 }), 'partial'],
    ['503 is unknown', html('no', { status: 503 }), 'unknown'],
    ['429 is unknown', html('no', { status: 429 }), 'unknown'],
    ['no answer is unknown', failure('timeout'), 'unknown'],
    ['a bot challenge is unknown', html('no', { status: 403, headers: { 'cf-mitigated': 'challenge' } }), 'unknown'],
  ] as const)('%s', async (_name, answer, status) => {
    expect((await judgeCheck(id, { ...goodSite, [await controlPath()]: answer })).status).toBe(status);
  });
});

describe('aeo.reach.no-interstitial', () => {
  const id = 'aeo.reach.no-interstitial';
  testCheck(id, [
    ['a plain page passes', goodSite, 'pass', /No sign/],
    ['the header of a challenge fails', withHeader('cf-mitigated', 'challenge'), 'fail', /challenge/],
    [
      'a challenge script on an empty page fails',
      short('<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>'),
      'fail',
      /challenge/,
    ],
    ['a captcha on an empty page fails', short('<div id="px-captcha"></div>'), 'fail', /challenge/],
    [
      'the script of a bot manager on a full page passes',
      start(html(goodPage('/', '<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>'))),
      'pass',
      /No sign/,
    ],
    [
      'a login with few words fails',
      short('<form><label>Password <input type="password"></label></form>'),
      'fail',
      /login/,
    ],
    ['a short page without a password passes', short('<p>Hello.</p>'), 'pass', /No sign/],
    ['a page that is no HTML is unknown', start(json({})), 'unknown', /not_html/],
  ]);
});

describe('aeo.index.x-robots-tag', () => {
  const id = 'aeo.index.x-robots-tag';
  const header = (value: string): SiteMap => withHeader('x-robots-tag', value);
  testCheck(id, [
    ['no header passes', goodSite, 'pass', /No X-Robots-Tag/],
    ['other directives pass', header('max-snippet:-1, nofollow'), 'pass', /lets/],
    ['noindex fails', header('noindex'), 'fail', /keeps the page out/],
    ['none fails in any case', header('NOFOLLOW, None'), 'fail', /keeps/],
    ['noindex for Googlebot fails', header('googlebot: noindex'), 'fail', /keeps/],
    ['noindex for another bot passes', header('otherbot: noindex, nofollow'), 'pass', /lets/],
    ['a directive after a bot name belongs to the bot', header('otherbot: nofollow, noindex'), 'pass', /lets/],
    ['a past date fails', header('unavailable_after: 25 Jun 2010 15:00:00 GMT'), 'fail', /keeps/],
    [
      'a past date with a comma of its own fails',
      header('unavailable_after: Friday, 25-Jun-10 15:00:00 GMT'),
      'fail',
      /keeps/,
    ],
    ['a date to come passes', header('unavailable_after: 25 Jun 2040 15:00:00 GMT'), 'pass', /lets/],
    ['a date that is none passes', header('unavailable_after: soon'), 'pass', /lets/],
  ]);
});

describe('aeo.reach.http-errors-in-sample', () => {
  const id = 'aeo.reach.http-errors-in-sample';
  const links = (answers: Record<string, SiteAnswer>): SiteMap => ({
    '/': html(
      `<body>${Object.keys(answers)
        .map((path) => `<a href="${path}">x</a>`)
        .join('')}</body>`,
    ),
    ...answers,
  });
  const ok = html('<p>ok</p>');
  testCheck(id, [
    ['all 200 passes', goodSite, 'pass', /8 of 8/],
    ['one of three dead fails', links({ '/a': ok, '/b': ok, '/c': notFound }), 'fail', /2 of 3/],
    ['a redirect that ends in 200 passes', { ...links({ '/a': redirect('/b') }), '/b': ok }, 'pass', /1 of 1/],
    [
      'most of the sample without an answer is unknown',
      links({ '/a': failure('timeout'), '/b': failure('timeout'), '/c': ok }),
      'unknown',
      /2 of 3/,
    ],
    ['no internal page is not applicable', links({}), 'not_applicable', /no internal page/],
  ]);

  test('files and links that act are not sampled', async () => {
    const map = links({
      '/logo.png': notFound,
      '/logout': notFound,
      '/cart/delete': notFound,
      '/basket?action=delete&item=4': notFound,
      '/account?do=sign-out': notFound,
      '/shop?add_to_cart=7': notFound,
      '/list?remove=1': notFound,
      '/a': ok,
    });
    expect(await judgeCheck(id, map)).toMatchObject({
      status: 'pass',
      note: '1 of 1 sampled internal pages answer 200.',
    });
  });
});
