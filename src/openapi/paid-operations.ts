import { exampleBodies } from '../capabilities/bodies.ts';
import { catalog, formatUsd } from '../capabilities/catalog.ts';
import { creditPacks, packPath, type SoldRow } from '../capabilities/credit-packs.ts';
import { examplePanelBody } from '../capabilities/panel-bodies.ts';
import { formatPanelPath, panels } from '../capabilities/panels.ts';
import { formatSpendControl, isOverClientCap } from '../payment/terms/spend-control.ts';
import { describeProblemResponses } from '../problems/codes.ts';
import { linkSchema } from '../lib/json-schema.ts';
import { describeViews, findSharedResult, linkBody, linkResult } from './components.ts';
import { linkExample, selectExample } from './examples.ts';
import { defineOperation, type ApiOperation } from './operation.ts';
import { readingParameterRefs } from './reading-parameters.ts';
import { selectTag } from './tags.ts';

/** The routes of what is sold: one for all capabilities, one for all panels, one for all packs of credits. */
export const PAID_ROUTES = {
  capability: '/api/agent/:capability',
  panel: '/api/panels/:panel',
  pack: '/api/credits/:pack',
  packMonitor: '/api/credits/:pack/monitor',
} as const;

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
  ...panels.map((panel) =>
    defineOperation({
      method: 'POST',
      path: formatPanelPath(panel),
      route: PAID_ROUTES.panel,
      description: describePaidOperation(panel, examplePanelBody, hasEngine),
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
  headers: { 'PAYMENT-REQUIRED': { $ref: '#/components/headers/PaymentRequired' } },
  content: { 'application/json': { schema: linkSchema('PaymentRequired') } },
} as const;

/** A result that is sold; credits have no views. */
const describeResult = (result: { $ref: string }, example: string, hasViews = true) => ({
  description: 'The result',
  headers: {
    'PAYMENT-RESPONSE': { $ref: '#/components/headers/PaymentResponse' },
  },
  content: {
    'application/json': {
      schema: hasViews ? describeViews(result) : result,
      examples: linkExample(example),
    },
    'text/event-stream': { schema: { type: 'string' } },
  },
});

/** Results that several rows have. */
export const sharedResultResponses = {
  ChecksResult: describeResult(linkSchema('ChecksResult'), 'check_health'),
  FilesResult: describeResult(linkSchema('FilesResult'), 'generate_llms_txt'),
  PanelResult: describeResult(linkSchema('PanelResult'), 'visibility_check'),
  CreditsResult: describeResult(linkSchema('CreditsResult'), 'credits', false),
};

const describeCap = (priceMicroUsdc: number): string =>
  isOverClientCap(priceMicroUsdc) ? ` Official x402 clients need ${formatSpendControl(priceMicroUsdc)} first.` : '';

/** Parameters of what is sold. */
export const paidParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Names one purchase of the payer of a signed payment: another payment under it is 422, and not taken',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
} as const;

const idempotencyKeyRef = { $ref: '#/components/parameters/IdempotencyKey' };

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
    description: `Price: ${price} USD. At most ${row.worstCaseS} s.${describeCap(row.priceMicroUsdc)}`,
    ...(isAvailable ? payment : {}),
    'x-available': isAvailable,
    security: [{ payment: [] }],
    parameters: [idempotencyKeyRef, ...(row.bodyOptional === true ? [] : readingParameterRefs)],
    requestBody: {
      required: row.bodyOptional !== true,
      content: { 'application/json': { schema: linkBody(row), example } },
    },
    responses: {
      200:
        shared === undefined
          ? describeResult(linkResult(row), selectExample(row.name))
          : { $ref: `#/components/responses/${shared}` },
      402: { $ref: '#/components/responses/PaymentRequired' },
      ...describeProblemResponses(({ paid, status }) => paid && status !== 402),
    },
  };
}
