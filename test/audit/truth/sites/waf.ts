import { byAgent, html, type SiteAnswer, text, xml } from '../../../support/audit/site-fetch.ts';
import { linkList, navigation, pageHtml, sitemapXml } from '../document.ts';
import { httpsUpgrade, planted, type TruthSite } from '../truth-site.ts';

/** What a firewall puts before every page of a visitor that it takes for a robot. */
const challenge = html(
  `<!doctype html><html lang="en-US"><head><title>Just a moment...</title><meta name="robots" content="noindex,nofollow"></head>
<body><noscript>Enable JavaScript and cookies to continue</noscript><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script></body></html>`,
  { status: 403, headers: { 'cf-mitigated': 'challenge', server: 'cloudflare' } },
);

/** A firewall that challenges us at every path, whoever we say we are: what lies behind cannot be judged. */
export const wafForAll: TruthSite = {
  name: 'WAF for everybody',
  map: { 'http://acme.example/': challenge },
  catchAll: challenge,
  truth: planted({
    fail: {
      'aeo.reach.edge-policy': 'Whoever asks is challenged, a browser included.',
    },
    unknown: {
      'aeo.reach.http-200': 'The start URL answers 403 with a challenge to whoever asks: a block of us.',
      'aeo.reach.ua-parity': 'The browser is challenged as well, so that we were blocked and not the AI agents.',
      'aeo.reach.soft-404': 'The path that cannot exist answers 403 with a challenge, like every other.',
      'aeo.robots.fetch': 'robots.txt answers 403 with a challenge.',
      'aeo.sitemap.exists': 'Both usual addresses answer 403 with a challenge.',
      'aeo.render.ssr-text': 'The page behind the challenge was not seen.',
      'aeo.index.meta-robots': "The challenge's own noindex says nothing about the page.",
      'aeo.meta.title': "The challenge's title is not that of the page.",
      'aeo.meta.description': 'The page behind the challenge was not seen.',
      'aeo.meta.lang': 'The page behind the challenge was not seen.',
      'aeo.structure.h1': 'The page behind the challenge was not seen.',
      'aeo.links.internal': 'The page behind the challenge was not seen.',
      'geo.evidence.statistics': 'The page behind the challenge was not seen.',
      'geo.evidence.cited-sources': 'The page behind the challenge was not seen.',
      'geo.text.depth': 'The page behind the challenge was not seen.',
      'geo.text.ratio': 'The page behind the challenge was not seen.',
      'geo.entity.organization': 'The page behind the challenge was not seen.',
      'geo.entity.sameas': 'The page behind the challenge was not seen.',
      'geo.schema.jsonld-present': 'The page behind the challenge was not seen.',
      'geo.safety.no-cloaking-text': 'No User-Agent got the page, so there is nothing to compare.',
      'agent.llms.exists': '/llms.txt answers 403 with a challenge.',
      'agent.ui.form-labels': 'The page behind the challenge was not seen.',
      'agent.ui.control-names': 'The page behind the challenge was not seen.',
      'agent.tokens.page': 'The page behind the challenge was not seen.',
      'agent.sec.mixed': 'The page behind the challenge was not seen.',
      'mcp.discovery.any': 'Every place of an MCP document answers 403 with a challenge.',
      'mcp.card.found': 'Every place of a card answers 403 with a challenge.',
    },
  }),
};

/** The same challenge with status 200, as some firewalls send it: a crawler takes it for the page. */
export const challengeAsPage: TruthSite = {
  name: 'challenge as page',
  map: {
    '/': html(
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Just a moment...</title></head><body><h1>Checking your browser</h1><p>The site starts as soon as the check is done.</p><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script></body></html>',
    ),
  },
  truth: planted({
    pass: {
      'aeo.reach.http-200': 'The start URL answers 200 with text/html.',
    },
    fail: {
      'aeo.reach.no-interstitial': 'The body is a challenge of a bot manager, with 14 words.',
    },
    unknown: {
      'aeo.reach.ua-parity': 'A browser gets the challenge as well.',
    },
  }),
};

