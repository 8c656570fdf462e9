import { html, SITE, type SiteMap, text, xml } from '../../../support/audit/site-fetch.ts';
import { planted, type TruthSite } from '../truth-site.ts';

const START = '/Home/Index.ASPX?page_id=17&cat=3';

/** What every page of the garage repeats. */
const boilerplate = `<p>Cheap car repair in Larne. If you look for cheap car repair, our cheap car repair is the best cheap car repair that Larne has to offer, because cheap car repair is what we do, and cheap car repair is all that we do. Ask for cheap car repair on Monday, ask for cheap car repair on Friday, and tell your friends about our cheap car repair. Cheap car repair for old cars, cheap car repair for new cars, cheap car repair for all.</p>
<p>We are the leading garage, the number one garage and the best garage in the county. Our world-class mechanics give you the best prices, the best parts and the best service, and no other garage is as good as the best one.</p>`;

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAA'.repeat(1900);

/** Rows of spacer images, as layouts were held together once. */
const spacers =
  '<tr><td class="sp" bgcolor="#ffffff"><font size="1"><img src="/gif/spacer.gif" width="1" height="1"></font></td></tr>'.repeat(
    90,
  );

const hidden = `<div style="display:none">${'<p>Exhaust, clutch, gearbox, brake and tyre offers of past seasons are kept here for our own records, together with the names of all suppliers, the hours of the old shop in the mill and the terms of a raffle that ended long ago. Nobody has looked at them since the new owner came.</p>'.repeat(6)}</div>`;

const start = `<html>
<head>
<title>Cheap car repair, cheap tyres, cheap brakes, cheap exhausts, cheap clutches and cheap gearboxes in Larne, Antrim and the whole of the county</title>
<meta http-equiv="refresh" content="30">
<meta name="robots" content="max-snippet:20">
<link rel="alternate" hreflang="english" href="/en">
<link rel="alternate" hreflang="irish" href="/ga">
<link rel="canonical" href="${SITE}/Home/Old.ASPX">
<link rel="canonical" href="${SITE}/Home/Older.ASPX">
<script src="http://counter.example.net/hit.js"></script>
</head>
<body>
<table><tr><td>
<h1>Welcome</h1><h1>Offers</h1>
<h4>Lorem ipsum dolor sit amet</h4>
${boilerplate}
<p>Caf\u00c3\u00a9 and waiting room \u00c3\u00a4 la carte \ufffd open on Saturdays since 4 March 2019, <time datetime="2019-03-04">4 March 2019</time>.</p>
<p>Notwithstanding the aforementioned considerations regarding automobile maintenance methodologies, prospective customers contemplating comprehensive refurbishment of transmission assemblies, electromechanical subassemblies or supplementary installations should unhesitatingly communicate their individual requirements telephonically, whereupon appropriately qualified representatives of our organisation will endeavour to accommodate such requirements in accordance with contractually stipulated availability.</p>
<p>Phone 028 9555 0188. Larne Garage, 12 Mill Lane, Larne BT40 1AA.</p>
<h2>Links</h2>
<a href="/Home/a.ASPX?page_id=18&cat=3" rel="nofollow">click here</a>
<a href="/Home/b.ASPX?page_id=19&cat=3" rel="nofollow">click here</a>
<a href="/Home/c.ASPX?page_id=20&cat=3">here</a>
<a href="/pricing">Prices</a>
<a href="javascript:openMap()">more</a>
<a href="/basket?action=delete&item=4">Remove the last tyre</a>
<h5>Search</h5>
<form onsubmit="return find(this.words.value)"><input name="words" type="search"><button type="button"><img src="/gif/lens.gif"></button></form>
<button type="button"><img src="/gif/tyre.gif"></button><button type="button"><img src="/gif/brake.gif"></button><button type="button"><img src="/gif/oil.gif"></button><button type="button"><img src="/gif/lamp.gif"></button>
<form onsubmit="return letter()"><input name="email" type="email"><input name="phone" type="tel"><input name="person" type="text"></form>
<div class="g-recaptcha" data-sitekey="x"></div><script src="https://www.google.com/recaptcha/api.js"></script>
<div onclick="openMap()" role="butt0n" aria-expanded="maybe">Map</div>
<div onclick="openOffers()" role="link2" aria-controls="no-such-id">Offers</div>
<span onclick="callUs()" aria-labelledby="nothing-here" aria-hidden="perhaps">Call us</span>
<div onclick="book()">Book</div><div onclick="rate()">Rate us</div>
<img src="/gif/shop.gif"><img src="/gif/lift.gif"><img src="data:image/png;base64,${PIXEL}">
<div itemscope itemtype="https://schema.org/AutoRepair"><span itemprop="name">Larne Garage</span></div>
${hidden}
</td></tr>${spacers}</table>
</body>
</html>`;

const page = (name: string): string =>
  `<html><head><title>Garage</title></head><body><h1>${name}</h1>${boilerplate}</body></html>`;

const LEGACY = { headers: { 'content-type': 'text/html' } };

