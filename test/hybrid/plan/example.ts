import { readFileSync } from 'node:fs';
import type { Migrated } from '../../../src/hybrid/core/migration.ts';
import { buildUpgradePlan } from '../../../src/hybrid/plan/plan-upgrade.ts';
import type { Command, UpgradePlan, PlanOptions } from '../../../src/hybrid/plan/plan.ts';
import type { MigrateOptions } from '../../../src/hybrid/core/options.ts';

export const options: PlanOptions = {
  kubectl: '1.18',
  platform: 'managed',
  envsOneByOne: false,
  fileName: 'overrides.yaml',
  newFileName: 'overrides-1.3.yaml',
};

export const overridesFile = readFileSync(new URL('overrides-1.2.yaml', import.meta.url), 'utf8');

/** What a migration could come to; names as the tests need them. */
export const migrated = (values: Partial<Migrated['values']> = {}, rest: Partial<Migrated> = {}): Migrated => ({
  ok: true,
  version: '1.2',
  isFragment: false,
  changed: true,
  text: '',
  edits: [],
  groups: [
    {
      group: 'public',
      hostnames: ['api.example.com', '*.example.org'],
      environments: ['test', 'prod'],
      basePaths: { test: ['/orders', '/items'], prod: ['/'] },
    },
    { group: 'partners', hostnames: ['partners.example.com'], environments: ['prod'], basePaths: { prod: ['/'] } },
  ],
  proposals: [{ key: 'instanceID', value: 'c-r', flag: '--instance-id', reason: 'cluster and region', isGiven: false }],
  notes: [
    { line: 9, column: 1, key: 'ingress.runtime.loadBalancerIP', message: 'put it into the manifest of the mesh' },
    { line: 12, column: 1, key: 'cassandra.dnsPolicy', message: 'gone' },
  ],
  problems: [
    { line: 1, column: 1, code: 'default-key', severity: 'warning', message: 'A published default.', fix: 'Rotate.' },
  ],
  values: {
    org: 'acme',
    projectId: 'acme-project',
    namespace: 'apigee',
    environments: ['test', 'prod'],
    cassandraReplicas: 3,
    martServiceAccountPath: './keys/mart.json',
    watcherServiceAccountPath: './keys/watcher.json',
    ...values,
  },
  ...rest,
});

/** @throws when there is no plan */
export function planFor(
  migration: Migrated = migrated(),
  planOptions: Partial<PlanOptions> = {},
  migrateOptions: MigrateOptions = {},
): UpgradePlan {
  const outcome = buildUpgradePlan(migration, migrateOptions, { ...options, ...planOptions });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome));
  return outcome.plan;
}

export const stepNamed = (plan: UpgradePlan, id: string): UpgradePlan['steps'][number] => {
  const step = plan.steps.find((one) => one.id === id);
  if (!step) throw new Error(`no step ${id}`);
  return step;
};

const scripts = (commands: readonly Command[]): readonly string[] => commands.flatMap(({ command }) => command ?? []);

export const commandsOf = (plan: UpgradePlan): readonly string[] =>
  plan.steps.flatMap((step) => [...scripts(step.commands), ...scripts(step.check.commands), ...scripts(step.undo)]);

/** The commands of one step, without check and undo. */
export const doing = (plan: UpgradePlan, id: string): string => scripts(stepNamed(plan, id).commands).join('\n');
export const checking = (plan: UpgradePlan, id: string): string =>
  scripts(stepNamed(plan, id).check.commands).join('\n');
export const undoing = (plan: UpgradePlan, id: string): string => scripts(stepNamed(plan, id).undo).join('\n');

/** The scripts that a plan writes, as a shell would see them. */
export const scriptsIn = (plan: UpgradePlan): readonly string[] =>
  commandsOf(plan).flatMap(
    (command) => /^cat > \S+ <<'END_OF_SCRIPT'\n([\s\S]*)\nEND_OF_SCRIPT$/.exec(command)?.[1] ?? [],
  );

/** The command that writes one of them. */
export const writing = (plan: UpgradePlan, name: string): string =>
  commandsOf(plan).find((command) => command.startsWith(`cat > ${name} <<`)) ?? '';
