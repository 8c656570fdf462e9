import * as z from 'zod';
import { engineKinds, failureReasons, finishReasons } from '../models/port.ts';
import { filledMembers } from './filled.ts';
import { refusalKinds } from '../visibility/refusals/refusal-kinds.ts';
import { promptIntents } from '../visibility/run/intents.ts';

/** A share of answers with its 95 % interval; `n` answers it is over. */
const rate = z.object({ value: z.number(), low: z.number(), high: z.number(), n: z.int() });
const count = z.int().min(0);

const rival = z.object({
  name: z.string(),
  mentioned: count,
  mention_rate: rate,
  recommended: count,
  share_of_voice: z.number(),
});
const intent = z.enum(promptIntents);

const mentionRate = rate.extend({ worst_case: z.object({ low: z.number(), high: z.number() }).optional() });
const insteadRecommended = z.object({ name: z.string(), answers: count, of: count, quote: z.string() });
const intentReport = z.object({
  intent,
  label: z.string(),
  valid: count,
  mention_rate: rate.nullable(),
  recommended: count,
  top_rival: z.object({ name: z.string(), mentioned: count }).nullable(),
});
const weakSpot = z.object({ topic: z.string(), who_wins: z.string().optional(), evidence: z.string() });
const ambiguity = z.object({ level: z.enum(['low', 'high']), case_sensitive: z.boolean(), rejected: count });
const source = z.object({ domain: z.string(), answers: count });
const failures = z.object({ total: count, by_reason: z.partialRecord(z.enum(failureReasons), count) });

/** Texts that came and are no answers; absent when there are none. */
const refusals = z.object({ total: count, by_kind: z.partialRecord(z.enum(refusalKinds), count) });

/** What is said about one brand . Every count is of answers: an answer names a brand once at most. */
const brandReport = {
  mention_rate: mentionRate,
  recommendation_rate: rate,
  share_of_voice: rate.nullable(),
  average_position: z.object({ value: z.number(), n: z.int() }).nullable(),
  rivals: z.array(rival),
  recommended_instead: z.array(insteadRecommended),
  intents: z.array(intentReport),
  weak_spots: z.array(weakSpot).min(1).max(3),
  notes: z.array(z.string()),
  ambiguity,
  sources: z.array(source).nullable(),
  failures,
  refused: refusals.optional(),
  truncated: count,
};

const asked = { index: count, id: z.string(), intent, prompt: z.string() };

const received = { served_model: z.string().nullable(), finish_reason: z.enum(finishReasons), sha256: z.string() };

const askedPrompt = z.discriminatedUnion('status', [
  z.object({ ...asked, status: z.literal('answered'), ...received }),
  z.object({ ...asked, status: z.literal('refused'), refusal: z.enum(refusalKinds), ...received }),
  z.object({ ...asked, status: z.literal('failed'), reason: z.enum(failureReasons) }),
]);
const engine = z.object({
  kind: z.enum(engineKinds),
  model: z.string(),
  served_models: z.array(z.string()),
  simulated: z.boolean(),
});
const promptSet = z.object({
  set: z.string(),
  sha256: z.string(),
  total: count,
  valid: count,
  asked: z.array(askedPrompt),
});

/** How it was measured, so that anyone can see what was asked and check every answer against its hash. */
const measurement = {
  niche: z.string(),
  run_id: z.string(),
  degraded: z.boolean(),
  engine,
  prompts: promptSet,
  transcripts_sha256: z.string(),
};

export const visibilityResult = z.object({ brand: z.string(), ...measurement, ...brandReport });

export const sideReport = z.object({ name: z.string(), ...brandReport });

export const versusResult = z.object({
  brand: z.string(),
  competitor_brand: z.string(),
  ...measurement,
  brands: z.object({ brand: sideReport, competitor: sideReport }),
  verdict: z.enum(['brand', 'competitor', 'too_close_to_call']),
  p_value: z.number(),
  discordant: z.object({ brand_only: count, competitor_only: count, both: count, neither: count }),
  smallest_visible_difference: z.number().nullable(),
  notes: z.array(z.string()),
});

const places = z.object({ passage: z.string(), faq_json_ld: z.string(), llms_txt_section: z.string() });

const filledSentence = z.object({
  text: z.string(),
  place: z.string(),
  source: z.string(),
});

const visibilityFix = z.object({
  topic: z.string(),
  passage: z.string(),
  faq_json_ld: z.string(),
  faq_html: z.string(),
  llms_txt_section: z.string(),
  place: places,
  facts_needed: z.array(z.string()),
  draft: z.boolean().optional(),
  sentences: z.array(filledSentence).optional(),
  evidence: z.string().optional(),
  verify: z.string(),
});

export const visibilityFixResult = z.object({
  brand: z.string(),
  niche: z.string(),
  ...filledMembers,
  fixes: z.array(visibilityFix),
});

/** Members that several measurements have, as objects of their own. */
export const measurementBases = { Measured: z.object(measurement), BrandFigures: z.object(brandReport) } as const;

/** Parts of measurements that documents have a name for. */
export const measurementParts = {
  Rate: rate,
  MentionRate: mentionRate,
  Rival: rival,
  Intent: intent,
  IntentReport: intentReport,
  RecommendedInstead: insteadRecommended,
  WeakSpot: weakSpot,
  Ambiguity: ambiguity,
  Source: source,
  Failures: failures,
  Refusals: refusals,
  AskedPrompt: askedPrompt,
  Engine: engine,
  PromptSet: promptSet,
  BrandReport: sideReport,
  VisibilityFix: visibilityFix,
} as const;