const map: SiteMap = {
  [START]: html(start, LEGACY),
  ...Object.fromEntries(
    ['/Home/a.ASPX?page_id=18&cat=3', '/Home/b.ASPX?page_id=19&cat=3', '/Home/c.ASPX?page_id=20&cat=3'].map((path) => [
      path,
      html(page('Offers'), LEGACY),
    ]),
  ),
  '/pricing': html(
    '<html><head><title>Prices</title></head><body><h1>Prices</h1><p>Every car is different. Contact us for a quote, and we will call you back within the week.</p></body></html>',
    LEGACY,
  ),
  '/robots.txt': text('Disallow: /early\nUser-agent: *\nDisalow: /tmp\nDisallow /old\nDisallow: cgi-bin\n'),
  '/sitemap.xml': xml(
    '<?xml version="1.0"?><urlset xmlns="http://example.org/my-own-sitemap"><url><loc>/Home/Index.ASPX?page_id=17&cat=3</loc></url></urlset>',
  ),
  '/llms.txt': {
    status: 200,
    headers: { 'content-type': 'application/octet-stream' },
    body: 'Larne Garage\n\nWe mend cars.\n\n# Welcome\n\n# Offers\n\nTyres and brakes.\n',
  },
  'https://counter.example.net/hit.js': { status: 200, headers: { 'content-type': 'text/javascript' }, body: '' },
};

/** A site that nobody has looked after for years: stuffed, hidden and mislabelled. */
export const neglected: TruthSite = {
  name: 'neglected',
  path: START,
  map,
  profile: 'product',
  truth: planted({
    pass: {
      'aeo.reach.http-200': 'The page answers 200 with text/html.',
      'aeo.reach.soft-404': 'An unknown path answers 404.',
      'aeo.reach.html-size': 'The page has about 70 KB.',
    },
    partial: {
      'agent.llms.h1-first': 'The first block of llms.txt is a line of text, and there are two H1.',
      'aeo.index.snippet-allowed': 'The robots meta tag says max-snippet:20.',
      'aeo.structure.h1': 'The page has two h1 elements.',
      'geo.schema.jsonld-present': 'There is microdata and no JSON-LD.',
      'geo.text.easy': 'One long paragraph of long words brings the Flesch score down to about 40.',
      'agent.llms.exists': 'llms.txt is text, served as application/octet-stream.',
      'agent.pay.price-page': 'The linked page of prices says "Contact us for a quote" and no amount.',
      'agent.ui.captcha': 'A reCAPTCHA stands on a page whose only forms are a search and a letter.',
    },
    fail: {
      'aeo.reach.compression': 'The page has 70 KB and no Content-Encoding.',
      'aeo.robots.syntax': 'A rule before any agent, a misspelt Disallow, a line without colon, a path without slash.',
      'aeo.index.canonical': 'Two canonical links name two other pages.',
      'aeo.index.hreflang': 'The language codes are "english" and "irish", the addresses relative.',
      'aeo.sitemap.valid': 'The sitemap has a namespace of its own, a relative address and a bare ampersand.',
      'aeo.render.hidden-text': 'More than half of the text stands below display:none.',
      'aeo.meta.title': 'The title has more than 120 characters.',
      'aeo.meta.description': 'There is no description.',
      'aeo.meta.unique': 'All sampled pages have the same title.',
      'aeo.meta.lang': 'html has no lang.',
      'aeo.meta.charset': 'No charset is declared, and the text is full of mojibake.',
      'aeo.structure.heading-order': 'The headings go h1, h1, h4, h2, h5.',
      'aeo.structure.landmarks': 'The page is one table without a landmark.',
      'aeo.links.anchor-text': 'Three of five internal links say "click here" or "here".',
      'aeo.links.nofollow-internal': 'Two of five internal links are nofollow.',
      'aeo.fresh.recent': 'The only date is of March 2019.',
      'aeo.trust.about-contact': 'No link leads to an about or contact page.',
      'aeo.media.alt': 'None of the content images has an alt attribute.',
      'aeo.url.readable': 'Addresses have capitals, numbers in the query and old file endings.',
      'geo.evidence.statistics': 'There is no figure with a unit.',
      'geo.evidence.cited-sources': 'There is no external link in the prose.',
      'geo.evidence.no-keyword-stuffing': '"cheap car" and "car repair" make up more than 5% of the text.',
      'geo.text.ratio': 'Less than 3% of the HTML is visible text.',
      'geo.text.unique-passages': 'Two of four long paragraphs stand on every page.',
      'geo.text.no-placeholder': 'A heading says "Lorem ipsum dolor sit amet".',
      'geo.text.no-self-superlatives': 'Ten superlatives stand in 200 words.',
      'geo.entity.organization': 'The AutoRepair item has a name, but neither url nor @id.',
      'geo.entity.sameas': 'There is no sameAs.',
      'geo.parity.title-h1': 'The h1 "Welcome" shares no word with the title.',
      'agent.llms.content-type': 'The media type is application/octet-stream.',
      'agent.llms.sections': 'llms.txt has no H2 and no list.',
      'agent.tokens.inline-bloat': 'A data: URI makes up more than half of 70 KB.',
      'agent.ui.form-labels': 'None of the four fields has a label.',
      'agent.ui.control-names': 'Five buttons hold nothing but an image without alt, beside six links.',
      'agent.ui.autocomplete': 'The mail and telephone fields have no autocomplete.',
      'agent.ui.native-controls': 'Five of twenty controls are a div or span with onclick.',
      'agent.ui.forms-no-js': 'Neither form has an action.',
      'agent.ui.search-url': 'The search field works by a script only.',
      'agent.ui.dangerous-get': 'A link /basket?action=delete removes an item.',
      'agent.ui.aria-valid': 'Two unknown roles, two invalid values and two dangling references.',
      'agent.ui.refresh': 'A meta refresh reloads the page after 30 seconds.',
      'agent.sec.mixed': 'A script is loaded over plain http.',
    },
    not_applicable: {
      'agent.llms.links-described': 'llms.txt has no links.',
      'agent.llms.links-resolve': 'llms.txt has no links.',
      'geo.schema.price-parity': 'There is no offer.',
    },
  }),
};
