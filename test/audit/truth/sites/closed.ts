import { html, text, xml } from '../../../support/audit/site-fetch.ts';
import { navigation, pageHtml, sitemapXml } from '../document.ts';
import { planted, type TruthSite } from '../truth-site.ts';

const paths = ['/', '/minutes', '/rota', '/keys'];

/** A club that shuts every crawler out three times over, and lists its pages in a sitemap all the same. */
export const closed: TruthSite = {
  name: 'closed',
  map: {
    // Plain http serves the pages as well, without a redirect.
    'http://acme.example/': html('<!doctype html><title>Rowing club</title><p>Members sign in at the boat house.</p>'),
    ...Object.fromEntries(
      paths.map((path) => [
        path,
        html(
          pageHtml({
            path,
            title: `Rowing club, ${path === '/' ? 'notice board' : path.slice(1)}`,
            header: navigation('Rowing club', { '/minutes': 'Minutes', '/rota': 'Rota', '/keys': 'Keys' }),
            canonical: path === '/' ? 'https://boats.example/' : null,
            head: '<meta name="robots" content="noindex, nosnippet">\n<link rel="stylesheet" href="/static/club.css">',
            content: `# Notice board of the rowing club

The club meets at six on Tuesdays. Ask the caretaker for the ${path === '/' ? 'boat' : path.slice(1)} list, which hangs behind the door of the boat house. Guests are welcome in summer. They sign the book, take a vest from the hook and row with a member. The tea urn is lit at half past five, and the last one to leave turns it off. Repairs to the boats are done on the first Saturday of the month, and every member owes the club two such days a year. The narrow boats stay on their racks when the river is high, and the red flag at the weir tells you so before you unlock the door. Whoever breaks an oar writes it on the slate and pays half of the new one. The committee has moved the spare key to the neighbour across the lane, who is at home until seven. Dogs stay on the bank.`,
          }),
          { headers: { 'x-robots-tag': 'noindex, nofollow' } },
        ),
      ]),
    ),
    '/robots.txt': text(
      'User-agent: GPTBot\nCrawl-delay: 60\nDisallow: /\n\nUser-agent: *\nDisallow: /\nCrawl-delay: 60\n\nSitemap: https://acme.example/sitemap.xml\n',
    ),
    '/sitemap.xml': xml(sitemapXml(paths.map((path) => ({ path })))),
    '/llms.txt': text(
      '# Rowing club\n\n> Notices for members.\n\n## Pages\n\n- [Rota](https://acme.example/rota): who rows when\n',
    ),
    '/static/club.css': { status: 200, headers: { 'content-type': 'text/css' }, body: 'body{margin:0}' },
    'https://boats.example/': html('<!doctype html><title>Boats</title><p>Another site.</p>'),
  },
  truth: planted({
    pass: {
      'aeo.robots.fetch': 'robots.txt answers 200 as text/plain.',
      'aeo.sitemap.exists': 'robots.txt names a sitemap that is there.',
      'agent.llms.exists': 'llms.txt answers 200 as text/plain.',
      'agent.llms.links-described': 'The only link carries a note.',
    },
    partial: {
      'aeo.reach.https': 'https works, but plain http serves a page instead of redirecting.',
    },
    fail: {
      'aeo.robots.ai-search-bots': 'Disallow: / under * catches every AI search crawler.',
      'aeo.robots.user-fetchers': 'Disallow: / under * catches Claude-User.',
      'aeo.robots.blanket-block': 'The * group says Disallow: /.',
      'aeo.robots.crawl-delay': 'Crawl-delay is 60.',
      'aeo.robots.blocks-render-assets': 'The stylesheet is disallowed for Googlebot.',
      'aeo.index.meta-robots': 'The robots meta tag says noindex.',
      'aeo.index.x-robots-tag': 'The header says noindex.',
      'aeo.index.snippet-eligible': 'The robots meta tag says noindex and nosnippet.',
      'aeo.index.snippet-allowed': 'The robots meta tag says nosnippet.',
      'aeo.index.canonical': 'The canonical link names another host.',
      'aeo.index.conflicts': 'A noindexed page is in the sitemap.',
      'aeo.sitemap.lastmod': 'No entry has a lastmod.',
      'aeo.fresh.dates': 'No page states a date.',
      'agent.llms.coverage': 'llms.txt lists one of the three pages of the navigation.',
    },
    not_applicable: {
      'aeo.robots.discovery-files-allowed': 'The crawlers are kept out of the whole site, which is a choice.',
      'aeo.feed.exists': 'The club has no dated content.',
    },
  }),
};
