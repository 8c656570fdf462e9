import { html, type SiteMap } from '../../../support/audit/site-fetch.ts';
import { testCheck } from '../../../support/audit/judge-check.ts';

const page = (...nodes: object[]): SiteMap => ({
  '/': html(
    `<title>Anvil</title><script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@graph': nodes })}</script><h1>Anvil</h1>`,
  ),
});
const policy = { '@type': 'MerchantReturnPolicy', merchantReturnDays: 30 };
const product = (offer: object = {}, more: object = {}): object => ({
  '@type': 'Product',
  name: 'Anvil',
  offers: { '@type': 'Offer', price: '29.00', priceCurrency: 'EUR', ...offer },
  ...more,
});

testCheck('geo.commerce.merchant', [
  ['nothing', page(product()), 'fail', /gtin.*hasMerchantReturnPolicy.*shippingDetails/],
  [
    'all three',
    page(
      product(
        { hasMerchantReturnPolicy: policy, shippingDetails: { '@type': 'OfferShippingDetails' } },
        { gtin13: '4006381333931' },
      ),
    ),
    'pass',
  ],
  [
    'a policy of the organization serves all',
    page(
      { '@type': 'Organization', name: 'Acme', hasMerchantReturnPolicy: policy },
      product({}, { gtin: '4006381333931' }),
    ),
    'partial',
    /shippingDetails/,
    { value: 0.667 },
  ],
  [
    'brand and mpn identify it, too',
    page(product({}, { brand: 'Acme', mpn: 'A-1' })),
    'partial',
    /Missing: has/,
    { value: 0.333 },
  ],
  ['a product that is not sold', page({ '@type': 'Product', name: 'Anvil' }), 'not_applicable'],
  ['no product', page({ '@type': 'Article', headline: 'x' }), 'not_applicable'],
]);
