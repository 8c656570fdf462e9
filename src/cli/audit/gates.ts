import { type ScoreName, scoreNames } from '../../audit/core/check.ts';
import { RUBRIC_VERSION } from '../../audit/core/rubric-version.ts';
import { formatSafeLine } from '../core/terminal.ts';
import { type CommandEnd, type CommandFailure, refuseUsage, refuseCommand } from '../core/failure.ts';
import type { SayNote } from '../core/output.ts';
import { EXIT } from '../core/usage.ts';
import type { Baseline, ScoredReport } from './baseline.ts';
import { computeGatedScore, describeBaseline, explainNothingShared, listRegressions } from './regressions.ts';

/** `named`: a minimum of this very score, not one of all scores. */
type MinScores = Partial<Record<ScoreName, { points: number; named: boolean }>>;

/** What a report has to hold against. */
export type Gates = {
  minimum: MinScores;
  baseline?: Baseline;
  /** Ids of checks that hold nothing back. */
  ignored?: ReadonlySet<string>;
};

type GateValues = {
  'min-score'?: string | undefined;
  baseline?: string | undefined;
  rubric?: string | undefined;
};

/** The gates of a command, or why they are refused: what is wrong with an argument, or a baseline of another rubric. */
export async function parseGates(values: GateValues): Promise<Gates | CommandFailure> {
  if (values.rubric !== undefined && !RUBRIC.test(values.rubric))
    return refuseUsage('--rubric takes a version, such as 3 or 3.0.0.');
  const minimum = values['min-score'] === undefined ? {} : parseMinScores(values['min-score']);
  if (!minimum) return refuseUsage('--min-score takes a number from 0 to 100, or a list such as aeo=80,mcp=50.');
  const refused = values.rubric === undefined ? undefined : explainOtherVersion(values.rubric);
  if (refused !== undefined) return refuseCommand('other_rubric', refused, EXIT.usage);
  if (values.baseline === undefined) return { minimum };
  const { readBaseline } = await import('./baseline.ts'); // It judges a snapshot again: the whole engine.
  const read = await readBaseline(values.baseline);
  return read.ok ? { minimum, baseline: read.baseline } : refuseCommand('baseline_unusable', read.detail, EXIT.usage);
}

export const hasGates = ({ minimum, baseline }: Gates): boolean =>
  baseline !== undefined || Object.keys(minimum).length > 0;

/** `3`, `3.0` and `3.0.0` name the rubric 3.0.0. */
const RUBRIC = /^\d{1,4}(?:\.\d{1,4}){0,2}$/;

const explainOtherVersion = (wanted: string): string | undefined =>
  `${RUBRIC_VERSION}.`.startsWith(`${wanted}.`)
    ? undefined
    : `--rubric names ${wanted}, but this build uses rubric ${RUBRIC_VERSION}: your minimums and baseline belong to other ` +
      'scores. See docs/project/rubric.md for what changed, then set new ones and name the new rubric.';

/**
 * Parses `80` (all scores) or `aeo=80,mcp=50`.
 * @returns undefined when the text is neither, or a number is not an integer from 0 to 100.
 */
function parseMinScores(text: string): MinScores | undefined {
  if (/^\d+$/.test(text)) {
    const all = Number(text);
    return all <= 100 ? Object.fromEntries(scoreNames.map((name) => [name, { points: all, named: false }])) : undefined;
  }
  const result: MinScores = {};
  for (const part of text.split(',')) {
    const match = /^(aeo|geo|agent|mcp)=(\d{1,3})$/.exec(part.trim());
    const value = Number(match?.[2]);
    if (!match || value > 100) return undefined;
    result[match[1] as ScoreName] = { points: value, named: true }; // The pattern admits these four names only.
  }
  return result;
}

/** Scores below their minimum, as `aeo 71 < 80`. A score that was not asked for, or does not apply, is not judged. */
function listBelowMinimum({ scores = {} }: ScoredReport, { minimum, ignored }: Gates): readonly string[] {
  return scoreNames.flatMap((name) => {
    const judged = scores[name];
    const wanted = minimum[name]?.points;
    if (judged === undefined || judged.applies === false || wanted === undefined) return [];
    const got = computeGatedScore(judged, ignored);
    return got < wanted ? [`${name} ${got} < ${wanted}${got === judged.score ? '' : ' (without ignored checks)'}`] : [];
  });
}

/** Why the gate cannot be judged: a score that it names does not apply to the site. */
const listNotApplying = ({ scores = {} }: ScoredReport, minimum: MinScores): readonly string[] =>
  scoreNames.flatMap((name) =>
    minimum[name]?.named === true && scores[name]?.applies === false
      ? [`--min-score names ${name}, which does not apply to this site. ${scores[name]?.reason ?? ''}`.trim()]
      : [],
  );

/** Whether a report holds against its gates; what holds it back is the failure. */
export function judgeGates(report: ScoredReport, gates: Gates, sayNote: SayNote): CommandEnd {
  const { minimum, baseline, ignored } = gates;
  const [refused] = listNotApplying(report, minimum);
  if (refused !== undefined) return refuseCommand('score_not_applicable', refused, EXIT.usage);
  const unshared = baseline === undefined ? undefined : explainNothingShared(report, baseline);
  if (unshared !== undefined) return refuseCommand('baseline_unusable', unshared, EXIT.usage);
  const below = listBelowMinimum(report, gates);
  const worse = baseline === undefined ? [] : listRegressions(report, baseline, ignored);
  const known =
    baseline === undefined ? [] : describeBaseline(report, baseline).map((line) => formatSafeLine(line, 300));
  if (baseline?.judgedAgain !== undefined)
    sayNote(
      `The baseline was judged by rubric ${formatSafeLine(baseline.judgedAgain.version)}; its snapshot was judged again by ${RUBRIC_VERSION}. What it lacks is not compared.`,
    );
  if (below.length === 0 && worse.length === 0) {
    for (const line of known) sayNote(line);
    return EXIT.done;
  }
  const [first = '', ...more] = [
    ...(below.length === 0 ? [] : [`Below the minimum: ${below.join(', ')}`]),
    ...(worse.length === 0 ? [] : ['Worse than the baseline:', ...worse.map((line) => formatSafeLine(line))]),
    ...known,
  ];
  return {
    reason: below.length > 0 ? 'below_minimum' : 'worse_than_baseline',
    message: first,
    detail: more,
    exit: EXIT.below,
  };
}
