import { html, markdown, notFound, type SiteAnswer, type SiteMap, text } from '../../../support/audit/site-fetch.ts';
import { navigation } from '../document.ts';
import { planted, type TruthSite } from '../truth-site.ts';

const START = '/docs/start';

const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Getting started with Gable | Gable docs</title>
<meta name="description" content="How to get started with Gable: download the archive, unpack it and run the first build."></head>
<body>
${navigation('Gable', { [START]: 'Start', '/docs/build': 'Build', '/docs/deploy': 'Deploy', '/docs/reference': 'Reference', '/docs/plugins': 'Plugins', '/docs/faq': 'Questions' })}
<main>
<h1>Getting started with Gable</h1>
<p>Gable builds a site from a folder of notes and puts it on a server that you own. The page you are reading leads from the archive to the first build, and it should take no longer than a kettle needs to boil.</p>
<pre><code>gable init my-notes</code></pre>
<pre><code>gable build</code></pre>
<pre><code class="language-bash">gable serve</code></pre>
<div role="tablist"><button role="tab">Linux</button><button role="tab">Windows</button></div>
<div role="tabpanel" id="linux"><p>Unpack the archive into a folder of your path, and open a new shell.</p></div>
<div role="tabpanel" id="windows"></div>
<iframe src="/docs/embed/install" title="How to install"></iframe>
<div hx-get="/docs/part/next-steps" hx-trigger="load"></div>
<h2>What comes next</h2>
<p>Write a note, run the build again and look at the result in your browser. The build keeps what has not changed, so the second run is much faster than the first. Once you like what you see, read how to deploy, and choose a name for the site before you tell anybody about it.</p>
</main></body></html>`;

/** A copy that a converter spoilt: menu first, tags left over, an open fence, relative links, and another text. */
const copy = `[Home](../index.md)
[Start](start.md)
[Build](build.md)
[Deploy](deploy.md)
[Reference](reference.md)
[Plugins](plugins.md)
[Questions](faq.md)
${'<div class="menu"><span class="item"><b>Gable</b></span></div>\n'.repeat(60)}
# Release notes of Gable

Version nine drops the old theme and changes the place of the cache. Delete the folder by hand before you update, or the first build will mix pages of both. The plug-ins of last year no longer load, and their owners have been told. There is a list of known faults in the tracker, and most of them concern the new search.

\`\`\`
gable update
`;

/** Looks for the word in the header, as naive servers do. */
const naive: SiteAnswer = ({ headers = {} }) =>
  (headers['accept'] ?? '').includes('text/markdown')
    ? markdown(copy)
    : html(body, { headers: { 'cache-control': 'public, max-age=60' } });

const map: SiteMap = {
  [START]: naive,
  [`HEAD ${START}`]: { status: 405, headers: { allow: 'GET' }, body: '' },
  '/docs/build': html('<!doctype html><title>Build</title><p>Run the build and wait.</p>'),
  '/docs/deploy': html('<!doctype html><title>Deploy</title><p>Copy the folder to the server.</p>'),
  '/docs/embed/install': html('<!doctype html><title>Install</title><p>Download the archive and unpack it.</p>'),
  '/docs/part/next-steps': html('<p>Read about themes.</p>'),
  '/llms.txt': text(
    [
      '# Gable',
      '',
      'A builder of sites from folders of notes.',
      '',
      '## Docs',
      '',
      '- [Start](/docs/start)',
      '- [Build](/docs/build)',
      '- [Old manual](/docs/manual-7)',
      '- [Older manual](/docs/manual-6)',
      '- [Themes](https://themes.example.net/gable): a collection by a friend',
      '- [Forum](https://forum.example.org/gable): where users help each other',
      '- [Wiki](https://wiki.example.org/gable)',
      '- [Chat](https://chat.example.net/gable)',
      '',
    ].join('\n'),
    {
      headers: {
        'cache-control': 'public, max-age=2592000',
        'access-control-allow-origin': 'https://gable.example',
        'access-control-allow-credentials': 'true',
      },
    },
  ),
  '/llms-full.txt': html(body),
  '/AGENTS.md': markdown('# Notes\n\nTo be written.\n'),
  '/robots.txt': text('User-agent: *\nDisallow: /docs/*.md\nDisallow: /llms.txt\n'),
  '/.well-known/tdmrep.json': text('{"location": "/", "tdm-reservation": "yes"}', {
    headers: { 'content-type': 'application/json' },
  }),
  '/.well-known/security.txt': text('Contact: mailto:security@acme.example\nExpires: 2024-01-01T00:00:00Z\n'),
  'https://themes.example.net/gable': html('<!doctype html><title>Themes</title><p>Four themes.</p>'),
  'https://forum.example.org/gable': html('<!doctype html><title>Forum</title><p>Nine threads.</p>'),
  'https://wiki.example.org/gable': notFound,
  'https://chat.example.net/gable': notFound,
};

