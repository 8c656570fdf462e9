import { html, SITE, type SiteMap, text, xml } from '../../../support/audit/site-fetch.ts';
import { jsonLd } from '../document.ts';
import { httpsUpgrade, planted, type TruthSite } from '../truth-site.ts';

const THINGS = [
  'The gauge',
  'The ferry',
  'A buoy',
  'The old pier',
  'A cargo boat',
  'The pilot',
  'A seal',
  'The light',
  'A trawler',
  'The harbour crane',
];
const DEEDS = [
  'was seen',
  'came in late',
  'left at dawn',
  'lay at anchor',
  'sent a signal',
  'took on water',
  'waited for the tide',
  'turned back',
];
const PLACES = [
  'off the northern bar',
  'below the cliffs',
  'at the second berth',
  'near the wreck',
  'by the salt house',
  'outside the bay',
];
const ENDS = [
  'in light rain',
  'under a clear sky',
  'before the storm',
  'with a full load',
  'for the third time',
  'without a word',
];

const pick = (list: readonly string[], index: number): string => list[index % list.length] ?? '';

/** One sentence of the log, no two alike within a hundred pages. */
const sentence = (index: number): string =>
  `${pick(THINGS, index)} ${pick(DEEDS, Math.floor(index / 3))} ${pick(PLACES, Math.floor(index / 7))} ${pick(ENDS, Math.floor(index / 11))}, as entry ${index + 1} of the log says.`;

const day = (index: number): string =>
  [
    `<section><h2 id="day-${index}">Day ${index + 1} of the log</h2>`,
    `<p>${Array.from({ length: 12 }, (_, at) => sentence(index * 12 + at)).join(' ')}</p>`,
    `<p><a href="/log/${index}">Entries of day ${index + 1}</a></p></section>`,
  ].join('\n');

const DAYS = 1900;

const page = (): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>The harbour log of five years, entry by entry</title>
<meta name="description" content="Every entry of the harbour log since the new book was begun, on one page, as the clerk wrote it down.">
<link rel="canonical" href="${SITE}/">
${Array.from({ length: 60 }, (_, index) => jsonLd({ '@context': 'https://schema.org', '@type': 'Dataset', name: `Log ${index}`, '@id': `${SITE}/#log-${index}`, url: `${SITE}/log/${index}` })).join('\n')}
</head><body><main><article>
<h1>The harbour log of five years</h1>
<p>The harbour log is a book in which the clerk writes down what comes and goes. The page below holds every entry of the past five years.</p>
${Array.from({ length: DAYS }, (_, index) => day(index)).join('\n')}
</article></main>
${'<div>'.repeat(3000)}<p>The end of the log.</p>${'</div>'.repeat(3000)}
</body></html>`;

const map: SiteMap = {
  ...httpsUpgrade,
  '/': html(page()),
  '/robots.txt': text(
    `User-agent: *\n${Array.from({ length: 27_000 }, (_, index) => `Disallow: /private/${index}`).join('\n')}\n`,
  ),
  '/sitemap.xml': xml(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${Array.from({ length: 50_001 }, (_, index) => `<url><loc>${SITE}/log/${index}</loc></url>`).join('\n')}\n</urlset>`,
  ),
  '/llms.txt': text(
    `# Harbour log\n\n> Every entry of five years.\n\n## Days\n\n${Array.from({ length: 2600 }, (_, index) => `- [Day ${index}](${SITE}/log/${index}): what came and went on that day`).join('\n')}\n`,
  ),
};

/** Any day of the log: all answers but the listed files. */
const entry = html(
  `<!doctype html><html lang="en"><head><title>A day of the log</title></head><body><main><h1>A day of the log</h1><p>${Array.from({ length: 6 }, (_, at) => sentence(at)).join(' ')}</p></main></body></html>`,
);

/** Too much of everything: 2.3 MB of HTML, 50,001 addresses, 600 KB of rules, an index longer than a book. */
export const huge: TruthSite = {
  name: 'huge',
  map,
  catchAll: ({ url }) =>
    /\/log\/\d{1,5}$/.test(url) ? entry : html('<!doctype html><title>Not found</title>', { status: 404 }),
  truth: planted({
    pass: {
      'aeo.reach.http-200': 'The page answers 200 with text/html.',
      'aeo.reach.soft-404': 'An unknown path answers 404.',
      'aeo.render.ssr-text': 'The page has hundreds of thousands of words.',
      'aeo.sitemap.exists': '/sitemap.xml is a urlset.',
      'geo.text.depth': 'The page has hundreds of thousands of words.',
      'geo.text.ratio': 'Most of the HTML is visible text.',
      'agent.tokens.inline-bloat': 'There is no inline state, no data: URI and no svg in 2.3 MB.',
      'agent.llms.exists': 'llms.txt answers 200 as text/plain.',
      'agent.llms.h1-first': 'The first line is the only H1.',
    },
    fail: {
      'aeo.reach.html-size': 'The page has more than 2 MB.',
      'aeo.robots.syntax': 'robots.txt has more than 500 KiB.',
      'aeo.sitemap.valid': 'The sitemap lists 50,001 addresses.',
      'geo.evidence.cited-sources': 'No external source is linked.',
      'agent.llms.size': 'llms.txt has more than 100,000 characters.',
      'agent.tokens.page': 'The page has several hundred thousand tokens.',
    },
    not_applicable: {
      'geo.media.video-transcript': 'There is no video.',
      'agent.ui.form-labels': 'There are no fields.',
      'geo.schema.article': 'There is no Article node.',
    },
  }),
};
