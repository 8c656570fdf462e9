import { afterEach, describe, expect, test } from 'vitest';
import type { UpgradePlan } from '../../../src/hybrid/plan/plan.ts';
import { checking, planFor, stepNamed, undoing, writing } from './example.ts';
import { fakeCluster, hasJq, type FakeCluster } from './fake-cluster.ts';

const clusters: FakeCluster[] = [];
afterEach(() => {
  for (const one of clusters.splice(0)) one.remove();
});

/** State of each node, by the number of its pod; `-`: the pod is not in the ring. */
type Nodes = { old?: readonly string[]; new?: readonly string[]; wanted?: number; centers?: string; others?: string };

const pod = (name: string, podIP: string): object => ({ kind: 'Pod', metadata: { name }, status: { podIP } });
const set = (name: string, replicas: number): object => ({
  kind: 'StatefulSet',
  metadata: { name },
  spec: { replicas },
});

/**
 * Tools of a cluster whose ring is a file: decommission takes a node out of it, scaling down too. `broken` says what a
 * decommission does instead.
 */
function clusterOf(
  { old = [], new: young = [], wanted, centers = 'dc-1', others = '' }: Nodes,
  broken = '',
): FakeCluster {
  const kinds = [
    { kind: 'old', name: 'apigee-cassandra', states: old, network: '10.0.0' },
    { kind: 'new', name: 'apigee-cassandra-default', states: young, network: '10.0.1' },
  ];
  const items = kinds.flatMap(({ name, states, network }) => [
    ...states.map((_, index) => pod(`${name}-${index}`, `${network}.${index}`)),
    ...(states.length === 0 ? [] : [set(name, wanted ?? states.length)]),
  ]);
  items.push(pod('apigee-cassandra-schema-setup-x7', '10.9.9.9'));
  const rows = kinds.flatMap(({ states, network }) =>
    states.flatMap((state, index) => (state === '-' ? [] : [`${state}  ${network}.${index}  1 KiB`])),
  );
  const ring = [...centers.split(',').map((name) => `Datacenter: ${name}`), '--  Address  Load', ...rows, others];
  const cluster = fakeCluster({
    apigeectl: 'exit 0',
    kubectl: `case "$*" in
*'get pods,statefulsets'*json*) cat ../items;;
*decommission*) ${broken}
  for word in "$@"; do case $word in apigee-cassandra-default-*) net=10.0.1.;; apigee-cassandra-*) net=10.0.0.;; *) continue;; esac; number=\${word##*-}; done
  grep -v " $net$number " ../ring > ../ring.new; mv ../ring.new ../ring;;
*status*) cat ../ring;;
*scale*) for word in "$@"; do case $word in --replicas=*) number=\${word#*=};; esac; done
  grep -v " 10.0.1.$number " ../ring > ../ring.new; mv ../ring.new ../ring;;
*) exit 1;;
esac`,
  });
  clusters.push(cluster);
  cluster.run(`cat > ../items <<'END'\n${JSON.stringify({ items })}\nEND`);
  cluster.run(`cat > ../ring <<'END'\n${ring.join('\n')}\nEND`);
  cluster.run(writing(plan, 'ring.sh'));
  return cluster;
}

const plan: UpgradePlan = planFor();
const three = ['UN', 'UN', 'UN'];
const gone = ['-', '-', '-'];
const commandWith = (commands: readonly { command?: string }[], part: string): string =>
  commands.find(({ command }) => command?.includes(part))?.command ?? '';
const leaving = (): string => commandWith(stepNamed(plan, 'datastore').undo, 'decommission');
const stopping = (): string => commandWith(stepNamed(plan, 'datastore').undo, 'STOP_JOINING');
const undoDelete = (): string =>
  commandWith(stepNamed(plan, 'datastore').undo, '--datastore').replace('"$APIGEECTL_HOME/apigeectl"', 'apigeectl');
const removal = (): string => commandWith(stepNamed(plan, 'clean-up').commands, 'decommission');
const oldDelete = (): string =>
  commandWith(stepNamed(plan, 'clean-up').commands, '-c cassandra').replace(
    '"${APIGEECTL_HOME}-1.2/apigeectl"',
    'apigeectl',
  );
