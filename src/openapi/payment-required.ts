import { apiProblems } from '../problems/codes.ts';
import { linkSchema } from '../lib/json-schema.ts';

const text = { type: 'string' } as const;
const address = { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' } as const;
const amount = { type: 'string', pattern: '^[1-9]\\d*$', description: 'Micro-USDC' } as const;
const open = { type: 'object', additionalProperties: true } as const;

const describeExtension = (description: string, info: object = open) => ({
  type: 'object',
  description,
  required: ['info', 'schema'],
  properties: { info, schema: open },
});

const payAgainCodes = Object.entries(apiProblems).flatMap(([code, { paid, status }]) =>
  paid && status === 402 ? [code] : [],
);

/** What a 402 says: the members of a problem, and those of x402. */
export const paymentSchemas = {
  PaymentRequired: {
    type: 'object',
    description: 'The terms of a purchase: members of x402 version 2, and those of a problem.',
    required: ['type', 'title', 'status', 'code', 'request_id', 'x402Version', 'error', 'resource', 'accepts'],
    properties: {
      type: { type: 'string', format: 'uri-reference' },
      title: text,
      status: { const: 402 },
      code: { type: 'string', enum: payAgainCodes },
      request_id: text,
      x402Version: { const: 2 },
      error: { type: 'string', description: 'Why a payment is due, in words' },
      resource: {
        type: 'object',
        required: ['url'],
        properties: { url: { type: 'string', format: 'uri' }, description: text, mimeType: text },
      },
      accepts: { type: 'array', minItems: 1, items: linkSchema('PaymentOption') },
      extensions: linkSchema('PaymentExtensions'),
    },
  },
  PaymentOption: {
    type: 'object',
    description: 'A payment that is accepted: sign it as it is.',
    required: ['scheme', 'network', 'amount', 'asset', 'payTo', 'maxTimeoutSeconds', 'extra'],
    properties: {
      scheme: { const: 'exact' },
      network: { const: 'eip155:8453' },
      amount,
      asset: { ...address, description: 'The contract of USDC' },
      payTo: address,
      maxTimeoutSeconds: { type: 'integer' },
      extra: {
        type: 'object',
        required: ['name', 'version'],
        properties: {
          name: { type: 'string', description: 'Of the domain to sign for (EIP-712)' },
          version: text,
          quote: { type: 'string', description: 'The nonce to sign: 32 hexadecimal digits of this offer' },
        },
      },
    },
  },
  PaymentExtensions: {
    type: 'object',
    properties: {
      bazaar: describeExtension('Body and answer, for crawlers'),
      'payment-identifier': describeExtension('An idempotency key that clients may choose', {
        type: 'object',
        properties: { required: { type: 'boolean' } },
      }),
      'direct-transfer': describeExtension('How to pay by a plain USDC transfer', linkSchema('TransferTerms')),
    },
  },
  TransferTerms: {
    type: 'object',
    description: 'The terms on which a transaction hash is taken in PAYMENT-SIGNATURE.',
    required: ['network', 'asset', 'payTo', 'amount'],
    properties: {
      network: { const: 'eip155:8453' },
      asset: address,
      payTo: address,
      amount,
      maxAgeSeconds: { type: 'integer', description: 'Oldest transfer that is taken' },
      confirmations: { oneOf: [{ type: 'integer' }, { const: 'safe' }], description: 'Blocks to wait for' },
      header: text,
      bareHash: text,
      excess: text,
      refunds: text,
      proofRequired: { type: 'boolean', description: 'Whether the payer must prove that the transfer is its own' },
      proof: { ...open, description: 'How to make that proof' },
    },
  },
} as const;
