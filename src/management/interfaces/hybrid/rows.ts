import * as z from 'zod';
import { checkOverrides, migrateOverrides } from '../../../hybrid/core/migrate.ts';
import { formatOverridesDiff } from '../../../hybrid/core/diff.ts';
import { issueText } from '../../../hybrid/core/issue-text.ts';
import { migrateOptions, OPTION_FLAGS } from '../../../hybrid/core/options.ts';
import { hasErrors, type OverridesProblem, sortProblems } from '../../../hybrid/core/problem.ts';
import { MAX_OVERRIDES_CHARS } from '../../../hybrid/core/source.ts';
import { type UpgradePlan, type PlanRefusal, planRequest } from '../../../hybrid/plan/plan.ts';
import { planUpgrade } from '../../../hybrid/plan/plan-upgrade.ts';
import { planMarkdown, planText } from '../../../hybrid/plan/render.ts';
import { isObject, type JsonObject } from '../../../lib/json.ts';
import { Refusal } from '../../../lib/refusal.ts';
import { refuseViolations, truncateSentText, type Violation } from '../../core/conventions/invalid.ts';
import type { MethodRow } from '../../core/table/method-row.ts';

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
const translateProblem = ({ message, fix, ...rest }: OverridesProblem): OverridesProblem => ({
  ...rest,
  message: translateSentence(message),
  fix: translateSentence(fix),
});

/** Problems of a file that one refusal lists. */
const MAX_LISTED = 200;
/** Violations of a body that one answer lists. */
const MAX_VIOLATIONS = 20;

/** Refuses a body by what its schema says: each member once, each unknown name by itself. Nothing that was sent is shown but names. */
function refuseBody(issues: readonly z.core.$ZodIssue[]): Refusal {
  const violations = new Map<string | undefined, Violation>();
  for (const violation of issues.flatMap(listViolations))
    if (!violations.has(violation.field)) violations.set(violation.field, violation);
  return new Refusal(refuseViolations([...violations.values()].slice(0, MAX_VIOLATIONS)));
}

function listViolations(issue: z.core.$ZodIssue): readonly Violation[] {
  if (issue.code !== 'unrecognized_keys') {
    const field = formatFieldPath(issue.path);
    return [{ field, description: `Invalid value at '${field}': ${issueText(issue)}` }];
  }
  return issue.keys.slice(0, MAX_VIOLATIONS).map((key) => {
    const field = formatFieldPath([...issue.path, key]);
    return { field, description: `Invalid JSON payload received. Unknown name '${field}': Cannot find field.` };
  });
}

/** 400 for a file without errors of which there is still no plan; some reasons are faults of the request. */
function planRefused(reason: PlanRefusal, detail: string): Refusal {
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

const formatFieldPath = (path: readonly PropertyKey[]): string => truncateSentText(path.map(String).join('.'));

/**
 * Refuses a file with all its problems, up to 200, in the order of the file: `field` is `overrides:LINE:COLUMN`,
 * `reason` the code of the problem as google.rpc.BadRequest spells one (`VERSION_1_1`). The message describes the first
 * error.
 */
function refuseFile(problems: readonly OverridesProblem[]): Refusal {
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
function selectFirstProblems(problems: readonly OverridesProblem[], most: number): readonly OverridesProblem[] {
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

/** A method of the upgrade, as the tables of management interfaces have theirs. */
export type HybridRow = MethodRow & {
  /** The body of the answer. @throws Refusal */
  run: (body: JsonObject) => JsonObject;
};

/** The one that the vendor's own interface of the hybrid runtime takes. */
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';

/** Problems that an answer lists. */
const MAX_PROBLEMS = 1_000;

const listProblems = (problems: readonly OverridesProblem[]): readonly OverridesProblem[] =>
  selectFirstProblems(problems, MAX_PROBLEMS).map(translateProblem);

const overrides = z.string().max(MAX_OVERRIDES_CHARS);
const fileBody = z.strictObject({
  overrides,
  /** Appears in the headers of the diff. */
  fileName: planRequest.shape.fileName,
  options: migrateOptions.default({}),
});
type FileBody = z.infer<typeof fileBody>;

function check({ overrides: file, options }: FileBody): object {
  const { version, isFragment, problems } = checkOverrides(file, options);
  return { version, isFragment, ok: !hasErrors(problems), problems: listProblems(problems) };
}

/** @throws Refusal */
function migrate({ overrides: file, fileName, options }: FileBody): object {
  const migration = migrateOverrides(file, options);
  if (!migration.ok) throw refuseFile(migration.problems);
  const { version, isFragment, changed, edits, groups: environmentGroups, proposals, notes, problems } = migration;
  const diff = formatOverridesDiff({ before: fileName, after: fileName }, file, edits);
  return {
    version,
    isFragment,
    changed,
    overrides: migration.text,
    diff,
    environmentGroups,
    proposals,
    notes,
    problems: listProblems(problems),
  };
}

const planBody = planRequest.extend({
  overrides,
  options: migrateOptions.default({}),
  format: z.enum(['json', 'text', 'markdown']).default('json'),
});

/** @throws Refusal */
function plan({ overrides: file, options, format, ...planOptions }: z.infer<typeof planBody>): object {
  const outcome = planUpgrade(file, options, planOptions);
  if (outcome.ok) return renderPlan(outcome.plan, format);
  if ('problems' in outcome) throw refuseFile(outcome.problems);
  throw planRefused(outcome.reason, outcome.detail);
}

function renderPlan(made: UpgradePlan, format: 'json' | 'text' | 'markdown'): object {
  if (format === 'text') return { text: planText(made) };
  if (format === 'markdown') return { markdown: planMarkdown(made) };
  return { ...made, problems: listProblems(made.problems) };
}

const withBody =
  <T>(schema: z.ZodType<T>, act: (body: T) => object): HybridRow['run'] =>
  (body) => {
    const parsed = schema.safeParse(body);
    if (!parsed.success) throw refuseBody(parsed.error.issues);
    const answer: unknown = act(parsed.data);
    if (!isObject(answer)) throw new Error('An answer is an object');
    return answer;
  };

const defineHybridRow = (verb: string, response: string, run: HybridRow['run']): HybridRow => ({
  id: `hybrid.${verb}`,
  interface: 'hybrid',
  version: 'v1',
  httpMethod: 'POST',
  path: `/v1/hybrid:${verb}`,
  parameters: {},
  response,
  scopes: [SCOPE],
  inSeed: false,
  run,
});

const hybridRows: readonly HybridRow[] = [
  defineHybridRow('check', 'Check', withBody(fileBody, check)),
  defineHybridRow('migrate', 'Migration', withBody(fileBody, migrate)),
  defineHybridRow('plan', 'Plan', withBody(planBody, plan)),
];

/** The method at a path. Undefined: it is none of them. */
export const findHybridRow = (path: string): HybridRow | undefined => hybridRows.find((row) => row.path === path);
