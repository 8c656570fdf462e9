import { exampleBodies } from '../capabilities/bodies.ts';
import { buildBodySchema, buildJsonSchema } from '../capabilities/capability.ts';
import { catalog, formatUsd } from '../capabilities/catalog.ts';
import { creditPacks, packPath, type SoldRow } from '../capabilities/credit-packs.ts';
import { defineEnvelope } from '../capabilities/results.ts';
import { formatSpendControl, isOverClientCap, SPEND_CONTROL } from '../payment/terms/spend-control.ts';
import { describeProblemResponses } from '../problems/codes.ts';
import { defineOperation, type ApiOperation } from './operation.ts';
import { readingHeaders, readingParameters } from './reading-parameters.ts';

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

/** Of every paid route, for clients that ask for `text/event-stream`. */
const EVENTS =
  'Server-sent events: `progress` with counts, then one `result` (the JSON answer) or one `problem`; settlement is in `result.payment`.';

const describeCap = (priceMicroUsdc: number): string =>
  isOverClientCap(priceMicroUsdc)
    ? ` Official x402 clients refuse it until ${SPEND_CONTROL} is raised: client.${formatSpendControl(priceMicroUsdc)}.`
    : '';

/** `example` is a body that is accepted. */
function describePaidOperation(row: SoldRow, example: unknown, isAvailable: boolean): Record<string, unknown> {
  const price = formatUsd(row.priceMicroUsdc);
  const payment = {
    'x-payment-info': { price: { mode: 'fixed', currency: 'USD', amount: price }, protocols: [{ x402: {} }] },
  };
  return {
    operationId: row.name,
    summary: row.summary,
    description: `${row.summary}. Price: ${price} USD.${describeCap(row.priceMicroUsdc)}`,
    ...(isAvailable ? payment : {}),
    'x-available': isAvailable,
    security: [{ payment: [] }],
    ...(row.bodyOptional === true ? {} : { parameters: readingParameters }),
    requestBody: {
      required: row.bodyOptional !== true,
      content: { 'application/json': { schema: buildBodySchema(row), example } },
    },
    responses: {
      200: {
        description: 'The result; PAYMENT-RESPONSE carries the settlement',
        headers: {
          'PAYMENT-RESPONSE': { schema: { type: 'string' } },
          ...(row.bodyOptional === true ? {} : readingHeaders),
        },
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
