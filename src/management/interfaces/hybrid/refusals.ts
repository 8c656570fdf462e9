import type * as z from 'zod';
import type { PlanRefusal } from '../../../hybrid/plan/plan.ts';
import { issueText } from '../../../hybrid/core/issue-text.ts';
import { hasErrors, type Problem, sorted } from '../../../hybrid/core/problem.ts';
import { badRequest, shownText, type Violation } from '../../core/conventions/invalid.ts';
import { Refusal } from '../../../lib/refusal.ts';
import { inMembers, worded } from './flag-names.ts';

/** Problems of a file that one refusal lists. */
const MAX_LISTED = 200;
/** Violations of a body that one answer lists. */
const MAX_VIOLATIONS = 20;

/** Refuses a body by what its schema says: each member once, each unknown name by itself. Nothing that was sent is shown but names. */
export function bodyRefused(issues: readonly z.core.$ZodIssue[]): Refusal {
  const violations = new Map<string | undefined, Violation>();
  for (const violation of issues.flatMap(violationsOf))
    if (!violations.has(violation.field)) violations.set(violation.field, violation);
  return new Refusal(badRequest([...violations.values()].slice(0, MAX_VIOLATIONS)));
}

function violationsOf(issue: z.core.$ZodIssue): readonly Violation[] {
  if (issue.code !== 'unrecognized_keys') {
    const field = fieldOf(issue.path);
    return [{ field, description: `Invalid value at '${field}': ${issueText(issue)}` }];
  }
  return issue.keys.slice(0, MAX_VIOLATIONS).map((key) => {
    const field = fieldOf([...issue.path, key]);
    return { field, description: `Invalid JSON payload received. Unknown name '${field}': Cannot find field.` };
  });
}

/** 400 for a file without errors of which there is still no plan; some reasons are faults of the request. */
export function planRefused(reason: PlanRefusal, detail: string): Refusal {
  const field = REQUEST_FIELDS[reason];
  const description = inMembers(detail);
  if (field !== undefined) return new Refusal(badRequest([{ field, description }]));
  const violation = { field: 'overrides', description, reason: reason.toUpperCase() };
  return new Refusal({ ...badRequest([violation]), word: 'FAILED_PRECONDITION', reason: 'failedPrecondition' });
}

const REQUEST_FIELDS: Readonly<Partial<Record<PlanRefusal, string>>> = {
  kubectl_version: 'kubectl',
  same_file_names: 'newFileName',
};

const fieldOf = (path: readonly PropertyKey[]): string => shownText(path.map(String).join('.'));

/**
 * Refuses a file with all its problems, up to 200, in the order of the file: `field` is `overrides:LINE:COLUMN`, `reason` the
 * code of the problem as google.rpc.BadRequest spells one (`VERSION_1_1`). The message tells the first error.
 */
export function fileRefused(problems: readonly Problem[]): Refusal {
  if (!hasErrors(problems)) throw new Error('A file without errors is not refused');
  const inOrder = sorted(problems).map(worded);
  return new Refusal({
    ...badRequest(firstOf(inOrder, MAX_LISTED).map(violationOf)),
    word: 'FAILED_PRECONDITION',
    reason: 'failedPrecondition',
    message: sentenceOf(inOrder.filter(isError)),
  });
}

const isError = ({ severity }: Problem): boolean => severity === 'error';

/** At most so many problems, in their order; warnings make room for errors. */
export function firstOf(problems: readonly Problem[], most: number): readonly Problem[] {
  if (problems.length <= most) return problems;
  const errors = problems.filter(isError);
  return sorted([...errors, ...problems.filter((each) => !isError(each))].slice(0, most));
}

const violationOf = ({ line, column, code, severity, message, fix }: Problem): Violation => ({
  field: `overrides:${line}:${column}`,
  description: `${severity === 'warning' ? 'Warning: ' : ''}${message} ${fix}`,
  reason: code.replaceAll('-', '_').toUpperCase(),
});

function sentenceOf([first, ...more]: readonly Problem[]): string {
  if (first === undefined) return '';
  const rest = more.length === 0 ? '' : ` (${more.length} more)`;
  return `The overrides file is refused at line ${first.line}, column ${first.column}: ${first.message} ${first.fix}${rest}`;
}
