import { formatCanonicalJson, parseJson } from '../../lib/json.ts';
import { decodePaymentRequiredHeader } from '@x402/core/http';
import type { PaymentRequired, PaymentRequirements } from '@x402/core/types';
import type { LocalAccount } from 'viem';
import * as z from 'zod';
import { creditPacks, packPath } from '../../capabilities/credit-packs.ts';
import { findPanel, formatPanelPath } from '../../capabilities/panels.ts';
import { findNamedTool, formatToolPath } from '../../capabilities/sold-tools.ts';
import { NETWORK } from '../../payment/terms/constants.ts';
import {
  type ServiceAnswer,
  fetchCatalogueRow,
  parseBaseUrl,
  type ServiceProblem,
  type ServiceReason,
} from './service.ts';
import type { PaymentNetwork } from './network.ts';
import { computeOrderKey, type OrderStore, type PaymentMark } from './saved-order.ts';
import {
  type Allowance,
  judgeTerms,
  paymentTermsSchema,
  refuseNetwork,
  refuseSpending,
  type SpendCounter,
  type SpendingReason,
  type SpendingRefusal,
} from './spending.ts';

export const DEFAULT_MAX_USD_PER_DAY = 20;
/** The same for the demo buyer of a local stack: its money is worth nothing, and is gone at the next start. */
export const DEMO_MAX_USD_PER_DAY = 10_000;
const MICRO_PER_USD = 1_000_000;

/** What to buy, where, and for how much at most. */
export type OpenablePurchase = {
  /** Origin of the service as configured; it is never taken from an answer. */
  baseUrl: string;
  capability: string;
  body: Record<string, unknown>;
  account: LocalAccount;
  /** Highest price in USD that may be paid for this purchase. */
  maxUsd: number;
  /** Sum in USD that may be signed for in one UTC day; 20 when absent. */
  maxUsdPerDay?: number;
  /** The network that the buyer chose; Base without a choice. */
  network?: PaymentNetwork;
  /** Pays again although a payment of the same order is open; that one is given up once the new one has its result. */
  isNew?: boolean;
};

/** What buying needs from outside. */
export type BuyerTools = {
  fetch: typeof fetch;
  counter: SpendCounter;
  orders: OrderStore;
  nowMs: () => number;
  sleep: (ms: number) => Promise<unknown>;
};

/** Reasons of our own; a refusal by the service carries the `code` of its problem document instead. */
export type LocalReason =
  | ServiceReason
  | SpendingReason
  | 'payment_failed'
  | 'transfer_failed'
  | 'wrong_chain'
  | 'result_unreadable';

/**
 * The outcome of a purchase. `signed` says whether money may have left or may yet leave: with a refusal, the same order
 * again sends the same payment. `transaction` is the hash of a transfer that was sent. `paidAtMs`: the payment is one
 * that an earlier run saved. `payment`: what the result was paid with.
 */
export type Purchase =
  | {
      ok: true;
      result: Record<string, unknown>;
      payment?: PaymentMark;
      transaction?: string;
      paidAtMs?: number;
    }
  | {
      ok: false;
      reason: LocalReason | (string & {});
      detail: string;
      status?: number;
      signed: boolean;
      transaction?: string;
      /** Of `wrong_network`: where the service is paid instead, in CAIP-2. */
      offered?: readonly string[];
    };

/** Where an order goes, and what it is called among the saved ones. */
export type LocatedOrder = { ok: true; origin: string; endpoint: string; bodyText: string; key: string };

/** `isFirst`: whether the service looks for a bare hash of a transfer on this network. */
export type OpenOrder = LocatedOrder & {
  allowance: Allowance;
  network: PaymentNetwork;
  isFirst: boolean;
};

/** Checks where we buy. Asks nothing. */
export async function locateOrder(order: OpenablePurchase): Promise<LocatedOrder | (Purchase & { ok: false })> {
  const base = parseBaseUrl(order.baseUrl);
  if (!base.ok) return { ...base, signed: false };
  const { origin } = base;
  const { capability } = order;
  const bodyText = formatCanonicalJson(order.body);
  const key = await computeOrderKey({ origin, capability, bodyText, payer: order.account.address });
  return { ok: true, origin, endpoint: `${origin}${formatSalesPath(capability)}`, bodyText, key };
}

/** Forgets the payment of a result that has reached the caller: the same order again is a new one. */
export async function forgetOrder(
  order: OpenablePurchase,
  { payment }: { payment?: PaymentMark },
  { orders }: Pick<BuyerTools, 'orders'>,
): Promise<void> {
  const place = await locateOrder(order);
  if (place.ok && payment !== undefined) await orders.forget(place.key, payment);
}

