import { migrateOverrides } from '../../../src/hybrid/core/migrate.ts';
import { createFilterMatcher, parseFilter } from '../../../src/management/core/filter/index.ts';
import { createGlobMatcher } from '../../../src/search/crawl/page-urls.ts';
import { audit, call, HTML, ORIGIN, paths, type Reply } from '../entries.ts';
import { BODY, each, often, repeated, shape, type Shape } from '../shape.ts';

const DEEP = often(5_000, 100_000);
const plain = (body: string): Reply => ({ headers: [['content-type', 'text/plain; charset=utf-8']], body });
const markdown = (body: string): Reply => ({ headers: [['content-type', 'text/markdown; charset=utf-8']], body });
const xml = (body: string): Reply => ({ headers: [['content-type', 'application/xml']], body });
const json = (body: string): Reply => ({ headers: [['content-type', 'application/json']], body });
const yaml = (body: string): Reply => ({ headers: [['content-type', 'application/yaml']], body });
const robots = (body: string) => paths({ '/robots.txt': plain(body) });
const sitemap = (body: string) => paths({ '/sitemap.xml': xml(body) });
const llms = (body: string) => paths({ '/llms.txt': markdown(body), '/llms-full.txt': markdown(body) });
const api = (reply: Reply) => paths({ '/openapi.json': reply, '/openapi.yaml': reply });
const feed = (body: string) =>
  paths({
    '/': {
      headers: HTML,
      body: '<!doctype html><title>x</title><link rel="alternate" type="application/rss+xml" href="/feed"><h1>x</h1><p>Words.</p>',
    },
    '/feed': xml(body),
  });

