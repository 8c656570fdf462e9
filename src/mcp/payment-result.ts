import type { CallToolResult } from '@modelcontextprotocol/server';
import { textOfBase64 } from '../payment/terms/bytes.ts';
import { PAYMENT_ERROR_META, PAYMENT_RESPONSE_META } from './payment-meta.ts';

/**
 * An unpaid call, as the MCP transport of x402 v2 tells it: an error result with PaymentRequired as an object and as
 * text, and once more in `_meta`, where some clients look. Its resource is the tool.
 * @param body text of a 402 body: PaymentRequired of x402 v2 with a fresh quote, and why where a payment did not do.
 * @see https://github.com/x402-foundation/x402/blob/main/specs/transports-v2/mcp.md
 */
export function paymentRequiredResult(tool: string, body: string, paymentResponse?: string): CallToolResult {
  const required = toolTerms(tool, JSON.parse(body) as Record<string, unknown>); // Ours, laid out by src/payment.
  const response = paymentResponse === undefined ? undefined : paymentResponseOf(paymentResponse);
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify(required) }],
    structuredContent: required,
    _meta: {
      [PAYMENT_ERROR_META]: required,
      ...(response === undefined ? {} : { [PAYMENT_RESPONSE_META]: response }),
    },
  };
}

/** The same terms for a tool: the route's own URL and example belong to HTTP. */
function toolTerms(tool: string, required: Record<string, unknown>): Record<string, unknown> {
  const { bazaar: _http, ...extensions } = Object(required['extensions']);
  const resource = { ...Object(required['resource']), url: `mcp://tool/${tool}` };
  return { ...required, resource, extensions };
}

/** The value of PAYMENT-RESPONSE as the object that a result carries; undefined when it is none of ours. */
export function paymentResponseOf(header: string): unknown {
  const json = textOfBase64(header);
  return json === undefined ? undefined : (JSON.parse(json) as unknown);
}
