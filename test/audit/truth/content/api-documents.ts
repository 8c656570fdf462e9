import { SITE } from '../../../support/audit/site-fetch.ts';

const accepts = [
  {
    scheme: 'exact',
    network: 'eip155:8453',
    amount: '10000',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    payTo: '0x7a3f1c0d5b8e4a6f9c2d1e0b3a5c7d9e1f2a4b6c',
    maxTimeoutSeconds: 60,
    extra: { name: 'USD Coin', version: '2' },
  },
];

/** Terms of x402 version 2 for the report. */
export const paymentRequired = {
  x402Version: 2,
  error: 'PAYMENT-SIGNATURE header is required',
  resource: {
    url: `${SITE}/v1/report`,
    description: 'The full report of a parcel of land.',
    mimeType: 'application/json',
  },
  accepts,
};

const problem = {
  description: 'What is wrong.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

/** A complete description of both operations. */
export const openApi = {
  openapi: '3.1.0',
  info: { title: 'Land register', version: '1.2.0' },
  servers: [{ url: `${SITE}/v1` }],
  paths: {
    '/parcels': {
      get: {
        operationId: 'findParcels',
        summary: 'Find parcels by name of the place',
        security: [],
        parameters: [
          {
            name: 'place',
            in: 'query',
            required: true,
            description: 'The name of the place.',
            schema: { type: 'string' },
            example: 'Glenarm',
          },
        ],
        responses: {
          200: {
            description: 'Identifiers of parcels.',
            content: {
              'application/json': {
                schema: { type: 'array', description: 'Identifiers.', items: { type: 'string' } },
                example: ['GL-14'],
              },
            },
          },
          400: problem,
        },
      },
    },
    '/report': {
      get: {
        operationId: 'readReport',
        summary: 'Read the full report of a parcel, for a payment',
        security: [{ key: [] }],
        responses: {
          200: {
            description: 'The report.',
            content: {
              'application/json': {
                schema: { type: 'object', description: 'The report.' },
                example: { parcel: 'GL-14', hectares: 2.4 },
              },
            },
          },
          402: {
            description: 'Payment is required.',
            content: { 'application/json': { schema: { type: 'object', description: 'The terms.' } } },
          },
        },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } },
    schemas: {
      Problem: {
        type: 'object',
        description: 'A problem by RFC 9457.',
        properties: { title: { type: 'string', description: 'What went wrong.' } },
      },
    },
  },
};

/** A card of A2A 1.0. */
export const agentCard = {
  name: 'Land register clerk',
  description: 'Answers questions about parcels of land and their owners.',
  version: '1.0.0',
  supportedInterfaces: [{ url: `${SITE}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: false },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['application/json'],
  skills: [
    { id: 'find', name: 'Find a parcel', description: 'Finds a parcel by the name of its place.', tags: ['land'] },
  ],
};
