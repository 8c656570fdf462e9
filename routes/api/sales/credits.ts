import type { Hono } from 'hono';
import * as z from 'zod';
import { findCreditPack } from '../../../src/capabilities/credit-packs.ts';
import { LedgerUnavailable } from '../../../src/payment/ledger/protocol.ts';
import { formatUsdAmount } from '../../../src/payment/terms/usd.ts';
import { sellByHttp } from './agent.ts';
import { type RequestScope, buildRequestScope } from '../bindings/composition.ts';
import { type AppContext, type AppEnv, type AppOptions, fail, failWith } from '../context.ts';
import { logLine } from '../../shared/log.ts';
import { getCreditAccount, ensurePayerAccountId } from '../bindings/credit-account.ts';
import { buildOfferedSale } from './sell.ts';

const ALLOW = 'POST, OPTIONS';

/**
 * `POST /api/credits/5`, `/20` and `/100`: prepaid credits for the account of the paying address, bought like a
 * capability by one x402 payment or by a transfer with a payer proof (rule P6).
 */
export function registerCreditRoutes(app: Hono<AppEnv>, options: AppOptions): void {
  app.post('/api/credits/:pack', (c) => sell(c, options));
  app.all('/api/credits/:pack', (c) =>
    findCreditPack(c.req.param('pack'))
      ? fail(c, 'method_not_allowed', { detail: `Allowed here: ${ALLOW}`, headers: { allow: ALLOW } })
      : refuseUnknownPack(c),
  );
}

async function sell(c: AppContext, options: AppOptions): Promise<Response> {
  const pack = findCreditPack(c.req.param('pack') ?? '');
  if (!pack) return refuseUnknownPack(c);
  const scope = buildRequestScope(c);
  const outcome = await buildOfferedSale(scope, options, pack);
  if (!outcome.ok) return failWith(c, outcome.problem);
  return sellByHttp(c, options, { ...outcome.sale, afterSale: (body) => withBalance(scope, body) });
}

const paidBody = z.object({ payment: z.object({ payer: z.string() }) });

/**
 * The answer of the sale itself with what the account can spend now; a repeat goes without, since another client may
 * send it. Reading the balance is what credits the top-up; where the account cannot be reached, its own alarm does so,
 * and the balance is null.
 */
async function withBalance({ env, requestId }: RequestScope, body: string): Promise<string> {
  const log = (event: Record<string, unknown>): void => logLine({ request_id: requestId, ...event });
  const { payer } = paidBody.parse(JSON.parse(body)).payment;
  const balance = await readBalance(async () => {
    const account = await ensurePayerAccountId(env, log, payer);
    return (await getCreditAccount(env, account, log).view()).balanceMicroUsdc;
  });
  return `${body.slice(0, -1)},"balance":${JSON.stringify(balance)}}`;
}

async function readBalance(read: () => Promise<number>): Promise<string | null> {
  try {
    return formatUsdAmount(await read());
  } catch (error) {
    if (error instanceof LedgerUnavailable) return null;
    throw error;
  }
}

const refuseUnknownPack = (c: AppContext): Response =>
  fail(c, 'not_found', { detail: 'Packs are sold at POST /api/credits/5, /api/credits/20 and /api/credits/100' });
