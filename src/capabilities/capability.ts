import * as z from 'zod';
import type { Unreachable } from '../audit/core/report.ts';
import type { NewRewriter } from '../fixes/files/html-rewriter.ts';
import type { AskedPrompts, CollectedRun } from '../visibility/run/run.ts';
import type { OpenBrowser } from '../audit/rendered/gather/devtools.ts';
import type { FetchLimits } from '../net/fetch-budget.ts';
import type { GuardedFetch } from '../net/fetched.ts';
import type { BodyRefusal, CapabilityName } from './capability-name.ts';
import type { PanelRecording } from './panel-recording.ts';
import type { Recording } from './recording.ts';
import type { VisibilityRecording } from './visibility-recording.ts';

/** What the work of a capability may use. `guardedFetch(url)` makes a fetcher with the limits of ONE audit of that site. */
export type CapabilityTools = {
  guardedFetch: (url: string, limits?: Partial<FetchLimits>) => GuardedFetch;
  /** URLs whose scheme the caller left out: where https cannot connect, http is tried. */
  bareTargets?: readonly string[];
  /** Opens a browser, for audits that have scores. Absent where none is configured: what only it shows is unknown then. */
  openBrowser?: OpenBrowser;
  /** Runs the task when the host may be audited now by all callers together (rule F6), else answers `target_busy`. */
  atTarget: (url: string, task: () => Promise<WorkOutcome>) => Promise<WorkOutcome>;
  /** Unix milliseconds, read once at the start of the work. */
  clockMs: number;
  /** Patches pages: native in a Worker, a polyfill in Node. */
  newRewriter: NewRewriter;
  /** Has prompts answered by each engine of this order: a run for each, in their order. Absent where no answer engine is configured. */
  measure?: (asked: AskedPrompts, onProgress: (step: ProgressStep) => void) => Promise<readonly CollectedRun[]>;
  /**
   * Promises the account of the paying address an amount (micro-USDC) for when this payment is settled, or says why that has
   * none. Absent where nothing is paid.
   */
  topUp?: (amountMicroUsdc: number) => Promise<TopUpRefusal | undefined>;
  onProgress?: (step: ProgressStep) => void;
};

/** The paying wallet was removed from its account: no one could spend what it buys. */
export type TopUpRefusal = 'wallet_removed';

/** How far the work is: `done` of `total` where the total is known; `failed` of those done have no result. */
export type ProgressStep = { done: number; label: string; total?: number; failed?: number };

/**
 * A result ready for the wire with what it was made from (a `recording` of sites, or the answers of a `measurement`), or
 * why there is none: nothing is charged then.
 */
export type WorkOutcome =
  | {
      ok: true;
      result: Record<string, unknown>;
      warnings: readonly string[];
      recording?: Recording;
      measurement?: VisibilityRecording | PanelRecording;
    }
  | {
      ok: false;
      reason: 'target_unreachable' | 'measurement_incomplete' | 'nothing_to_generate' | TopUpRefusal;
      detail: string;
      /** The site that could not be read, for those who find words of their own. */
      unread?: Unreachable;
    }
  | { ok: false; reason: 'target_busy'; detail: string; retryAfterS: number; unread?: undefined };

/** Prices are integers in micro-USDC (six decimals). */
export type Price = {
  priceMicroUsdc: number;
  /** The price before the last change: payments made up to an hour after it are judged by either (rule P14). */
  previous?: { priceMicroUsdc: number; changedAtMs: number };
};

/** One row of the catalogue. Route, OpenAPI, reference page, CLI and index derive from it. */
export type Capability<Body extends z.ZodObject = z.ZodObject> = Price & {
  name: CapabilityName;
  summary: string;
  body: Body;
  result: z.ZodObject;
  /** Longest time the work may take, in seconds: an authorization must outlive it (rule P17). */
  worstCaseS: number;
  /** The work asks an answer engine: it is served only where one is configured, and spends money before it is paid for (rule P5). */
  engineBacked: boolean;
  /** Engines that the price pays for; absent: one. */
  engineCount?: number;
  /** What a body of the right shape may still be wrong in; nothing is claimed or charged for it. */
  refuse?: (input: z.infer<Body>) => Promise<BodyRefusal | undefined>;
  run: (input: z.infer<Body>, tools: CapabilityTools) => Promise<WorkOutcome>;
};

/** A row whose body type is forgotten; its `run` is only ever called with what its own `body` parsed. */
export type AnyCapability = Omit<Capability, 'run' | 'refuse'> & {
  run: (input: Record<string, unknown>, tools: CapabilityTools) => Promise<WorkOutcome>;
  refuse?: (input: Record<string, unknown>) => Promise<BodyRefusal | undefined>;
};

/** Whether a capability is about a site, so that its body must name one. */
export const isAboutSite = ({ body }: Pick<AnyCapability, 'body'>): boolean => {
  const { url } = body.shape as Readonly<Partial<Record<string, z.ZodType>>>;
  return url !== undefined && !url.safeParse(undefined).success;
};

export function defineCapability<Body extends z.ZodObject>(row: Capability<Body>): AnyCapability {
  return row as unknown as AnyCapability; // Holds because `run` is called with the output of this row's `body`.
}

/** JSON Schema (draft 2020-12) of a row's request body, without `$schema`, so that it nests in OpenAPI 3.1. */
export function buildBodySchema(row: Pick<AnyCapability, 'body'>): Record<string, unknown> {
  return buildJsonSchema(row.body, 'input');
}

/** JSON Schema (draft 2020-12) of what goes in or comes out. */
export function buildJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}
