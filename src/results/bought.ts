import * as z from 'zod';
import { scoreNames } from '../audit/core/check.ts';
import { resultNames } from '../capabilities/capability-name.ts';

/**
 * What the views and sections read of a stored result. Every member but the first few may be missing: capabilities
 * differ, and results of earlier versions lack what came later.
 */
const scoreName = z.enum(scoreNames);
const status = z.enum(['pass', 'partial', 'fail', 'not_applicable', 'unknown']);
const open = z.enum(['partial', 'fail']);
const points = z.partialRecord(scoreName, z.number());
const evidence = z.looseObject({ url: z.string() });

const check = z.looseObject({
  id: z.string(),
  title: z.string(),
  status,
  value: z.number(),
  weight: z.number(),
  note: z.string(),
  evidence: z.array(evidence),
});
const score = z.looseObject({
  score: z.number(),
  grade: z.enum(['A', 'B', 'C', 'D', 'F']),
  coverage: z.number(),
  applies: z.literal(false).optional(),
  reason: z.string().optional(),
  checks: z.array(check),
});
const scores = z.partialRecord(scoreName, score);
const request = z.looseObject({ role: z.string(), url: z.string(), status: z.number().nullable() });
const fix = z.looseObject({
  id: z.string(),
  title: z.string(),
  status: open,
  scores: z.array(scoreName),
  weight: z.number(),
  gains: points,
  state: z.enum(['ready', 'draft', 'work']).optional(),
  effort: z.enum(['minutes', 'hours', 'days']),
  evidence: z.array(evidence),
});
/** Of `visibility_fix_pack`: its fixes are texts about a topic, without an id. */
const topicFix = z.looseObject({ topic: z.string(), facts_needed: z.array(z.string()), draft: z.boolean().optional() });
const file = z.looseObject({
  path: z.string(),
  media_type: z.string(),
  content: z.string(),
  draft: z.boolean().optional(),
});
const suggested = z.looseObject({ check_id: z.string(), title: z.string(), fix: z.string(), gains: points.optional() });
const audited = {
  scores: scores.optional(),
  checks: z.array(check).optional(),
  requests: z.array(request).optional(),
  summary: z.looseObject({ fixes: z.array(suggested).optional() }).optional(),
};
const winner = z.enum(['url', 'competitor', 'tie']);

const rate = z.object({ value: z.number(), low: z.number(), high: z.number(), n: z.number() });
const rival = z.looseObject({ name: z.string(), mentioned: z.number() });
const weakSpot = z.looseObject({ topic: z.string(), who_wins: z.string().optional(), evidence: z.string() });
const brandReport = {
  name: z.string().optional(),
  mention_rate: rate.optional(),
  rivals: z.array(rival).optional(),
  weak_spots: z.array(weakSpot).optional(),
};

const signed = z.union([z.literal('unsigned'), z.looseObject({})]);

const boughtResult = z.looseObject({
  capability: z.enum(resultNames),
  report_id: z.string(),
  url: z.string().optional(),
  brand: z.string().optional(),
  competitor_brand: z.string().optional(),
  warnings: z.array(z.string()),
  statement: signed.optional(),
  publish_token: z.string().optional(),
  payment: z.looseObject({}).optional(),
  receipt: signed.optional(),
  ...audited,
  facts: z.looseObject({}).optional(),
  fixes: z.union([z.array(fix), z.array(topicFix)]).optional(),
  files: z.array(file).optional(),
  sites: z.object({ url: z.looseObject(audited), competitor: z.looseObject(audited) }).optional(),
  categories: z.array(z.looseObject({ category: scoreName, winner, difference: z.number() })).optional(),
  gaps: z.array(z.looseObject({ id: z.string(), points })).optional(),
  copy_first: z.array(suggested).optional(),
  ...brandReport,
  brands: z.object({ brand: z.looseObject(brandReport), competitor: z.looseObject(brandReport) }).optional(),
  verdict: z.enum(['brand', 'competitor', 'too_close_to_call']).optional(),
  p_value: z.number().optional(),
  degraded: z.boolean().optional(),
  engine: z.looseObject({ simulated: z.boolean() }).optional(),
  prompts: z.looseObject({ total: z.number(), valid: z.number().optional(), asked: z.array(z.unknown()) }).optional(),
  /** Of a panel: all measured engines together, and each that was asked. */
  pooled: z.looseObject(brandReport).optional(),
  engines: z.array(z.looseObject({ valid: z.number(), simulated: z.boolean() })).optional(),
});

export type BoughtResult = z.infer<typeof boughtResult>;
export type BoughtCheck = z.infer<typeof check>;
export type BoughtFix = z.infer<typeof fix>;
export type BoughtTopicFix = z.infer<typeof topicFix>;
type Audited = Pick<BoughtResult, 'scores' | 'checks'>;

/** The result in a stored text or in a buyer's answer; undefined for one of a shape that this version does not read. */
export function parseBought(json: string): BoughtResult | undefined {
  const parsed = boughtResult.safeParse(JSON.parse(json));
  return parsed.success ? parsed.data : undefined;
}

/** The figures of the brand that was bought: of a panel those of all engines together. */
export const getBrandReport = (result: BoughtResult): NonNullable<BoughtResult['pooled']> =>
  result.brands?.brand ?? result.pooled ?? result;

/** Answers that were asked for: of every engine of a panel. */
export const countAskedAnswers = ({ prompts, engines }: BoughtResult): number =>
  (prompts?.total ?? 0) * (engines?.length ?? 1);

export type ScoreOf = z.infer<typeof scoreName>;
export type ComparedSite = 'url' | 'competitor';

/** A check once, with the scores that it counts for; of a comparison, with its site. */
export type CountedCheck = BoughtCheck & { scores: readonly ScoreOf[]; site?: ComparedSite };

/** Every check of a result once per site, in the order of its scores. */
export function listCountedChecks(result: BoughtResult): readonly CountedCheck[] {
  const { sites } = result;
  if (sites === undefined) return countChecks(result);
  return (['url', 'competitor'] as const).flatMap((site) => countChecks(sites[site]).map((one) => ({ ...one, site })));
}

function countChecks({ scores: given = {}, checks = [] }: Audited): readonly CountedCheck[] {
  const counted = new Map<string, BoughtCheck & { scores: ScoreOf[] }>();
  const add = (one: BoughtCheck, names: readonly ScoreOf[]): void => {
    const known = counted.get(one.id);
    if (known) known.scores.push(...names);
    else counted.set(one.id, { ...one, scores: [...names] });
  };
  for (const one of checks) add(one, []);
  for (const name of scoreNames) for (const one of given[name]?.checks ?? []) add(one, [name]);
  return [...counted.values()];
}

export const isAuditFix = (one: BoughtFix | BoughtTopicFix): one is BoughtFix => 'id' in one && 'gains' in one;
