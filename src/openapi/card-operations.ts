import { CARD_WEBHOOK_PATH } from '../payment/cards/webhook.ts';
import { apiProblems } from '../problems/codes.ts';
import { describeProblems } from '../problems/problem.ts';
import { defineFixedOperation } from './operation.ts';

const REFUSALS: ReadonlySet<string> = new Set([
  'card_event_refused',
  'body_too_large',
  'not_found',
  'rate_limited',
  'ledger_unavailable',
]);
const refusals = describeProblems(
  Object.entries(apiProblems).flatMap(([code, row]) => (REFUSALS.has(code) ? [{ ...row, code }] : [])),
  () => 'default',
);

/** What Stripe calls. */
export const cardOperations = {
  event: defineFixedOperation('POST', CARD_WEBHOOK_PATH, {
    operationId: 'receive_card_event',
    tags: ['credits'],
    summary: "Stripe's events",
    description: 'For Stripe alone: an event signed in `Stripe-Signature`. 404 where cards are off.',
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
    responses: {
      200: {
        description: 'Stored, or about nothing here',
        content: { 'application/json': { schema: { type: 'object', properties: { received: { type: 'string' } } } } },
      },
      ...refusals,
    },
  }),
};
