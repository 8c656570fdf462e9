import { SITE, type SiteMap, html, text, xml } from '../support/site-fetch.ts';

const prose = (subject: string): string =>
  `${subject} keeps tools in small racks that fit under a bench, and each rack is cut from one board of oak. `.repeat(
    12,
  );

const links = ['about', 'racks', 'prices', 'care', 'delivery', 'faq']
  .map((name) => `<a href="/${name}">Our ${name}</a>`)
  .join(' ');

/** A page with everything the AEO checks ask of one. */
export const goodPage = (path: string, extra = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Oak tool racks from the Example workshop</title>
<meta name="description" content="Oak tool racks made to measure: sizes, prices, care and delivery, explained by the people who build them.">
<link rel="canonical" href="${SITE}${path}">
${extra}
</head>
<body>
<header><nav>${links}</nav></header>
<main>
<h1>Oak tool racks</h1>
<p>Updated <time datetime="2026-10-02">2 October 2026</time></p>
<p>${prose('The workshop')}</p>
<h2>How long does delivery take?</h2>
<p>Delivery takes nine days on average: six days to cut, oil and dry the rack, and three days for the carrier to bring it to your door.</p>
<h2>What is a rack made of?</h2>
<p>A rack is made of one board of local oak, which is oiled twice and carries up to forty kilograms without bending.</p>
</main>
<footer><p>Example workshop</p></footer>
</body>
</html>`;

const sitemap = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${['', 'about', 'racks', 'prices', 'care'].map((name) => `<url><loc>${SITE}/${name}</loc><lastmod>2026-10-02</lastmod></url>`).join('\n')}
</urlset>`;

/** A small site that passes every AEO check that applies to it. */
export const goodSite: SiteMap = {
  '/': html(goodPage('/')),
  ...Object.fromEntries(
    ['about', 'racks', 'prices', 'care', 'delivery', 'faq'].map((name) => [`/${name}`, html(goodPage(`/${name}`))]),
  ),
  '/robots.txt': text(`User-agent: *\nDisallow: /cart\n\nSitemap: ${SITE}/sitemap.xml\n`),
  '/sitemap.xml': xml(sitemap),
  'http://acme.example/': { status: 308, headers: { location: `${SITE}/` }, body: '' },
};