const content = `# Harbour tide tables for the Firth of Larne

The harbour office publishes the times of high and low water for every day of the year. Skippers, anglers and swimmers use them, and so does the ferry, which cannot dock at the lowest springs.

## How the tables are made

A gauge at the old pier measures the height of the water every 6 minutes. The office compares the readings with those of the past 19 years and computes the coming season from both. A strong wind from the south can raise the water by half a metre above the table, so the harbour master looks at the barometer as well. Tables that were printed long ago are kept in the library of the town.

## Where to read them

The current month hangs at the gate, and the whole year can be bought as a booklet in the office. The pages here show the same figures. If the two ever differ, the board at the gate is right, because somebody corrects it by hand after every storm. Small boats should leave an hour of water in hand, and visitors should ask before they anchor near the bar at the mouth of the river.`;

const page = html(
  pageHtml({
    path: '/',
    title: 'Tide tables for the Firth of Larne | Harbour office',
    description:
      'Times of high and low water at the old pier, how the harbour office computes them and where they hang.',
    header: navigation('Harbour office', {
      '/tables': 'Tide tables',
      '/moorings': 'Moorings',
      '/ferry': 'Ferry times',
      '/about': 'About the office',
      '/contact': 'Contact',
    }),
    footer: `<footer>${linkList({ '/privacy': 'Privacy', '/terms': 'Terms' })}</footer>`,
    content,
  }),
);

const forAgents = (answer: SiteAnswer): SiteAnswer =>
  byAgent({ 'OAI-SearchBot': challenge, 'Claude-User': challenge, PerplexityBot: challenge }, answer);

/** A firewall rule that lets browsers in and challenges whoever names itself as an AI agent. */
export const wafForAgents: TruthSite = {
  name: 'WAF for AI agents',
  map: {
    ...httpsUpgrade,
    '/': forAgents(page),
    ...Object.fromEntries(
      ['/tables', '/moorings', '/ferry', '/about', '/contact'].map((path) => [
        path,
        forAgents(
          html(
            pageHtml({
              path,
              title: `Harbour office: ${path.slice(1)} of the Firth`,
              content: `# Harbour office: ${path.slice(1)}\n\nThe office opens at eight and closes at four. Ask for the ${path.slice(1)} at the first desk.`,
            }),
          ),
        ),
      ]),
    ),
    '/robots.txt': text(
      'User-agent: OAI-SearchBot\nUser-agent: Claude-User\nUser-agent: PerplexityBot\nAllow: /\n\nUser-agent: *\nDisallow: /admin\nSitemap: https://acme.example/sitemap.xml\n',
    ),
    '/sitemap.xml': xml(
      sitemapXml(['/', '/tables', '/moorings', '/ferry', '/about', '/contact'].map((path) => ({ path }))),
    ),
  },
  truth: planted({
    pass: {
      'aeo.reach.http-200': 'A client that is not on the list of AI agents gets 200.',
      'aeo.reach.soft-404': 'An unknown path answers 404.',
      'aeo.robots.ai-search-bots': 'robots.txt allows every AI search crawler.',
      'aeo.robots.user-fetchers': 'robots.txt names Claude-User with Allow: /.',
      'aeo.render.ssr-text': 'The page has more than 200 words in the raw HTML.',
      'aeo.sitemap.exists': 'robots.txt names a sitemap that is there.',
      'aeo.links.internal': 'The navigation has five internal links.',
      'aeo.trust.about-contact': 'The navigation links to /about and /contact.',
      'geo.text.main-extractable': 'The article element holds the text with its h1.',
    },
    partial: {
      'aeo.reach.ua-parity': 'OAI-SearchBot, Claude-User and PerplexityBot get 403, a browser and the others get 200.',
      'aeo.reach.edge-policy': 'Two search crawlers and a user fetcher get 403, a browser and the others get 200.',
      'aeo.reach.robots-vs-edge': 'robots.txt names three agents with Allow: / that get 403.',
    },
    fail: {
      'aeo.reach.http-errors-in-sample': 'The footer leads to /privacy and /terms, which answer 404.',
      'geo.evidence.cited-sources': 'The text links no source.',
      'geo.evidence.quotations': 'The text quotes nobody.',
      'geo.evidence.number-source-adjacent': 'Six minutes and nineteen years have no source near them.',
      'geo.schema.jsonld-present': 'There is no structured data.',
    },
    not_applicable: {
      'geo.safety.no-cloaking-text': 'No AI User-Agent gets the page with status 200.',
      'geo.schema.article': 'There is no Article node.',
    },
  }),
};
