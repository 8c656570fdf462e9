import * as z from 'zod';
import type { Binding, Script } from './account.ts';
import { RefusedCall } from './refusals-data.ts';

const names = z.array(z.string()).default([]);
const stepSchema = z.object({
  new_classes: names,
  new_sqlite_classes: names,
  deleted_classes: names,
  renamed_classes: z.array(z.object({ from: z.string(), to: z.string() })).default([]),
});
export const migrationsSchema = z.object({
  old_tag: z.string().optional(),
  new_tag: z.string().optional(),
  steps: z.array(stepSchema).default([]),
});
export type Migrations = z.infer<typeof migrationsSchema>;

/** What the migrations of an upload act on. */
export type MigratedWorker = {
  readonly script: Pick<Script, 'migrationTag' | 'classes'>;
  readonly exports: readonly string[];
  readonly bindings: readonly Binding[];
  readonly plan: 'free' | 'paid';
};

/** @returns the classes that have a namespace afterwards. @throws RefusedCall as the platform refuses */
export function applyMigrations(migrations: Migrations, worker: MigratedWorker): Set<string> {
  const current = worker.script.migrationTag ?? '';
  if ((migrations.old_tag ?? '') !== current) throw new RefusedCall('migrationTag', [current]);
  const classes = new Set(worker.script.classes);
  for (const step of migrations.steps) {
    if (worker.plan === 'free' && step.new_classes.length > 0) throw new RefusedCall('oldClasses');
    for (const name of [...step.new_classes, ...step.new_sqlite_classes]) {
      if (!worker.exports.includes(name)) throw new RefusedCall('classNotExported', [name]);
      if (classes.has(name)) throw new RefusedCall('classExists', [name]);
      classes.add(name);
    }
    for (const { from, to } of step.renamed_classes) {
      if (!classes.delete(from)) throw new RefusedCall('classUnknown', ['rename-class', from]);
      classes.add(to);
    }
    for (const name of step.deleted_classes) {
      if (!classes.has(name)) throw new RefusedCall('classUnknown', ['delete-class', name]);
      if (worker.bindings.some((binding) => binding['class_name'] === name))
        throw new RefusedCall('classBound', [name]);
      classes.delete(name);
    }
  }
  return classes;
}
