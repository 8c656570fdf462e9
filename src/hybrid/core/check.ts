import { migrateOverrides } from './migrate.ts';
import type { Report } from './migration.ts';
import type { MigrateOptions } from './options.ts';

/**
 * What is wrong with an overrides file of 1.2 or 1.3, and what a migration of it would refuse. Sorted by place.
 * A file of 1.2 without `instanceID` is right: the migration adds it.
 */
export function checkOverrides(text: string, options: MigrateOptions = {}): Report {
  const { version, isFragment, problems } = migrateOverrides(text, options);
  const isTold = version === '1.3';
  return { version, isFragment, problems: problems.filter(({ code }) => isTold || code !== 'instance-id-missing') };
}
