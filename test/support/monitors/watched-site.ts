import { createRandomFromSeed } from '../../../src/lib/seeded-random.ts';
import { CACHED_CARD_HEADERS, catalog, ENDPOINT, modernServer, servedCard } from '../audit/mcp-site.ts';
import { a2aCard, LLMS, guide, openApi } from '../audit/agent-site.ts';
import { forbidden, refuseAgents } from '../audit/edge-sites.ts';
import { byAccept, html, json, markdown, SITE, type SiteAnswer, type SiteMap, text, xml } from '../audit/site-fetch.ts';

const WEEK_MS = 7 * 24 * 3_600_000;
/** When the first run of the simulated year looks: 2026-11-21 in UTC. */
const FIRST_MS = Date.UTC(2026, 10, 21);

export const computeWeekClock = (week: number): number => FIRST_MS + week * WEEK_MS;

/** Subjects of the pages, each with words of its own. */
const PAGES = ['/', '/racks', '/prices', '/care', '/about', '/faq', '/contact', '/privacy', '/terms'] as const;
export type WatchedPath = (typeof PAGES)[number];

const PROSE = [
  'The workshop builds oak racks for hand tools since 1998, and each rack is cut from one board of local oak.',
  'According to the timber survey of 2025, 62 % of workshops in Austria keep their chisels in open racks.',
  'A rack carries up to 40 kilograms, as the test report of the Vienna institute measured in March 2026.',
  '“A rack that bends ruins the edge of every chisel in it,” says Anna Gruber, who runs the workshop.',
  'Oil the wood twice a year with linseed oil, let it dry for two days, and wipe off what is left.',
  'We deliver to Austria, Germany and Switzerland within nine days, and the carrier calls before it comes.',
  'The wood comes from three forests in Styria, whose owners plant two trees for each one that is cut.',
  'Every rack has a number, so that we can cut a second one to the same measures ten years later.',
];

export const ORGANIZATION_DATA = {
  '@context': 'https://schema.org',
  '@type': 'Organization',
  name: 'Example workshop',
  url: `${SITE}/`,
  logo: `${SITE}/logo.png`,
  email: 'hello@acme.example',
  address: {
    '@type': 'PostalAddress',
    streetAddress: 'Ring 4',
    postalCode: '1010',
    addressLocality: 'Vienna',
    addressCountry: 'AT',
  },
  contactPoint: { '@type': 'ContactPoint', contactType: 'customer service', email: 'hello@acme.example' },
  sameAs: ['https://www.wikidata.org/wiki/Q42', 'https://www.linkedin.com/company/example-workshop'],
};

const articleOf = (path: string): object => ({
  '@context': 'https://schema.org',
  '@type': path === '/' ? 'WebSite' : 'Article',
  name: 'Oak tool racks',
  headline: `Oak tool racks: ${path}`,
  url: `${SITE}${path}`,
  image: `${SITE}/rack.png`,
  datePublished: '2026-01-02',
  dateModified: '2026-10-02',
  author: { '@type': 'Person', name: 'Anna Gruber', url: `${SITE}/about` },
  ...(path === '/' ? {} : { publisher: ORGANIZATION_DATA }),
});

/** The parts of a page that edits replace. */
export type PageParts = {
  title: string;
  head: string;
  data: readonly object[];
  body: string;
  /** No menu and no links in the footer; no date of today. */
  isBare?: boolean;
  noToday?: boolean;
};

export function buildParts(path: WatchedPath): PageParts {
  const about = path === '/' ? '' : ` (${path.slice(1)})`;
  return {
    title: `<title>Oak tool racks from the Example workshop${about}</title>`,
    head: `<meta name="description" content="Oak tool racks made to measure: sizes, prices, care and delivery, explained by the people who build them${about}.">
<link rel="canonical" href="${SITE}${path}">
<meta property="og:title" content="Oak tool racks"><meta property="og:description" content="Racks for tools, made to measure from one board of oak.">
<meta property="og:type" content="website"><meta property="og:url" content="${SITE}${path}"><meta property="og:image" content="${SITE}/rack.png"><meta property="og:site_name" content="Example workshop">`,
    data: path === '/' ? [ORGANIZATION_DATA, articleOf(path)] : [articleOf(path)],
    body: `<h1>Oak tool racks${about}</h1>
<p>By <a rel="author" href="/about">Anna Gruber</a>, updated <time datetime="2026-10-02">2 October 2026</time></p>
<p>${PROSE.join(' ')}</p>
<h2>How long does delivery take?</h2>
<p>Delivery takes nine days on average: six days to cut, oil and dry the rack, and three days for the carrier to bring it to your door.</p>
<h2>What is a rack made of?</h2>
<p>A rack is made of one board of local oak, which is oiled twice and carries up to 40 kilograms without bending, says the <a href="https://example.org/report">test report of 2026</a>.</p>
<form action="/search"><label for="q">Search</label><input id="q" name="q" type="search"><button>Search the workshop</button></form>`,
  };
}

