import { describe, expect, test } from 'vitest';
import { parsePage } from '../../../../src/audit/page/facts/page.ts';
import { findCitedSources, isPrimarySource } from '../../../../src/audit/text/facts/cited-sources.ts';
import { prose } from '../../../support/audit/pages.ts';

const SOURCE = 'https://research.example.org/lamps';
const link = (href: string, text = 'the study of lamps'): string => `<a href="${href}">${text}</a>`;
const see = (href: string, text?: string): string => `<p>Red lamps last longer, as ${link(href, text)} shows.</p>`;

/** The addresses of the sources that a page cites. */
const sourcesOf = (body: string, url = 'https://www.lanterns.example/essay'): readonly string[] =>
  findCitedSources(parsePage(body, { url, bodyBytes: body.length }), []).map(({ href }) => href);

const article = (inside: string, behind = ''): string =>
  `<article><h1>Lamps</h1>${prose(200)}${inside}</article>${behind}`;

describe('text without paragraphs', () => {
  const loose = (inside: string): string =>
    `<main><h1>Lamps</h1><div>${'Red lamps last longer than blue ones do.<br>'.repeat(40)}${inside}</div></main>`;

  test('a link in its sentences is a source', () => {
    expect(sourcesOf(loose(`They shine for years, as ${link(SOURCE)} shows, and cost no more.`))).toEqual([SOURCE]);
  });

  test.each([
    ['a link alone on its line', `<br>${link(SOURCE)}<br>`],
    ['a link with a word beside it', `<br>See ${link(SOURCE)}<br>`],
  ])('%s is none', (_name, inside) => {
    expect(sourcesOf(loose(inside))).toEqual([]);
  });
});

describe('a list behind the main text', () => {
  const behind = (heading: string, level = 2): string =>
    `<div class="notes"><h${level}>${heading}</h${level}><ul><li>${link(SOURCE)}</li><li>${link('https://other.example/x', 'Another study')}</li></ul></div>`;

  test.each([
    ['under a heading for sources', behind('Article sources'), 2],
    ['under another heading', behind('More of us'), 0],
    ['under a heading of the first level, which begins another part of the page', behind('Sources', 1), 0],
    ['in the footer', `<footer>${behind('Sources')}</footer>`, 0],
  ])('%s: %s', (_name, list, count) => {
    expect(sourcesOf(article('', list))).toHaveLength(count);
  });
});

test.each([
  ['a sentence that names its source', 'Red lamps last longer: see', 1],
  ['an offer of a file', 'Download:', 0],
  ['an offer behind a sentence', 'They play in May. Ticket details:', 0],
  ['a broadcast', 'Listen:', 0],
])('an address written out behind %s', (_name, before, count) => {
  expect(sourcesOf(article(`<p>${before} ${link(SOURCE, SOURCE)}</p>`))).toHaveLength(count);
});

describe('addresses with the name of the site', () => {
  test.each([
    ['another site of the publisher', 'https://www.lanternsmedia.example/report'],
    ['the site of the group', 'https://data.worldlanterns.example/report'],
    ['a post of its own account', 'https://twitter.com/lanternsnews/status/12'],
    ['an archived copy of itself', 'https://web.archive.org/web/20200101000000/https://www.lanterns.example/old'],
  ])('%s is no source', (_name, href) => {
    expect(sourcesOf(article(see(href)))).toEqual([]);
  });

  test.each([
    ['a post of another account', 'https://twitter.com/ada/status/12'],
    ['an archived copy of another page', `https://web.archive.org/web/20200101000000/${SOURCE}`],
  ])('%s is a source', (_name, href) => {
    expect(sourcesOf(article(see(href)))).toEqual([href]);
  });

  test('a short name is in others by chance', () => {
    expect(sourcesOf(article(see('https://lampoon.example/x')), 'https://lamp.example/')).toHaveLength(1);
  });
});

test('an archived page is at home where it was copied from', () => {
  const at = (url: string): string => `https://web.archive.org/web/20170101000000/${url}`;
  const own = see(at('http://lanterns.example/b'), 'our essay of last year');
  expect(sourcesOf(article(own + see(at(SOURCE))), at('http://lanterns.example/a'))).toEqual([at(SOURCE)]);
});

test('an archived copy is a primary source where its original is', () => {
  expect(isPrimarySource('https://web.archive.org/web/20170101000000/https://www.nist.gov/x')).toBe(true);
  expect(isPrimarySource('https://web.archive.org/web/20170101000000/https://blog.test/x')).toBe(false);
});

test.each(['our newsletter', 'Subscribe to it', 'Hier zum Newsletter anmelden', 'Jetzt bestellen', 'Suscríbete'])(
  'the call "%s" is no source',
  (text) => {
    expect(sourcesOf(article(see(SOURCE, text)))).toEqual([]);
  },
);
