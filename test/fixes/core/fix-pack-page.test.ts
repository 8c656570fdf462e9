import { describe, expect, test } from 'vitest';
import { type ScoreName, scoreNames } from '../../../src/audit/core/check.ts';
import { computeScore } from '../../../src/audit/core/scores.ts';
import type { Audited } from '../../../src/fixes/files/generated-file.ts';
import type { ProfileName } from '../../../src/audit/core/site.ts';
import { buildFixes } from '../../../src/fixes/core/fix-pack.ts';
import { goodSite } from '../../sites/good.ts';
import { bareSite } from '../../sites/poor.ts';
import { auditedOf, ofStartPage, tools, fixFor, outcomeIn, reaudited, scoreIn } from '../../support/audit/fixes.ts';
import { jsonLd, prose } from '../../support/audit/pages.ts';
import { SITE, type SiteMap, html, xml } from '../../support/audit/site-fetch.ts';

/** A page with a fault: `head` and `body` go into a page that is otherwise sound, or `page` is the whole of it. */
type Row = {
  id: string;
  name?: string;
  head?: string;
  body?: string;
  page?: string;
  path?: string;
  profile?: ProfileName;
  more?: SiteMap;
  /** What the fix asks for: such a fix cannot be made by a machine alone. */
  asks?: RegExp;
  /** What the audit says afterwards. */
  gives?: 'not_applicable';
};

const HEAD = `<meta charset="utf-8">
<title>Oak tool racks | Acme</title>
<meta name="description" content="Oak tool racks made to measure: sizes, prices, care and delivery in one place.">
<link rel="canonical" href="${SITE}/">`;
const LINKS = ['about', 'racks', 'prices', 'care', 'delivery', 'contact']
  .map((name) => `<a href="/${name}">Our ${name}</a>`)
  .join(' ');
const BODY = `<header><nav>${LINKS}</nav></header>
<main>
<h1>Oak tool racks</h1>
${prose(240)}
</main>
<footer><a href="mailto:shop@acme.example">Write to us</a></footer>`;

const around = (head: string, body: string): string =>
  `<!doctype html>\n<html lang="en">\n<head>\n${head}\n</head>\n<body>\n${body}\n</body>\n</html>\n`;

const inMain = (more: string): string => BODY.replace('</main>', `${more}\n</main>`);
const without = (part: RegExp): string => HEAD.replace(part, '');
const organization = { '@context': 'https://schema.org', '@type': 'Organization', name: 'Acme', url: `${SITE}/` };
const article = (more: object): string =>
  jsonLd({ '@context': 'https://schema.org', '@type': 'Article', headline: 'Oak tool racks', ...more });

