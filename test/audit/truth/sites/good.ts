import { createHash } from 'node:crypto';
import {
  html,
  json,
  markdown,
  type Served,
  SITE,
  type SiteAnswer,
  type SiteMap,
  text,
  xml,
} from '../../../support/audit/site-fetch.ts';
import { buildLook, buildTarget } from '../../../support/audit/looks.ts';
import * as texts from '../content/good-article.ts';
import * as documents from '../content/good-documents.ts';
import { goodTruth } from '../content/good-truth.ts';
import { jsonLd, linkList, navigation, pageHtml, sitemapXml } from '../document.ts';
import { httpsUpgrade, isBelow, type TruthSite } from '../truth-site.ts';

const NAME = 'Hollin Hill';

const header = navigation(NAME, {
  '/guides/cold-frames': 'Cold frames',
  '/guides/hotbeds': 'Hotbeds',
  '/guides/seed-trays': 'Seed trays',
  '/developers': 'Frost forecast API',
  '/about': 'About the garden',
  '/contact': 'Contact',
});

const forms = `<form action="/search" method="get" role="search" toolname="search_guides" tooldescription="Searches the guides of the garden for words.">
<label for="q">Search the guides</label>
<input id="q" name="q" type="search" toolparamdescription="Words to look for.">
<button type="submit">Search</button>
</form>
<form action="/letter" method="post">
<label for="name">Your name</label>
<input id="name" name="name" type="text" autocomplete="name">
<label for="email">Your mail address</label>
<input id="email" name="email" type="email" autocomplete="email">
<button type="submit">Get the monthly letter</button>
</form>`;

const footer = `<footer>
${linkList({ '/privacy': 'Privacy', '/terms': 'Terms of use' })}
<p>© 2026 ${NAME}. Write to <a href="mailto:post@acme.example">post@acme.example</a>.
Text under the <a rel="license" href="https://creativecommons.org/licenses/by/4.0/">Creative Commons licence</a>.</p>
</footer>`;

const openGraph = (path: string, title: string, description: string): string =>
  Object.entries({
    title,
    description,
    type: 'article',
    url: SITE + path,
    image: `${SITE}/images/cold-frame.jpg`,
    site_name: NAME,
  })
    .map(([name, value]) => `<meta property="og:${name}" content="${value}">`)
    .join('\n');

type GoodPage = { path: string; title: string; description: string; content: string; head?: string; byline?: string };

const guide: GoodPage = {
  path: '/guides/cold-frames',
  title: `Cold frames: what they do and how to build one | ${NAME}`,
  description:
    'What a cold frame is, how many degrees it gains, how to build one in an afternoon, and when to open its lid.',
  content: texts.article,
  head: [
    openGraph(
      '/guides/cold-frames',
      'Cold frames: what they do and how to build one',
      'What a cold frame is and how to build one.',
    ),
    '<meta property="article:published_time" content="2025-11-03T08:00:00Z">',
    '<meta property="article:modified_time" content="2026-10-02T09:30:00Z">',
    `<link rel="alternate" type="text/markdown" href="${SITE}/guides/cold-frames.md">`,
    `<link rel="alternate" type="application/atom+xml" title="Guides" href="${SITE}/feed.xml">`,
    `<link rel="describedby" href="${SITE}/llms.txt">`,
    '<link rel="license" href="https://creativecommons.org/licenses/by/4.0/">',
    '<link rel="stylesheet" href="/assets/site.css">',
    documents.styles,
    jsonLd(documents.graph),
  ].join('\n'),
  byline:
    '<p>By <a rel="author" href="/people/marta-lindqvist">Marta Lindqvist</a>, updated <time datetime="2026-10-02T09:30:00Z">2 October 2026</time></p>',
};

/** The way from the start page to a page two steps below it. */
const buildTrail = ({ path, title }: GoodPage): object => ({
  '@context': 'https://schema.org',
  '@type': 'BreadcrumbList',
  itemListElement: [
    { '@type': 'ListItem', position: 1, name: NAME, item: `${SITE}/` },
    { '@type': 'ListItem', position: 2, name: title, item: SITE + path },
  ],
});

/** A guide of the sample: its date stands in the page, in its structured data and in the sitemap. */
const dated = (page: GoodPage, day: string): GoodPage => ({
  ...page,
  head: [
    jsonLd({
      '@context': 'https://schema.org',
      '@type': 'Article',
      headline: page.title,
      datePublished: '2025-03-02T08:00:00Z',
      dateModified: `${day}T08:00:00Z`,
      image: `${SITE}/images/cold-frame.jpg`,
      author: { '@type': 'Person', name: 'Marta Lindqvist', url: `${SITE}/people/marta-lindqvist` },
      publisher: { '@type': 'Organization', name: NAME, url: `${SITE}/` },
    }),
    ...(page.path.split('/').length > 2 ? [jsonLd(buildTrail(page))] : []),
  ].join('\n'),
  byline: `<p>Updated <time datetime="${day}">${day}</time></p>`,
});

