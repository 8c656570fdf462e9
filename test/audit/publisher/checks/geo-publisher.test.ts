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
import { failure, html, notFound, SITE, type SiteAnswer, type SiteMap } from '../../../support/audit/site-fetch.ts';

const schema = (...nodes: readonly object[]): string => jsonLd({ '@context': 'https://schema.org', '@graph': nodes });
const ORGANIZATION = { '@type': 'Organization', '@id': '/#org', name: 'Acme', url: '/' };
const article = (rest: object): object => ({ '@type': 'Article', headline: 'Lamps', ...rest });
const main = (body: string, head = ''): string => pageOf(`<main><h1>Lamps</h1>${body}</main>`, head);

describe('geo.entity.publisher', () => {
  const rows: readonly (ExpectedOutcome & { name: string; nodes: readonly object[] })[] = [
    { name: 'an @id that resolves', nodes: [ORGANIZATION, article({ publisher: { '@id': '/#org' } })], gives: 'pass' },
    { name: 'a whole node', nodes: [article({ publisher: ORGANIZATION })], gives: 'pass' },
    {
      name: 'a person who publishes',
      nodes: [article({ publisher: { '@type': 'Person', name: 'Ada Byron', url: '/ada' } })],
      gives: 'pass',
    },
    {
      name: 'a node with a name only',
      nodes: [article({ publisher: { '@type': 'Organization', name: 'Acme' } })],
      gives: 'partial',
      value: 0.5,
    },
    { name: 'a name in words', nodes: [article({ publisher: 'Acme' })], gives: 'partial', value: 0.5 },
    { name: 'an @id that nobody describes', nodes: [article({ publisher: { '@id': '/#none' } })], gives: 'fail' },
    {
      name: 'an @id of something else',
      nodes: [{ '@type': 'WebSite', '@id': '/#site', name: 'Acme' }, article({ publisher: { '@id': '/#site' } })],
      gives: 'fail',
    },
    { name: 'no publisher', nodes: [ORGANIZATION, article({})], gives: 'fail' },
    { name: 'no article', nodes: [ORGANIZATION], gives: 'not_applicable' },
  ];
  test.each(rows)('$name gives $gives', async ({ nodes, ...expected }) => {
    expect(await judgePage('geo.entity.publisher', main('', schema(...nodes)))).toMatchObject(outcomeOf(expected));
  });
});

