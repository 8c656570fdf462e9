import * as z from 'zod';
import { scoreNames } from '../audit/core/check.ts';
import { countUtf8Bytes } from '../lib/utf8.ts';
import type { BoughtResult, CountedCheck } from './bought.ts';
import type { ReportPlace } from './links.ts';
import { listOpenChecks, listFixes, type ListedFix } from './listed-fixes.ts';
import { buildSummaryMembers } from './summary.ts';
import { summaryShape } from './summary-shape.ts';

/** Bytes that the checks of a standard view may take, and the pieces of evidence of each. */
const MAX_CHECK_BYTES = 44 * 1024;
const MAX_EVIDENCE_OF_CHECK = 3;

const scoreName = z.enum(scoreNames);
/** What to do about a check, without the ready texts: the section `fixes` has them. */
const briefFix = z.looseObject({
  effort: z.enum(['minutes', 'hours', 'days']),
  instructions: z.string().optional(),
  gains: z.partialRecord(scoreName, z.number()).optional(),
  state: z.enum(['ready', 'draft', 'work']).optional(),
  file: z.string().optional(),
  action: z.string().optional(),
  facts_needed: z.array(z.string()).optional(),
  has_content: z.boolean(),
});
const openCheck = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(['fail', 'partial']),
  scores: z.array(scoreName),
  weight: z.number(),
  note: z.string(),
  evidence: z.array(z.looseObject({ url: z.string() })),
  fix: briefFix.optional(),
});

/** The summary, and what failed or passed partly with evidence and what to do: at most 60 KB. */
export const resultStandard = z.object({
  view: z.literal('standard'),
  ...summaryShape,
  checks: z.array(openCheck).optional(),
  checks_left_out: z.int().optional().meta({ description: 'Open checks that are in the section `checks` only' }),
  facts: z.looseObject({}).optional(),
  gaps: z.array(z.looseObject({ id: z.string() })).optional(),
  brand_report: z.looseObject({}).optional().meta({ description: 'Of a measurement: its tables, without prompts' }),
  brand_reports: z.looseObject({}).optional().meta({ description: 'The same of both brands of a comparison' }),
  fixes: z
    .array(z.looseObject({ id: z.string(), title: z.string() }))
    .optional()
    .meta({ description: 'Fixes that belong to no check' }),
});
export type ResultStandard = z.infer<typeof resultStandard>;

export function buildStandard(result: BoughtResult, place: ReportPlace | undefined): ResultStandard {
  const remedies = new Map(listFixes(result).map((one) => [one.id, one]));
  const open = listOpenChecks(result);
  const { facts, gaps, brands } = result;
  return {
    view: 'standard',
    ...buildSummaryMembers(result, place),
    ...cutChecks(open.map((one) => describeCheck(one, remedies.get(one.id)))),
    ...(facts === undefined ? {} : { facts }),
    ...(gaps === undefined ? {} : { gaps: gaps.map(pickGap) }),
    ...(result.mention_rate === undefined ? {} : { brand_report: pickTables(result) }),
    ...(result.pooled === undefined ? {} : { brand_report: pickTables(result.pooled) }),
    ...(brands === undefined
      ? {}
      : { brand_reports: { brand: pickTables(brands.brand), competitor: pickTables(brands.competitor) } }),
    ...listFixesWithoutCheck(result, remedies),
  };
}

type StandardCheck = NonNullable<ResultStandard['checks']>[number];

function cutChecks(checks: readonly StandardCheck[]): Pick<ResultStandard, 'checks' | 'checks_left_out'> {
  if (checks.length === 0) return {};
  let bytes = 0;
  const shown = checks.filter((one) => {
    bytes += countUtf8Bytes(JSON.stringify(one)) + 1;
    return bytes <= MAX_CHECK_BYTES;
  });
  const left = checks.length - shown.length;
  return { checks: shown, ...(left === 0 ? {} : { checks_left_out: left }) };
}

const describeCheck = (
  { id, title, status, scores, weight, note, evidence }: CountedCheck,
  remedy: ListedFix | undefined,
): StandardCheck => ({
  id,
  title,
  status: status === 'partial' ? 'partial' : 'fail',
  scores: [...scores],
  weight,
  note,
  evidence: evidence.slice(0, MAX_EVIDENCE_OF_CHECK),
  ...(remedy?.effort === undefined ? {} : { fix: pickBriefFix(remedy, remedy.effort) }),
});

const BRIEF = ['instructions', 'gains', 'state', 'file', 'action', 'facts_needed'] as const;

const pickBriefFix = (remedy: ListedFix, effort: NonNullable<ListedFix['effort']>) => ({
  effort,
  ...Object.fromEntries(BRIEF.flatMap((name) => (remedy[name] === undefined ? [] : [[name, remedy[name]]]))),
  has_content: remedy['content'] !== undefined || remedy['configure'] !== undefined,
});

/** Without the evidence of both sites, which the section `checks` has. */
const pickGap = ({ id, title, ahead, weight, points, fix }: NonNullable<BoughtResult['gaps']>[number]) => ({
  id,
  title,
  ahead,
  weight,
  points,
  fix,
});

const TABLES = [
  'name',
  'mention_rate',
  'recommendation_rate',
  'share_of_voice',
  'average_position',
  'rivals',
  'recommended_instead',
  'intents',
  'weak_spots',
  'notes',
  'sources',
  'failures',
] as const;

const pickTables = (report: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(TABLES.flatMap((name) => (report[name] === undefined ? [] : [[name, report[name]]])));

/** Long texts of `visibility_fix_pack` are in the section `fixes`. */
function listFixesWithoutCheck(
  { capability }: BoughtResult,
  remedies: ReadonlyMap<string, ListedFix>,
): Pick<ResultStandard, 'fixes'> {
  if (capability !== 'visibility_fix_pack') return {};
  const fixes = [...remedies.values()].map(({ id, title, state, facts_needed, verify, topic, passage }) => ({
    id,
    title,
    state,
    topic,
    passage,
    facts_needed,
    verify,
  }));
  return { fixes };
}
