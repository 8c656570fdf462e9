import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import {
  selectAcceptedTerms,
  type BuyerTools,
  openOrder,
  type OpenOrder,
  type OpenablePurchase,
  type Purchase,
  buildServiceRefusal,
  readPurchase,
  buildUnpaidRequest,
} from './order.ts';
import { type ServiceAnswer, present, readServiceProblem, request, type ServiceRefusal } from './service.ts';
import { guardSigner, type GuardedSigner, judgeTerms, type SpendingRefusal, formatUsdc } from './spending.ts';

/**
 * Buys `order` by a signed payment with the official x402 client. The client's own spending limits are set to ours, and
 * what it asks to sign is judged once more at the signature itself (rule A9). One purchase gives at most one signature;
 * the paid request is sent again while the service asks for it.
 */
export async function buyWithX402(order: OpenablePurchase, tools: BuyerTools): Promise<Purchase> {
  const open = await openOrder(order, tools);
  if (!open.ok) return open;
  const signer = guardSigner(order.account, open.allowance, tools.counter, tools.nowMs);
  const wire = createWire(open, tools);
  const pay = wrapFetchWithPayment(wire.fetch, createOfficialClient(open, signer));
  try {
    await pay(buildUnpaidRequest(open), { redirect: 'manual' });
  } catch (error) {
    const refusal = wire.refusal() ?? signer.refusal();
    const detail = error instanceof Error ? error.message : String(error);
    return { ok: false, ...(refusal ?? { reason: 'payment_failed', detail }), signed: signer.signed() };
  }
  const answer = wire.lastAnswer();
  if (answer === undefined) throw new Error('the official client returned without a request');
  return answer.status === 200
    ? readPurchase(answer)
    : buildServiceRefusal(answer, readServiceProblem(answer), signer.signed());
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
};

function createWire({ origin, allowance }: OpenOrder, tools: BuyerTools): Wire {
  let refusal: SpendingRefusal | ServiceRefusal | undefined;
  let last: ServiceAnswer | undefined;
  const wired = async (input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> => {
    const sent = new Request(input, init);
    const isPaid = sent.headers.has('payment-signature');
    const answer = isPaid ? await present(origin, sent, tools) : await request(origin, sent, tools.fetch);
    if (!answer.ok) {
      refusal = answer;
      throw new Error(answer.detail);
    }
    last = answer;
    if (!isPaid && answer.status === 402) {
      const terms = selectAcceptedTerms(answer.headers.get('payment-required'), allowance);
      if (!terms.ok) {
        refusal = terms;
        throw new Error(terms.detail);
      }
    }
    return new Response(hasNullBody(answer.status) ? null : answer.text, {
      status: answer.status,
      headers: removeEncodingHeaders(answer.headers),
    });
  };
  return { fetch: wired, refusal: () => refusal, lastAnswer: () => last };
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
