import { describe, expect, test, vi } from 'vitest';
import { gatherSite } from '../../../../src/audit/core/gather.ts';
import type { Gather } from '../../../../src/audit/core/artifact.ts';
import { laterGatherers } from '../../../../src/audit/core/artifacts.ts';
import { judgeSite } from '../../../../src/audit/core/report.ts';
import { parseSkill } from '../../../../src/audit/agent-files/facts/skill-files.ts';
import { planOf } from '../../../support/audit/planned.ts';
import { LLMS, page, SHELL, words } from '../../../support/audit/agent-site.ts';
import { CLOCK_MS } from '../../../support/audit/audit.ts';
import {
  failure,
  html,
  json,
  markdown,
  notFound,
  SITE,
  type SiteAnswer,
  siteFetch,
  type SiteMap,
  text,
} from '../../../support/audit/site-fetch.ts';
import { auditCheck, judgeCheck, type Row, testCheck, testChecks } from '../../../support/audit/judge-check.ts';

const HOME = page('<p>Anvils</p>');

const home = (body: string, head = ''): SiteMap => ({ '/': page(body, head) });

const llms = { '/llms.txt': markdown(LLMS) };

const SECURITY = '/.well-known/security.txt';

const contact = 'Contact: mailto:security@acme.example';

const security = (body: string, more: object = {}): SiteMap => ({ '/': HOME, [SECURITY]: text(body, more) });

const UCP = '/.well-known/ucp';

const profile = (ucp: object): SiteMap => ({ '/': HOME, [UCP]: json({ ucp }) });

const ask = (answer: SiteAnswer): SiteMap => ({
  ...home('x', '<link rel="nlweb" href="/ask">'),
  '/ask?query=test&streaming=false': answer,
});

const item = { url: `${SITE}/a`, name: 'A', schema_object: { '@type': 'Product', name: 'A' } };

