import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { paymentResponseOf } from './payment-result.ts';
import { PAYMENT_RESPONSE_META } from './payment-meta.ts';
import { reportUri } from './resources.ts';
import { summaryOf } from './summary.ts';

/** Members of the envelope that are ours; everything else may quote a site, a brand or a model. */
const envelope = z.looseObject({
  capability: z.string(),
  report_id: z.string().regex(/^[0-9a-f]{32}$/),
  warnings: z.array(z.string()),
  publish_token: z.string().optional(),
  payment: z.record(z.string(), z.unknown()).optional(),
});

export type Evidence = {
  capability: string;
  report_id: string;
  warnings: string[];
  publish_token?: string;
  payment?: Record<string, unknown>;
  evidence: { untrusted: true; result: Record<string, unknown> };
};

/** A stored envelope with everything that is not ours under `evidence` (rule X4). */
export function evidenceOf(json: string): Evidence {
  const { capability, report_id, warnings, publish_token, payment, ...result } = envelope.parse(JSON.parse(json));
  return {
    capability,
    report_id,
    ...(publish_token === undefined ? {} : { publish_token }),
    ...(payment === undefined ? {} : { payment }),
    warnings,
    evidence: { untrusted: true, result },
  };
}

/**
 * A bought result: our words and numbers in `content`, a link to the stored report, and the whole result under
 * `structuredContent.evidence` (rule X4).
 * @param body the 200 body of the HTTP route.
 * @param paymentResponse value of PAYMENT-RESPONSE; absent when prepaid credits paid.
 */
export function soldResult(body: string, paymentResponse?: string): CallToolResult {
  const structuredContent = evidenceOf(body);
  const { capability, report_id } = structuredContent;
  return {
    content: [
      { type: 'text', text: summaryOf(structuredContent) },
      { type: 'resource_link', uri: reportUri(report_id), name: `report ${report_id}`, mimeType: 'application/json' },
    ],
    structuredContent: { ...structuredContent, capability },
    ...(paymentResponse === undefined
      ? {}
      : { _meta: { [PAYMENT_RESPONSE_META]: paymentResponseOf(paymentResponse) } }),
  };
}

const indexRow = z.object({ description: z.string(), price_usd: z.string(), available: z.boolean() });

/** The free index: the catalogue as data, and a line for each capability. All of it is ours. */
export function indexResult(index: Record<string, unknown>): CallToolResult {
  const rows = Object.entries(z.record(z.string(), indexRow).parse(index['capabilities']));
  const lines = rows.map(
    ([name, { description, price_usd, available }]) =>
      `${name}: ${description}. ${price_usd} USDC${available ? '' : ', cannot be bought now'}`,
  );
  return { content: [{ type: 'text', text: lines.join('\n') }], structuredContent: index };
}
