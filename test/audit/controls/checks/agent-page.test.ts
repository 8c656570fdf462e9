import { AGENT_TABLE, page, words } from '../../../support/audit/agent-site.ts';
import {
  failure,
  html,
  json,
  markdown,
  type SiteAnswer,
  type SiteMap,
  text,
} from '../../../support/audit/site-fetch.ts';
import { type Row, testChecks } from '../../../support/audit/judge-check.ts';

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

const rows: Readonly<Record<string, readonly Row<SiteMap>[]>> = {
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
  'agent.ui.form-labels': [
    [
      'labelled fields pass',
      {
        '/': page(
          '<label for="a">A</label><input id="a"><label>B <select></select></label><textarea aria-label="C"></textarea>',
        ),
      },
      'pass',
      /3 of 3/,
    ],
    [
      'a placeholder counts in part',
      { '/': page('<input aria-label="A"><input placeholder="B">') },
      'partial',
      /1 of 2 fields have a name, 1 only/,
    ],
    ['nameless fields fail', { '/': page('<input><input>') }, 'fail', /0 of 2/],
    [
      'hidden fields and buttons are no fields',
      { '/': page('<input type="hidden"><input type="submit"><button>x</button>') },
      'not_applicable',
      /no form fields/,
    ],
    ['no fields are not applicable', { '/': page('<p>x</p>') }, 'not_applicable', /no form fields/],
    ['a start page that is no HTML is unknown', { '/': json({}) }, 'unknown', /not_html/],
  ],
  'agent.ui.control-names': [
    [
      'named buttons and links pass',
      { '/': page('<button>Go</button><a href="/x">X</a><input type="submit"><a href="/y"><img alt="Y"></a>') },
      'pass',
      /100% of 4/,
    ],
    [
      'one nameless of ten is partial',
      { '/': page(`${'<a href="/x">X</a>'.repeat(9)}<button></button>`) },
      'partial',
      /90% of 10/,
    ],
    ['nameless ones fail', { '/': page('<a href="/x"><svg></svg></a><button></button>') }, 'fail', /0% of 2/],
    ['an image button without alt fails', { '/': page('<input type="image">') }, 'fail', /0% of 1/],
    ['hidden ones do not count', { '/': page('<a href="/x" hidden></a>') }, 'not_applicable', /no buttons/],
    ['a page without either is not applicable', { '/': page('<p>x</p>') }, 'not_applicable', /no buttons/],
  ],
};

testChecks(rows, AGENT_TABLE);
