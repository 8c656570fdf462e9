import * as z from 'zod';
import { filledMembers, filledShare } from './filled.ts';

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

/** One check of a response. `value` is 0 to 1, `weight` its share of a score. */
export const checkResult = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(['pass', 'partial', 'fail', 'not_applicable', 'unknown']),
  value: z.number().min(0).max(1),
  weight: z.number().min(0),
  evidence_grade: z.enum(['A', 'B', 'C', 'D']),
  accuracy: z.object({ n: z.int(), right: z.int(), wrong: z.int() }).optional().meta({
    description:
      'Of a check that was wrong more than one time in ten on labelled pages: verdicts judged, right and wrong; the others were arguable. See /accuracy.',
  }),
  note: z.string(),
  pages: z
    .object({ judged: z.int(), passed: z.int(), worst: z.string().optional() })
    .optional()
    .meta({ description: 'Of a check that was judged on several pages: how many, how many passed, and the worst.' }),
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
  applies: z.literal(false).optional().meta({
    description:
      'False when the site has nothing that this score is about: `reason` says why, and score and coverage say nothing.',
  }),
  reason: z.string().optional(),
  interval: z.object({ low: z.int(), high: z.int(), pages: z.int(), patterns: z.int() }).optional().meta({
    description:
      'Where the score would lie, 95 times of 100, had other pages been read. Absent below three patterns of addresses.',
  }),
  gates: z.array(gate),
  counts: z.record(z.enum(['pass', 'partial', 'fail', 'not_applicable', 'unknown']), z.int()),
  checks: z.array(checkResult),
});

export const auditRequest = z.object({
  role: z.string(),
  url: z.string(),
  status: z.int().nullable(),
  failure: z.string().optional(),
  bytes: z.int(),
  ms: z.number(),
});

const siteProfile = z.object({ name: z.string(), rests_on: z.array(z.string()), given: z.boolean() });
const rubric = z.object({ version: z.string(), sha256: z.string() });
const audit = {
  profile: siteProfile,
  rubric,
  requests: z.array(auditRequest),
  summary: z.looseObject({}),
};

export const checksResult = z.object({ checks: z.array(checkResult), facts: z.looseObject({}), ...audit });

const defineScores = (names: readonly z.infer<typeof scoreName>[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, scoreResult])));

const allScores = defineScores(scoreName.options);

export const auditResult = (names: readonly z.infer<typeof scoreName>[]) =>
  z.object({ scores: names.length === scoreName.options.length ? allScores : defineScores(names), ...audit });

/** `draft`: the file has slots to fill in before it is deployed. */
const file = z.object({
  path: z.string(),
  media_type: z.string(),
  content: z.string(),
  sha256: z.string(),
  draft: z.boolean().optional(),
  facts_needed: z.array(z.string()).optional(),
});
const points = z.partialRecord(scoreName, z.number());

const promisedPoints = z.object({ ready: points, draft: points, work: points });
/** Points by what they wait for: nothing, facts for the slots, or work. Absent in results of before. */
const promised = promisedPoints.optional();

const serverFile = z.object({ path: z.string(), content: z.string(), checks: z.array(z.string()) });
/** The settings of all fixes as one configuration of each server. Absent in results of before. */
const serverFiles = z.array(serverFile).optional();

/** One fix: what to do to which file, what it gains, and how to see that it works. `id` is the `fix_id` of its check. */
export const fixResult = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(['fail', 'partial']),
  scores: z.array(scoreName),
  weight: z.number(),
  gains: points,
  points: z.number(),
  state: z.enum(['ready', 'draft', 'work']).optional(),
  file: z.string(),
  action: z.enum(['create', 'replace', 'insert', 'configure']),
  instructions: z.string(),
  content: z.string().optional(),
  media_type: z.string().optional(),
  diff: z.string().optional(),
  configure: z.partialRecord(z.enum(['nginx', 'apache', 'cloudflare', 'nextjs', 'vercel']), z.string()).optional(),
  effort: z.enum(['minutes', 'hours', 'days']),
  facts_needed: z.array(z.string()),
  evidence: z.array(evidence),
  verify: z.object({ command: z.string(), expect: z.string() }),
});

