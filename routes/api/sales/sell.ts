import type { SoldRow } from '../../../src/capabilities/credit-packs.ts';
import { howToConfigure } from '../../../src/models/registry.ts';
import { isDemonstration } from '../../../src/models/port.ts';
import { auditRoom } from '../../../src/net/held-bytes.ts';
import { isOurVia } from '../../../src/net/guarded-fetch.ts';
import { ChainUnreachable, createLazyChain } from '../../../src/payment/chain/chain.ts';
import { createChainReader } from '../../../src/payment/chain/viem-chain.ts';
import { LedgerUnavailable } from '../../../src/payment/ledger/protocol.ts';
import type { PaymentRequiredTemplate } from '../../../src/payment/terms/payment-required.ts';
import { getReasonRow } from '../../../src/payment/terms/reasons.ts';
import type { PricedOffer } from '../../../src/payment/terms/requirements.ts';
import { type ProblemInput } from '../../../src/problems/problem.ts';
import { type PurchaseAnswer, refusePayment } from '../../../src/sales/answer.ts';
import { type PaymentGuard, createPaymentGuard } from '../../../src/sales/failure-guard.ts';
import { handlePurchase } from '../../../src/sales/publish.ts';
import { type Seller, getSeller } from '../../../src/sales/seller.ts';
import type { PaymentTools, PurchaseTools } from '../../../src/sales/tools.ts';
import { type PurchaseFollower, createPurchaseTools, type RequestScope } from '../bindings/composition.ts';
import { getAnswerEngine } from '../bindings/engine.ts';
import type { AppOptions } from '../context.ts';
import { buildProblem } from '../../../src/problems/codes.ts';

const RPC_TIMEOUT_MS = 5_000;
/** By RPC: whether its chain is the one where USDC is money. A deployment has one, and a chain keeps its first block. */
const realBase = new Map<string, boolean>();

/**
 * Why nothing can be measured now, before any payment is looked at: no engine is configured, or one that is not an AI
 * model is configured where real money flows (rule P8: the chain's first block decides, never a variable).
 */
async function refuseMissingEngine(
  { env, settings }: Pick<RequestScope, 'env' | 'settings'>,
  options: AppOptions,
): Promise<ProblemInput | undefined> {
  const choice = getAnswerEngine(env, options);
  if (!choice.ok)
    return buildProblem('engine_not_configured', {
      detail: choice.detail,
      howToConfigure,
    });
  if (!isDemonstration(choice.engine)) return undefined;
  const isReal = await isRealBase(settings.RPC_URL);
  if (isReal === undefined)
    return buildProblem('capability_unavailable', {
      detail: 'The chain cannot be read',
    });
  if (!isReal) return undefined;
  const detail = `The ${choice.engine.kind} engine is for demonstrations: it is not sold for real money`;
  return buildProblem('engine_not_configured', { detail, howToConfigure });
}

/** Undefined where this cannot be determined now. */
async function isRealBase(rpcUrl: string | undefined): Promise<boolean | undefined> {
  if (rpcUrl === undefined) return undefined;
  const known = realBase.get(rpcUrl);
  if (known !== undefined) return known;
  try {
    const isReal = await createChainReader({ rpcUrl, timeoutMs: RPC_TIMEOUT_MS }).isRealBase();
    realBase.set(rpcUrl, isReal);
    return isReal;
  } catch (error) {
    if (!(error instanceof ChainUnreachable)) throw error;
    return undefined;
  }
}

/** A row that can be sold: its offer, its terms, and, where nothing new is sold now, why. */
export type OfferedSale = {
  seller: Seller;
  row: SoldRow;
  offer: PricedOffer;
  terms: PaymentRequiredTemplate;
  closed?: ProblemInput;
  /** Adds to the body of the answer, once it is sold, what is known only then and is for its buyer: not to a repeat. */
  afterSale?: (body: string) => Promise<string>;
};

export type SaleOutcome = { ok: true; sale: OfferedSale } | { ok: false; problem: ProblemInput };

/** What of a row can be sold here now, by the settings and the answer engine; nothing about any payment is looked at. */
export async function buildOfferedSale(
  scope: Pick<RequestScope, 'env' | 'settings'>,
  options: AppOptions,
  row: SoldRow,
): Promise<SaleOutcome> {
  const closed = row.engineBacked ? await refuseMissingEngine(scope, options) : undefined;
  const seller = await getSeller(scope.settings, options.local);
  const terms = seller?.offers.get(row.name);
  if (seller && terms) return { ok: true, sale: { seller, row, ...terms, ...(closed ? { closed } : {}) } };
  return { ok: false, problem: closed ?? buildProblem('not_configured') };
}

/** Rule F7: an audit of ours that reaches a paid route of ours would audit itself for ever. */
export const isOwnAudit = (via: string | null): boolean => isOurVia(via);

/** Who buys: `caller` is what limits count by. */
export type PurchaseRequest = { request: Request; credential: string; caller: string; following?: PurchaseFollower };

/**
 * One paid request through one door or another, from the presented credential to its answer. A buyer that goes away
 * leaves no claim behind, and does not escape the count of its failures.
 */
export async function sellOnce(
  scope: RequestScope,
  options: AppOptions,
  sale: OfferedSale,
  { request, credential, caller, following }: PurchaseRequest,
): Promise<PurchaseAnswer> {
  const room = auditRoom('purchase');
  const { closed, seller, row, offer, afterSale = async (body) => body } = sale;
  const tools = {
    ...withPaymentGuard(
      createPurchaseTools(scope, options, seller, { ...following, room }),
      createPaymentGuard(caller, scope.env.FAILED_PAYMENT_LIMIT, Date.now),
    ),
    // What was sold while there was an engine is served without one.
    ...(closed ? { closed: { kind: 'problem', problem: closed } as const } : {}),
  };
  const ending = (async () => {
    const policy = options.policy(scope.env);
    const bought = await runOrUnavailable(() => handlePurchase(tools, request, { row, offer, credential, policy }));
    const answer =
      bought.kind === 'sold' && !bought.isRepeat ? { ...bought, body: await afterSale(bought.body) } : bought;
    await tools.guard.ended(answer);
    return answer;
  })().finally(room.release);
  scope.waitUntil(ending.catch(() => undefined)); // Its failure is reported by who awaits it.
  return ending;
}

/** What costs a call to the chain or the facilitator is counted, whichever step makes it. */
function withPaymentGuard(tools: PurchaseTools, guard: PaymentGuard): PaymentTools {
  const { chain, facilitator } = tools;
  return {
    ...tools,
    guard,
    chain: createLazyChain(() => {
      guard.asks();
      return chain;
    }),
    facilitator: {
      verify: (...given) => {
        guard.asks();
        return facilitator.verify(...given);
      },
      settle: (...given) => {
        guard.asks();
        return facilitator.settle(...given);
      },
    },
  };
}

/** Rule P31: a ledger that cannot be reached is 503, never an open door. */
async function runOrUnavailable(task: () => Promise<PurchaseAnswer>): Promise<PurchaseAnswer> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof LedgerUnavailable) return refusePayment('ledger_unavailable');
    throw error;
  }
}

/** Why a new payment is the next step, in words. */
export const payAnewText = ({ reason, detail }: PurchaseAnswer & { kind: 'pay_anew' }): string =>
  detail === undefined ? getReasonRow(reason).title : `${getReasonRow(reason).title}: ${detail}`;
