import { describe, expect, test } from 'vitest';
import { snapshotOf } from '../../../support/audit/audit.ts';
import { failure, html, notFound, type SiteAnswer } from '../../../support/audit/site-fetch.ts';
import { judgeCheck, testChecks } from '../../../support/audit/judge-check.ts';
import { mainPage, pageOf, prose, schemaGraph } from '../../../support/audit/pages.ts';

const NEWS = { '@type': 'NewsArticle', headline: 'Lamps' };

const QUOTE = 'This lamp has changed the way in which I read at night';

testChecks<string>(
  {
    'geo.trust.editorial': [
      [
        'publishingPrinciples of the publisher',
        mainPage(
          '',
          schemaGraph(NEWS, { '@type': 'NewsMediaOrganization', name: 'Acme', publishingPrinciples: '/rules' }),
        ),
        'pass',
      ],
      ['a link "Corrections"', mainPage('<a href="/c">Corrections policy</a>', schemaGraph(NEWS)), 'pass'],
      ['a German link', mainPage('<a href="/r">Redaktionelle Richtlinien</a>', schemaGraph(NEWS)), 'pass'],
      ['a path of news without a policy', mainPage(''), 'fail', undefined, { at: '/news/lamps' }],
      ['news without a policy', mainPage('<a href="/x">Contact the editor</a>', schemaGraph(NEWS)), 'fail'],
      ['no news', mainPage(prose(60)), 'not_applicable'],
    ],
    'geo.trust.reviews': [
      [
        'a link to a review platform',
        mainPage('<a href="https://www.trustpilot.com/review/acme.example">Reviews</a>'),
        'pass',
      ],
      ['a link to a place on a map', mainPage('<a href="https://www.google.com/maps/place/Acme">Map</a>'), 'pass'],
      ['a quotation with a name', mainPage(`${prose(60)}<blockquote>${QUOTE} — Ada Byron</blockquote>`), 'pass'],
      [
        'a review in structured data that the page shows',
        mainPage(
          `<p>${QUOTE}</p>`,
          schemaGraph({ '@type': 'Review', author: { '@type': 'Person', name: 'Ada Byron' }, reviewBody: QUOTE }),
        ),
        'pass',
      ],
      [
        'a review that only structured data holds',
        mainPage(
          prose(60),
          schemaGraph({ '@type': 'Review', author: { '@type': 'Person', name: 'Ada Byron' }, reviewBody: QUOTE }),
        ),
        'fail',
      ],
      ['a quotation of nobody', mainPage(`${prose(60)}<blockquote>${QUOTE}</blockquote>`), 'fail'],
      ['a page of documentation', mainPage(prose(60)), 'not_applicable', undefined, { at: '/docs/lamps' }],
      ['an API', mainPage(prose(60)), 'not_applicable', undefined, { profile: 'api' }],
      ['news', mainPage(prose(60), schemaGraph(NEWS)), 'not_applicable'],
    ],
    'geo.trust.license': [
      [
        'a public licence by its address',
        mainPage('', '<link rel="license" href="https://creativecommons.org/licenses/by/4.0/">'),
        'pass',
        /public licence/,
      ],
      [
        'a link in the footer',
        mainPage('<a rel="license" href="https://creativecommons.org/publicdomain/zero/1.0/">CC0</a>'),
        'pass',
      ],
      [
        'structured data',
        mainPage('', schemaGraph({ '@type': 'Article', license: 'https://spdx.org/licenses/CC-BY-4.0' })),
        'pass',
      ],
      [
        'a licence in words',
        mainPage('', schemaGraph({ '@type': 'Article', license: 'CC BY 4.0' })),
        'partial',
        undefined,
        { value: 0.5 },
      ],
      ['none', mainPage(prose(60)), 'not_applicable'],
      [
        'machine-readable terms, which another check reads',
        mainPage('', '<link rel="license" type="application/rsl+xml" href="/license.xml">'),
        'not_applicable',
      ],
    ],
  },
  { seen: 200 },
);

describe('geo.trust.license of a site', () => {
  const ID = 'geo.trust.license';
  const home = (href: string) => ({ '/': html(mainPage('', `<link rel="license" href="${href}">`)) });

  test('an own licence that answers passes', async () => {
    expect(await judgeCheck(ID, { ...home('/licence'), '/licence': html(pageOf('<p>Copy it.</p>')) })).toMatchObject({
      status: 'pass',
    });
  });

  test.each<[string, string, SiteAnswer]>([
    ['an own licence that is not there', '/licence', notFound],
    ['a made-up licence of Creative Commons', 'https://creativecommons.org/licenses/by-xx/9.0/', notFound],
  ])('%s fails', async (_name, href, answer) => {
    expect(await judgeCheck(ID, { ...home(href), [href]: answer })).toMatchObject({
      status: 'fail',
      note: 'The address of the licence answers 404.',
    });
  });

  test.each<[string, SiteAnswer]>([
    ['a refusal', html('', { status: 403 })],
    ['a time-out', failure('timeout')],
  ])('%s is unknown', async (_name, answer) => {
    expect(await judgeCheck(ID, { ...home('/licence'), '/licence': answer })).toMatchObject({ status: 'unknown' });
  });

  test('a known licence costs no request, another one costs one', async () => {
    const asked = async (href: string): Promise<readonly string[]> =>
      (await snapshotOf(home(href), { only: ['page', 'licence'] })).exchanges.map(({ role }) => role);
    expect(await asked('https://creativecommons.org/licenses/by/4.0/')).toEqual(['control', 'page']);
    expect(await asked('https://licences.test/own')).toEqual(['control', 'licence', 'page']);
  });

  test('a foreign licence is not asked from a private host', async () => {
    const origin = 'http://127.0.0.1:8080';
    expect(await judgeCheck(ID, home('https://licences.test/own'), { at: `${origin}/` })).toMatchObject({
      status: 'not_applicable',
    });
  });
});
