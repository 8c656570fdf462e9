import { byAgent, html, notFound, SITE, type SiteMap, text, xml } from '../../../support/audit/site-fetch.ts';
import { jsonLd, linkList, navigation, pageHtml, sitemapXml } from '../document.ts';
import { planted, type TruthSite } from '../truth-site.ts';

const START = '/shop/kettles/copper-kettle';

const structured = jsonLd({
  '@context': 'https://schema.org',
  '@graph': [
    {
      '@type': 'Organization',
      name: 'Brennan Kettles Ltd',
      aggregateRating: { '@type': 'AggregateRating', ratingValue: 5, bestRating: 5, reviewCount: 900 },
    },
    { '@type': 'WebSite', name: 'The Kettle Barn' },
    {
      '@type': 'Product',
      name: 'Copper kettle',
      offers: { '@type': 'Offer', price: '49.00' },
      aggregateRating: { '@type': 'AggregateRating', ratingValue: 7, bestRating: 5, reviewCount: 0 },
    },
    { '@type': 'Product', name: 'Copper kettle', offers: { '@type': 'Offer', price: '39.00' } },
    {
      '@type': 'FAQPage',
      mainEntity: [
        {
          '@type': 'Question',
          name: 'Does the kettle whistle when it boils?',
          acceptedAnswer: { '@type': 'Answer', text: 'It whistles in two tones that can be heard in the garden.' },
        },
        { '@type': 'Question', name: 'Is it safe on induction hobs?' },
      ],
    },
    {
      '@type': 'BreadcrumbList',
      itemListElement: [
        { '@type': 'ListItem', position: 0, name: 'Shop' },
        { '@type': 'ListItem', position: 4, item: `${SITE}/shop/kettles` },
      ],
    },
  ],
});

const page = (price: string, minutes: string): string =>
  pageHtml({
    path: START,
    title: 'Copper kettle | Kettle Barn Online',
    description:
      'A kettle of hammered copper that holds two litres and boils faster than any kettle of steel that we know.',
    header: navigation('Kettle Barn Online', {
      '/shop/kettles': 'Kettles',
      '/shop/pans': 'Pans',
      '/shop/knives': 'Knives',
      '/shop/boards': 'Boards',
      '/delivery': 'Delivery',
    }),
    head: `${structured}\n<meta property="og:site_name" content="Kettles and more">`,
    content: `# Copper kettle

The kettle is hammered from one sheet of copper and lined with tin. It holds two litres and sits on gas and electric plates. The handle folds flat, so that the kettle fits on a low shelf, and the lid is held by a chain that children like to pull. The spout is long and thin, which helps when you pour into a small pot.

## Price and speed

The kettle costs ${price} and boils two litres in ${minutes}. The old model took 9 minutes and weighed 1.8 kg, while the new one weighs 1.4 kg. Out of 100 kettles that we sold last year, 3 came back, and 2 of the 3 had been left on the fire until the solder ran.

## Care of copper

Copper dulls in the air and shines again after a rub with salt and lemon. Do not put the kettle into a machine, and do not boil it dry. The tin inside wears thin after ten years or so, and a tinsmith can renew it for less than the price of a new kettle. We keep the address of one who still does such work.`,
    after: '<button type="button">Add to cart</button>',
    footer: `<footer>${linkList({ '/delivery': 'Delivery' })}<p>© Kettle Barn GmbH</p></footer>`,
  });

const map: SiteMap = {
  [START]: byAgent(
    {
      'OAI-SearchBot': html(page('€29.00', '2 minutes')),
      'Claude-User': html(page('€29.00', '2 minutes')),
      PerplexityBot: html(page('€29.00', '2 minutes')),
    },
    html(page('€59.00', '6 minutes')),
  ),
  '/shop/kettles': html('<!doctype html><title>Kettles</title><h1>Kettles</h1><p>Two kettles are in the shop.</p>'),
  '/shop/pans': html('<!doctype html><title>Pans</title><h1>Pans</h1><p>Pans come in spring.</p>'),
  '/shop/knives': notFound,
  '/shop/boards': notFound,
  '/delivery': notFound,
  '/robots.txt': text('User-agent: *\nDisallow:\n\nSitemap: https://acme.example/sitemap-old.xml\n'),
  '/sitemap.xml': xml(sitemapXml([{ path: START }])),
};

/** A product page that tells people, machines and models three different things. */
export const shopCareless: TruthSite = {
  name: 'careless shop',
  path: START,
  profile: 'commerce',
  map,
  truth: planted({
    pass: {
      'aeo.robots.blanket-block': 'An empty Disallow allows everything.',
      'aeo.robots.ai-search-bots': 'An empty Disallow allows everything.',
    },
    partial: {
      'geo.entity.name-consistent':
        'Title, WebSite, logo and copyright line say Kettle Barn; og:site_name and Organization say two other names.',
      'geo.schema.product': 'Name and price are there; image, currency, availability and identity are not.',
      'geo.schema.breadcrumb': 'A trail is there; its positions are 0 and 4, and neither step is complete.',
      'geo.schema.faq': 'One of two Questions has no answer.',
      'geo.entity.website-node': 'The WebSite node has no url.',
    },
    fail: {
      'geo.commerce.merchant': 'Neither GTIN, nor returns, nor shipping is there.',
      'aeo.reach.http-errors-in-sample': 'Three of five linked pages answer 404.',
      'aeo.sitemap.exists': 'robots.txt names a sitemap that answers 404.',
      'aeo.sitemap.robots-ref': 'robots.txt names a sitemap that answers 404.',
      'aeo.answer.faq': 'Both questions of the FAQPage are nowhere on the page.',
      'aeo.trust.about-contact': 'There is neither an about nor a contact page.',
      'geo.entity.organization': 'The Organization has neither url nor @id.',
      'geo.entity.sameas': 'There is no sameAs.',
      'geo.schema.price-parity': 'Offer.price is 49.00, the page says €59.00.',
      'geo.schema.faq-parity': 'Neither question of the FAQPage is visible.',
      'geo.schema.review-honest': 'A rating of 7 of 5 with no review.',
      'geo.schema.no-duplicates': 'Two Product nodes of one name and without @id have two prices.',
      'geo.safety.no-cloaking-text': 'AI fetchers are told another price and another time than browsers.',
      'geo.trust.reviews': 'There is neither a testimonial nor a review profile.',
    },
    unknown: {
      'aeo.reach.https': 'https works, and plain http could not be reached.',
    },
    not_applicable: {
      'geo.evidence.quotations': 'A product page needs no quotations.',
      'geo.evidence.number-source-adjacent': 'A product page needs no sources for its own figures.',
      'agent.ui.form-labels': 'The page has no field.',
    },
  }),
};
