import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { migrated, planFor } from './example.ts';
import { type FakeCluster, hasJq } from './fake-cluster.ts';
import { doneUpTo, JOURNAL, keepJournal, placePlan, placeTools } from './operator-folder.ts';

const plan = planFor(migrated({ martServiceAccountPath: './mart.json' }));

const clusters: FakeCluster[] = [];
afterEach(() => {
  for (const one of clusters.splice(0)) one.remove();
});

function operator(events: readonly string[] = [], tools: Readonly<Record<string, string>> = {}): FakeCluster {
  const cluster = placePlan(plan, tools);
  clusters.push(cluster);
  // What it gathers has tests of its own, and takes a hundred processes.
  writeFileSync(join(cluster.folder, 'plan', 'facts.sh'), ':\n');
  placeTools(cluster, { tool: '1.2.0' });
  if (events.length > 0) keepJournal(cluster, events);
  return cluster;
}

const ENVIRONMENT = { APIGEECTL_HOME: './tool', PLAN_YES: 'yes', CASSANDRA_BACKUP: 'gs://b' };
const run = (cluster: FakeCluster, script: string, more: Readonly<Record<string, string>> = {}) =>
  cluster.run(`sh plan/${script}`, { ...ENVIRONMENT, ...more });
const says = (cluster: FakeCluster, file: string, text: string): void =>
  writeFileSync(join(cluster.folder, '..', file), text);

/** Whatever changes something anywhere. */
const CHANGES =
  /tool (?:init|apply|delete)|gcloud.*<(?:add|create|enable)|kubectl <(?:apply|delete|patch|scale)|<POST>|<PUT>/;

