import type { GathererName } from '../../../src/audit/core/artifacts.ts';
import { describe, expect, test } from 'vitest';
import { capabilityFacts, judgeSite } from '../../../src/audit/core/report.ts';
import {
  MAX_AGENT_REQUESTS,
  MAX_LINKS_PER_FOREIGN_SITE,
  MAX_LLMS_LINKS,
} from '../../../src/audit/agent-files/facts/agent-places.ts';
import { gatherSite } from '../../../src/audit/core/gather.ts';
import type { Site } from '../../../src/audit/core/site.ts';
import { agentSite, openApi, page, SHELL } from '../../support/audit/agent-site.ts';
import { CLOCK_MS, snapshotOf } from '../../support/audit/audit.ts';
import {
  failure,
  html,
  json,
  markdown,
  notFound,
  SITE,
  siteFetch,
  type SiteFetch,
  type SiteMap,
} from '../../support/audit/site-fetch.ts';

/** The gatherers of the llms.txt, Markdown and agent-file part, with the two they build on. */
const AGENT_GATHERERS = [
  'page',
  'control',
  'llms',
  'agentDocs',
  'markdown',
  'agentCards',
  'agentFiles',
  'openapi',
  'agentSkills',
  'oldSkillsIndex',
] as const satisfies readonly GathererName[];
const OWN = AGENT_GATHERERS.filter((name) => name !== 'page' && name !== 'control');
const site: Site = {
  start: new URL(`${SITE}/`),
  local: false,
  profile: { name: 'product', rests_on: [], given: true },
  clockMs: CLOCK_MS,
};

/** The requests of this part: all but those for the start page as people see it and for the control path. */
async function requestsOf(map: SiteMap, options: Parameters<typeof siteFetch>[1] = {}): Promise<SiteFetch['requests']> {
  const fetch = siteFetch(map, options);
  const snapshot = await gatherSite(`${SITE}/`, { fetch, clockMs: CLOCK_MS, only: OWN });
  const shared = snapshot.exchanges.filter(({ role }) => role === 'page' || role === 'control');
  expect(shared).toHaveLength(2);
  const isShared = ({ url, headers }: SiteFetch['requests'][number]): boolean =>
    shared.some((exchange) => exchange.url === url && exchange.requestHeaders['accept'] === headers?.['accept']);
  return fetch.requests.filter((request) => !isShared(request));
}

const links = (count: number, base: (at: number) => string): string =>
  `# A\n\n## S\n\n${Array.from({ length: count }, (_, at) => `- [l${at}](${base(at)})`).join('\n')}\n`;
const paidPaths = Object.fromEntries(['/p1', '/p2', '/p3'].map((path) => [path, { get: { responses: { 402: {} } } }]));
const skills = Array.from({ length: 5 }, (_, at) => ({
  name: `s${at}`,
  type: 'skill-md',
  description: 'd',
  url: `/s${at}`,
  digest: `sha256:${'0'.repeat(64)}`,
}));

/** Everything that leads to a request at once: a full llms.txt, a description at the last place, payments and skills. */
const greedy: SiteMap = {
  '/': html('<link rel="service-desc" href="/nothing">'),
  '/llms.txt': markdown(links(100, (at) => `/page-${at}`)),
  '/.well-known/api-catalog': json({ linkset: [{ 'service-desc': [{ href: '/nor-here' }] }] }),
  '/api/openapi.json': json(openApi({ paths: paidPaths })),
  '/.well-known/agent-skills/index.json': json({ skills }),
};

describe('requests', () => {
  test.each<[string, SiteMap, Parameters<typeof siteFetch>[1]]>([
    ['a site with everything', greedy, {}],
    ['a site that answers every path with one page', { '/': SHELL }, { catchAll: SHELL }],
    ['a site of 404s', { '/': page('x') }, {}],
    ['a site that never answers but for its start page', { '/': page('x') }, { catchAll: failure('timeout') }],
  ])('stay within their limit: %s', async (_name, map, options) => {
    expect((await requestsOf(map, options)).length).toBeLessThanOrEqual(MAX_AGENT_REQUESTS);
  });

  test('F4: only GET and HEAD are sent, without a body, a credential or a payment', async () => {
    for (const { method = 'GET', body, headers = {} } of await requestsOf(greedy)) {
      expect(['GET', 'HEAD']).toContain(method);
      expect(body).toBeUndefined();
      expect(Object.keys(headers).filter((name) => name !== 'accept')).toEqual([]);
    }
  });

  test('F4: paid paths are asked with GET on the own origin only, two at most', async () => {
    const own = await requestsOf({ '/': page('x'), '/openapi.json': json(openApi({ paths: paidPaths })) });
    expect(own.map(({ url }) => new URL(url).pathname).filter((path) => path.startsWith('/p'))).toEqual(['/p1', '/p2']);
    const elsewhere = await requestsOf({
      '/': page('x'),
      '/openapi.json': json(openApi({ servers: [{ url: 'https://victim.example' }], paths: paidPaths })),
    });
    expect(elsewhere.filter(({ url }) => url.includes('victim'))).toEqual([]);
  });

  test('F6 and F9: a list of links to a stranger sends it two requests, whatever its subdomains', async () => {
    const map: SiteMap = {
      '/': page('x'),
      '/llms.txt': markdown(links(50, (at) => `https://h${at}.victim.example/${at}`)),
    };
    const asked = (await requestsOf(map)).filter(({ url }) => url.includes('victim'));
    expect(asked).toHaveLength(MAX_LINKS_PER_FOREIGN_SITE);
  });

  test('links are sampled by their hashes, whatever their order in the file', async () => {
    const urls = Array.from({ length: 30 }, (_, at) => `/page-${at}`);
    const sampled = async (list: readonly string[]): Promise<readonly string[]> =>
      (await requestsOf({ '/': page('x'), '/llms.txt': markdown(links(list.length, (at) => list[at] ?? '')) }))
        .map(({ url }) => url)
        .filter((url) => url.includes('/page-'))
        .toSorted();
    expect(await sampled(urls)).toEqual(await sampled(urls.toReversed()));
    expect(await sampled(urls)).toHaveLength(MAX_LLMS_LINKS);
  });

  test('the search for a description ends with the first one', async () => {
    const paths = (
      await requestsOf({
        '/': page('x'),
        '/openapi.yaml': { status: 200, headers: {}, body: 'openapi: 3.1.0\ninfo: {}' },
      })
    ).map(({ url }) => new URL(url).pathname);
    expect(paths).toContain('/openapi.yaml');
    expect(paths).not.toContain('/swagger.json');
  });
});