const rows: readonly Row[] = [
  { id: 'aeo.meta.title', name: 'no title', head: without(/<title>.*<\/title>/) },
  { id: 'aeo.meta.title', name: 'a generic title', head: HEAD.replace('Oak tool racks | Acme', 'Home') },
  {
    id: 'aeo.meta.title',
    name: 'a title without end',
    head: HEAD.replace('Oak tool racks', 'Oak tool racks '.repeat(12)),
  },
  { id: 'aeo.meta.title', name: 'two titles', head: `${HEAD}\n<title>Another title of it</title>` },
  { id: 'aeo.meta.description', name: 'no description', head: without(/<meta name="description".*>/) },
  { id: 'aeo.meta.description', name: 'a short one', head: HEAD.replace(/content="Oak.*place\."/, 'content="Racks."') },
  { id: 'aeo.meta.description', name: 'a long one', head: HEAD.replace('in one place', 'and more '.repeat(30)) },
  { id: 'aeo.render.head-tags-static', head: '<meta charset="utf-8">' },
  { id: 'aeo.index.canonical', name: 'none', head: without(/<link rel="canonical".*>/) },
  { id: 'aeo.index.canonical', name: 'a relative one', head: HEAD.replace(`href="${SITE}/"`, 'href="/"') },
  {
    id: 'aeo.index.canonical',
    name: 'one of another site',
    head: HEAD.replace(`${SITE}/"`, 'https://other.example/"'),
  },
  { id: 'aeo.index.canonical', name: 'two', head: `${HEAD}<link rel="canonical" href="${SITE}/b">` },
  { id: 'aeo.index.meta-robots', name: 'noindex', head: `${HEAD}<meta name="robots" content="noindex">` },
  {
    id: 'aeo.index.meta-robots',
    name: 'noindex among others',
    head: `${HEAD}<META NAME="Googlebot" CONTENT="NOINDEX, max-snippet:-1">`,
  },
  {
    id: 'aeo.index.snippet-allowed',
    name: 'nosnippet',
    head: `${HEAD}<meta name="robots" content="nosnippet, noarchive">`,
  },
  {
    id: 'aeo.index.snippet-allowed',
    name: 'a snippet of ten characters',
    head: `${HEAD}<meta name="robots" content="max-snippet:10">`,
  },
  {
    id: 'aeo.index.snippet-allowed',
    name: 'data-nosnippet around it all',
    body: BODY.replace('<main>', '<main data-nosnippet>'),
  },
  { id: 'aeo.index.hreflang', head: `${HEAD}<link rel="alternate" hreflang="de" href="/de/">` },
  { id: 'aeo.meta.open-graph', body: inMain('<img src="/rack.jpg" alt="A rack">') },
  { id: 'aeo.meta.open-graph', name: 'no image', asks: /image/ },
  {
    id: 'aeo.meta.open-graph',
    name: 'relative addresses',
    head: `${HEAD}<meta property="og:image" content="/rack.jpg"><meta property="og:url" content="/other">`,
  },
  { id: 'aeo.meta.site-name' },
  {
    id: 'aeo.meta.site-name',
    name: 'two names',
    head: `${HEAD}<meta property="og:site_name" content="Other">${jsonLd({ ...organization, '@type': 'WebSite' })}`,
  },
  {
    id: 'aeo.meta.lang',
    name: 'no lang',
    page: around(HEAD, BODY.replace(prose(240), ENGLISH())).replace(' lang="en"', ''),
  },
  {
    id: 'aeo.meta.lang',
    name: 'no lang, and words of no language',
    page: around(HEAD, BODY).replace(' lang="en"', ''),
    asks: /language/,
  },
  {
    id: 'aeo.meta.charset',
    head: without(/<meta charset="utf-8">/),
    more: { '/': { status: 200, headers: { 'content-type': 'text/html' }, body: '' } },
  },
  { id: 'aeo.meta.viewport' },
  { id: 'aeo.structure.h1', name: 'none', body: BODY.replaceAll('h1>', 'h2>') },
  { id: 'aeo.structure.h1', name: 'two', body: inMain('<h1>Another</h1>') },
  { id: 'aeo.structure.h1', name: 'no heading at all', body: BODY.replace('<h1>Oak tool racks</h1>', '') },
  {
    id: 'aeo.structure.heading-order',
    body: inMain(
      '<h2 id="a">Which size?</h2><p>x</p><h4 id="b">Deep</h4><p>x</p><h2 id="c">Which wood?</h2><p>x</p><h5 id="d">Down</h5>',
    ),
  },
  {
    id: 'aeo.structure.landmarks',
    name: 'no main',
    body: BODY.replaceAll('main>', 'div>').replace('<div>', '<div id="content"><section><h2>Racks</h2></section>'),
  },
  { id: 'aeo.links.nofollow-internal', body: inMain('<a href="/oak" rel="nofollow noopener">Our oak</a>') },
  { id: 'aeo.links.anchor-text', body: inMain('<a href="/oak">Read more</a>'.repeat(9)) },
  { id: 'aeo.media.alt', body: inMain('<img src="/a.jpg">'), asks: /image shows/ },
  {
    id: 'aeo.media.alt',
    name: 'a title to take it from',
    body: inMain('<template><img src="/x.jpg"></template><img src="/a.jpg" title="A rack of oak">'),
  },
  {
    id: 'aeo.answer.comparison-table',
    body: inMain(
      '<h2>Racks vs shelves</h2><table><tr><td>Price</td><td>Size</td></tr><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>',
    ),
  },
  { id: 'aeo.answer.faq', profile: 'product', asks: /question/ },
  {
    id: 'aeo.fresh.dates',
    path: '/blog/oak',
    head: HEAD.replace(`${SITE}/"`, `${SITE}/blog/oak"`),
    asks: /publication/,
  },
  { id: 'geo.parity.title-h1', head: HEAD.replace('Oak tool racks', 'Welcome to everything here') },
  {
    id: 'geo.cite.addressable',
    body: inMain('<h2>Sizes of racks</h2><p>x</p><h2>Preise &amp; Größen</h2><p>x</p><h3>サイズ</h3><p>x</p>'),
  },
  {
    id: 'geo.cite.figure-captions',
    body: inMain('<figure><img src="/a.jpg" alt="A"></figure>'),
    asks: /figure or table/,
  },
  { id: 'geo.safety.unicode-covert', body: inMain('<p>Oak \u{E0041}\u{E0042} rack \u202Ereversed.</p>') },
  { id: 'geo.schema.jsonld-present', asks: /public profile/ },
  { id: 'geo.entity.website-node' },
  { id: 'geo.entity.organization', asks: /logo/ },
  {
    id: 'geo.entity.organization',
    name: 'everything said elsewhere on the page',
    head: `${HEAD}<link rel="icon" href="/icon.svg">${jsonLd(organization)}`,
    body: BODY.replace(
      '<footer>',
      '<footer><a href="https://github.com/acme">GitHub</a><a href="https://www.linkedin.com/company/acme">LinkedIn</a>',
    ),
  },
  {
    id: 'geo.entity.sameas',
    head: `${HEAD}${jsonLd(organization)}`,
    body: BODY.replace(
      '<footer>',
      '<footer><a href="https://github.com/acme">GitHub</a><a href="https://x.com/acme">X</a>',
    ),
  },
  {
    id: 'geo.entity.name-consistent',
    head: `${HEAD}<meta property="og:site_name" content="Oakwright">${jsonLd({ ...organization, name: 'ACME Workshop' })}`,
  },
  {
    id: 'geo.entity.author',
    head: `${HEAD}${article({ author: 'Ann Oak' })}`,
    more: { '/ann': html(`<h1>Ann Oak</h1><p>Ann Oak has made racks of oak since 1998.</p>${prose(60)}`) },
    asks: /page about the author/,
  },
  {
    id: 'geo.entity.author',
    name: 'a byline with a link',
    head: `${HEAD}${article({})}`,
    body: inMain('<p>By <a rel="author" href="/ann">Ann Oak</a></p>'),
  },
  { id: 'geo.entity.publisher', head: `${HEAD}${article({})}${jsonLd(organization)}` },
  {
    id: 'geo.entity.contact-verifiable',
    head: `${HEAD}${jsonLd({ ...organization, telephone: '+49 30 123456' })}`,
    body: BODY.replace(/<footer>.*<\/footer>/, '<footer>Acme</footer>'),
  },
  {
    id: 'geo.entity.contact-verifiable',
    name: 'nothing said',
    body: BODY.replace(/<footer>.*<\/footer>/, '<footer>Acme</footer>'),
    asks: /e-mail/,
  },
  {
    id: 'geo.schema.parses',
    name: 'a trailing comma',
    head: `${HEAD}<script type="application/ld+json">{"@context":"https://schema.org","@type":"WebPage","name":"A",}</script>`,
  },
  {
    id: 'geo.schema.parses',
    name: 'a comment around it',
    head: `${HEAD}<script type="application/ld+json"><!-- {"@context":"https://schema.org","@type":"WebPage"} --></script>`,
  },
  { id: 'geo.schema.context', name: 'none', head: `${HEAD}${jsonLd({ '@type': 'WebPage', name: 'A' })}` },
  {
    id: 'geo.schema.context',
    name: 'a near one',
    head: `${HEAD}${jsonLd([{ '@context': 'www.schema.org', '@type': 'WebPage', name: 'A' }])}`,
  },
  {
    id: 'geo.schema.known-types',
    head: `${HEAD}${jsonLd({ '@context': 'https://schema.org', '@type': 'Organisation', name: 'Acme', telefone: '1' })}`,
  },
  {
    id: 'geo.schema.page-type',
    name: 'an article',
    path: '/blog/oak',
    head: `${HEAD.replace(`${SITE}/"`, `${SITE}/blog/oak"`)}<meta property="article:published_time" content="2026-10-01">`,
  },
  { id: 'geo.schema.page-type', name: 'a home page' },
  { id: 'geo.schema.article', head: `${HEAD}${article({})}`, asks: /first publication/ },
  {
    id: 'geo.schema.product',
    head: `${HEAD}${jsonLd({ '@context': 'https://schema.org', '@type': 'Product', name: 'Rack' })}`,
    asks: /price/,
  },
  {
    id: 'geo.schema.faq',
    head: `${HEAD}${jsonLd({ '@context': 'https://schema.org', '@type': 'FAQPage', mainEntity: [{ '@type': 'Question', name: 'Why?' }] })}`,
    body: inMain('<h2>Why oak?</h2><p>Oak is hard and grows near the workshop, so that it lasts.</p>'),
  },
  {
    id: 'geo.schema.faq-parity',
    head: `${HEAD}${jsonLd({ '@context': 'https://schema.org', '@type': 'FAQPage', mainEntity: [{ '@type': 'Question', name: 'Why oak?', acceptedAnswer: { '@type': 'Answer', text: 'Because oak is <b>hard</b>.' } }] })}`,
  },
  {
    id: 'geo.schema.breadcrumb',
    path: '/shop/racks/oak',
    head: HEAD.replace(`${SITE}/"`, `${SITE}/shop/racks/oak"`),
    more: { '/': html(around(HEAD, BODY)) },
  },
  {
    id: 'geo.schema.dates-valid',
    head: `${HEAD}${article({ datePublished: 'October 2, 2026', dateModified: '2026/10/05' })}`,
  },
  {
    id: 'geo.schema.dates-valid',
    name: 'a date to come',
    head: `${HEAD}${article({ datePublished: '2030-01-01' })}`,
    asks: /first publication/,
  },
  {
    id: 'geo.schema.ids-linked',
    head: `${HEAD}${article({ publisher: { '@id': `${SITE}/#organization` } })}`,
    asks: /logo/,
  },
  {
    id: 'agent.ui.form-labels',
    body: inMain(
      '<form action="/find"><input name="firstName"><input placeholder="Your town"><svg><title>x</title></svg><select name="color_choice"><option>a</select></form>',
    ),
  },
  { id: 'agent.ui.control-names', name: 'links', body: inMain('<a href="/opening-hours.html"><i></i></a>'.repeat(4)) },
  { id: 'agent.ui.control-names', name: 'a button', body: inMain('<button></button>'.repeat(4)), asks: /button does/ },
  {
    id: 'agent.ui.autocomplete',
    body: inMain(
      '<form action="/buy"><label>E-mail <input name="email" type="email"></label><label>City <input name="city"></label></form>',
    ),
  },
  {
    id: 'agent.ui.native-controls',
    body: inMain('<div role="button" tabindex="0">Open</div><span onclick="go()">Go</span>'.repeat(3)),
  },
  { id: 'agent.ui.dangerous-get', body: inMain('<a href="/logout">Log out</a><a href="/cart?delete=1">Delete</a>') },
  {
    id: 'agent.ui.aria-valid',
    body: inMain(
      '<div role="buton">x</div><p aria-labelledby="nowhere">y</p><p aria-hidden="maybe">z</p><p aria-foo="1">q</p><nav aria-label="Other">n</nav>',
    ),
  },
  { id: 'agent.ui.refresh', gives: 'not_applicable', head: `${HEAD}<meta http-equiv="Refresh" content="30">` },
  {
    id: 'agent.webmcp.forms',
    body: inMain(
      '<form action="/find" tool-name="find rack" tool-description="Finds a rack by its size and wood."><label>Size <input name="size"></label></form>',
    ),
  },
  {
    id: 'agent.sec.mixed',
    head: `${HEAD}<script src="http://acme.example/a.js"></script><link rel="stylesheet" href="http://acme.example/a.css">`,
  },
];

