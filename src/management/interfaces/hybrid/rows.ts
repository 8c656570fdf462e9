import * as z from 'zod';
import { checkOverrides } from '../../../hybrid/core/check.ts';
import { unifiedDiff } from '../../../hybrid/core/diff.ts';
import { migrateOverrides } from '../../../hybrid/core/migrate.ts';
import { migrateOptions } from '../../../hybrid/core/options.ts';
import { planRequest } from '../../../hybrid/plan/options.ts';
import type { Plan } from '../../../hybrid/plan/plan.ts';
import { planUpgrade } from '../../../hybrid/plan/plan-upgrade.ts';
import { planMarkdown, planText } from '../../../hybrid/plan/render.ts';
import { hasErrors, type Problem } from '../../../hybrid/core/problem.ts';
import { MAX_OVERRIDES_CHARS } from '../../../hybrid/core/source.ts';
import { isObject, type JsonObject } from '../../../lib/json.ts';
import type { MethodRow } from '../../core/table/method-row.ts';
import { bodyRefused, fileRefused, firstOf, planRefused } from './refusals.ts';
import { worded } from './flag-names.ts';

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
