import { isOurVia } from '../../../src/net/guarded-fetch.ts';
import type { Hono } from 'hono';
import { findCapability } from '../../../src/capabilities/catalog.ts';
import { findCreditPack, type SoldRow } from '../../../src/capabilities/credit-packs.ts';
import { findPanel, formatPanelPath, panels } from '../../../src/capabilities/panels.ts';
import { findTool, formatToolPath, soldTools } from '../../../src/capabilities/sold-tools.ts';
import { PAID_ROUTES } from '../../../src/openapi/paid-operations.ts';
import { findPresented } from '../../../src/payment/rails/presented.ts';
import { buildProblem } from '../../../src/problems/codes.ts';
import { buildProblemBody } from '../../../src/problems/problem.ts';
import { getCallerAddress } from '../../../src/rate-limits/caller-counts.ts';
import { buildPaymentRequired, type PurchaseAnswer } from '../../../src/sales/answer.ts';
import { addBalance } from '../../../src/sales/credit-accounts.ts';
import { formatReportLink } from '../../../src/results/links.ts';
import { addReportUrl, type Reading, renderView } from '../../../src/results/view.ts';
import { createEventChannel, STREAM_HEADERS, type Watcher } from '../../../src/sales/event-stream.ts';
import { sellOnce } from '../../../src/sales/purchase.ts';
import { buildOfferedSale, type OfferedSale } from '../../../src/sales/seller.ts';
import type { SalesPorts } from '../../../src/sales/tools.ts';
import { shortenPayer } from '../../../src/telemetry/request-span.ts';
import { logLine } from '../../shared/telemetry.ts';
import { countUnpaidAnswer } from '../bindings/console/console-counters.ts';
import { buildRequestScope, createSalesPorts } from '../bindings/composition.ts';
import { listReadingHeaders, readReading } from '../reading.ts';
import {
  type AppContext,
  type AppEnv,
  type AppOptions,
  corsHeaders,
  fail,
  failWith,
  isCookiePath,
} from '../context.ts';
import {
  buildTooManyFreeProblem,
  buildTooManyPaidProblem,
  countPaidRequest,
  countQuoteRequest,
} from '../free-guard.ts';

/**
 * The 19 paid routes: `POST /api/agent/<capability>`. Without a credential the answer is 402 at once, whatever the
 * body, from terms that were laid out once; everything else is a purchase.
 */
export function registerAgentRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  app.post(PAID_ROUTES.capability, (c) => {
    const row = findCapability(c.req.param('capability'));
    return row ? sell(c, createSalesPorts(buildRequestScope(c), options), row) : refuseNotSold(c);
  });
  app.all(PAID_ROUTES.capability, refuseNotSold);
}

/** Another method than the route's own, or a name that is not in the catalogue. */
function refuseNotSold(c: AppContext): Response {
  const name = c.req.param('capability') ?? '';
  if (name === 'index') return refuseMethod(c, 'GET, HEAD, OPTIONS');
  if (findCapability(name)) return refuseMethod(c, ALLOW);
  return fail(c, 'unknown_capability', { detail: 'GET /api/agent/index lists all capabilities' });
}

/**
 * `POST /api/credits/5`, `/20` and `/100`: prepaid credits for the account of the paying address, bought like a
 * capability by one x402 payment or by a transfer with a payer proof (rule P6).
 */
export function registerCreditRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  app.post(PAID_ROUTES.pack, (c) => {
    const pack = findCreditPack(c.req.param('pack'));
    if (!pack) return refuseUnknownPack(c);
    const ports = createSalesPorts(buildRequestScope(c), options);
    return sell(c, ports, pack, (body) => addBalance(ports.credits, body));
  });
  app.all(PAID_ROUTES.pack, (c) =>
    findCreditPack(c.req.param('pack')) ? refuseMethod(c, ALLOW) : refuseUnknownPack(c),
  );
}

/** `POST /api/panels/<name>`: a measurement by several engines, sold as a capability is. */
export function registerPanelRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  app.post(PAID_ROUTES.panel, (c) => {
    const panel = findPanel(c.req.param('panel'));
    return panel ? sell(c, createSalesPorts(buildRequestScope(c), options), panel) : refuseUnknownPanel(c);
  });
  app.all(PAID_ROUTES.panel, (c) => (findPanel(c.req.param('panel')) ? refuseMethod(c, ALLOW) : refuseUnknownPanel(c)));
}

