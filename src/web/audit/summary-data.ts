import * as z from 'zod';
import { type OutcomeStatus, type ScoreName, scoreNames } from '../../audit/core/check.ts';
import { getEffort } from '../../audit/core/fix-order.ts';
import { type FirstStep, MAX_FIRST_STEPS } from '../../audit/core/preview.ts';
import { readAssistantAccess } from '../../audit/crawlers/checks/assistants.ts';
import type { checkResult, scoreResult } from '../../capabilities/results.ts';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../language/language.ts';
import { getPlainFix } from '../language/plain-fixes.ts';
import type { AuditSummaryData } from './summary.tsx';

export type ReportedCheck = z.infer<typeof checkResult>;
export type ReportedScores = Readonly<Partial<Record<ScoreName, z.infer<typeof scoreResult>>>>;

/** The parts of a stored result that a summary is made of; `checks` of a capability without scores. */
export type SummarisedReport = {
  scores?: ReportedScores;
  checks?: readonly ReportedCheck[];
  /** Its published shape is open; what an audit writes into it is read here. */
  summary: unknown;
};

const suggested = z.object({
  fixes: z.array(
    z.object({
      check_id: z.string(),
      title: z.string(),
      gains: z.partialRecord(z.enum(scoreNames), z.number()),
    }),
  ),
});

/** What `AuditSummary` shows of a stored result, of whatever rubric. */
export function summariseReport(
  { scores = {}, checks = [], summary }: SummarisedReport,
  language: PageLanguage = DEFAULT_LANGUAGE,
): AuditSummaryData {
  const byId = new Map(listReportedChecks(scores, checks).map((check) => [check.id, check]));
  const access = readAssistantAccess([...byId.values()]);
  const read = suggested.safeParse(summary);
  const fixes = read.success ? read.data.fixes.slice(0, MAX_FIRST_STEPS) : [];
  return {
    scores,
    steps: fixes.map((fix) => toFirstStep(fix, byId.get(fix.check_id), language)),
    counts: countOutcomes([...byId.values()]),
    ...(access === undefined ? {} : { access }),
  };
}

/** Every check once, whatever number of scores it counts in. */
const listReportedChecks = (scores: ReportedScores, checks: readonly ReportedCheck[]): readonly ReportedCheck[] => [
  ...checks,
  ...scoreNames.flatMap((name) => scores[name]?.checks ?? []),
];

type SuggestedStep = z.infer<typeof suggested>['fixes'][number];

function toFirstStep(
  { check_id, title, gains }: SuggestedStep,
  check: ReportedCheck | undefined,
  language: PageLanguage,
): FirstStep {
  const where = check?.evidence[0]?.url;
  const { judged, passed, worst } = check?.pages ?? {};
  return {
    check_id,
    title,
    ...getPlainFix(check_id, language),
    ...(where === undefined ? {} : { where }),
    ...(judged === undefined || passed === undefined
      ? {}
      : { pages: { judged, passed, ...(worst === undefined ? {} : { worst }) } }),
    effort: getEffort(check_id),
    gains: dropAbsent(gains),
  };
}

/** Without members that are there and undefined. */
const dropAbsent = (gains: SuggestedStep['gains']): FirstStep['gains'] =>
  Object.fromEntries(Object.entries(gains).filter(([, points]) => points !== undefined));

function countOutcomes(checks: readonly ReportedCheck[]): Record<OutcomeStatus, number> {
  const counts = { pass: 0, partial: 0, fail: 0, not_applicable: 0, unknown: 0 };
  for (const { status } of checks) counts[status] += 1;
  return counts;
}
