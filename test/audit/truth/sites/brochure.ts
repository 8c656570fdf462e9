import { html, notFound, SITE, text } from '../../../support/audit/site-fetch.ts';
import { jsonLd, pageHtml } from '../document.ts';
import { httpsUpgrade, planted, type TruthSite } from '../truth-site.ts';

const TRADES = [
  'farms',
  'ports',
  'mills',
  'schools',
  'clinics',
  'museums',
  'bakeries',
  'quarries',
  'hotels',
  'theatres',
];
const NEEDS = [
  'planning',
  'purchasing',
  'scheduling',
  'reporting',
  'archiving',
  'forecasting',
  'invoicing',
  'training',
];

/** The menu of everything that is sold to everybody: more text than the page below it. */
const menu = TRADES.flatMap((trade) =>
  NEEDS.map(
    (need, index) =>
      `<li><a href="/solutions/${trade}-${index}">Integrated ${need} solutions for modern ${trade} and their partners</a></li>`,
  ),
).join('');

/** Sentences that never end, as committees write them. */
const paragraphs = [
  'Our vision, which has grown over many conversations with partners who share our belief that organisations of every size deserve to work without friction, is that the tools of tomorrow will meet people where they are, rather than asking people to come to where the tools happen to be, and that this will change everything.',
  'It is for that reason that we have brought together teams from many fields, who had until then worked side by side without ever sharing a table, and have given them the freedom to question what was thought to be settled, as long as they do so with respect for those who settled it and with an eye on the road ahead.',
  'They have taken up the task with an energy that surprised even those of us who had hoped for it, and the first fruits of their work, which we will show to a wider public as soon as the time is right, have confirmed that the way we chose, although it was not the easy one, was the right one for us and for our partners.',
  'This would not have been possible without the patience of our customers, who have stayed with us through times in which not everything went as we would have wished, and whose open words, given at the right moment and in the right spirit, have shaped what we do in more ways than we are able to count on a single page like this one.',
  'That trust is what carries us, and it is what we want to give back by building things that last, that can be understood without a manual as thick as a brick, and that leave those who use them with the feeling that somebody has thought of them, not as a user among many, but as a person with a day that is already full.',
  'It goes without saying that such a journey is never finished, since every answer opens a new question and every step shows a little more of the hill, but we believe that the direction matters more than the pace, and that a team which knows where it wants to go will find a path even where none is drawn on the map.',
];

/** The same thoughts once more, in the words of the second half of the committee. */
const more = [
  'They say that a company is known by what it leaves out, and so we have left out a great deal, although it was not always easy to say no to ideas that were good in themselves, but that would have drawn us away from the few things which we can do better than others and which our partners have come to expect of us over time.',
  'This focus has a price, as every honest choice has, and we pay it gladly, because it lets us go deeper where others stay on the surface, and because it gives the people who work here the calm that good work needs, a calm that has become rare in a field in which everybody runs and few ask whether the direction is right.',
  'That is also why we take part in the talks about the rules of the coming years, listen more than we speak while we are there, and try to bring the view of those who will have to live with the outcome, since a rule that nobody can follow helps no one, however well it was meant by the people who put it on paper.',
  'It may sound like a small thing, but the way in which a letter is answered, a mistake is owned and a promise is kept on a rainy afternoon in the last week of a long project says more about a company than any brochure could, and it is by such afternoons that we would like to be measured by those who know us.',
  'They will tell you, if you ask them, that we are not always quick, that we sometimes think aloud for longer than the meeting was planned, and that we have been known to start again from an empty page, but they will also tell you that we were there when it mattered, and that in the end the thing worked as we had said.',
];