const refuseUnknownPanel = (c: AppContext): Response =>
  fail(c, 'not_found', { detail: `Panels are sold at POST ${panels.map(formatPanelPath).join(' and ')}` });

/** `POST /api/tools/<tool>`: a tool beside the catalogue, sold as a capability is. */
export function registerToolRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  app.post(PAID_ROUTES.tool, (c) => {
    const tool = findTool(c.req.param('tool'));
    return tool ? sell(c, createSalesPorts(buildRequestScope(c), options), tool) : refuseUnknownTool(c);
  });
  app.all(PAID_ROUTES.tool, (c) => (findTool(c.req.param('tool')) ? refuseMethod(c, ALLOW) : refuseUnknownTool(c)));
}

const refuseUnknownTool = (c: AppContext): Response =>
  fail(c, 'not_found', { detail: `Tools are sold at POST ${soldTools.map(formatToolPath).join(' and ')}` });

const ALLOW = 'POST, OPTIONS';

export const refuseMethod = (c: AppContext, allow: string): Response =>
  fail(c, 'method_not_allowed', { detail: `Allowed here: ${allow}`, headers: { allow } });

/** No pack is sold for so much. */
export const refuseUnknownPack = (c: AppContext): Response =>
  fail(c, 'not_found', { detail: 'Packs are sold at POST /api/credits/5, /api/credits/20 and /api/credits/100' });

/** One paid route: 402 without a credential, else the purchase, as one answer or as events. */
async function sell(
  c: AppContext,
  ports: SalesPorts,
  row: SoldRow,
  afterSale?: OfferedSale['afterSale'],
): Promise<Response> {
  c.set('sold', { capability: row.name });
  const outcome = await buildOfferedSale(ports, row);
  if (!outcome.ok) return failWith(c, outcome.problem);
  const sale = { ...outcome.sale, ...(afterSale === undefined ? {} : { afterSale }) };
  const request = c.req.raw;
  const presented = findPresented((name) => request.headers.get(name));
  if (presented.kind === 'none') {
    if (sale.closed) return failWith(c, sale.closed);
    const free = await countQuoteRequest(c);
    if (!free.isAllowed) return failWith(c, buildTooManyFreeProblem(free));
    countUnpaidAnswer(c.env, row.name, { log: logLine, waitUntil: (work) => c.executionCtx.waitUntil(work) });
    return respondPaymentRequired(c, sale);
  }
  // Rule F7: an audit of ours that reaches a paid route of ours would audit itself for ever.
  if (isOurVia(request.headers.get('via'))) return fail(c, 'loop_detected');
  const asked = readReading(c);
  if (!asked.ok) return fail(c, asked.reason, { detail: asked.detail });
  const paid = await countPaidRequest(c);
  if (!paid.isAllowed) return failWith(c, buildTooManyPaidProblem(paid));
  if (presented.kind === 'refused') return fail(c, presented.reason, { detail: presented.detail });
  const caller = getCallerAddress(request);
  const buyOnce = async (watcher?: Watcher): Promise<PurchaseAnswer> => {
    const following = watcher === undefined ? {} : { watcher };
    const answer = await sellOnce(ports, sale, { request, presented, caller, following });
    const payer = answer.kind === 'sold' ? answer.payer : undefined;
    if (payer !== undefined) c.set('sold', { capability: row.name, payer: shortenPayer(payer) });
    return present(c, answer, asked.reading);
  };
  if (!isEventStreamWanted(request.headers.get('accept'))) return toPurchaseResponse(c, await buyOnce(), sale);
  return streamPurchase(c, buyOnce, {
    refused: (answer) => toPurchaseResponse(c, answer, sale),
    problemOf: (answer) => buildProblemEvent(c, answer, sale),
  });
}

/** A sold result in the view that its buyer asked for; everything else as it is. */
function present(c: AppContext, answer: PurchaseAnswer, reading: Reading): PurchaseAnswer {
  if (answer.kind !== 'sold') return answer;
  const place = { baseUrl: c.get('settings').BASE_URL, reportId: answer.reportId };
  return {
    ...answer,
    body: renderView(addReportUrl(answer.body, place), reading, place),
    headers: { ...answer.headers, ...listReadingHeaders(reading), link: formatReportLink(place) },
  };
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
  const { body } = buildPaymentRequired(terms, { requestId, baseUrl: BASE_URL }, answer);
  const problem = buildProblem(code, answer.detail ? { detail: answer.detail } : {});
  return {
    ...buildProblemBody(requestId, BASE_URL, problem),
    payment_required: JSON.parse(body) as unknown,
    ...(answer.paymentResponse === undefined ? {} : { payment_response: answer.paymentResponse }),
  };
}