const side = z.enum(['url', 'competitor']);
const defineBySide = <T extends z.ZodType>(value: T) => z.object({ url: value, competitor: value });
const standing = z.object({ status: checkResult.shape.status, value: z.number(), evidence: z.array(evidence) });

export const filesResult = z.object({ files: z.array(file), ...filledMembers });
export const fixPackResult = z.object({
  scores: allScores,
  fixes: z.array(fixResult),
  promised,
  server_files: serverFiles,
  ...audit,
});
export const fullReportResult = z.object({
  scores: allScores,
  fixes: z.array(fixResult),
  promised,
  server_files: serverFiles,
  files: z.array(file),
  renderings: z.object({ markdown: z.string(), html: z.string() }),
  ...audit,
});
const comparedSite = z.object({ scores: allScores, ...audit });
const category = z.object({
  category: scoreName,
  title: z.string(),
  winner: z.enum(['url', 'competitor', 'tie']),
  scores: defineBySide(z.int()),
  coverage: defineBySide(z.number()),
  applies: defineBySide(z.boolean()).optional(),
  difference: z.int(),
  why: z.string(),
  decided_by: z.array(z.string()),
});
const gap = z.object({
  id: z.string(),
  title: z.string(),
  ahead: side,
  weight: z.number(),
  url: standing,
  competitor: standing,
  points,
  fix: z.string(),
});

export const compareResult = z.object({
  sites: defineBySide(comparedSite),
  categories: z.array(category),
  gaps: z.array(gap),
  copy_first: z.array(z.object({ check_id: z.string(), title: z.string(), points: z.number(), fix: z.string() })),
  summary: z.object({ text: z.string() }),
});
const payment = z.object({
  method: z.enum(['x402', 'mpp', 'transfer']),
  transaction: z.string(),
  network: z.literal('eip155:8453'),
  payer: z.string(),
  amount: z.string(),
  amount_usd: z.string(),
  settled_at: z.string(),
});

/** Claims and a detached JWS over their canonical JSON; `unsigned` where the service has no key, or had none then. */
const signed = z.union([
  z.literal('unsigned'),
  z.object({ claims: z.looseObject({ issuer: z.string() }), jws: z.string() }),
]);

/** Parts of results that documents have a name for. */
export const resultParts = {
  ScoreName: scoreName,
  Evidence: evidence,
  Check: checkResult,
  Gate: gate,
  Score: scoreResult,
  AllScores: allScores,
  Request: auditRequest,
  SiteProfile: siteProfile,
  Rubric: rubric,
  File: file,
  Points: points,
  PromisedPoints: promisedPoints,
  ServerFile: serverFile,
  FilledShare: filledShare,
  Fix: fixResult,
  CheckStanding: standing,
  ComparedSite: comparedSite,
  ComparedCategory: category,
  Gap: gap,
  Payment: payment,
  Signed: signed,
} as const;

const purchase = {
  head: { capability: z.string(), url: z.string().optional(), report_id: z.string() },
  tail: {
    warnings: z.array(z.string()),
    statement: signed.optional(),
    publish_token: z.string().optional().meta({
      description:
        'Publishes this report and takes it back: POST /reports/{report_id}/publish and /unpublish. Its buyer alone gets it, with all four scores of a site.',
    }),
    payment,
    receipt: signed.optional(),
    report_url: z.string().optional().meta({ description: 'The report as a page, and as JSON or Markdown by Accept' }),
  },
} as const;

/** The 200 answer of every paid route around the result of its capability. */
export const defineEnvelope = <Shape extends z.ZodRawShape>(result: z.ZodObject<Shape>) =>
  z.object({ ...purchase.head, ...result.shape, ...purchase.tail });

/** Members that several results have, as objects of their own: documents say that such a result is one of these, and more. */
export const resultBases = {
  Purchase: z.object({ ...purchase.head, ...purchase.tail }),
  Audited: z.object(audit),
  Fixed: z.object({ scores: allScores, fixes: z.array(fixResult), promised, server_files: serverFiles }),
} as const;
