import { describe, expect, test } from 'vitest';
import { openApi, SHELL } from '../../../support/audit/agent-site.ts';
import { failure, json, notFound, redirect, SITE, type SiteMap } from '../../../support/audit/site-fetch.ts';
import { budgetFor } from '../../../support/runner/budget.ts';
import { a2aCardAt, api, CARD, CATALOG, HOME, linkset, listed, operation } from '../../../support/audit/api-pages.ts';
import { auditCheck, judgeCheck, testChecks } from '../../../support/audit/judge-check.ts';

const told = { schema: { type: 'string' }, description: 'Which anvil' };

const ok = { description: 'Anvils', content: { 'application/json': { schema: { type: 'array' } } } };

const parameter = (members: object): object => ({ name: 'q', in: 'query', ...members });

const schemes = { components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-key' } } } };

testChecks({
  'agent.api.described-params': [
    [
      'schema and description of everything pass',
      api(operation({ parameters: [parameter(told)], responses: { 200: ok } })),
      'pass',
      /100% of 2 parts/,
    ],
    [
      'a body whose properties are described passes',
      api(
        operation({
          requestBody: {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { a: { type: 'string', description: 'A' }, b: { type: 'string' }, c: told },
                },
              },
            },
          },
        }),
      ),
      'pass',
      /1 part/,
    ],
    [
      'a referenced parameter is followed',
      api(
        operation(
          { parameters: [{ $ref: '#/components/parameters/q' }] },
          { components: { parameters: { q: parameter(told) } } },
        ),
      ),
      'pass',
      /100% of 1 part/,
    ],
    ['a 204 needs no schema', api(operation({ responses: { 204: { description: 'Done' } } })), 'pass', /100% of 1/],
    [
      'text needs no schema',
      api(operation({ responses: { 200: { description: 'CSV', content: { 'text/csv': {} } } } })),
      'pass',
      /100% of 1/,
    ],
    [
      'Swagger 2.0 is read too',
      api({
        swagger: '2.0',
        info: { title: 'A', version: '1' },
        paths: {
          '/a': {
            get: {
              parameters: [{ name: 'q', in: 'query', type: 'string', description: 'Q' }],
              responses: { 200: { description: 'A', schema: {} } },
            },
          },
        },
      }),
      'pass',
      /100% of 2/,
    ],
    [
      'half without a description is partial',
      api(operation({ parameters: [parameter(told), parameter({ schema: {} })] })),
      'partial',
      /50% of 2/,
      { value: 0.5 },
    ],
    ['a bare name fails', api(operation({ parameters: [parameter({})] })), 'fail', /0% of 1/],
    [
      'a JSON answer without a schema fails',
      api(operation({ responses: { 200: { description: 'Anvils', content: { 'application/json': {} } } } })),
      'fail',
      /0% of 1/,
    ],
    [
      'a document without operations is not applicable',
      api(openApi({ paths: {} })),
      'not_applicable',
      /nothing of the kind/,
    ],
    ['no document is not applicable', { '/': HOME }, 'not_applicable', /No OpenAPI/],
    [
      'a document that times out is unknown',
      { '/': HOME, '/openapi.json': failure('timeout') },
      'unknown',
      /is not known/,
    ],
  ],
  'agent.api.errors-examples': [
    [
      'a 4xx and an example pass',
      api(operation({ parameters: [parameter({ example: 'x' })], responses: { '4XX': {} } })),
      'pass',
      /100% of 1 operation/,
    ],
    [
      'an example behind references passes',
      api(
        operation(
          {
            responses: {
              200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/a' } } } },
              404: {},
            },
          },
          { components: { schemas: { a: { properties: { b: { examples: ['x'] } } } } } },
        ),
      ),
      'pass',
      /100%/,
    ],
    [
      'half of the operations pass',
      api(openApi({ paths: { '/a': { get: { responses: { default: {} }, parameters: [{ example: 1 }] }, put: {} } } })),
      'pass',
      /50% of 2/,
    ],
    [
      'a third is partial',
      api(
        openApi({
          paths: { '/a': { get: { responses: { 404: {} }, parameters: [{ example: 1 }] }, put: {}, post: {} } },
        }),
      ),
      'partial',
      /33.3%/,
      { value: 0.333 },
    ],
    ['an error without an example fails', api(operation({ responses: { 404: {} } })), 'fail', /0%/],
    [
      'a property called example is none',
      api(
        operation({
          responses: {
            404: { content: { 'application/json': { schema: { properties: { example: { type: 'string' } } } } } },
          },
        }),
      ),
      'fail',
      /0%/,
    ],
    [
      'an example without an error fails',
      api(operation({ parameters: [parameter({ example: 1 })], responses: { 200: {} } })),
      'fail',
      /0%/,
    ],
    ['no document is not applicable', { '/': HOME }, 'not_applicable', /No OpenAPI/],
  ],
  'agent.api.security-declared': [
    [
      'a scheme that is asked for passes',
      api(operation({}, { ...schemes, security: [{ key: [] }] })),
      'pass',
      /1 scheme/,
    ],
    ['a scheme of one operation passes', api(operation({ security: [{ key: [] }] }, schemes)), 'pass', /1 scheme/],
    [
      'definitions of Swagger 2.0 pass',
      api({
        swagger: '2.0',
        info: { title: 'A', version: '1' },
        securityDefinitions: { basic: { type: 'basic' } },
        security: [{ basic: [] }],
        paths: { '/a': { get: { responses: {} } } },
      }),
      'pass',
      /1 scheme/,
    ],
    ['an open API that says so passes', api(operation({}, { security: [] })), 'pass', /no credential/],
    ['an operation that says so passes', api(operation({ security: [] })), 'pass', /no credential/],
    ['silence is partial', api(operation({})), 'partial', /does not say/, { value: 0.5 }],
    [
      'schemes that nobody asks for are partial',
      api(operation({}, schemes)),
      'partial',
      /no operation asks/,
      { value: 0.5 },
    ],
    ['a documented 401 without a scheme fails', api(operation({ responses: { 401: {} } })), 'fail', /401/],
    [
      'a scheme that is nowhere defined fails',
      api(operation({}, { security: [{ other: [] }] })),
      'fail',
      /defined nowhere/,
    ],
    ['a document without operations is not applicable', api(openApi({ paths: {} })), 'not_applicable', /no operations/],
    ['no document is not applicable', { '/': HOME }, 'not_applicable', /No OpenAPI/],
  ],
  'agent.api.servers': [
    ['the own origin passes', api(openApi({ servers: [{ url: SITE }] })), 'pass', /1 of 1 server/],
    ['a relative address passes', api(openApi({ servers: [{ url: '/v1' }] })), 'pass', /1 of 1/],
    ['no servers mean the root, which passes', api(openApi()), 'pass', /1 of 1/],
    [
      'another host that answers 404 passes',
      api(openApi({ servers: [{ url: 'https://api.acme.example/v1' }] }), { 'https://api.acme.example/v1': notFound }),
      'pass',
      /1 of 1/,
    ],
    [
      'variables with defaults pass',
      api(openApi({ servers: [{ url: 'https://{h}/v1', variables: { h: { default: 'acme.example' } } }] })),
      'pass',
      /1 of 1/,
    ],
    [
      'another host that nobody answers for fails',
      api(openApi({ servers: [{ url: 'https://api.acme.example/v1' }] })),
      'fail',
      /0 of 1/,
    ],
    ['http fails', api(openApi({ servers: [{ url: 'http://acme.example' }] })), 'fail', /0 of 1/],
    ['localhost fails', api(openApi({ servers: [{ url: 'https://localhost:3000' }] })), 'fail', /0 of 1/],
    ['a placeholder fails', api(openApi({ servers: [{ url: 'https://api.example.com' }] })), 'fail', /0 of 1/],
    [
      'a variable without a default fails',
      api(openApi({ servers: [{ url: 'https://{region}.acme.example' }] })),
      'fail',
      /0 of 1/,
    ],
    [
      'one of two is partial',
      api(openApi({ servers: [{ url: SITE }, { url: 'http://localhost' }] })),
      'partial',
      /1 of 2/,
      { value: 0.5 },
    ],
    [
      'a host that times out is unknown',
      api(openApi({ servers: [{ url: 'https://api.acme.example' }] }), {
        'https://api.acme.example/': failure('timeout'),
      }),
      'unknown',
      /could not be asked/,
    ],
    ['no document is not applicable', { '/': HOME }, 'not_applicable', /No OpenAPI/],
  ],
});

