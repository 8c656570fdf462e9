import { exampleBodies } from '../capabilities/bodies.ts';
import { catalog, formatUsd } from '../capabilities/catalog.ts';
import { creditPacks, packPath, type SoldRow } from '../capabilities/credit-packs.ts';
import { examplePanelBody } from '../capabilities/panel-bodies.ts';
import { formatPanelPath, panels } from '../capabilities/panels.ts';
import { exampleSellerBody, formatToolPath, soldTools } from '../capabilities/sold-tools.ts';
import { INTENT, METHOD } from '../payment/rails/mpp/challenge.ts';
import { BASE } from '../payment/terms/networks-data.ts';
import { formatSpendControl, isOverClientCap } from '../payment/terms/spend-control.ts';
import { describeProblemResponses } from '../problems/codes.ts';
import { linkSchema } from '../lib/json-schema.ts';
import { exampleMonitorBody } from '../monitors/core/monitor-body.ts';
import { describeViews, findSharedResult, linkBody, linkResult } from './components.ts';
import { dryRunParameterRef, dryRunParameters } from './dry-run.ts';
import { linkExample, selectExample } from './examples.ts';
import { defineOperation, type ApiOperation } from './operation.ts';
import { readingParameterRefs } from './reading-parameters.ts';
import { selectTag } from './tags.ts';

/** The routes of what is sold: one for all capabilities, one for all panels, one for all tools, one for all packs of credits. */
export const PAID_ROUTES = {
  capability: '/api/agent/:capability',
  panel: '/api/panels/:panel',
  tool: '/api/tools/:tool',
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
  ...soldTools.map((tool) =>
    defineOperation({
      method: 'POST',
      path: formatToolPath(tool),
      route: PAID_ROUTES.tool,
      description: describePaidOperation(tool, exampleSellerBody, true),
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
  buildPackWithMonitorOperation(),
];

const MPP = { method: METHOD, intent: INTENT, currency: BASE.usdc } as const;

/**
 * `x-payment-info` of an operation: its price, and the ways to pay it. Crawlers of x402 read `price` and `protocols`, those of
 * MPP read `offers`.
 * @see https://paymentauth.org/draft-payment-discovery-00.html
 */
const describePrice = (priceMicroUsdc: number) => ({
  'x-payment-info': {
    price: { mode: 'fixed', currency: 'USD', amount: formatUsd(priceMicroUsdc) },
    protocols: [{ x402: {} }, { mpp: MPP }],
    offers: [{ ...MPP, amount: String(priceMicroUsdc) }],
  },
});

/** The same where the address says which of several prices it is. */
const describePrices = (pricesMicroUsdc: readonly number[]) => ({
  'x-payment-info': {
    price: {
      mode: 'dynamic',
      currency: 'USD',
      min: formatUsd(Math.min(...pricesMicroUsdc)),
      max: formatUsd(Math.max(...pricesMicroUsdc)),
    },
    protocols: [{ x402: {} }, { mpp: MPP }],
    offers: [{ ...MPP, amount: null }],
  },
});

/** Either of them pays. */
const PAYMENT_SCHEMES = [{ payment: [] }, { mpp: [] }];

/** Headers of what is sold. */
export const paidHeaders = {
  PaymentChallenge: {
    description: 'A challenge of the scheme Payment (MPP) for each network',
    schema: { type: 'string' },
  },
  PaymentReceipt: { description: 'The settlement, to a payment by MPP: base64url of JSON', schema: { type: 'string' } },
  PaymentRequired: { description: 'The terms, base64 of the JSON of x402', schema: { type: 'string' } },
  PaymentResponse: { description: 'The settlement, base64 of the JSON of x402', schema: { type: 'string' } },
} as const;

/** The 402 of every paid route. */
export const paymentRequiredResponse = {
  description: 'Payment required: a new payment is the right next step',
  headers: {
    'PAYMENT-REQUIRED': { $ref: '#/components/headers/PaymentRequired' },
    'WWW-Authenticate': { $ref: '#/components/headers/PaymentChallenge' },
  },
  content: { 'application/json': { schema: linkSchema('PaymentRequired') } },
} as const;

/** A result that is sold; credits have no views. */
const describeResult = (result: { $ref: string }, example: string, hasViews = true) => ({
  description: 'The result',
  headers: {
    'PAYMENT-RESPONSE': { $ref: '#/components/headers/PaymentResponse' },
    'Payment-Receipt': { $ref: '#/components/headers/PaymentReceipt' },
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
  ...dryRunParameters,
} as const;

const idempotencyKeyRef = { $ref: '#/components/parameters/IdempotencyKey' };

/** A pack and a monitor by one payment, at an address for each pack. */
function buildPackWithMonitorOperation(): ApiOperation {
  const packs = creditPacks.map(({ dollars }) => String(dollars));
  const pack = {
    name: 'pack',
    in: 'path',
    required: true,
    description: 'The pack, by its price in USD',
    schema: { type: 'string', enum: packs },
    example: packs[0],
  };
  const body = { schema: linkSchema('CreateMonitorBody'), example: exampleMonitorBody };
  return defineOperation({
    method: 'POST',
    path: '/api/credits/{pack}/monitor',
    route: PAID_ROUTES.packMonitor,
    description: {
      operationId: 'buy_credits_with_monitor',
      tags: ['credits'],
      summary: 'Prepaid credits, and a monitor that they pay for',
      description:
        'For agents without an account: a signed payment for the pack, and the monitor as the body, which is judged before the payment.',
      ...describePrices(creditPacks.map(({ priceMicroUsdc }) => priceMicroUsdc)),
      security: PAYMENT_SCHEMES,
      parameters: [pack, idempotencyKeyRef, dryRunParameterRef],
      requestBody: { required: true, content: { 'application/json': body } },
      responses: {
        200: {
          description:
            'The pack and the monitor. `monitor_token` opens this monitor alone, and is in the first answer to a payment only. `monitor` is null where it could not be made, and `monitor_problem` says why: the credits are there all the same',
          content: { 'application/json': { schema: PACK_WITH_MONITOR } },
        },
        402: { $ref: '#/components/responses/PaymentRequired' },
        ...describeProblemResponses(({ paid, status }) => paid && status !== 402),
      },
    },
  });
}

const PACK_WITH_MONITOR = {
  allOf: [
    linkSchema('CreditsResult'),
    {
      type: 'object',
      required: ['monitor'],
      properties: {
        monitor: { oneOf: [linkSchema('Monitor'), { type: 'null' }] },
        monitor_token: { type: 'string' },
        monitor_problem: { type: 'object' },
      },
    },
  ],
};

/** `example` is a body that is accepted. */
function describePaidOperation(row: SoldRow, example: unknown, isAvailable: boolean): Record<string, unknown> {
  const price = formatUsd(row.priceMicroUsdc);
  const shared = findSharedResult(row);
  return {
    operationId: row.name,
    tags: [selectTag(row)],
    summary: row.summary,
    description: `Price: ${price} USD. At most ${row.worstCaseS} s.${describeCap(row.priceMicroUsdc)}`,
    ...(isAvailable ? describePrice(row.priceMicroUsdc) : {}),
    'x-available': isAvailable,
    security: PAYMENT_SCHEMES,
    parameters: [idempotencyKeyRef, dryRunParameterRef, ...(row.bodyOptional === true ? [] : readingParameterRefs)],
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