/** Documentation that falls apart when it is fetched: empty panels, frames, and a Markdown copy of another page. */
export const docsFragmented: TruthSite = {
  name: 'docs in fragments',
  path: START,
  profile: 'docs',
  map,
  truth: planted({
    pass: {
      'aeo.reach.http-200': 'The page answers 200 with text/html.',
      'aeo.robots.fetch': 'robots.txt answers 200 as text/plain.',
      'agent.llms.exists': 'llms.txt answers 200 as text/plain.',
      'agent.llms.content-type': 'The media type is text/plain; charset=utf-8.',
      'agent.llms.h1-first': 'The first line is the only H1.',
      'agent.llms.sections': 'One H2 section holds a list of links.',
      'agent.llms.size': 'llms.txt has less than 1,000 characters.',
      'agent.md.negotiation': 'Accept: text/markdown gets Markdown, text/html gets HTML.',
    },
    partial: {
      'agent.llms.summary': 'A plain paragraph stands between H1 and H2.',
      'agent.md.alternate-link': 'A Markdown variant is there, and no link names it.',
      'agent.http.head': 'HEAD answers 405.',
    },
    fail: {
      'aeo.robots.discovery-files-allowed': 'llms.txt is there and disallowed.',
      'geo.parity.markdown-content': 'The Markdown copy is that of another page.',
      'agent.llms.links-described': 'Two of eight links carry a note.',
      'agent.llms.links-resolve': 'Four of the eight links answer 404.',
      'agent.llms.links-text': 'Most of the pages that resolve have fewer than 60 words.',
      'agent.llms.coverage': 'llms.txt lists one of five other pages of the navigation.',
      'agent.llms.full': '/llms-full.txt answers with HTML.',
      'agent.md.vary': 'Neither answer says Vary: Accept.',
      'agent.md.q-values': 'text/markdown;q=0 gets Markdown.',
      'agent.md.size-win': 'The copy is longer than the HTML.',
      'agent.md.valid': 'An open fence, many raw tags and seven menu lines before the heading.',
      'agent.md.links-portable': 'All links of the copy are relative to its folder.',
      'agent.http.conditional': 'There is neither ETag nor Last-Modified.',
      'agent.http.cache': 'llms.txt may be kept for 30 days.',
      'agent.http.cors': 'llms.txt allows one origin, with credentials.',
      'agent.prefs.tdmrep': 'tdmrep.json is an object with the reservation "yes".',
      'agent.docs.code-language': 'One of three code blocks names its language.',
      'agent.docs.tabs': 'The second of two tab panels is empty.',
      'agent.docs.single-fetch': 'The install section is an iframe, the next steps come by hx-get.',
      'agent.sec.security-txt': 'security.txt expired in 2024.',
    },
    not_applicable: {
      'agent.md.canonical': 'The copy shares the address of its page.',
      'agent.md.suffix': 'Negotiation works, and no alternate link names a copy.',
      'agent.api.openapi-found': 'Nothing speaks of an API.',
    },
  }),
};