const others: readonly GoodPage[] = [
  dated(
    {
      path: '/',
      title: 'Hollin Hill: growing vegetables without heat',
      description: 'A trial garden in Yorkshire that publishes guides to growing early and late without heat or power.',
      content: texts.home,
    },
    '2026-09-30',
  ),
  dated(
    {
      path: '/guides/hotbeds',
      title: 'Hotbeds: warmth from below | Hollin Hill',
      description: 'How a layer of fresh manure warms a frame from below, and what to do when it stays cold or steams.',
      content: texts.hotbeds,
    },
    '2026-08-14',
  ),
  dated(
    {
      path: '/guides/seed-trays',
      title: 'Seed trays: which size for which seed | Hollin Hill',
      description: 'Which seed tray suits small seeds and which suits large ones, and how to water either without rot.',
      content: texts.seedTrays,
    },
    '2026-07-20',
  ),
  dated(
    {
      path: '/developers',
      title: 'Frost forecast API for developers | Hollin Hill',
      description:
        'How to read the chance of frost for a weather station from our open interface, with a first request.',
      content: texts.developers,
    },
    '2026-06-11',
  ),
  dated(
    {
      path: '/about',
      title: 'About the garden and its people | Hollin Hill',
      description: 'Who runs the trial garden near Settle, since when, what we grow there and who pays for the work.',
      content: texts.about,
    },
    '2026-05-02',
  ),
  dated(
    {
      path: '/people/marta-lindqvist',
      title: 'Marta Lindqvist, head gardener | Hollin Hill',
      description: 'The head gardener of Hollin Hill: where she trained, what she grows and what she writes about it.',
      content: texts.author,
    },
    '2026-04-18',
  ),
  dated(
    {
      path: '/contact',
      title: 'Contact: post, mail and telephone | Hollin Hill',
      description: 'How to reach the garden by post, mail or telephone, and on which day visitors may come by.',
      content: texts.contact,
    },
    '2026-03-09',
  ),
  {
    path: '/privacy',
    title: 'Privacy on these pages | Hollin Hill',
    description: 'Which data the server writes down, for how long it is kept, and what happens to your mail address.',
    content: texts.privacy,
    head: jsonLd({
      '@context': 'https://schema.org',
      '@type': 'WebPage',
      name: 'Privacy on these pages',
      url: `${SITE}/privacy`,
    }),
  },
  {
    path: '/terms',
    title: 'Terms of use for texts and forecast | Hollin Hill',
    description: 'What you may do with our texts and with the forecast, and what we do not promise about either.',
    content: texts.terms,
    head: jsonLd({ '@context': 'https://schema.org', '@type': 'WebPage', name: 'Terms of use', url: `${SITE}/terms` }),
  },
];

const PAGE_HEADERS = {
  'content-encoding': 'gzip',
  vary: 'Accept-Encoding, Accept',
  'cache-control': 'public, max-age=600',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'self'; style-src 'self' 'unsafe-inline'",
  link: '</openapi.json>; rel="service-desc"; type="application/openapi+json", </.well-known/api-catalog>; rel="api-catalog", </llms.txt>; rel="describedby"',
};

const PUBLIC = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=3600' };