const left = (cluster: FakeCluster): readonly string[] =>
  [...cluster.calls().matchAll(/<(apigee-cassandra-(?:default-)?\d+)>.*<decommission>/g)].map(
    (match) => match[1] ?? '',
  );
const YES = { CLEAN_UP: 'yes' };

describe.skipIf(!hasJq)('the check of the ring', () => {
  const judge = (nodes: Nodes): number | null =>
    clusterOf(nodes).run(checking(plan, 'datastore').split('\n').at(-1) ?? '').status;

  test.each<[string, Nodes, boolean]>([
    ['all up', { old: three, new: three }, true],
    ['one joining', { old: three, new: ['UN', 'UN', 'UJ'] }, false],
    ['one down', { old: ['UN', 'DN', 'UN'], new: three }, false],
    ['a new pod that is not in it', { old: three, new: ['UN', 'UN', '-'] }, false],
    ['fewer new nodes than their StatefulSet wants', { old: three, new: ['UN'], wanted: 3 }, false],
    ['the old nodes only', { old: three }, false],
    ['the new nodes only', { new: three }, false],
    ['a node that no pod is', { old: three, new: three, others: 'UN  10.7.7.7  1' }, false],
    ['two data centers', { old: three, new: three, centers: 'dc-1,dc-2' }, false],
    ['no answer', {}, false],
  ])('with %s', (_, nodes, isRight) => {
    expect(judge(nodes) === 0).toBe(isRight);
  });

  test('of step 1 wants the old nodes and no others', () => {
    const check = commandWith(stepNamed(plan, 'backups').check.commands, 'sh ring.sh');
    expect(clusterOf({ old: three }).run(check).status).toBe(0);
    expect(clusterOf({ old: three, new: three }).run(check).status).not.toBe(0);
    expect(clusterOf({ old: ['UN', 'UN', '-'] }).run(check).status).not.toBe(0);
  });

  test('is not passed by a tool that fails', () => {
    const cluster = fakeCluster({ kubectl: 'echo "You must be logged in"; exit 1' });
    clusters.push(cluster);
    cluster.run(writing(plan, 'ring.sh'));
    for (const condition of [
      'up',
      'old',
      'new',
      'both',
      'gone 10.0.0.1',
      'old-may-leave',
      'new-may-leave',
      'joining x',
    ])
      expect(cluster.run(`sh ring.sh apigee-cassandra-0 ${condition}`).status).not.toBe(0);
  });
});

describe.skipIf(!hasJq)('the old nodes', () => {
  test('leave from the last to the first, and are deleted then', () => {
    const cluster = clusterOf({ old: three, new: three });
    expect(cluster.run(oldDelete(), YES).status).not.toBe(0);
    expect(cluster.run(removal(), YES).status).toBe(0);
    expect(left(cluster)).toEqual(['apigee-cassandra-2', 'apigee-cassandra-1', 'apigee-cassandra-0']);
    expect(cluster.calls()).not.toContain('apigeectl');
    expect(cluster.run(oldDelete(), YES).status).toBe(0);
    expect(cluster.calls()).toContain('apigeectl <delete>');
  });

  test('go on where the connection broke: what has left is passed over', () => {
    const cluster = clusterOf({ old: ['UN', 'UN', '-'], new: three });
    expect(cluster.run(removal(), YES).status).toBe(0);
    expect(left(cluster)).toEqual(['apigee-cassandra-1', 'apigee-cassandra-0']);
    const again = cluster.run(removal(), YES);
    expect(again.status).toBe(0);
    expect(again.stdout).toContain('nothing had to leave');
    expect(left(cluster)).toHaveLength(2);
  });

  test('are trusted to leave though the command was cut off', () => {
    const cluster = clusterOf({ old: three, new: three }, 'trap "exit 1" EXIT');
    expect(cluster.run(removal(), YES).status).toBe(0);
    expect(left(cluster)).toHaveLength(3);
  });

  test('stop at the first that does not leave', () => {
    const cluster = clusterOf({ old: three, new: three }, 'case "$*" in *cassandra-1*) exit 1;; esac');
    const { status, stderr } = cluster.run(removal(), YES);
    expect(status).not.toBe(0);
    expect(stderr).toContain('Stopped at apigee-cassandra-1');
    expect(left(cluster)).toEqual(['apigee-cassandra-2', 'apigee-cassandra-1']);
  });

  test.each<[string, Nodes]>([
    ['a node is down', { old: three, new: ['UN', 'UN', 'DN'] }],
    ['a node is leaving', { old: ['UN', 'UN', 'UL'], new: three }],
    ['too few new ones are there', { old: three, new: ['UN'] }],
    ['a new pod is not in the ring', { old: three, new: ['UN', 'UN', '-'] }],
    ['there are two data centers', { old: three, new: three, centers: 'dc-1,dc-2' }],
    ['nothing is known of the ring', {}],
  ])('stay while %s', (_, nodes) => {
    const cluster = clusterOf(nodes);
    const { status, stderr } = cluster.run(removal(), YES);
    expect(status).not.toBe(0);
    expect(stderr).toContain('Stopped at the ring');
    expect(left(cluster)).toEqual([]);
    expect(cluster.run(oldDelete(), YES).status).not.toBe(0);
    expect(cluster.calls()).not.toContain('apigeectl');
  });

  test.each(['', 'no', 'YES'])('with CLEAN_UP=%j nothing is removed', (CLEAN_UP) => {
    const cluster = clusterOf({ old: three, new: three });
    for (const { command } of stepNamed(plan, 'clean-up').commands)
      if (command?.startsWith('if [ "${CLEAN_UP-}"') === true)
        expect(cluster.run(command, { CLEAN_UP })).toMatchObject({
          status: 1,
          stderr: expect.stringContaining('CLEAN_UP'),
        });
      else if (command !== undefined) cluster.run(command, { CLEAN_UP });
    expect(cluster.calls()).not.toMatch(/<delete>|decommission/);
  });

  test('are not said to be set free before: CLEAN_UP is no variable of the start', () => {
    expect(plan.variables.map(({ name }) => name)).not.toContain('CLEAN_UP');
  });
});

