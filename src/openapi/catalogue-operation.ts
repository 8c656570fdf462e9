import { describeProblemResponses } from '../problems/codes.ts';
import { linkSchema } from '../lib/json-schema.ts';
import { defineFixedOperation } from './operation.ts';

const text = { type: 'string' } as const;
const link = { type: 'string', format: 'uri' } as const;
const open = { type: 'object', additionalProperties: true } as const;

const priced = {
  description: text,
  price_usd: { type: 'string', description: 'USD with six decimals' },
  price_usdc: { type: 'number' },
  amount: { type: 'string', description: 'Micro-USDC' },
  asset: { type: 'string', description: 'The contract of USDC' },
  network: { const: 'eip155:8453' },
  method: { const: 'POST' },
  endpoint: link,
  available: { type: 'boolean', description: 'Whether it can be bought now' },
} as const;

/** Schemas of the catalogue. */
export const catalogueSchemas = {
  Catalogue: {
    type: 'object',
    description: 'All that is sold, by name, with prices.',
    required: ['name', 'description', 'payment', 'capabilities', 'credits', 'docs', 'openapi', 'mcp'],
    properties: {
      name: text,
      description: text,
      payment: linkSchema('PaymentMethods'),
      capabilities: { type: 'object', additionalProperties: linkSchema('CatalogueEntry') },
      credits: { type: 'object', additionalProperties: linkSchema('CreditEntry') },
      docs: link,
      openapi: link,
      mcp: { type: 'object', required: ['open', 'account'], properties: { open: link, account: link } },
    },
  },
  CreditEntry: { type: 'object', required: Object.keys(priced), properties: priced },
  CatalogueEntry: {
    allOf: [
      linkSchema('CreditEntry'),
      {
        type: 'object',
        required: ['body_schema'],
        properties: {
          body_schema: { ...open, description: 'JSON Schema of the body' },
          hint: { type: 'string', description: 'What official x402 clients need for a price over 1 USD' },
        },
      },
    ],
  },
  PaymentMethods: {
    type: 'object',
    required: ['protocol', 'x402Version', 'network', 'currency', 'payTo', 'asset', 'flows', 'header', 'hint'],
    properties: {
      protocol: { const: 'x402' },
      x402Version: { const: 2 },
      network: { const: 'eip155:8453' },
      currency: { const: 'USDC' },
      payTo: { type: ['string', 'null'], description: 'null: this deployment sells nothing yet' },
      asset: text,
      flows: { type: 'array', items: { type: 'string', enum: ['signed-payload', 'direct-transfer'] } },
      header: { const: 'PAYMENT-SIGNATURE' },
      hint: text,
      networks: {
        type: 'array',
        description: 'All networks, where there are several: one entry of `accepts` for each',
        items: {
          type: 'object',
          required: ['network', 'payTo', 'asset'],
          properties: { network: { ...text, description: 'CAIP-2' }, payTo: text, asset: text },
        },
      },
    },
  },
} as const;

export const indexOperation = defineFixedOperation('GET', '/api/agent/index', {
  operationId: 'index',
  tags: ['catalogue'],
  summary: 'Free catalogue: all 19 capabilities with prices and endpoints',
  description: 'Call it first: it says what can be bought now, at which price, and with which body.',
  security: [],
  responses: {
    200: { description: 'The catalogue', content: { 'application/json': { schema: linkSchema('Catalogue') } } },
    ...describeProblemResponses(({ code }) => code === 'rate_limited' || code === 'internal_error'),
  },
});
