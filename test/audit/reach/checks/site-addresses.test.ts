import { testChecks } from '../../../support/audit/judge-check.ts';
import {
  failure,
  html,
  notFound,
  redirect,
  SITE,
  type SiteAnswer,
  type SiteMap,
} from '../../../support/audit/site-fetch.ts';

const canonical = (path: string): string => `<link rel="canonical" href="${URL.canParse(path) ? path : SITE + path}">`;
const alternate = (code: string, path: string): string =>
  `<link rel="alternate" hreflang="${code}" href="${URL.canParse(path) ? path : SITE + path}">`;
const page = (title: string, head: string, body = '', lang = 'en') =>
  html(
    `<!doctype html><html lang="${lang}"><head><title>${title}</title>${head}</head><body><h1>${title}</h1>${body}</body></html>`,
  );

const both = alternate('en', '/') + alternate('de', '/de/');
/** An English start page that names a German version. */
const versions = (german: SiteAnswer, head = both): SiteMap => ({ '/': page('Home', head), '/de/': german });

const links = (...paths: string[]): string => paths.map((path) => `<a href="${path}">${path.slice(1)}</a>`).join(' ');
const PATHS = ['/about', '/shop', '/contact'];
/** A start page and three others, with canonical links by path. */
const siteOf = (targets: Readonly<Record<string, string>>, titles: Readonly<Record<string, string>> = {}): SiteMap =>
  Object.fromEntries(
    ['/', ...PATHS].map((path) => [
      path,
      page(titles[path] ?? `Page ${path}`, canonical(targets[path] ?? path), links(...PATHS)),
    ]),
  );

const entries = links('/e1', '/e2', '/e3', '/e4', '/e5');
const list = (body: string): SiteMap => ({ '/': page('News', canonical('/'), entries + body) });
const withNext = (next: SiteAnswer): SiteMap => ({ ...list('<a href="/?page=2">Older</a>'), '/?page=2': next });
const second = (head: string, body = links('/e6', '/e7', '/e8', '/e9', '/e10')) => page('News 2', head, body);

testChecks({
  'aeo.index.hreflang-return': [
    ['both list both', versions(page('Start', both, '', 'de')), 'pass', /2 of 2/],
    ['the other does not link back', versions(page('Start', '', '', 'de')), 'fail', /does not link back/],
    ['the other is gone', versions(notFound), 'fail', /is not there/],
    [
      'the other names the first as its original',
      versions(page('Start', both + canonical('/'), '', 'de')),
      'fail',
      /original/,
    ],
    ['the other is in a third language', versions(page('Start', both, '', 'fr')), 'partial', /another language/],
    ['the language has a region', versions(page('Start', both, '', 'de-AT')), 'pass'],
    ['no language is said', versions(page('Start', both, '', '')), 'pass'],
    [
      'a version that redirects to itself with a slash',
      {
        '/': page('Home', alternate('en', '/') + alternate('de', '/de')),
        '/de': redirect(`${SITE}/de/`),
        '/de/': page('Start', both, '', 'de'),
      },
      'pass',
    ],
    ['no other version', { '/': page('Home', alternate('en', '/')) }, 'not_applicable'],
    ['only x-default', { '/': page('Home', alternate('x-default', '/pick')) }, 'not_applicable'],
    [
      'versions of another owner',
      { '/': page('Home', alternate('de', 'https://other.example/')) },
      'not_applicable',
      /another owner/,
    ],
    ['a version that gives no answer', versions(failure('timeout')), 'unknown'],
    ['a version that refuses us', versions(html('no', { status: 403 })), 'unknown'],
  ],
  'aeo.index.canonical-agree': [
    ['every page names itself', siteOf({}), 'pass', /4 of 4/],
    [
      'every page names the start page',
      siteOf({ '/about': '/', '/shop': '/', '/contact': '/' }),
      'partial',
      /other content/,
    ],
    ['a copy with the same heading', siteOf({ '/about': '/shop' }, { '/about': 'Shop', '/shop': 'Shop' }), 'pass'],
    [
      'a chain of copies',
      siteOf({ '/about': '/shop', '/shop': '/contact' }, { '/about': 'Shop', '/shop': 'Shop', '/contact': 'Shop' }),
      'partial',
      /names another one/,
    ],
    [
      'two pages name one that was not read',
      siteOf({ '/about': '/all', '/shop': '/all' }),
      'partial',
      /name one original/,
    ],
    [
      'a name on www among others without',
      siteOf({ '/about': 'https://www.acme.example/about' }),
      'partial',
      /more than one host/,
    ],
    ['a private host that names the public one', siteOf({}), 'pass', /./, { local: true }],
    ['a query less', { ...siteOf({}), '/about': page('About', canonical('/about')) }, 'pass'],
    ['one page', { '/': page('Home', canonical('/')) }, 'not_applicable'],
    ['no canonical links', { '/': page('Home', '', links('/about')), '/about': page('About', '') }, 'not_applicable'],
  ],
  'aeo.index.pagination': [
    ['a link to the second page, which names itself', withNext(second(canonical('/?page=2'))), 'pass'],
    ['a second page without a canonical link', withNext(second('')), 'pass'],
    ['a second page that names the first', withNext(second(canonical('/'))), 'partial', /names the first/],
    ['a second page that is gone', withNext(notFound), 'partial', /not there/],
    [
      'a second page with the links of the first',
      withNext(second(canonical('/?page=2'), `${entries}<a href="/?page=2">Older</a>`)),
      'partial',
      /same links/,
    ],
    [
      'a second page that is not to be indexed',
      withNext(second('<meta name="robots" content="noindex">')),
      'partial',
      /excluded from indexes/,
    ],
    ['a second page that refuses us', withNext(html('no', { status: 403 })), 'pass', /1 of 1/],
    [
      'a second page by its path',
      { '/': page('News', '', `${entries}<a href="/page/2/">2</a>`), '/page/2/': second(canonical('/page/2/')) },
      'pass',
    ],
    [
      'rel=next in the head',
      { '/': page('News', '<link rel="next" href="/?p=2">', entries), '/?p=2': second('') },
      'pass',
    ],
    ['a button that loads more', list('<button type="button">Load more</button>'), 'fail', /press of a button/],
    ['a German button', list('<div onclick="more()" role="button">Mehr laden</div>'), 'fail'],
    ['a link that only a script follows', list('<a href="#">Show more posts</a>'), 'fail'],
    [
      'more of many articles',
      list(`<article></article><article></article><article></article><a href="#">Show more</a>`),
      'fail',
    ],
    ['the rest of a text', list('<button type="button">Show more</button>'), 'not_applicable'],
    ['options of sharing', list('<button type="button">Show more sharing options</button>'), 'not_applicable'],
    ['more comments', list('<button type="button">Load more comments</button>'), 'not_applicable'],
    ['weitere Artikel', list('<button type="button">Weitere Artikel laden</button>'), 'fail'],
    [
      'a button beside a link to the next page',
      { ...list('<button type="button">Load more</button><a href="/?page=2">Older</a>'), '/?page=2': second('') },
      'pass',
    ],
    ['a button of a form', list('<form action="/x"><button>Show more</button></form>'), 'not_applicable'],
    [
      'a button that says more about something',
      list('<button type="button">Show more offers of our partners in the region</button>'),
      'not_applicable',
    ],
    ['no list in pages', list(''), 'not_applicable'],
  ],
});
