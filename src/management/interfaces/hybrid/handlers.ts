import { checkOverrides, migrateOverrides } from '../../../hybrid/core/migrate.ts';
import { formatOverridesDiff } from '../../../hybrid/core/diff.ts';
import { hasErrors, type OverridesProblem } from '../../../hybrid/core/problem.ts';
import type { UpgradePlan } from '../../../hybrid/plan/plan.ts';
import { planUpgrade } from '../../../hybrid/plan/plan-upgrade.ts';
import { planMarkdown, planText } from '../../../hybrid/plan/render.ts';
import { isObject, type JsonObject } from '../../../lib/json.ts';
import type { MethodRow } from '../../core/table/method-row.ts';
import { refuseFile, refusePlan, selectFirstProblems, translateProblem } from './refusals.ts';
import { type FileBody, fileBody, parseHybridBody, type PlanBody, planBody } from './schemas.ts';

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

/** @throws Refusal */
function plan({ overrides: file, options, format, ...planOptions }: PlanBody): object {
  const outcome = planUpgrade(file, options, planOptions);
  if (outcome.ok) return renderPlan(outcome.plan, format);
  if ('problems' in outcome) throw refuseFile(outcome.problems);
  throw refusePlan(outcome.reason, outcome.detail);
}

function renderPlan(made: UpgradePlan, format: 'json' | 'text' | 'markdown'): object {
  if (format === 'text') return { text: planText(made) };
  if (format === 'markdown') return { markdown: planMarkdown(made) };
  return { ...made, problems: listProblems(made.problems) };
}

const defineHybridRow = (verb: string, response: string, answer: (body: JsonObject) => object): HybridRow => ({
  id: `hybrid.${verb}`,
  interface: 'hybrid',
  version: 'v1',
  httpMethod: 'POST',
  path: `/v1/hybrid:${verb}`,
  parameters: {},
  response,
  scopes: [SCOPE],
  inSeed: false,
  run: (body) => {
    const answered: unknown = answer(body);
    if (!isObject(answered)) throw new Error('An answer is an object');
    return answered;
  },
});

const hybridRows: readonly HybridRow[] = [
  defineHybridRow('check', 'Check', (body) => check(parseHybridBody(fileBody, body))),
  defineHybridRow('migrate', 'Migration', (body) => migrate(parseHybridBody(fileBody, body))),
  defineHybridRow('plan', 'Plan', (body) => plan(parseHybridBody(planBody, body))),
];

/** The method at a path. Undefined: it is none of them. */
export const findHybridRow = (path: string): HybridRow | undefined => hybridRows.find((row) => row.path === path);
