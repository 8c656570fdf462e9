import { describe, expect, test } from 'vitest';
import { snapshotOf } from '../../../support/audit/audit.ts';
import { failure, html, notFound, SITE, type SiteAnswer, type SiteMap } from '../../../support/audit/site-fetch.ts';
import { judgeCheck, type Row, testCheck } from '../../../support/audit/judge-check.ts';
import { mainPage, pageOf, prose, schemaGraph } from '../../../support/audit/pages.ts';

const ORGANIZATION = { '@type': 'Organization', '@id': '/#org', name: 'Acme', url: '/' };

const article = (rest: object): object => ({ '@type': 'Article', headline: 'Lamps', ...rest });

describe('geo.entity.publisher', () => {
  const rows: readonly Row<readonly object[]>[] = [
    ['an @id that resolves', [ORGANIZATION, article({ publisher: { '@id': '/#org' } })], 'pass'],
    ['a whole node', [article({ publisher: ORGANIZATION })], 'pass'],
    ['a person who publishes', [article({ publisher: { '@type': 'Person', name: 'Ada Byron', url: '/ada' } })], 'pass'],
    [
      'a node with a name only',
      [article({ publisher: { '@type': 'Organization', name: 'Acme' } })],
      'partial',
      undefined,
      { value: 0.5 },
    ],
    ['a name in words', [article({ publisher: 'Acme' })], 'partial', undefined, { value: 0.5 }],
    ['an @id that nobody describes', [article({ publisher: { '@id': '/#none' } })], 'fail'],
    [
      'an @id of something else',
      [{ '@type': 'WebSite', '@id': '/#site', name: 'Acme' }, article({ publisher: { '@id': '/#site' } })],
      'fail',
    ],
    ['no publisher', [ORGANIZATION, article({})], 'fail'],
    ['no article', [ORGANIZATION], 'not_applicable'],
  ];
  testCheck('geo.entity.publisher', rows, { site: (nodes) => mainPage('', schemaGraph(...nodes)), seen: 200 });
});

