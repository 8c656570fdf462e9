import { html } from '../../../support/audit/site-fetch.ts';
import { buildLook, buildTarget } from '../../../support/audit/looks.ts';
import { httpsUpgrade, planted, type TruthSite } from '../truth-site.ts';

/** The bundle's host page, as a build tool writes it: no title yet, no text, one mount point, one module. */
const shell = html(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title></title>
<link rel="stylesheet" href="/assets/index-4f2a.css">
<script type="module" src="/assets/index-9c1d.js"></script>
</head>
<body>
<noscript>You need to enable JavaScript to run this app.</noscript>
<div id="root"></div>
</body>
</html>`);

/** What its bundle makes of the shell: an application with a cookie layer, icons without names, and an exception. */
const app = `<!doctype html><html lang="en"><head><title>Fernhill Rentals</title></head><body><div id="root">
<header><a href="/boats">Boats</a> <a href="/prices">Prices</a></header>
<main><h1>Rent a boat on the Fernhill reservoir</h1>
<p>Rowing boats, canoes and two small sailing dinghies wait at the northern landing stage from April to October.</p>
<p>A rowing boat for four costs $18.00 an hour, with life jackets for adults and children.</p></main></div></body></html>`;

/** A single-page application that answers every path with the same 200 and no content. */
export const appShell: TruthSite = {
  name: 'app shell',
  map: httpsUpgrade,
  catchAll: shell,
  rendered: buildLook(app, {
    targets: [
      buildTarget({ name: '', x: 10, y: 10, width: 16, height: 16 }),
      buildTarget({ name: '', x: 28, y: 10, width: 16, height: 16 }),
      buildTarget({ tag: 'a', role: 'link', name: 'Boats', x: 10, y: 80 }),
    ],
    overlays: [{ selector: 'div.layer', share: 0.8, textShare: 0.05, dialog: false, name: null, controls: [''] }],
    errors: ["TypeError: Cannot read properties of null (reading 'focus')"],
  }),
  truth: planted({
    pass: {
      'aeo.reach.http-200': 'The start URL answers 200 with text/html.',
      'aeo.reach.redirect-chain': 'There is no redirect.',
      'aeo.reach.html-size': 'The shell has less than 1 KB.',
      'aeo.robots.blanket-block': 'There are no robots rules at all.',
      'aeo.robots.ai-search-bots': 'There are no robots rules at all.',
      'aeo.index.meta-robots': 'There is no robots meta tag.',
      'aeo.meta.charset': 'UTF-8 is declared.',
      'aeo.meta.lang': 'html lang is en, and there is no text to contradict it.',
      'aeo.meta.viewport': 'The viewport meta has width=device-width.',
    },
    partial: {
      'aeo.robots.fetch': '/robots.txt answers 200 with the shell, which is HTML.',
    },
    fail: {
      'aeo.reach.soft-404': 'An unknown path answers 200 with the shell.',
      'aeo.render.ssr-text': 'The raw HTML has no words and an empty #root.',
      'aeo.render.head-tags-static': 'The title is empty, and #root waits for a script.',
      'aeo.render.noscript-wall':
        'The noscript text says that JavaScript must be enabled, and there are no other words.',
      'aeo.meta.title': 'The title is empty.',
      'aeo.meta.description': 'There is no description.',
      'aeo.meta.open-graph': 'There is no Open Graph property.',
      'aeo.meta.site-name': 'Neither og:site_name nor WebSite.name is there.',
      'aeo.structure.h1': 'There is no h1.',
      'aeo.structure.landmarks': 'There is no landmark.',
      'aeo.links.internal': 'There is no link.',
      'aeo.trust.about-contact': 'There is no link to an about or contact page.',
      'aeo.sitemap.exists': '/sitemap.xml answers with the shell.',
      'geo.schema.jsonld-present': 'There is no structured data.',
      'geo.entity.organization': 'There is no structured data.',
      'geo.entity.sameas': 'There is no structured data.',
      'geo.entity.website-node': 'There is no structured data.',
      'agent.content.raw-vs-rendered': 'The raw HTML has no words, the application has fifty and a price.',
      'agent.content.script-errors': 'The application throws a TypeError that nothing catches.',
      'agent.ui.target-size': 'Two icons of 16 by 16 pixels are next to each other, and there is one more target.',
      'agent.ui.overlay': 'A layer covers the window; it is no dialog, and its button has no name.',
      'agent.ui.rendered-names': 'Two of three controls have no name.',
      'agent.llms.exists': '/llms.txt answers with the shell.',
      'agent.llms.full': '/llms-full.txt answers 200 with HTML.',
      'agent.md.negotiation': 'Accept: text/markdown gets the shell.',
      'agent.md.suffix': '/index.md answers with HTML.',
    },
    not_applicable: {
      'mcp.discovery.any': 'Every place of an MCP document answers with the shell, which speaks of no MCP and no API.',
      'aeo.sitemap.valid': 'There is no sitemap.',
      'aeo.structure.heading-order': 'There are no headings.',
      'aeo.answer.capsule': 'No heading asks a question.',
      'aeo.answer.steps': 'Nothing speaks of steps.',
      'aeo.media.alt': 'There are no images.',
      'aeo.reach.compression': 'The HTML is under 1,400 bytes.',
      'geo.evidence.statistics': 'There are fewer than 150 words.',
      'geo.evidence.cited-sources': 'There are fewer than 150 words.',
      'geo.evidence.no-keyword-stuffing': 'There are fewer than 150 words.',
      'geo.text.fluency': 'There are no sentences.',
      'geo.text.ratio': 'There are fewer than 60 words.',
      'geo.text.main-extractable': 'There are fewer than 60 visible words.',
      'geo.text.no-placeholder': 'There are fewer than 60 visible words.',
      'geo.schema.parses': 'There is no JSON-LD.',
      'geo.safety.no-invisible-instructions': 'There are fewer than 60 visible words.',
      'geo.safety.unicode-covert': 'There are fewer than 60 visible words.',
      'geo.parity.markdown-content': 'There is no Markdown copy: the .md path answers with the shell.',
      'agent.llms.h1-first': 'There is no llms.txt.',
      'agent.llms.no-injection': 'There is no file that agents read as instructions.',
      'agent.md.vary': 'The site does not negotiate.',
      'agent.tokens.page': 'There are fewer than 60 visible words.',
      'agent.tokens.preamble': 'There are fewer than 60 visible words.',
      'agent.http.cors': 'There is no discovery file.',
      'agent.api.openapi-found': 'Nothing speaks of an API.',
      'agent.api.openapi-valid': 'There is no description of an API.',
      'agent.api.catalog': 'Nothing speaks of an API; /.well-known/api-catalog is the shell.',
      'agent.a2a.card': '/.well-known/agent-card.json answers with the shell, and no agent is claimed.',
      'agent.skills.index': '/.well-known/agent-skills/index.json answers with the shell.',
      'agent.sec.security-txt': '/.well-known/security.txt answers with the shell.',
      'agent.ui.form-labels': 'There are no fields.',
      'agent.ui.control-names': 'There are no buttons and no links.',
      'mcp.discovery.catalog-urls': 'There is no catalog.',
      'mcp.card.schema': 'There is no card: all places answer with the shell.',
      'mcp.endpoint.modern': 'No endpoint is declared.',
    },
  }),
};

/** Checks that say that something exists: none of them may pass where every path answers with the same shell. */
export const EXISTENCE_CHECKS = [
  'aeo.robots.fetch',
  'aeo.sitemap.exists',
  'aeo.sitemap.valid',
  'aeo.sitemap.robots-ref',
  'aeo.sitemap.lastmod',
  'aeo.sitemap.contains-start',
  'aeo.answer.faq',
  'aeo.feed.exists',
  'aeo.feed.indexnow',
  'aeo.trust.about-contact',
  'aeo.trust.policies',
  'geo.entity.author-page',
  'geo.entity.first-person-about',
  'geo.trust.license',
  'geo.parity.markdown-content',
  'agent.llms.exists',
  'agent.llms.full',
  'agent.llms.no-injection',
  'agent.llms.statistics',
  'agent.md.negotiation',
  'agent.md.suffix',
  'agent.md.alternate-link',
  'agent.md.canonical',
  'agent.md.valid',
  'agent.http.cache',
  'agent.http.cors',
  'agent.http.link-headers',
  'agent.http.errors-machine',
  'agent.prefs.rsl',
  'agent.prefs.tdmrep',
  'agent.prefs.web-bot-auth',
  'agent.api.openapi-found',
  'agent.api.openapi-valid',
  'agent.api.catalog',
  'agent.api.ai-plugin',
  'agent.api.agents-json',
  'agent.pay.x402',
  'agent.pay.x402-discovery',
  'agent.pay.commerce',
  'agent.pay.price-page',
  'agent.a2a.card',
  'agent.a2a.legacy-path',
  'agent.a2a.interface-live',
  'agent.skills.index',
  'agent.skills.skill-md',
  'agent.docs.agents-md',
  'agent.docs.sitemap-md',
  'agent.nlweb.ask',
  'agent.ui.search-url',
  'agent.sec.security-txt',
  'mcp.discovery.any',
  'mcp.discovery.ai-catalog',
  'mcp.discovery.catalog-urls',
  'mcp.discovery.legacy-mcp-json',
  'mcp.discovery.agent-json',
  'mcp.discovery.registry',
  'mcp.discovery.docs-page',
  'mcp.card.found',
  'mcp.card.schema',
  'mcp.endpoint.reachable',
  'mcp.tools.list',
  'mcp.auth.prm',
  'mcp.auth.as-metadata',
  'mcp.auth.public-discovery',
  'mcp.pay.x402',
] as const;
