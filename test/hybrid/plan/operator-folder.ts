import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildPlanFolder } from '../../../src/hybrid/plan/folder/plan-folder.ts';
import type { UpgradePlan } from '../../../src/hybrid/plan/plan.ts';
import { fakeCluster, type FakeCluster } from './fake-cluster.ts';

/** An operator's folder: the overrides file, and the plan in `plan/`. `tools` are bodies of shell scripts. */
export function placePlan(plan: UpgradePlan, tools: Readonly<Record<string, string>> = {}): FakeCluster {
  const cluster = fakeCluster({ sightline: 'exit 0', ...tools });
  writeFileSync(join(cluster.folder, 'overrides.yaml'), 'org: acme\n');
  for (const { path, content } of buildPlanFolder(plan)) {
    mkdirSync(dirname(join(cluster.folder, 'plan', path)), { recursive: true });
    writeFileSync(join(cluster.folder, 'plan', path), content);
  }
  return cluster;
}

/** The name that a plan for `acme` gives its journal. */
export const JOURNAL = 'upgrade-acme.journal';

/** Writes a journal: the cluster, then one event a step, such as `00 done`. */
export const keepJournal = (cluster: FakeCluster, events: readonly string[]): void =>
  writeFileSync(
    join(cluster.folder, JOURNAL),
    ['00 cluster uid-1', ...events].map((event) => `2026-01-15T09:00:00Z ${event}\n`).join(''),
  );

/** `00 done` and so on, up to a step. */
export const doneUpTo = (last: number): readonly string[] =>
  Array.from({ length: last + 1 }, (_, number) => `${String(number).padStart(2, '0')} done`);

/** Folders with an apigeectl of these versions, under names that begin with `tool`. */
export function placeTools(cluster: FakeCluster, versions: Readonly<Record<string, string>>): void {
  for (const [name, version] of Object.entries(versions)) {
    mkdirSync(join(cluster.folder, name), { recursive: true });
    const path = join(cluster.folder, name, 'apigeectl');
    writeFileSync(
      path,
      `#!/bin/sh\necho "${name} $*" >> ../calls\n[ "$1" != version ] || echo 'Version: ${version}'\n[ ! -e ../fail-${name}-"$1" ]\n`,
    );
    chmodSync(path, 0o755);
  }
}
