import { apiProblems } from '../problems/codes.ts';
import { MAX_PROOF_LIFE_S } from '../payment/terms/constants.ts';
import { PROOF_TYPES } from '../payment/rails/transfer/payer-proof.ts';
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
        properties: {
          url: { type: 'string', format: 'uri' },
          description: text,
          mimeType: text,
          serviceName: text,
          tags: { type: 'array', items: text },
          iconUrl: { type: 'string', format: 'uri' },
        },
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
    description:
      'The terms on which a transaction hash is taken in PAYMENT-SIGNATURE. Asset, payee and amount are those of the entry of `accepts` with this network. There are no refunds on chain; an undelivered transfer stays redeemable for 30 days.',
    required: ['network', 'proofRequired', 'proof'],
    properties: {
      network: { const: 'eip155:8453' },
      maxAgeSeconds: { type: 'integer', description: 'Oldest transfer that is taken' },
      confirmations: { oneOf: [{ type: 'integer' }, { const: 'safe' }], description: 'Blocks to wait for' },
      excess: { type: 'string', description: 'What happens to more than the price' },
      bareHash: { type: 'string', description: 'Who may present a hash without a proof' },
      proofRequired: { type: 'boolean', description: 'Whether the payer must prove that the transfer is its own' },
      proof: {
        ...open,
        description: `The EIP-712 domain and the capability to sign for, good for ${MAX_PROOF_LIFE_S} s: Proof(${PROOF_TYPES.Proof.map(({ name, type }) => `${type} ${name}`).join(',')}). Sent as base64 of {x402Version:2,accepted,payload:{transaction,signature,issuedAt,expiresAt}}.`,
      },
    },
  },
} as const;
