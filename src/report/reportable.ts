import { type ScoreName, scoreNames } from '../audit/core/check.ts';
import type { SiteComparison } from '../audit/core/compare.ts';
import type { WireScore } from '../audit/core/report.ts';
import type { SiteProfile } from '../audit/core/site.ts';
import type { AccuracyCounts, AuditWireRequest, WireCheck } from '../audit/core/wire.ts';
import type { PromisedGains } from '../fixes/core/promised-gains.ts';
import type { ServerFile } from '../fixes/core/server-files.ts';
import type { PackedFix } from '../fixes/files/fix.ts';
import type { DeployableFile } from '../fixes/files/generated-file.ts';

/** Scores of an audit by name, as a result has them. */
export type WireScores = Partial<Record<ScoreName, WireScore>>;

/** Any result about sites, as much of it as there is: what the renderings are made from. */
export type Reportable = {
  url: string;
  /** The origin of the service where it is known: its pages about checks are linked. */
  service?: string;
  /** What the report is, where it is not of an audit. */
  heading?: string;
  /** What to do about checks that are not of the catalogue, by id. */
  remedies?: Readonly<Record<string, string>>;
  scores?: WireScores;
  checks?: readonly WireCheck[];
  /** Checks that the caller lets fail, each with its reason. */
  ignored?: readonly { check: string; reason: string }[];
  profile?: SiteProfile;
  rubric?: { version: string; sha256: string };
  requests?: readonly AuditWireRequest[];
  summary?: { text: string };
  warnings?: readonly string[];
  fixes?: readonly PackedFix[];
  promised?: PromisedGains;
  server_files?: readonly ServerFile[];
  files?: readonly DeployableFile[];
  sites?: Record<'url' | 'competitor', { scores?: WireScores }>;
  competitor?: string;
  categories?: SiteComparison['categories'];
  gaps?: SiteComparison['gaps'];
  copy_first?: SiteComparison['copy_first'];
};

/** Every check of a result once, in the order of its scores, though several scores may hold it. */
export function listChecks({ scores, checks }: Pick<Reportable, 'scores' | 'checks'>): readonly WireCheck[] {
  const all = [...(checks ?? []), ...scoreNames.flatMap((name) => scores?.[name]?.checks ?? [])];
  return [...new Map(all.map((check) => [check.id, check])).values()];
}

/** What asks for a fix: failed before partial, the heavier first. Ids decide ties. */
export function openChecks(checks: readonly WireCheck[]): readonly WireCheck[] {
  const loss = (check: WireCheck): number => check.weight * (1 - check.value);
  return checks
    .filter(({ status }) => status === 'fail' || status === 'partial')
    .toSorted((a, b) => loss(b) - loss(a) || (a.id < b.id ? -1 : 1));
}

/** The pages about checks: their list, and below it one of each id. */
export const CHECKS_PATH = '/docs/reference/checks/';

/** Where the service says how often the verdicts of each check were right. */
export const ACCURACY_PATH = '/accuracy';

/** A check that may say how often it was right; only one that was often wrong does. */
export type MaybeDoubted = { accuracy?: AccuracyCounts | undefined };

/** What a check says of itself that was often wrong on labelled pages; nothing of any other. */
export function formatAccuracy({ accuracy }: MaybeDoubted): string {
  if (accuracy === undefined) return '';
  const { n, right, wrong } = accuracy;
  const arguable = n - right - wrong;
  return `On labelled pages ${right} of ${n} verdicts of this check were right${arguable > 0 ? `, ${arguable} arguable` : ''}.`;
}

/** Before a list of such checks. */
export const OFTEN_WRONG = `These checks were wrong more often than one time in ten on labelled pages. The page ${ACCURACY_PATH} of the service says how that was measured.`;

/** The scores of a result in their fixed order. */
export const listNamedScores = (scores: WireScores = {}): readonly (readonly [ScoreName, WireScore])[] =>
  scoreNames.flatMap((name) => {
    const score = scores[name];
    return score ? [[name, score] as const] : [];
  });

type Compared = SiteComparison['categories'][number];

/** The scores of both sites in a table; a dash for one that does not apply. */
export const formatComparedScores = (
  scores: Compared['scores'],
  applies: Compared['applies'],
): readonly (number | string)[] => [
  applies?.url === false ? '–' : scores.url,
  applies?.competitor === false ? '–' : scores.competitor,
];

/** A score in a table, with its interval where it has one. */
export const formatScoreCell = (score: number, interval: WireScore['interval']): number | string =>
  interval === undefined ? score : `${score} (${interval.low} to ${interval.high})`;
