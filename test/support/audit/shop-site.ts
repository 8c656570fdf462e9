import { html, SITE, type SiteMap } from './site-fetch.ts';

const organization = {
  '@context': 'https://schema.org',
  '@type': 'Organization',
  name: 'Oak Desk',
  legalName: 'Oak Desk GmbH',
  url: `${SITE}/`,
  logo: `${SITE}/logo.png`,
  foundingDate: '1998-04-01',
  areaServed: ['Austria', 'Germany'],
  email: 'help@acme.example',
  telephone: '+43 1 234567',
  address: { '@type': 'PostalAddress', streetAddress: 'Ring 4', postalCode: '1010', addressLocality: 'Vienna' },
};
const offers = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Oak Desk',
  offers: [
    { '@type': 'Offer', name: 'Basic', price: '9.00', priceCurrency: 'EUR' },
    { '@type': 'Offer', name: 'Team', price: '19.00', priceCurrency: 'EUR' },
  ],
};
const question = 'How much does a seat cost?';
const answer = 'A seat costs 9 euros a month, and the first month is free for every new team.';
const faq = {
  '@context': 'https://schema.org',
  '@type': 'FAQPage',
  mainEntity: [{ '@type': 'Question', name: question, acceptedAnswer: { '@type': 'Answer', text: answer } }],
};

const page = (title: string, description: string, body: string, data: readonly object[] = []): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="description" content="${description}">
${data.map((one) => `<script type="application/ld+json">${JSON.stringify(one)}</script>`).join('\n')}</head>
<body><nav><a href="/">Home</a> <a href="/pricing">Prices</a> <a href="/about">About</a></nav><main>${body}</main></body></html>`;

/** What the site says it is. */
export const SHOP_DESCRIPTION = 'Oak Desk is help desk software that sorts the mail of small teams by itself.';

/** A small software maker that says what it is, what it costs, who runs it and for whom it is. */
export const shopSite: SiteMap = {
  '/': html(
    page(
      'Oak Desk',
      SHOP_DESCRIPTION,
      `<h1>Oak Desk</h1><p>${SHOP_DESCRIPTION} It needs no training.</p>
<h2>Who is it for?</h2><p>Oak Desk is made for teams of three to thirty people that share one inbox. It is no call centre.</p>
<h2>Is the data safe?</h2><p>All data of customers is kept in Vienna and encrypted with keys of their own.</p>`,
      [organization],
    ),
  ),
  '/pricing': html(
    page(
      'Prices of Oak Desk',
      'What Oak Desk costs: two plans, billed by the month, without a minimum term.',
      `<h1>Prices</h1><p>Every price of Oak Desk is for a seat and a month, without a minimum term.</p>
<h2>${question}</h2><p>${answer}</p>`,
      [offers, faq],
    ),
  ),
  '/about': html(
    page(
      'About Oak Desk',
      'Oak Desk GmbH has made help desk software in Vienna since 1998.',
      '<h1>About</h1><p>Oak Desk GmbH has made help desk software in Vienna since 1998.</p>',
    ),
  ),
};
