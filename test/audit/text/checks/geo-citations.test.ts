import { describe, expect, test } from 'vitest';
import { isPrimarySource } from '../../../../src/audit/text/facts/cited-sources.ts';
import { snapshotOf } from '../../../support/audit/audit.ts';
import { failure, html, type SiteAnswer, type SiteMap } from '../../../support/audit/site-fetch.ts';
import { pageOf, prose } from '../../../support/audit/pages.ts';
import { judgeCheck, type Row, testCheck } from '../../../support/audit/judge-check.ts';

const cited = (...hrefs: readonly string[]): string =>
  pageOf(
    `<main><h1>Lamps</h1>${prose(200)}${hrefs.map((href) => `<p>See <a href="${href}">the study</a>.</p>`).join('')}</main>`,
  );

describe('geo.evidence.authoritative-domains', () => {
  const rows: readonly Row<readonly string[]>[] = [
    ['a study by its DOI', ['https://blog.test/a', 'https://doi.org/10.1000/1'], 'pass', /1 link of 2/],
    ['an encyclopaedia and a blog', ['https://en.wikipedia.org/wiki/Lamp', 'https://blog.test/a'], 'fail'],
    ['no citation', [], 'not_applicable'],
  ];
  testCheck('geo.evidence.authoritative-domains', rows, { site: (hrefs) => cited(...hrefs), seen: 200 });

  test.each([
    ['https://www.nist.gov/x', true],
    ['https://www.gov.uk/x', true],
    ['https://data.gov.au/x', true],
    ['https://www.ox.ac.uk/x', true],
    ['https://www.mit.edu/', true],
    ['https://eur-lex.europa.eu/x', true],
    ['https://www.rfc-editor.org/rfc/rfc9110', true],
    ['https://arxiv.org/abs/2311.09735', true],
    ['https://www.who.int/x', true],
    ['https://docs.stripe.com/api', true],
    ['https://developer.mozilla.org/en-US/', true],
    ['https://docs.google.com/document/d/1', false],
    ['https://en.wikipedia.org/wiki/Lamp', false],
    ['https://gov.example.com/', false],
    ['https://edu.lamps.test/', false],
    ['https://notarxiv.org/', false],
    ['https://go.com/', false],
    ['https://ac.me/', false],
    ['https://docs.test/', false],
  ])('%s is primary: %s', (url, primary) => {
    expect(isPrimarySource(url)).toBe(primary);
  });
});

const ID = 'geo.evidence.links-resolve';
const found = html('<p>Found.</p>');
const gone = html('<p>Gone.</p>', { status: 410 });
const missing = html('<p>None.</p>', { status: 404 });
const withStatus = (status: number): SiteAnswer => html('<p>No.</p>', { status });
const [A, B, C] = ['https://a.test/1', 'https://b.test/1', 'https://c.test/1'];
const site = (answers: SiteMap, ...hrefs: readonly string[]): SiteMap => ({ '/': html(cited(...hrefs)), ...answers });

describe('geo.evidence.links-resolve', () => {
  const rows: readonly Row<SiteMap>[] = [
    ['two links that answer', site({ [A]: found, [B]: found }, A, B), 'pass', /2 of 2/],
    ['a redirect to a page', site({ [A]: { status: 301, headers: { location: B }, body: '' }, [B]: found }, A), 'pass'],
    ['one of two dead', site({ [A]: found, [B]: missing }, A, B), 'partial', /1 are dead/, { value: 0.5 }],
    ['two of three dead', site({ [A]: found, [B]: missing, [C]: gone }, A, B, C), 'fail'],
    [
      'one that answers and one that refuses us',
      site({ [A]: found, [B]: withStatus(403) }, A, B),
      'pass',
      /1 gave us no answer/,
    ],
    ['no citation', site({}), 'not_applicable'],
  ];
  testCheck(ID, rows, { seen: 200 });

  test.each<[string, SiteAnswer]>([
    ['403', withStatus(403)],
    ['429', withStatus(429)],
    ['999', withStatus(999)],
    ['503', withStatus(503)],
    ['a time-out', failure('timeout')],
    ['no connection', failure('connection_failed')],
    ['a spent budget', failure('budget_exhausted')],
  ])('a link that answers with %s is unknown, not dead', async (_name, answer) => {
    expect(await judgeCheck(ID, site({ [A]: answer }, A))).toMatchObject({ status: 'unknown' });
  });

  test('the first five links are asked with GET, at most two of one owner, each for 16 KiB', async () => {
    const hrefs = [1, 2, 3].map((n) => `https://www.a.test/${n}`).concat(B, C, 'https://d.test/', 'https://e.test/');
    const { exchanges } = await snapshotOf(site({}, 'https://a.test/0', ...hrefs), { only: ['page', 'citations'] });
    const asked = exchanges.filter(({ role }) => role.startsWith('citation:'));
    expect(asked.map(({ url, method }) => `${method} ${url}`)).toEqual(
      ['https://a.test/0', 'https://www.a.test/1', B, C, 'https://d.test/'].map((url) => `GET ${url}`),
    );
  });

  test('a site on a private host follows no link', async () => {
    const origin = 'http://127.0.0.1:8080';
    const map = site({ [A]: missing }, A);
    expect(await judgeCheck(ID, map, { at: `${origin}/` })).toMatchObject({ status: 'not_applicable' });
    const { exchanges } = await snapshotOf(map, { origin, url: `${origin}/`, only: ['page', 'citations'] });
    expect(exchanges.map(({ role }) => role)).toEqual(['page']);
  });

  test('links that were not asked are unknown', async () => {
    expect(await judgeCheck(ID, cited(A), { only: ['page'] })).toMatchObject({
      status: 'unknown',
      note: expect.stringMatching(/budget/),
    });
  });
});
