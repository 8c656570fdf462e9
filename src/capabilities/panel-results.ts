import * as z from 'zod';
import { engineKinds, failureReasons, finishReasons } from '../models/port.ts';
import { refusalKinds } from '../visibility/refusals/refusal-kinds.ts';
import { uncheckedReasons } from './citation-evidence.ts';
import { citationsResult } from './citation-results.ts';
import { measurementParts, sideReport } from './visibility-results.ts';

const { Rate: rate, RecommendedInstead: instead, WeakSpot: weakSpot, Intent: intent } = measurementParts;
const count = z.int().min(0);
const probability = z.number();

/** What an engine of a panel is; `status` says whether it was measured. */
const asked = {
  name: z.string(),
  kind: z.enum(engineKinds),
  model: z.string(),
  served_models: z.array(z.string()),
  web_search: z.boolean(),
  country: z.string().nullable(),
  simulated: z.boolean(),
  run_id: z.string(),
  valid: count,
  transcripts_sha256: z.string(),
};

const measuredEngine = z.object({
  ...sideReport.shape,
  ...asked,
  status: z.literal('measured'),
  degraded: z.boolean(),
});
const unavailableEngine = z.object({ ...asked, status: z.literal('unavailable'), detail: z.string() });
const panelEngine = z.discriminatedUnion('status', [measuredEngine, unavailableEngine]);

const panelRival = z.object({
  name: z.string(),
  engines: count,
  mentioned: count,
  recommended: count,
  mention_rate: rate,
});
const panelCompetitor = z.object({
  name: z.string(),
  mention_rate: rate,
  recommendation_rate: rate,
  difference: z.number(),
  p_value: probability,
  adjusted_p_value: probability,
  verdict: z.enum(['brand', 'competitor', 'too_close_to_call']),
});

/** All measured engines together, each with the same weight. */
const pooled = z.object({
  engines: count,
  mention_rate: rate,
  recommendation_rate: rate,
  share_of_voice: rate.nullable(),
  rivals: z.array(panelRival),
  competitors: z.array(panelCompetitor),
  weak_spots: z.array(weakSpot).min(1).max(3),
  recommended_instead: z.array(instead),
});

const engineDifference = z.object({
  engines: z.array(z.string()).length(2),
  n: count,
  difference: z.number(),
  first_only: count,
  second_only: count,
  p_value: probability,
  adjusted_p_value: probability,
  verdict: z.enum(['first', 'second', 'too_close_to_call']),
});

/** What came of a prompt at one engine. */
const panelAnswer = z.object({
  engine: z.string(),
  status: z.enum(['answered', 'refused', 'failed']),
  refusal: z.enum(refusalKinds).optional(),
  reason: z.enum(failureReasons).optional(),
  served_model: z.string().nullable().optional(),
  finish_reason: z.enum(finishReasons).optional(),
  sha256: z.string().optional(),
});
const panelPrompt = z.object({
  index: count,
  id: z.string(),
  intent,
  prompt: z.string(),
  answers: z.array(panelAnswer),
});

/** The result of a panel of engines. */
export const panelResult = z.object({
  brand: z.string(),
  niche: z.string(),
  language: z.string(),
  degraded: z.boolean(),
  prompts: z.object({ set: z.string(), sha256: z.string(), total: count, asked: z.array(panelPrompt) }),
  engines: z.array(panelEngine),
  pooled,
  differences: z.array(engineDifference),
  /** Null where no engine gives sources. */
  citations: citationsResult.nullable(),
  notes: z.array(z.string()),
});

/** The same in outline, for documents that would be too long with all of it. */
export const panelOutline = z.object({
  brand: z.string(),
  niche: z.string(),
  language: z.string(),
  degraded: z.boolean(),
  engines: z.array(z.object({ name: z.string(), status: z.enum(['measured', 'unavailable']) })),
  pooled: z.object({ engines: count, mention_rate: rate, recommendation_rate: rate, weak_spots: z.array(weakSpot) }),
  differences: z.array(z.looseObject({})),
  citations: z.looseObject({ page_checks_reason: z.enum(uncheckedReasons).optional() }).nullable(),
  notes: z.array(z.string()),
});
