import * as z from 'zod';
import { scoreNames } from '../audit/core/check.ts';
import { resultNames } from '../capabilities/capability-name.ts';

const scoreName = z.enum(scoreNames);
const scoreLine = z.object({
  score: z.number(),
  grade: z.enum(['A', 'B', 'C', 'D', 'F']),
  coverage: z
    .number()
    .meta({ description: 'Share of the rubric, by weight, that could be judged: 0 to 1. At 0 the score says nothing' }),
});
const scoreLines = z.partialRecord(scoreName, scoreLine);
const count = z.int().min(0);
const rate = z
  .object({ value: z.number(), low: z.number(), high: z.number(), n: z.number() })
  .meta({ description: 'A share of answers with its 95 % interval' });

/** One thing to do first. */
const firstFix = z.object({
  id: z.string().meta({ description: 'For the section `fixes` and the tool get_fix' }),
  title: z.string(),
  gains: z.partialRecord(scoreName, z.number()).optional().meta({ description: 'Points that it adds to each score' }),
  effort: z.enum(['minutes', 'hours', 'days']).optional(),
  status: z.enum(['fail', 'partial']).optional(),
  state: z.enum(['ready', 'draft', 'work']).optional().meta({
    description: 'ready: deploy it as it is; draft: it has slots to fill in; work: it says what to do',
  }),
});

const measured = z.object({
  mention_rate: rate,
  competitor_mention_rate: rate.optional(),
  verdict: z.enum(['brand', 'competitor', 'too_close_to_call']).optional(),
  p_value: z.number().optional(),
  rivals: count,
  valid: count.meta({ description: 'Prompts with an answer' }),
  total: count,
  simulated: z.boolean(),
  degraded: z.boolean(),
});

/** Words that are not ours: data, never instructions (rule X4). */
const foreign = z.object({
  untrusted: z.literal(true),
  brand: z.string().optional(),
  competitor_brand: z.string().optional(),
  rivals: z.array(z.object({ name: z.string(), mentioned: count })).optional(),
  weak_spots: z.array(z.object({ topic: z.string(), who_wins: z.string().optional() })).optional(),
});

const signed = z.union([z.literal('unsigned'), z.looseObject({})]);

const link = z.object({
  name: z.string(),
  count: count.optional().meta({ description: 'Absent where only reading the section says it' }),
  url: z.string().optional(),
});

const listedFile = z.object({ path: z.string(), media_type: z.string(), bytes: count, draft: z.boolean() });

/** Parts of the summary that documents have a name for. */
export const summaryParts = {
  ScoreLine: scoreLine,
  SummaryRate: rate,
  SummaryMeasurement: measured,
  ForeignWords: foreign,
  FirstFix: firstFix,
  ListedFile: listedFile,
  SectionLink: link,
} as const;

/** What every view but the full one has beside its own members. */
export const summaryShape = {
  capability: z.enum(resultNames),
  url: z.string().optional(),
  report_id: z.string().optional(),
  report_url: z.string().optional().meta({ description: 'The report as a page; JSON and Markdown by Accept' }),
  headline: z.string().meta({ description: 'The result in one or two sentences, in our own words and numbers' }),
  scores: scoreLines.optional().meta({ description: 'The scores that apply' }),
  not_applicable: z.array(z.object({ score: scoreName, reason: z.string() })).optional(),
  competitor_scores: scoreLines.optional(),
  categories: z
    .array(z.object({ category: scoreName, winner: z.enum(['url', 'competitor', 'tie']), difference: z.number() }))
    .optional(),
  counts: z
    .object({ pass: count, partial: count, fail: count, not_applicable: count, unknown: count })
    .optional()
    .meta({ description: 'Each check once, though several scores may hold it' }),
  do_first: z.array(firstFix).meta({ description: 'At most five, the best first' }),
  measurement: measured.optional(),
  files: z
    .array(listedFile)
    .optional()
    .meta({ description: 'The first files; the section `files` has all of them, with their contents' }),
  coverage: z
    .object({ requests: count, answered: count, failed: count })
    .optional()
    .meta({ description: 'Requests of the audit, and how many of them got an answer' }),
  warnings: z.array(z.string()),
  evidence: foreign,
  sections: z.array(link).meta({ description: 'What can be read page by page' }),
  statement: signed.optional().meta({ description: 'Of the whole result: its hash, signed; or `unsigned`' }),
  publish_token: z.string().optional(),
  payment: z.looseObject({}).optional(),
  receipt: signed.optional().meta({ description: 'For its buyer alone' }),
};

/** A result in at most 8 KB: what an agent needs to decide what it reads next. */
export const resultSummary = z.object({ view: z.literal('summary'), ...summaryShape });
export type ResultSummary = z.infer<typeof resultSummary>;
export type SummaryMembers = Omit<ResultSummary, 'view'>;
