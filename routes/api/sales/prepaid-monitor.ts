import type { Hono } from 'hono';
import { findCreditPack } from '../../../src/capabilities/credit-packs.ts';
import { isOurVia } from '../../../src/net/guarded-fetch.ts';
import type { NewMonitor } from '../../../src/monitors/core/protocol.ts';
import { PAID_ROUTES } from '../../../src/openapi/paid-operations.ts';
import { findPresented, type PresentedCredential } from '../../../src/payment/rails/presented.ts';
import { PAYER_PROOF_HEADER } from '../../../src/payment/rails/payer-proof-header.ts';
import { getCallerAddress } from '../../../src/rate-limits/caller-counts.ts';
import { addReportUrl } from '../../../src/results/view.ts';
import type { PurchaseAnswer } from '../../../src/sales/answer.ts';
import { addBalance } from '../../../src/sales/credit-accounts.ts';
import {
  makePrepaidMonitor,
  type PrepaidPorts,
  readPrepaidMonitor,
  refusePrepaidCredential,
} from '../../../src/sales/monitors/prepaid-monitor.ts';
import { sellOnce } from '../../../src/sales/purchase.ts';
import { buildOfferedSale, type OfferedSale } from '../../../src/sales/seller.ts';
import type { SalesPorts } from '../../../src/sales/tools.ts';
import { shortenPayer } from '../../../src/telemetry/request-span.ts';
import { logLine } from '../../shared/telemetry.ts';
import { countUnpaidAnswer } from '../bindings/console/console-counters.ts';
import { buildRequestScope, createSalesPorts } from '../bindings/composition.ts';
import { createMonitorApiPorts } from '../bindings/monitor-api.ts';
import { type AppContext, type AppEnv, type AppOptions, fail, failWith } from '../context.ts';
import {
  buildTooManyFreeProblem,
  buildTooManyPaidProblem,
  countPaidRequest,
  countQuoteRequest,
} from '../free-guard.ts';
import { readJson } from '../monitors/answers.ts';
import { refuseMethod, refuseUnknownPack, respondPaymentRequired, toPurchaseResponse } from './paid.ts';

/**
 * `POST /api/credits/5/monitor`, `/20` and `/100`: a pack and a monitor by one signed payment, for agents without an account. What is
 * sold is the pack, by the terms of its own route; the body is the monitor, which is judged before any payment is looked at.
 */
export function registerPrepaidMonitorRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  app.post(PAID_ROUTES.packMonitor, (c) => sellMonitor(c, options));
  app.all(PAID_ROUTES.packMonitor, (c) =>
    findCreditPack(c.req.param('pack')) ? refuseMethod(c, 'POST, OPTIONS') : refuseUnknownPack(c),
  );
}

async function sellMonitor(c: AppContext, options: AppOptions): Promise<Response> {
  const pack = findCreditPack(c.req.param('pack') ?? '');
  if (!pack) return refuseUnknownPack(c);
  c.set('sold', { capability: pack.name });
  const scope = buildRequestScope(c);
  const sales = createSalesPorts(scope, options);
  const monitors = createMonitorApiPorts(scope, options);
  if (monitors === undefined) return fail(c, 'monitors_unavailable', { detail: 'This deployment has no monitors' });
  const presented = findPresented((name) => c.req.header(name));
  const over = await countRequest(c, presented.kind !== 'none');
  if (over) return failWith(c, over);
  if (isOurVia(c.req.header('via') ?? null)) return fail(c, 'loop_detected'); // Rule F7.
  const outcome = await buildOfferedSale(sales, pack);
  if (!outcome.ok) return failWith(c, outcome.problem);
  const { sale } = outcome;
  // Asked without a body, it says what a pack costs: what would be watched is judged once it is there.
  if (presented.kind === 'none' && hasNoBody(c)) return respondPrice(c, sale);
  const body = await readJson(c);
  if (!body.ok) return body.response;
  const read = await readPrepaidMonitor(monitors, body.value, pack);
  if (!read.ok) return failWith(c, read.problem);
  if (presented.kind === 'none') return respondPrice(c, sale);
  if (presented.kind === 'refused') return fail(c, presented.reason, { detail: presented.detail });
  const refused = await refusePrepaidCredential(presented);
  if (refused) return failWith(c, refused);
  const prepaid = { monitors, credits: sales.credits };
  const buying = buy(c, { sales, sale, presented, prepaid }, read.value);
  scope.waitUntil(buying.catch(() => undefined)); // Its failure is reported by who awaits it.
  return toPurchaseResponse(c, await buying, sale);
}

const hasNoBody = ({ req }: AppContext): boolean => req.raw.body === null || req.header('content-length') === '0';

function respondPrice(c: AppContext, sale: OfferedSale): Response | Promise<Response> {
  if (sale.closed) return failWith(c, sale.closed);
  countUnpaidAnswer(c.env, sale.row.name, { log: logLine, waitUntil: (work) => c.executionCtx.waitUntil(work) });
  return respondPaymentRequired(c, sale);
}

async function countRequest(c: AppContext, isPaid: boolean) {
  const counted = isPaid ? await countPaidRequest(c) : await countQuoteRequest(c);
  if (counted.isAllowed) return undefined;
  return isPaid ? buildTooManyPaidProblem(counted) : buildTooManyFreeProblem(counted);
}

type Purchase = { sales: SalesPorts; sale: OfferedSale; presented: PresentedCredential; prepaid: PrepaidPorts };

/** The pack, then the monitor: the balance is read in between, which credits what was bought before the first run is due. */
async function buy(
  c: AppContext,
  { sales, sale, presented, prepaid }: Purchase,
  monitor: NewMonitor,
): Promise<PurchaseAnswer> {
  const answer = await sellOnce(
    sales,
    { ...sale, afterSale: (body) => addBalance(sales.credits, body) },
    { request: buildPackRequest(c, sale), presented, caller: getCallerAddress(c.req.raw) },
  );
  if (answer.kind !== 'sold') return answer;
  const { payer, reportId } = answer;
  c.set('sold', { capability: sale.row.name, payer: shortenPayer(payer) });
  const made = await makePrepaidMonitor(prepaid, monitor, answer);
  const body = addReportUrl(answer.body, { baseUrl: c.get('settings').BASE_URL, reportId });
  return { ...answer, body: `${body.slice(0, -1)},${JSON.stringify(made).slice(1)}` };
}

/** The request that buys the same pack at its own route: one payment is one sale through both. */
function buildPackRequest(c: AppContext, { offer }: OfferedSale): Request {
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const name of ['idempotency-key', PAYER_PROOF_HEADER]) {
    const value = c.req.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  return new Request(offer.url, { method: 'POST', headers, body: '{}' });
}
