import { describe, expect, test } from 'vitest';
import {
  COPIED_MARKDOWN,
  COPIED_PAGE,
  negotiatedCopy,
  page,
  PROSE,
  SHELL,
  words,
} from '../../../support/audit/agent-site.ts';
import {
  byAccept,
  failure,
  html,
  markdown,
  notFound,
  SITE,
  type SiteMap,
  text,
} from '../../../support/audit/site-fetch.ts';
import { auditCheck, judgeCheck, testChecks } from '../../../support/audit/judge-check.ts';

const LINK = '<link rel="alternate" type="text/markdown" href="/acme.md">';

const LINKED = page(`<h1>Acme</h1><p>${PROSE}</p>`, LINK);

/** A page that links its copy at /acme.md. */
const copy = (body: string, extra = {}): SiteMap => ({ '/': LINKED, '/acme.md': markdown(body, extra) });

testChecks({
  'agent.md.suffix': [
    [
      'index.html.md passes',
      { '/': COPIED_PAGE, '/index.html.md': markdown(COPIED_MARKDOWN) },
      'pass',
      /holds its Markdown/,
    ],
    ['index.md passes too', { '/': COPIED_PAGE, '/index.md': markdown(COPIED_MARKDOWN) }, 'pass', /holds its Markdown/],
    [
      'a copy under another type is partial',
      { '/': COPIED_PAGE, '/index.html.md': text(COPIED_MARKDOWN) },
      'partial',
      /not served as/,
      { value: 0.5 },
    ],
    [
      'a page of HTML under .md fails',
      { '/': COPIED_PAGE, '/index.html.md': html('<!doctype html><p>x') },
      'fail',
      /HTML page/,
    ],
    ['no copy fails', { '/': COPIED_PAGE }, 'fail', /at none of the addresses/],
    ['negotiation without a link needs none', { '/': negotiatedCopy() }, 'not_applicable', /answers in Markdown/],
    [
      'a link to the guessable address passes',
      {
        '/': page('x', '<link rel="alternate" type="text/markdown" href="/index.md">'),
        '/index.md': markdown(COPIED_MARKDOWN),
      },
      'pass',
      /holds its Markdown/,
    ],
    ['a link to another address does not make up for it', copy(COPIED_MARKDOWN), 'fail', /at none of the addresses/],
    [
      'a link to another address beside the guessable one passes',
      { ...copy(COPIED_MARKDOWN), '/index.html.md': markdown(COPIED_MARKDOWN) },
      'pass',
      /holds/,
    ],
    [
      'a timeout is unknown',
      { '/': COPIED_PAGE, '/index.html.md': failure('timeout') },
      'unknown',
      /could not be read/,
    ],
    [
      'a refusal is unknown',
      { '/': COPIED_PAGE, '/index.html.md': text('no', { status: 403 }) },
      'unknown',
      /could not be read/,
    ],
  ],
  'agent.md.alternate-link': [
    ['a link that resolves passes', copy(COPIED_MARKDOWN), 'pass', /links its Markdown copy/],
    [
      'a Link header passes',
      {
        '/': html('<!doctype html><p>x', { headers: { link: '</acme.md>; rel="alternate"; type="text/markdown"' } }),
        '/acme.md': markdown(COPIED_MARKDOWN),
      },
      'pass',
      /links its/,
    ],
    ['a dead link fails', { '/': LINKED }, 'fail', /does not hold one/],
    ['a link to HTML fails', { '/': LINKED, '/acme.md': html('<!doctype html><p>x') }, 'fail', /does not hold one/],
    [
      'a link to plain text is partial',
      { '/': LINKED, '/acme.md': text(COPIED_MARKDOWN) },
      'partial',
      /not served as/,
      { value: 0.5 },
    ],
    ['a copy without a link is partial', { '/': negotiatedCopy() }, 'partial', /does not link it/, { value: 0.5 }],
    ['no copy is not applicable', { '/': COPIED_PAGE }, 'not_applicable', /no Markdown copy/],
    [
      'a copy that times out is unknown',
      { '/': LINKED, '/acme.md': failure('timeout') },
      'unknown',
      /could not be read/,
    ],
    [
      'a copy of another owner is not read',
      { '/': page('x', '<link rel="alternate" type="text/markdown" href="https://other.example/a.md">') },
      'unknown',
      /another owner/,
    ],
    [
      'an alternate of another type is no copy',
      { '/': page('x', '<link rel="alternate" type="application/rss+xml" href="/acme.md">') },
      'not_applicable',
      /no Markdown copy/,
    ],
  ],
  'agent.md.canonical': [
    [
      'a Link header that names the page passes',
      copy(COPIED_MARKDOWN, { headers: { link: `<${SITE}/>; rel="canonical"` } }),
      'pass',
      /names the page/,
    ],
    [
      'front matter that names the page passes',
      copy(`---\ncanonical: "${SITE}/"\n---\n${COPIED_MARKDOWN}`),
      'pass',
      /names the page/,
    ],
    ['a copy that names nothing fails', copy(COPIED_MARKDOWN), 'fail', /does not name/],
    [
      'a copy that names itself fails',
      copy(COPIED_MARKDOWN, { headers: { link: '</acme.md>; rel="canonical"' } }),
      'fail',
      /another address/,
    ],
    [
      'a copy at the address of its page needs none',
      { '/': negotiatedCopy() },
      'not_applicable',
      /no address of its own/,
    ],
    ['no copy is not applicable', { '/': COPIED_PAGE }, 'not_applicable', /no Markdown copy/],
  ],
  'agent.md.size-win': [
    ['a copy of less than half passes', copy(COPIED_MARKDOWN), 'pass', /characters of Markdown/],
    ['a copy of two thirds is partial', copy('x'.repeat(1000)), 'partial', /\(6\d(\.\d)?%\)/, { value: 0.5 }],
    ['a copy larger than its page fails', copy(words(400)), 'fail', /characters/],
    ['no copy is not applicable', { '/': COPIED_PAGE }, 'not_applicable', /no Markdown copy/],
    ['a copy larger than we read is unknown', copy('x '.repeat(600_000)), 'unknown', /larger than we read/],
  ],
  'agent.md.valid': [
    ['clean Markdown passes', copy(COPIED_MARKDOWN), 'pass', /Fences close/],
    ['a closed fence passes', copy(`${COPIED_MARKDOWN}\n~~~sh\n<div>\n~~~\n`), 'pass', /Fences close/],
    ['an open fence is partial', copy(`${COPIED_MARKDOWN}\n\`\`\`sh\nls\n`), 'partial', /never closes/, { value: 0.5 }],
    [
      'tags are partial',
      copy(`${COPIED_MARKDOWN}\n<div class="card"><span>hello</span></div>\n`),
      'partial',
      /HTML tags/,
      { value: 0.5 },
    ],
    ['an autolink is no tag', copy(`# A\n\n${'<https://acme.example/a> '.repeat(30)}\n`), 'pass', /Fences close/],
    ['no heading is partial', copy(words(80)), 'partial', /no heading/, { value: 0.5 }],
    ['an underlined heading is one', copy(`Acme\n====\n\n${words(40)}\n`), 'pass', /Fences close/],
    [
      'front matter is no text above the heading',
      copy(`---\n${'a: b\n'.repeat(30)}---\n${COPIED_MARKDOWN}`),
      'pass',
      /Fences close/,
    ],
    [
      'a menu above the heading is partial',
      copy(`${'- [x](/x)\n'.repeat(20)}\n# Acme\n`),
      'partial',
      /21 lines are above/,
      { value: 0.5 },
    ],
    ['two faults fail', copy(`${words(80)}\n\`\`\`\nls\n`), 'fail', /2 faults/],
    ['no copy is not applicable', { '/': COPIED_PAGE }, 'not_applicable', /no Markdown copy/],
  ],
  'agent.md.links-portable': [
    ['absolute and rooted links pass', copy(COPIED_MARKDOWN), 'pass', /2 of 2 links/],
    ['mail and fragments do not count against it', copy('[a](#top) [b](mailto:a@acme.example)'), 'pass', /1 of 1 link/],
    ['one relative link of two is partial', copy('[a](/a) [b](b.md)'), 'partial', /1 of 2/, { value: 0.5 }],
    ['only relative links fail', copy('[a](a.md) and [b][ref]\n\n[ref]: ../b.md\n'), 'fail', /0 of 2/],
    [
      'images and code hold no links',
      copy('![a](a.png) `[b](b.md)`\n\n```\n[c](c.md)\n```\n'),
      'not_applicable',
      /no links/,
    ],
    ['no copy is not applicable', { '/': COPIED_PAGE }, 'not_applicable', /no Markdown copy/],
  ],
});