const NAV = PAGES.slice(1, 6)
  .map((path) => `<a href="${path}">Our ${path.slice(1)}</a>`)
  .join(' ');

const AD_WORDS =
  'sofa garden lamp coffee holiday insurance bicycle camera phone shoes 20 % off 99 euros today only best'.split(' ');

/** What differs at each look though nothing changed: nonces, tokens, today's date, ads and their links. */
function buildNoise(
  random: () => number,
  clockMs: number,
): { nonce: string; ads: string; today: string; token: string } {
  const token = (): string => Math.floor(random() * 2 ** 40).toString(36);
  const words = (count: number): string =>
    Array.from({ length: count }, () => AD_WORDS[Math.floor(random() * AD_WORDS.length)]).join(' ');
  const ads = Array.from(
    { length: 1 + Math.floor(random() * 4) },
    () =>
      `<aside class="ad"><a rel="sponsored nofollow" href="https://ads.example/click?${token()}">${words(6 + Math.floor(random() * 10))}</a></aside>`,
  ).join('');
  return { nonce: token(), token: token(), ads, today: new Date(clockMs).toISOString().slice(0, 10) };
}

function renderPage(parts: PageParts, random: () => number, clockMs: number): string {
  const { nonce, ads, today, token } = buildNoise(random, clockMs);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="csrf-token" content="${token}">
${parts.title}
${parts.head}
${parts.data.map((one) => `<script type="application/ld+json">${JSON.stringify(one)}</script>`).join('\n')}
<script nonce="${nonce}">window.session = ${JSON.stringify(token)};</script>
</head>
<body>
<header><nav>${parts.isBare === true ? '' : NAV}</nav></header>
<main><article>${parts.body}</article>${ads}</main>
<footer><p>Example workshop${parts.noToday === true ? '' : `. Today is <time datetime="${today}">${today}</time>`}.</p>${parts.isBare === true ? '' : '<a href="/contact">Contact</a> <a href="/privacy">Privacy</a> <a href="/terms">Terms</a>'}</footer>
</body></html>`;
}

export const ROBOTS = `User-agent: *
Content-Signal: search=yes, ai-input=yes, ai-train=yes
Disallow: /cart

User-agent: OAI-SearchBot
Allow: /

User-agent: GPTBot
Allow: /

Sitemap: ${SITE}/sitemap.xml
`;

const SITEMAP = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${PAGES.map((path) => `<url><loc>${SITE}${path}</loc><lastmod>2026-10-02</lastmod></url>`).join('\n')}
</urlset>`;

/** What an edit changes: parts of pages, and answers of addresses. */
export type SiteEdit = {
  pages?: (parts: PageParts, path: WatchedPath) => PageParts;
  headers?: Readonly<Record<string, string>>;
  answers?: SiteMap;
  /** Agents that pages are refused to. */
  refuse?: readonly string[];
  /** What addresses answer that are not there. */
  catchAll?: SiteAnswer;
  /** No Markdown for who asks for it. */
  noCopies?: true;
};

/**
 * The watched site as it answers in one week: well kept, with every kind of file, a server of tools, and noise that differs at each
 * look. @param edits what its owner changed by then
 */
export function buildWatchedSite(week: number, edits: readonly SiteEdit[] = [], seed = 'watched'): SiteMap {
  const random = createRandomFromSeed(`${seed} ${week}`);
  const clockMs = computeWeekClock(week);
  const headers = Object.assign({}, ...edits.map((edit) => edit.headers ?? {}));
  const pages = PAGES.map((path): [string, SiteAnswer] => {
    const parts = edits.reduce((made, { pages: edit }) => edit?.(made, path) ?? made, buildParts(path));
    const copy = markdown(`# Oak tool racks\n\n${PROSE.join('\n\n')}\n`, { headers: { vary: 'Accept' } });
    const page = html(renderPage(parts, random, clockMs), {
      headers: { vary: 'Accept-Encoding, Accept', 'content-encoding': 'gzip', ...headers },
    });
    const negotiated = edits.some(({ noCopies }) => noCopies) ? page : byAccept({ 'text/markdown': copy }, page);
    const refused = edits.flatMap(({ refuse = [] }) => refuse);
    return [path, refused.length === 0 ? negotiated : refuseAgents(refused, forbidden, negotiated)];
  });
  return {
    ...Object.fromEntries(pages),
    '/robots.txt': text(ROBOTS),
    '/sitemap.xml': xml(SITEMAP),
    '/llms.txt': markdown(LLMS),
    '/guide.md': guide,
    '/openapi.json': json(openApi()),
    '/.well-known/agent-card.json': json(a2aCard()),
    '/.well-known/ai-catalog.json': json(catalog(), { headers: { 'access-control-allow-origin': '*' } }),
    '/mcp/server-card': servedCard({}, CACHED_CARD_HEADERS),
    [ENDPOINT]: modernServer(),
    'http://acme.example/': { status: 308, headers: { location: `${SITE}/` }, body: '' },
    ...Object.assign({}, ...edits.map((edit) => edit.answers ?? {})),
  };
}
