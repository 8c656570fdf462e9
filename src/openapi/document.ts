import { PRODUCT } from '../lib/product.ts';
import { catalog, formatUsd } from '../capabilities/catalog.ts';
import { creditPacks, packPath, type SoldRow } from '../capabilities/credit-packs.ts';
import { exampleBodies } from '../capabilities/bodies.ts';
import { buildBodySchema, buildJsonSchema } from '../capabilities/capability.ts';
import { defineEnvelope } from '../capabilities/results.ts';
import { apiProblems, describeProblemResponses } from '../problems/codes.ts';
import { buildProblemSchema } from '../problems/problem.ts';
import { describeOAuthScheme, protocolPaths } from './protocol-paths.ts';
import { reportId, publishPaths, reportPaths } from './report-paths.ts';

/** Version of the service description, as the requirements fix it. */
export const DESCRIPTION_VERSION = '5.9.4';

const GUIDANCE =
  `Call GET /api/agent/index first: it is free and lists prices. POST a JSON body to /api/agent/<capability>; without payment the
answer is 402 with the terms in the PAYMENT-REQUIRED header. Pay with an x402 v2 client (header PAYMENT-SIGNATURE), or send USDC to payTo on
eip155:8453 and put the transaction hash into that header. Official clients refuse payments over 1 USD until their spend control is raised.
402 always means "a new payment is the right next step"; on 409 and 503 repeat the same request with the same header.`.replaceAll(
    '\n',
    ' ',
  );

/**
 * The OpenAPI 3.1 description of the api Worker, made from the catalogue: every row, price, body and result schema.
 * `x-payment-info` is on rows that can be bought now; a row that needs an answer engine where none is configured says
 * so in `x-available`.
 */
export function openApiDocument(baseUrl: string, hasEngine: boolean): Record<string, unknown> {
  const paths = Object.fromEntries(
    catalog.map((row) => [
      `/api/agent/${row.name}`,
      { post: describePaidOperation(row, exampleBodies[row.name], hasEngine || !row.engineBacked) },
    ]),
  );
  const credits = Object.fromEntries(
    creditPacks.map((pack) => [packPath(pack), { post: describePaidOperation(pack, {}, true) }]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: PRODUCT,
      version: DESCRIPTION_VERSION,
      description: 'Audits what AI systems can see of a website or a brand. Paid per call in USDC by x402 v2.',
      contact: { name: PRODUCT, url: baseUrl, email: `hello@${new URL(baseUrl).hostname}` },
      license: { name: 'MIT', identifier: 'MIT' },
      'x-guidance': GUIDANCE,
    },
    'x-agentcash-guidance': { llmsTxtUrl: `${baseUrl}/llms.txt` },
    servers: [{ url: baseUrl }],
    paths: {
      '/api/agent/index': { get: indexOperation },
      ...paths,
      ...credits,
      ...reportPaths,
      '/reports/{id}/snapshot': { get: snapshotOperation },
      '/runs/{id}.json': { get: runOperation },
      ...publishPaths,
      ...protocolPaths,
    },
    components: {
      schemas: { Problem: buildProblemSchema(Object.keys(apiProblems)), PaymentRequired: paymentRequiredSchema },
      securitySchemes: { payment: paymentScheme, oauth: describeOAuthScheme(baseUrl) },
    },
  };
}

// The requirements prescribe an apiKey scheme; the marker keeps crawlers from asking agents for an API key.
const paymentScheme = {
  type: 'apiKey',
  in: 'header',
  name: 'PAYMENT-SIGNATURE',
  'x-agentcash-auth-kind': 'siwx',
  description: 'Base64 x402 v2 payment payload, or the hash of a USDC transfer on eip155:8453 (direct transfer).',
} as const;

const paymentRequiredSchema = {
  type: 'object',
  required: ['x402Version', 'resource', 'accepts'],
  properties: {
    x402Version: { const: 2 },
    error: { type: 'string' },
    resource: { type: 'object', required: ['url'], properties: { url: { type: 'string', format: 'uri' } } },
    accepts: { type: 'array', minItems: 1, items: { type: 'object' } },
    extensions: { type: 'object' },
  },
} as const;

const indexOperation = {
  operationId: 'index',
  summary: 'Free catalogue: all 19 capabilities with prices and endpoints',
  security: [],
  responses: {
    200: {
      description: 'The catalogue',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['capabilities'],
            properties: {
              capabilities: { type: 'object', additionalProperties: { type: 'object' } },
              credits: { type: 'object', additionalProperties: { type: 'object' } },
            },
          },
        },
      },
    },
    ...describeProblemResponses((row) => row.code === 'rate_limited'),
  },
};

const snapshotOperation = {
  operationId: 'snapshot',
  summary: 'Everything a stored result was made from: `sightline replay` makes the same result from it, offline',
  security: [],
  parameters: [reportId],
  responses: {
    200: {
      description: 'The recorded requests and answers, secrets of the site left out; to be saved as a file',
      content: { 'application/json': { schema: { type: 'object', required: ['version', 'capability', 'snapshots'] } } },
    },
    ...describeProblemResponses(({ code }) => ['report_not_found', 'report_expired', 'rate_limited'].includes(code)),
  },
};

const runOperation = {
  operationId: 'run',
  summary: 'The answers that a paid measurement was made from, for 30 days, by the unguessable id of its run',
  security: [],
  parameters: [reportId],
  responses: {
    200: {
      description: 'Prompts answered: text, served model, SHA-256; `sightline replay` makes the same result from it',
      content: { 'application/json': { schema: { type: 'object', required: ['version', 'capability', 'run'] } } },
    },
    ...describeProblemResponses((row) => row.code === 'run_not_found' || row.code === 'rate_limited'),
  },
};

/** Of every paid route, for clients that ask for `text/event-stream`. */
const EVENTS =
  'Server-sent events: `progress` with counts, then one `result` (the JSON answer) or one `problem`; settlement is in `result.payment`.';

/** `example` is a body that is accepted. */
function describePaidOperation(row: SoldRow, example: unknown, isAvailable: boolean): Record<string, unknown> {
  const price = formatUsd(row.priceMicroUsdc);
  const payment = {
    'x-payment-info': { price: { mode: 'fixed', currency: 'USD', amount: price }, protocols: [{ x402: {} }] },
  };
  return {
    operationId: row.name,
    summary: row.summary,
    description: `${row.summary}. Price: ${price} USD.`,
    ...(isAvailable ? payment : {}),
    'x-available': isAvailable,
    security: [{ payment: [] }],
    requestBody: {
      required: row.bodyOptional !== true,
      content: { 'application/json': { schema: buildBodySchema(row), example } },
    },
    responses: {
      200: {
        description: 'The result; PAYMENT-RESPONSE carries the settlement',
        headers: { 'PAYMENT-RESPONSE': { schema: { type: 'string' } } },
        content: {
          'application/json': { schema: buildJsonSchema(defineEnvelope(row.result), 'output') },
          'text/event-stream': { schema: { type: 'string', description: EVENTS } },
        },
      },
      402: {
        description: 'Payment required: a new payment is the right next step',
        headers: { 'PAYMENT-REQUIRED': { schema: { type: 'string' } } },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/PaymentRequired' } } },
      },
      ...describeProblemResponses((problem) => problem.paid && problem.status !== 402),
    },
  };
}
