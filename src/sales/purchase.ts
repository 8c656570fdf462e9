import { auditRoom } from '../net/held-bytes.ts';
import { createLazyChain } from '../payment/chain/chain.ts';
import { createCountedSvm } from '../payment/chain/svm-chain.ts';
import type { PayloadExtras } from '../payment/facilitator/facilitator.ts';
import type { SettledPayment } from '../payment/terms/authorization.ts';
import { runOrUnavailable } from './ledger-client.ts';
import { createPaymentGuard, type PaymentGuard } from './failure-guard.ts';
import { isConfigured, type OfferedSale, selectSeller, type Seller } from './seller.ts';
import { refuseUnread } from './sellers-nodes.ts';
import {
  computeRoomBytes,
  type PurchaseFollower,
  type SalesPorts,
  type PaymentTools,
  type PurchaseTools,
} from './tools.ts';
import type { SoldRow } from '../capabilities/credit-packs.ts';
import type { AddressPolicy } from '../net/address-policy.ts';
import { failureWords } from '../net/failure-words-data.ts';
import { parseTargetUrl } from '../net/canonical-url.ts';
import type { PresentedCredential } from '../payment/rails/presented.ts';
import { getNetworkId, type ParsedPayment } from '../payment/rails/rail.ts';
import { isSoldOn } from '../payment/terms/sold-on.ts';
import type { PricedOffer } from '../payment/terms/terms.ts';
import { type PurchaseAnswer, refusePayment } from './answer.ts';
import type { PanelChoice } from '../models/panel.ts';
import { checkOrderEngines } from './order-engines.ts';
import { type OrderInput, readOrder } from './read-order.ts';
import { TARGET_FIELDS } from '../capabilities/bodies.ts';
import { sellToSigned } from './signed.ts';
import { sellToTransfer } from './transfer.ts';

/**
 * Publishes what is sold, when its buyer asked for that in the body: after the sale, never before. A failure takes
 * nothing of the sale back: it is logged, and a repeat of the same request, or the buyer's publish token, does it again.
 * What its buyer took back a repeat does not publish: `tools.publish` leaves that alone.
 */
export async function publishIfAsked(
  tools: Pick<PurchaseTools, 'publish' | 'log'>,
  { input }: Pick<OrderInput, 'input'>,
  reportId: string,
): Promise<void> {
  if (input['publish'] !== true) return;
  try {
    await tools.publish(reportId);
  } catch (error) {
    tools.log({ event: 'publish_failed', error: error instanceof Error ? error.name : 'unknown' });
  }
}

/**
 * One paid request from credential to answer. Whatever is cheap comes first: the credential's form, the body, the
 * target; nothing is claimed or charged before they are good.
 */
export async function handlePurchase(
  tools: PaymentTools,
  request: Request,
  sale: {
    row: SoldRow;
    offer: PricedOffer;
    presented: PresentedCredential;
    /** What the credential's carrier read in it. */
    parsed: ParsedPayment;
    policy: AddressPolicy;
    engines: () => PanelChoice;
  },
): Promise<PurchaseAnswer> {
  const { parsed, presented } = sale;
  if (!parsed.ok) return refusePayment(parsed.reason, parsed.detail);
  const read = await tools.timed('parse', () => readOrder(request, sale.row, presented.text));
  if (!read.ok) return { kind: 'problem', problem: read.problem };
  const refused = checkTargets(read.order, sale.policy);
  if (refused) return refused;
  const { payment } = parsed;
  // An engine may be gone since it was sold: what was sold with it is its buyer's.
  const unsellable = checkOrderEngines(read.order, sale.engines);
  const closed = tools.closed ?? unsellable ?? refuseNetwork(tools.seller, sale.row);
  const open = closed === undefined ? tools : { ...tools, closed };
  const answer = await (payment.flow === 'authorization'
    ? sellToSigned(open, read.order, sale.offer, payment)
    : sellToTransfer(open, read.order, sale.offer, payment));
  // A new payment is no next step where none is taken.
  if (unsellable && answer.kind === 'pay_anew') return unsellable;
  if (answer.kind === 'sold') await publishIfAsked(tools, read.order, answer.reportId);
  return answer;
}