describe.skipIf(!hasJq)('a script refuses (needs jq)', () => {
  test.each([
    ['another context', 'context', 'staging', 'kubectl is not at prod but at staging'],
    ['no context', 'context', '', 'kubectl is not at prod but at'],
    ['another cluster of that name', 'uid', 'uid-2', 'leads to another cluster (uid-2) than at step 0 (uid-1)'],
    ['a cluster that does not answer', 'uid', '', 'does not answer'],
    ['a kubectl that takes another --dry-run', 'minor', '17', 'make a new plan with --kubectl 1.17'],
    ['a kubectl that does not say its version', 'minor', '"', 'does not say its version'],
  ])('%s', (_, file, text, message) => {
    for (const script of ['steps/02-connect.sh', 'steps/02-connect.sh --check', 'undo/01-backups.sh']) {
      const cluster = operator(doneUpTo(1));
      says(cluster, file, text);
      const { status, stdout, stderr } = run(cluster, script);
      expect({ script, status, stdout }).toEqual({ script, status: 2, stdout: '' });
      expect(stderr).toContain(message);
      expect(cluster.calls()).not.toMatch(CHANGES);
    }
  });

  test('to go on where the context changes between two commands', () => {
    const cluster = operator(doneUpTo(1), { gcloud: 'echo staging > ../context' });
    const { status, stderr } = run(cluster, 'steps/02-connect.sh');
    expect(status).toBe(2);
    expect(stderr).toContain('kubectl is not at prod but at staging');
    expect(cluster.calls().match(/^gcloud/gm)).toHaveLength(1);
  });

  test('a folder without the journal of step 0, or without the overrides file', () => {
    const cluster = operator();
    expect(run(cluster, 'steps/02-connect.sh').stderr).toContain('begin with step 0');
    rmSync(join(cluster.folder, 'overrides.yaml'));
    const { status, stderr } = run(cluster, 'steps/00-versions.sh');
    expect({ status, calls: cluster.calls() }).toEqual({ status: 2, calls: '' });
    expect(stderr).toContain('The overrides file is not here');
  });

  test.each([
    ['sightline', 'Not on the path: sightline.'],
    ['jq', 'Not on the path: jq.'],
  ])('a machine without %s', (tool, message) => {
    const cluster = operator(doneUpTo(1));
    rmSync(join(cluster.folder, '..', 'bin', tool));
    const { status, stderr } = run(cluster, 'steps/02-connect.sh');
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  test.each(['--from abc', '--from 0', '--from', "--from ''", '--from 2 3', '--frm 2', '--from 99', '--check 1'])(
    'the arguments %s',
    (words) => {
      const cluster = operator(doneUpTo(2));
      expect(run(cluster, `steps/02-connect.sh ${words}`).status).toBe(2);
      expect(cluster.calls()).toBe('');
    },
  );

  test.each([
    ['a step before another is done', doneUpTo(0), 'steps/02-connect.sh', 'Step 01 comes before and is not done'],
    ['a step after one that was stopped', ['00 done', '01 begun'], 'steps/02-connect.sh', '(begun)'],
    [
      'a step of which a later one is begun',
      [...doneUpTo(2), '03 begun'],
      'steps/02-connect.sh',
      'Step 03 comes later',
    ],
    ['a step in the middle that was not begun', doneUpTo(1), 'steps/02-connect.sh --from 2', 'was not begun'],
    ['a step whose undo was cut off', [...doneUpTo(2), '02 undoing'], 'steps/02-connect.sh', 'end it first'],
    ['an undo before a later one', doneUpTo(2), 'undo/01-backups.sh', 'Step 02 comes later and is done: undo it first'],
    ['the checks of an undo', doneUpTo(2), 'undo/02-connect.sh --check', 'An undo has no check'],
    [
      'an undo when 1.2 is being removed',
      [...doneUpTo(11), '12 begun', '12 removed', '12 undone'],
      'undo/11-ring.sh',
      'the removal of 1.2 was begun',
    ],
  ])('%s', (_, events, script, message) => {
    const cluster = operator(events);
    placeTools(cluster, { tool: '1.3.6' });
    const { status, stdout, stderr } = run(cluster, script);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr.toLowerCase()).toContain(message.toLowerCase());
    expect(cluster.calls()).not.toMatch(CHANGES);
  });

  test.each([
    ['steps/01-backups.sh', 0, '1.3.6', '1.2'],
    ['steps/08-init.sh', 7, '1.2.0', '1.3.6'],
    ['steps/10-components.sh', 9, '1.2.0', '1.3.6'],
    ['undo/06-mesh.sh', 6, '1.3.6', '1.2'],
    ['undo/10-components.sh', 10, '1.2.0', '1.3.6'],
  ])('the wrong apigeectl: %s', (script, last, version, wanted) => {
    const cluster = operator(doneUpTo(last));
    placeTools(cluster, { tool: version });
    const { status, stderr } = run(cluster, script);
    expect(status).toBe(2);
    expect(stderr).toContain(`does not say that it is version ${wanted}`);
    expect(cluster.calls()).not.toMatch(CHANGES);
  });

  test('a second run at the same time, and leaves no lock behind', () => {
    const cluster = operator(doneUpTo(1));
    writeFileSync(join(cluster.folder, `${JOURNAL}.lock`), '4711\n');
    const { status, stderr } = run(cluster, 'steps/02-connect.sh');
    expect(status).toBe(2);
    expect(stderr).toContain('process 4711');
    expect(stderr).toContain(`rm ${JOURNAL}.lock`);
    rmSync(join(cluster.folder, `${JOURNAL}.lock`));
    run(cluster, 'steps/02-connect.sh');
    expect(cluster.files()).not.toContain(`${JOURNAL}.lock`);
  });
});

describe.skipIf(!hasJq)('the journal (needs jq)', () => {
  const events = (cluster: FakeCluster): readonly string[] =>
    cluster
      .read(JOURNAL)
      .trim()
      .split('\n')
      .map((line) => line.replace(/^\S+ /, ''));

  test('begins with the cluster, and has each step as begun and done', () => {
    const cluster = operator();
    expect(run(cluster, 'steps/00-versions.sh').status).toBe(0);
    expect(events(cluster)).toEqual(['00 cluster uid-1', '00 begun', '00 done']);
    expect(run(cluster, 'steps/00-versions.sh').status).toBe(0);
    expect(events(cluster).slice(3)).toEqual(['00 begun', '00 done']);
  });

  test('has no step as done whose check fails, until a later check or the operator says so', () => {
    const failing = operator([], { sightline: '[ -e ../well ]' });
    expect(run(failing, 'steps/00-versions.sh').status).toBe(1);
    expect(run(failing, 'steps/00-versions.sh --check').status).toBe(1);
    expect(events(failing)).toEqual(['00 cluster uid-1', '00 begun']);
    says(failing, 'well', '');
    expect(run(failing, 'steps/00-versions.sh --check').status).toBe(0);
    expect(events(failing).at(-1)).toBe('00 done');
    expect(run(failing, 'steps/01-backups.sh --done').status).toBe(0);
    expect(events(failing).at(-1)).toBe('01 done');
    expect(run(failing, 'steps/03-watcher.sh --done').status).toBe(2);
  });

  test('lets an undone step be done again, and an undo be run twice', () => {
    const cluster = operator(doneUpTo(0));
    expect(run(cluster, 'undo/00-versions.sh').status).toBe(0);
    expect(events(cluster).slice(-2)).toEqual(['00 undoing', '00 undone']);
    const again = run(cluster, 'undo/00-versions.sh');
    expect(again).toMatchObject({ status: 0, stdout: 'Step 00 is undone: there is nothing to undo.\n' });
    expect(run(cluster, 'steps/00-versions.sh').status).toBe(0);
    expect(events(cluster).at(-1)).toBe('00 done');
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

  test('has the removal of 1.2 before it begins', () => {
    const cluster = operator(doneUpTo(11));
    placeTools(cluster, { tool: '1.3.6', 'tool-1.2': '1.2.0' });
    run(cluster, 'steps/12-clean-up.sh');
    expect(events(cluster).at(-1)).toBe('12 begun');
    run(cluster, 'steps/12-clean-up.sh', { CLEAN_UP: 'yes' });
    expect(events(cluster)).toContain('12 removed');
  });

  test('is not looked at for the order where the operator says so; the cluster always is', () => {
    const cluster = operator(['01 begun']);
    expect(run(cluster, 'steps/02-connect.sh', { PLAN_ANYWAY: 'yes' }).stderr).toContain('PLAN_ANYWAY is yes');
    expect(cluster.calls()).toMatch(CHANGES);
    says(cluster, 'uid', 'uid-2');
    expect(run(cluster, 'steps/02-connect.sh', { PLAN_ANYWAY: 'yes' }).status).toBe(2);
  });
});
