import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { migrated, planFor } from './example.ts';
import { type FakeCluster, hasJq } from './fake-cluster.ts';
import { doneUpTo, eventsOf, JOURNAL, createOperators, placeTools, runScript as run, says } from './operator-folder.ts';

const plan = planFor(migrated({ martServiceAccountPath: './mart.json' }));

const placeOne = createOperators(plan);

/** An operator with the tools of both versions. */
function operator(events: readonly string[], tools: Readonly<Record<string, string>> = {}): FakeCluster {
  const cluster = placeOne(events, tools);
  placeTools(cluster, { tool: '1.3.6', 'tool-1.2': '1.2.0' });
  cluster.run('for name in facts.sh ring.sh probes.sh; do : > "$name"; done');
  return cluster;
}

const CLEAN_UP = 'steps/12-clean-up.sh';
const YES = { CLEAN_UP: 'yes' };
/** The ingress of 1.2, where a journal does not say it. */
const OLD = { OLD_INGRESS_IP: '203.0.113.1' };
/** Adds an event to a journal. */
const add = (cluster: FakeCluster, event: string): void =>
  writeFileSync(join(cluster.folder, JOURNAL), `T ${event}\n`, { flag: 'a' });

/** That nothing of 1.3 goes any more, in any order. */
function expectNoWayBack(cluster: FakeCluster): void {
  add(cluster, '12 undone');
  for (const more of [{}, { PLAN_ANYWAY: 'yes' }]) {
    const { status, stderr } = run(cluster, 'undo/11-ring.sh', more);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('The removal of 1.2 was begun') });
    expect(run(cluster, 'undo/10-components.sh', { PLAN_ANYWAY: 'yes', ...more }).status).toBe(2);
  }
  expect(cluster.calls()).not.toMatch(/tool-1\.2 apply|tool delete/);
}

describe.skipIf(!hasJq)('the removal of 1.2 (needs jq)', () => {
  test.each(['', ' --from 7', ' --done'])(
    'begins with CLEAN_UP=yes only, and is not asked for by hand: %j',
    (words) => {
      const events = [...doneUpTo(11), '12 begun'];
      for (const more of [{}, { CLEAN_UP: 'no', PLAN_ANYWAY: 'yes' }]) {
        const cluster = operator(events);
        const { status, stdout, stderr } = run(cluster, `${CLEAN_UP}${words}`, more);
        expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
        expect(stderr).toContain('CLEAN_UP=yes sh plan/steps/12-clean-up.sh');
        expect(eventsOf(cluster).slice(-2)).toEqual(events.slice(-2));
      }
    },
  );

  test('is not begun by the checks', () => {
    const cluster = operator(doneUpTo(11));
    run(cluster, `${CLEAN_UP} --check`);
    expect(eventsOf(cluster).at(-1)).toBe('11 done');
  });

  test.each([3, 7, 8, 11, 12])('was begun where a script goes on from command %i', (number) => {
    const cluster = operator([...doneUpTo(11), '12 begun'], { kubectl: 'exit 1' });
    run(cluster, `${CLEAN_UP} --from ${number}`, YES);
    expect(eventsOf(cluster)).toContain('12 removed');
    expectNoWayBack(cluster);
  });

  test('was begun where the step is taken for done, or ran', () => {
    const taken = operator(doneUpTo(11));
    expect(run(taken, `${CLEAN_UP} --done`, YES).status).toBe(0);
    expectNoWayBack(taken);
    expectNoWayBack(operator([...doneUpTo(11), '12 begun', '12 ran']));
  });
});

describe.skipIf(!hasJq)('an undo (needs jq)', () => {
  test.each([OLD, { ...OLD, PLAN_ANYWAY: 'yes' }])(
    'begins with its first command, and goes on only then: %j',
    (more) => {
      const cluster = operator(doneUpTo(10));
      const { status, stderr } = run(cluster, 'undo/10-components.sh --from 4', more);
      expect(status).toBe(2);
      expect(stderr).toContain('The undo of step 10 was not begun: run it without --from.');
      expect(cluster.calls()).not.toContain('tool delete');
      says(cluster, 'fail-tool-1.2-check-ready', '');
      expect(run(cluster, 'undo/10-components.sh', more).status).toBe(1);
      cluster.run('rm ../fail-tool-1.2-check-ready');
      expect(run(cluster, 'undo/10-components.sh --from 1', more).status).toBe(0);
      expect(cluster.calls()).toMatch(/tool-1\.2 check-ready[\s\S]*tool delete/);
    },
  );

  test('goes on from where it stopped', () => {
    const cluster = operator([...doneUpTo(10), '10 undoing']);
    expect(run(cluster, 'undo/10-components.sh --from 4', OLD).status).toBe(0);
    expect(cluster.calls()).toContain('tool delete');
  });

  test.each([
    ['undo/10-components.sh', 10, 1],
    ['steps/09-datastore.sh', 8, 1],
  ])('or a step does not offer to leave out a command that failed: %s', (script, last, number) => {
    const cluster = operator(doneUpTo(last));
    says(cluster, 'fail-tool-1.2-check-ready', '');
    cluster.run('echo "exit 1" > ring.sh');
    const { status, stderr } = run(cluster, script, OLD);
    expect(status).toBe(1);
    expect(stderr).toContain(`sh plan/${script} --from ${number}\n`);
    expect(stderr).not.toContain(`--from ${number + 1}`);
  });

  test('of step 0 waits for those of all others, in any order, and so there is always a way back', () => {
    const cluster = operator(doneUpTo(1));
    for (const more of [{}, { PLAN_ANYWAY: 'yes' }]) {
      const { status, stderr } = run(cluster, 'undo/00-versions.sh', more);
      expect(status).toBe(2);
      expect(stderr).toMatch(/Step 01 comes later \(done\): undo it first\. sh '.*undo\/01-backups\.sh'/);
    }
    for (const script of ['undo/01-backups.sh', 'undo/00-versions.sh', 'steps/00-versions.sh'])
      expect({ script, status: run(cluster, script).status }).toEqual({ script, status: 0 });
  });

  test('of step 0 that an earlier script did too early does not hide the cluster', () => {
    const cluster = operator([...doneUpTo(1), '00 undoing', '00 undone']);
    says(cluster, 'uid', 'uid-2');
    expect(run(cluster, 'steps/00-versions.sh', { PLAN_ANYWAY: 'yes' }).stderr).toContain(
      'leads to another cluster (uid-2) than at step 0 (uid-1)',
    );
    says(cluster, 'uid', 'uid-1');
    expect(run(cluster, 'undo/01-backups.sh').status).toBe(0);
    expect(run(cluster, 'undo/00-versions.sh').status).toBe(0);
    says(cluster, 'uid', 'uid-2');
    expect(run(cluster, 'steps/00-versions.sh').status).toBe(0);
  });
});