/** Reads the catalogue: what may be signed is settled before the service asks for anything. */
export async function openOrder(
  order: OpenablePurchase,
  place: LocatedOrder,
  tools: BuyerTools,
): Promise<OpenOrder | (Purchase & { ok: false })> {
  const { capability, network = NETWORK } = order;
  const row = await fetchCatalogueRow(place.origin, { capability, network }, tools.fetch);
  if (!row.ok) return { ...row, signed: false };
  const cap = convertToMicroUsdc(order.maxUsd);
  return {
    ...place,
    network,
    isFirst: row.isFirst,
    allowance: {
      network,
      payTo: row.payTo,
      catalogueMicroUsdc: row.microUsdc,
      maxMicroUsdc: cap < row.microUsdc ? cap : row.microUsdc,
      maxMicroUsdcPerDay: convertToMicroUsdc(order.maxUsdPerDay ?? DEFAULT_MAX_USD_PER_DAY),
    },
  };
}

/** Where a capability is sold, or a credit pack; the service's own word for it is never taken. */
export function formatSalesPath(name: string): string {
  const pack = creditPacks.find((one) => one.name === name);
  const panel = findPanel(name);
  if (panel) return formatPanelPath(panel);
  const tool = findNamedTool(name);
  if (tool) return formatToolPath(tool);
  return pack ? packPath(pack) : `/api/agent/${name}`;
}

/** The request of an order without payment. */
export const buildUnpaidRequest = ({ endpoint, bodyText }: LocatedOrder): Request =>
  new Request(endpoint, { method: 'POST', headers: { 'content-type': 'application/json' }, body: bodyText });

/** The request of an order with its credential. */
export function buildPaidRequest(place: LocatedOrder, credential: string): Request {
  const request = buildUnpaidRequest(place);
  request.headers.set('payment-signature', credential);
  return request;
}

export type PayableTerms = { ok: true; required: PaymentRequired; terms: PaymentRequirements };

/** The first entry of a 402's `accepts` that we may pay, or why the first one on the chosen network is not one. */
export function selectAcceptedTerms(header: string | null, allowance: Allowance): PayableTerms | SpendingRefusal {
  const required = decode(header);
  if (required === undefined)
    return refuseSpending('terms_unreadable', 'the 402 has no readable PAYMENT-REQUIRED header of x402 version 2');
  const verdicts = required.accepts.map((terms) => ({ terms, verdict: judgeTerms(terms, allowance) }));
  const good = verdicts.find(({ verdict }) => verdict.ok);
  if (good !== undefined) return { ok: true, required, terms: good.terms };
  if (verdicts.length === 0) return refuseSpending('terms_unreadable', 'the 402 accepts nothing');
  const { network } = allowance;
  const own = verdicts.find(({ terms }) => terms.network === network)?.verdict;
  return own === undefined || own.ok
    ? refuseNetwork(
        network,
        required.accepts.map((terms) => terms.network),
      )
    : own;
}

const requiredSchema = z.looseObject({
  x402Version: z.literal(2),
  accepts: z.array(paymentTermsSchema),
});

function decode(header: string | null): PaymentRequired | undefined {
  if (header === null) return undefined;
  try {
    const required = decodePaymentRequiredHeader(header);
    return requiredSchema.safeParse(required).success ? required : undefined;
  } catch {
    return undefined; // Not base64, or not JSON: the caller refuses it as unreadable.
  }
}

/** The result of a 200. */
export function readPurchase(answer: ServiceAnswer, payment?: PaymentMark): Purchase {
  const sent = payment?.by === 'transfer' ? { transaction: payment.transaction } : {};
  const body = z.record(z.string(), z.unknown()).safeParse(parseJson(answer.text));
  if (body.success) return { ok: true, result: body.data, ...(payment === undefined ? {} : { payment }), ...sent };
  return {
    ok: false,
    reason: 'result_unreadable',
    detail: 'the answer is no JSON object',
    status: answer.status,
    signed: true,
    ...sent,
  };
}

/** A refusal by the service. */
export const buildServiceRefusal = (
  answer: ServiceAnswer,
  { code, detail }: ServiceProblem,
  signed: boolean,
  transaction?: string,
): Purchase => ({
  ok: false,
  reason: code,
  detail,
  status: answer.status,
  signed,
  ...(transaction === undefined ? {} : { transaction }),
});

/** USD to micro-USDC, rounded down: a limit is never exceeded by rounding. Nonsense (NaN, negative) is no money at all. */
function convertToMicroUsdc(amountUsd: number): bigint {
  const micro = Math.floor(amountUsd * MICRO_PER_USD + 1e-6);
  return Number.isSafeInteger(micro) && micro > 0 ? BigInt(micro) : 0n;
}
