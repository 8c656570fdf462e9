import { describe, expect, test } from 'vitest';
import { parseFeed } from '../../../../src/audit/sitemaps/facts/feed.ts';
import { gatherSite } from '../../../../src/audit/core/gather.ts';
import { CLOCK_MS } from '../../../support/audit/audit.ts';
import {
  failure,
  html,
  json,
  notFound,
  SITE,
  type SiteAnswer,
  siteFetch,
  type SiteMap,
  text,
  xml,
} from '../../../support/audit/site-fetch.ts';
import { jsonLd, onePage, words } from '../../../support/audit/pages.ts';
import { judgeCheck, testCheck } from '../../../support/audit/judge-check.ts';

const item = (parts: string): string => `<item><title>Oak</title>${parts}</item>`;

const WHOLE = `<link>${SITE}/oak</link><guid>oak-1</guid><pubDate>Fri, 02 Oct 2026 10:00:00 GMT</pubDate>`;

const rss = (...items: string[]): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>Acme</title><link>${SITE}</link>${items.join('')}</channel></rss>`;

const ATOM = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Acme</title><id>urn:acme</id><link rel="self" href="${SITE}/feed"/><entry><title>Oak</title><id>tag:acme,2026:1</id><link rel="edit" href="/edit"/><link href="${SITE}/oak"/><updated>2026-10-02T10:00:00Z</updated><published>2025-01-01T00:00:00Z</published><content type="xhtml"><div><link>no</link></div></content></entry></feed>`;

