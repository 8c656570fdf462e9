import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
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

/** An operator with a journal, the apigeectl of 1.2 in `tool`, and a facts.sh that gathers nothing: it has tests of its own, and takes a hundred processes. */
function placeOperator(
  plan: UpgradePlan,
  events: readonly string[],
  tools: Readonly<Record<string, string>> = {},
): FakeCluster {
  const cluster = placePlan(plan, tools);
  writeFileSync(join(cluster.folder, 'plan', 'facts.sh'), ':\n');
  placeTools(cluster, { tool: '1.2.0' });
  if (events.length > 0) keepJournal(cluster, events);
  return cluster;
}

/** Makes operators of a plan, as `placeOperator` does, and removes their folders after each test. */
export function createOperators(
  plan: UpgradePlan,
): (events?: readonly string[], tools?: Readonly<Record<string, string>>) => FakeCluster {
  const clusters: FakeCluster[] = [];
  afterEach(() => {
    for (const one of clusters.splice(0)) one.remove();
  });
  return (events = [], tools = {}) => {
    const cluster = placeOperator(plan, events, tools);
    clusters.push(cluster);
    return cluster;
  };
}

/** Puts a file beside the folder: what a stub says of itself, or goes by. */
export const says = (cluster: FakeCluster, file: string, text: string): void =>
  writeFileSync(join(cluster.folder, '..', file), text);

/** Runs a script of the plan. All by hand is done, and apigeectl is in `tool`. */
export const runScript = (
  cluster: FakeCluster,
  script: string,
  more: Readonly<Record<string, string>> = {},
): ReturnType<FakeCluster['run']> =>
  cluster.run(`sh plan/${script}`, { APIGEECTL_HOME: './tool', PLAN_YES: 'yes', CASSANDRA_BACKUP: 'gs://b', ...more });

/** The journal without its times. */
export const eventsOf = (cluster: FakeCluster): readonly string[] =>
  cluster
    .read(JOURNAL)
    .trim()
    .split('\n')
    .map((line) => line.replace(/^\S+ /, ''));

/** Calls that change something anywhere. */
export const CHANGES =
  /tool (?:init|apply|delete)|gcloud.*<(?:add|create|enable)|kubectl <(?:apply|delete|patch|scale)|<POST>|<PUT>/;
