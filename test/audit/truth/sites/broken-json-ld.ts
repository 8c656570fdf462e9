import { html, SITE } from '../../../support/audit/site-fetch.ts';
import { pageHtml } from '../document.ts';
import { httpsUpgrade, planted, type TruthSite } from '../truth-site.ts';

const blocks = [
  // A trailing comma and a comment.
  `{ "@context": "https://schema.org", "@type": "NewsArticle", /* by the template */ "headline": "The pier reopens", "author": { "@type": "Person", "name": "Nuala Breen" }, }`,
  // A line break inside a string.
  `{ "@context": "https://schema.org", "@type": "Organization", "name": "The Pier\nGazette", "url": "${SITE}/" }`,
  // No context, invented names, a reference to nothing.
  `{ "@type": "NewsArtikel", "headlin": "The pier reopens", "autor": "N. Breen" }`,
  // Valid JSON of another vocabulary.
  `{ "@context": "https://www.w3.org/ns/activitystreams", "@type": "Note", "content": "The pier reopens" }`,
  // Cut off in the middle.
  `{ "@context": "https://schema.org", "@type": "WebSite", "name": "The Pier Gazette", "url": "${SITE}`,
];

const content = `# The pier reopens after three winters

The pier of Portmuck reopens on Saturday after three winters of repair. The harbour board has replaced 212 of its 540 piles, and it lays the cost at £4.1 million. According to [the report of the board](https://board.example.gov/pier-2026), 38% of the old timber was sound and could be used again.

“We found oak below the water that was as hard as on the day it was driven,” said Fergus Kane, who led the work for the board. He expects the new piles to stand for sixty years if they are painted every fifth.

## What changes for visitors

The ferry moves back to the pier on Sunday, and the stop on the beach is closed. Anglers may use the north side until noon. The lamps are lit by the sun now, and the old gas lamps stand in the museum. Cyclists push their bicycles, as they always should have done.

## What it cost

The county paid half of the sum, and the harbour dues of the coming ten years pay the rest. Landing a small boat costs £6 more than before. [The accounts](https://accounts.example.gov/pier) are open to everybody at the harbour office, which also keeps one of the old piles for people who like to knock on wood.`;

/** A newspaper whose template breaks its structured data in five ways; the text itself is sound. */
export const brokenJsonLd: TruthSite = {
  name: 'broken JSON-LD',
  path: '/news/2026/pier-reopens',
  map: {
    ...httpsUpgrade,
    '/news/2026/pier-reopens': html(
      pageHtml({
        path: '/news/2026/pier-reopens',
        title: 'The pier reopens after three winters | The Pier Gazette',
        description:
          'The pier of Portmuck reopens on Saturday with 212 new piles. What changes for visitors, and what it cost.',
        head: [
          '<meta property="og:type" content="article">',
          '<meta property="article:published_time" content="2026-11-14T07:00:00Z">',
          ...blocks.map((block) => `<script type="application/ld+json">${block}</script>`),
        ].join('\n'),
        byline: '<p>By Nuala Breen, <time datetime="2026-11-14">14 November 2026</time></p>',
        content,
      }),
    ),
    'https://board.example.gov/pier-2026': html('<!doctype html><title>Report</title><p>Piles.</p>'),
    'https://accounts.example.gov/pier': html('<!doctype html><title>Accounts</title><p>Sums.</p>'),
  },
  truth: planted({
    pass: {
      'aeo.fresh.dates': 'A time element and a published time state the date.',
      'aeo.fresh.recent': 'The article is a week old.',
      'geo.evidence.statistics': 'A share, two sums and a ratio stand in 220 words.',
      'geo.evidence.quotations': 'Fergus Kane is quoted and named.',
      'geo.evidence.cited-sources': 'Two external sources are linked in 220 words.',
      'geo.evidence.authoritative-domains': 'Both sources are at .gov hosts.',
      'geo.evidence.links-resolve': 'Both cited addresses answer 200.',
      'geo.schema.jsonld-present': 'JSON-LD scripts are there.',
    },
    partial: {
      'geo.schema.parses': 'Two of five blocks are valid JSON.',
    },
    fail: {
      'geo.schema.context': 'One block has no context, one that of another vocabulary.',
      'geo.schema.known-types': 'NewsArtikel, headlin and autor are not in schema.org.',
    },
    not_applicable: {
      'geo.schema.faq': 'There is no FAQPage.',
      'geo.schema.product': 'Nothing is sold.',
      'geo.schema.review-honest': 'There is no rating.',
    },
  }),
};