/** Why nothing is sold on the network of a payment. What was sold there, while it was configured, is its buyer's. */
function refuseNetwork(seller: Seller, row: SoldRow): PurchaseAnswer | undefined {
  if (isConfigured(seller) && isSoldOn(seller.network, row)) return undefined;
  const accepted = [...seller.on.values()].map(({ network }) => network).filter((network) => isSoldOn(network, row));
  return refusePayment(
    'wrong_terms',
    `only scheme exact with USDC on ${accepted.map(({ id }) => id).join(', ')} is accepted`,
  );
}

/** Refuses what would never be fetched before any payment is touched. */
export function checkTargets(order: OrderInput, policy: AddressPolicy): PurchaseAnswer | undefined {
  for (const field of TARGET_FIELDS) {
    const value = order.input[field];
    if (typeof value !== 'string') continue;
    const target = parseTargetUrl(value, policy);
    if (!target.ok) return refusePayment('target_refused', describeTargetRefusal(field, target.reason));
  }
  return undefined;
}

const describeTargetRefusal = (field: string, reason: keyof typeof failureWords): string =>
  `${field}: ${reason}. ${failureWords[reason].means} ${failureWords[reason].next}`;

/** Who buys: `caller` is what limits count by. */
export type PurchaseRequest = {
  request: Request;
  presented: PresentedCredential;
  caller: string;
  following?: PurchaseFollower;
};

/**
 * One paid request through one door or another, from the presented credential to its answer. A buyer that goes away
 * leaves no claim behind, and does not escape the count of its failures.
 */
export async function sellOnce(
  ports: SalesPorts,
  sale: OfferedSale,
  { request, presented, caller, following }: PurchaseRequest,
): Promise<PurchaseAnswer> {
  const room = auditRoom('purchase', computeRoomBytes(sale.row));
  const { unread, row, discovery, afterSale = async (body) => body } = sale;
  const parsed = await presented.carrier.parse(presented.text);
  // A network that is none of ours is refused by the terms of the first one.
  const paidTo = (parsed.ok ? selectSeller(sale.seller, getNetworkId(parsed.payment)) : undefined) ?? sale.seller;
  const isUnread = unread.has(paidTo.network.id);
  const seller = isUnread ? { ...paidTo, isClosed: true } : paidTo;
  const closed = sale.closed ?? (isUnread ? refuseUnread(new Set([paidTo.network.id])) : undefined);
  const offer = seller.offers.get(row.name)?.offer ?? sale.offer;
  const tools = {
    ...withPaymentGuard(
      ports.toolsOf(seller, { ...following, room }),
      createPaymentGuard(caller, ports.failedPayments, ports.now),
      discovery,
    ),
    // What was sold while there was an engine is served without one.
    ...(closed ? { closed: { kind: 'problem', problem: closed } as const } : {}),
  };
  const ending = (async () => {
    const { policy, engines } = ports;
    const bought = await runOrUnavailable(
      () =>
        handlePurchase(tools, request, {
          row,
          offer: { ...offer, network: seller.network },
          presented,
          parsed,
          policy,
          engines,
        }),
      refusePayment('ledger_unavailable'),
    );
    const answer =
      bought.kind === 'sold' && !bought.isRepeat ? { ...bought, body: await afterSale(bought.body) } : bought;
    await tools.guard.ended(answer);
    // A new payment is no next step where none is taken.
    return closed && answer.kind === 'pay_anew' ? ({ kind: 'problem', problem: closed } as const) : answer;
  })().finally(room.release);
  ports.waitUntil(ending.catch(() => undefined)); // Its failure is reported by who awaits it.
  return ending;
}

/**
 * What costs a call to the chain or the facilitator is counted, whichever step makes it. Where the client asks for it, the
 * facilitator also learns what was sold, in our words and not the client's (rule P7): it lists what it settles.
 */
function withPaymentGuard(tools: PurchaseTools, guard: PaymentGuard, discovery: PayloadExtras): PaymentTools {
  const { chain, svm, facilitator } = tools;
  const listed = ({ echoesBazaar }: SettledPayment) => (echoesBazaar === true ? discovery : undefined);
  return {
    ...tools,
    guard,
    chain: createLazyChain(() => {
      guard.asks();
      return chain;
    }),
    ...(svm === undefined ? {} : { svm: createCountedSvm(svm, guard.asks) }),
    facilitator: {
      verify: (payment, requirements) => {
        guard.asks();
        return facilitator.verify(payment, requirements, listed(payment));
      },
      settle: (payment, requirements) => {
        guard.asks();
        return facilitator.settle(payment, requirements, listed(payment));
      },
    },
  };
}
