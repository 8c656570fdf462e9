import { linkSchema } from '../lib/json-schema.ts';

const text = { type: 'string' } as const;

/** The parameter of a dry run, and what it answers. */
export const dryRunParameters = {
  Dry: {
    name: 'dry',
    in: 'query',
    description: '`1`: nothing is bought, and the answer is a DryRun. With a payment it is refused.',
    schema: { type: 'string', enum: ['1'] },
    'x-answer': linkSchema('DryRun'),
  },
} as const;

export const dryRunParameterRef = { $ref: '#/components/parameters/Dry' } as const;

export const dryRunSchemas = {
  DryRun: {
    type: 'object',
    description: 'What the same request with a payment would be charged, and whether it would get so far.',
    required: ['dry_run', 'capability', 'price', 'sale', 'rails', 'input', 'targets', 'limits'],
    properties: {
      dry_run: { const: true },
      capability: text,
      price: {
        type: 'object',
        required: ['amount', 'usd', 'currency'],
        properties: { amount: { ...text, description: 'Micro-USDC' }, usd: text, currency: { const: 'USDC' } },
      },
      sale: {
        type: 'object',
        required: ['open'],
        properties: { open: { type: 'boolean' }, code: text, detail: text, next: text },
      },
      rails: {
        type: 'array',
        description: 'The ways to pay',
        items: {
          type: 'object',
          required: ['rail'],
          additionalProperties: true,
          properties: { rail: { ...text, examples: ['x402', 'mpp', 'direct-transfer', 'credits'] } },
        },
      },
      input: { type: 'object', additionalProperties: true, description: 'As it would be sold' },
      input_sha256: { ...text, description: 'What a payment is bound to' },
      targets: {
        type: 'array',
        description: 'The sites of the input; one request to each host',
        items: {
          type: 'object',
          required: ['field', 'url', 'reachable'],
          properties: {
            field: text,
            url: text,
            reachable: { type: ['boolean', 'null'], description: 'null: not asked' },
            status: { type: 'integer' },
            reason: text,
            detail: text,
            next: text,
            retry_after_s: { type: 'integer' },
          },
        },
      },
      limits: {
        type: 'object',
        required: ['free_requests_per_minute', 'free_requests_left', 'unpaid_audits_of_a_host_per_hour'],
        properties: {
          free_requests_per_minute: { type: 'integer' },
          free_requests_left: { type: ['integer', 'null'], description: 'null: not known' },
          unpaid_audits_of_a_host_per_hour: { type: 'integer' },
        },
      },
    },
  },
} as const;