/** English prose whose language can be told. */
function ENGLISH(): string {
  return `<p>${'The racks of the workshop are made from oak and they are built for the tools that you use on the bench. '.repeat(14)}</p>`;
}

/** Most faults of the table in one page. */
const worst = `<!doctype html><html><head>
<meta name="robots" content="noindex, nosnippet"><title>Home</title><title>Home again</title>
<link rel="canonical" href="/"><link rel="canonical" href="https://other.example/">
<meta http-equiv="refresh" content="30">
<script type="application/ld+json">{"@type":"Organisation","name":"Acme",}</script>
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","datePublished":"October 2, 2026"}</script>
</head><body><div id="content">
<h1>Oak tool racks</h1><h1>Again</h1><h4>Which size?</h4><p>x</p><h2>Which wood?</h2>
${ENGLISH()}
<a href="/oak" rel="nofollow">More</a><a href="/size"></a><img src="/a.jpg"><button></button>
<div role="button">Open</div><div role="buton">x</div><form><input name="email"></form>
<figure><img src="http://acme.example/b.jpg" alt="b"></figure>
<table><tr><td>Rack vs shelf</td><td>1</td></tr><tr><td>2</td><td>3</td></tr></table>
</div><footer>Acme</footer></body></html>`;

const siteOf = ({ head = HEAD, body = BODY, page, path = '/', more = {} }: Row): SiteMap => {
  const whole = page ?? around(head, body);
  const start = path in more ? { ...(more[path] as object), body: whole } : html(whole);
  return { '/sitemap.xml': xml(''), ...more, [path]: start as ReturnType<typeof html> };
};

