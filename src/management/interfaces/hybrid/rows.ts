import * as z from 'zod';
import { checkOverrides, migrateOverrides } from '../../../hybrid/core/migrate.ts';
import { unifiedDiff } from '../../../hybrid/core/diff.ts';
import { issueText } from '../../../hybrid/core/issue-text.ts';
import { migrateOptions, OPTION_FLAGS } from '../../../hybrid/core/options.ts';
import { hasErrors, type Problem, sorted } from '../../../hybrid/core/problem.ts';
import { MAX_OVERRIDES_CHARS } from '../../../hybrid/core/source.ts';
import { type Plan, type PlanRefusal, planRequest } from '../../../hybrid/plan/plan.ts';
import { planUpgrade } from '../../../hybrid/plan/plan-upgrade.ts';
import { planMarkdown, planText } from '../../../hybrid/plan/render.ts';
import { isObject, type JsonObject } from '../../../lib/json.ts';
import { Refusal } from '../../../lib/refusal.ts';
import { badRequest, shownText, type Violation } from '../../core/conventions/invalid.ts';
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
const inMembers = (sentence: string): string =>
  sentence.replaceAll(/(?<![\w-])(--[a-z-]+)( OLD=NEW)?/g, (said, flag: string) => MEMBERS.get(flag) ?? said);

/** A problem whose message and fix name members of a body. */
const worded = ({ message, fix, ...rest }: Problem): Problem => ({
  ...rest,
  message: inMembers(message),
  fix: inMembers(fix),
});

/** Problems of a file that one refusal lists. */
const MAX_LISTED = 200;
/** Violations of a body that one answer lists. */
const MAX_VIOLATIONS = 20;

/** Refuses a body by what its schema says: each member once, each unknown name by itself. Nothing that was sent is shown but names. */
function bodyRefused(issues: readonly z.core.$ZodIssue[]): Refusal {
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
function planRefused(reason: PlanRefusal, detail: string): Refusal {
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
function fileRefused(problems: readonly Problem[]): Refusal {
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
function firstOf(problems: readonly Problem[], most: number): readonly Problem[] {
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

/** A method of the upgrade, as the tables of management interfaces have theirs. */
export type HybridRow = MethodRow & {
  /** The body of the answer. @throws Refusal */
  run: (body: JsonObject) => JsonObject;
};

/** The one that the vendor's own interface of the hybrid runtime takes. */
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';

/** Problems that an answer lists. */
const MAX_PROBLEMS = 1_000;

const listed = (problems: readonly Problem[]): readonly Problem[] => firstOf(problems, MAX_PROBLEMS).map(worded);

const overrides = z.string().max(MAX_OVERRIDES_CHARS);
const fileBody = z.strictObject({
  overrides,
  /** Stands in the headers of the diff. */
  fileName: planRequest.shape.fileName,
  options: migrateOptions.default({}),
});
type FileBody = z.infer<typeof fileBody>;

function check({ overrides: file, options }: FileBody): object {
  const { version, isFragment, problems } = checkOverrides(file, options);
  return { version, isFragment, ok: !hasErrors(problems), problems: listed(problems) };
}

/** @throws Refusal */
function migrate({ overrides: file, fileName, options }: FileBody): object {
  const migration = migrateOverrides(file, options);
  if (!migration.ok) throw fileRefused(migration.problems);
  const { version, isFragment, changed, edits, groups: environmentGroups, proposals, notes, problems } = migration;
  const diff = unifiedDiff({ before: fileName, after: fileName }, file, edits);
  return {
    version,
    isFragment,
    changed,
    overrides: migration.text,
    diff,
    environmentGroups,
    proposals,
    notes,
    problems: listed(problems),
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
  if (outcome.ok) return shown(outcome.plan, format);
  if ('problems' in outcome) throw fileRefused(outcome.problems);
  throw planRefused(outcome.reason, outcome.detail);
}

function shown(made: Plan, format: 'json' | 'text' | 'markdown'): object {
  if (format === 'text') return { text: planText(made) };
  if (format === 'markdown') return { markdown: planMarkdown(made) };
  return { ...made, problems: listed(made.problems) };
}

const withBody =
  <T>(schema: z.ZodType<T>, act: (body: T) => object): HybridRow['run'] =>
  (body) => {
    const parsed = schema.safeParse(body);
    if (!parsed.success) throw bodyRefused(parsed.error.issues);
    const answer: unknown = act(parsed.data);
    if (!isObject(answer)) throw new Error('An answer is an object');
    return answer;
  };

const rowOf = (verb: string, response: string, run: HybridRow['run']): HybridRow => ({
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
  rowOf('check', 'Check', withBody(fileBody, check)),
  rowOf('migrate', 'Migration', withBody(fileBody, migrate)),
  rowOf('plan', 'Plan', withBody(planBody, plan)),
];

/** The method at a path. Undefined: it is none of them. */
export const hybridRowOf = (path: string): HybridRow | undefined => hybridRows.find((row) => row.path === path);
