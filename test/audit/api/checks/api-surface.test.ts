import { describe, expect, test } from 'vitest';
import { openApi } from '../../../support/audit/agent-site.ts';
import {
  failure,
  html,
  json,
  notFound,
  SITE,
  type SiteAnswer,
  type SiteMap,
  text,
} from '../../../support/audit/site-fetch.ts';
import { api, CATALOG, HOME, linkset, listed, operation } from '../../../support/audit/api-pages.ts';
import { auditCheck, testCheck, testChecks } from '../../../support/audit/judge-check.ts';

/** Answers for any path below the folder of the API. */
const below = (answer: SiteAnswer): { catchAll: SiteAnswer } => ({
  catchAll: (request) => (new URL(request.url).pathname.startsWith('/v1/') ? answer : notFound),
});

const problem = (status = 404): SiteAnswer => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: '{"type":"about:blank","title":"Not found","status":404}',
});

testChecks({
  'agent.api.catalog': [
    ['a sound catalog passes', api(openApi(), { [CATALOG]: linkset(listed()) }), 'pass', /1 API .* 1 target/],
    [
      'a profile parameter is optional',
      api(openApi(), {
        [CATALOG]: linkset(listed(), 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'),
      }),
      'pass',
      /1 API/,
    ],
    [
      'a list of items passes',
      { '/': HOME, [CATALOG]: linkset({ linkset: [{ anchor: `${SITE}/`, item: [{ href: '/v1' }] }] }) },
      'pass',
      /1 API .* 0 targets/,
    ],
    [
      'another media type is partial',
      api(openApi(), { [CATALOG]: linkset(listed(), 'application/json') }),
      'partial',
      /not served as/,
      { value: 0.5 },
    ],
    ['an API without a catalog is partial', api(openApi()), 'partial', /no catalog/, { value: 0.5 }],
    ['no API is not applicable', { '/': HOME }, 'not_applicable', /Nothing on the site/],
    [
      'a missing anchor fails',
      api(openApi(), { [CATALOG]: linkset(listed({ anchor: undefined })) }),
      'fail',
      /1 fault/,
    ],
    [
      'an API without links fails',
      { '/': HOME, [CATALOG]: linkset({ linkset: [{ anchor: `${SITE}/v1` }] }) },
      'fail',
      /1 fault/,
    ],
    [
      'a dead target fails',
      { '/': HOME, [CATALOG]: linkset(listed({ 'service-desc': [], 'service-doc': [{ href: '/manual' }] })) },
      'fail',
      /1 fault/,
    ],
    ['an empty linkset fails', { '/': HOME, [CATALOG]: linkset({ linkset: [] }) }, 'fail', /1 fault/],
    ['JSON of another kind fails', { '/': HOME, [CATALOG]: linkset({ apis: [] }) }, 'fail', /another kind/],
    [
      'a target that times out counts neither way',
      {
        '/': HOME,
        [CATALOG]: linkset(listed({ 'service-desc': [], status: [{ href: '/health' }] })),
        '/health': failure('timeout'),
      },
      'pass',
      /0 targets/,
    ],
    ['a timeout is unknown', { '/': HOME, [CATALOG]: failure('timeout') }, 'unknown', /could not be read/],
  ],
});

describe('agent.http.errors-machine', () => {
  const id = 'agent.http.errors-machine';
  const described = api(operation({}));

  testCheck<SiteMap>(id, [
    ['a problem document passes', described, 'pass', /problem document/, below(problem())],
    [
      'its members suffice',
      described,
      'pass',
      /problem document/,
      below(json({ title: 'Not found', status: 404 }, { status: 404 })),
    ],
    ['a 401 with a problem is an error too', described, 'pass', /401/, below(problem(401))],
    [
      'other JSON is partial',
      described,
      'partial',
      /no problem document/,
      { ...below(json({ error: 'not found' }, { status: 404 })), value: 0.5 },
    ],
    ['HTML fails', described, 'fail', /page of HTML/, below(html('<!doctype html><p>x', { status: 404 }))],
    ['plain text fails', described, 'fail', /no JSON/, below(text('no', { status: 404 }))],
    ['200 for a path that does not exist fails', described, 'fail', /answered 200/, below(json({ ok: true }))],
    [
      '403 with HTML may be meant for us',
      described,
      'unknown',
      /403/,
      below(html('<!doctype html>x', { status: 403 })),
    ],
    ['429 is unknown', described, 'unknown', /429/, below(json({}, { status: 429 }))],
    ['500 is unknown', described, 'unknown', /500/, below(json({}, { status: 500 }))],
    ['a timeout is unknown', described, 'unknown', /timeout/, below(failure('timeout'))],
  ]);

  testCheck<SiteMap>(id, [
    ['no API is not applicable', { '/': HOME }, 'not_applicable', /describes no API/],
    [
      'an API of another owner is not asked',
      api(operation({}, { servers: [{ url: 'https://api.other.example' }] })),
      'unknown',
      /another owner/,
    ],
    [
      'a description that times out is unknown',
      { '/': HOME, '/openapi.json': failure('timeout') },
      'unknown',
      /could not be seen/,
    ],
  ]);

  test('F4: the path is asked with GET, below the folder that the operations share, the same at every audit', async () => {
    const asked = async (): Promise<readonly string[]> => {
      const { requests } = await auditCheck(id, described, below(problem()));
      return requests.filter(({ url }) => url.includes('/v1/')).map(({ method = 'GET', url }) => `${method} ${url}`);
    };
    expect(await asked()).toEqual([expect.stringMatching(/^GET https:\/\/acme\.example\/v1\/[0-9a-f]{32}$/)]);
    expect(await asked()).toEqual(await asked());
  });

  test.each([
    [{ '/a/b': { get: {} }, '/c': { get: {} } }, '/'],
    [{ '/a/{id}/b': { get: {} } }, '/a/'],
    [{ '/a/b/c': { get: {} }, '/a/b/d': { get: {} } }, '/a/b/'],
    [{ '/../../x': { get: {} } }, '/'],
  ])('operations %j share the folder %s', async (paths, folder) => {
    const { requests } = await auditCheck(id, api(openApi({ paths, servers: [{ url: `${SITE}/api/` }] })));
    const probe = requests.find(({ url }) => /\/[0-9a-f]{32}$/.test(url) && url.includes('/api/'));
    expect(probe?.url.replace(/[0-9a-f]{32}$/, '')).toBe(`${SITE}/api${folder}`);
  });
});
