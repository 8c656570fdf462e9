import { html, SITE, type SiteMap, xml } from '../../../support/audit/site-fetch.ts';
import { jsonLd } from '../document.ts';
import { httpsUpgrade, planted, type TruthSite } from '../truth-site.ts';

type Inn = {
  /** Opening hours and telephone as the pages show them. */
  shown: { hours: string; phone: string };
  /** The `head` of the German version and of the rooms. */
  german: string;
  rooms: string;
  news: string;
  menu: string;
  feed: SiteMap;
};

const restaurant = jsonLd({
  '@context': 'https://schema.org',
  '@type': 'Restaurant',
  name: 'The Oak',
  url: SITE,
  telephone: '+44 28 9000 1111',
  openingHoursSpecification: [
    {
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
      opens: '12:00',
      closes: '22:00',
    },
    { '@type': 'OpeningHoursSpecification', dayOfWeek: 'https://schema.org/Saturday', opens: '17:00', closes: '23:30' },
  ],
});

const versions = `<link rel="alternate" hreflang="en" href="${SITE}/"><link rel="alternate" hreflang="de" href="${SITE}/de/">`;
const own = (path: string): string => `<link rel="canonical" href="${SITE}${path}">`;

const page = (lang: string, title: string, head: string, body: string) =>
  html(
    `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title} | The Oak</title>${head}</head><body><nav><a href="/">The Oak</a> <a href="/rooms">Rooms</a> <a href="/news">News</a></nav><main><h1>${title}</h1>${body}</main></body></html>`,
  );

const buildInn = ({ shown, german, rooms, news, menu, feed }: Inn): SiteMap => ({
  ...httpsUpgrade,
  '/': page(
    'en',
    'An inn at the weir',
    `${own('/')}${versions}${restaurant}`,
    `<p>We have cooked at the weir since 1911. Opening hours: ${shown.hours}. Call <a href="tel:${shown.phone.replaceAll(' ', '')}">${shown.phone}</a>.</p><p>${menu}</p><p><a href="/de/">Deutsch</a> <a href="/feeds/products.xml">Vouchers for shopping agents</a></p>`,
  ),
  '/de/': page('de', 'Gasthaus am Wehr', german, '<p>Wir kochen am Wehr seit 1911.</p>'),
  '/rooms': page('en', 'Eight rooms', rooms, '<p>Eight rooms look over the river.</p>'),
  '/news': page('en', 'News', own('/news'), `<p>The weir is open.</p><a href="/a">One</a><a href="/b">Two</a>${news}`),
  '/dinner-menu': page(
    'en',
    'Menu',
    own('/dinner-menu'),
    `<p>${'Trout from the river with butter, 19.50 GBP. '.repeat(8)}</p>`,
  ),
  ...feed,
});

const item = (price: string): string =>
  `<item><g:id>v1</g:id><title>Voucher</title><link>${SITE}/rooms</link>${price}<g:availability>in_stock</g:availability></item>`;
const products = (price: string) =>
  xml(
    `<?xml version="1.0"?><rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>${item(price)}</channel></rss>`,
  );

/** What one place says is contradicted by another: hours, telephone, languages, addresses. */
export const innCareless: TruthSite = {
  name: 'careless inn',
  map: buildInn({
    shown: { hours: 'Monday to Friday 11:00–21:00, Saturday 17:00–23:30', phone: '+44 28 9000 2222' },
    german: own('/de/'),
    rooms: own('/'),
    news: '<button type="button">Load more</button>',
    menu: 'Our <a href="/files/speisekarte.pdf">Menu (PDF)</a>.',
    feed: {},
  }),
  truth: planted({
    partial: {
      'aeo.index.canonical-agree': 'The rooms name the start page as their original, three other pages themselves.',
    },
    fail: {
      'aeo.index.hreflang-return': 'The German version does not link back.',
      'aeo.index.pagination': 'More news only come at the press of a button.',
      'geo.entity.contact-agrees': 'The telephone number of the structured data is not the one that is shown.',
      'geo.entity.hours-agree':
        'The page shows 11:00 to 21:00 from Monday to Friday, the structured data 12:00 to 22:00.',
      'geo.text.only-in-files': 'The menu is a PDF.',
      'agent.feed.products': 'The product feed answers 404.',
    },
    not_applicable: {
      'geo.schema.paywall': 'Everything is free to read.',
      'mcp.discovery.any': 'An inn speaks neither of MCP nor of an API.',
    },
  }),
};

/** The same inn, kept well. */
export const innKept: TruthSite = {
  name: 'kept inn',
  map: buildInn({
    shown: { hours: 'Mon–Fri 12:00 – 22:00, Sat 5 pm to 11:30 pm', phone: '+44 28 9000 1111' },
    german: `${own('/de/')}${versions}`,
    rooms: own('/rooms'),
    news: '<a href="/news?page=2">Older news</a>',
    menu: 'Our <a href="/dinner-menu">menu</a>, also <a href="/files/speisekarte.pdf">as PDF</a>.',
    feed: {
      '/news?page=2': page(
        'en',
        'News, page 2',
        own('/news?page=2'),
        '<p>The weir was closed.</p><a href="/c">Three</a>',
      ),
      '/feeds/products.xml': products('<g:price>50.00 GBP</g:price>'),
    },
  }),
  truth: planted({
    pass: {
      'aeo.index.canonical-agree': 'Every page names itself.',
      'aeo.index.hreflang-return': 'Both versions list both.',
      'aeo.index.pagination': 'The next page of the news is a link, and names itself as canonical.',
      'geo.entity.contact-agrees': 'The telephone number of the structured data is shown.',
      'geo.entity.hours-agree': 'Page and structured data state the same hours.',
      'geo.text.only-in-files': 'The menu is a page, too.',
      'agent.feed.products': 'The one voucher has all fields.',
    },
    not_applicable: {
      'geo.schema.paywall': 'Everything is free to read.',
    },
  }),
};

const story = (ld: Readonly<Record<string, unknown>>): SiteMap => ({
  ...httpsUpgrade,
  '/': html(
    `<!doctype html><html lang="en"><head><title>The weir in winter</title>${jsonLd({ '@context': 'https://schema.org', '@type': 'NewsArticle', headline: 'The weir in winter', ...ld })}</head><body><article><h1>The weir in winter</h1><p>Ice came early.</p><div class="paywall"><p>Subscribe to continue reading.</p></div></article></body></html>`,
  ),
});

/** A story that stops for readers who do not pay, and does not say so to machines. */
export const paywalled: TruthSite = {
  name: 'unmarked paywall',
  map: story({}),
  truth: planted({
    fail: { 'geo.schema.paywall': 'The story stops at "Subscribe to continue reading", without markup.' },
  }),
};

/** The same story with the markup of its paywall. */
export const paywallMarked: TruthSite = {
  name: 'marked paywall',
  map: story({
    isAccessibleForFree: false,
    hasPart: { '@type': 'WebPageElement', isAccessibleForFree: false, cssSelector: '.paywall' },
  }),
  truth: planted({
    pass: { 'geo.schema.paywall': 'isAccessibleForFree is false, and hasPart names the closed part.' },
  }),
};
