import { homedir } from 'node:os';
import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { buildProblemResult } from '../../mcp/result.ts';
import { BAD_VIEW, buildSoldResult, readWantedView } from '../../mcp/sold-result.ts';
import type { ToolCall } from '../../mcp/tool-host.ts';
import { buildProblem, findProblemRow } from '../../problems/codes.ts';
import { buyWithX402 } from '../buy/buyer.ts';
import type { Caps } from './credentials.ts';
import { type BuyerTools, forgetOrder, locateOrder, type Purchase } from '../buy/order.ts';
import type { PaymentNetwork } from '../buy/network.ts';
import { refuseSpending, type SpendCounter } from '../buy/spending.ts';
import { createBuyerTools } from '../buy/tools.ts';
import type { Wallet } from '../buy/wallet.ts';

/** A wallet with its limits and its network, for one service. */
export type PayingWallet = { origin: string; wallet: Wallet; caps: Caps; network: PaymentNetwork; tools: BuyerTools };

export const createPayingWallet = (paying: Omit<PayingWallet, 'tools'>): PayingWallet => ({
  ...paying,
  tools: createBuyerTools(paying.wallet),
});

/** Buys a capability by one signed payment within both limits; nothing of the call changes them, or the network (rule A9). */
export async function callAndPay(call: ToolCall, paying: PayingWallet): Promise<CallToolResult> {
  const { origin, wallet, caps, network, tools } = paying;
  const view = readWantedView(call.meta);
  if (view === undefined) return buildProblemResult(buildProblem('invalid_view', { detail: BAD_VIEW }));
  const order = {
    baseUrl: origin,
    capability: call.name,
    body: call.arguments,
    account: wallet.account,
    maxUsd: caps.perCall,
    maxUsdPerDay: caps.perDay,
    network,
  };
  const purchase = await buyWithX402(order, stopUnsigned(tools, call.signal));
  const place = await locateOrder(order);
  const file = place.ok ? tools.orders.locate(place.key).replace(homedir(), '~') : undefined;
  if (!purchase.ok) return describeRefusedPurchase(purchase, file);
  const sold = soldSchema.safeParse(purchase.result);
  if (!sold.success)
    return describeRefusedPurchase({ ok: false, reason: 'result_unreadable', detail: '', signed: true }, file);
  const warnings = [...sold.data.warnings, ...listAgeWarnings(purchase)];
  const result = buildSoldResult(JSON.stringify({ ...purchase.result, warnings }), { home: origin, view });
  // The answer to a cancelled call reaches no one: its repeat gets the same result.
  if (call.signal?.aborted !== true) await forgetOrder(order, purchase, tools);
  return result;
}

/** A result that an earlier call paid for says so: the site may have changed since. */
function listAgeWarnings({ paidAtMs }: Purchase & { ok: true }): readonly string[] {
  if (paidAtMs === undefined) return [];
  const day = new Date(paidAtMs).toISOString().slice(0, 10);
  return [
    `This is the result of the payment of ${day}, whose call did not end: nothing more was paid. The same call now pays for a new one.`,
  ];
}

/** What `buildSoldResult` needs of an answer that was paid for. */
const soldSchema = z.looseObject({
  capability: z.string(),
  report_id: z.string().regex(/^[0-9a-f]{32}$/),
  warnings: z.array(z.string()),
  payment: z.record(z.string(), z.unknown()).optional(),
});

/** A cancelled call signs nothing any more; what was signed is fetched to its end, for it was paid (rule Y8). */
function stopUnsigned(tools: BuyerTools, signal: AbortSignal | undefined): BuyerTools {
  if (signal === undefined) return tools;
  const counter: SpendCounter = {
    reserve: async (...amount) =>
      signal.aborted
        ? refuseSpending('unexpected_message', 'the call was cancelled')
        : tools.counter.reserve(...amount),
  };
  return { ...tools, counter };
}

/** Refusals of the purchase itself, which the service's table does not have. */
const OWN_TITLES: Readonly<Record<string, string>> = {
  amount_above_cap: 'The price is above the limit for one call, SIGHTLINE_MAX_USD_PER_CALL',
  daily_limit_reached: 'The limit for a day, SIGHTLINE_MAX_USD_PER_DAY, is reached',
  wrong_network: 'The service is not paid on the network of the wallet: start sightline mcp with another --network',
  counter_unavailable: 'The file that counts what was signed cannot be used',
  orders_unavailable: 'The folder of open orders cannot be used',
  service_unreachable: 'The service did not answer',
  result_unreadable: 'The service was paid but its answer is not a result',
};
const CODE = /^[a-z][a-z0-9_]{0,59}$/;

/** What the table says of the charge holds only while nothing is signed: the service may say one thing and settle. */
const formatTitle = (code: string, signed: boolean): string => {
  const title = OWN_TITLES[code] ?? findProblemRow(code)?.title ?? 'The purchase was refused';
  return signed ? title.replace('; nothing was charged', '') : title;
};

/** What came of it in our words: details may quote the service, the site or the chain, and none reaches a model (rule X4). */
function describeRefusedPurchase(
  { reason, status, signed }: Purchase & { ok: false },
  file: string | undefined,
): CallToolResult {
  const code = CODE.test(reason) ? reason : 'purchase_refused';
  const title = formatTitle(code, signed);
  const next = findProblemRow(code)?.next;
  if (signed)
    return buildProblemResult({ status: status ?? 402, code, title, detail: describeSigned(code, status, file) });
  const unpaid = { status: status ?? 402, code, title, detail: 'Nothing was signed or paid' };
  return buildProblemResult(next === undefined ? unpaid : { ...unpaid, next });
}

/** `file`: where the payment is saved. */
function describeSigned(code: string, status: number | undefined, file: string | undefined): string {
  if (status === 402) return NOT_TAKEN;
  return USED_UP.has(code) && file !== undefined
    ? `The payment was used, and its result cannot be read. The same call sends the same payment again: to pay for another result, delete ${file} first`
    : PERHAPS_PAID;
}

/** What a repeat of the same payment is not likely to change. */
const USED_UP: ReadonlySet<string> = new Set(['payment_already_used', 'result_unreadable']);
const PERHAPS_PAID =
  'A payment was signed and may still be settled: repeat the call with the same arguments, which sends the same payment and pays once';
const NOT_TAKEN = 'A payment was signed, and the service says that it was not taken';
