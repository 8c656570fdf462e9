import {
  html,
  json,
  markdown,
  SITE,
  type SiteAnswer,
  type SiteMap,
  text,
  xml,
} from '../../../support/audit/site-fetch.ts';
import { commands, configuration, quickstart, transcript, troubleshooting } from '../content/docs-pages.ts';
import { buildLook } from '../../../support/audit/looks.ts';
import { jsonLd, navigation, pageHtml, sitemapXml } from '../document.ts';
import { httpsUpgrade, planted, type TruthSite } from '../truth-site.ts';

const PATHS = ['/docs/quickstart', '/docs/commands', '/docs/configuration', '/docs/troubleshooting'] as const;

const header = navigation('Tarn', {
  '/docs/quickstart': 'Quickstart',
  '/docs/commands': 'Commands',
  '/docs/configuration': 'Configuration',
  '/docs/troubleshooting': 'Troubleshooting',
  '/about': 'About',
});

const tabs = `<div role="tablist" aria-label="Systems">
<button type="button" role="tab" id="tab-linux" aria-controls="panel-linux" aria-selected="true">Linux</button>
<button type="button" role="tab" id="tab-mac" aria-controls="panel-mac" aria-selected="false">macOS</button>
</div>
<div role="tabpanel" id="panel-linux" aria-labelledby="tab-linux"><p>Run <code>curl -O https://acme.example/tarn-linux</code> and put the file into a folder of your path.</p></div>
<div role="tabpanel" id="panel-mac" aria-labelledby="tab-mac"><p>Run <code>brew install tarn</code>, which also adds the manual page.</p></div>`;

const film = `<section><h2 id="film">The quickstart as a film</h2>
<video src="/film/quickstart.mp4" controls></video>
<h3 id="transcript">Transcript</h3>
<p>${transcript}</p></section>`;

const structured = jsonLd({
  '@context': 'https://schema.org',
  '@graph': [
    {
      '@type': 'TechArticle',
      '@id': `${SITE}/docs/quickstart#article`,
      headline: 'Tarn quickstart: install and sync your first folder',
      author: { '@type': 'Organization', '@id': `${SITE}/#org`, name: 'Tarn', url: `${SITE}/` },
      publisher: { '@id': `${SITE}/#org` },
      datePublished: '2026-03-02',
      dateModified: '2026-09-18',
      image: `${SITE}/tarn.png`,
    },
    { '@type': 'WebSite', name: 'Tarn', url: `${SITE}/` },
    {
      '@type': 'BreadcrumbList',
      itemListElement: [
        { '@type': 'ListItem', position: 1, name: 'Tarn', item: `${SITE}/` },
        { '@type': 'ListItem', position: 2, name: 'Quickstart', item: `${SITE}/docs/quickstart` },
      ],
    },
    {
      '@type': 'VideoObject',
      name: 'The Tarn quickstart as a film',
      description: 'A film of three minutes that installs the program and syncs a folder.',
      uploadDate: '2026-03-02',
      thumbnailUrl: `${SITE}/film/quickstart.jpg`,
      transcript,
    },
  ],
});

const script = `<script>
document.modelContext.registerTool({ name: 'find_command', description: 'Finds a command of the tool by what it does.' });
</script>`;

const start = pageHtml({
  path: PATHS[0],
  title: 'Tarn quickstart: install and sync a folder | Tarn',
  description: 'Install the single file, describe a pair of folders, and keep both the same over a slow line.',
  header,
  head: `${structured}\n<link rel="alternate" type="text/markdown" href="/docs/quickstart.md">\n${script}`,
  byline: '<p>Updated <time datetime="2026-09-18">18 September 2026</time></p>',
  content: quickstart.replace('## Sync a folder', `${tabs}\n\n## Sync a folder`),
  after: film,
});

const simple = (path: string, title: string, content: string): SiteAnswer =>
  html(
    pageHtml({ path, title, description: `${title}, with examples that you can copy into a shell.`, header, content }),
  );

const llmsTxt = `# Tarn

> A command line tool that keeps two folders the same over a slow or broken line.

## Docs

- [Quickstart](${SITE}/docs/quickstart.md): install the program and sync a folder
- [Commands](${SITE}/docs/commands.md): every command with its options
- [Configuration](${SITE}/docs/configuration.md): the file that describes a pair
- [Troubleshooting](${SITE}/docs/troubleshooting.md): clocks, owners and broken lines
- [About](${SITE}/about): who writes the tool
`;

const keyDirectory = {
  keys: [
    {
      kty: 'OKP',
      crv: 'Ed25519',
      kid: 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
      x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs',
      use: 'sig',
    },
  ],
};

