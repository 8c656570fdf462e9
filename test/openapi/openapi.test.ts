import { fixtureTools } from '../support/stack/local-tools.ts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { isAboutSite } from '../../src/capabilities/capability.ts';
import { uncheckedReasons } from '../../src/capabilities/citation-evidence.ts';
import { catalog, formatUsd } from '../../src/capabilities/catalog.ts';
import { toPascalCase } from '../../src/lib/text.ts';
import { listResponseCodes } from '../../src/problems/shared-responses.ts';
import { defineEnvelope } from '../../src/capabilities/results.ts';
import { service } from '../../src/capabilities/service.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { apiProblems, findProblemRow } from '../../src/problems/codes.ts';
import { goodSite } from '../sites/good.ts';
import { bareSite } from '../sites/poor.ts';
import { SITE, type SiteMap } from '../support/audit/site-fetch.ts';
import { resolveRefs } from '../support/openapi/resolve.ts';

const BASE = 'https://sightline.example';
/** As clients get it. */
const text = JSON.stringify(openApiDocument(BASE, true));
/** The same with everything written out that it refers to. */
const written: unknown = resolveRefs(JSON.parse(text), JSON.parse(text));

const schemaObject = z.record(z.string(), z.unknown());
const media = z.looseObject({
  schema: schemaObject,
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.unknown()).optional(),
});
const response = z.looseObject({
  description: z.string(),
  headers: schemaObject.optional(),
  content: z.record(z.string(), media).default({}),
});
const operation = z.looseObject({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string().optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  'x-available': z.boolean().optional(),
  'x-payment-info': z.unknown().optional(),
  requestBody: z.looseObject({ required: z.boolean(), content: z.record(z.string(), media) }).optional(),
  responses: z.record(z.string(), response),
});
const document = z
  .looseObject({
    openapi: z.string(),
    info: z.looseObject({ version: z.string() }),
    servers: z.array(z.object({ url: z.string() })),
    paths: z.record(z.string(), z.record(z.string(), operation)),
    components: z.looseObject({
      schemas: z.record(z.string(), schemaObject),
      securitySchemes: z.record(z.string(), schemaObject),
    }),
  })
  .parse(written);

function operationOf(path: string, method: string) {
  const found = document.paths[path]?.[method];
  if (!found) throw new Error(`no ${method} ${path}`);
  return found;
}
const paidOf = (name: string) => operationOf(`/api/agent/${name}`, 'post');

