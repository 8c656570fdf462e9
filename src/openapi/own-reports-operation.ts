import { linkSchema } from '../lib/json-schema.ts';
import { PAID_BY } from '../payment/rails/rail-ids.ts';
import { describeProblemResponses } from '../problems/codes.ts';
import { defineFixedOperation } from './operation.ts';

const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;

/** Schemas of the list of a wallet's reports. */
export const ownReportsSchemas = {
  OwnReports: {
    type: 'object',
    required: ['address', 'reports', 'next'],
    properties: {
      address: text,
      reports: {
        type: 'array',
        description: 'Newest first, of the last 30 days',
        items: {
          type: 'object',
          required: ['report_id', 'report_url', 'capability', 'price_usd', 'paid_by', 'bought_at'],
          properties: {
            report_id: text,
            report_url: text,
            capability: text,
            site: { type: ['string', 'null'] },
            price_usd: text,
            paid_by: { type: 'string', enum: ['wallet', 'credits'] },
            method: { type: ['string', 'null'], enum: [...PAID_BY, null], description: 'Of a wallet' },
            bought_at: time,
            readable_until: { type: ['string', 'null'], format: 'date-time' },
          },
        },
      },
      next: { type: ['string', 'null'], description: 'The older part, which needs a new proof' },
    },
  },
} as const;

/** CAIP-122, as an extension of x402 has it. The marker is what crawlers know such a scheme by. */
export const siwxScheme = {
  type: 'apiKey',
  in: 'header',
  name: 'SIGN-IN-WITH-X',
  'x-agentcash-auth-kind': 'siwx',
  description: 'Base64 proof for the challenge in `extensions.sign-in-with-x` of the 401; good once, for 5 minutes.',
} as const;

const REFUSALS = new Set([
  'wallet_proof_needed',
  'wallet_proof_refused',
  'too_many_attempts',
  'rate_limited',
  'chain_unavailable',
  'ledger_unavailable',
  'sign_in_unavailable',
  'internal_error',
]);

export const ownReportsOperation = defineFixedOperation('GET', '/reports', {
  operationId: 'list_own_reports',
  tags: ['reports'],
  summary: 'The reports that a wallet bought',
  description: 'For who proves to hold the wallet. Answers browsers with the account page.',
  security: [{ siwx: [] }],
  parameters: [
    {
      name: 'after',
      in: 'query',
      description: 'From `next`',
      schema: { type: 'string', maxLength: 48, pattern: '^\\d{1,15}\\.[0-9a-f]{32}$' },
    },
  ],
  responses: {
    200: { description: 'The list', content: { 'application/json': { schema: linkSchema('OwnReports') } } },
    ...describeProblemResponses(({ code }) => REFUSALS.has(code)),
  },
});
