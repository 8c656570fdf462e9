import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import {
  selectAcceptedTerms,
  type BuyerTools,
  locateOrder,
  openOrder,
  type OpenOrder,
  type OpenablePurchase,
  type LocatedOrder,
  type Purchase,
  buildServiceRefusal,
  readPurchase,
  buildUnpaidRequest,
} from './order.ts';
import { isToPay, resumeOrder, resumeOther } from './resume.ts';
import type { PaymentMark } from './saved-order.ts';
import { type ServiceAnswer, present, readServiceProblem, request, type ServiceRefusal } from './service.ts';
import { guardSigner, type GuardedSigner, judgeTerms, type SpendingRefusal, formatUsdc } from './spending.ts';

/**
 * Buys `order` by a signed payment with the official x402 client. The client's own spending limits are set to ours, and
 * what it asks to sign is judged once more at the signature itself (rule A9). One purchase gives at most one signature,
 * saved before it is sent; the paid request is sent again while the service asks for it. An order that was paid before
 * and not delivered is not signed again.
 */
export async function buyWithX402(order: OpenablePurchase, tools: BuyerTools): Promise<Purchase> {
  const place = await locateOrder(order);
  if (!place.ok) return place;
  const resumed = await resumeOrder(order, place, tools);
  return isToPay(resumed) ? signAndBuy(order, place, resumed.replaced, tools) : resumed;
}

async function signAndBuy(
  order: OpenablePurchase,
  place: LocatedOrder,
  replaced: PaymentMark | undefined,
  tools: BuyerTools,
): Promise<Purchase> {
  const open = await openOrder(order, place, tools);
  if (!open.ok) return open;
  const signer = guardSigner(order.account, open.allowance, tools.counter, tools.nowMs);
  const wire = createWire(open, replaced, tools);
  const pay = wrapFetchWithPayment(wire.fetch, createOfficialClient(open, signer));
  try {
    await pay(buildUnpaidRequest(open), { redirect: 'manual' });
  } catch (error) {
    if (wire.isSecond()) return resumeOther(order, place, tools);
    const refusal = wire.refusal() ?? signer.refusal();
    const detail = error instanceof Error ? error.message : String(error);
    return { ok: false, ...(refusal ?? { reason: 'payment_failed', detail }), signed: wire.payment() !== undefined };
  }
  const answer = wire.lastAnswer();
  if (answer === undefined) throw new Error('the official client returned without a request');
  const payment = wire.payment();
  // Nothing was taken, so the next try is to pay (rule P13).
  if (answer.status === 402 && payment !== undefined) await tools.orders.withdraw(open.key, payment);
  return answer.status === 200
    ? readPurchase(answer, payment)
    : buildServiceRefusal(answer, readServiceProblem(answer), payment !== undefined);
}

function createOfficialClient({ allowance, network }: OpenOrder, signer: GuardedSigner): x402Client {
  const [maxUsd] = formatUsdc(allowance.maxMicroUsdc).split(' ');
  return new x402Client()
    .register(network, new ExactEvmScheme(signer))
    .setSpendControls({ maxAmountPerPayment: `$${maxUsd}` })
    .registerPolicy((_version, terms) => terms.filter((one) => judgeTerms(one, allowance).ok));
}

/** Our side of the official client's `fetch`: it keeps to the configured origin, and remembers what it saw. */
type Wire = {
  fetch: typeof fetch;
  refusal: () => SpendingRefusal | ServiceRefusal | undefined;
  lastAnswer: () => ServiceAnswer | undefined;
  /** The payment that was sent; undefined while there is none. */
  payment: () => PaymentMark | undefined;
  /** Whether another process was the first to save a payment. */
  isSecond: () => boolean;
};

function createWire({ origin, allowance, key }: OpenOrder, replaced: PaymentMark | undefined, tools: BuyerTools): Wire {
  let refusal: SpendingRefusal | ServiceRefusal | undefined;
  let last: ServiceAnswer | undefined;
  let sent: PaymentMark | undefined;
  let isSecond = false;
  const stop = (why: SpendingRefusal | ServiceRefusal): never => {
    refusal = why;
    throw new Error(why.detail);
  };
  const savePayment = async (credential: string): Promise<void> => {
    const payment = { by: 'x402', credential } as const;
    const saved = await tools.orders.save(key, { savedAtMs: tools.nowMs(), payment }, replaced);
    if (!saved.ok) return stop(saved);
    isSecond = !saved.isFirst;
    if (isSecond) throw new Error('another process pays for the same order');
    sent = payment;
  };
  const wired = async (input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> => {
    const asked = new Request(input, init);
    const credential = asked.headers.get('payment-signature');
    if (credential !== null) await savePayment(credential);
    const answer =
      credential === null ? await request(origin, asked, tools.fetch) : await present(origin, asked, tools);
    if (!answer.ok) return stop(answer);
    last = answer;
    if (credential === null && answer.status === 402) {
      const terms = selectAcceptedTerms(answer.headers.get('payment-required'), allowance);
      if (!terms.ok) return stop(terms);
    }
    return new Response(hasNullBody(answer.status) ? null : answer.text, {
      status: answer.status,
      headers: removeEncodingHeaders(answer.headers),
    });
  };
  return {
    fetch: wired,
    refusal: () => refusal,
    lastAnswer: () => last,
    payment: () => sent,
    isSecond: () => isSecond,
  };
}

/** Statuses whose `Response` may not have a body. */
const hasNullBody = (status: number): boolean => status === 204 || status === 205 || status === 304;

/** The body was decoded when it was read: headers that describe its encoding no longer hold. */
function removeEncodingHeaders(headers: Headers): Headers {
  const plain = new Headers(headers);
  plain.delete('content-encoding');
  plain.delete('content-length');
  return plain;
}
