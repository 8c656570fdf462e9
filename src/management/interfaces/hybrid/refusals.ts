import { OPTION_FLAGS } from '../../../hybrid/core/options.ts';
import { hasErrors, type OverridesProblem, sortProblems } from '../../../hybrid/core/problem.ts';
import type { PlanRefusal } from '../../../hybrid/plan/plan.ts';
import { Refusal } from '../../../lib/refusal.ts';
import { refuseViolations, type Violation } from '../../core/conventions/invalid.ts';

/** Problems of a file that one refusal lists. */
const MAX_LISTED = 200;

/** Members of a body by the flags of the command line that say the same. */
const MEMBERS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(OPTION_FLAGS).map(([name, flag]) => [flag, `options.${name}`] as const),
  ['--no-production', 'options.production'],
  ['--kubectl', 'kubectl'],
  ['--platform', 'platform'],
  ['--envs-one-by-one', 'envsOneByOne'],
  ['--out-name', 'newFileName'],
]);

/** A sentence for the command line, for one who sends a body. Words of a file with `--` within stay. */
const translateSentence = (sentence: string): string =>
  sentence.replaceAll(/(?<![\w-])(--[a-z-]+)( OLD=NEW)?/g, (said, flag: string) => MEMBERS.get(flag) ?? said);

/** A problem whose message and fix name members of a body. */
export const translateProblem = ({ message, fix, ...rest }: OverridesProblem): OverridesProblem => ({
  ...rest,
  message: translateSentence(message),
  fix: translateSentence(fix),
});

/** 400 for a file without errors of which there is still no plan; some reasons are faults of the request. */
export function refusePlan(reason: PlanRefusal, detail: string): Refusal {
  const field = REQUEST_FIELDS[reason];
  const description = translateSentence(detail);
  if (field !== undefined) return new Refusal(refuseViolations([{ field, description }]));
  const violation = { field: 'overrides', description, reason: reason.toUpperCase() };
  return new Refusal({ ...refuseViolations([violation]), word: 'FAILED_PRECONDITION', reason: 'failedPrecondition' });
}

const REQUEST_FIELDS: Readonly<Partial<Record<PlanRefusal, string>>> = {
  kubectl_version: 'kubectl',
  same_file_names: 'newFileName',
};

/**
 * Refuses a file with all its problems, up to 200, in the order of the file: `field` is `overrides:LINE:COLUMN`,
 * `reason` the code of the problem as google.rpc.BadRequest spells one (`VERSION_1_1`). The message describes the first
 * error.
 */
export function refuseFile(problems: readonly OverridesProblem[]): Refusal {
  if (!hasErrors(problems)) throw new Error('A file without errors is not refused');
  const inOrder = sortProblems(problems).map(translateProblem);
  return new Refusal({
    ...refuseViolations(selectFirstProblems(inOrder, MAX_LISTED).map(toViolation)),
    word: 'FAILED_PRECONDITION',
    reason: 'failedPrecondition',
    message: formatSummary(inOrder.filter(isError)),
  });
}

const isError = ({ severity }: OverridesProblem): boolean => severity === 'error';

/** At most so many problems, in their order; warnings make room for errors. */
export function selectFirstProblems(problems: readonly OverridesProblem[], most: number): readonly OverridesProblem[] {
  if (problems.length <= most) return problems;
  const errors = problems.filter(isError);
  return sortProblems([...errors, ...problems.filter((each) => !isError(each))].slice(0, most));
}

const toViolation = ({ line, column, code, severity, message, fix }: OverridesProblem): Violation => ({
  field: `overrides:${line}:${column}`,
  description: `${severity === 'warning' ? 'Warning: ' : ''}${message} ${fix}`,
  reason: code.replaceAll('-', '_').toUpperCase(),
});

function formatSummary([first, ...more]: readonly OverridesProblem[]): string {
  if (first === undefined) return '';
  const rest = more.length === 0 ? '' : ` (${more.length} more)`;
  return `The overrides file is refused at line ${first.line}, column ${first.column}: ${first.message} ${first.fix}${rest}`;
}
