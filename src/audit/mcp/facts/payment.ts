import type { Exchange } from '../../core/snapshot.ts';
import { isObject, type JsonObject, parseJson, stringAt } from '../../structured-data/facts/json-document.ts';
import { type Probe, resultOf } from './endpoint.ts';
import { type OfferReading, readPaymentOffer } from '../../agent-files/facts/x402-offer.ts';

/** What a server that wants money asked for, and in which answer. */
export type PaymentDemand = { exchange: Exchange; offer: OfferReading };

/**
 * The first demand for payment among answers: an HTTP 402, or a tool result with x402 terms. Undefined when nothing was
 * asked for. The audit never pays.
 * @see https://github.com/coinbase/x402/blob/main/specs/transports-v2/mcp.md
 */
export function paymentDemand(probes: readonly Probe[]): PaymentDemand | undefined {
  for (const probe of probes) {
    const { exchange } = probe;
    if (!exchange.answer.ok) continue;
    if (probe.status === 402) return { exchange, offer: readPaymentOffer(exchange.answer) };
    const terms = termsIn(resultOf(probe));
    // The terms are those of an HTTP answer, found in another place: read as its body.
    if (terms)
      return { exchange, offer: readPaymentOffer({ ...exchange.answer, headers: {}, body: JSON.stringify(terms) }) };
  }
  return undefined;
}

/** Where the specification, and servers older than its present text, put the terms, in the order that clients look. */
function termsIn(result: JsonObject | undefined): JsonObject | undefined {
  if (result?.['isError'] !== true) return undefined;
  const content: readonly unknown[] = Array.isArray(result['content']) ? result['content'] : [];
  const text = parseJson(stringAt(content[0], 'text') ?? '');
  const meta = result['_meta'];
  return [result['structuredContent'], text.ok ? text.value : undefined, isObject(meta) ? meta : undefined]
    .flatMap((place) => (isObject(place) ? [place, wrapped(place)] : []))
    .find((place) => isObject(place) && Array.isArray(place['accepts']));
}

/** `{"x402/error": {"code": 402, "data": {...}}}`, or the terms directly below that key. */
function wrapped(place: JsonObject): JsonObject | undefined {
  const error = place['x402/error'];
  if (!isObject(error)) return undefined;
  return isObject(error['data']) ? error['data'] : error;
}