const URLSET = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
const LAUGHS = Array.from({ length: 12 }, (_, index) => `<!ENTITY a${index + 1} "${`&a${index};`.repeat(10)}">`).join(
  '',
);
const BILLION = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a0 "ha">${LAUGHS}]>`;
const XXE =
  '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd"><!ENTITY % p SYSTEM "http://169.254.169.254/"> %p;]>';
const YAML_LAUGHS = `a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n${each(9, (index) => `a${index + 1}: &a${index + 1} [${`*a${index}, `.repeat(9)}*a${index}]\n`)}`;

/** A server that answers every call with these tools. */
const tools =
  (count: number, schema: string, more = '') =>
  (url: URL, method: string): Reply | undefined => {
    if (url.pathname === '/mcp' && method === 'POST')
      return json(
        `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2026-07-28","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}${more},"tools":[${each(count, (index) => `{"name":"t${index}","description":"x","inputSchema":${schema}},`)}{"name":"z","inputSchema":{"type":"object"}}]}}`,
      );
    if (url.pathname === '/')
      return {
        headers: HTML,
        body: '<!doctype html><title>x</title><link rel="mcp" href="/mcp"><h1>x</h1><p>An MCP server.</p>',
      };
    return undefined;
  };
const deepSchema = (depth: number): string =>
  `${'{"type":"object","properties":{"a":'.repeat(depth)}{}${'}}'.repeat(depth)}`;
const refSchema =
  '{"type":"object","$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}]}},"$ref":"#/$defs/a"}';
const WELL_KNOWN = [
  'agent-card.json',
  'agent.json',
  'ai-catalog.json',
  'api-catalog',
  'mcp.json',
  'oauth-protected-resource',
  'oauth-authorization-server',
  'openid-configuration',
  'agent-skills/index.json',
  'ai-plugin.json',
  'http-message-signatures-directory',
  'tdmrep.json',
  'security.txt',
];
const wellKnown = (reply: Reply) =>
  paths({
    ...Object.fromEntries(WELL_KNOWN.map((name) => [`/.well-known/${name}`, reply])),
    '/mcp/server-card': reply,
  });

const migrated = (text: string) => () => (migrateOverrides(text).ok ? 'ok' : 'refused');
const filtered = (filter: string, entry: object) => () => {
  const parsed = parseFilter(filter);
  if (!parsed.ok) return 'refused';
  try {
    return String(createFilterMatcher(parsed.filter)(entry as Parameters<ReturnType<typeof createFilterMatcher>>[0]));
  } catch (error) {
    return error instanceof Error ? error.name : 'thrown';
  }
};

/** Files beside the pages: robots.txt, sitemaps, llms.txt, feeds, API descriptions, agents' files, and texts of callers. */
export const documents: readonly Shape[] = [
  shape('a robots.txt of one line of 5 MB', () => robots(`Disallow: /${'a'.repeat(BODY)}`), audit),
  shape(
    'a robots.txt of 500,000 groups',
    () => robots(each(often(5_000, 500_000), (index) => `User-agent: b${index}\nDisallow: /\n`)),
    audit,
  ),
  shape(
    'a robots.txt of one group of all agents',
    () => robots(`${each(often(5_000, 300_000), (index) => `User-agent: b${index}\n`)}Disallow: /\n`),
    audit,
  ),
  shape(
    'a robots.txt of rules without number',
    () => robots(`User-agent: *\n${each(often(5_000, 300_000), (index) => `Disallow: /${index}\n`)}`),
    audit,
  ),
  shape(
    'wildcards against a long path',
    () => robots(`User-agent: *\n${repeated(`Disallow: ${'/*a'.repeat(200)}b$\n`, 400_000)}`),
    audit,
  ),
  shape(
    'wildcards without anything between',
    () => robots(`User-agent: *\n${repeated(`Disallow: /${'*'.repeat(1_500)}b$\n`, 400_000)}`),
    audit,
  ),
  shape(
    'a robots.txt of sitemaps',
    () => robots(each(often(5_000, 100_000), (index) => `Sitemap: ${ORIGIN}/${index}.xml\n`)),
    audit,
  ),
  shape('a robots.txt of percent signs', () => robots(`User-agent: *\nDisallow: /${'%'.repeat(BODY)}\n`), audit),
  shape('a robots.txt of carriage returns', () => robots('\r'.repeat(BODY)), audit),
  shape(
    'a sitemap of a billion laughs',
    () => sitemap(`${BILLION}${URLSET}<url><loc>&a12;</loc></url></urlset>`),
    audit,
  ),
  shape('a sitemap with external entities', () => sitemap(`${XXE}${URLSET}<url><loc>&e;</loc></url></urlset>`), audit),
  shape(
    'a sitemap of 500,000 addresses',
    () =>
      sitemap(
        `${URLSET}${each(often(3_000, 100_000), (index) => `<url><loc>${ORIGIN}/${index}</loc></url>`)}</urlset>`,
      ),
    audit,
  ),
  shape('a sitemap as deep as the file', () => sitemap(`${URLSET}${repeated('<url>')}`), audit),
  shape(
    'a sitemap of an address of 1 MB',
    () => sitemap(`${URLSET}<url><loc>${ORIGIN}/${'a'.repeat(BODY)}</loc></url></urlset>`),
    audit,
  ),
  shape(
    'a sitemap of attributes',
    () => sitemap(`<urlset ${each(often(5_000, 300_000), (index) => `a${index}="x" `)}></urlset>`),
    audit,
  ),
  shape(
    'a sitemap that is an index of itself',
    () =>
      sitemap(
        `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${repeated(`<sitemap><loc>${ORIGIN}/sitemap.xml</loc></sitemap>`)}</sitemapindex>`,
      ),
    audit,
  ),
  shape('a sitemap of declarations', () => sitemap(repeated('<!ELEMENT a ANY>')), audit),
  shape(
    'a sitemap of CDATA',
    () => sitemap(`${URLSET}<url><loc>${repeated('<![CDATA[a]]>')}</loc></url></urlset>`),
    audit,
  ),
  shape(
    'a feed of a billion laughs',
    () => feed(`${BILLION}<rss version="2.0"><channel><title>&a12;</title></channel></rss>`),
    audit,
  ),
  shape(
    'a feed of entries without number',
    () =>
      feed(
        `<rss version="2.0"><channel>${repeated('<item><title>x</title><pubDate>x</pubDate></item>')}</channel></rss>`,
      ),
    audit,
  ),
  shape('an llms.txt of 5 MB of links', () => llms(`# X\n\n> Y\n\n## Docs\n\n${repeated('- [a](/a): b\n')}`), audit),
  shape('an llms.txt of open brackets', () => llms(`# X\n\n${'['.repeat(BODY)}`), audit),
  shape('an llms.txt of links in links', () => llms(`# X\n\n${'- [a]('.repeat(BODY / 6)}`), audit),
  shape('an llms.txt of quotes in quotes', () => llms(`# X\n\n${'>'.repeat(BODY)} x`), audit),
  shape('an llms.txt of lists in lists', () => llms(each(2_000, (index) => `${' '.repeat(index)}- x\n`)), audit),
  shape('an llms.txt of headings', () => llms(repeated('## x\n')), audit),
  shape('an llms.txt of stars', () => llms(`# X\n\n${repeated('*a **b ')}`), audit),
  shape(
    'an llms.txt of backticks',
    () => llms(`# X\n\n${each(often(1_200, 3_000), (index) => `${'`'.repeat(index)} `)}`),
    audit,
  ),
  shape(
    'an llms.txt of tables',
    () => llms(`# X\n\n|${'a|'.repeat(20_000)}\n|${'-|'.repeat(20_000)}\n${repeated('|a|b|\n', 200_000)}`),
    audit,
  ),
  shape(
    'an llms.txt of references',
    () =>
      llms(
        `# X\n\n${each(often(7_500, 150_000), (index) => `[a${index}]: /a\n`)}${each(often(7_500, 150_000), (index) => `[a${index}] `)}`,
      ),
    audit,
  ),
  shape('an llms.txt of HTML', () => llms(`# X\n\n${repeated('<a>')}`), audit),
  shape(
    'YAML of aliases of aliases as API description',
    () => api(yaml(`openapi: 3.1.0\ninfo: {title: x, version: "1"}\npaths: {}\n${YAML_LAUGHS}`)),
    audit,
  ),
  shape(
    'YAML of merge keys as API description',
    () =>
      api(
        yaml(
          `openapi: 3.1.0\na0: &a0 {x: 1}\n${each(often(200, 1_000), (index) => `a${index + 1}: &a${index + 1}\n  <<: [*a${index}, *a${index}]\n  k${index}: 1\n`)}`,
        ),
      ),
    audit,
  ),
  shape('YAML nested by its flow', () => api(yaml(`openapi: 3.1.0\npaths: ${'['.repeat(DEEP)}`)), audit),
  shape(
    'YAML nested by its indent',
    () => api(yaml(`openapi: 3.1.0\n${each(1_000, (index) => `${' '.repeat(index)}a:\n`)}`)),
    audit,
  ),
  shape(
    'JSON nested as API description',
    () => api(json(`{"openapi":"3.1.0","paths":${'{"/a":'.repeat(DEEP)}1${'}'.repeat(DEEP + 1)}`)),
    audit,
  ),
  shape(
    'an API of 50,000 paths',
    () =>
      api(
        json(
          `{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{${each(often(2_500, 30_000), (index) => `"/p${index}":{"get":{"responses":{"200":{"description":"x"}}}},`)}"/z":{}}}`,
        ),
      ),
    audit,
  ),
  shape(
    'an API whose references go round',
    () =>
      api(
        json(
          `{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{"/a":{"$ref":"#/paths/~1b"},"/b":{"$ref":"#/paths/~1a"}},"components":{"schemas":{"a":{"allOf":[{"$ref":"#/components/schemas/a"},{"$ref":"#/components/schemas/a"}]}}}}`,
        ),
      ),
    audit,
  ),
  shape("agents' files of open brackets", () => wellKnown(json('['.repeat(BODY))), audit),
  shape("agents' files nested deep", () => wellKnown(json(`${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`)), audit),
  shape(
    "agents' files of a million members",
    () => wellKnown(json(`{${each(often(5_000, 200_000), (index) => `"k${index}":[],`)}"z":1}`)),
    audit,
  ),
  shape(
    "agents' files of a million entries",
    () =>
      wellKnown(
        json(
          `{"entries":[${'{},'.repeat(often(10_000, 300_000))}{}],"skills":[${'{},'.repeat(often(10_000, 300_000))}{}],"linkset":[${'{},'.repeat(1_000)}{}]}`,
        ),
      ),
    audit,
  ),
  shape('a hundred thousand tools', () => tools(often(2_500, 100_000), '{"type":"object"}'), audit),
  shape('tools with deep schemas', () => tools(50, deepSchema(often(200, 1_500))), audit),
  shape('a tool with a schema of a hundred thousand levels', () => tools(1, deepSchema(often(5_000, 60_000))), audit),
  shape('tools whose schemas refer to themselves', () => tools(often(500, 5_000), refSchema), audit),
  shape('tools without end by their cursor', () => tools(100, '{"type":"object"}', ',"nextCursor":"again"'), audit),
  shape('an order of YAML aliases of aliases', () => migrated(YAML_LAUGHS), call),
  shape(
    'an order of YAML merge keys',
    () =>
      migrated(
        `a0: &a0 {x: 1}\n${each(1_000, (index) => `a${index + 1}: &a${index + 1}\n  <<: [*a${index}, *a${index}]\n`)}`,
      ),
    call,
  ),
  shape('an order of YAML nested deep', () => migrated('['.repeat(200_000)), call, { outcomes: ['refused'] }),
  shape('an order of YAML lists in lists in one line', () => migrated('- '.repeat(130_000)), call, {
    outcomes: ['refused'],
  }),
  shape('an order of YAML keys in keys in one line', () => migrated('? '.repeat(130_000)), call, {
    outcomes: ['refused'],
  }),
  shape('an order of anchors', () => migrated(each(20_000, (index) => `k${index}: &k${index} x\n`)), call),
  shape('a filter of brackets', () => filtered('('.repeat(19_000), {}), call, { outcomes: ['refused'] }),
  shape('a filter of negations', () => filtered(`${'NOT '.repeat(4_000)}a=1`, {}), call),
  shape(
    'a filter with a pattern that doubles',
    () => filtered('textPayload =~ "(a|a|a)*(a+)+(a?){50}b"', { textPayload: 'a'.repeat(often(2_000, 200_000)) }),
    call,
  ),
  shape(
    'a filter over an entry as wide as a page',
    () =>
      filtered('"never there"', {
        jsonPayload: Object.fromEntries(
          Array.from({ length: often(5_000, 100_000) }, (_, index) => [`k${index}`, 'x']),
        ),
      }),
    call,
  ),
  shape(
    'a glob of stars against a long path',
    () => () => String(createGlobMatcher('**/*a'.repeat(40))('/ab'.repeat(often(25_000, 400_000)))),
    call,
    { outcomes: ['false'] },
  ),
];
