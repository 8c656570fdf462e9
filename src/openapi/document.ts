import { PRODUCT } from '../lib/product.ts';
import { SPEND_CONTROL } from '../payment/terms/spend-control.ts';
import { apiProblems, describeProblemResponses } from '../problems/codes.ts';
import { buildProblemSchema } from '../problems/problem.ts';
import { deprecatedThings } from './deprecations-data.ts';
import { markDeprecated } from './deprecations.ts';
import { defineFixedOperation, toOpenApiPaths } from './operation.ts';
import { listPaidOperations } from './paid-operations.ts';
import { describeOAuthScheme, protocolOperations } from './protocol-operations.ts';
import { publishOperations, reportOperations } from './report-operations.ts';

/** Version of the service description, as the requirements fix it. */
export const DESCRIPTION_VERSION = '5.9.4';

const GUIDANCE =
  `Call GET /api/agent/index first: it is free and lists prices. POST a JSON body to /api/agent/<capability>; without payment the
answer is 402 with the terms in the PAYMENT-REQUIRED header. Pay with an x402 v2 client (header PAYMENT-SIGNATURE), or send USDC to payTo on
eip155:8453 and put the transaction hash into that header. Official clients refuse payments over 1 USD until ${SPEND_CONTROL} is raised.
402 always means "a new payment is the right next step"; on 409 and 503 repeat the same request with the same header.`.replaceAll(
    '\n',
    ' ',
  );

/**
 * The OpenAPI 3.1 description of the api Worker, made from the rows that its routes are registered with, and from the
 * catalogue: every price, body and result schema.
 * `x-payment-info` is on rows that can be bought now; a row that needs an answer engine where none is configured says
 * so in `x-available`.
 */
export function openApiDocument(baseUrl: string, hasEngine: boolean): Record<string, unknown> {
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
    paths: markDeprecated(
      toOpenApiPaths([
        indexOperation,
        ...listPaidOperations(hasEngine),
        ...Object.values(reportOperations),
        ...Object.values(publishOperations),
        ...Object.values(protocolOperations),
      ]),
      deprecatedThings,
    ),
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

const payAnewCodes = Object.entries(apiProblems).flatMap(([code, row]) =>
  row.paid && row.status === 402 ? [code] : [],
);

/** What a 402 says: the members of a problem, and those of x402. */
const paymentRequiredSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'request_id', 'x402Version', 'resource', 'accepts'],
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { const: 402 },
    code: { type: 'string', enum: payAnewCodes },
    request_id: { type: 'string' },
    x402Version: { const: 2 },
    error: { type: 'string' },
    resource: { type: 'object', required: ['url'], properties: { url: { type: 'string', format: 'uri' } } },
    accepts: { type: 'array', minItems: 1, items: { type: 'object' } },
    extensions: { type: 'object' },
  },
} as const;

export const indexOperation = defineFixedOperation('GET', '/api/agent/index', {
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
});
