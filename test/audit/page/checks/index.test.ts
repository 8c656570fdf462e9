import { describe, expect, test } from 'vitest';
import { failure, html, notFound, redirect, SITE, type SiteMap } from '../../../support/audit/site-fetch.ts';
import { goodPage, goodSite } from '../../../sites/good.ts';
import { onePage, words } from '../../../support/audit/pages.ts';
import { judgeCheck, testCheck } from '../../../support/audit/judge-check.ts';

const inGood = (from: string | RegExp, to: string, extra: SiteMap = {}): SiteMap => ({
  ...goodSite,
  '/': html(goodPage('/').replace(from, to)),
  ...extra,
});

describe('aeo.index.meta-robots', () => {
  const id = 'aeo.index.meta-robots';
  const meta = (name: string, content: string): SiteMap =>
    onePage(words(10), `<meta name="${name}" content="${content}">`);
  testCheck(id, [
    ['no tag passes', goodSite, 'pass', /No robots meta tag/],
    ['index passes', meta('robots', 'index, follow'), 'pass', /allow indexing/],
    ['noindex fails in any case', meta('ROBOTS', 'NoIndex'), 'fail', /keeps the page out/],
    ['none fails', meta('robots', 'none'), 'fail', /keeps/],
    ['noindex for Bingbot fails', meta('bingbot', 'noindex'), 'fail', /keeps/],
    ['noindex for OAI-SearchBot fails', meta('OAI-SearchBot', 'noindex'), 'fail', /keeps/],
    ['noindex for another bot passes', meta('otherbot', 'noindex'), 'pass', /No robots meta tag/],
    [
      'the most restrictive tag counts',
      onePage('', '<meta name="robots" content="index"><meta name="robots" content="noindex">'),
      'fail',
      /keeps/,
    ],
    [
      'a tag inside noscript is none',
      onePage('<noscript><meta name="robots" content="noindex"></noscript>'),
      'pass',
      /No robots/,
    ],
    ['no HTML is unknown', { '/': notFound }, 'unknown', /http_404/],
  ]);
});

describe('aeo.index.snippet-allowed', () => {
  const id = 'aeo.index.snippet-allowed';
  const meta = (content: string): SiteMap => onePage(words(10), `<meta name="robots" content="${content}">`);
  testCheck(id, [
    ['no control passes', goodSite, 'pass', /allowed/],
    ['max-snippet:-1 passes', meta('max-snippet:-1'), 'pass', /allowed/],
    ['nosnippet fails', meta('index, nosnippet'), 'fail', /forbidden/],
    ['max-snippet:0 fails', meta('max-snippet: 0'), 'fail', /forbidden/],
    ['a short snippet is partial', meta('max-snippet:20'), 'partial', /20 characters/],
    [
      'data-nosnippet over most text is partial',
      onePage(`<div data-nosnippet>${words(30)}</div>${words(5)}`),
      'partial',
      /data-nosnippet covers/,
    ],
    [
      'data-nosnippet over an aside passes',
      onePage(`<aside data-nosnippet>${words(5)}</aside>${words(30)}`),
      'pass',
      /allowed/,
    ],
    [
      'the header counts too',
      { '/': html(goodPage('/'), { headers: { 'x-robots-tag': 'nosnippet' } }) },
      'fail',
      /forbidden/,
    ],
  ]);
});

describe('aeo.index.snippet-eligible', () => {
  const meta = (content: string): SiteMap => onePage(words(10), `<meta name="robots" content="${content}">`);
  const covered = (hidden: number, shown: number): SiteMap =>
    onePage(`<div data-nosnippet>${words(hidden)}</div>${words(shown)}`);
  testCheck('aeo.index.snippet-eligible', [
    ['no control passes', goodSite, 'pass', /may be indexed and shown/],
    ['a short snippet passes', meta('max-snippet:20'), 'pass', /may be indexed/],
    ['noindex fails', meta('noindex'), 'fail', /may not be indexed/],
    ['nosnippet fails', meta('index, nosnippet'), 'fail', /with a snippet/],
    ['max-snippet:0 fails', meta('max-snippet: 0'), 'fail', /with a snippet/],
    ['a text half covered is partial', covered(30, 5), 'partial', /data-nosnippet covers/],
    ['a text wholly covered fails', covered(200, 1), 'fail', /data-nosnippet covers/],
    ['an aside covered passes', covered(5, 30), 'pass', /may be indexed/],
    [
      'the header counts too',
      { '/': html(goodPage('/'), { headers: { 'x-robots-tag': 'noindex' } }) },
      'fail',
      /may not be indexed/,
    ],
    ['no HTML is unknown', { '/': notFound }, 'unknown', /http_404/],
  ]);
});

describe('aeo.index.canonical', () => {
  const id = 'aeo.index.canonical';
  const own = `<link rel="canonical" href="${SITE}/">`;
  const link = (href: string, extra: SiteMap = {}): SiteMap =>
    inGood(own, `<link rel="canonical" href="${href}">`, extra);
  testCheck(id, [
    ['the page itself passes', goodSite, 'pass', /this very page/],
    [
      'fragment, campaign and last slash make no difference',
      link(`${SITE}?utm_source=x#top`),
      'pass',
      /this very page/,
    ],
    ['another scheme makes no difference', link(SITE.replace('https:', 'http:')), 'pass', /this very page/],
    ['www. makes no difference', link(SITE.replace('//', '//www.')), 'pass', /this very page/],
    ['a session makes no difference', link(`${SITE}/?PHPSESSID=a1`), 'pass', /this very page/],
    [
      'another address without a title is partial',
      link(`${SITE}/?page=2`, { '/?page=2': html('<p>More.</p>') }),
      'partial',
      /without a title/,
    ],
    [
      'another address of the same page passes',
      link(`${SITE}/welcome`, { '/welcome': html(goodPage('/')) }),
      'pass',
      /another one of this very page/,
    ],
    ['none is partial', inGood(own, ''), 'partial', /no canonical/],
    [
      'one outside the head is none',
      { ...goodSite, '/': html(`<html><head><title>x</title></head><body>${own}</body></html>`) },
      'partial',
      /no canonical/,
    ],
    ['a relative one is partial', link('/'), 'partial', /relative/],
    [
      'two different ones fail',
      inGood(own, `${own}<link rel="canonical" href="${SITE}/about">`),
      'fail',
      /2 different/,
    ],
    ['the same one twice passes', inGood(own, own + own), 'pass', /this very page/],
    ['another site fails', link('https://other.example/'), 'fail', /another site/],
    ['another page of the site fails', link(`${SITE}/about`), 'fail', /another page/],
    ['a dead page of the site fails', link(`${SITE}/gone`), 'fail', /404/],
    ['no answer there is unknown', link(`${SITE}/slow`, { '/slow': failure('timeout') }), 'unknown', /timeout/],
    ['no web address fails', link('mailto:a@b.example'), 'fail', /no web address/],
    [
      'a Link header counts',
      { '/': html(goodPage('/').replace(own, ''), { headers: { link: `<${SITE}/>; rel="canonical"` } }) },
      'pass',
      /this very page/,
    ],
  ]);

  test('a preview on a private host that names the public one is not applicable', async () => {
    const options = { at: 'http://localhost:3000/' };
    expect((await judgeCheck(id, { '/': html(goodPage('/')) }, options)).status).toBe('not_applicable');
  });

  test('the page that a redirect leads to is the page itself', async () => {
    const map: SiteMap = { ...goodSite, '/': redirect('/racks'), '/racks': html(goodPage('/racks')) };
    expect((await judgeCheck(id, map)).status).toBe('pass');
  });
});
