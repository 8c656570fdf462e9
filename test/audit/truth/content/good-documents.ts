import { SITE } from '../../../support/audit/site-fetch.ts';
import { faq } from './good-article.ts';

const ORG = `${SITE}/#org`;

/** The structured data of the guide: publisher, site, article, trail and questions, linked by @id. */
export const graph = {
  '@context': 'https://schema.org',
  '@graph': [
    {
      '@type': 'Organization',
      '@id': ORG,
      name: 'Hollin Hill',
      url: `${SITE}/`,
      logo: `${SITE}/images/logo.png`,
      sameAs: ['https://www.wikidata.org/wiki/Q4115189', 'https://github.com/hollin-hill-garden'],
      address: {
        '@type': 'PostalAddress',
        streetAddress: '4 Goldielands Lane',
        addressLocality: 'Settle',
        postalCode: 'BD24 9QJ',
        addressCountry: 'GB',
      },
      contactPoint: { '@type': 'ContactPoint', contactType: 'editorial', email: 'post@acme.example' },
    },
    { '@type': 'WebSite', '@id': `${SITE}/#site`, name: 'Hollin Hill', url: `${SITE}/`, publisher: { '@id': ORG } },
    {
      '@type': 'Person',
      '@id': `${SITE}/people/marta-lindqvist#person`,
      name: 'Marta Lindqvist',
      url: `${SITE}/people/marta-lindqvist`,
      worksFor: { '@id': ORG },
    },
    {
      '@type': 'Article',
      '@id': `${SITE}/guides/cold-frames#article`,
      headline: 'Cold frames: what they do and how to build one',
      author: { '@id': `${SITE}/people/marta-lindqvist#person` },
      publisher: { '@id': ORG },
      datePublished: '2025-11-03T08:00:00Z',
      dateModified: '2026-10-02T09:30:00Z',
      image: `${SITE}/images/cold-frame.jpg`,
      license: 'https://creativecommons.org/licenses/by/4.0/',
      mainEntityOfPage: `${SITE}/guides/cold-frames`,
    },
    {
      '@type': 'BreadcrumbList',
      itemListElement: [
        { '@type': 'ListItem', position: 1, name: 'Hollin Hill', item: `${SITE}/` },
        { '@type': 'ListItem', position: 2, name: 'Guides', item: `${SITE}/guides/` },
        { '@type': 'ListItem', position: 3, name: 'Cold frames', item: `${SITE}/guides/cold-frames` },
      ],
    },
    {
      '@type': 'FAQPage',
      mainEntity: faq.map(([name, text]) => ({
        '@type': 'Question',
        name,
        acceptedAnswer: { '@type': 'Answer', text },
      })),
    },
  ],
};

const problem = {
  description: 'What is wrong with the request.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

/** A complete description of a small public API. */
export const openApi = {
  openapi: '3.1.0',
  info: { title: 'Frost forecast', version: '1.4.0', description: 'The chance of frost by weather station.' },
  servers: [{ url: `${SITE}/api/v1`, description: 'The public server.' }],
  security: [],
  paths: {
    '/stations': {
      get: {
        operationId: 'listStations',
        summary: 'List the weather stations',
        parameters: [
          {
            name: 'limit',
            in: 'query',
            description: 'The most stations to return.',
            schema: { type: 'integer', minimum: 1, maximum: 50 },
            example: 10,
          },
        ],
        responses: {
          200: {
            description: 'The stations.',
            content: {
              'application/json': {
                schema: { type: 'array', description: 'Station names.', items: { type: 'string' } },
                example: ['settle', 'malham'],
              },
            },
          },
          400: problem,
        },
      },
    },
    '/frost/{station}': {
      get: {
        operationId: 'getFrost',
        summary: 'Read the frost forecast of a station',
        parameters: [
          {
            name: 'station',
            in: 'path',
            required: true,
            description: 'The identifier of the station.',
            schema: { type: 'string' },
            example: 'settle',
          },
        ],
        responses: {
          200: {
            description: 'The forecast of the coming night.',
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Forecast' },
                example: { station: 'settle', lowest_celsius: -2.1, frost_percent: 80 },
              },
            },
          },
          404: problem,
        },
      },
    },
  },
  components: {
    schemas: {
      Forecast: {
        type: 'object',
        description: 'The forecast of one station.',
        properties: {
          station: { type: 'string', description: 'The identifier of the station.' },
          lowest_celsius: { type: 'number', description: 'The lowest expected temperature.' },
          frost_percent: { type: 'integer', description: 'The chance of frost.' },
        },
      },
      Problem: {
        type: 'object',
        description: 'A problem by RFC 9457.',
        properties: {
          title: { type: 'string', description: 'What went wrong.' },
          status: { type: 'integer', description: 'The HTTP status.' },
        },
      },
    },
  },
};

export const apiCatalog = {
  linkset: [
    {
      anchor: `${SITE}/api/v1`,
      'service-desc': [{ href: `${SITE}/openapi.json`, type: 'application/openapi+json' }],
      'service-doc': [{ href: `${SITE}/developers`, type: 'text/html' }],
    },
  ],
};

