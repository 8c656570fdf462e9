import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { migrated, planFor } from './example.ts';
import { hasJq } from './fake-cluster.ts';
import { CHANGES, doneUpTo, JOURNAL, createOperators, placeTools, runScript as run, says } from './operator-folder.ts';

const plan = planFor(migrated({ martServiceAccountPath: './mart.json' }));

const operator = createOperators(plan);

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
    ['a step after one whose checks failed', ['00 done', '01 begun', '01 ran'], 'steps/02-connect.sh', '(ran)'],
    [
      'a step of which a later one is begun',
      [...doneUpTo(2), '03 begun'],
      'steps/02-connect.sh',
      'Step 03 comes later',
    ],
    ['a step in the middle that was not begun', doneUpTo(1), 'steps/02-connect.sh --from 2', 'was not begun'],
    ['a step whose undo was cut off', [...doneUpTo(2), '02 undoing'], 'steps/02-connect.sh', 'end it first'],
    ['an undo before a later one', doneUpTo(2), 'undo/01-backups.sh', 'Step 02 comes later (done): undo it first'],
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

  test('an undo when 1.2 is being removed, also where the order is left out', () => {
    const cluster = operator([...doneUpTo(11), '12 begun', '12 removed']);
    placeTools(cluster, { tool: '1.3.6' });
    for (const script of ['undo/11-ring.sh', 'undo/10-components.sh', 'undo/02-connect.sh']) {
      const { status, stdout, stderr } = run(cluster, script, { PLAN_ANYWAY: 'yes' });
      expect({ script, status, stdout }).toEqual({ script, status: 2, stdout: '' });
      expect(stderr).toContain('The removal of 1.2 was begun');
    }
    expect(cluster.calls()).not.toMatch(CHANGES);
  });

  test('no undo for an answer that only ends like the removal', () => {
    const cluster = operator([...doneUpTo(1), '01 answer CASSANDRA_BACKUP=the one that was removed']);
    expect(run(cluster, 'undo/01-backups.sh')).toMatchObject({ status: 0 });
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