/** How a purchase ended, by status and headers. */
export async function toPurchaseResponse(c: AppContext, answer: PurchaseAnswer, sale: OfferedSale): Promise<Response> {
  if (answer.kind === 'problem') return failWith(c, answer.problem);
  if (answer.kind === 'sold') return new Response(answer.body, { headers: answer.headers });
  logLine({
    event: 'refused',
    request_id: c.get('requestId'),
    status: 402,
    code: answer.reason,
    capability: sale.row.name,
  });
  return respondPaymentRequired(c, sale, answer);
}

/**
 * A 402 with fresh terms in header and body, and fresh challenges of MPP; with a refusal, its problem says why a new payment is
 * the next step.
 */
export async function respondPaymentRequired(
  c: AppContext,
  { terms, offer: { challenges } }: OfferedSale,
  refused?: PurchaseAnswer & { kind: 'pay_anew' },
): Promise<Response> {
  const about = { requestId: c.get('requestId'), baseUrl: c.get('settings').BASE_URL };
  const { header, body } = buildPaymentRequired(terms, about, refused);
  const issued = await challenges?.issue(Date.now());
  return new Response(body, {
    status: 402,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'payment-required': header,
      ...(issued === undefined ? {} : { 'www-authenticate': issued.fresh().header }),
      ...(refused?.paymentResponse === undefined ? {} : { 'payment-response': refused.paymentResponse }),
    },
  });
}

/** The weight of a type that a client does not accept (RFC 9110, section 12.4.2). */
const NOT_ACCEPTED = /^q=0(?:\.0{0,3})?$/;

/** Whether the client asks for an event stream, and for nothing it would rather have. */
export function isEventStreamWanted(accept: string | null): boolean {
  if (accept === null) return false;
  const types = accept.split(',').flatMap((part) => {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    return parameters.some((parameter) => NOT_ACCEPTED.test(parameter)) ? [] : [type];
  });
  return types.includes('text/event-stream') && !types.includes('application/json');
}

/** What a purchase that is not sold says in its last event: a problem, with fresh terms where a new payment is the next step. */
export type ProblemOf = (answer: Exclude<PurchaseAnswer, { kind: 'sold' }>) => Record<string, unknown>;

/**
 * Answers a purchase as events: `progress` with counts, then one `result` or one `problem`. The stream begins when the
 * payment is good; what is refused before that keeps its own status.
 */
export async function streamPurchase(
  c: AppContext,
  purchase: (watcher: Watcher) => Promise<PurchaseAnswer>,
  { refused, problemOf }: { refused: (answer: PurchaseAnswer) => Response | Promise<Response>; problemOf: ProblemOf },
): Promise<Response> {
  const channel = createEventChannel();
  const ending = purchase(channel);
  const first = await Promise.race([channel.whenAccepted.then(() => 'accepted' as const), ending]);
  if (first !== 'accepted' && first.kind !== 'sold') return refused(first);
  c.executionCtx.waitUntil(finish(c, channel, ending, problemOf));
  return new Response(channel.readable, {
    headers: { ...(isCookiePath(c.req.path) ? {} : corsHeaders), ...STREAM_HEADERS },
  });
}

async function finish(
  c: AppContext,
  channel: ReturnType<typeof createEventChannel>,
  ending: Promise<PurchaseAnswer>,
  problemOf: ProblemOf,
): Promise<void> {
  try {
    const answer = await ending;
    if (answer.kind === 'sold') channel.finish('result', answer.body);
    else channel.finish('problem', JSON.stringify(problemOf(answer)));
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    logLine({ event: 'bug', request_id: c.get('requestId'), name, message: message.slice(0, 300) });
    const problem = buildProblem('internal_error', { detail: 'Repeat the same request with the same payment' });
    const body = buildProblemBody(c.get('requestId'), c.get('settings').BASE_URL, problem);
    channel.finish('problem', JSON.stringify(body));
  }
}
