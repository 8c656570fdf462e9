import { exampleBodies } from '../capabilities/bodies.ts';
import { catalog, formatUsd } from '../capabilities/catalog.ts';
import { creditPacks, packPath, type SoldRow } from '../capabilities/credit-packs.ts';
import { describeProblemResponses } from '../problems/codes.ts';
import { rateHeaderRef } from '../problems/problem.ts';
import { refToSchema } from '../lib/json-schema.ts';
import { describeViews, findSharedResult, refToBody, refToResult, sharedResultNames } from './components.ts';
import { defineOperation, type ApiOperation } from './operation.ts';
import { readingHeaderRefs, readingParameterRefs } from './reading-parameters.ts';
import { selectTag } from './tags.ts';

/** The routes of what is sold: one for all capabilities, one for all packs of credits. */
export const PAID_ROUTES = { capability: '/api/agent/:capability', pack: '/api/credits/:pack' } as const;

/** An operation for each row of the catalogue and each pack. `hasEngine`: an answer engine is configured. */
export const listPaidOperations = (hasEngine: boolean): readonly ApiOperation[] => [
  ...catalog.map((row) =>
    defineOperation({
      method: 'POST',
      path: `/api/agent/${row.name}`,
      route: PAID_ROUTES.capability,
      description: describePaidOperation(row, exampleBodies[row.name], hasEngine || !row.engineBacked),
    }),
  ),
  ...creditPacks.map((pack) =>
    defineOperation({
      method: 'POST',
      path: packPath(pack),
      route: PAID_ROUTES.pack,
      description: describePaidOperation(pack, {}, true),
    }),
  ),
];

/** Headers of what is sold. */
export const paidHeaders = {
  PaymentRequired: { description: 'The terms, base64 of the JSON of x402', schema: { type: 'string' } },
  PaymentResponse: { description: 'The settlement, base64 of the JSON of x402', schema: { type: 'string' } },
} as const;

/** The 402 of every paid route. */
export const paymentRequiredResponse = {
  description: 'Payment required: a new payment is the right next step',
  headers: { ...rateHeaderRef, 'PAYMENT-REQUIRED': { $ref: '#/components/headers/PaymentRequired' } },
  content: { 'application/json': { schema: refToSchema('PaymentRequired') } },
} as const;

/** A result that is sold; credits have no views. */
const describeResult = (result: { $ref: string }, hasViews = true) => ({
  description: 'The result',
  headers: {
    'PAYMENT-RESPONSE': { $ref: '#/components/headers/PaymentResponse' },
    ...(hasViews ? readingHeaderRefs : {}),
  },
  content: {
    'application/json': { schema: hasViews ? describeViews(result) : result },
    'text/event-stream': { schema: refToSchema('ProgressEvents') },
  },
});

/** Results that several rows have. */
export const sharedResultResponses = Object.fromEntries(
  sharedResultNames.map((name) => [name, describeResult(refToSchema(name), name !== 'CreditsResult')]),
);

/** What clients get that ask for `text/event-stream`. */
export const progressEvents = {
  type: 'string',
  description:
    'Server-sent events: `progress` with counts, then one `result` (the JSON answer) or one `problem`; settlement is in `result.payment`.',
} as const;

/** Statuses that clients of a paid route act on; the others are described together. */
const OWN_STATUSES = new Set([409, 422, 429, 503]);
const groupStatus = (status: number): string =>
  OWN_STATUSES.has(status) ? String(status) : `${Math.floor(status / 100)}XX`;

/** `example` is a body that is accepted. */
function describePaidOperation(row: SoldRow, example: unknown, isAvailable: boolean): Record<string, unknown> {
  const price = formatUsd(row.priceMicroUsdc);
  const shared = findSharedResult(row);
  const payment = {
    'x-payment-info': { price: { mode: 'fixed', currency: 'USD', amount: price }, protocols: [{ x402: {} }] },
  };
  return {
    operationId: row.name,
    tags: [selectTag(row)],
    summary: row.summary,
    description: `Costs ${price} USD, and takes ${row.worstCaseS} s at most.`,
    ...(isAvailable ? payment : {}),
    'x-available': isAvailable,
    security: [{ payment: [] }],
    ...(row.bodyOptional === true ? {} : { parameters: readingParameterRefs }),
    requestBody: {
      required: row.bodyOptional !== true,
      content: { 'application/json': { schema: refToBody(row), example } },
    },
    responses: {
      200: shared === undefined ? describeResult(refToResult(row)) : { $ref: `#/components/responses/${shared}` },
      402: { $ref: '#/components/responses/PaymentRequired' },
      ...describeProblemResponses(({ paid, status }) => paid && status !== 402, groupStatus),
    },
  };
}