const optionsOf = ({ path, profile }: Row) => ({ ...(path && { path }), ...(profile && { profile }) });

describe('a page fix', () => {
  test.each(rows.map((row) => [`${row.id}${row.name ? `, ${row.name}` : ''}`, row] as const))(
    '%s: after its patch the check passes, and the scores rise as promised',
    async (_name, row) => {
      const map = siteOf(row);
      const before = await auditedOf(map, optionsOf(row));
      const fix = await fixFor(row.id, before);
      expect(fix.diff).toMatch(/^--- a\/index\.html\n\+\+\+ b\/index\.html\n@@ /);
      if (row.asks) expect(fix.facts_needed.join()).toMatch(row.asks);
      else expect(fix.facts_needed).toEqual([]);
      const after = await reaudited(map, before, { ...optionsOf(row), ids: [row.id], filled: true });
      expect({
        id: row.id,
        note: outcomeIn(after, row.id).note,
        status: outcomeIn(after, row.id).status,
      }).toMatchObject({
        status: row.gives ?? 'pass',
      });
      for (const name of fix.scores)
        expect(scoreIn(after, name)).toBeGreaterThanOrEqual(promised(before, [row.id], name));
    },
  );
});

/** The score if these checks passed: what a fix pack promises for them. */
const promised = ({ judged }: Audited, ids: readonly string[], name: ScoreName): number =>
  computeScore(
    name,
    judged.map((one) =>
      ids.includes(one.check.id) ? { ...one, outcome: { ...one.outcome, status: 'pass', value: 1 } } : one,
    ),
  ).score;

