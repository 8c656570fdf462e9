import * as z from 'zod';
import { findUnreadReason } from '../seller/unread.ts';
import { SELLER_FETCH_LIMITS, SELLER_WORST_CASE_S } from '../seller/limits.ts';
import { loadOnce } from '../lib/concurrency.ts';
import { url } from './bodies.ts';
import type { CapabilityTools, WorkOutcome } from './capability.ts';
import type { ToolName } from './capability-name.ts';
import type { SoldRow } from './credit-packs.ts';
import { auditRequest, checkResult } from './results.ts';

/** A tool that is sold beside the catalogue. `segment`: the end of its path. */
export type SoldTool = SoldRow & { name: ToolName; segment: string };

export const sellerBody = z.strictObject({
  url: url.meta({ description: 'Address of the paid endpoint, with its path', examples: ['https://example.com/paid'] }),
});

const count = z.int().min(0);

export const sellerResult = z.object({
  seller_rubric: z.string(),
  score: z.int().min(0).max(100),
  counts: z.object({ pass: count, partial: count, fail: count, not_applicable: count, unknown: count }),
  checks: z.array(checkResult),
  facts: z.looseObject({}),
  requests: z.array(auditRequest),
  summary: z.looseObject({}),
});

/** A body that the tool accepts: shown in OpenAPI and in the docs. */
export const exampleSellerBody = { url: 'https://example.com/' } as const;

// Its rows take longer to lay out than an audit's Worker should take to start.
const loadSeller = loadOnce(() => import('../seller/read-and-report.ts'));

/** Reads a seller by GET, HEAD and one unpaid request, and judges what came. Nothing is charged where no answer came. */
async function runSellerCheck(input: { url: string }, tools: CapabilityTools): Promise<WorkOutcome> {
  return tools.atTarget(input.url, async () => {
    const { readSeller, reportSeller } = await loadSeller();
    const ask = tools.guardedFetch(input.url, SELLER_FETCH_LIMITS);
    const reading = await readSeller(input.url, { ask, clock: Date.now }, { isReadOnly: true });
    const unread = findUnreadReason(reading);
    if (unread !== undefined) return { ok: false, reason: 'target_unreachable', detail: unread };
    return { ok: true, result: { ...reportSeller(reading) }, warnings: [] };
  });
}

/** Tools, sold at `POST /api/tools/<segment>`. They are no rows of the catalogue, which has 19. */
export const soldTools: readonly SoldTool[] = [
  {
    name: 'seller_check',
    segment: 'seller',
    priceMicroUsdc: 150_000,
    summary:
      'A paid endpoint (x402, MPP) read as a buyer does: terms, headers, CORS, clock, discovery; nothing is paid to it',
    body: sellerBody,
    result: sellerResult,
    worstCaseS: SELLER_WORST_CASE_S,
    engineBacked: false,
    run: (input, tools) => runSellerCheck(input as { url: string }, tools), // It is called with what `body` parsed.
  },
];

/** The path of a tool, e.g. `/api/tools/seller`. */
export const formatToolPath = ({ segment }: Pick<SoldTool, 'segment'>): string => `/api/tools/${segment}`;

/** The tool of a route segment, and of a name; undefined for every other text. */
export const findTool = (segment: string): SoldTool | undefined => soldTools.find((one) => one.segment === segment);
export const findNamedTool = (name: string): SoldTool | undefined => soldTools.find((one) => one.name === name);