export const skill = `---
name: read-frost-forecast
description: Reads the chance of frost for a weather station from the public forecast. Use it when somebody asks whether plants need cover tonight.
---

# Read the frost forecast

1. Ask for the list of stations at /api/v1/stations and choose the nearest one.
2. Ask for /api/v1/frost/ followed by the name of the station.
3. Tell the lowest expected temperature in degrees Celsius and the chance of frost in percent.
`;

export const llmsTxt = `# Hollin Hill

> A trial garden that shows how to grow vegetables without heat or power, with guides and a public frost forecast.

Figures on these pages come from our own beds or from sources that the text names.

## Guides

- [Cold frames](${SITE}/guides/cold-frames): what a frame does, measured, and how to build one
- [Hotbeds](${SITE}/guides/hotbeds): warmth from fresh manure, layer by layer
- [Seed trays](${SITE}/guides/seed-trays): which tray suits which seed

## Frost forecast

- [Developers](${SITE}/developers): the forecast API, its rules and a first request

## Garden

- [About](${SITE}/about): who we are and how we are paid
- [Contact](${SITE}/contact): post, mail and telephone
`;

export const feed = `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>Hollin Hill guides</title>
<id>${SITE}/</id>
<updated>2026-10-02T09:30:00Z</updated>
<link href="${SITE}/feed.xml" rel="self"/>
<entry>
<title>Cold frames: what they do and how to build one</title>
<id>${SITE}/guides/cold-frames</id>
<link href="${SITE}/guides/cold-frames"/>
<published>2025-11-03T08:00:00Z</published>
<updated>2026-10-02T09:30:00Z</updated>
<summary>What a frame does, what we measured, and how to build one.</summary>
</entry>
</feed>`;

export const robots = `User-agent: *
Content-Signal: search=yes, ai-input=yes, ai-train=yes
Disallow: /cart

User-agent: GPTBot
Content-Signal: search=yes, ai-input=yes, ai-train=yes
Allow: /
Disallow: /cart

License: ${SITE}/license.xml
Sitemap: ${SITE}/sitemap.xml
`;

export const rsl = `<?xml version="1.0" encoding="UTF-8"?>
<rsl xmlns="https://rslstandard.org/rsl">
<content url="/"><license><permits type="usage">all</permits><payment type="attribution"/></license></content>
</rsl>`;

export const securityTxt = `Contact: mailto:post@acme.example
Expires: 2027-06-30T00:00:00Z
Preferred-Languages: en
`;

export const styles = `<style>
:root{--ink:#1d2a1f;--paper:#fbfaf5;--leaf:#3f6b3c;--line:#d9d5c6;--measure:38rem}
*{box-sizing:border-box}
body{margin:0;font:1.05rem/1.6 Georgia,"Times New Roman",serif;color:var(--ink);background:var(--paper)}
header{display:flex;flex-wrap:wrap;gap:1rem;align-items:baseline;padding:1rem 1.5rem;border-bottom:1px solid var(--line)}
header nav ul{display:flex;flex-wrap:wrap;gap:1rem;margin:0;padding:0;list-style:none}
header a{color:var(--leaf);text-decoration:none}
header a:hover,header a:focus-visible{text-decoration:underline}
main{max-width:var(--measure);margin:0 auto;padding:2rem 1.5rem}
h1{font-size:2rem;line-height:1.2;margin:0 0 .5rem}
h2{font-size:1.35rem;line-height:1.3;margin:2.5rem 0 .5rem;scroll-margin-top:1rem}
p,ul,ol,table,figure,blockquote{margin:0 0 1.1rem}
blockquote{padding-left:1rem;border-left:3px solid var(--leaf);font-style:italic}
blockquote footer{font-style:normal;font-size:.9rem}
figure img{display:block;width:100%;height:auto;border-radius:.25rem}
figcaption,caption{font-size:.9rem;text-align:left;padding:.4rem 0}
table{width:100%;border-collapse:collapse}
th,td{padding:.45rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
form{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:0 0 1rem}
input{font:inherit;padding:.35rem .5rem;border:1px solid var(--line);border-radius:.25rem;min-width:12rem}
button{font:inherit;padding:.35rem .9rem;border:0;border-radius:.25rem;background:var(--leaf);color:var(--paper)}
body>footer{padding:1.5rem;border-top:1px solid var(--line);font-size:.95rem}
body>footer ul{display:flex;flex-wrap:wrap;gap:1rem;margin:0;padding:0;list-style:none}
@media (max-width:40rem){header{padding:.75rem 1rem}main{padding:1.25rem 1rem}h1{font-size:1.6rem}}
@media (prefers-color-scheme:dark){:root{--ink:#ebe8dc;--paper:#171c17;--leaf:#9cc48f;--line:#39423a}}
@media print{header nav,form,body>footer ul{display:none}main{max-width:none}}
</style>`;