/**
 * The checks that had something to judge before: a richer page is asked more. Without that of compression, which the
 * fixture server does not do and a longer page needs.
 */
const judgedBefore = (before: Audited, after: Audited): Audited['judged'] =>
  after.judged.filter(
    ({ check: { id } }) => outcomeIn(before, id).status !== 'not_applicable' && id !== 'aeo.reach.compression',
  );

describe('all page fixes made together', () => {
  test.each([
    ['a page of a few words', bareSite],
    ['a page with everything but structured data', goodSite],
    ['a page with many faults', { '/': html(worst) }],
    [
      'a page without html, head and body tags',
      { '/': html('<title>x</title><h2>Racks</h2><img src="/a.jpg"><p>Oak.</p>') },
    ],
  ])('do not undo each other: %s', async (_name, map) => {
    const before = ofStartPage(await auditedOf(map));
    const fixes = await buildFixes(before, tools);
    const made = fixes.filter(({ diff, file }) => file === 'index.html' && diff !== undefined).map(({ id }) => id);
    expect(made.length).toBeGreaterThan(5);
    const after = ofStartPage(await reaudited(map, before, { filled: true }));
    const open = made.filter((id) => !['pass', 'not_applicable'].includes(outcomeIn(after, id).status));
    expect(open.map((id) => `${id}: ${outcomeIn(after, id).note}`)).toEqual([]);
    for (const name of scoreNames)
      expect(computeScore(name, judgedBefore(before, after)).score).toBeGreaterThanOrEqual(
        promised(before, made, name) - 1,
      );
  });
});
