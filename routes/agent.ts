import type { Hono } from 'hono';
import type { AnyCapability } from '../src/capabilities/capability.ts';
import { capabilityNamed } from '../src/capabilities/catalog.ts';
import { LedgerUnavailable } from '../src/payment/ledger-protocol.ts';
import type { PaymentRequiredTemplate } from '../src/payment/payment-required.ts';
import { reasonRow } from '../src/payment/reasons.ts';
import { purchaseTools } from './composition.ts';
import { type AppContext, type AppEnv, type AppOptions, failWith, logLine } from './context.ts';
import { mustWait, remember } from './failure-guard.ts';
import { engineMissing } from './engine-guard.ts';
import type { Watcher } from './event-stream.ts';
import { FREE_POLICY, freeAllowed, tooManyFree } from './free-guard.ts';
import { callerOf } from './limits.ts';
import { type PurchaseAnswer, refusal } from './purchase/answer.ts';
import { purchase } from './purchase/purchase.ts';
import { type Seller, sellerOf } from './purchase/seller.ts';
import { problemBody } from './problem.ts';
import { streamPurchase, wantsEvents } from './sell-stream.ts';

/**
 * The 19 paid routes: `POST /api/agent/<capability>`. Without a credential the answer is 402 at once, whatever the
 * body, from terms that were laid out once; everything else is a purchase.
 */
export function agentRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  app.post('/api/agent/:capability', (c) => sell(c, options));
  app.all('/api/agent/:capability', notSold);
}

/** Another method than the route's own, or a name that is not in the catalogue. */
function notSold(c: AppContext): Response {
  const name = c.req.param('capability') ?? '';
  if (name !== 'index' && !capabilityNamed(name)) return unknownCapability(c);
  const allow = name === 'index' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
  return failWith(c, { status: 405, code: 'method_not_allowed', title: `Allowed here: ${allow}`, headers: { allow } });
}

async function sell(c: AppContext, options: AppOptions): Promise<Response> {
  const row = capabilityNamed(c.req.param('capability') ?? '');
  if (!row) return notSold(c);
  const missing = row.engineBacked ? await engineMissing(c, options) : undefined;
  const credential = c.req.raw.headers.get('payment-signature');
  if (missing && credential === null) return failWith(c, missing);
  const seller = await sellerOf(c.get('settings'), options.local);
  const sale = seller?.offers.get(row.name);
  if (!seller || !sale) {
    const { status, title } = reasonRow('not_configured');
    return failWith(c, { status, code: 'not_configured', title });
  }
  // What was sold while there was an engine is served without one.
  const closed = missing && ({ kind: 'problem', problem: missing } as const);
  if (credential !== null) return buy(c, options, { seller, row, ...sale, credential, ...(closed ? { closed } : {}) });
  if (!(await freeAllowed(c.req.raw, c.env.FREE_LIMIT))) return failWith(c, tooManyFree);
  return paymentRequired(sale.terms);
}

type Buying = {
  seller: Seller;
  row: AnyCapability;
  credential: string;
  closed?: PurchaseAnswer;
} & (Seller['offers'] extends ReadonlyMap<string, infer Sale> ? Sale : never);

async function buy(c: AppContext, options: AppOptions, buying: Buying): Promise<Response> {
  const request = c.req.raw;
  // Rule F7: an audit of ours that reaches a paid route of ours would audit itself for ever.
  if (/\bsightline\b/i.test(request.headers.get('via') ?? '')) {
    return failWith(c, { status: 508, code: 'loop_detected', title: 'An audit of ours asked for an audit' });
  }
  const caller = callerOf(request);
  const wait = mustWait(caller, Date.now());
  if (wait) return answered(c, refusal(wait), buying);
  const buyOnce = (watcher?: Watcher): Promise<PurchaseAnswer> => {
    const { closed } = buying;
    const tools = { ...purchaseTools(c, options, buying.seller, watcher), ...(closed ? { closed } : {}) };
    const ending = (async () => {
      const answer = await orUnavailable(() => purchase(tools, request, { ...buying, policy: options.policy(c.env) }));
      await remember(caller, answer, Date.now(), c.env.FAILED_PAYMENT_LIMIT);
      return answer;
    })();
    // A buyer that goes away must not leave a claim behind, nor escape the count of its failures.
    c.executionCtx.waitUntil(ending.catch(() => undefined)); // Its failure is reported by who awaits it.
    return ending;
  };
  if (!wantsEvents(request.headers.get('accept'))) return answered(c, await buyOnce(), buying);
  return streamPurchase(c, buyOnce, {
    refused: (answer) => answered(c, answer, buying),
    problemOf: (answer) => problemEvent(c, answer, buying),
  });
}

/** What `answered` says by status and headers, as the data of one event. */
function problemEvent(
  c: AppContext,
  answer: Exclude<PurchaseAnswer, { kind: 'sold' }>,
  { terms }: Buying,
): Record<string, unknown> {
  const requestId = c.get('requestId');
  const { BASE_URL } = c.get('settings');
  if (answer.kind === 'problem') {
    logLine({ event: 'refused', request_id: requestId, status: answer.problem.status, code: answer.problem.code });
    return problemBody(requestId, BASE_URL, answer.problem);
  }
  logLine({ event: 'refused', request_id: requestId, status: 402, code: answer.reason });
  const { reason: code } = answer;
  const { body } = terms.fresh(refusalText(answer), { code });
  const input = {
    status: 402,
    code,
    title: reasonRow(code).title,
    ...(answer.detail ? { detail: answer.detail } : {}),
  };
  return {
    ...problemBody(requestId, BASE_URL, input),
    payment_required: JSON.parse(body) as unknown,
    ...(answer.paymentResponse === undefined ? {} : { payment_response: answer.paymentResponse }),
  };
}

/** Rule P31: a ledger that cannot be reached is 503, never an open door. */
async function orUnavailable(task: () => Promise<PurchaseAnswer>): Promise<PurchaseAnswer> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof LedgerUnavailable) return refusal('ledger_unavailable');
    throw error;
  }
}

function answered(c: AppContext, answer: PurchaseAnswer, { terms, row }: Buying): Response {
  if (answer.kind === 'problem') return failWith(c, answer.problem);
  if (answer.kind === 'sold') return new Response(answer.body, { headers: answer.headers });
  logLine({ event: 'refused', request_id: c.get('requestId'), status: 402, code: answer.reason, capability: row.name });
  return paymentRequired(terms, answer);
}

/** A 402 with fresh terms in header and body; with a refusal, `code` and text say why a new payment is the next step. */
function paymentRequired(terms: PaymentRequiredTemplate, refused?: PurchaseAnswer & { kind: 'pay_anew' }): Response {
  const { header, body } = refused
    ? terms.fresh(refusalText(refused), { code: refused.reason })
    : terms.fresh(undefined, PLAIN);
  return new Response(body, {
    status: 402,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'payment-required': header,
      'ratelimit-policy': FREE_POLICY,
      ...(refused?.paymentResponse === undefined ? {} : { 'payment-response': refused.paymentResponse }),
    },
  });
}

const PLAIN = { code: 'payment_required' } as const;

const refusalText = ({ reason, detail }: PurchaseAnswer & { kind: 'pay_anew' }): string =>
  detail === undefined ? reasonRow(reason).title : `${reasonRow(reason).title}: ${detail}`;

const unknownCapability = (c: AppContext): Response =>
  failWith(c, {
    status: 404,
    code: 'unknown_capability',
    title: 'No capability of this name',
    detail: 'GET /api/agent/index lists all capabilities',
  });