describe('the document', () => {
  test('is valid OpenAPI 3.1 by the official schema', async () => {
    const validator = new Validator();
    expect(await validator.validate(z.record(z.string(), z.unknown()).parse(JSON.parse(text)))).toEqual({
      valid: true,
    });
    expect(validator.version).toBe('3.1');
  });

  test.each<[string, (broken: Record<string, unknown>) => void]>([
    ['an info without version', (broken) => void (broken['info'] = { title: 'x' })],
    [
      'a security scheme of an unknown kind',
      (broken) => void (broken['components'] = { securitySchemes: { payment: { type: 'payment' } } }),
    ],
  ])('would not be with %s', async (_what, harm) => {
    const broken = schemaObject.parse(JSON.parse(text));
    harm(broken);
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  test('has the version that the requirements name, and its own origin', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toMatchObject({ version: '5.9.4', 'x-sightline-version': service.version });
    expect(document.servers).toEqual([{ url: BASE }]);
  });

  test('refers only to what it has', () => {
    const refs = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref));
    const components = z.record(z.string(), schemaObject).parse(document.components);
    const known = Object.entries(components).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...refs].filter((ref) => !known.includes(ref))).toEqual([]);
    // What no operation refers to is a name for the clients of a row whose result others have too.
    const aliases = catalog.map(({ name }) => `#/components/schemas/${toPascalCase(name)}Result`);
    const idle = known.filter((ref) => !refs.has(ref) && !ref.startsWith('#/components/securitySchemes/'));
    expect(idle.filter((ref) => !aliases.includes(ref))).toEqual([]);
    expect(text).not.toContain('#/$defs/'); // A definition inside a nested schema would be looked for at the root.
  });

  test('is no larger than 200 KB', () => expect(Buffer.byteLength(text)).toBeLessThanOrEqual(200 * 1024));

  test('has every operation in a group that it describes, with a description and an id in snake case', () => {
    const { tags } = z
      .object({ tags: z.array(z.object({ name: z.string(), description: z.string() })) })
      .parse(written);
    const groups = tags.map(({ name }) => name);
    const used = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    for (const { operationId, tags: own, description } of used) {
      expect([operationId, own]).toEqual([operationId, [expect.toBeOneOf(groups)]]);
      expect([operationId, description?.length ?? 0]).toEqual([operationId, expect.toSatisfy((length) => length > 10)]);
      expect(operationId).toMatch(/^[a-z0-9]+(?:_[a-z0-9]+)*$/);
    }
    expect(groups.filter((name) => !used.some(({ tags: own }) => own.includes(name)))).toEqual([]);
  });

  test('says why the cited pages of a panel may not have been compared', () => {
    const names = JSON.stringify(document.components.schemas['PanelResult']);
    for (const reason of uncheckedReasons) expect(names).toContain(`"${reason}"`);
    expect(names).toContain('"page_checks_reason"');
  });

  test('has operation ids that are unique', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('routes', () => {
  test('all 19 capabilities are POST and nothing else, under their exact names', () => {
    const paid = Object.keys(document.paths).filter(
      (path) => path.startsWith('/api/agent/') && path !== '/api/agent/index',
    );
    expect(paid).toEqual(catalog.map((row) => `/api/agent/${row.name}`));
    expect(paid).toHaveLength(19);
    for (const path of paid) expect(Object.keys(document.paths[path] ?? {})).toEqual(['post']);
  });

  test('the free catalogue has an empty security list and no price', () => {
    const index = operationOf('/api/agent/index', 'get');
    expect(index.security).toEqual([]);
    expect(index['x-payment-info']).toBeUndefined();
  });

  test('the payment scheme is the apiKey in PAYMENT-SIGNATURE that the requirements name, with the mark that keeps crawlers from asking for a key', () => {
    expect(Object.keys(document.components.securitySchemes)).toEqual([
      'payment',
      'mpp',
      'siwx',
      'oauth',
      'monitor',
      'counts',
    ]);
    expect(document.components.securitySchemes['payment']).toMatchObject({
      type: 'apiKey',
      in: 'header',
      name: 'PAYMENT-SIGNATURE',
      'x-agentcash-auth-kind': 'siwx',
    });
  });

  test.each(catalog.map((row) => [row.name, row] as const))(
    '%s says price, security, body, 402 and whether it is served',
    (name, row) => {
      const paid = paidOf(name);
      expect(paid.security).toEqual([{ payment: [] }, { mpp: [] }]);
      expect(paid['x-available']).toBe(true);
      expect(paid['x-payment-info']).toEqual({
        price: { mode: 'fixed', currency: 'USD', amount: expect.stringMatching(/^\d+\.\d{6}$/) },
        protocols: [{ x402: {} }, { mpp: { method: 'evm', intent: 'charge', currency: expect.any(String) } }],
        offers: [{ method: 'evm', intent: 'charge', currency: expect.any(String), amount: String(row.priceMicroUsdc) }],
      });
      expect(paid['x-payment-info']).toMatchObject({ price: { amount: formatUsd(row.priceMicroUsdc) } });
      expect(paid.responses['200']?.headers).toHaveProperty('PAYMENT-RESPONSE');
      expect(paid.responses['402']?.headers).toHaveProperty('PAYMENT-REQUIRED');
      expect(paid.responses['402']?.headers).toHaveProperty('WWW-Authenticate');
      expect(paid.requestBody?.required).toBe(true);
      const body = paid.requestBody?.content['application/json'];
      expect(z.fromJSONSchema(body?.schema ?? {}).safeParse(body?.example).error).toBeUndefined();
      expect(body?.schema['required']).toEqual(requiredFields(row.body));
    },
  );
});

describe('what stands beside the catalogue', () => {
  test.each([
    ['/api/credits/5', '5.000000'],
    ['/api/credits/20', '20.000000'],
    ['/api/credits/100', '100.000000'],
  ])('%s is sold for %s USD, with or without a body', (path, amount) => {
    const pack = operationOf(path, 'post');
    expect(pack.security).toEqual([{ payment: [] }, { mpp: [] }]);
    expect(pack['x-payment-info']).toMatchObject({ price: { mode: 'fixed', currency: 'USD', amount } });
    expect(pack.requestBody).toMatchObject({ required: false, content: { 'application/json': { example: {} } } });
    expect(Object.keys(pack.responses)).toEqual(expect.arrayContaining(['200', '402', '409', '4XX', '5XX']));
  });

  test.each([
    ['/mcp', 'post', [], ['200', '400', '403', '404', '413']],
    ['/mcp-account', 'post', [{ oauth: ['audit:run'] }], ['200', '400', '401', '403', '404', '413']],
    ['/authorize', 'get', [], ['200', '302', '400']],
    ['/oauth/token', 'post', [], ['200', '400', '401', '429']],
    ['/oauth/register', 'post', [], ['201', '400', '429']],
    ['/.well-known/oauth-authorization-server', 'get', [], ['200']],
    ['/.well-known/oauth-protected-resource/mcp-account', 'get', [], ['200']],
  ])('%s (%s) says who may call it and how it refuses', (path, method, security, statuses) => {
    const found = operationOf(path, method);
    expect(found.security).toEqual(security);
    expect(Object.keys(found.responses)).toEqual(statuses);
  });

  test('OAuth is declared with our own endpoints and the scopes of payers', () => {
    expect(document.components.securitySchemes['oauth']).toMatchObject({
      type: 'oauth2',
      flows: {
        authorizationCode: {
          authorizationUrl: `${BASE}/authorize`,
          tokenUrl: `${BASE}/oauth/token`,
          scopes: { 'audit:run': expect.any(String) as string, 'credits:use': expect.any(String) as string },
        },
      },
    });
  });
});

const requiredFields = (body: z.ZodObject): string[] =>
  Object.entries(body.shape).flatMap(([name, field]) => (field.safeParse(undefined).success ? [] : [name]));

describe('problems', () => {
  const problemSchema = z.object({
    required: z.array(z.string()),
    properties: z.looseObject({ code: z.object({ enum: z.array(z.string()) }) }),
  });

  test('every code stands in the schema of a problem', () => {
    const { properties, required } = problemSchema.parse(document.components.schemas['Problem']);
    expect(properties.code.enum).toEqual(Object.keys(apiProblems));
    expect(required).toEqual(['type', 'title', 'status', 'code', 'request_id']);
  });

  /** Codes of 402 are in the terms' body, which has its own schema. */
  const expected = Object.entries(apiProblems).filter(([, { paid, status }]) => paid && status !== 402);

  const statusOf = (code: string): string => String(findProblemRow(code)?.status);

  test.each(catalog.map((row) => row.name))(
    '%s lists every problem of a paid route under its status or the class of it',
    (name) => {
      const { responses } = paidOf(name);
      const codes = Object.values(responses).flatMap(listResponseCodes);
      expect(codes.toSorted()).toEqual(expected.map(([code]) => code).toSorted());
      for (const [group, answered] of Object.entries(responses))
        for (const code of listResponseCodes(answered))
          expect([code, [statusOf(code), `${statusOf(code).slice(0, 1)}XX`]]).toEqual([
            code,
            expect.arrayContaining([group]),
          ]);
    },
  );

  test('a response takes a problem of its own codes, and no other', () => {
    const [example] = z
      .object({ examples: z.tuple([z.looseObject({ type: z.string(), status: z.number() })]) })
      .parse(document.components.schemas['Problem']).examples;
    // Answers carry the resolved address; the example is relative, since its readers know where they read it.
    const answered = { ...example, type: new URL(example.type, BASE).href };
    const take = (status: string) =>
      z.fromJSONSchema(paidOf('compare').responses[status]?.content['application/problem+json']?.schema ?? {});
    expect(take('429').safeParse(answered).error).toBeUndefined();
    expect(take('409').safeParse(answered).success).toBe(false);
  });

  test('P13: 402 on a paid route is the terms and nothing else', () => {
    for (const { name } of catalog)
      expect(Object.keys(paidOf(name).responses['402']?.content ?? {})).toEqual(['application/json']);
  });
});

describe('a real answer is what the document says', () => {
  const sites: readonly [string, SiteMap][] = [
    ['a good site', goodSite],
    ['a bare site', bareSite],
  ];
  const rows = catalog.flatMap((row) =>
    isAboutSite(row) ? sites.map(([site, map]) => [row.name, site, row, map] as const) : [],
  );

  test.each(rows)('of %s for %s', async (name, _site, row, map) => {
    const asked = { url: `${SITE}/`, ...(name === 'compare' ? { competitor: `${SITE}/` } : {}) };
    const worked = await row.run(asked, fixtureTools(map));
    if (!worked?.ok) throw new Error(`no result: ${JSON.stringify(worked)}`);
    const sold: unknown = JSON.parse(
      JSON.stringify({
        capability: name,
        url: `${SITE}/`,
        report_id: '0'.repeat(32),
        ...worked.result,
        warnings: worked.warnings,
        payment,
      }),
    );
    // Whatever the schema does not know is dropped when it parses: equality says that there was nothing of the kind.
    expect(defineEnvelope(row.result).parse(sold)).toEqual(sold);
    const published = z.fromJSONSchema(paidOf(name).responses['200']?.content['application/json']?.schema ?? {});
    expect(published.safeParse(sold).error).toBeUndefined();
    expect(published.safeParse({ ...(sold as object), payment: undefined }).success).toBe(false);
  });

  const payment = {
    method: 'x402',
    transaction: `0x${'5e'.repeat(32)}`,
    network: 'eip155:8453',
    payer: `0x${'7a'.repeat(20)}`,
    amount: '60000',
    amount_usd: '0.060000',
    settled_at: '2026-11-21T00:00:00.000Z',
  };
});
