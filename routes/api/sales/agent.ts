import type { Hono } from 'hono';
import { findCapability } from '../../../src/capabilities/catalog.ts';
import type { PaymentRequiredTemplate } from '../../../src/payment/terms/payment-required.ts';
import { buildRequestScope } from '../bindings/composition.ts';
import { type AppContext, type AppEnv, type AppOptions, fail, failWith } from '../context.ts';
import { logLine } from '../../shared/log.ts';
import type { Watcher } from '../../../src/sales/event-stream.ts';
import {
  countPaidRequest,
  countQuoteRequest,
  buildTooManyFreeProblem,
  buildTooManyPaidProblem,
} from '../free-guard.ts';
import { getCallerAddress } from '../../../src/rate-limits/caller-counts.ts';
import type { PurchaseAnswer } from '../../../src/sales/answer.ts';
import { buildProblemBody } from '../../../src/problems/problem.ts';
import { isOwnAudit, payAnewText, type OfferedSale, buildOfferedSale, sellOnce } from './sell.ts';
import { streamPurchase, isEventStreamWanted } from './sell-stream.ts';
import { buildProblem } from '../../../src/problems/codes.ts';

/**
 * The 19 paid routes: `POST /api/agent/<capability>`. Without a credential the answer is 402 at once, whatever the
 * body, from terms that were laid out once; everything else is a purchase.
 */
export function registerAgentRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  app.post('/api/agent/:capability', (c) => sell(c, options));
  app.all('/api/agent/:capability', refuseNotSold);
}

/** Another method than the route's own, or a name that is not in the catalogue. */
function refuseNotSold(c: AppContext): Response {
  const name = c.req.param('capability') ?? '';
  if (name !== 'index' && !findCapability(name)) return refuseUnknownCapability(c);
  const allow = name === 'index' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
  return fail(c, 'method_not_allowed', { detail: `Allowed here: ${allow}`, headers: { allow } });
}

async function sell(c: AppContext, options: AppOptions): Promise<Response> {
  const row = findCapability(c.req.param('capability') ?? '');
  if (!row) return refuseNotSold(c);
  const scope = buildRequestScope(c);
  const outcome = await buildOfferedSale(scope, options, row);
  if (!outcome.ok) return failWith(c, outcome.problem);
  return sellByHttp(c, options, outcome.sale);
}

/** One paid route: 402 without a credential, else the purchase, as one answer or as events. */
export async function sellByHttp(c: AppContext, options: AppOptions, sale: OfferedSale): Promise<Response> {
  const request = c.req.raw;
  const credential = request.headers.get('payment-signature');
  if (credential === null) {
    if (sale.closed) return failWith(c, sale.closed);
    const free = await countQuoteRequest(c);
    return free.isAllowed ? respondPaymentRequired(c, sale.terms) : failWith(c, buildTooManyFreeProblem(free));
  }
  if (isOwnAudit(request.headers.get('via'))) {
    return fail(c, 'loop_detected');
  }
  const paid = await countPaidRequest(c);
  if (!paid.isAllowed) return failWith(c, buildTooManyPaidProblem(paid));
  const caller = getCallerAddress(request);
  const buyOnce = (watcher?: Watcher): Promise<PurchaseAnswer> => {
    const following = watcher === undefined ? {} : { watcher };
    return sellOnce(buildRequestScope(c), options, sale, { request, credential, caller, following });
  };
  if (!isEventStreamWanted(request.headers.get('accept'))) return toPurchaseResponse(c, await buyOnce(), sale);
  return streamPurchase(c, buyOnce, {
    refused: (answer) => toPurchaseResponse(c, answer, sale),
    problemOf: (answer) => buildProblemEvent(c, answer, sale),
  });
}

/** What `answered` says by status and headers, as the data of one event. */
function buildProblemEvent(
  c: AppContext,
  answer: Exclude<PurchaseAnswer, { kind: 'sold' }>,
  { terms }: OfferedSale,
): Record<string, unknown> {
  const requestId = c.get('requestId');
  const { BASE_URL } = c.get('settings');
  if (answer.kind === 'problem') {
    logLine({ event: 'refused', request_id: requestId, status: answer.problem.status, code: answer.problem.code });
    return buildProblemBody(requestId, BASE_URL, answer.problem);
  }
  logLine({ event: 'refused', request_id: requestId, status: 402, code: answer.reason });
  const { reason: code } = answer;
  const { body } = terms.fresh(payAnewText(answer), { code });
  const problem = buildProblem(code, answer.detail ? { detail: answer.detail } : {});
  return {
    ...buildProblemBody(requestId, BASE_URL, problem),
    payment_required: JSON.parse(body) as unknown,
    ...(answer.paymentResponse === undefined ? {} : { payment_response: answer.paymentResponse }),
  };
}

function toPurchaseResponse(c: AppContext, answer: PurchaseAnswer, { terms, row }: OfferedSale): Response {
  if (answer.kind === 'problem') return failWith(c, answer.problem);
  if (answer.kind === 'sold') return new Response(answer.body, { headers: answer.headers });
  logLine({ event: 'refused', request_id: c.get('requestId'), status: 402, code: answer.reason, capability: row.name });
  return respondPaymentRequired(c, terms, answer);
}

/** A 402 with fresh terms in header and body; with a refusal, `code` and text say why a new payment is the next step. */
function respondPaymentRequired(
  c: AppContext,
  terms: PaymentRequiredTemplate,
  refused?: PurchaseAnswer & { kind: 'pay_anew' },
): Response {
  const { header, body } = refused
    ? terms.fresh(payAnewText(refused), { code: refused.reason })
    : terms.fresh(undefined, PLAIN);
  return new Response(body, {
    status: 402,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'payment-required': header,
      ...(refused?.paymentResponse === undefined ? {} : { 'payment-response': refused.paymentResponse }),
    },
  });
}

const PLAIN = { code: 'payment_required' } as const;

const refuseUnknownCapability = (c: AppContext): Response =>
  fail(c, 'unknown_capability', { detail: 'GET /api/agent/index lists all capabilities' });
