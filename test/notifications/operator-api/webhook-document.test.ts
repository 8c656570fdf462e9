import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { buildWebhookDocument } from '../../../src/notifications/operator-api/openapi.ts';
import { operations } from '../../../src/notifications/operator-api/operations.ts';
import { problems } from '../../../src/notifications/operator-api/problems-data.ts';
import { readWebhookSettings } from '../../../src/notifications/core/settings.ts';
import { listResponseCodes } from '../../../src/problems/shared-responses.ts';
import { resolveRefs } from '../../support/openapi/resolve.ts';

const settings = readWebhookSettings({
  BASE_URL: 'https://sightline.example',
  WEBHOOK_URL: 'https://webhook.sightline.example',
  VENDOR_HEADER_PREFIX: 'X-Vendor-',
  CHANNEL_TOKEN_KEYS: '1:the-first-channel-secret-of-32-characters',
});
/** As clients get it. */
const text = JSON.stringify(buildWebhookDocument(settings));

const schemaObject = z.record(z.string(), z.unknown());
const media = z.looseObject({
  schema: schemaObject.optional(),
  example: z.unknown().optional(),
});
const parameter = z.looseObject({ name: z.string(), in: z.string(), required: z.boolean(), schema: schemaObject });
const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(parameter).default([]),
  requestBody: z.looseObject({ content: z.record(z.string(), media) }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: z.record(z.string(), media) })),
});
const document = z
  .looseObject({
    openapi: z.string(),
    servers: z.array(z.object({ url: z.string() })),
    paths: z.record(z.string(), z.record(z.string(), operation)),
    components: z.looseObject({
      schemas: z.record(z.string(), schemaObject),
      securitySchemes: z.record(z.string(), z.looseObject({ type: z.string(), flows: schemaObject })),
    }),
  })
  .parse(resolveRefs(JSON.parse(text), JSON.parse(text)));

const rows = Object.entries(operations);
const served = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, one]) => ({ path, method, ...one })),
);
const problemCodes = ({ responses }: z.infer<typeof operation>): readonly string[] =>
  Object.values(responses).flatMap(listResponseCodes);

describe('the OpenAPI document of the webhook Worker', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const outcome = await validator.validate(JSON.parse(text) as Record<string, unknown>);
    expect(outcome).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('and the validator refuses one that is not', async () => {
    const broken = { ...(JSON.parse(text) as Record<string, unknown>), paths: { 'no-slash': {} } };
    expect(await new Validator().validate(broken)).toMatchObject({ valid: false });
  });

  test('names the receiver and every row of the table, and nothing else', () => {
    expect(served.map(({ path, method, operationId }) => `${method} ${path} ${operationId}`).toSorted()).toEqual([
      'get /channels list_channels',
      'get /channels/{id} get_channel',
      'get /checkup get_checkup',
      'get /messages list_messages',
      'get /probes/{id} get_probe',
      'get /status get_status',
      'post /channels create_channel',
      'post /channels/{id}:renew renew_channel',
      'post /channels/{id}:stop stop_channel',
      'post /messages:replay replay_messages',
      'post /notifications/{watch} receive_notification',
      'post /probes create_probe',
    ]);
    expect(rows).toHaveLength(served.length - 1);
    expect(document.servers).toEqual([{ url: 'https://webhook.sightline.example' }]);
  });

  test.each(rows)('%s says its scope, its body or query, its answer and its problems', (_, row) => {
    const one = document.paths[row.path]?.[row.method.toLowerCase()];
    expect(one?.security).toEqual([{ oauth: [row.scope] }]);
    expect(one?.requestBody === undefined).toBe(row.method === 'GET');
    expect(one?.responses[row.answer.status]?.content['application/json']?.schema).toMatchObject({ type: 'object' });
    const codes = problemCodes(one ?? operation.parse({}));
    expect(codes).toEqual(
      expect.arrayContaining([...row.problems, 'invalid_token', 'insufficient_scope', 'not_found']),
    );
    expect(new Set(codes).size).toBe(codes.length);
  });

  test.each(rows)('%s has an example of its body and its answer, and both are accepted', (id, row) => {
    const one = served.find(({ path, method }) => path === row.path && method.toUpperCase() === row.method);
    const answer = one?.responses[row.answer.status]?.content['application/json'];
    expect([id, row.answer.schema.safeParse(answer?.example).error]).toEqual([id, undefined]);
    if (row.method === 'GET') return;
    const body = one?.requestBody?.content['application/json'];
    expect([id, row.input.safeParse(body?.example).error]).toEqual([id, undefined]);
  });

  test('has every code of the problems, in the enumeration and with some operation', () => {
    const used = new Set(served.flatMap(problemCodes));
    // Of methods that no operation has.
    expect([...used].toSorted()).toEqual(Object.keys(problems).toSorted());
    expect(document.components.schemas['Problem']).toMatchObject({
      properties: { code: { enum: Object.keys(problems) } },
    });
  });

  test('asks for tokens of the authorization server, with the scopes of the resource', () => {
    const scopes = {
      'channels:read': 'Read notification channels and messages',
      'channels:write': 'Create, renew and stop notification channels, replay messages',
    };
    const tokenUrl = 'https://sightline.example/oauth/token';
    expect(document.components.securitySchemes['oauth']).toMatchObject({
      type: 'oauth2',
      flows: {
        authorizationCode: { authorizationUrl: 'https://sightline.example/authorize', tokenUrl, scopes },
        clientCredentials: { tokenUrl, scopes },
      },
    });
  });

  test('takes a notification without a token of ours, by headers of the configured prefix', () => {
    const receiver = document.paths['/notifications/{watch}']?.['post'];
    expect(receiver?.security).toEqual([]);
    const named = receiver?.parameters.map(({ name, in: place, required }) => `${place} ${name} ${required}`);
    expect(named).toEqual([
      'path watch true',
      'header X-Vendor-Channel-ID true',
      'header X-Vendor-Channel-Token true',
      'header X-Vendor-Resource-ID true',
      'header X-Vendor-Resource-State true',
      'header X-Vendor-Resource-URI false',
      'header X-Vendor-Message-Number false',
    ]);
  });

  test('shows bodies and queries as they are checked', () => {
    const body = document.paths['/channels']?.['post']?.requestBody?.content['application/json']?.schema;
    expect(body).toMatchObject({
      additionalProperties: false,
      properties: {
        customer: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
        event: { enum: ['add', 'delete', 'makeAdmin', 'undelete', 'update'] },
        ttl_s: { type: 'integer', minimum: 60, maximum: 2_592_000 },
        subject: { type: 'string', format: 'email' },
      },
    });
    const query = document.paths['/messages']?.['get']?.parameters.map(({ name, required }) => [name, required]);
    expect(query).toEqual([
      ['customer', false],
      ['state', false],
      ['channel', false],
      ['from', false],
      ['to', false],
      ['page_size', false],
      ['page_token', false],
    ]);
    const pageSize = document.paths['/messages']?.['get']?.parameters.find(({ name }) => name === 'page_size');
    expect(pageSize?.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 50 });
  });
});
