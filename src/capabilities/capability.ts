import type * as z from 'zod';
import type { NewRewriter } from '../generate/html-rewriter.ts';
import type { GuardedFetch } from '../net/fetched.ts';
import type { Recording } from './recording.ts';

export const capabilityNames = [
  'check_health',
  'check_llms_txt',
  'check_schema',
  'check_agent_files',
  'check_mcp',
  'score_aeo',
  'score_geo',
  'score_agent',
  'score_mcp',
  'full_audit',
  'generate_llms_txt',
  'generate_mcp_json',
  'fix_pack',
  'generate_skill',
  'compare',
  'full_report',
  'visibility_check',
  'visibility_vs_competitor',
  'visibility_fix_pack',
] as const;
export type CapabilityName = (typeof capabilityNames)[number];

/** What the work of a capability may use. `guardedFetch(url)` makes a fetcher with the limits of ONE audit of that site. */
export type WorkTools = {
  guardedFetch: (url: string) => GuardedFetch;
  /** Runs the task when the host may be audited now by all callers together (rule F6), else answers `target_busy`. */
  atTarget: (url: string, task: () => Promise<WorkOutcome>) => Promise<WorkOutcome>;
  /** Unix milliseconds, read once at the start of the work. */
  clockMs: number;
  /** Patches pages: native in a Worker, a polyfill in Node. */
  newRewriter: NewRewriter;
  onProgress?: (step: { done: number; label: string }) => void;
};

/** A result ready for the wire with the recording it was made from, or why there is none: nothing is charged then. */
export type WorkOutcome =
  | { ok: true; result: Record<string, unknown>; warnings: readonly string[]; recording?: Recording }
  | { ok: false; reason: 'target_unreachable' | 'measurement_incomplete'; detail: string }
  | { ok: false; reason: 'target_busy'; detail: string; retryAfterS: number };

/** Prices are integers in micro-USDC (six decimals). */
export type Price = {
  priceMicroUsdc: number;
  /** The price before the last change: payments made up to an hour after it are judged by either (rule P14). */
  previous?: { priceMicroUsdc: number; changedAtMs: number };
};

/** One row of the catalogue. Route, OpenAPI, README table, CLI and index derive from it. */
export type Capability<Body extends z.ZodObject = z.ZodObject> = Price & {
  name: CapabilityName;
  summary: string;
  body: Body;
  result: z.ZodObject;
  /** Longest time the work may take, in seconds: an authorization must outlive it (rule P17). */
  worstCaseS: number;
  /** The work spends answer-engine money before it is paid for (rule P5). */
  engineBacked: boolean;
  /** Absent while the capability is not served: it answers 503 before any payment. */
  run?: (input: z.infer<Body>, tools: WorkTools) => Promise<WorkOutcome>;
};

/** A row whose body type is forgotten; its `run` is only ever called with what its own `body` parsed. */
export type AnyCapability = Omit<Capability, 'run'> & {
  run?: (input: Record<string, unknown>, tools: WorkTools) => Promise<WorkOutcome>;
};

export function defineCapability<Body extends z.ZodObject>(row: Capability<Body>): AnyCapability {
  return row as unknown as AnyCapability; // Holds because `run` is called with the output of this row's `body`.
}
