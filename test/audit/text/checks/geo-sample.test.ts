import { describe, expect, test } from 'vitest';
import { failure, html, type SiteMap } from '../../../support/audit/site-fetch.ts';
import { pageOf, prose } from '../../../support/audit/pages.ts';
import { judgeCheck, type Row, testCheck } from '../../../support/audit/judge-check.ts';

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
const rows: Readonly<Record<string, readonly Row<SiteMap>[]>> = {
  'geo.text.unique-passages': [
    ['four pages of their own words', site(3, own), 'pass', /0 of 12 paragraphs on 4 pages/],
    ['one shared paragraph of four on each', site(3, (page) => own(page) + SHARED), 'partial', /4 of 16 .*25%/],
    ['the same text on all', site(3, () => SHARED), 'fail', /100%/],
    [
      'a shared paragraph in the footer',
      site(3, (page) => `${own(page)}</main><footer>${SHARED}</footer><main>`),
      'pass',
    ],
    [
      'a shared notice of ten words',
      site(3, (page) => `${own(page)}<p>We use cookies to make this site work for you.</p>`),
      'pass',
    ],
    [
      'copies that name another page as their canonical',
      site(
        3,
        () => SHARED,
        (page) => (page > 1 ? '<link rel="canonical" href="/p1">' : ''),
      ),
      'not_applicable',
      /2 pages/,
    ],
    ['two pages', site(1, () => SHARED), 'not_applicable'],
    ['pages without paragraphs', site(3, () => '<div>Lamps.</div>'), 'not_applicable', /No paragraph/],
    ['sampled pages that are not there', { '/': html(pageOf(links(3))) }, 'not_applicable'],
  ],
  'geo.parity.topic-coherence': [
    ['pages of one text', site(3, () => SHARED), 'pass', /cosine of 4 pages: 1\.00/],
    ['pages of different words', site(3, (page) => `<p>${`${OWN[page] ?? ''} `.repeat(40)}</p>`), 'pass', /0\.[0-4]\d/],
    ['two pages', site(1, () => SHARED), 'not_applicable'],
    ['pages that hold the same heading only', site(3, () => ''), 'pass', /1\.00/],
  ],
};

describe.each(Object.entries(rows))('%s', (id, cases) => {
  testCheck(id, cases, { seen: 200 });

  test.each([403, 429, 503])('sampled pages that answer %i make it unknown', async (status) => {
    const refused = html('<p>No.</p>', { status });
    const map = { '/': html(pageOf(links(3) + prose(50))), '/p1': refused, '/p2': refused, '/p3': refused };
    expect(await judgeCheck(id, map)).toMatchObject({ status: 'unknown', note: expect.stringMatching(/3 of 3/) });
  });

  test('sampled pages that do not answer make it unknown', async () => {
    const map = { '/': html(pageOf(links(2))), '/p1': failure('timeout'), '/p2': failure('timeout') };
    expect(await judgeCheck(id, map)).toMatchObject({ status: 'unknown' });
  });
});
