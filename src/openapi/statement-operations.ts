import { DID_PATH, KEY_SET_PATH } from '../statements/key-set.ts';
import { apiProblems } from '../problems/codes.ts';
import { describeProblems } from '../problems/problem.ts';
import { defineFixedOperation } from './operation.ts';

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const time = { type: ['integer', 'null'], minimum: 0 } as const;

/** Where delivery figures are, for programs. */
export const DELIVERY_JSON_PATH = '/delivery.json';

export const statementSchemas = {
  KeySet: {
    type: 'object',
    required: ['keys'],
    properties: {
      keys: {
        type: 'array',
        items: {
          type: 'object',
          required: ['kty', 'crv', 'x', 'kid', 'signs'],
          properties: {
            kty: { const: 'OKP' },
            crv: { const: 'Ed25519' },
            x: text,
            kid: { ...text, description: 'Thumbprint of the key (RFC 7638)' },
            alg: text,
            use: text,
            signs: { type: 'array', items: text, description: 'What this key signs, and nothing else' },
          },
        },
      },
    },
  },
  DeliveryFigures: {
    type: 'object',
    required: ['claims', 'jws'],
    properties: {
      claims: {
        type: 'object',
        required: ['issuer', 'issued_at', 'since', 'weeks', 'rows', 'meaning'],
        properties: {
          issuer: text,
          issued_at: text,
          since: text,
          weeks: count,
          rows: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                week: { ...text, examples: ['2026-W48'] },
                capability: text,
                delivered: count,
                by_rail: { type: 'object', additionalProperties: count },
                refused: count,
                refunded: count,
                p50_ms: time,
                p95_ms: time,
                timed: count,
              },
            },
          },
          shards_unread: count,
          meaning: { type: 'object', additionalProperties: text },
        },
      },
      jws: {
        type: ['string', 'null'],
        description: 'Detached JWS over the canonical JSON of `claims`; null: unsigned',
      },
    },
  },
} as const;

const REFUSALS: ReadonlySet<string> = new Set(['rate_limited', 'ledger_unavailable', 'internal_error']);
const refusals = describeProblems(
  Object.entries(apiProblems).flatMap(([code, row]) => (REFUSALS.has(code) ? [{ ...row, code }] : [])),
  () => 'default',
);

const describeJson = (description: string, schema: object) => ({
  200: { description, content: { 'application/json': { schema } } },
  ...refusals,
});

const about = { tags: ['reports'], security: [] } as const;

/** What is needed to check what the service signed, and its delivery figures. */
export const statementOperations = {
  keySet: defineFixedOperation('GET', KEY_SET_PATH, {
    ...about,
    operationId: 'read_key_set',
    summary: 'Public keys of results, receipts and delivery figures',
    description: 'With them anyone checks what this service signed. `signs` of a key says what it may sign.',
    responses: describeJson('A key set (RFC 7517)', { $ref: '#/components/schemas/KeySet' }),
  }),
  did: defineFixedOperation('GET', DID_PATH, {
    ...about,
    operationId: 'read_did_document',
    summary: 'The same keys of results as a DID document',
    description: 'The receipt in `PAYMENT-RESPONSE` names its key by `did:web`.',
    responses: describeJson('For tools of x402', { type: 'object' }),
  }),
  delivery: defineFixedOperation('GET', DELIVERY_JSON_PATH, {
    ...about,
    operationId: 'read_delivery_figures',
    summary: 'What was delivered, refused and refunded, and how fast',
    description: 'Of the last twelve weeks. `meaning` says what each number counts, and what is not counted.',
    responses: describeJson('By ISO week and capability', { $ref: '#/components/schemas/DeliveryFigures' }),
  }),
} as const;