const rows: Readonly<Record<string, readonly Row[]>> = {
  'agent.llms.advertised': [
    [
      'a described-by link passes',
      { ...home('x', '<link rel="describedby" href="/llms.txt">'), ...llms },
      'pass',
      /describes it/,
    ],
    [
      'a Link header passes',
      { '/': html('<!doctype html><p>x', { headers: { link: '</llms.txt>; rel="describedby"' } }), ...llms },
      'pass',
      /describes it/,
    ],
    [
      'a link for people is partial',
      { ...home('<a href="/llms.txt">llms</a>'), ...llms },
      'partial',
      /link for people/,
      { value: 0.5 },
    ],
    ['a hidden link is none', { ...home('<a hidden href="/llms.txt">llms</a>'), ...llms }, 'fail', /Neither/],
    [
      'a line of robots.txt is partial',
      { '/': HOME, ...llms, '/robots.txt': text('# llms.txt: /llms.txt\n') },
      'partial',
      /robots.txt/,
      { value: 0.5 },
    ],
    [
      'a rule about it is no pointer',
      { '/': HOME, ...llms, '/robots.txt': text('User-agent: *\nAllow: /llms.txt\n') },
      'fail',
      /Neither/,
    ],
    ['silence fails', { '/': HOME, ...llms }, 'fail', /Neither/],
    ['no llms.txt is not applicable', { '/': HOME }, 'not_applicable', /no llms.txt/],
    ['a file that cannot be read is unknown', { '/': HOME, '/llms.txt': failure('timeout') }, 'unknown', /timeout/],
  ],
  'agent.docs.sitemap-md': [
    ['a file is reported', { '/': HOME, '/sitemap.md': markdown('# Pages\n') }, 'pass', /sitemap.md/],
    ['absence is not applicable', { '/': HOME }, 'not_applicable', /none is needed/],
    ['a timeout is unknown', { '/': HOME, '/sitemap.md': failure('timeout') }, 'unknown', /timeout/],
  ],
  'agent.nlweb.ask': [
    ['results of schema.org pass', ask(json({ query_id: '1', results: [item] })), 'pass', /1 of 1 result/],
    [
      'results without items are partial',
      ask(json({ results: [{ url: '/a' }, item] })),
      'partial',
      /1 of 2/,
      { value: 0.5 },
    ],
    ['no results are partial', ask(json({ results: [] })), 'partial', /0 of 0/, { value: 0.5 }],
    ['a page of HTML fails', ask(html('<!doctype html><p>x')), 'fail', /no JSON/],
    ['a dead endpoint fails', ask(notFound), 'fail', /no JSON/],
    ['a refusal is unknown', ask(text('no', { status: 401 })), 'unknown', /did not answer/],
    ['a timeout is unknown', ask(failure('timeout')), 'unknown', /did not answer/],
    [
      'an endpoint of another owner is not asked',
      home('x', '<link rel="nlweb" href="https://other.example/ask">'),
      'unknown',
      /another owner/,
    ],
    ['nothing declared is not applicable', { '/': HOME, '/ask': json({}) }, 'not_applicable', /declares no/],
  ],
  'agent.pay.commerce': [
    ['a profile passes', profile({ version: '2026-04-08', services: { 'dev.ucp.shopping': [] } }), 'pass', /sound/],
    ['a version that is no date fails', profile({ version: '1.0', services: { a: {} } }), 'fail', /version/],
    ['no services fail', profile({ version: '2026-04-08' }), 'fail', /services/],
    ['JSON of another kind fails', { '/': HOME, [UCP]: json({ hello: 1 }) }, 'fail', /another kind/],
    ['absence is not applicable', { '/': HOME }, 'not_applicable', /no commerce profile/],
    ['a timeout is unknown', { '/': HOME, [UCP]: failure('timeout') }, 'unknown', /could not be read/],
  ],
  'agent.sec.security-txt': [
    ['contact and date pass', security(`# us\n${contact}\nExpires: 2027-01-01T00:00:00Z\n`), 'pass', /sound/],
    [
      'a signed file passes',
      security(
        `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n${contact}\nExpires: 2027-01-01T00:00:00+01:00\n-----BEGIN PGP SIGNATURE-----\n`,
      ),
      'pass',
      /sound/,
    ],
    [
      'another media type is partial',
      { '/': HOME, [SECURITY]: markdown(`${contact}\nExpires: 2027-01-01T00:00:00Z\n`) },
      'partial',
      /text\/plain/,
      { value: 0.5 },
    ],
    ['an expired file fails', security(`${contact}\nExpires: 2026-11-20T00:00:00Z\n`), 'fail', /expired/],
    ['no date fails', security(`${contact}\n`), 'fail', /one Expires/],
    [
      'two dates fail',
      security(`${contact}\nExpires: 2027-01-01T00:00:00Z\nExpires: 2028-01-01T00:00:00Z\n`),
      'fail',
      /one Expires/,
    ],
    ['a day without a time fails', security(`${contact}\nExpires: 2027-01-01\n`), 'fail', /one Expires/],
    ['no contact fails', security('Expires: 2027-01-01T00:00:00Z\n'), 'fail', /No Contact/],
    [
      'a contact that is no address fails',
      security('Contact: security@acme.example\nExpires: 2027-01-01T00:00:00Z\n'),
      'fail',
      /No Contact/,
    ],
    ['absence is not applicable', { '/': HOME }, 'not_applicable', /none is needed/],
    [
      'a page of HTML is no file',
      { '/': HOME, [SECURITY]: html('<!doctype html><p>x') },
      'not_applicable',
      /none is needed/,
    ],
    ['a timeout is unknown', { '/': HOME, [SECURITY]: failure('timeout') }, 'unknown', /timeout/],
  ],
  'agent.sec.headers': [
    [
      'all three pass',
      {
        '/': html('<p>x', {
          headers: {
            'strict-transport-security': 'max-age=31536000',
            'x-content-type-options': 'nosniff',
            'content-security-policy': "default-src 'self'",
          },
        }),
      },
      'pass',
      /All 3/,
    ],
    [
      'one of three is partial',
      { '/': html('<p>x', { headers: { 'x-content-type-options': 'nosniff' } }) },
      'partial',
      /strict-transport-security, content/,
      { value: 0.333 },
    ],
    [
      'HSTS of no time is none',
      { '/': html('<p>x', { headers: { 'strict-transport-security': 'max-age=0' } }) },
      'fail',
      /Not set/,
    ],
    ['none fail', { '/': HOME }, 'fail', /Not set/],
  ],
};

testChecks(rows);

describe('agent.docs.agents-md', () => {
  testCheck<SiteMap>(
    'agent.docs.agents-md',
    [
      [
        'two sections pass',
        { '/': HOME, '/AGENTS.md': markdown('# A\n\n## Build\n\nx\n\n## Test\n\ny\n') },
        'pass',
        /2 sections/,
      ],
      [
        'one section is partial',
        { '/': HOME, '/AGENTS.md': markdown('# A\n\n## Build\n') },
        'partial',
        /1 section/,
        { value: 0.5 },
      ],
      ['of documentation absence is not applicable', { '/': HOME }, 'not_applicable', /none is needed/],
      ['of documentation a timeout is unknown', { '/': HOME, '/AGENTS.md': failure('timeout') }, 'unknown', /timeout/],
    ],
    { profile: 'docs' },
  );

  test('of any other site it is not applicable', async () => {
    const outcome = await judgeCheck('agent.docs.agents-md', { '/': HOME, '/AGENTS.md': markdown('# A\n') });
    expect(outcome).toMatchObject({
      status: 'not_applicable',
      note: expect.stringMatching(/no documentation/) as string,
    });
  });
});

