import * as z from 'zod';
import { scoreNames } from '../../../audit/core/check.ts';
import { checkResult, scoreResult } from '../../../capabilities/results.ts';
import { visibilityResult } from '../../../capabilities/visibility-results.ts';
import type { ComparedReport } from '../../../capabilities/published/history.ts';
import { panelNames, type PanelName, type ResultName } from '../../../capabilities/capability-name.ts';
import { panelResult } from '../../../capabilities/panel-results.ts';
import type { PanelReport } from '../panel/panel-report.ts';
import type { Visibility } from '../parts/words.ts';
import { getSubject, type StoredResult } from '../stored.ts';

/** Files and texts that were made, and comparisons of two, have no figures of one subject that change in time. */
const WITHOUT_FIGURES: ReadonlySet<ResultName> = new Set<ResultName>([
  'compare',
  'generate_llms_txt',
  'generate_mcp_json',
  'generate_skill',
  'visibility_vs_competitor',
  'visibility_fix_pack',
]);

export const isComparable = (capability: ResultName): boolean => !WITHOUT_FIGURES.has(capability);

const status = checkResult.pick({ id: true, status: true });
const score = scoreResult.pick({ score: true, applies: true }).extend({ checks: z.array(status) });
const judged = z.object({
  scores: z.partialRecord(z.enum(scoreNames), score).default({}),
  checks: z.array(status).default([]),
  profile: z.object({ name: z.string() }),
  rubric: z.object({ version: z.string() }),
});

/** What of a report can be compared: verdicts of a site, or figures of a brand. */
export type Comparable =
  | { kind: 'site'; report: ComparedReport }
  | { kind: 'brand'; report: Visibility }
  | { kind: 'panel'; report: PanelReport };

const PANELS: ReadonlySet<string> = new Set<PanelName>(panelNames);

function readComparable({ capability, json }: StoredResult): Comparable | undefined {
  if (!isComparable(capability)) return undefined;
  if (capability === 'visibility_check') {
    const read = visibilityResult.safeParse(json);
    return read.success ? { kind: 'brand', report: read.data } : undefined;
  }
  if (PANELS.has(capability)) {
    const read = panelResult.safeParse(json);
    return read.success ? { kind: 'panel', report: read.data } : undefined;
  }
  const read = judged.safeParse(json);
  if (!read.success) return undefined;
  const { scores, checks, profile, rubric } = read.data;
  const all = [...checks, ...scoreNames.flatMap((name) => scores[name]?.checks ?? [])];
  const statuses = Object.fromEntries(all.map((one) => [one.id, one.status]));
  return { kind: 'site', report: { scores, statuses, rubric: rubric.version, profile: profile.name } };
}

export type ComparedPair =
  | { kind: 'site'; subject: string; from: ComparedReport; to: ComparedReport }
  | { kind: 'brand'; subject: string; from: Visibility; to: Visibility }
  /** One of them is of several engines: they are compared engine by engine, by their answers. */
  | { kind: 'panel'; subject: string };

/** Why two reports are not compared. */
export type NotComparable = 'without_figures' | 'another_subject' | 'no_common_check';

/**
 * The two in the shape in which they are compared: of the checks those that both ask, since what only one of two
 * capabilities asks is no change of the site.
 */
export function pairReports(from: StoredResult, to: StoredResult): ComparedPair | NotComparable {
  const [before, after] = [readComparable(from), readComparable(to)];
  const subject = getSubject(to);
  if (before === undefined || after === undefined || subject === undefined) return 'without_figures';
  if (before.kind !== 'site' && after.kind !== 'site') {
    const isSame = before.report.brand === after.report.brand && before.report.niche === after.report.niche;
    if (!isSame) return 'another_subject';
    return before.kind === 'brand' && after.kind === 'brand'
      ? { kind: 'brand', subject, from: before.report, to: after.report }
      : { kind: 'panel', subject };
  }
  if (before.kind !== 'site' || after.kind !== 'site') return 'another_subject';
  if (from.url !== to.url) return 'another_subject';
  if (from.capability === to.capability) return { kind: 'site', subject, from: before.report, to: after.report };
  const common = Object.keys(before.report.statuses).filter((id) => id in after.report.statuses);
  if (common.length === 0) return 'no_common_check';
  return { kind: 'site', subject, from: keepChecks(before.report, common), to: keepChecks(after.report, common) };
}

const keepChecks = (report: ComparedReport, ids: readonly string[]): ComparedReport => ({
  ...report,
  statuses: Object.fromEntries(
    ids.flatMap((id) => (report.statuses[id] === undefined ? [] : [[id, report.statuses[id]] as const])),
  ),
});

const REPORT_ID = /^(?:[\s\S]{0,300}\/reports\/)?([0-9a-f]{32})(?:[.?#/][\s\S]{0,300})?$/;

/** The id of a report in what someone pasted: the id, or an address of ours in any form. */
export const parseReportId = (text: string): string | undefined => REPORT_ID.exec(text.trim())?.[1];
