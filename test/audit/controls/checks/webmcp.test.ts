import { describe, expect, test } from 'vitest';
import { gatherSite } from '../../../../src/audit/core/gather.ts';
import { artifacts } from '../../../../src/audit/core/artifacts.ts';
import { planOf } from '../../../support/audit/planned.ts';
import { CLOCK_MS } from '../../../support/audit/audit.ts';
import { failure, html, notFound, SITE, siteFetch, type SiteMap, text } from '../../../support/audit/site-fetch.ts';
import { type Row, testCheck, testChecks } from '../../../support/audit/judge-check.ts';
import { pageOf } from '../../../support/audit/pages.ts';

const FIELD = '<label for="q">Words</label><input id="q" name="q">';

const tool = (attributes: string, fields = FIELD): string => `<form ${attributes}>${fields}<button>Go</button></form>`;

const GOOD = 'toolname="find_lamps" tooldescription="Finds lamps by words."';

const rows: readonly Row<string>[] = [
  ['a named, described tool with a labelled field passes', tool(GOOD), 'pass', /1 of 1 form/],
  ['a described field passes', tool(GOOD, '<input name="q" toolparamdescription="Words">'), 'pass', /1 of 1/],
  [
    'hidden and submit inputs need no description',
    tool(GOOD, '<input type="hidden"><input type="submit">'),
    'pass',
    /1 of 1/,
  ],
  [
    'a field without description is partial',
    tool(GOOD, '<input name="q">'),
    'partial',
    /1 form with a fault/,
    { value: 0.75 },
  ],
  [
    'a field without a name is partial',
    tool(GOOD, '<input aria-label="Words">'),
    'partial',
    /1 form with/,
    { value: 0.75 },
  ],
  [
    'made-up attributes beside it are partial',
    tool(`${GOOD} data-mcp="x"`),
    'partial',
    /1 form with a fault/,
    { value: 0.75 },
  ],
  ['a name with spaces fails', tool('toolname="find lamps" tooldescription="x"'), 'fail', /0 of 1/],
  ['a name of 129 characters fails', tool(`toolname="${'a'.repeat(129)}" tooldescription="x"`), 'fail', /0 of 1/],
  ['two forms of one name fail', tool(GOOD) + tool(GOOD), 'fail', /0 of 2/],
  ['no description fails', tool('toolname="find"'), 'fail', /0 of 1/],
  ['no name fails', tool('tooldescription="Finds"'), 'fail', /0 of 1/],
  ['made-up attributes alone fail', tool('tool-name="find" tool-description="x"'), 'fail', /0 of 1/],
  ['one good form of two is partial', tool(GOOD) + tool('toolname="b"'), 'partial', /1 of 2/, { value: 0.875 }],
  ['forms without tools are not applicable', tool('action="/s"'), 'not_applicable', /none has to/],
];

const script = (code: string): string => `<script>${code}</script>`;

const file = (path: string): string => `<script src="${path}"></script>`;

const REGISTERS = text('document.modelContext.registerTool({})');

const ONLY = ['page', 'scriptFiles'] as const;

const withFiles = (body: string, files: SiteMap = {}): SiteMap => ({ '/': html(pageOf(body)), ...files });

const found: readonly Row<SiteMap>[] = [
  ['an inline script is found', withFiles(script('document.modelContext.registerTool({})')), 'pass', /names document/],
  ['a script file is found', withFiles(file('/a.js'), { '/a.js': REGISTERS }), 'pass', /only a browser can tell/],
  [
    'the third file is not read',
    withFiles(['/a', '/b', '/c'].map(file).join(''), { '/a': text(''), '/b': text(''), '/c': REGISTERS }),
    'not_applicable',
    /2 of 3/,
  ],
  [
    'a file that is called so is read first',
    withFiles(['/a', '/b', '/webmcp.js'].map(file).join(''), { '/a': text(''), '/webmcp.js': REGISTERS }),
    'pass',
    /document/,
  ],
  [
    'the name that browsers removed fails',
    withFiles(script('navigator.modelContext.provideContext()')),
    'fail',
    /removed in July 2026/,
  ],
  ['both names pass', withFiles(script('navigator.modelContext || document.modelContext')), 'pass', /document/],
  ['a script of another origin is not read', withFiles(file('https://cdn.example/a.js')), 'not_applicable', /0 of 0/],
  ['a missing file was read', withFiles(file('/a.js'), { '/a.js': notFound }), 'not_applicable', /1 of 1/],
  [
    'an error page is no script',
    withFiles(file('/a.js'), { '/a.js': text('document.modelContext', { status: 404 }) }),
    'not_applicable',
    /1 of 1/,
  ],
  [
    'a file without an answer is unknown',
    withFiles(file('/a.js'), { '/a.js': failure('timeout') }),
    'unknown',
    /Only 0 of 1/,
  ],
  [
    'a page without scripts is not applicable',
    withFiles('<p>document.modelContext</p>'),
    'not_applicable',
    /no scripts/,
  ],
];

testChecks(
  {
    'agent.webmcp.forms': rows,
  },
  { site: pageOf, seen: 200 },
);

describe('agent.webmcp.script', () => {
  testCheck('agent.webmcp.script', found);

  test('at most two files are asked for, of half a MiB each, and each once', async () => {
    const fetch = siteFetch({ '/': html(pageOf(['/a', '/a#x', '/b', '/c'].map(file).join(''))) });
    await gatherSite(`${SITE}/`, { fetch, clockMs: CLOCK_MS, only: ONLY });
    expect(fetch.requests.slice(1).map(({ url, maxBytes }) => [url, maxBytes])).toEqual([
      [`${SITE}/a`, 524_288],
      [`${SITE}/b`, 524_288],
    ]);
    expect(artifacts.scriptFiles.gather.scriptFiles).toMatchObject({ wave: 'last', atMost: 2 });
  });

  test('none is asked for when the budget of requests is used up', async () => {
    const fetch = siteFetch({ '/': html(pageOf(file('/a') + file('/b'))) });
    const snapshot = await gatherSite(`${SITE}/`, { fetch, clockMs: CLOCK_MS, only: ['page'] });
    const page = snapshot.exchanges[0];
    if (!page) throw new Error('no page');
    const wanted = await planOf('scriptFiles', {
      start: new URL(SITE),
      clockMs: CLOCK_MS,
      maxPages: 1,
      room: () => 0,
      find: () => undefined,
      read: () => Promise.resolve(page),
    });
    expect(wanted.map(({ role, ifRoom }) => [role, ifRoom])).toEqual([
      ['page-script:0', true],
      ['page-script:1', true],
    ]);
  });
});