describe('geo.entity.author-page', () => {
  const ID = 'geo.entity.author-page';
  const bio = html(main(`<p>Ada Byron builds lamps.</p>${prose(60)}`));
  const by = (url: string, name = 'Ada Byron'): SiteMap => ({
    '/': html(main(prose(60), schema(article({ author: { '@type': 'Person', name, url } })))),
  });
  const rows: readonly (ExpectedOutcome & { name: string; map: SiteMap })[] = [
    { name: 'a bio that names the author', map: { ...by('/ada'), '/ada': bio }, gives: 'pass' },
    {
      name: 'a rel=author link',
      map: { '/': html(main('<p>By <a rel="author" href="/ada">Ada Byron</a></p>')), '/ada': bio },
      gives: 'pass',
    },
    {
      name: 'a short profile on another site',
      map: { ...by('https://git.test/ada'), 'https://git.test/ada': html(pageOf('<p>Ada Byron</p>')) },
      gives: 'pass',
    },
    {
      name: 'a bio of somebody else',
      map: { ...by('/ada', 'Carl Gauss'), '/ada': bio },
      gives: 'partial',
      note: /not named/,
    },
    {
      name: 'a page with the name only',
      map: { ...by('/ada'), '/ada': html(main('<p>Ada Byron</p>')) },
      gives: 'partial',
    },
    { name: 'an empty page', map: { ...by('/ada'), '/ada': html(main('<p>Team</p>')) }, gives: 'fail' },
    {
      name: 'no author url',
      map: { '/': html(main(prose(60), schema(article({ author: 'Ada Byron' })))) },
      gives: 'not_applicable',
    },
  ];
  test.each(rows)('$name gives $gives', async ({ map, ...expected }) => {
    expect(await outcomeOfSite(ID, map)).toMatchObject(outcomeOf(expected));
  });

  test('a bio that answers 404 fails', async () => {
    expect(await outcomeOfSite(ID, { ...by('/ada'), '/ada': notFound })).toMatchObject({
      status: 'fail',
      note: 'The author page answers 404.',
    });
  });

  test('a site that answers every path with the same page has no bio', async () => {
    const control = (await snapshotOf(by('/ada'), { only: ['control'] })).exchanges.find(
      ({ role }) => role === 'control',
    );
    const map = { ...by('/ada'), '/ada': bio, [new URL(control?.url ?? '').pathname]: bio };
    expect(await outcomeOfSite(ID, map)).toMatchObject({ status: 'fail', note: expect.stringMatching(/any path/) });
  });

  test.each<[string, SiteAnswer]>([
    ['a refusal', html('', { status: 403 })],
    ['a fault', html('', { status: 502 })],
    ['a time-out', failure('timeout')],
  ])('%s is unknown', async (_name, answer) => {
    expect(await outcomeOfSite(ID, { ...by('/ada'), '/ada': answer })).toMatchObject({ status: 'unknown' });
  });

  test('a profile on another site is not asked from a private host', async () => {
    const origin = 'http://localhost:8080';
    expect(await outcomeOfSite(ID, by('https://git.test/ada'), { origin, url: `${origin}/` })).toMatchObject({
      status: 'not_applicable',
    });
  });

  test('the request is shared with the sample', async () => {
    const { exchanges } = await snapshotOf({
      ...by(`${SITE}/ada`),
      '/ada': bio,
      '/sitemap.xml': {
        status: 200,
        headers: { 'content-type': 'application/xml' },
        body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${SITE}/ada</loc></url></urlset>`,
      },
    });
    expect(exchanges.find(({ role }) => role === 'sample:0')?.sameAs).toBe('author');
  });
});

describe('geo.entity.contact-verifiable', () => {
  const ID = 'geo.entity.contact-verifiable';
  const contact = (point: object): string =>
    schema({ ...ORGANIZATION, contactPoint: { '@type': 'ContactPoint', ...point } });
  const rows: readonly (ExpectedOutcome & { name: string; page: string; more?: SiteMap; options?: PageOptions })[] = [
    { name: 'a telephone link', page: main('<p><a href="tel:+49 30 1234567">Call us</a></p>'), gives: 'pass' },
    { name: 'a mail link', page: main('<p><a href="mailto:hello@acme.example">Write</a></p>'), gives: 'pass' },
    {
      name: 'a ContactPoint that the text repeats',
      page: main('<p>Call 030 / 123 45 67.</p>', contact({ telephone: '+49-30-1234567' })),
      gives: 'pass',
    },
    {
      name: 'a PostalAddress that the text repeats',
      page: main(
        '<p>Lampenweg 7, Berlin</p>',
        schema({ ...ORGANIZATION, address: { '@type': 'PostalAddress', streetAddress: 'Lampenweg 7' } }),
      ),
      gives: 'pass',
    },
    {
      name: 'a mail link on the contact page',
      page: main('<a href="/contact">Contact</a>'),
      more: { '/contact': html(main('<a href="mailto:hello@acme.example">Write</a>')) },
      gives: 'pass',
    },
    {
      name: 'a ContactPoint that the text does not show',
      page: main('<p>Hello.</p>', contact({ email: 'x@acme.example' })),
      gives: 'partial',
      value: 0.5,
    },
    {
      name: 'an address without a link',
      page: main('<p>Write to hello@acme.example.</p>'),
      gives: 'partial',
      note: /no link/,
    },
    { name: 'a share link without an address', page: main('<a href="mailto:?subject=Lamps">Share</a>'), gives: 'fail' },
    {
      name: 'an address that only a script can decode',
      page: main('<a href="/cdn-cgi/l/email-protection#ab">[email protected]</a>'),
      gives: 'fail',
      note: /script/,
    },
    { name: 'a hidden telephone link', page: main('<p hidden><a href="tel:+49301234567">Call</a></p>'), gives: 'fail' },
    { name: 'nothing', page: main(prose(60)), gives: 'fail' },
    { name: 'documentation', page: main(prose(60)), options: { profile: 'docs' }, gives: 'not_applicable' },
  ];
  test.each(rows)('$name gives $gives', async ({ page, more, options, ...expected }) => {
    const outcome = await judgePage(ID, page, { only: ['page', 'about'], ...(more ? { more } : {}), ...options });
    expect(outcome).toMatchObject(outcomeOf(expected));
  });

  test('a linked contact page that could not be read makes it unknown', async () => {
    const page = main('<a href="/contact">Contact</a>');
    expect(await judgePage(ID, page)).toMatchObject({ status: 'unknown' });
    expect(
      await judgePage(ID, page, { only: ['page', 'about'], more: { '/contact': failure('timeout') } }),
    ).toMatchObject({ status: 'unknown' });
  });
});

describe('geo.entity.first-person-about', () => {
  const ID = 'geo.entity.first-person-about';
  const home = main('<a href="/about">About us</a>', schema(ORGANIZATION));
  const about = (text: string, head = ''): SiteMap => ({
    '/about': html(pageOf(`<main><h1>About</h1><p>${text}</p></main><footer>© 2026 Lamps Ltd</footer>`, head)),
  });
  const rows: readonly (ExpectedOutcome & { name: string; page?: string; more: SiteMap })[] = [
    { name: 'name and year', more: about('Acme has made lamps since 1978.'), gives: 'pass', note: /year/ },
    { name: 'name and founder', more: about('Acme was founded by Ada Byron.'), gives: 'pass', note: /founder/ },
    { name: 'name and place', more: about('Acme is a workshop based in Berlin.'), gives: 'pass', note: /place/ },
    {
      name: 'German',
      more: about('Acme wurde 1978 in einem Keller von Ada gegründet. Inhaberin: Ada Byron, Lampenstraße 7.'),
      gives: 'pass',
      note: /founder, place/,
    },
    { name: 'Japanese', more: about('Acmeは1978年に東京で設立されました。'), gives: 'pass', note: /year/ },
    { name: 'name only', more: about('Acme loves lamps.'), gives: 'partial', value: 0.5 },
    {
      name: 'year only',
      more: about('We have made lamps since 1978.'),
      gives: 'partial',
      value: 0.5,
      note: /does not name/,
    },
    { name: 'a year that is only in the footer', more: about('Acme loves lamps.'), gives: 'partial', note: /no year/ },
    { name: 'neither', more: about('We love lamps.'), gives: 'fail' },
    { name: 'no About page linked', page: main(prose(60)), more: {}, gives: 'not_applicable' },
    { name: 'a link that leads nowhere', more: {}, gives: 'not_applicable', note: /aeo\.trust\.about-contact/ },
  ];
  test.each(rows)('$name gives $gives', async ({ page, more, ...expected }) => {
    expect(await judgePage(ID, page ?? home, { only: ['page', 'about', 'control'], more })).toMatchObject(
      outcomeOf(expected),
    );
  });

  test.each<[string, SiteAnswer]>([
    ['a refusal', html('', { status: 403 })],
    ['a time-out', failure('timeout')],
  ])('%s is unknown', async (_name, answer) => {
    expect(await judgePage(ID, home, { only: ['page', 'about'], more: { '/about': answer } })).toMatchObject({
      status: 'unknown',
    });
  });

  test('a page that was not asked is unknown', async () => {
    expect(await judgePage(ID, home)).toMatchObject({ status: 'unknown', note: expect.stringMatching(/budget/) });
  });

  test.each([
    ['<a href="/uber-uns">Mehr</a>', '/uber-uns'],
    ['<a href="/x">Über uns</a>', '/x'],
    ['<a href="/x">会社概要</a>', '/x'],
    ['<a href="/x">About Acme</a>', '/x'],
    ['<a href="/about/careers">Careers</a>', undefined],
    ['<a href="https://other.test/about">About</a>', undefined],
    ['<a href="/x">About our new lamps and how we made them</a>', undefined],
    ['<p hidden><a href="/about">About</a></p>', undefined],
  ])('%s names the About page %s', async (body, path) => {
    const { exchanges } = await snapshotOf({ '/': html(main(body)) }, { only: ['page', 'about'] });
    expect(exchanges.filter(({ role }) => role === 'about').map(({ url }) => new URL(url).pathname)).toEqual(
      path === undefined ? [] : [path],
    );
  });
});