describe('a site that answers every path with one page', () => {
  test('passes no check of a file', async () => {
    const fetch = siteFetch({ '/': SHELL }, { catchAll: SHELL });
    const snapshot = await gatherSite(`${SITE}/`, { fetch, clockMs: CLOCK_MS, only: AGENT_GATHERERS });
    const passed = judgeSite(snapshot, {}).judged.filter(
      ({ check, outcome }) => check.id.startsWith('agent.') && outcome.status === 'pass',
    );
    expect(passed.map(({ check }) => check.id)).toEqual([]);
  });

  test('passes none either when it is called JSON or text', async () => {
    const catchAll = { ...SHELL, headers: { 'content-type': 'application/json' }, body: '{"ok":true}' };
    const fetch = siteFetch({ '/': page('x') }, { catchAll });
    const snapshot = await gatherSite(`${SITE}/`, { fetch, clockMs: CLOCK_MS, only: AGENT_GATHERERS });
    const passed = judgeSite(snapshot, {}).judged.filter(
      ({ check, outcome }) => check.id.startsWith('agent.') && outcome.status === 'pass',
    );
    expect(passed.map(({ check }) => check.id)).toEqual([]);
  });
});

describe('facts of capabilities', () => {
  test('check_llms_txt tells sections, links and statistics', async () => {
    const facts = capabilityFacts.check_llms_txt?.(await snapshotOf(agentSite, { only: AGENT_GATHERERS }), site);
    expect(facts).toMatchObject({
      llms_txt: {
        state: 'found',
        status: 200,
        title: 'Acme',
        summary: 'Acme makes anvils.',
        sections: [{ title: 'Docs', line: 5, links: 2 }],
        statistics: {
          h2_headings: 1,
          links: 2,
          described_share: 1,
          markdown_share: 0.5,
          token_method: 'characters / 4',
        },
        complete: true,
      },
      llms_full_txt: { state: 'absent', reason: 'status', status: 404 },
    });
    expect(facts?.['sampled_links']).toHaveLength(2);
  });

  test('check_agent_files tells description, manifests and payments', async () => {
    const facts = capabilityFacts.check_agent_files?.(await snapshotOf(agentSite, { only: AGENT_GATHERERS }), site);
    expect(facts).toMatchObject({
      openapi: {
        state: 'found',
        url: `${SITE}/openapi.json`,
        version: '3.1.0',
        operations: 1,
        paid_operations: 0,
        valid: true,
      },
      ai_plugin: { state: 'absent' },
      agent_card: { state: 'found', a2a_version: '1.0', valid: true },
      x402: { state: 'not_seen', offers: [] },
    });
  });

  test('say "unknown" of what could not be read', async () => {
    const snapshot = await snapshotOf(
      {
        '/': page('x'),
        '/llms.txt': failure('timeout'),
        '/openapi.json': failure('timeout'),
        '/.well-known/ai-plugin.json': failure('timeout'),
      },
      { only: AGENT_GATHERERS },
    );
    expect(capabilityFacts.check_llms_txt?.(snapshot, site)).toMatchObject({
      llms_txt: { state: 'unknown', reason: 'timeout' },
    });
    expect(capabilityFacts.check_agent_files?.(snapshot, site)).toMatchObject({
      openapi: { state: 'unknown' },
      ai_plugin: { state: 'unknown' },
    });
  });

  test('survive the trip through JSON', async () => {
    const snapshot = await snapshotOf({ ...agentSite, '/.well-known/agent.json': notFound }, { only: AGENT_GATHERERS });
    for (const name of ['check_llms_txt', 'check_agent_files'] as const) {
      const facts = capabilityFacts[name]?.(snapshot, site);
      expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
    }
  });
});
