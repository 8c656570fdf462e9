import { migrateOverrides } from '../core/migrate.ts';
import type { Migration } from '../core/migration.ts';
import type { MigrateOptions } from '../core/options.ts';
import { buildPlanContext, type PlanContext, listCommandValues } from './context.ts';
import type { PlanOptions, PlanOutcome, PlanRefusal } from './plan.ts';
import { isPrintable } from './shell.ts';
import { buildUpgradeSteps } from './steps/index.ts';
import { listPlanVariables } from './variables.ts';
import { findDryRunValue } from './versions.ts';

/**
 * The plan for what a migration came to.
 * @param options of that migration: the plan repeats it by them
 * @param oldText of the 1.2 file, for its variables
 * @returns the problems of a file that cannot be migrated, or the reason why there is no plan
 */
export function buildUpgradePlan(
  migration: Migration,
  options: MigrateOptions,
  planOptions: PlanOptions,
  oldText = '',
): PlanOutcome {
  const dryRun = findDryRunValue(planOptions.kubectl);
  if (dryRun === undefined)
    return refusePlan(
      'kubectl_version',
      'Give the version of kubectl 1 as it prints it, such as 1.18, 18+ or v1.17.17-gke.1.',
    );
  if (!migration.ok) return { ok: false, problems: migration.problems };
  const { org } = migration.values;
  if (migration.isFragment || org === undefined)
    return refusePlan('fragment', 'The file has no org: give the whole overrides file.');
  return buildMigratedPlan({
    migrated: migration,
    org,
    migrateOptions: options,
    options: planOptions,
    dryRun,
    oldText,
  });
}

function buildMigratedPlan(given: Parameters<typeof buildPlanContext>[0]): PlanOutcome {
  const { migrated, org, dryRun, options: planOptions } = given;
  if (migrated.version === '1.3')
    return refusePlan(
      'already_1_3',
      'The file is of 1.3 and says nothing of host names: give that of the running 1.2.',
    );
  if (migrated.groups.length === 0)
    return refusePlan('no_groups', 'The file has no virtual hosts: 1.3 needs one environment group at least.');
  const context = buildPlanContext(given);
  const hidden = listCommandValues(context).findIndex((value) => !isPrintable(value));
  if (hidden !== -1)
    return refusePlan(
      'unprintable_value',
      'A name or path has a character that is not printable: no command can carry it.',
    );
  if (isOverwriting(context))
    return refusePlan('same_file_names', 'The old file, the new one and their copies need names of their own.');
  const { groups, proposals, notes, problems } = migrated;
  const { platform } = planOptions;
  const variables = listPlanVariables(context);
  return {
    ok: true,
    plan: {
      from: '1.2',
      to: '1.3.6',
      org,
      dryRun,
      platform,
      groups,
      proposals,
      notes,
      problems,
      variables,
      steps: buildUpgradeSteps(context),
    },
  };
}

/** The plan writes the new file and copies, and removes them again: never the old one. */
function isOverwriting({ options, fileVariables, oldApplied, newApplied, seedFileName }: PlanContext): boolean {
  const names = [options.fileName, options.newFileName, seedFileName];
  if (fileVariables.length > 0) names.push(oldApplied, newApplied);
  const plain = names.map((name) => name.replaceAll(/\/(?:\.?\/)+/g, '/').replace(/^\.\//, ''));
  return new Set(plain).size < plain.length;
}

const refusePlan = (reason: PlanRefusal, detail: string): PlanOutcome => ({ ok: false, reason, detail });

/**
 * The procedure from 1.2 to 1.3.6 for an overrides file of 1.2: 13 steps, each with its check and its undo. Every value of
 * the file is one word in the commands, whatever it says; passwords and keys are in none.
 * Nothing is run and nothing of the cluster is known: `verifyCluster` says whether the conditions hold.
 * @returns the problems of a file that cannot be migrated, or the reason why there is no plan
 */
export const planUpgrade = (text: string, options: MigrateOptions, planOptions: PlanOptions): PlanOutcome =>
  buildUpgradePlan(migrateOverrides(text, options), options, planOptions, text);
