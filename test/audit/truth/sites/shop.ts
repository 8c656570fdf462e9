import { html, markdown, SITE, type SiteMap, text, xml } from '../../../support/audit/site-fetch.ts';
import { jsonLd, linkList, navigation, pageHtml, sitemapXml } from '../document.ts';
import { httpsUpgrade, isBelow, planted, type TruthSite } from '../truth-site.ts';

const NAME = 'Alder & Ash';
const START = '/products/milking-stool';

const header = navigation('Alder &amp; Ash', {
  '/products': 'All products',
  [START]: 'Milking stool',
  '/products/bench': 'Bench',
  '/delivery': 'Delivery',
  '/about': 'About us',
  '/contact': 'Contact',
});

const buy = `<p>Price: £74.00, in stock, sent within 3 days.</p>
<form action="/basket" method="post">
<label for="count">How many</label> <input id="count" name="count" type="number" value="1" min="1">
<button type="submit">Add to basket</button>
</form>
<form action="/search" method="get" role="search">
<label for="words">Search the shop</label> <input id="words" name="q" type="search">
<button type="submit">Search</button>
</form>
<section><h2 id="questions">Questions about the stool</h2>
<details><summary>Which wood is the milking stool made of?</summary><p>The seat is made of alder and the three legs are made of ash, both from the same valley.</p></details>
<details><summary>How much weight does the stool carry?</summary><p>The stool carries 120 kg, which we test with sacks of sand before we send it.</p></details></section>
<section><h2 id="voices">What buyers say</h2>
<blockquote><p>Mine has stood in the dairy for two winters and has not moved a joint.</p><footer>— <cite>Orla Magee, Carnlough</cite></footer></blockquote></section>`;

const content = `# Milking stool with three legs

The milking stool is a low seat of alder on three legs of ash. Three legs stand firm on any floor, which is why milkers never used four. The seat is hollowed by hand, and the legs are wedged from above without glue or screws.

## Size and care

Table: Size and weight of the stool
| Property | Value |
| --- | --- |
| Height | 26 cm |
| Seat | 30 cm across |
| Weight | 1.9 kg |

Wipe the seat with a damp cloth and oil it once a year. The wood darkens with use, and small cracks at the rim do no harm. If a leg ever works loose, wet the wedge and drive it home with a mallet, and the joint will be as tight as on the first day. The stool may stand outside in summer, but it should spend the winter under a roof.

![The milking stool on a stone floor](/images/stool.jpg "The stool as it leaves the workshop.")`;

const structured = jsonLd({
  '@context': 'https://schema.org',
  '@graph': [
    {
      '@type': 'Organization',
      '@id': `${SITE}/#org`,
      name: NAME,
      url: `${SITE}/`,
      logo: `${SITE}/logo.svg`,
      sameAs: ['https://www.wikidata.org/wiki/Q4115189', 'https://www.linkedin.com/company/alder-and-ash'],
      contactPoint: { '@type': 'ContactPoint', contactType: 'sales', telephone: '+44 28 9555 0143' },
    },
    { '@type': 'WebSite', name: NAME, url: `${SITE}/` },
    {
      '@type': 'Product',
      '@id': `${SITE}${START}#product`,
      name: 'Milking stool with three legs',
      image: `${SITE}/images/stool.jpg`,
      sku: 'STOOL-3',
      gtin13: '5012345678900',
      brand: { '@id': `${SITE}/#org` },
      offers: {
        '@type': 'Offer',
        price: '74.00',
        priceCurrency: 'GBP',
        availability: 'https://schema.org/InStock',
        url: `${SITE}${START}`,
        hasMerchantReturnPolicy: {
          '@type': 'MerchantReturnPolicy',
          applicableCountry: 'GB',
          returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
          merchantReturnDays: 30,
        },
        shippingDetails: {
          '@type': 'OfferShippingDetails',
          shippingRate: { '@type': 'MonetaryAmount', value: '6.00', currency: 'GBP' },
        },
      },
      aggregateRating: { '@type': 'AggregateRating', ratingValue: '4.8', bestRating: '5', reviewCount: '31' },
    },
    {
      '@type': 'BreadcrumbList',
      itemListElement: [
        { '@type': 'ListItem', position: 1, name: NAME, item: `${SITE}/` },
        { '@type': 'ListItem', position: 2, name: 'Products', item: `${SITE}/products` },
        { '@type': 'ListItem', position: 3, name: 'Milking stool', item: `${SITE}${START}` },
      ],
    },
  ],
});

const other = (path: string, title: string, words: string) =>
  html(
    pageHtml({
      path,
      title: `${title} | ${NAME}`,
      description: `${title}: what we make in the valley, how we send it and what it costs.`,
      header,
      content: `# ${title}\n\n${words}`,
    }),
  );