const map: SiteMap = {
  ...httpsUpgrade,
  [PATHS[0]]: html(start, { headers: { 'content-usage': 'train-ai=n' } }),
  [PATHS[1]]: simple(PATHS[1], 'Commands of Tarn and their options', commands),
  [PATHS[2]]: simple(PATHS[2], 'Configuration of a pair of folders', configuration),
  [PATHS[3]]: simple(PATHS[3], 'Troubleshooting a pair that will not sync', troubleshooting),
  '/about': simple(
    '/about',
    'About the people behind Tarn',
    '# About Tarn\n\nTarn was started in 2019 in Kendal by Ruth Airey, who needed to copy notes from a boat. Four people work on it today. The tool is free for everybody, and two libraries and a county pay for its upkeep. New versions appear twice a year, and every one of them reads the folders of all the versions before it.',
  ),
  '/docs/quickstart.md': markdown(
    `---\ncanonical: ${SITE}/docs/quickstart\n---\n\n${quickstart}\n## Transcript of the film\n\n${transcript}\n`,
  ),
  '/docs/commands.md': markdown(commands),
  '/docs/configuration.md': markdown(configuration),
  '/docs/troubleshooting.md': markdown(troubleshooting),
  '/llms.txt': markdown(llmsTxt),
  '/llms-full.txt': text([quickstart, commands, configuration, troubleshooting].join('\n')),
  '/AGENTS.md': markdown(
    '# Working on Tarn\n\n## Build\n\nRun `make`, which needs a C compiler and nothing else.\n\n## Test\n\nRun `make test` before you send a change.\n',
  ),
  '/sitemap.md': markdown(`# Pages of Tarn\n\n${PATHS.map((path) => `- [${path}](${SITE}${path})`).join('\n')}\n`),
  '/robots.txt': text(
    `User-agent: *\nDisallow: /drafts\nDisallow: /internal\n\nUser-agent: GPTBot\nDisallow: /drafts\nDisallow: /internal\n\nSitemap: ${SITE}/sitemap.xml\n`,
  ),
  '/sitemap.xml': xml(sitemapXml([...PATHS.map((path) => ({ path, lastmod: '2026-09-18' })), { path: '/about' }])),
  '/.well-known/tdmrep.json': json([{ location: '/', 'tdm-reservation': 0 }]),
  '/.well-known/http-message-signatures-directory': json(keyDirectory, {
    headers: {
      'content-type': 'application/http-message-signatures-directory+json',
      'signature-input':
        'sig1=("@authority";req);created=1795000000;expires=1800000000;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";tag="http-message-signatures-directory"',
      signature: 'sig1=:dGVzdC1zaWduYXR1cmUtb2YtdGhlLWRpcmVjdG9yeS1rZXlzLXBhZGRlZC10by02NC1ieXRlcy0tLS0tLQ==:',
    },
  }),
};

/** Documentation as agents like it: Markdown beside every page, named languages, and nothing behind a second fetch. */
export const docs: TruthSite = {
  name: 'docs',
  path: PATHS[0],
  profile: 'docs',
  map,
  rendered: buildLook(start, { url: SITE + PATHS[0] }),
  truth: planted({
    pass: {
      'aeo.robots.syntax': 'robots.txt has two clean groups and a Sitemap line.',
      'aeo.robots.group-shadowing': 'The GPTBot group repeats both Disallow lines of the * group.',
      'aeo.robots.discovery-files-allowed': 'Only /drafts and /internal are disallowed.',
      'aeo.answer.steps': 'The page installs something and has an ordered list of three steps.',
      'aeo.structure.landmarks': 'main, article, nav and header are there.',
      'geo.text.definitions': '"A pair is the name ..." and "Tarn is a command line tool" define terms of the title.',
      'geo.text.lists': 'The article has two lists of three items.',
      'geo.schema.page-type': 'The documentation page has a TechArticle node.',
      'geo.schema.article': 'All six fields of the TechArticle are there.',
      'geo.schema.breadcrumb': 'The BreadcrumbList has two positions with name and item.',
      'geo.schema.ids-linked': 'publisher refers to the Organization inside author.',
      'geo.schema.dates-valid': 'dateModified is after datePublished and equals the visible date.',
      'geo.parity.markdown-content': 'The .md copy has the text of the page.',
      'geo.cite.addressable': 'Every h2 and h3 has an id.',
      'geo.media.video-transcript': 'The film stands beside a transcript of more than 100 words.',
      'agent.llms.exists': 'llms.txt answers 200 as text/markdown.',
      'agent.llms.full': 'llms-full.txt is text of several KB with an H1.',
      'agent.llms.statistics': 'llms.txt is there to be counted.',
      'agent.llms.links-resolve': 'All links of llms.txt answer 200.',
      'agent.llms.links-text': 'Four links lead to Markdown, one to a page of more than 60 words.',
      'agent.llms.coverage': 'All five pages of the navigation are listed.',
      'agent.md.suffix': '/docs/quickstart.md answers with text/markdown.',
      'agent.md.alternate-link': 'The rel=alternate link leads to the copy.',
      'agent.md.canonical': 'The front matter of the copy names the canonical address.',
      'agent.md.valid': 'The copy has balanced fences and headings.',
      'agent.prefs.aipref': 'Content-Usage: train-ai=n is a dictionary with a known key.',
      'agent.prefs.tdmrep': 'tdmrep.json is an array with a location and a reservation of 0.',
      'agent.prefs.web-bot-auth': 'The key directory has an Ed25519 key, the right type and a signature.',
      'agent.docs.agents-md': 'AGENTS.md has two sections.',
      'agent.docs.code-language': 'All four code blocks name their language.',
      'agent.docs.tabs': 'Both tab panels have their text in the HTML.',
      'agent.ui.aria-valid': 'Roles, states and references of the tabs are right.',
      'agent.webmcp.script': 'An inline script calls document.modelContext.registerTool.',
    },
    fail: {
      'agent.webmcp.registered': 'The script names a tool without execute, and the browser has none.',
      'aeo.reach.compression': 'The page has more than 1,400 bytes and no Content-Encoding.',
      'agent.md.negotiation': 'Accept: text/markdown gets HTML.',
      'agent.http.conditional': 'There is neither ETag nor Last-Modified.',
    },
    not_applicable: {
      'mcp.discovery.any': 'The site has no MCP surface, and speaks neither of MCP nor of an API.',
      'geo.evidence.quotations': 'Documentation needs no quotations.',
      'agent.md.vary': 'The site does not negotiate.',
      'agent.md.q-values': 'The site does not negotiate.',
      'agent.ui.form-labels': 'There are no fields.',
      'agent.a2a.card': 'No agent is claimed.',
      'geo.schema.product': 'Nothing is sold.',
    },
  }),
};