describe('requests to an API', () => {
  test('targets of a catalog are followed at most twice, those that were read not again', async () => {
    const docs = Array.from({ length: 6 }, (_, at) => ({ href: `/doc-${at}` }));
    const { requests } = await auditCheck(
      'agent.api.catalog',
      api(openApi(), { [CATALOG]: linkset(listed({ 'service-doc': docs })) }),
    );
    const paths = requests.map(({ url }) => new URL(url).pathname);
    expect(paths.filter((path) => path.startsWith('/doc-'))).toEqual(['/doc-0', '/doc-1']);
    expect(paths.filter((path) => path === '/openapi.json')).toHaveLength(1);
  });

  test('a private site leads to no stranger', async () => {
    const url = 'http://127.0.0.1:9000/';
    const map: SiteMap = {
      '/': HOME,
      '/openapi.json': json(openApi({ servers: [{ url: 'https://victim.example/' }] })),
      [CATALOG]: linkset({ linkset: [{ anchor: url, 'service-doc': [{ href: 'https://victim.example/doc' }] }] }),
      [CARD]: a2aCardAt('https://victim.example/a2a'),
    };
    for (const id of [
      'agent.api.servers',
      'agent.api.catalog',
      'agent.http.errors-machine',
      'agent.a2a.interface-live',
    ]) {
      const { requests } = await auditCheck(id, map, { at: url });
      expect(requests.filter((request) => request.url.includes('victim'))).toEqual([]);
    }
    expect((await judgeCheck('agent.a2a.interface-live', map, { at: url })).status).toBe('not_applicable');
    expect((await judgeCheck('agent.api.servers', map, { at: url })).status).toBe('pass');
  });

  test('F4: OPTIONS goes to the own domain only', async () => {
    const map: SiteMap = {
      '/': HOME,
      [CARD]: a2aCardAt('https://victim.example/a2a'),
      'https://victim.example/a2a': notFound,
    };
    const { requests, outcome } = await auditCheck('agent.a2a.interface-live', map);
    expect(requests.filter(({ method }) => method === 'OPTIONS')).toEqual([]);
    expect(outcome.status).toBe('fail');
  });

  test('a server that redirects has answered', async () => {
    const map = api(openApi({ servers: [{ url: 'https://api.acme.example/' }] }), {
      'https://api.acme.example/': redirect('https://api.acme.example/v2'),
      'https://api.acme.example/v2': json({}),
    });
    expect((await judgeCheck('agent.api.servers', map)).status).toBe('pass');
  });

  test(
    'a description whose references go in circles, or fan out, is read in bounds',
    { timeout: 120_000 },
    async () => {
      const schemas = Object.fromEntries(
        Array.from({ length: 300 }, (_, at) => [
          `s${at}`,
          {
            properties: Object.fromEntries(
              Array.from({ length: 50 }, (__, to) => [`p${to}`, { $ref: `#/components/schemas/s${(at + to) % 300}` }]),
            ),
          },
        ]),
      );
      const answer = {
        description: 'A',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/s0' } } },
      };
      const paths = Object.fromEntries(
        Array.from({ length: budgetFor(50, 500) }, (_, at) => [`/a${at}`, { get: { responses: { 200: answer } } }]),
      );
      const map = api(openApi({ paths, components: { schemas } }));
      expect(await judgeCheck('agent.api.described-params', map)).toMatchObject({ status: 'pass' });
      expect(await judgeCheck('agent.api.errors-examples', map)).toMatchObject({ status: 'fail' });
    },
  );

  test('a site that answers every path with one page passes none', async () => {
    for (const id of [
      'agent.api.catalog',
      'agent.api.servers',
      'agent.http.errors-machine',
      'agent.a2a.interface-live',
    ])
      expect((await judgeCheck(id, { '/': SHELL }, { catchAll: SHELL })).status).toBe('not_applicable');
  });
});