describe.skipIf(!hasJq)('the undo of step 9', () => {
  test.each<[string, Nodes, readonly string[]]>([
    ['all have joined', { old: three, new: three }, ['2', '1', '0']],
    ['one has joined and no other pod is there', { old: three, new: ['UN'], wanted: 3 }, ['0']],
    ['one has joined, two pods have not', { old: three, new: ['UN', '-', '-'] }, ['0']],
    ['none has joined', { old: three, new: gone }, []],
    ['there are no new pods', { old: three }, []],
  ])('where %s', (_, nodes, numbers) => {
    const cluster = clusterOf(nodes);
    const { status, stdout } = cluster.run(leaving());
    expect(status).toBe(0);
    expect(left(cluster)).toEqual(numbers.map((number) => `apigee-cassandra-default-${number}`));
    expect(stdout.includes('nothing had to leave')).toBe(numbers.length === 0);
    expect(cluster.run(undoDelete()).status).toBe(0);
    expect(cluster.calls()).toContain('apigeectl <delete>');
  });

  test('does nothing while a node joins; it is stopped only by its name, and only if it is the last', () => {
    const cluster = clusterOf({ old: three, new: ['UN', 'UJ'], wanted: 3 });
    expect(cluster.run(leaving()).status).not.toBe(0);
    expect(left(cluster)).toEqual([]);
    expect(cluster.run(undoDelete()).status).not.toBe(0);
    expect(cluster.run(stopping()).status).toBe(0);
    for (const STOP_JOINING of ['apigee-cassandra-default-0', 'apigee-cassandra-1', 'x'])
      expect(cluster.run(stopping(), { STOP_JOINING }).status).not.toBe(0);
    expect(cluster.calls()).not.toContain('<scale>');
    expect(cluster.run(stopping(), { STOP_JOINING: 'apigee-cassandra-default-1' }).status).toBe(0);
    expect(cluster.calls()).toContain('<--replicas=1>');
    expect(cluster.run(leaving()).status).toBe(0);
    expect(left(cluster)).toEqual(['apigee-cassandra-default-0']);
    expect(cluster.run(undoDelete()).status).toBe(0);
  });

  test('deletes nothing while an old node is not up', () => {
    const cluster = clusterOf({ old: ['UN', 'UN', 'DN'], new: gone });
    expect(cluster.run(leaving()).status).not.toBe(0);
    expect(cluster.run(undoDelete()).status).not.toBe(0);
    expect(undoing(plan, 'datastore')).not.toContain('decommission --force');
  });
});
