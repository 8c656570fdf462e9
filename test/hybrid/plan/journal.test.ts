import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { migrated, planFor } from './example.ts';
import { type FakeCluster, hasJq } from './fake-cluster.ts';
import {
  CHANGES,
  doneUpTo,
  eventsOf,
  JOURNAL,
  createOperators,
  placeTools,
  runScript as run,
  says,
} from './operator-folder.ts';

const plan = planFor(migrated({ martServiceAccountPath: './mart.json' }));

const placeOne = createOperators(plan);

function operator(events: readonly string[] = [], tools: Readonly<Record<string, string>> = {}): FakeCluster {
  const cluster = placeOne(events, tools);
  // Left by an earlier run: the checks alone find it.
  cluster.run('cat plan/facts.sh > facts.sh');
  return cluster;
}

const has = (cluster: FakeCluster, name: string): boolean => existsSync(join(cluster.folder, name));

describe.skipIf(!hasJq)('the journal (needs jq)', () => {
  test('begins with the cluster, and has each step as begun and done', () => {
    const cluster = operator();
    expect(run(cluster, 'steps/00-versions.sh').status).toBe(0);
    expect(eventsOf(cluster)).toEqual(['00 cluster uid-1', '00 begun', '00 ran', '00 done']);
    expect(run(cluster, 'steps/00-versions.sh').status).toBe(0);
    expect(eventsOf(cluster).slice(4)).toEqual(['00 begun', '00 ran', '00 done']);
  });

  test('has no step as done whose check fails, until a later check or the operator says so', () => {
    const failing = operator([], { sightline: '[ -e ../well ]' });
    expect(run(failing, 'steps/00-versions.sh').status).toBe(1);
    expect(run(failing, 'steps/00-versions.sh --check').status).toBe(1);
    expect(eventsOf(failing)).toEqual(['00 cluster uid-1', '00 begun', '00 ran']);
    says(failing, 'well', '');
    expect(run(failing, 'steps/00-versions.sh --check').status).toBe(0);
    expect(eventsOf(failing).at(-1)).toBe('00 done');
    expect(run(failing, 'steps/01-backups.sh --done').status).toBe(0);
    expect(eventsOf(failing).at(-1)).toBe('01 done');
    expect(run(failing, 'steps/03-watcher.sh --done').status).toBe(2);
  });

  test('lets an undone step be done again, and an undo be run twice', () => {
    const cluster = operator(doneUpTo(0));
    expect(run(cluster, 'undo/00-versions.sh').status).toBe(0);
    expect(eventsOf(cluster).slice(-2)).toEqual(['00 undoing', '00 undone']);
    const again = run(cluster, 'undo/00-versions.sh');
    expect(again).toMatchObject({ status: 0, stdout: 'Step 00 is undone: there is nothing to undo.\n' });
    expect(run(cluster, 'steps/00-versions.sh').status).toBe(0);
    expect(eventsOf(cluster).at(-1)).toBe('00 done');
  });

  test('hands on what was answered by hand', () => {
    const cluster = operator([
      ...doneUpTo(9),
      '01 answer CASSANDRA_BACKUP=gs://b c',
      '10 answer INGRESS_IP=203.0.113.9',
    ]);
    placeTools(cluster, { tool: '1.3.6' });
    cluster.run('cat plan/probes.sh > probes.sh');
    const { stderr } = run(cluster, 'steps/10-components.sh', { CASSANDRA_BACKUP: '' });
    expect(stderr).toContain('CASSANDRA_BACKUP=gs://b c, as answered before');
    expect(cluster.calls()).toContain('<api.example.com:443:203.0.113.9>');
    expect(cluster.calls()).not.toContain(':443:203.0.113.1>');
  });

  test('has the removal of 1.2 just before it begins, once', () => {
    const cluster = operator(doneUpTo(11));
    placeTools(cluster, { tool: '1.3.6', 'tool-1.2': '1.2.0' });
    // Nothing can be asked here, so it stops before the first removal.
    run(cluster, 'steps/12-clean-up.sh', { CLEAN_UP: 'yes', PLAN_YES: '' });
    expect(cluster.calls()).not.toContain('delete');
    expect(eventsOf(cluster).at(-1)).toBe('12 begun');
    says(cluster, 'fail-tool-1.2-delete', '');
    for (let time = 0; time < 2; time += 1) run(cluster, 'steps/12-clean-up.sh', { CLEAN_UP: 'yes' });
    expect(cluster.calls()).toContain('tool-1.2 delete');
    expect(eventsOf(cluster).filter((event) => event === '12 removed')).toHaveLength(1);
  });

  test('is not looked at for the order where the operator says so; the cluster always is', () => {
    const cluster = operator(['01 begun']);
    expect(run(cluster, 'steps/02-connect.sh', { PLAN_ANYWAY: 'yes' }).stderr).toContain('PLAN_ANYWAY is yes');
    expect(cluster.calls()).toMatch(CHANGES);
    says(cluster, 'uid', 'uid-2');
    expect(run(cluster, 'steps/02-connect.sh', { PLAN_ANYWAY: 'yes' }).status).toBe(2);
  });
});

