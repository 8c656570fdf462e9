import { words } from './agent-site.ts';
import { card, CARD_HEADERS, catalog, entry, modernServer } from './mcp-site.ts';
import { html, json, markdown, type SiteMap, SITE, text, xml } from './site-fetch.ts';

const attribute = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/**
 * A site that puts `say(slot)` into every place where a site can put words: names, descriptions, headings, navigation,
 * addresses, structured data, its API description, forms, agent card, Server Card, MCP handshake, robots.txt and its
 * present llms.txt. Its requests are answered as on any well-kept site.
 */
export function hostileSite(say: (slot: string) => string): SiteMap {
  const at = (slot: string): string => attribute(say(slot));
  const path = (slot: string): string => `/${encodeURIComponent(say(slot).toWellFormed().slice(0, 80)) || 'empty'}`;
  const page = (slot: string): string => `<!doctype html><html lang="en"><head>
<title>${at(`${slot} title`)}</title>
<meta name="description" content="${at(`${slot} description`)}">
<meta property="og:site_name" content="${at(`${slot} og name`)}">
<meta property="og:title" content="${at(`${slot} og title`)}">
<link rel="alternate" type="text/markdown" href="${at(`${slot} alternate`)}">
<script type="application/ld+json">${JSON.stringify({
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'WebSite', name: say(`${slot} website`), url: SITE, description: say(`${slot} website description`) },
      { '@type': 'Organization', name: say(`${slot} organisation`), url: SITE, logo: say(`${slot} logo`) },
      { '@type': 'WebPage', url: `${SITE}/prices`, description: say(`${slot} page description`) },
    ],
  }).replaceAll('<', '\\u003c')}</script>
<link rel="mcp" href="/mcp"></head><body>
<nav><a href="/prices">${at(`${slot} nav`)}</a><a href="${at(`${slot} nav address`)}">x</a>
<a href="${path(`${slot} nav path`)}">${at(`${slot} nav name`)}</a><a href="/docs/a">${at(`${slot} docs`)}</a><a href="/docs">${at(`${slot} docs top`)}</a></nav>
<main><h1>${at(`${slot} h1`)}</h1><p>${at(`${slot} paragraph`)} and <a href="/prices">${at(`${slot} link`)}</a> and more words here.</p>
<h2>${at(`${slot} h2`)}</h2><p>${words(80)}</p><h2>${at(`${slot} other h2`)}</h2>
<form action="/search" aria-label="${at(`${slot} form`)}" toolname="${at(`${slot} tool`)}" tooldescription="${at(`${slot} tool description`)}"><input type="search" name="q"><button>${at(`${slot} button`)}</button></form>
</main><footer>© 2026 ${at(`${slot} footer`)}</footer></body></html>`;
  return {
    '/': html(page('start')),
    '/prices': html(page('prices')),
    '/docs': html(page('docs')),
    '/docs/a': html(page('docs a')),
    '/faq': html(page('faq')),
    '/robots.txt': text(
      `# ${say('robots').replaceAll(/[\r\n]/gu, ' ')}\nUser-agent: *\nDisallow: /x\nSitemap: ${SITE}/sitemap.xml\n`,
    ),
    '/sitemap.xml': xml(
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${['/prices', '/docs', '/docs/a', path('sitemap')]
        .map((each) => `<url><loc>${SITE}${each.replaceAll('&', '&amp;').replaceAll("'", '&apos;')}</loc></url>`)
        .join('')}</urlset>`,
    ),
    '/llms.txt': markdown(
      `# ${say('llms h1')}\n\n> ${say('llms summary')}\n\n## ${say('llms section')}\n\n- [${say('llms name')}](/prices): ${say('llms note')}\n- [x](${say('llms address')})\n`,
    ),
    '/openapi.json': json({
      openapi: '3.1.0',
      info: { title: say('api title'), version: say('api version') },
      servers: [{ url: SITE }],
      paths: {
        [path('api path')]: {
          get: {
            operationId: say('operation id'),
            summary: say('operation summary'),
            description: say('operation description'),
            tags: [say('operation tag')],
            responses: { 200: { description: say('response') } },
          },
          post: { operationId: say('other id'), responses: { 200: { description: 'x' } } },
        },
      },
    }),
    '/.well-known/agent-card.json': json({
      name: say('agent name'),
      description: say('agent description'),
      version: say('agent version'),
      supportedInterfaces: [
        { url: `${SITE}/a2a`, protocolBinding: say('agent binding'), protocolVersion: say('agent protocol') },
        { url: say('agent address'), protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      ],
      capabilities: { streaming: say('agent streaming') },
      defaultInputModes: [say('agent mode')],
      defaultOutputModes: ['text/plain'],
      skills: [
        {
          id: say('skill id'),
          name: say('skill name'),
          description: say('skill description'),
          tags: [say('skill tag')],
        },
      ],
    }),
    '/.well-known/ai-catalog.json': json(
      catalog([entry({ displayName: say('entry name'), identifier: say('entry id') })], {
        host: { displayName: say('host') },
      }),
    ),
    '/mcp/server-card': {
      status: 200,
      headers: CARD_HEADERS,
      body: JSON.stringify(
        card({
          name: say('card name'),
          version: say('card version'),
          description: say('card description'),
          title: say('card title'),
          remotes: [
            {
              type: 'streamable-http',
              url: `${SITE}/mcp`,
              supportedProtocolVersions: ['2026-07-28', say('card protocol')],
              headers: [
                { name: say('header name'), description: say('header description'), value: say('header value') },
              ],
            },
          ],
        }),
      ),
    },
    'POST /mcp': modernServer({
      discover: {
        instructions: say('instructions'),
        _meta: {
          'io.modelcontextprotocol/serverInfo': {
            name: say('server name'),
            title: say('server title'),
            version: say('server version'),
            description: say('server description'),
          },
        },
      },
    }),
  };
}
