import type { SoldRow } from '../../../src/capabilities/credit-packs.ts';
import { auditRoom } from '../../../src/net/held-bytes.ts';
import { isOurVia } from '../../../src/net/own-via.ts';
import { lazyChain } from '../../../src/payment/chain/lazy-chain.ts';
import { LedgerUnavailable } from '../../../src/payment/ledger/protocol.ts';
import type { PaymentRequiredTemplate } from '../../../src/payment/terms/payment-required.ts';
import { reasonRow } from '../../../src/payment/terms/reasons.ts';
import type { Offer } from '../../../src/payment/terms/requirements.ts';
import { type Following, purchaseTools, type RequestScope } from '../bindings/composition.ts';
import type { AppOptions } from '../context.ts';
import { engineMissing } from './engine-guard.ts';
import { type PaidGuard, paidGuard } from '../../../src/sales/failure-guard.ts';
import { type ProblemInput, problemOfReason } from '../../../src/problems/problem.ts';
import { refusal } from '../../../src/sales/answer.ts';
import type { PurchaseAnswer } from '../../../src/sales/purchase-answer.ts';
import { purchase } from '../../../src/sales/purchase.ts';
import { type Seller, sellerOf } from '../../../src/sales/seller.ts';
import type { PaymentTools, PurchaseTools } from '../../../src/sales/tools.ts';

/** A row that can be sold: its offer, its terms, and, where nothing new is sold now, why. */
export type Sale = {
  seller: Seller;
  row: SoldRow;
  offer: Offer;
  terms: PaymentRequiredTemplate;
  closed?: ProblemInput;
  /** Adds to the body of the answer, once it is sold, what is known only then and is for its buyer: not to a repeat. */
  afterSale?: (body: string) => Promise<string>;
};

export type SaleOutcome = { ok: true; sale: Sale } | { ok: false; problem: ProblemInput };

/** What of a row can be sold here now, by the settings and the answer engine; nothing about any payment is looked at. */
export async function saleOf(
  scope: Pick<RequestScope, 'env' | 'settings'>,
  options: AppOptions,
  row: SoldRow,
): Promise<SaleOutcome> {
  const closed = row.engineBacked ? await engineMissing(scope, options) : undefined;
  const seller = await sellerOf(scope.settings, options.local);
  const terms = seller?.offers.get(row.name);
  if (seller && terms) return { ok: true, sale: { seller, row, ...terms, ...(closed ? { closed } : {}) } };
  return { ok: false, problem: closed ?? problemOfReason('not_configured', reasonRow('not_configured')) };
}

/** Rule F7: an audit of ours that reaches a paid route of ours would audit itself for ever. */
export const isOwnAudit = (via: string | null): boolean => isOurVia(via);

/** Who buys: `caller` is what limits count by. */
export type Buying = { request: Request; credential: string; caller: string; following?: Following };

/**
 * One paid request through one door or another, from the presented credential to its answer. A buyer that goes away
 * leaves no claim behind, and does not escape the count of its failures.
 */
export async function sellOnce(
  scope: RequestScope,
  options: AppOptions,
  sale: Sale,
  { request, credential, caller, following }: Buying,
): Promise<PurchaseAnswer> {
  const room = auditRoom('purchase');
  const { closed, seller, row, offer, afterSale = async (body) => body } = sale;
  const tools = {
    ...guarded(
      purchaseTools(scope, options, seller, { ...following, room }),
      paidGuard(caller, scope.env.FAILED_PAYMENT_LIMIT, Date.now),
    ),
    // What was sold while there was an engine is served without one.
    ...(closed ? { closed: { kind: 'problem', problem: closed } as const } : {}),
  };
  const ending = (async () => {
    const policy = options.policy(scope.env);
    const bought = await orUnavailable(() => purchase(tools, request, { row, offer, credential, policy }));
    const answer =
      bought.kind === 'sold' && !bought.isRepeat ? { ...bought, body: await afterSale(bought.body) } : bought;
    await tools.guard.ended(answer);
    return answer;
  })().finally(room.release);
  scope.waitUntil(ending.catch(() => undefined)); // Its failure is reported by who awaits it.
  return ending;
}

/** What costs a call to the chain or the facilitator is counted, whichever step makes it. */
function guarded(tools: PurchaseTools, guard: PaidGuard): PaymentTools {
  const { chain, facilitator } = tools;
  return {
    ...tools,
    guard,
    chain: lazyChain(() => {
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
async function orUnavailable(task: () => Promise<PurchaseAnswer>): Promise<PurchaseAnswer> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof LedgerUnavailable) return refusal('ledger_unavailable');
    throw error;
  }
}

/** Why a new payment is the next step, in words. */
export const payAnewText = ({ reason, detail }: PurchaseAnswer & { kind: 'pay_anew' }): string =>
  detail === undefined ? reasonRow(reason).title : `${reasonRow(reason).title}: ${detail}`;