/** An article of good intentions: run-on sentences below an endless menu, for an API that nobody describes. */
export const brochure: TruthSite = {
  name: 'brochure',
  path: '/blog/our-vision',
  map: {
    ...httpsUpgrade,
    '/blog/our-vision': html(
      pageHtml({
        path: '/blog/our-vision',
        title: 'Our vision for the tools of tomorrow | Meridian',
        description:
          'How we think about tools, partners and the road ahead, and why the direction matters more than the pace.',
        head: [
          '<meta property="og:type" content="article">',
          '<meta property="article:published_time" content="2026-06-01T08:00:00Z">',
          jsonLd({
            '@context': 'https://schema.org',
            '@type': 'WebPage',
            name: 'Our vision',
            author: { '@type': 'Person', name: 'Dana Field', url: `${SITE}/people/dana-field` },
          }),
        ].join('\n'),
        byline:
          '<p>By <a rel="author" href="/people/dana-field">Dana Field</a>, <time datetime="2026-06-01">1 June 2026</time></p>',
        header: `<div class="mega-menu"><ul>${menu}</ul></div>`,
        content: `# Our vision for the tools of tomorrow\n\n${paragraphs.slice(0, 2).join(' ')}\n\n${paragraphs.slice(2).join('\n\n')}\n\n## The road ahead\n\n${more.join('\n\n')}`,
        after: `<p>Build on our <a href="/developers/api">API</a> and read the <a href="/api-docs">API reference</a>.</p>
<form action="/demo" method="post" toolname="book a demo!"><input name="who"><button type="submit">Book</button></form>`,
      }),
    ),
    '/people/dana-field': notFound,
    '/developers/api': html(
      '<!doctype html><title>API</title><h1>API</h1><p>Ask sales for access to the documentation.</p>',
    ),
    '/api-docs': html('<!doctype html><title>API reference</title><h1>API reference</h1><p>Coming soon.</p>'),
    '/feed': text('Too many requests', { status: 429 }),
    '/sitemap.xml': text('Too many requests', { status: 429 }),
  },
  truth: planted({
    pass: {
      'aeo.fresh.recent': 'The article is 173 days old.',
      'geo.text.depth': 'The article has about 650 words.',
    },
    partial: {
      'geo.schema.page-type': 'The article has a node of the general type WebPage only.',
    },
    fail: {
      'geo.evidence.statistics': 'There is no figure with a unit.',
      'geo.evidence.quotations': 'Nobody is quoted.',
      'geo.evidence.cited-sources': 'No external source is linked.',
      'geo.text.fluency': 'Every sentence has more than 50 words.',
      'geo.text.lists': 'The article has no list.',
      'geo.text.summary': 'The article has 650 words and neither a summary nor key points.',
      'geo.entity.author-page': "The author's page answers 404.",
      'geo.entity.organization': 'There is no Organization.',
      'agent.tokens.preamble': 'The menu above the h1 has more text than the article.',
      'agent.http.rate-limit': 'A 429 carries no Retry-After.',
      'agent.api.openapi-found': 'Links lead to an API and its reference, and no description is anywhere.',
      'agent.webmcp.forms': 'The toolname has spaces and a mark, the description is missing.',
      'agent.ui.form-labels': 'The only field has no label.',
    },
    unknown: {
      'aeo.sitemap.exists': '/sitemap.xml answers 429, which says nothing about the file.',
    },
    not_applicable: {
      'agent.api.openapi-valid': 'There is no description to judge.',
      'geo.evidence.number-source-adjacent': 'There are no figures.',
    },
  }),
};

/** A page whose text stands everywhere but in its main element. */
export const misplaced: TruthSite = {
  name: 'misplaced',
  map: {
    ...httpsUpgrade,
    '/': html(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Walks around the reservoir | Upland walks</title>
<meta name="description" content="Three walks around the reservoir, with the state of the paths and the hours of the bus that brings you back."></head>
<body><div class="hero"><h1>Walks around the reservoir</h1></div>
<div><p>The reservoir lies between two hills, and three walks lead around it. The shortest keeps to the shore and takes two hours. It is flat all the way, and the ground is firm enough for a pram. Benches stand at every bay, and the ducks know that walkers carry bread. After heavy rain the third bay floods, and you climb over the bank by a stile.</p>
<p>The second walk goes over the dam and up to the old quarry. It takes four hours and has one steep part, where a rope hangs along the rock. The quarry is full of ravens in spring. Do not walk near the edge, since the rim breaks off without warning. From the top you see both towns and, on a clear day, the sea.</p>
<p>The longest walk takes a whole day and leads over both hills. Take water with you, because the streams dry up in summer. The path is marked with white stones, which are hard to see in snow. A hut below the second top is open all year, and it has a stove but no wood. The last bus leaves the dam at seven, and the driver waits for people whom he can see.</p></div>
<main><p>Loading offers of nearby inns.</p></main>
</body></html>`),
  },
  truth: planted({
    pass: {
      'aeo.render.ssr-text': 'The page has about 230 words in the raw HTML.',
      'aeo.structure.h1': 'There is one h1.',
    },
    partial: {
      'geo.text.main-extractable': 'The main element holds five of 240 words, and not the h1: the text is beside it.',
      'geo.text.depth': 'The text has 240 words.',
    },
  }),
};
