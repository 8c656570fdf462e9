import { html, notFound, SITE, text, xml } from '../../../support/audit/site-fetch.ts';
import { advert, post } from '../content/blog-post.ts';
import { jsonLd, sitemapXml } from '../document.ts';
import { httpsUpgrade, planted, type TruthSite } from '../truth-site.ts';

const structured = jsonLd([
  {
    '@context': 'https://schema.org',
    '@type': 'BlogPosting',
    headline: 'How to think about water in dough',
    author: { '@type': 'Person', name: 'admin' },
    publisher: { '@type': 'Organization', name: 'Crumb Notes' },
    datePublished: '2026-01-25T07:00:00Z',
    dateModified: '2026-01-20T07:00:00Z',
    isPartOf: { '@id': '_:blog' },
    about: { '@id': '_:dough' },
  },
  {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name: 'Crumb Notes',
    url: `${SITE}/`,
    sameAs: ['https://www.instagram.com/crumbnotes'],
  },
]);

const head = `<head>
<meta charset="utf-8">
<title>How to think about water in dough, and why your loaf is flat, pale or dry | Crumb Notes</title>
<meta name="description" content="Thoughts on wet dough.">
<link rel="canonical" href="/posts/water-in-dough">
<meta property="og:title" content="How to think about water in dough">
<meta property="og:type" content="article">
<meta property="og:site_name" content="Crumb Notes">
<link rel="alternate" type="application/rss+xml" href="/rss.xml">
<link rel="license" href="/licence">
${structured}
</head>`;

/** The site's other pages: the advertisement is all that most of them hold. */
const other = (title: string, words: string, modified?: string): string => `<!doctype html><html lang="en"><head>
<meta charset="utf-8"><title>${title}</title>
${modified === undefined ? '' : jsonLd({ '@context': 'https://schema.org', '@type': 'BlogPosting', headline: title, dateModified: modified })}
</head><body><div class="content"><h1>${title}</h1><p>${words}</p><p>${advert}</p></div></body></html>`;

