import { AGENT_TABLE, COPIED_MARKDOWN, COPIED_PAGE, negotiatedCopy, words } from '../../../support/audit/agent-site.ts';
import {
  byAccept,
  failure,
  html,
  json,
  markdown,
  type SiteAnswer,
  type SiteMap,
  text,
} from '../../../support/audit/site-fetch.ts';
import { testChecks } from '../../../support/audit/judge-check.ts';

const PAGE = `<!doctype html><html><head><title>A</title></head><body><p>${words(80)}</p></body></html>`;

const COPY = `# Acme\n\n${words(80)}`;

/** A start page that answers requests that prefer Markdown with `agent`, all others with `browser`. */
const start = (agent: SiteAnswer, browser: SiteAnswer): SiteMap => ({
  '/': (request) => ((request.headers?.['accept'] ?? '').startsWith('text/markdown') ? agent : browser),
});

const vary = (value: string): { headers: Readonly<Record<string, string>> } => ({ headers: { vary: value } });

const cached = (value: string): { headers: Readonly<Record<string, string>> } => ({
  headers: { 'cache-control': value },
});

testChecks<SiteMap>(
  {
    'agent.md.negotiation': [
      ['Markdown for agents and HTML for browsers passes', {}, 'pass', /HTML for browsers/],
      [
        'Markdown for everybody is partial',
        start(markdown(COPY), markdown(COPY)),
        'partial',
        /Browsers get Markdown too/,
      ],
      ['HTML for everybody fails', { '/': html(PAGE) }, 'fail', /same kind/],
      ['HTML that calls itself Markdown fails', start(markdown(PAGE), html(PAGE)), 'fail', /calls itself Markdown/],
      ['an empty Markdown answer fails', start(markdown(''), html(PAGE)), 'fail', /calls itself Markdown/],
      ['a 406 fails', start(text('no', { status: 406 }), html(PAGE)), 'fail', /refused/],
      ['plain text fails', start(text(COPY), html(PAGE)), 'fail', /same kind/],
      ['a start page of another kind is not applicable', { '/': json({ a: 1 }) }, 'not_applicable', /neither HTML/],
      ['a request that is blocked is unknown', start(text('no', { status: 403 }), html(PAGE)), 'unknown', /http_403/],
      ['a request that times out is unknown', start(failure('timeout'), html(PAGE)), 'unknown', /timeout/],
    ],
    'agent.md.vary': [
      ['Vary: Accept on both passes', {}, 'pass', /vary on Accept/],
      [
        'answers no cache may store pass',
        start(markdown(COPY, cached('no-store')), html(PAGE, cached('private, max-age=0'))),
        'pass',
        /shared cache/,
      ],
      ['Vary: Accept on one is partial', start(markdown(COPY, vary('Accept')), html(PAGE)), 'partial', /HTML answer/],
      [
        'Vary: Accept-Encoding is not enough',
        start(markdown(COPY, vary('Accept-Encoding')), html(PAGE, vary('accept-encoding'))),
        'fail',
        /Neither/,
      ],
      ['no negotiation is not applicable', { '/': html(PAGE) }, 'not_applicable', /does not negotiate/],
    ],
  },
  AGENT_TABLE,
);

const careful = byAccept({ 'q=0.1': COPIED_PAGE, 'text/markdown': markdown(COPIED_MARKDOWN) }, COPIED_PAGE);

testChecks({
  'agent.md.q-values': [
    ['a server that compares weights passes', { '/': careful }, 'pass', /gets HTML/],
    ['a server that looks for the word fails', { '/': negotiatedCopy() }, 'fail', /does not get HTML/],
    [
      'a server that refuses such a request fails',
      {
        '/': byAccept(
          { 'q=0.1': text('no', { status: 406 }), 'text/markdown': markdown(COPIED_MARKDOWN) },
          COPIED_PAGE,
        ),
      },
      'fail',
      /refused/,
    ],
    ['a page without Markdown is not applicable', { '/': COPIED_PAGE }, 'not_applicable', /does not negotiate/],
    [
      'a page that is always Markdown is not applicable',
      { '/': markdown(COPIED_MARKDOWN) },
      'not_applicable',
      /does not negotiate/,
    ],
    [
      'an answer that never comes is unknown',
      { '/': byAccept({ 'q=0.1': failure('timeout'), 'text/markdown': markdown(COPIED_MARKDOWN) }, COPIED_PAGE) },
      'unknown',
      /timeout/,
    ],
    [
      'a 429 is unknown',
      {
        '/': byAccept(
          { 'q=0.1': text('slow', { status: 429 }), 'text/markdown': markdown(COPIED_MARKDOWN) },
          COPIED_PAGE,
        ),
      },
      'unknown',
      /http_429/,
    ],
  ],
});
