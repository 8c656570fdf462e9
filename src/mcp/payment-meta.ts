import type { CallToolResult } from '@modelcontextprotocol/server';
import type { PaymentChallenge } from '../payment/rails/mpp/challenge.ts';
import { decodeJson } from '../payment/rails/mpp/encoding.ts';
import { findPresented, type FoundPayment } from '../payment/rails/presented.ts';
import { x402Carrier } from '../payment/rails/x402-carrier.ts';
import { decodeBase64Text } from '../payment/terms/bytes.ts';

/** `_meta` member of a payment, as the MCP transport of x402 v2 names it. */
export const PAYMENT_META = x402Carrier.metaKey;
/** `_meta` member of a settled payment in a result. */
const PAYMENT_RESPONSE_META = 'x402/payment-response';
/** `_meta` member that some clients read the terms from. */
const PAYMENT_ERROR_META = 'x402/error';
/** `_meta` members of MPP: challenges of a call that was not paid, and the receipt of one that was. */
const CHALLENGES_META = 'org.paymentauth/payment-required';
const RECEIPT_META = 'org.paymentauth/receipt';
/** What clients of x402 version 1 send. */
const VERSION_1_META = 'x402.payment';
export const VERSION_1_HEADER = 'x-payment';

/** `_meta` member by which a client names a call that it may repeat: the same name and arguments are one debit (rule P6). */
export const IDEMPOTENCY_META = 'sightline/idempotency-key';

/** What of a payment is in the headers of a request. */
export type PaymentHeaders = {
  /** PAYMENT-SIGNATURE of this request. */
  paymentHeader?: string | undefined;
  /** X-PAYMENT came with it: a payment of x402 version 1, which is refused rather than overlooked. */
  hasVersion1Header: boolean;
};

/** The payment that a call brings, in `_meta` or in the headers of its request. What it says is not looked at. */
export function readPresentedPayment(
  meta: Readonly<Record<string, unknown>>,
  { paymentHeader, hasVersion1Header }: PaymentHeaders,
): FoundPayment {
  if (hasVersion1Header || meta[VERSION_1_META] !== undefined) {
    const detail = `Only x402 version 2 is accepted, in _meta["${PAYMENT_META}"]`;
    return { kind: 'refused', reason: 'invalid_payload', detail };
  }
  return findPresented((name) => (name === 'payment-signature' ? paymentHeader : undefined), meta);
}

/**
 * An unpaid call, as the MCP transport of x402 v2 specifies it: an error result with PaymentRequired as an object and
 * as text, and once more in `_meta`, where some clients look. Its resource is the tool.
 * @param body text of a 402 body: PaymentRequired of x402 v2 with a fresh quote, and why where a payment did not do.
 * Clients of MPP read its challenges from `_meta`: an error of JSON-RPC, which its transport has too, would hide the result from
 * clients of x402.
 * @see https://github.com/x402-foundation/x402/blob/main/specs/transports-v2/mcp.md
 * @see https://paymentauth.org/draft-payment-transport-mcp-00.html
 */
export function buildPaymentRequiredResult(
  tool: string,
  body: string,
  { paymentResponse, challenges }: { paymentResponse?: string | undefined; challenges: readonly PaymentChallenge[] },
): CallToolResult {
  const required = adaptTermsToTool(tool, JSON.parse(body) as Record<string, unknown>); // Ours, laid out by src/payment.
  const response = paymentResponse === undefined ? undefined : parsePaymentResponse(paymentResponse);
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify(required) }],
    structuredContent: required,
    _meta: {
      [PAYMENT_ERROR_META]: required,
      ...(challenges.length === 0 ? {} : { [CHALLENGES_META]: { challenges } }),
      ...(response === undefined ? {} : { [PAYMENT_RESPONSE_META]: response }),
    },
  };
}

/** The same terms for a tool: the route's own URL and example belong to HTTP. */
function adaptTermsToTool(tool: string, required: Record<string, unknown>): Record<string, unknown> {
  const { bazaar: _http, ...extensions } = Object(required['extensions']);
  const resource = { ...Object(required['resource']), url: `mcp://tool/${tool}` };
  return { ...required, resource, extensions };
}

/** `_meta` of a paid result, from the headers of the same answer over HTTP; undefined when prepaid credits paid. */
export function buildProofMeta(headers: Readonly<Record<string, string>>): Record<string, unknown> | undefined {
  const response = headers['payment-response'];
  const receipt = headers['payment-receipt'];
  if (receipt !== undefined) return { [RECEIPT_META]: decodeJson(receipt) };
  return response === undefined ? undefined : { [PAYMENT_RESPONSE_META]: parsePaymentResponse(response) };
}

/** The value of PAYMENT-RESPONSE as the object that a result carries; undefined when it is none of ours. */
export function parsePaymentResponse(header: string): unknown {
  const json = decodeBase64Text(header);
  return json === undefined ? undefined : (JSON.parse(json) as unknown);
}
