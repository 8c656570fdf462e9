import { migrateOverrides } from '../core/migrate.ts';
import type { MigrateOptions } from '../core/options.ts';
import { planOf } from './plan-of.ts';
import type { PlanOptions, PlanOutcome } from './plan.ts';

/**
 * The procedure from 1.2 to 1.3.6 for an overrides file of 1.2: 13 steps, each with its check and its undo. Every value of
 * the file is one word in the commands, whatever it says; passwords and keys are in none.
 * Nothing is run and nothing of the cluster is known: `verifyCluster` says whether the conditions hold.
 * @returns the problems of a file that cannot be migrated, or the reason why there is no plan
 */
export const planUpgrade = (text: string, options: MigrateOptions, planOptions: PlanOptions): PlanOutcome =>
  planOf(migrateOverrides(text, options), options, planOptions, text);
