import { type ScoreName, scoreNames } from '../../audit/core/check.ts';
import { RUBRIC_VERSION } from '../../audit/core/rubric-version.ts';
import { formatSafeLine } from '../core/terminal.ts';
import { EXIT } from '../core/usage.ts';
import { type Baseline, listRegressions, readBaseline, type ScoredReport } from './baseline.ts';

/** `named`: a minimum of this very score, not one of all scores. */
type MinScores = Partial<Record<ScoreName, { points: number; named: boolean }>>;

/** What a report has to hold against. */
export type Gates = { minimum: MinScores; baseline?: Baseline };

export const gateOptions = {
  'min-score': { type: 'string' },
  baseline: { type: 'string' },
  rubric: { type: 'string' },
} as const;

type GateValues = { [K in keyof typeof gateOptions]?: string | undefined };

/** The gates of a command, what is wrong with its arguments, or why a gate is refused: one of another rubric is. */
export async function parseGates(values: GateValues): Promise<Gates | string | RefusedGate> {
  if (values.rubric !== undefined && !RUBRIC.test(values.rubric))
    return '--rubric takes a version, such as 3 or 3.0.0.';
  const minimum = values['min-score'] === undefined ? {} : parseMinScores(values['min-score']);
  if (!minimum) return '--min-score takes a number from 0 to 100, or a list such as aeo=80,mcp=50.';
  const refused = values.rubric === undefined ? undefined : explainOtherVersion(values.rubric);
  if (refused !== undefined) return { refused };
  if (values.baseline === undefined) return { minimum };
  const read = await readBaseline(values.baseline);
  return read.ok ? { minimum, baseline: read.baseline } : { refused: formatSafeLine(read.detail, MAX_REASON_CHARS) };
}

/** Why a gate is not judged: exit status 2. */
export type RefusedGate = { refused: string };

/** Room for a path and for what a snapshot lacks. */
export const MAX_REASON_CHARS = 1000;

export const hasGates = ({ minimum, baseline }: Gates): boolean =>
  baseline !== undefined || Object.keys(minimum).length > 0;

/** `3`, `3.0` and `3.0.0` name the rubric 3.0.0. */
const RUBRIC = /^\d{1,4}(?:\.\d{1,4}){0,2}$/;

const explainOtherVersion = (wanted: string): string | undefined =>
  `${RUBRIC_VERSION}.`.startsWith(`${wanted}.`)
    ? undefined
    : `--rubric names ${wanted}, and this build judges by rubric ${RUBRIC_VERSION}: minimum and baseline were made for other ` +
      'scores. docs/project/rubric.md says what moved. Make them anew, and name the new rubric.';

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
function listBelowMinimum({ scores = {} }: ScoredReport, minimum: MinScores): readonly string[] {
  return scoreNames.flatMap((name) => {
    const got = scores[name]?.applies === false ? undefined : scores[name]?.score;
    const wanted = minimum[name]?.points;
    return got !== undefined && wanted !== undefined && got < wanted ? [`${name} ${got} < ${wanted}`] : [];
  });
}

/** Why the gate cannot be judged: a score that it names does not apply to the site. */
const listNotApplying = ({ scores = {} }: ScoredReport, minimum: MinScores): readonly string[] =>
  scoreNames.flatMap((name) =>
    minimum[name]?.named === true && scores[name]?.applies === false
      ? [`--min-score names ${name}, which does not apply to this site. ${scores[name]?.reason ?? ''}`.trim()]
      : [],
  );

/** The exit status of a report that was printed; says on standard error what holds it back. */
export function judgeGates(report: ScoredReport, { minimum, baseline }: Gates): number {
  const refused = listNotApplying(report, minimum);
  for (const line of refused) process.stderr.write(`${formatSafeLine(line)}\n`);
  if (refused.length > 0) return EXIT.usage;
  const below = listBelowMinimum(report, minimum);
  const worse = baseline === undefined ? [] : listRegressions(report, baseline);
  if (baseline?.judgedAgain !== undefined)
    process.stderr.write(
      `The baseline was judged by rubric ${formatSafeLine(baseline.judgedAgain.version)}; its snapshot was judged again by ${RUBRIC_VERSION}. What it lacks is not compared.\n`,
    );
  if (below.length > 0) process.stderr.write(`Below the minimum: ${below.join(', ')}\n`);
  if (worse.length > 0)
    process.stderr.write(`Worse than the baseline:\n${worse.map((line) => `  ${line}\n`).join('')}`);
  return below.length > 0 || worse.length > 0 ? EXIT.below : EXIT.done;
}