/** A careless blog: much is nearly right. */
export const blog: TruthSite = {
  name: 'blog',
  path: '/posts/water-in-dough',
  profile: 'content',
  map: {
    ...httpsUpgrade,
    '/posts/water-in-dough': html(`<!doctype html>\n<html lang="en">\n${head}\n<body>\n${post}\n</body>\n</html>`, {
      headers: { 'content-encoding': 'gzip' },
    }),
    '/posts': html(other('All posts', 'Posts about flour, ovens and the hands that use both.')),
    '/flour': html(other('Flour', 'Strong flour drinks more than soft flour does.', '2025-02-01')),
    '/ovens': html(other('Ovens', 'A stone in the oven keeps the heat when the door opens.', '2025-03-01')),
    '/about': html(other('About', 'We like bread and we like to write about it.')),
    '/class': html(other('Flour', 'Weekend classes for people who want to bake at home.')),
    '/licence': notFound,
    '/rss.xml': notFound,
    '/robots.txt': text(
      'User-agent: *\nDisallow: /drafts\nCrawl-delay: 20\n\nUser-agent: PerplexityBot\nDisallow: /\n',
    ),
    '/sitemap.xml': xml(
      sitemapXml([
        { path: '/posts/water-in-dough' },
        { path: '/flour', lastmod: '2026-01-10' },
        { path: '/ovens', lastmod: '2025-12-15' },
        { path: '/class' },
      ]),
    ),
    'https://millers.example.net/absorption': notFound,
  },
  truth: planted({
    pass: {
      'aeo.reach.http-200': 'The post answers 200 with text/html.',
      'aeo.robots.blanket-block': 'The * group forbids /drafts only.',
      'aeo.robots.user-fetchers': 'No rule concerns Claude-User.',
      'aeo.sitemap.exists': '/sitemap.xml is there.',
      'aeo.sitemap.valid': 'The sitemap is well formed.',
      'aeo.render.ssr-text': 'The post has about 900 words in the raw HTML.',
      'aeo.render.noscript-wall': 'The noscript text speaks of the comments only.',
      'aeo.meta.lang': 'html lang is en, and the text is English.',
      'geo.text.depth': 'The post has about 900 words.',
    },
    partial: {
      'aeo.meta.unique': 'Two of the six pages that were read share the title "Flour".',
      'aeo.reach.compression': 'The post is served with gzip and without Vary.',
      'aeo.robots.ai-search-bots': 'PerplexityBot alone is disallowed.',
      'aeo.robots.training-choice': 'Every training crawler is left to the * group.',
      'aeo.robots.crawl-delay': 'Crawl-delay is 20.',
      'aeo.index.canonical': 'The canonical link is relative.',
      'aeo.sitemap.robots-ref': 'A sitemap is there, and robots.txt does not name it.',
      'aeo.sitemap.lastmod': 'Two of four entries have a lastmod.',
      'aeo.sitemap.contains-start': 'The sitemap lists the post and two of four pages of the navigation.',
      'aeo.meta.title': 'The title has 86 characters.',
      'aeo.meta.description': 'The description has 23 characters.',
      'aeo.meta.open-graph': 'Two of the five core properties are there.',
      'aeo.answer.lead-first': 'The first long paragraph shares one word, "water", with the title.',
      'aeo.answer.question-headings': 'One of six h2 headings is a question.',
      'aeo.structure.heading-order': 'One of eight headings, an h4 below an h2, skips a level.',
      'aeo.answer.comparison-table': 'A heading says "vs." and the table has no th.',
      'aeo.fresh.recent': 'The newest date of post and sitemap is 300 days before the audit.',
      'aeo.trust.about-contact': 'There is an about page and no contact page.',
      'aeo.media.alt': 'Three of four images have an alt attribute.',
      'geo.evidence.statistics': 'One figure with a unit stands in 900 words.',
      'geo.evidence.cited-sources': 'One external source is linked in 900 words.',
      'geo.text.paragraph-size': 'One paragraph has 160 words.',
      'geo.text.definitions': '"Gluten is the protein that ..." defines something else than the title.',
      'geo.entity.organization': 'The Organization has name, url and one sameAs, but no logo and no address.',
      'geo.entity.sameas': 'sameAs names one host, and no register.',
      'geo.entity.author': 'The author is called "admin".',
      'geo.entity.publisher': 'publisher is an inline node with a name and no @id.',
      'geo.schema.article': 'headline, author, both dates and publisher are there, image is not.',
    },
    fail: {
      'geo.evidence.quotations': 'A sentence in quotation marks has no named speaker.',
      'aeo.sitemap.lastmod-agrees': 'lastmod is nine months and more after dateModified on both pages that have both.',
      'aeo.answer.capsule': 'The only question heading is followed by a paragraph of 160 words.',
      'aeo.answer.steps': 'The h1 and title say "How to", and there is no ordered list.',
      'aeo.feed.exists': 'The linked feed answers 404.',
      'geo.evidence.authoritative-domains': 'The only source is a mill, none of a primary kind.',
      'geo.evidence.links-resolve': 'The only cited address answers 404.',
      'geo.evidence.technical-terms': 'DDT and TTA are expanded nowhere.',
      'geo.evidence.first-hand-data': 'The post names no measurement of its own.',
      'geo.text.self-contained': 'Four sections open with This, That, These and They.',
      'geo.text.lists': 'There is no list outside the navigation.',
      'geo.text.no-placeholder': 'A paragraph begins with "TODO:".',
      'geo.entity.contact-verifiable': 'There is no contact fact at all.',
      'geo.entity.first-person-about': 'The about page names neither a year nor a founder nor a place.',
      'geo.schema.ids-linked': 'Neither of the blank nodes that are referred to is in the graph.',
      'geo.schema.dates-valid': 'dateModified is before datePublished.',
      'geo.trust.license': 'rel=license leads to a 404.',
      'geo.cite.addressable': 'No heading has an id.',
      'geo.cite.figure-captions': 'The figure has no caption.',
      'geo.media.video-transcript': 'A YouTube frame has neither transcript nor VideoObject.',
      'agent.llms.exists': '/llms.txt answers 404.',
    },
    not_applicable: {
      'aeo.index.hreflang': 'There are no translations.',
      'geo.schema.product': 'The post sells nothing.',
      'geo.schema.faq': 'There is no FAQPage.',
      'agent.api.openapi-found': 'Nothing speaks of an API.',
    },
  }),
};
