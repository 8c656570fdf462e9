import * as z from 'zod';

const scoreName = z.enum(['aeo', 'geo', 'agent', 'mcp']);

const evidence = z.object({
  url: z.string(),
  status: z.int().optional(),
  header: z.string().optional(),
  selector: z.string().optional(),
  line: z.int().optional(),
  excerpt: z.string().optional(),
  sha256: z.string().optional(),
});

/** One check as it stands in a response (contracts: results). `value` is 0 to 1, `weight` its share of a score. */
export const checkResult = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(['pass', 'partial', 'fail', 'not_applicable', 'unknown']),
  value: z.number().min(0).max(1),
  weight: z.number().min(0),
  evidence_grade: z.enum(['A', 'B', 'C', 'D']),
  note: z.string(),
  evidence: z.array(evidence),
  reproduce: z.string(),
  why: z.string(),
  source: z.string(),
  fix_id: z.string(),
});

const gate = z.object({ id: z.string(), cap: z.number() });

/** A score with everything needed to recompute it: `round(100 * sum(w*v) / sum(w))`, then the lowest cap in `gates`. */
export const scoreResult = z.object({
  score: z.int().min(0).max(100),
  grade: z.enum(['A', 'B', 'C', 'D', 'F']),
  coverage: z.number().min(0).max(1),
  gates: z.array(gate),
  counts: z.record(z.enum(['pass', 'partial', 'fail', 'not_applicable', 'unknown']), z.int()),
  checks: z.array(checkResult),
});

const request = z.object({
  role: z.string(),
  url: z.string(),
  status: z.int().nullable(),
  failure: z.string().optional(),
  bytes: z.int(),
  ms: z.number(),
});

const audit = {
  profile: z.object({ name: z.string(), rests_on: z.array(z.string()), given: z.boolean() }),
  rubric: z.object({ version: z.string(), sha256: z.string() }),
  requests: z.array(request),
  summary: z.looseObject({}),
};

export const checksResult = z.object({ checks: z.array(checkResult), facts: z.looseObject({}), ...audit });

const scoresOf = (names: readonly z.infer<typeof scoreName>[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, scoreResult])));

export const auditResult = (names: readonly z.infer<typeof scoreName>[]) =>
  z.object({ scores: scoresOf(names), ...audit });

const file = z.object({ path: z.string(), media_type: z.string(), content: z.string(), sha256: z.string() });
const fix = z.looseObject({ id: z.string() });
const rate = z.object({ value: z.number(), low: z.number(), high: z.number(), n: z.int() });
const allScores = scoresOf(scoreName.options);

export const filesResult = z.object({ files: z.array(file) });
export const fixPackResult = z.object({ scores: allScores, fixes: z.array(fix) });
export const fullReportResult = z.object({ scores: allScores, fixes: z.array(fix), files: z.array(file) });
export const compareResult = z.object({
  sites: z.object({ url: z.looseObject({}), competitor: z.looseObject({}) }),
  categories: z.array(z.looseObject({})),
  gaps: z.array(z.looseObject({})),
});
export const visibilityResult = z.object({
  mention_rate: rate,
  share_of_voice: rate,
  rivals: z.array(z.looseObject({})),
  recommended_instead: z.array(z.looseObject({})),
  intents: z.array(z.looseObject({})),
  weak_spots: z.array(z.looseObject({ topic: z.string() })),
});
export const versusResult = z.object({
  brands: z.looseObject({}),
  verdict: z.string(),
  p_value: z.number(),
  discordant: z.looseObject({}),
  smallest_visible_difference: z.number(),
});
export const visibilityFixResult = z.object({
  fixes: z.array(z.object({ passage: z.string(), faq_json_ld: z.string(), llms_txt_section: z.string() })),
});

const payment = z.object({
  method: z.enum(['x402', 'transfer']),
  transaction: z.string(),
  network: z.literal('eip155:8453'),
  payer: z.string(),
  amount: z.string(),
  amount_usd: z.string(),
  settled_at: z.string(),
});

/** The 200 answer of every paid route around the result of its capability. */
export const envelope = <Shape extends z.ZodRawShape>(result: z.ZodObject<Shape>) =>
  z.object({
    capability: z.string(),
    url: z.string().optional(),
    report_id: z.string(),
    ...result.shape,
    warnings: z.array(z.string()),
    payment,
  });
