import { describe, expect, test } from 'vitest';
import { outcomeOf as outcomeOfSite, snapshotOf } from '../../../support/audit/audit.ts';
import {
  type ExpectedOutcome,
  jsonLd,
  judgePage,
  outcomeOf,
  pageOf,
  type PageOptions,
  prose,
} from '../../../support/audit/judge-page.ts';
import { failure, html, notFound, type SiteAnswer } from '../../../support/audit/site-fetch.ts';

type Row = ExpectedOutcome & { name: string; page: string; options?: PageOptions };

const schema = (...nodes: readonly object[]): string => jsonLd({ '@context': 'https://schema.org', '@graph': nodes });
const main = (body: string, head = ''): string => pageOf(`<main><h1>Lamps</h1>${body}</main>`, head);
const NEWS = { '@type': 'NewsArticle', headline: 'Lamps' };
const QUOTE = 'This lamp has changed the way in which I read at night';

const rows: Readonly<Record<string, readonly Row[]>> = {
  'geo.trust.editorial': [
    {
      name: 'publishingPrinciples of the publisher',
      page: main('', schema(NEWS, { '@type': 'NewsMediaOrganization', name: 'Acme', publishingPrinciples: '/rules' })),
      gives: 'pass',
    },
    { name: 'a link "Corrections"', page: main('<a href="/c">Corrections policy</a>', schema(NEWS)), gives: 'pass' },
    { name: 'a German link', page: main('<a href="/r">Redaktionelle Richtlinien</a>', schema(NEWS)), gives: 'pass' },
    { name: 'a path of news without a policy', page: main(''), options: { path: '/news/lamps' }, gives: 'fail' },
    { name: 'news without a policy', page: main('<a href="/x">Contact the editor</a>', schema(NEWS)), gives: 'fail' },
    { name: 'no news', page: main(prose(60)), gives: 'not_applicable' },
  ],
  'geo.trust.reviews': [
    {
      name: 'a link to a review platform',
      page: main('<a href="https://www.trustpilot.com/review/acme.example">Reviews</a>'),
      gives: 'pass',
    },
    {
      name: 'a link to a place on a map',
      page: main('<a href="https://www.google.com/maps/place/Acme">Map</a>'),
      gives: 'pass',
    },
    {
      name: 'a quotation with a name',
      page: main(`${prose(60)}<blockquote>${QUOTE} — Ada Byron</blockquote>`),
      gives: 'pass',
    },
    {
      name: 'a review in structured data that the page shows',
      page: main(
        `<p>${QUOTE}</p>`,
        schema({ '@type': 'Review', author: { '@type': 'Person', name: 'Ada Byron' }, reviewBody: QUOTE }),
      ),
      gives: 'pass',
    },
    {
      name: 'a review that only structured data holds',
      page: main(
        prose(60),
        schema({ '@type': 'Review', author: { '@type': 'Person', name: 'Ada Byron' }, reviewBody: QUOTE }),
      ),
      gives: 'fail',
    },
    { name: 'a quotation of nobody', page: main(`${prose(60)}<blockquote>${QUOTE}</blockquote>`), gives: 'fail' },
    {
      name: 'a page of documentation',
      page: main(prose(60)),
      options: { path: '/docs/lamps' },
      gives: 'not_applicable',
    },
    { name: 'an API', page: main(prose(60)), options: { profile: 'api' }, gives: 'not_applicable' },
    { name: 'news', page: main(prose(60), schema(NEWS)), gives: 'not_applicable' },
  ],
  'geo.trust.license': [
    {
      name: 'a public licence by its address',
      page: main('', '<link rel="license" href="https://creativecommons.org/licenses/by/4.0/">'),
      gives: 'pass',
      note: /public licence/,
    },
    {
      name: 'a link in the footer',
      page: main('<a rel="license" href="https://creativecommons.org/publicdomain/zero/1.0/">CC0</a>'),
      gives: 'pass',
    },
    {
      name: 'structured data',
      page: main('', schema({ '@type': 'Article', license: 'https://spdx.org/licenses/CC-BY-4.0' })),
      gives: 'pass',
    },
    {
      name: 'a licence in words',
      page: main('', schema({ '@type': 'Article', license: 'CC BY 4.0' })),
      gives: 'partial',
      value: 0.5,
    },
    { name: 'none', page: main(prose(60)), gives: 'not_applicable' },
    {
      name: 'machine-readable terms, which another check reads',
      page: main('', '<link rel="license" type="application/rsl+xml" href="/license.xml">'),
      gives: 'not_applicable',
    },
  ],
};

describe.each(Object.entries(rows))('%s', (id, cases) => {
  test.each(cases)('$name gives $gives', async ({ page, options, ...expected }) => {
    expect(await judgePage(id, page, options)).toMatchObject(outcomeOf(expected));
  });
});

describe('geo.trust.license of a site', () => {
  const ID = 'geo.trust.license';
  const home = (href: string) => ({ '/': html(main('', `<link rel="license" href="${href}">`)) });

  test('an own licence that answers passes', async () => {
    expect(await outcomeOfSite(ID, { ...home('/licence'), '/licence': html(pageOf('<p>Copy it.</p>')) })).toMatchObject(
      { status: 'pass' },
    );
  });

  test.each<[string, string, SiteAnswer]>([
    ['an own licence that is not there', '/licence', notFound],
    ['a made-up licence of Creative Commons', 'https://creativecommons.org/licenses/by-xx/9.0/', notFound],
  ])('%s fails', async (_name, href, answer) => {
    expect(await outcomeOfSite(ID, { ...home(href), [href]: answer })).toMatchObject({
      status: 'fail',
      note: 'The address of the licence answers 404.',
    });
  });

  test.each<[string, SiteAnswer]>([
    ['a refusal', html('', { status: 403 })],
    ['a time-out', failure('timeout')],
  ])('%s is unknown', async (_name, answer) => {
    expect(await outcomeOfSite(ID, { ...home('/licence'), '/licence': answer })).toMatchObject({ status: 'unknown' });
  });

  test('a known licence costs no request, another one costs one', async () => {
    const asked = async (href: string): Promise<readonly string[]> =>
      (await snapshotOf(home(href), { only: ['page', 'licence'] })).exchanges.map(({ role }) => role);
    expect(await asked('https://creativecommons.org/licenses/by/4.0/')).toEqual(['control', 'page']);
    expect(await asked('https://licences.test/own')).toEqual(['control', 'licence', 'page']);
  });

  test('a foreign licence is not asked from a private host', async () => {
    const origin = 'http://127.0.0.1:8080';
    expect(await outcomeOfSite(ID, home('https://licences.test/own'), { origin, url: `${origin}/` })).toMatchObject({
      status: 'not_applicable',
    });
  });
});