describe('geo.entity.author-page', () => {
  const ID = 'geo.entity.author-page';
  const bio = html(mainPage(`<p>Ada Byron builds lamps.</p>${prose(60)}`));
  const by = (url: string, name = 'Ada Byron'): SiteMap => ({
    '/': html(mainPage(prose(60), schemaGraph(article({ author: { '@type': 'Person', name, url } })))),
  });
  const rows: readonly Row<SiteMap>[] = [
    ['a bio that names the author', { ...by('/ada'), '/ada': bio }, 'pass'],
    [
      'a rel=author link',
      { '/': html(mainPage('<p>By <a rel="author" href="/ada">Ada Byron</a></p>')), '/ada': bio },
      'pass',
    ],
    [
      'a short profile on another site',
      { ...by('https://git.test/ada'), 'https://git.test/ada': html(pageOf('<p>Ada Byron</p>')) },
      'pass',
    ],
    ['a bio of somebody else', { ...by('/ada', 'Carl Gauss'), '/ada': bio }, 'partial', /not named/],
    ['a page with the name only', { ...by('/ada'), '/ada': html(mainPage('<p>Ada Byron</p>')) }, 'partial'],
    ['an empty page', { ...by('/ada'), '/ada': html(mainPage('<p>Team</p>')) }, 'fail'],
    [
      'no author url',
      { '/': html(mainPage(prose(60), schemaGraph(article({ author: 'Ada Byron' })))) },
      'not_applicable',
    ],
  ];
  testCheck(ID, rows, { seen: 200 });

  describe('where only a sampled page names its author', () => {
    const site = (bios: SiteMap, start = ''): SiteMap => ({
      '/': html(mainPage(`<p><a href="/lamps">Lamps of the harbour</a>${start}</p>`)),
      '/lamps': html(mainPage('<p>By <a rel="author" href="/ada">Ada Byron</a></p>')),
      ...bios,
    });

    test.each<[string, SiteMap, object]>([
      ['its bio passes', site({ '/ada': bio }), { status: 'pass' }],
      ['a dead link fails', site({ '/ada': notFound }), { status: 'fail', note: 'The author page answers 404.' }],
      [
        'a page that the sample has is asked no second time',
        site({ '/ada': notFound }, '<a href="/ada">Ada</a>'),
        { status: 'not_applicable' },
      ],
    ])('%s', async (_name, map, expected) => {
      expect(await judgeCheck(ID, map)).toMatchObject(expected);
    });
  });

  test('a bio that answers 404 fails', async () => {
    expect(await judgeCheck(ID, { ...by('/ada'), '/ada': notFound })).toMatchObject({
      status: 'fail',
      note: 'The author page answers 404.',
    });
  });

  test('a site that answers every path with the same page has no bio', async () => {
    const control = (await snapshotOf(by('/ada'), { only: ['control'] })).exchanges.find(
      ({ role }) => role === 'control',
    );
    const map = { ...by('/ada'), '/ada': bio, [new URL(control?.url ?? '').pathname]: bio };
    expect(await judgeCheck(ID, map)).toMatchObject({ status: 'fail', note: expect.stringMatching(/any path/) });
  });

  test.each<[string, SiteAnswer]>([
    ['a refusal', html('', { status: 403 })],
    ['a fault', html('', { status: 502 })],
    ['a time-out', failure('timeout')],
  ])('%s is unknown', async (_name, answer) => {
    expect(await judgeCheck(ID, { ...by('/ada'), '/ada': answer })).toMatchObject({ status: 'unknown' });
  });

  test('a profile on another site is not asked from a private host', async () => {
    const origin = 'http://localhost:8080';
    expect(await judgeCheck(ID, by('https://git.test/ada'), { at: `${origin}/` })).toMatchObject({
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
    schemaGraph({ ...ORGANIZATION, contactPoint: { '@type': 'ContactPoint', ...point } });
  const rows: readonly Row<{ page: string; more?: SiteMap }>[] = [
    ['a telephone link', { page: mainPage('<p><a href="tel:+49 30 1234567">Call us</a></p>') }, 'pass'],
    ['a mail link', { page: mainPage('<p><a href="mailto:hello@acme.example">Write</a></p>') }, 'pass'],
    [
      'a ContactPoint that the text repeats',
      { page: mainPage('<p>Call 030 / 123 45 67.</p>', contact({ telephone: '+49-30-1234567' })) },
      'pass',
    ],
    [
      'a PostalAddress that the text repeats',
      {
        page: mainPage(
          '<p>Lampenweg 7, Berlin</p>',
          schemaGraph({ ...ORGANIZATION, address: { '@type': 'PostalAddress', streetAddress: 'Lampenweg 7' } }),
        ),
      },
      'pass',
    ],
    [
      'a mail link on the contact page',
      {
        page: mainPage('<a href="/contact">Contact</a>'),
        more: { '/contact': html(mainPage('<a href="mailto:hello@acme.example">Write</a>')) },
      },
      'pass',
    ],
    [
      'a ContactPoint that the text does not show',
      { page: mainPage('<p>Hello.</p>', contact({ email: 'x@acme.example' })) },
      'partial',
      undefined,
      { value: 0.5 },
    ],
    ['an address without a link', { page: mainPage('<p>Write to hello@acme.example.</p>') }, 'partial', /no link/],
    ['a share link without an address', { page: mainPage('<a href="mailto:?subject=Lamps">Share</a>') }, 'fail'],
    [
      'an address that only a script can decode',
      { page: mainPage('<a href="/cdn-cgi/l/email-protection#ab">[email protected]</a>') },
      'fail',
      /script/,
    ],
    ['a hidden telephone link', { page: mainPage('<p hidden><a href="tel:+49301234567">Call</a></p>') }, 'fail'],
    ['nothing', { page: mainPage(prose(60)) }, 'fail'],
    ['documentation', { page: mainPage(prose(60)) }, 'not_applicable', undefined, { profile: 'docs' }],
  ];
  testCheck(ID, rows, { site: ({ page, more = {} }) => ({ '/': html(page), ...more }), seen: 200 });

  test('a linked contact page that could not be read makes it unknown', async () => {
    const page = mainPage('<a href="/contact">Contact</a>');
    expect(await judgeCheck(ID, page, { only: ['page'] })).toMatchObject({ status: 'unknown' });
    expect(await judgeCheck(ID, { '/': html(page), '/contact': failure('timeout') })).toMatchObject({
      status: 'unknown',
    });
  });
});

describe('geo.entity.first-person-about', () => {
  const ID = 'geo.entity.first-person-about';
  const home = mainPage('<a href="/about">About us</a>', schemaGraph(ORGANIZATION));
  const about = (text: string, head = ''): SiteMap => ({
    '/about': html(pageOf(`<main><h1>About</h1><p>${text}</p></main><footer>© 2026 Lamps Ltd</footer>`, head)),
  });
  const rows: readonly Row<{ page?: string; more: SiteMap }>[] = [
    ['name and year', { more: about('Acme has made lamps since 1978.') }, 'pass', /year/],
    ['name and founder', { more: about('Acme was founded by Ada Byron.') }, 'pass', /founder/],
    ['name and place', { more: about('Acme is a workshop based in Berlin.') }, 'pass', /place/],
    [
      'German',
      { more: about('Acme wurde 1978 in einem Keller von Ada gegründet. Inhaberin: Ada Byron, Lampenstraße 7.') },
      'pass',
      /founder, place/,
    ],
    ['Japanese', { more: about('Acmeは1978年に東京で設立されました。') }, 'pass', /year/],
    ['name only', { more: about('Acme loves lamps.') }, 'partial', undefined, { value: 0.5 }],
    ['year only', { more: about('We have made lamps since 1978.') }, 'partial', /does not name/, { value: 0.5 }],
    ['a year that is only in the footer', { more: about('Acme loves lamps.') }, 'partial', /no year/],
    ['neither', { more: about('We love lamps.') }, 'fail'],
    ['no About page linked', { page: mainPage(prose(60)), more: {} }, 'not_applicable'],
    ['a link that leads nowhere', { more: {} }, 'not_applicable', /aeo\.trust\.about-contact/],
  ];
  testCheck(ID, rows, { site: ({ page = home, more }) => ({ '/': html(page), ...more }), seen: 200 });

  test.each<[string, SiteAnswer]>([
    ['a refusal', html('', { status: 403 })],
    ['a time-out', failure('timeout')],
  ])('%s is unknown', async (_name, answer) => {
    expect(await judgeCheck(ID, { '/': html(home), '/about': answer })).toMatchObject({
      status: 'unknown',
    });
  });

  test('a page that was not asked is unknown', async () => {
    expect(await judgeCheck(ID, home, { only: ['page'] })).toMatchObject({
      status: 'unknown',
      note: expect.stringMatching(/budget/),
    });
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
    const { exchanges } = await snapshotOf({ '/': html(mainPage(body)) }, { only: ['page', 'about'] });
    expect(exchanges.filter(({ role }) => role === 'about').map(({ url }) => new URL(url).pathname)).toEqual(
      path === undefined ? [] : [path],
    );
  });
});