describe.skipIf(!hasJq)('--check (needs jq)', () => {
  test('takes no step for done whose commands did not come to their end', () => {
    const cluster = operator([], { kubectl: '[ -e ../well ]' });
    expect(run(cluster, 'steps/00-versions.sh').stderr).toContain('Command 1 of plan/steps/00-versions.sh failed');
    const checked = run(cluster, 'steps/00-versions.sh --check');
    expect(checked.status).toBe(0);
    expect(checked.stderr).toContain('did not run to their end');
    expect(eventsOf(cluster)).toEqual(['00 cluster uid-1', '00 begun']);
    expect(run(cluster, 'steps/01-backups.sh').stderr).toContain('Step 00 comes before and is not done (begun)');
    says(cluster, 'well', '');
    expect(run(cluster, 'steps/00-versions.sh --from 1').status).toBe(0);
    expect(eventsOf(cluster).slice(2)).toEqual(['00 begun', '00 ran', '00 done']);
  });

  test.each([
    ['runs', `echo 4711 > ${JOURNAL}.lock`, 'process 4711'],
    [
      'came and went',
      `echo 'T 00 begun' >> ${JOURNAL}; echo 'T 00 ran' >> ${JOURNAL}`,
      'has changed during the checks',
    ],
  ])('writes nothing where another script %s meanwhile', (_, sightline, message) => {
    const cluster = operator(['00 begun', '00 ran'], { sightline });
    const { status, stderr } = run(cluster, 'steps/00-versions.sh --check');
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(eventsOf(cluster).at(-1)).toBe('00 ran');
  });

  test('of a step that is done needs no lock, while --done does', () => {
    const cluster = operator(doneUpTo(0));
    writeFileSync(join(cluster.folder, `${JOURNAL}.lock`), '4711\n');
    expect(run(cluster, 'steps/00-versions.sh --check').status).toBe(0);
    const { status, stderr } = run(cluster, 'steps/01-backups.sh --done');
    expect(status).toBe(2);
    expect(stderr).toContain('process 4711');
    expect(eventsOf(cluster).at(-1)).toBe('00 done');
  });

  test('says nothing of which cluster the plan is for', () => {
    const cluster = operator();
    expect(run(cluster, 'steps/00-versions.sh --check').status).toBe(0);
    expect(has(cluster, JOURNAL)).toBe(false);
  });
});

describe.skipIf(!hasJq)('the cluster of a plan (needs jq)', () => {
  test('is free again after the undo of step 0', () => {
    const cluster = operator();
    run(cluster, 'steps/00-versions.sh');
    says(cluster, 'uid', 'uid-2');
    const refused = run(cluster, 'steps/00-versions.sh');
    expect(refused.status).toBe(2);
    expect(refused.stderr).toMatch(/down to sh '.*plan\/undo\/00-versions\.sh'/);
    says(cluster, 'uid', 'uid-1');
    expect(run(cluster, 'undo/00-versions.sh').status).toBe(0);
    expect(run(cluster, 'steps/01-backups.sh --done').stderr).toContain('begin with step 0');
    says(cluster, 'uid', 'uid-2');
    expect(run(cluster, 'steps/00-versions.sh').status).toBe(0);
    says(cluster, 'uid', 'uid-1');
    expect(run(cluster, 'steps/01-backups.sh').stderr).toContain(
      'leads to another cluster (uid-1) than at step 0 (uid-2)',
    );
  });

  test('is free again also where step 0 was cut off before it began', () => {
    const cluster = operator(['01 undone']);
    expect(run(cluster, 'undo/00-versions.sh').status).toBe(0);
    says(cluster, 'uid', 'uid-2');
    expect(run(cluster, 'steps/00-versions.sh').status).toBe(0);
  });

  test('is not another one while a later step is not undone, whatever the order', () => {
    const cluster = operator(['00 done', '01 begun', '00 undone']);
    says(cluster, 'uid', 'uid-2');
    for (const script of ['steps/00-versions.sh', 'steps/00-versions.sh --done']) {
      const { status, stderr } = run(cluster, script, { PLAN_ANYWAY: 'yes' });
      expect(status).toBe(2);
      expect(stderr).toContain('leads to another cluster (uid-2) than at step 0 (uid-1)');
    }
    expect(eventsOf(cluster).at(-1)).toBe('00 undone');
  });

  test('is not written down by a script that refuses', () => {
    const cluster = operator();
    writeFileSync(join(cluster.folder, `${JOURNAL}.lock`), '4711\n');
    expect(run(cluster, 'steps/00-versions.sh').status).toBe(2);
    expect(has(cluster, JOURNAL)).toBe(false);
    rmSync(join(cluster.folder, `${JOURNAL}.lock`));
    expect(run(cluster, 'steps/00-versions.sh').status).toBe(0);
  });
});
