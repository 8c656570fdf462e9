import { html } from '../../../support/audit/site-fetch.ts';
import { navigation, pageHtml } from '../document.ts';
import { httpsUpgrade, planted, type TruthSite } from '../truth-site.ts';

const header = navigation('Corrie Bikes', {
  '/repairs': 'Repairs',
  '/rental': 'Rental',
  '/routes': 'Routes',
  '/about': 'About us',
  '/contact': 'Contact',
});

/** The "not found" page of the shop, served with 200: it names the path that was asked for. */
const missing = (path: string): string =>
  pageHtml({
    path,
    title: 'Page not found | Corrie Bikes',
    header,
    canonical: null,
    content: `# We could not find that page

Nothing is stored at ${path} any more, or the link was mistyped. Use the menu to go on, or ring the workshop and ask. The most wanted pages are those about repairs, rental and the routes around the loch. If you came here from another site, please tell its owner that the link is dead.`,
  });

/** A shop system that answers every path with 200: real pages where there are some, else a friendly "not found". */
export const softNotFound: TruthSite = {
  name: 'soft 404',
  map: {
    ...httpsUpgrade,
    '/': html(
      pageHtml({
        path: '/',
        title: 'Bicycle repairs and rental by the loch | Corrie Bikes',
        description: 'A workshop by the loch that mends bicycles while you wait and rents out sturdy ones by the day.',
        header,
        content: `# Bicycle repairs and rental by the loch

Corrie Bikes mends bicycles while you wait and rents out sturdy ones by the day. The workshop stands at the end of the pier road, next to the boat house.

## Repairs

Flat tyres and loose brakes are mended at once. A new wheel takes until the evening, and a new frame takes a week. We keep parts for most makes of the past thirty years, because the nearest shop in town is two hours away by bus. Bring the whole bicycle and not just the broken part, since the fault often lies next to it.

## Rental

Rental bicycles have eight gears, strong lamps and a basket. Children ride for half the price, and helmets are free. You can leave a bicycle at the far end of the loch, and we fetch it with the van at night. In winter the rental is closed when the road is icy, and the board at the door says so by seven in the morning.

## Routes

The round trip along the shore takes three hours and has one steep climb. The path through the glen is shorter but rough, and it floods after rain. A map with both hangs in the workshop, and you may take a copy along.`,
      }),
    ),
  },
  catchAll: ({ url }) => html(missing(new URL(url).pathname)),
  truth: planted({
    pass: {
      'aeo.reach.http-200': 'The start page answers 200 with its own text.',
      'aeo.render.ssr-text': 'The start page has more than 200 words.',
      'aeo.meta.title': 'The title names subject and brand in 53 characters.',
      'aeo.meta.description': 'The description has about 95 characters.',
      'aeo.structure.h1': 'The start page has one h1.',
      'geo.text.no-placeholder': 'There is no placeholder text.',
    },
    partial: {
      'aeo.robots.fetch': '/robots.txt answers 200 with the "not found" page.',
    },
    fail: {
      'aeo.reach.soft-404': 'An unknown path answers 200.',
      'aeo.sitemap.exists': '/sitemap.xml answers 200 with the "not found" page.',
      'aeo.trust.about-contact': '/about and /contact are linked and answer with the "not found" page.',
      'agent.llms.exists': '/llms.txt answers 200 with the "not found" page.',
      'agent.llms.full': '/llms-full.txt answers 200 with HTML.',
      'agent.md.negotiation': 'Accept: text/markdown gets HTML.',
    },
    not_applicable: {
      'mcp.discovery.any':
        'Every place of an MCP document answers with the "not found" page, and the site speaks of none.',
      'aeo.sitemap.valid': 'There is no sitemap.',
      'aeo.sitemap.robots-ref': 'There is no sitemap, and no rules to name one.',
      'geo.parity.markdown-content': 'The .md path answers with the "not found" page, which is no copy.',
      'agent.llms.sections': 'There is no llms.txt.',
      'agent.llms.no-injection': 'No file of instructions is there.',
      'agent.md.vary': 'The site does not negotiate.',
      'agent.http.cors': 'No discovery file is there.',
      'agent.prefs.tdmrep': '/.well-known/tdmrep.json answers with the "not found" page.',
      'agent.prefs.web-bot-auth': 'The key directory answers with the "not found" page.',
      'agent.api.openapi-found': 'Nothing speaks of an API; /openapi.json is the "not found" page.',
      'agent.api.catalog': 'Nothing speaks of an API; /.well-known/api-catalog is the "not found" page.',
      'agent.a2a.card': '/.well-known/agent-card.json is the "not found" page.',
      'agent.a2a.legacy-path': '/.well-known/agent.json is the "not found" page.',
      'agent.skills.index': 'The skills index is the "not found" page.',
      'agent.sec.security-txt': '/.well-known/security.txt is the "not found" page.',
      'mcp.card.found': 'There is no MCP surface to have a card.',
      'mcp.endpoint.reachable': 'No endpoint is declared.',
    },
  }),
};
