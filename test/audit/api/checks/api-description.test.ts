import { expect, test } from 'vitest';
import { AGENT_TABLE, judgeAgentSite, openApi, page } from '../../../support/audit/agent-site.ts';
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
import { testChecks } from '../../../support/audit/judge-check.ts';

const without: SiteMap = { '/openapi.json': notFound, '/.well-known/agent-card.json': notFound };

const api = (value: unknown): SiteMap => ({ '/openapi.json': json(value) });

const yaml = (body: string): SiteAnswer => ({ status: 200, headers: { 'content-type': 'application/yaml' }, body });

/** A description whose keys are sorted, so that its version comes after all schemas. */
const lateVersion = (schemas: number): string =>
  [
    'components:',
    '  schemas:',
    ...Array.from(
      { length: schemas },
      (_, at) =>
        `    Thing${at}:\n      description: ${'A thing that the service keeps, with all that is known of it. '.repeat(2)}\n      type: object`,
    ),
    'info: {title: Things, version: "1"}',
    'openapi: 3.0.1',
    'paths:\n  /things:\n    get: {operationId: list, responses: {"200": {description: All}}}\n',
  ].join('\n');

const operation = (members: object): object => openApi({ paths: { '/a': { get: { responses: {}, ...members } } } });

testChecks<SiteMap>(
  {
    'agent.api.openapi-found': [
      ['a JSON document passes', {}, 'pass', /OpenAPI 3.1.0 with 1 operation\./],
      ['Swagger 2.0 passes', api({ swagger: '2.0', info: {}, paths: {} }), 'pass', /Swagger 2.0/],
      [
        'a YAML document passes',
        { ...without, '/openapi.yaml': yaml('openapi: 3.0.3\ninfo: {title: a, version: "1"}\npaths: {}\n') },
        'pass',
        /3.0.3/,
      ],
      ['JSON called text passes', { '/openapi.json': text(JSON.stringify(openApi())) }, 'pass', /3.1.0/],
      [
        'a service-desc link leads to it',
        { ...without, '/': html('<link rel="service-desc" href="/spec">'), '/spec': json(openApi()) },
        'pass',
        /3.1.0/,
      ],
      [
        'a Link header leads to it',
        {
          ...without,
          '/': html('<p>x</p>', { headers: { link: '</spec>; rel="service-desc"' } }),
          '/spec': json(openApi()),
        },
        'pass',
        /3.1.0/,
      ],
      [
        'an API catalog leads to it',
        {
          ...without,
          '/.well-known/api-catalog': json({ linkset: [{ anchor: `${SITE}/`, 'service-desc': [{ href: '/spec' }] }] }),
          '/spec': json(openApi()),
        },
        'pass',
        /3.1.0/,
      ],
      ['no API in sight is not applicable', without, 'not_applicable', /Nothing on the site speaks of an API/],
      [
        'a bare link to docs speaks of no API',
        { ...without, '/': page('<a href="/docs">Docs</a>') },
        'not_applicable',
        /Nothing/,
      ],
      [
        'a link to an API without a description fails',
        { ...without, '/': page('<a href="/developers/">Developers</a>') },
        'fail',
        /a link of the start page speaks/,
      ],
      ['a card without a description fails', { '/openapi.json': notFound }, 'fail', /an agent card/],
      ['JSON of another kind is none', { ...without, ...api({ error: 'not found' }) }, 'not_applicable', /Nothing/],
      [
        'an HTML page is none',
        { ...without, '/openapi.json': html('<!doctype html><p>openapi: 3.1.0</p>') },
        'not_applicable',
        /Nothing/,
      ],
      [
        'a document that cannot be parsed fails',
        { ...without, '/openapi.json': text('{"openapi":"3.1.0",') },
        'fail',
        /no reader can parse/,
      ],
      [
        'a place that times out is unknown',
        { ...without, '/openapi.json': failure('timeout') },
        'unknown',
        /could not be read/,
      ],
      [
        'long YAML whose version comes last passes',
        { ...without, '/openapi.yaml': yaml(lateVersion(1500)) },
        'pass',
        /OpenAPI 3.0.1 with 1 operation\./,
      ],
      [
        'YAML whose version comes late and that cannot be parsed fails',
        { ...without, '/openapi.yaml': yaml(`x: "\n${lateVersion(1500)}`) },
        'fail',
        /no reader can parse/,
      ],
      [
        'YAML beyond our limit is unknown, and says which place and why',
        { ...without, '/openapi.yaml': yaml(lateVersion(20_000)) },
        'unknown',
        /\/openapi\.yaml has over 300000 tokens of YAML\./,
      ],
      [
        'long YAML that is no description is none',
        { ...without, '/openapi.yaml': yaml(lateVersion(20_000).replace(/^openapi:.*$/mu, '')) },
        'not_applicable',
        /Nothing/,
      ],
    ],
    'agent.api.openapi-valid': [
      ['a sound document passes', {}, 'pass', /No structural fault/],
      ['a missing title fails', api(openApi({ info: { version: '1' } })), 'fail', /\/info\/title/],
      [
        'a dangling reference fails',
        api(operation({ requestBody: { $ref: '#/components/x' } })),
        'fail',
        /\/paths\/\*\/get\/.*leads nowhere$/,
      ],
      [
        'an undeclared path parameter fails',
        api(openApi({ paths: { '/a/{b}': { get: {} } } })),
        'fail',
        /a path parameter is not declared/,
      ],
      [
        'a document that cannot be parsed fails',
        { '/openapi.json': text('{"openapi":"3.1.0",') },
        'fail',
        /cannot be parsed/,
      ],
      ['no document is not applicable', without, 'not_applicable', /No OpenAPI description/],
      [
        'a place that times out is unknown',
        { ...without, '/openapi.json': failure('timeout') },
        'unknown',
        /is not known: \/openapi\.json could not be read \(timeout\)/,
      ],
    ],
    'agent.api.operation-ids': [
      ['ids and summaries pass', {}, 'pass', /100% of 1 operation/],
      [
        'two of three are partial',
        api(
          openApi({
            paths: {
              '/a': {
                get: { operationId: 'a', summary: 'a' },
                put: { operationId: 'b', description: 'b' },
                post: { operationId: 'c' },
              },
            },
          }),
        ),
        'partial',
        /66.7%/,
      ],
      ['none fails', api(operation({})), 'fail', /0% of 1/],
      [
        'a document without operations is not applicable',
        api(openApi({ paths: {} })),
        'not_applicable',
        /no operations/,
      ],
      ['no document is not applicable', without, 'not_applicable', /No OpenAPI/],
    ],
  },
  AGENT_TABLE,
);

test('an API profile expects a description even without a link', async () => {
  expect((await judgeAgentSite('agent.api.openapi-found', without, 'api')).status).toBe('fail');
});