const RDF = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><item rdf:about="${SITE}/oak"><link>${SITE}/oak</link><dc:date>2026-10-02</dc:date></item></rdf:RDF>`;

const JSON_FEED = {
  version: 'https://jsonfeed.org/version/1.1',
  title: 'Acme',
  items: [{ id: '1', url: `${SITE}/oak`, date_published: '2026-10-02T10:00:00Z' }],
};

describe('feeds', () => {
  test.each([
    ['RSS 2.0', rss(item(WHOLE)), 'rss', { link: `${SITE}/oak`, id: 'oak-1', date: 'Fri, 02 Oct 2026 10:00:00 GMT' }],
    ['RSS 1.0', RDF, 'rss', { link: `${SITE}/oak`, id: `${SITE}/oak`, date: '2026-10-02' }],
    ['Atom', ATOM, 'atom', { link: `${SITE}/oak`, id: 'tag:acme,2026:1', date: '2026-10-02T10:00:00Z' }],
    ['JSON Feed', JSON.stringify(JSON_FEED), 'json', { link: `${SITE}/oak`, id: '1', date: '2026-10-02T10:00:00Z' }],
  ] as const)('%s is read', (_name, body, kind, first) => {
    expect(parseFeed(body)).toEqual({ kind, items: [first] });
  });

  test.each([
    '',
    'hello',
    '<html><body>x</body></html>',
    '{',
    '{"items":[]}',
    '[]',
    '<urlset></urlset>',
    '{"version":5}',
  ])('%s is no feed', (body) => {
    expect(parseFeed(body)).toEqual({ kind: 'none', items: [] });
  });

  test.each([
    ['deep nesting', `<rss>${'<a>'.repeat(50_000)}`],
    ['many entries', rss(item(WHOLE).repeat(5000))],
    [
      'a document type with entities',
      `<!DOCTYPE x [<!ENTITY a "${'b'.repeat(1000)}">]>${rss(item('<link>&a;</link>'))}`,
    ],
    ['items that are no objects', JSON.stringify({ ...JSON_FEED, items: [null, 1, 'x', [], {}] })],
  ])('%s neither throws nor grows', (_name, body) => {
    expect(parseFeed(body).items.length).toBeLessThanOrEqual(100);
  });
});

describe('aeo.feed.exists', () => {
  const id = 'aeo.feed.exists';
  const link = (href: string, type = 'application/rss+xml'): string =>
    `<link rel="alternate" type="${type}" href="${href}">`;
  const site = (feed: SiteAnswer, head = link('/feed.xml')): SiteMap => ({
    ...onePage(words(10), head),
    '/robots.txt': notFound,
    '/feed.xml': feed,
  });
  const served = (type: string, body: string): SiteAnswer => ({ status: 200, headers: { 'content-type': type }, body });
  const article = jsonLd({ '@context': 'https://schema.org', '@type': 'BlogPosting', datePublished: '2026-10-01' });
  testCheck(id, [
    ['RSS passes', site(served('application/rss+xml', rss(item(WHOLE)))), 'pass', /parses/],
    [
      'Atom passes',
      site(served('application/atom+xml', ATOM), link('/feed.xml', 'application/atom+xml')),
      'pass',
      /parses/,
    ],
    ['JSON Feed passes', site(json(JSON_FEED), link('/feed.xml', 'application/feed+json')), 'pass', /parses/],
    ['one whole entry of two passes', site(xml(rss(item('<link>/oak</link>'), item(WHOLE)))), 'pass', /parses/],
    ['another media type is partial', site(text(rss(item(WHOLE)))), 'partial', /media type/],
    [
      'a relative link is partial',
      site(xml(rss(item(WHOLE.replace(`${SITE}/oak`, '/oak'))))),
      'partial',
      /absolute link/,
    ],
    ['no id is partial', site(xml(rss(item(WHOLE.replace(/<guid>.*<\/guid>/, ''))))), 'partial', /an id/],
    [
      'a date that is none is partial',
      site(xml(rss(item(WHOLE.replace(/<pubDate>.*<\/pubDate>/, '<pubDate>soon</pubDate>'))))),
      'partial',
      /a date/,
    ],
    ['no entry is partial', site(xml(rss())), 'partial', /no entry/],
    ['404 fails', site(notFound), 'fail', /not there/],
    ['HTML fails', site(html('<!doctype html><p>x</p>')), 'fail', /not there/],
    ['XML that is no feed fails', site(xml('<urlset></urlset>')), 'fail', /no RSS/],
    ['403 is unknown', site(text('no', { status: 403 })), 'unknown', /403/],
    ['503 is unknown', site(text('no', { status: 503 })), 'unknown', /503/],
    ['no answer is unknown', site(failure('timeout')), 'unknown', /timeout/],
    [
      'a feed on the host of another owner is unknown',
      site(notFound, link('https://feeds.example/acme')),
      'unknown',
      /another owner/,
    ],
    ['no feed for dated articles fails', site(notFound, article), 'fail', /dated articles/],
    ['no feed and no dated article is not applicable', site(notFound, ''), 'not_applicable', /No feed/],
    [
      "a link to WordPress's API is no feed",
      site(notFound, link('/wp-json/', 'application/json')),
      'not_applicable',
      /No feed/,
    ],
  ]);

  test('a catch-all page is no feed', async () => {
    const page = text(rss(item(WHOLE)));
    const fetch = siteFetch(onePage('', link('/feed.xml')), { catchAll: page });
    expect(await judgeCheck(id, {}, { fetch })).toMatchObject({ status: 'fail' });
  });

  test('a dated article among the sampled pages calls for a feed too', async () => {
    const map = { ...onePage('<a href="/a">A</a>'), '/robots.txt': notFound, '/a': html(`<head>${article}</head>`) };
    expect((await judgeCheck(id, map)).status).toBe('fail');
  });

  test('a feed that the budget left unread is unknown', async () => {
    const snapshot = await gatherSite(`${SITE}/`, {
      fetch: siteFetch(site(xml(rss()))),
      clockMs: CLOCK_MS,
      only: ['page', 'sample', 'control'],
    });
    expect(await judgeCheck(id, snapshot)).toMatchObject({ status: 'unknown', note: expect.stringMatching(/budget/) });
  });

  test('a host of another owner is not asked', async () => {
    const fetch = siteFetch(site(notFound, link('https://feeds.example/acme')));
    await judgeCheck(id, {}, { fetch });
    expect(fetch.requests.filter(({ url }) => !url.startsWith(SITE))).toEqual([]);
  });
});

describe('aeo.feed.indexnow', () => {
  const id = 'aeo.feed.indexnow';
  testCheck(id, [
    ['is never judged', { ...onePage(''), '/robots.txt': notFound }, 'not_applicable', /Neither the page/],
    [
      'a hint of the page is reported',
      { ...onePage('', '<meta name="indexnow-key" content="x">'), '/robots.txt': notFound },
      'not_applicable',
      /a meta element/,
    ],
    [
      'a hint of robots.txt is reported',
      { ...onePage(''), '/robots.txt': text('User-agent: *\nDisallow:\nIndexNow: /key.txt\n') },
      'not_applicable',
      /robots\.txt/,
    ],
  ]);
});
