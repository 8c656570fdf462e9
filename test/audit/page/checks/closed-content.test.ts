import { testChecks } from '../../../support/audit/judge-check.ts';
import { html, type SiteMap } from '../../../support/audit/site-fetch.ts';

const page = (title: string, body: string, head = '') =>
  html(
    `<!doctype html><html><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>${body}</main></body></html>`,
  );
const site = (body: string, more: SiteMap = {}): SiteMap => ({ '/': page('The Oak', body), ...more });
const dishes = '<p>Trout with butter, leek and potatoes from our own garden, 19.50.</p>'.repeat(8);

const article = (members: Readonly<Record<string, unknown>>): string =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'NewsArticle', headline: 'Ice', ...members })}</script>`;
const part = (selector: string) => ({ '@type': 'WebPageElement', isAccessibleForFree: false, cssSelector: selector });
const WALL = '<div class="rest of-it" id="wall"><p>Subscribe to continue reading.</p></div>';
const story = (members: Readonly<Record<string, unknown>> | undefined, body: string): SiteMap => ({
  '/': page('Ice', body, members === undefined ? '' : article(members)),
});

testChecks({
  'geo.text.only-in-files': [
    ['a menu in a PDF', site('<a href="/files/menu.pdf">Our menu</a>'), 'fail', /Only in a file: menu/],
    ['named by its address alone', site('<a href="/Speisekarte_Winter.pdf">Download</a>'), 'fail'],
    ['a price list', site('<a href="/x.pdf">Preisliste 2026</a>'), 'fail', /price list/],
    ['a timetable as a picture', site('<img src="/img/fahrplan.png" alt="Fahrplan">'), 'fail', /timetable/],
    ['a page of the same topic is linked', site('<a href="/m.pdf">Menu</a> <a href="/dinner-menu">Dinner</a>'), 'pass'],
    [
      'a page of the same topic was read',
      site('<a href="/m.pdf">Menu</a> <a href="/food">Food</a>', { '/food': page('Menu', dishes) }),
      'pass',
    ],
    [
      'one of two topics has a page',
      site('<a href="/m.pdf">Menu</a> <a href="/p.pdf">Price list</a> <a href="/prices">Prices</a>'),
      'partial',
      /1 of 2/,
    ],
    [
      'the button of the navigation is no menu',
      site('<a href="#nav">Menu</a><a href="/m.pdf">Speisekarte</a>'),
      'fail',
    ],
    ['another PDF', site('<a href="/annual-report.pdf">Annual report 2025</a>'), 'not_applicable'],
    ['an icon of a menu', site('<img src="/icons/menu.png" alt="Menu">'), 'not_applicable'],
    ['a photograph', site('<img src="/img/room.jpg" alt="A room with a view">'), 'not_applicable'],
    [
      'a file on another page',
      site('<a href="/eat">Eat</a>', { '/eat': page('Eat', '<a href="/carte.pdf">La carte</a>') }),
      'fail',
    ],
  ],
  'geo.schema.paywall': [
    ['a wall without markup', story(undefined, WALL), 'fail', /no isAccessibleForFree/],
    ['a wall, marked as free', story({ isAccessibleForFree: true }, WALL), 'fail', /marked as free/],
    ['marked with its part', story({ isAccessibleForFree: false, hasPart: part('.rest') }, WALL), 'pass'],
    ['by an id', story({ isAccessibleForFree: 'False', hasPart: [part('#wall')] }, WALL), 'pass'],
    [
      'by an address of schema.org',
      story({ isAccessibleForFree: 'https://schema.org/False', hasPart: part('.rest') }, WALL),
      'pass',
    ],
    ['marked without its part', story({ isAccessibleForFree: false }, WALL), 'partial', /without the part/],
    [
      'a part that is not on the page',
      story({ isAccessibleForFree: false, hasPart: part('.paywall') }, WALL),
      'partial',
      /not on the page/,
    ],
    [
      'marked, and the words are written by a script',
      story({ isAccessibleForFree: false, hasPart: part('.rest') }, '<div class="rest"></div>'),
      'pass',
    ],
    ['a German wall', story(undefined, '<p>Dieser Artikel ist nur für Abonnenten.</p>'), 'fail'],
    [
      'a site that has subscribers',
      story(undefined, '<a href="/abo">Already a subscriber? Subscribe</a><p>All of the text.</p>'),
      'not_applicable',
    ],
    ['a free page', story({ isAccessibleForFree: true }, '<p>All of the text.</p>'), 'not_applicable'],
  ],
});