describe('requests for Markdown', () => {
  test('a page that does not negotiate is not asked by weights', async () => {
    const { requests } = await auditCheck('agent.md.q-values', { '/': COPIED_PAGE });
    expect(requests.filter(({ headers }) => headers?.['accept']?.includes('q=0.1, text/html'))).toEqual([]);
  });

  test('the second form of the address is asked only where the first has no copy', async () => {
    const asked = async (map: SiteMap): Promise<readonly string[]> =>
      (await auditCheck('agent.md.suffix', map)).requests
        .map(({ url }) => new URL(url).pathname)
        .filter((path) => path.endsWith('.md'));
    expect(await asked({ '/': COPIED_PAGE, '/index.html.md': markdown(COPIED_MARKDOWN) })).toEqual(['/index.html.md']);
    expect(await asked({ '/': COPIED_PAGE })).toEqual(['/index.html.md', '/index.md']);
    expect(await asked({ '/': negotiatedCopy() })).toEqual(['/index.html.md']);
  });

  test.each([
    ['/guide', ['/guide.md', '/guide.html.md']],
    ['/guide.html', ['/guide.html.md', '/guide.md']],
    ['/docs/', ['/docs/index.html.md', '/docs/index.md']],
    ['//evil.example/x', ['//evil.example/x.md', '//evil.example/x.html.md']],
  ])('%s has its copies at %j of its own host', async (path, paths) => {
    const { requests } = await auditCheck(
      'agent.md.suffix',
      { [`${SITE}${path}`]: COPIED_PAGE },
      { at: `${SITE}${path}` },
    );
    const asked = requests.map(({ url }) => url).filter((url) => url.endsWith('.md'));
    expect(asked).toEqual(paths.map((one) => `${SITE}${one}`));
  });

  test('a site that answers every path with one page has no copy', async () => {
    const options = { catchAll: SHELL };
    for (const id of ['agent.md.valid', 'agent.md.size-win', 'agent.md.links-portable', 'agent.md.canonical'])
      expect((await judgeCheck(id, { '/': SHELL }, options)).status).toBe('not_applicable');
    expect((await judgeCheck('agent.md.suffix', { '/': SHELL }, options)).status).toBe('fail');
  });

  test('a hostile copy is read in bounds', async () => {
    for (const body of ['['.repeat(300_000), '<'.repeat(300_000), '```\n'.repeat(50_000), '\u0000\u202E[x](\u0001)']) {
      const outcome = await judgeCheck('agent.md.links-portable', copy(body));
      expect(['not_applicable', 'fail', 'partial', 'pass']).toContain(outcome.status);
    }
  });

  test('a page that could not be negotiated leaves the suffix open', async () => {
    const map: SiteMap = {
      '/': byAccept({ 'text/markdown': failure('timeout') }, COPIED_PAGE),
      '/index.html.md': notFound,
    };
    expect((await judgeCheck('agent.md.suffix', map)).status).toBe('unknown');
  });
});