const tagOf = (body: string): string => `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;

/** A media type's weight in an Accept header, by RFC 9110: the exact type, else its wildcards, else nothing. */
function weightOf(accept: string, type: string): number {
  const ranges = accept.split(',').map((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    return { name, q: q === undefined ? 1 : Number(q.slice(2)) };
  });
  const match = [type, 'text/*', '*/*'].flatMap((wanted) => ranges.find(({ name }) => name === wanted) ?? [])[0];
  return match?.q ?? 0;
}

/** Answers with Markdown to who prefers it, with 304 to who has the page already, else with HTML. */
function negotiated(page: GoodPage): SiteAnswer {
  const asHtml = pageHtml({ ...page, header, after: forms, footer });
  const canonical = `<${SITE}${page.path}>; rel="canonical"`;
  return ({ headers = {} }) => {
    const accept = headers['accept'] ?? '*/*';
    const wantsMarkdown = weightOf(accept, 'text/markdown') > weightOf(accept, 'text/html');
    const body = wantsMarkdown ? page.content : asHtml;
    const etag = tagOf(body);
    const known = headers['if-none-match'] === etag;
    if (known) return { status: 304, headers: { ...PAGE_HEADERS, etag }, body: '' };
    if (!wantsMarkdown) return html(asHtml, { headers: { ...PAGE_HEADERS, etag } });
    return markdown(page.content, { headers: { ...PAGE_HEADERS, etag, link: canonical } });
  };
}

const markdownCopy = (page: GoodPage): SiteAnswer =>
  markdown(page.content, { headers: { ...PUBLIC, link: `<${SITE}${page.path}>; rel="canonical"` } });

const problem = (request: { url: string }): Served =>
  json(
    { type: 'about:blank', title: 'Not Found', status: 404, detail: `Nothing is at ${new URL(request.url).pathname}.` },
    { status: 404, headers: { 'content-type': 'application/problem+json' } },
  );

const results = html(
  pageHtml({
    path: '/search',
    title: `Search results | ${NAME}`,
    header,
    footer,
    content:
      '# Search results\n\nThree guides hold the words that you were looking for. The guide to cold frames explains the box and its lid. The notes on hotbeds tell how manure warms the soil from below. The notes on seed trays say which tray suits which seed. Narrow your search with a second word, or read on in the list of all guides on the first page of the site.',
  }),
);

const catchAll: SiteAnswer = (request) => {
  if (isBelow(request.url, '/api/')) return problem(request);
  if (isBelow(request.url, '/search')) return results;
  return html('<!doctype html><title>Not found</title><h1>There is no such page</h1>', { status: 404 });
};

const skillDigest = `sha256:${createHash('sha256').update(documents.skill).digest('hex')}`;

const map: SiteMap = {
  ...httpsUpgrade,
  [guide.path]: negotiated(guide),
  [`${guide.path}.md`]: markdownCopy(guide),
  ...Object.fromEntries(others.map((page) => [page.path, negotiated(page)])),
  '/robots.txt': text(documents.robots, { headers: PUBLIC }),
  '/license.xml': { ...xml(documents.rsl), headers: { 'content-type': 'application/rsl+xml' } },
  '/sitemap.xml': xml(
    sitemapXml([
      { path: guide.path, lastmod: '2026-10-02' },
      { path: '/', lastmod: '2026-09-30' },
      { path: '/guides/hotbeds', lastmod: '2026-08-14' },
      { path: '/guides/seed-trays', lastmod: '2026-07-20' },
      { path: '/developers', lastmod: '2026-06-11' },
      { path: '/about', lastmod: '2026-05-02' },
      { path: '/people/marta-lindqvist', lastmod: '2026-04-18' },
      { path: '/contact', lastmod: '2026-03-09' },
    ]),
  ),
  '/feed.xml': { ...xml(documents.feed), headers: { 'content-type': 'application/atom+xml' } },
  '/llms.txt': markdown(documents.llmsTxt, { headers: PUBLIC }),
  '/openapi.json': json(documents.openApi, { headers: PUBLIC }),
  '/.well-known/api-catalog': json(documents.apiCatalog, {
    headers: {
      ...PUBLIC,
      'content-type': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      link: `<${SITE}/.well-known/api-catalog>; rel="api-catalog"`,
    },
  }),
  '/api/v1': json({ name: 'Frost forecast', version: '1.4.0' }),
  '/api/v1/stations': json(['settle', 'malham']),
  '/.well-known/agent-skills/index.json': json(
    {
      $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
      skills: [
        {
          name: 'read-frost-forecast',
          type: 'skill-md',
          description: 'Reads the chance of frost for a weather station.',
          url: '/.well-known/agent-skills/read-frost-forecast/SKILL.md',
          digest: skillDigest,
        },
      ],
    },
    { headers: PUBLIC },
  ),
  '/.well-known/agent-skills/read-frost-forecast/SKILL.md': markdown(documents.skill, { headers: PUBLIC }),
  '/.well-known/tdmrep.json': json([{ location: '/', 'tdm-reservation': 0 }], { headers: PUBLIC }),
  '/.well-known/security.txt': text(documents.securityTxt),
  '/assets/site.css': { status: 200, headers: { 'content-type': 'text/css' }, body: 'body{margin:0}' },
  'https://history.example.org/walled-garden': html('<!doctype html><title>The walled garden</title><p>A history.</p>'),
  'https://extension.hollowell.edu/trials/cold-frames': html(
    '<!doctype html><title>Field trial</title><p>Results.</p>',
  ),
  'https://doi.org/10.5555/coldframe.2024': html('<!doctype html><title>A later study</title><p>Abstract.</p>'),
  'https://creativecommons.org/licenses/by/4.0/': html('<!doctype html><title>CC BY 4.0</title><p>Licence.</p>'),
};

/** A careful publisher: a measured guide, an open interface, Markdown copies, and every file an agent may look for. */
export const good: TruthSite = {
  name: 'good',
  path: guide.path,
  map,
  catchAll,
  rendered: buildLook(pageHtml({ ...guide, header, after: forms, footer }), {
    url: SITE + guide.path,
    targets: [
      buildTarget({ tag: 'a', role: 'link', name: 'Cold frames' }),
      buildTarget({ tag: 'input', role: 'searchbox', name: 'Search the guides', y: 60 }),
      buildTarget({ name: 'Search', x: 120, y: 60 }),
    ],
    tools: [
      { name: 'search_guides', description: 'Searches the guides of the garden.', hasSchema: true, declarative: true },
    ],
  }),
  truth: goodTruth,
};
