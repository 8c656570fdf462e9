import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { migrated, planFor } from './example.ts';
import { type FakeCluster, hasJq } from './fake-cluster.ts';
import { doneUpTo, eventsOf, JOURNAL, createOperators, placeTools, runScript as run } from './operator-folder.ts';

const plan = planFor(migrated({ martServiceAccountPath: './mart.json' }));

const placeOne = createOperators(plan);

/** The address that the environment of a test has. */
const OLD = '203.0.113.1';
const NEW = '203.0.113.9';
const NEW_ANSWER = `10 answer INGRESS_IP=${NEW}`;
const MOVED = ['10 begun', NEW_ANSWER, '10 ran', '10 done'];
const onNew = [...doneUpTo(9), `10 ingress ${OLD}`, ...MOVED];
const UNDO = 'undo/10-components.sh';

/** An operator whose hosts all answer; under 1.2 they did the same. */
function operator(events: readonly string[], curl = 'printf 200'): FakeCluster {
  const cluster = placeOne(events, { curl });
  placeTools(cluster, { tool: '1.3.6', 'tool-1.2': '1.2.0' });
  cluster.run(`cat plan/probes.sh > probes.sh
for host in api.example.com probe.example.org; do for path in /orders /items /; do echo "200 $host $path"; done; done > probes-before.txt
echo '200 partners.example.com /' >> probes-before.txt`);
  return cluster;
}

/** Runs a script: the addresses that were probed, whether 1.3 was deleted, and what became of it. */
function probe(cluster: FakeCluster, script: string, more: Readonly<Record<string, string>> = {}) {
  const before = cluster.calls().length;
  const { status, stderr } = run(cluster, script, more);
  const calls = cluster.calls().slice(before);
  const probes = calls.matchAll(/:443:([0-9.]+)>/g);
  return {
    status,
    stderr,
    addresses: [...new Set([...probes].map(([, address]) => address))],
    isDeleted: calls.includes('tool delete'),
  };
}

