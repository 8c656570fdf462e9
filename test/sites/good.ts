import { SITE, type SiteMap, html, text, xml } from '../support/audit/site-fetch.ts';

const prose = (subject: string): string =>
  `${subject} keeps tools in small racks that fit under a bench, and each rack is cut from one board of oak. `.repeat(
    12,
  );

const links = ['about', 'racks', 'prices', 'care', 'faq'].map((name) => `<a href="/${name}">Our ${name}</a>`).join(' ');

/** What tells the title and description of a page from those of the start page. */
const named = (path: string): string => (path === '/' ? '' : ` (${path.slice(1)})`);

/** A page with everything the AEO checks ask of one. */
export const goodPage = (path: string, extra = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Oak tool racks from the Example workshop${named(path)}</title>
<meta name="description" content="Oak tool racks made to measure: sizes, prices, care and delivery, explained by the people who build them${named(path)}.">
<link rel="canonical" href="${SITE}${path}">
<meta property="og:title" content="Oak tool racks">
<meta property="og:description" content="Racks for tools, made to measure from one board of oak.">
<meta property="og:type" content="website">
<meta property="og:url" content="${SITE}${path}">
<meta property="og:image" content="${SITE}/rack.png">
<meta property="og:site_name" content="Example workshop">
${extra}
</head>
<body>
<header><nav>${links}</nav></header>
<main><article>
<h1>Oak tool racks</h1>
<p>Updated <time datetime="2026-10-02">2 October 2026</time></p>
<p>${prose('The workshop')}</p>
<h2>How long does delivery take?</h2>
<p>Delivery takes nine days on average: six days to cut, oil and dry the rack, and three days for the carrier to bring it to your door.</p>
<h2>What is a rack made of?</h2>
<p>A rack is made of one board of local oak, which is oiled twice and carries up to forty kilograms without bending.</p>
</article></main>
<footer><p>Example workshop</p><a href="/contact">Contact</a> <a href="/privacy">Privacy</a> <a href="/terms">Terms</a></footer>
</body>
</html>`;

const sitemap = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${['', 'about', 'racks', 'prices', 'care'].map((name) => `<url><loc>${SITE}/${name}</loc><lastmod>2026-10-02</lastmod></url>`).join('\n')}
</urlset>`;

/** A small site that passes every AEO check that applies to it. */
export const goodSite: SiteMap = {
  '/': html(goodPage('/'), { headers: { 'content-encoding': 'gzip', vary: 'Accept-Encoding' } }),
  ...Object.fromEntries(
    ['about', 'racks', 'prices', 'care', 'contact', 'faq', 'privacy', 'terms'].map((name) => [
      `/${name}`,
      html(goodPage(`/${name}`)),
    ]),
  ),
  '/robots.txt': text(
    `User-agent: *\nContent-Signal: search=yes, ai-input=yes, ai-train=yes\nDisallow: /cart\n\nSitemap: ${SITE}/sitemap.xml\n`,
  ),
  '/sitemap.xml': xml(sitemap),
  'http://acme.example/': { status: 308, headers: { location: `${SITE}/` }, body: '' },
};
