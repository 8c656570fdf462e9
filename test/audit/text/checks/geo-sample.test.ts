import { describe, expect, test } from 'vitest';
import { type ExpectedOutcome, judgePage, outcomeOf, pageOf, prose } from '../../../support/audit/judge-page.ts';
import { failure, html, type SiteMap } from '../../../support/audit/site-fetch.ts';

const OWN = ['apple', 'birch', 'cedar', 'dogwood', 'elm'];
const own = (page: number): string =>
  Array.from({ length: 3 }, (_, index) => `<p>${`${OWN[page] ?? 'oak'} ${index} grows here. `.repeat(10)}</p>`).join(
    '',
  );
const SHARED = `<p>${'We deliver lamps to every town of the county. '.repeat(5)}</p>`;
const links = (count: number): string =>
  Array.from({ length: count }, (_, index) => `<a href="/p${index + 1}">Page ${index + 1}</a>`).join(' ');

/** A start page that links to `count` others; `body` writes each of them, 0 the start page. */
const site = (count: number, body: (page: number) => string, head: (page: number) => string = () => ''): SiteMap =>
  Object.fromEntries(
    Array.from({ length: count + 1 }, (_, page) => [
      page === 0 ? '/' : `/p${page}`,
      html(pageOf(`<nav>${links(count)}</nav><main><h1>Lamps</h1>${body(page)}</main>`, head(page))),
    ]),
  );
const judge = (id: string, map: SiteMap) => judgePage(id, map, { only: ['page', 'sample'] });

const rows: Readonly<Record<string, readonly (ExpectedOutcome & { name: string; map: SiteMap })[]>> = {
  'geo.text.unique-passages': [
    { name: 'four pages of their own words', map: site(3, own), gives: 'pass', note: /0 of 12 paragraphs on 4 pages/ },
    {
      name: 'one shared paragraph of four on each',
      map: site(3, (page) => own(page) + SHARED),
      gives: 'partial',
      note: /4 of 16 .*25%/,
    },
    { name: 'the same text on all', map: site(3, () => SHARED), gives: 'fail', note: /100%/ },
    {
      name: 'a shared paragraph in the footer',
      map: site(3, (page) => `${own(page)}</main><footer>${SHARED}</footer><main>`),
      gives: 'pass',
    },
    {
      name: 'a shared notice of ten words',
      map: site(3, (page) => `${own(page)}<p>We use cookies to make this site work for you.</p>`),
      gives: 'pass',
    },
    {
      name: 'copies that name another page as their canonical',
      map: site(
        3,
        () => SHARED,
        (page) => (page > 1 ? '<link rel="canonical" href="/p1">' : ''),
      ),
      gives: 'not_applicable',
      note: /2 pages/,
    },
    { name: 'two pages', map: site(1, () => SHARED), gives: 'not_applicable' },
    {
      name: 'pages without paragraphs',
      map: site(3, () => '<div>Lamps.</div>'),
      gives: 'not_applicable',
      note: /No paragraph/,
    },
    {
      name: 'sampled pages that are not there',
      map: { '/': html(pageOf(links(3))) },
      gives: 'not_applicable',
    },
  ],
  'geo.parity.topic-coherence': [
    { name: 'pages of one text', map: site(3, () => SHARED), gives: 'pass', note: /cosine of 4 pages: 1\.00/ },
    {
      name: 'pages of different words',
      map: site(3, (page) => `<p>${`${OWN[page] ?? ''} `.repeat(40)}</p>`),
      gives: 'pass',
      note: /0\.[0-4]\d/,
    },
    { name: 'two pages', map: site(1, () => SHARED), gives: 'not_applicable' },
    { name: 'pages that hold the same heading only', map: site(3, () => ''), gives: 'pass', note: /1\.00/ },
  ],
};

describe.each(Object.entries(rows))('%s', (id, cases) => {
  test.each(cases)('$name gives $gives', async ({ map, ...expected }) => {
    expect(await judge(id, map)).toMatchObject(outcomeOf(expected));
  });

  test.each([403, 429, 503])('sampled pages that answer %i make it unknown', async (status) => {
    const refused = html('<p>No.</p>', { status });
    const map = { '/': html(pageOf(links(3) + prose(50))), '/p1': refused, '/p2': refused, '/p3': refused };
    expect(await judge(id, map)).toMatchObject({ status: 'unknown', note: expect.stringMatching(/3 of 3/) });
  });

  test('sampled pages that do not answer make it unknown', async () => {
    const map = { '/': html(pageOf(links(2))), '/p1': failure('timeout'), '/p2': failure('timeout') };
    expect(await judge(id, map)).toMatchObject({ status: 'unknown' });
  });
});