test('over http on a private host HSTS is not asked for', async () => {
  const map = {
    '/': html('<p>x', { headers: { 'x-content-type-options': 'nosniff', 'content-security-policy': 'x' } }),
  };
  const outcome = await judgeCheck('agent.sec.headers', map, { at: 'http://127.0.0.1:9000/' });
  expect(outcome).toMatchObject({ status: 'pass', note: 'All 2 headers are set.' });
});

test('a site that answers every path with one page passes no check of a file', async () => {
  const ids = Object.keys(rows).filter((id) => id !== 'agent.sec.headers');
  for (const id of ids)
    expect((await judgeCheck(id, { '/': SHELL }, { catchAll: SHELL })).status).toBe('not_applicable');
});

test('a skill full of hostile front matter is a finding, never an exception', () => {
  const expected = { folder: undefined, listedAs: undefined };
  for (const matter of ['a: &a [*a]', '? {a: b}\n: c', '['.repeat(5_000), '\u0000: x', 'name: {}', '__proto__: 1'])
    expect(parseSkill(`---\n${matter}\n---\nx`, expected).issues.length).toBeGreaterThan(0);
});

describe('the order of requests', () => {
  test('what only informs comes last, the plugin manifest first of it', async () => {
    const fetch = siteFetch({ '/': page(`<p>${words(80)}</p>`), '/robots.txt': text('User-agent: *\nAllow: /\n') });
    await gatherSite(`${SITE}/`, { fetch, clockMs: CLOCK_MS });
    const paths = fetch.requests.map(({ url }) => new URL(url).pathname);
    const reported = [
      '/.well-known/ai-plugin.json',
      '/.well-known/agents.json',
      '/AGENTS.md',
      '/SKILL.md',
      SECURITY,
      UCP,
      '/sitemap.md',
    ];
    expect(paths).toEqual(expect.arrayContaining(reported));
    const first = Math.min(...reported.map((path) => paths.indexOf(path)));
    expect(first).toBeGreaterThan(paths.indexOf('/.well-known/http-message-signatures-directory'));
    expect(laterGatherers.find(({ wave }) => wave === 'last')?.name).toBe('agentFiles');
  });

  test('what counts for a score has its turn before that', () => {
    const mine = [
      'httpBehaviour',
      'apiProbes',
      'a2aInterface',
      'catalogTargets',
      'markdownLast',
      'pricePage',
      'rsl',
      'signatureDirectory',
      'markdownForm',
      'commerceEndpoint',
    ];
    const late = new Set<string>(laterGatherers.flatMap(({ name, wave }) => (wave === 'late' ? [name] : [])));
    expect(mine.filter((name) => !late.has(name))).toEqual([]);
  });

  test.each(['agentFiles', 'agentDocs', 'oldSkillsIndex', 'reportedFiles', 'nlweb'] as const)(
    '%s makes no request when the budget is used up',
    async (name) => {
      const { snapshot } = await auditCheck('agent.sec.headers', ask(json({})));
      const read = vi.fn<Gather['read']>();
      const find: Gather['find'] = (role) => snapshot.exchanges.find((exchange) => exchange.role === role);
      const gather = { start: new URL(`${SITE}/`), clockMs: CLOCK_MS, maxPages: 1, find, read, room: () => 0 };
      const wanted = await planOf(name, gather);
      expect(wanted.length).toBeGreaterThan(0);
      expect(wanted.filter(({ ifRoom }) => ifRoom !== true)).toEqual([]);
      expect(read).not.toHaveBeenCalled();
    },
  );

  test.each(['agent.docs.sitemap-md', 'agent.sec.security-txt', 'agent.docs.agents-md', 'agent.pay.commerce'])(
    '%s is unknown when its request was not made',
    async (id) => {
      const fetch = siteFetch({ '/': HOME });
      const snapshot = await gatherSite(`${SITE}/`, { fetch, clockMs: CLOCK_MS, only: ['page', 'control'] });
      const { judged } = judgeSite(snapshot, { profile: 'docs' });
      const outcome = judged.find(({ check }) => check.id === id)?.outcome;
      expect(outcome).toMatchObject({ status: 'unknown', note: expect.stringMatching(/budget of requests/) as string });
    },
  );
});
