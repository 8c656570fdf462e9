/**
 * How to make a check pass, in a sentence for those who run a site and do not build it, by its id. Only for checks whose own
 * text takes technical knowledge to read; German has the same rows in `german/`.
 */
export const plainFixes: Readonly<Record<string, string>> = {
  'aeo.reach.http-200':
    'The start address must open a normal page without an error. Ask your host or web developer to correct it.',
  'aeo.reach.ua-parity':
    'Your firewall, CDN or security plugin turns AI services away. Ask your host to let verified AI search bots pass.',
  'aeo.reach.edge-policy':
    'Your firewall or CDN (such as Cloudflare) turns AI services away. Allow them in its settings for bots, or ask your host to.',
  'aeo.reach.robots-vs-edge':
    'Your file robots.txt invites AI services that your firewall then refuses. Allow them in the settings of the firewall or CDN, too.',
  'aeo.robots.ai-search-bots':
    'The file robots.txt on your site forbids AI search to read it. Remove these rules in your SEO plugin or have your web developer do it.',
  'aeo.robots.user-fetchers':
    'The file robots.txt on your site keeps out assistants that open a page for a person. Remove these rules in your SEO plugin or have your web developer do it.',
  'aeo.robots.blanket-block':
    'The file robots.txt on your site shuts out every service it does not name. Remove the line "Disallow: /" below "User-agent: *".',
  'aeo.robots.fetch':
    'The file robots.txt on your site does not open as plain text. Ask your host or web developer to correct or remove it.',
  'aeo.render.ssr-text':
    'The text of the page appears only after scripts have run, which AI services do not do. Have your web developer deliver the text with the page itself.',
  'agent.content.raw-vs-rendered':
    'Some content appears only after scripts have run, which AI services do not do. Have your web developer deliver it with the page itself.',
  'aeo.index.meta-robots':
    'A setting of the page ("noindex") hides it from search. Switch it off in your website system or SEO plugin.',
  'aeo.index.x-robots-tag':
    'Your server forbids search engines to list the page. Ask your host or web developer to remove "noindex" from its X-Robots-Tag header.',
  'aeo.index.snippet-eligible':
    'A setting of the page forbids search engines to quote it. Switch "noindex" and "nosnippet" off in your website system or SEO plugin.',
  'aeo.index.snippet-allowed':
    'A setting of the page limits what search engines may quote. Switch "nosnippet" off in your website system or SEO plugin.',
  'aeo.index.canonical':
    'The page should name its own address as the main one ("canonical"). Most website systems and SEO plugins have a setting for it.',
  'aeo.reach.no-interstitial':
    'A bot check, cookie wall or login covers the page. Have it switched off for public pages, or at least for verified search bots.',
  'aeo.reach.soft-404':
    'Addresses that do not exist should answer "not found" and not show a normal page. Ask your web developer to correct this.',
  'aeo.reach.https': 'Ask your host to switch on HTTPS and to send visitors of the http:// address there.',
  'aeo.reach.http-errors-in-sample':
    'Some of your own links lead to pages with errors. Repair these pages, or have the links changed.',
  'aeo.sitemap.exists':
    'A sitemap is a file that lists your pages. Most website systems and SEO plugins create it once you switch it on.',
  'aeo.sitemap.valid':
    'The sitemap, the file that lists your pages, has mistakes. Let your website system or SEO plugin create it again.',
  'aeo.meta.title':
    'Give the page a title of 10 to 70 characters in your website system: what it is about, then your name.',
  'aeo.meta.description':
    'Write a description of 50 to 170 characters in the SEO settings of the page: what a visitor finds there.',
  'aeo.fresh.dates':
    'Show on the page when it was published or last changed; your web developer also adds the date for machines.',
  'geo.evidence.statistics':
    'Add two or three figures of your own to the main claims, each with its unit and where it comes from. Never invent them.',
  'geo.evidence.quotations': 'Quote a person or document that knows the subject, with the name beside the quotation.',
  'geo.evidence.cited-sources': 'Link each figure and each claim of others to where it comes from.',
  'geo.entity.organization':
    'Add your name, address, logo and contact as structured data (a description for machines). SEO plugins have a form for it, or your web developer adds it.',
  'geo.entity.sameas':
    'Link your profile pages (such as LinkedIn, Wikidata or the business register) in the structured data of the site, under "sameAs". The person who builds the site adds it.',
  'geo.entity.author':
    'Name the author on the page. The person who builds the site adds the name to the structured data, too.',
  'geo.entity.name-consistent': 'Write your brand name the same way everywhere: in titles, footer and structured data.',
  'geo.schema.jsonld-present':
    'Add structured data (a description of the page for machines). Most SEO plugins do so once you switch it on.',
  'geo.schema.parses':
    'The structured data of the page has a typing mistake, so machines cannot read it. The person who builds the site corrects it.',
  'geo.schema.page-type':
    'The structured data should say what kind of page this is, such as an article or a product. Choose the kind in your SEO plugin, or have it added.',
  'geo.schema.article':
    'Complete the structured data of the article: headline, author, dates and picture. SEO plugins have fields for them.',
  'geo.schema.product':
    'Complete the structured data of the product: name, picture, price, currency and availability. Shop systems have fields for them.',
  'geo.schema.price-parity':
    'The price that people see and the price for machines differ. Have both taken from the same field of your shop system.',
  'geo.commerce.merchant':
    'Add article numbers (GTIN), returns and shipping to the structured data of your products. Shop systems have fields for them.',
  'geo.safety.no-invisible-instructions':
    'The page has hidden text that gives orders to AI. Have it removed; if you did not write it, have your site checked for a break-in.',
  'agent.llms.exists':
    'llms.txt is a short list of your most important pages for AI services. Create it as a text file and have it put at the top level of your site.',
  'agent.llms.links-resolve': 'Some links in your file llms.txt lead nowhere. Correct or remove them.',
  'agent.llms.h1-first': 'The first line of your file llms.txt must be "# " and the name of your site.',
  'agent.llms.sections': 'Group the links in your file llms.txt under headings that begin with "## ".',
  'agent.md.negotiation':
    'Offer your pages as plain text (Markdown) to programs that ask for it. Some hosts and CDNs have a switch; otherwise your web developer adds it.',
  'agent.md.vary':
    'Your server must say that it answers programs and browsers differently ("Vary: Accept"). Your host or web developer sets it.',
  'agent.api.openapi-found':
    'If your site has a programming interface, publish its description (OpenAPI) where programs look for it. Your web developer does this.',
  'agent.api.openapi-valid':
    'The description of your programming interface (OpenAPI) has mistakes. Your web developer corrects the places shown.',
  'agent.ui.form-labels':
    'Every field of a form needs a name beside it. The person who builds the site adds the missing ones.',
  'agent.ui.control-names':
    'Every button and link needs a text that says what it does. The person who builds the site adds the missing ones.',
  'mcp.discovery.any':
    'If you run an MCP server (an interface for AI assistants), your site must say where it is. Its developer publishes the address.',
};