const map: SiteMap = {
  ...httpsUpgrade,
  [START]: html(
    pageHtml({
      path: START,
      title: `Milking stool with three legs | ${NAME}`,
      description: 'A low stool with an alder seat and three ash legs, made by hand and wedged without glue or screws.',
      header,
      head: `${structured}\n${jsonLd({ '@context': 'https://schema.org', '@type': 'Organization', name: NAME, url: `${SITE}/` })}\n<meta property="og:site_name" content="Alder &amp; Ash">`,
      content,
      after: `<p>Rated 4.8 of 5 by 31 buyers.</p>${buy}`,
      footer: `<footer>${linkList({ '/privacy': 'Privacy', '/terms': 'Terms of sale', '/returns': 'Returns' })}<p>© 2026 Alder &amp; Ash, telephone <a href="tel:+442895550143">028 9555 0143</a></p></footer>`,
    }),
  ),
  '/products': other(
    '/products',
    'All products',
    'A stool, a bench and a towel rail are what we make. Each of them is made from two woods of the valley.',
  ),
  '/products/bench': other(
    '/products/bench',
    'Bench for three',
    'The bench seats three and stands on five legs, since the floor of a porch is seldom even.',
  ),
  '/delivery': other(
    '/delivery',
    'Delivery',
    'We send within three days, and the carrier rings the day before he comes.',
  ),
  '/about': other(
    '/about',
    'About us',
    'Alder & Ash was founded in 1998 in Glenariff by two sisters who had learned to turn bowls.',
  ),
  '/contact': other('/contact', 'Contact', 'Ring the workshop at 028 9555 0143, or come by when the smoke rises.'),
  '/privacy': other('/privacy', 'Privacy', 'We keep the address that you order to, and nothing else.'),
  '/terms': other('/terms', 'Terms of sale', 'You may send a stool back within a month.'),
  '/robots.txt': text(`User-agent: *\nDisallow: /basket\n\nSitemap: ${SITE}/sitemap.xml\n`),
  '/sitemap.xml': xml(
    sitemapXml(
      [START, '/products', '/products/bench', '/delivery', '/about', '/contact'].map((path, index) => ({
        path,
        lastmod: `2026-10-0${index + 1}`,
      })),
    ),
  ),
  '/llms.txt': markdown(
    `# Alder & Ash\n\n> Stools and benches of two woods, made by hand.\n\n## Products\n\n- [Milking stool](${SITE}${START}): three legs, alder and ash\n- [Bench](${SITE}/products/bench): seats three\n- [All products](${SITE}/products): the list\n\n## Shop\n\n- [Delivery](${SITE}/delivery): within three days\n- [About us](${SITE}/about): two sisters\n- [Contact](${SITE}/contact): the workshop\n`,
  ),
};

const results = other(
  '/search',
  'Search results',
  'Two products hold the word that you looked for. The milking stool is a low seat of alder on three legs of ash, and the bench seats three and stands on five legs. Both are made in the valley and sent within three days. If neither of them is what you want, ring the workshop, and one of us will tell you what else we can make from the two woods that we keep.',
);

/** A small shop: one product page, with a price that people and machines read alike. */
export const shop: TruthSite = {
  name: 'shop',
  path: START,
  profile: 'commerce',
  map,
  catchAll: ({ url }) =>
    isBelow(url, '/search')
      ? results
      : html('<!doctype html><title>Not found</title><h1>Not found</h1>', { status: 404 }),
  truth: planted({
    pass: {
      'aeo.answer.faq': 'Two questions stand with their answers in details elements.',
      'aeo.trust.about-contact': 'The navigation links to /about and /contact, which answer 200.',
      'aeo.trust.policies': 'The footer links to /privacy and /terms, which answer 200.',
      'aeo.sitemap.contains-start': 'The sitemap lists the product and all pages of the navigation.',
      'aeo.url.readable': 'All addresses are short, lower-case words.',
      'aeo.media.alt': 'The only image has an alt text.',
      'geo.entity.organization': 'The Organization has name, url, logo, sameAs and contactPoint.',
      'geo.entity.sameas': 'sameAs names Wikidata and LinkedIn.',
      'geo.entity.name-consistent': 'Title, og:site_name, WebSite, Organization and copyright line say Alder & Ash.',
      'geo.entity.contact-verifiable': 'A tel link shows the number of the ContactPoint.',
      'geo.entity.first-person-about': 'The about page names the shop, the year, the place and its founders.',
      'geo.schema.page-type': 'The product page has a Product node.',
      'geo.commerce.merchant': 'GTIN, return policy and shipping are in the Product and its offer.',
      'geo.schema.product': 'Name, image, price, currency, availability and sku are there.',
      'geo.schema.price-parity': 'Offer.price 74.00 stands on the page as £74.00.',
      'geo.schema.breadcrumb': 'The BreadcrumbList has positions 1 to 3 with name and item.',
      'geo.schema.review-honest': 'The rating of 4.8 of 5 by 31 buyers stands on the page.',
      'geo.schema.ids-linked': 'brand refers to the Organization of the graph.',
      'geo.schema.no-duplicates': 'The Organization is described twice, both times with one name.',
      'geo.trust.reviews': 'A testimonial of Orla Magee stands on the page.',
      'geo.cite.figure-captions': 'The figure and the table have captions.',
      'agent.llms.coverage': 'llms.txt lists every page of the navigation.',
      'agent.ui.form-labels': 'Both fields have labels.',
      'agent.ui.control-names': 'Every button and link has a text.',
      'agent.ui.forms-no-js': 'Both forms have an action.',
      'agent.ui.search-url': 'The search form leads to /search?q=, which answers with text.',
    },
    not_applicable: {
      'aeo.index.hreflang': 'There are no translations.',
      'geo.evidence.quotations': 'A product page needs no quotations.',
      'geo.entity.author': 'A product page is no article.',
      'geo.schema.article': 'There is no Article node.',
      'geo.schema.dates-valid': 'The structured data has no date.',
      'agent.api.openapi-found': 'Nothing speaks of an API.',
      'agent.ui.dangerous-get': 'No link changes anything: the basket is a POST form.',
      'agent.ui.captcha': 'There is no captcha.',
      'agent.webmcp.forms': 'No form has a toolname.',
    },
  }),
};