describe.skipIf(!hasJq)('the undo of step 10 (needs jq)', () => {
  test('probes the address of before, whatever the environment has, and later scripts the same', () => {
    const cluster = operator(onNew);
    expect(probe(cluster, UNDO, { INGRESS_IP: NEW })).toMatchObject({ status: 0, addresses: [OLD], isDeleted: true });
    expect(eventsOf(cluster).slice(-3)).toEqual(['10 undoing', `10 answer INGRESS_IP=${OLD}`, '10 undone']);
    const { stderr } = run(cluster, 'undo/09-datastore.sh', { INGRESS_IP: NEW });
    expect(stderr).toContain(`INGRESS_IP=${OLD}, as answered before`);
  });

  test('leaves nothing to a second attempt, which goes by the environment like the first', () => {
    const cluster = operator(onNew);
    expect(run(cluster, UNDO).status).toBe(0);
    for (const more of [[], [NEW_ANSWER]]) {
      writeFileSync(join(cluster.folder, JOURNAL), more.map((event) => `T ${event}\n`).join(''), { flag: 'a' });
      const { addresses } = probe(cluster, 'steps/10-components.sh', { INGRESS_IP: '203.0.113.8' });
      expect(addresses).toEqual([more.length === 0 ? '203.0.113.8' : NEW]);
    }
  });

  test.each([
    ['the answer of this undo, also if it is that of 1.3', [...onNew, '10 undoing', NEW_ANSWER], NEW],
    ['the answer of this undo', [...onNew, '10 undoing', '10 answer INGRESS_IP=203.0.113.7'], '203.0.113.7'],
    ['no answer of the step, also in a second run', [...onNew, '10 undoing'], OLD],
    [
      'no answer of an earlier undo',
      [
        ...onNew,
        '10 undoing',
        '10 answer INGRESS_IP=203.0.113.7',
        '10 undone',
        `10 ingress ${OLD}`,
        ...MOVED,
        '10 undoing',
      ],
      OLD,
    ],
    [
      'what was answered before the step, not by the environment',
      [...doneUpTo(9), '06 answer INGRESS_IP=203.0.113.6', ...MOVED, '10 undoing'],
      '203.0.113.6',
    ],
  ])('goes by %s', (_, events, address) => {
    for (const words of ['', ' --from 3']) {
      const { status, addresses } = probe(operator(events), `${UNDO}${words}`);
      expect({ status, addresses }).toEqual({ status: 0, addresses: [address] });
    }
  });

  test('finds the address that the step began with where its traffic was moved by the environment', () => {
    const cluster = operator(doneUpTo(9));
    run(cluster, 'steps/10-components.sh');
    expect(eventsOf(cluster).slice(10, 13)).toEqual(['09 done', `10 ingress ${OLD}`, '10 begun']);
    run(cluster, 'steps/10-components.sh --from 11', { INGRESS_IP: NEW });
    expect(eventsOf(cluster).filter((event) => event.startsWith('10 ingress'))).toHaveLength(1);
    const { status, stderr, addresses } = probe(cluster, UNDO, { INGRESS_IP: NEW });
    expect({ status, addresses }).toEqual({ status: 0, addresses: [OLD] });
    expect(stderr).toContain(`INGRESS_IP=${OLD}, as before step 10`);
  });

  test.each([
    ['is not known', MOVED],
    ['is not known, where the step was only taken for done', ['10 done']],
    ['was that of 1.3 already', [`10 ingress ${NEW}`, ...MOVED]],
  ])('changes nothing where the address of before %s, until OLD_INGRESS_IP names it', (_, events) => {
    for (const more of [{}, { PLAN_ANYWAY: 'yes' }]) {
      const cluster = operator([...doneUpTo(9), ...events]);
      const refused = probe(cluster, UNDO, { INGRESS_IP: NEW, ...more });
      expect(refused).toMatchObject({ status: 2, addresses: [], isDeleted: false });
      expect(refused.stderr).toContain('OLD_INGRESS_IP=ADDRESS sh plan/undo/10-components.sh');
      expect(eventsOf(cluster).at(-1)).toBe('10 done');
      const shared = probe(cluster, UNDO, { OLD_INGRESS_IP: NEW });
      expect(shared).toMatchObject({ status: 0, addresses: [NEW], isDeleted: true });
    }
  });

  test('names the address where a probe of it fails, and another by OLD_INGRESS_IP goes on from there', () => {
    const cluster = operator(onNew, `case "$*" in *:443:203.0.113.7*) printf 200;; *) printf 503;; esac`);
    const failed = probe(cluster, UNDO);
    expect(failed).toMatchObject({ status: 1, isDeleted: false });
    expect(failed.stderr).toContain(
      `If ${OLD} is not the ingress of 1.2: OLD_INGRESS_IP=ADDRESS sh plan/undo/10-components.sh --from 3`,
    );
    expect(probe(cluster, `${UNDO} --from 3`, { OLD_INGRESS_IP: '203.0.113.7' })).toMatchObject({
      status: 0,
      addresses: ['203.0.113.7'],
    });
    expect(eventsOf(cluster).at(-2)).toBe('10 answer INGRESS_IP=203.0.113.7');
  });

  test('that was cut off goes on with the address that OLD_INGRESS_IP named', () => {
    const cluster = operator(onNew, 'printf 503');
    const OLD_INGRESS_IP = '203.0.113.7';
    expect(probe(cluster, UNDO, { OLD_INGRESS_IP })).toMatchObject({ status: 1, addresses: [OLD_INGRESS_IP] });
    expect(probe(cluster, `${UNDO} --from 3`).addresses).toEqual([OLD_INGRESS_IP]);
  });
});

test.skipIf(!hasJq)('steps do not go by what was answered in an undo of step 10 that was cut off (needs jq)', () => {
  const cluster = operator([...onNew, '10 undoing', `10 answer INGRESS_IP=${OLD}`]);
  const { stderr } = run(cluster, 'steps/10-components.sh', { PLAN_ANYWAY: 'yes', INGRESS_IP: '203.0.113.5' });
  expect(stderr).toContain(`INGRESS_IP=${NEW}, as answered before`);
});
