import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { doing, migrated, planFor } from './example.ts';
import { type FakeCluster, hasJq } from './fake-cluster.ts';
import { GCLOUD_OF_PROJECT, placeProject } from './fake-gcloud.ts';
import { doneUpTo, eventsOf, keepJournal, placePlan, placeTools, runScript as run } from './operator-folder.ts';

const plan = planFor(migrated({ martServiceAccountPath: './mart.json' }));

const clusters: FakeCluster[] = [];
afterEach(() => {
  for (const one of clusters.splice(0)) one.remove();
});

/** An operator before a step, or before the undo of one. */
function before(script: string, tools: Readonly<Record<string, string>> = {}): FakeCluster {
  const cluster = placePlan(plan, tools);
  clusters.push(cluster);
  const number = Number(/\d\d/.exec(script)?.[0]);
  keepJournal(cluster, doneUpTo(script.startsWith('undo') ? number : number - 1));
  cluster.run('for name in facts.sh ring.sh probes.sh; do : > "$name"; done');
  return cluster;
}

const mark = (cluster: FakeCluster, name: string): void => writeFileSync(join(cluster.folder, '..', name), '');
const has = (cluster: FakeCluster, name: string): boolean => existsSync(join(cluster.folder, name));

describe.skipIf(!hasJq)('step 1 (needs jq)', () => {
  const tools = {
    kubectl: '[ ! -e ../down ] && echo resources',
    tar: 'case "$*" in -czf*) : > "$2";; *) exit 0;; esac',
    cp: 'cat "$2" > "$3"',
  };

  test('keeps nothing of a look that failed, and ends what was cut off', () => {
    const cluster = before('steps/01-backups.sh', tools);
    placeTools(cluster, { tool: '1.2.0' });
    mark(cluster, 'down');
    expect(run(cluster, 'steps/01-backups.sh').stderr).toContain('Command 4 of plan/steps/01-backups.sh failed');
    expect(has(cluster, 'apigee-1.2-resources.yaml')).toBe(false);
    cluster.run('rm ../down');
    const { stderr } = run(cluster, 'steps/01-backups.sh');
    expect(cluster.read('apigee-1.2-resources.yaml')).toBe('resources\n');
    expect(stderr).toContain('There is one already, and it stays as it is');
    expect(cluster.calls().match(/^tar <-czf>/gm)).toHaveLength(1);
  });
});

describe.skipIf(!hasJq)('step 2 (needs jq)', () => {
  /** An operator who goes on from a command, where the first copies cannot be made; each file `../NAME` stops one call. */
  function goOn(from: number): FakeCluster {
    const cluster = before('steps/02-connect.sh', {
      gcloud: `[ ! -e ../down ] || exit 1\n${GCLOUD_OF_PROJECT}`,
      curl: `[ ! -e ../down ] || exit 22\necho '{"name":"acme","properties":{}}'`,
    });
    placeProject(cluster, [], []);
    cluster.run(`printf '{"client_email":"m@acme"}' > mart.json`);
    keepJournal(cluster, [...doneUpTo(1), '02 begun']);
    mark(cluster, 'down');
    const { status, stderr } = run(cluster, `steps/02-connect.sh --from ${from}`);
    expect(status).toBe(1);
    expect(stderr).toContain(`sh plan/steps/02-connect.sh --from ${from}\n`);
    return cluster;
  }

  test('changes no organization without a first copy, so that its undo has nothing to do', () => {
    const cluster = goOn(4);
    cluster.run('rm ../down');
    expect(run(cluster, 'undo/02-connect.sh')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('so nothing of it was changed'),
    });
    expect(cluster.calls()).not.toContain('<PUT>');
    expect(eventsOf(cluster).at(-1)).toBe('02 undone');
  });

  test('makes the first copies from wherever it goes on', () => {
    for (const from of [3, 4]) {
      const cluster = goOn(from);
      expect(cluster.calls()).not.toMatch(/<PUT>|<add-iam-policy-binding>/);
      cluster.run('rm ../down');
      run(cluster, `steps/02-connect.sh --from ${from}`);
      expect(cluster.calls()).toContain('<PUT>');
      expect(has(cluster, 'organization-first-acme.json')).toBe(true);
      expect(has(cluster, 'iam-policy-first-acme.json')).toBe(from === 3);
    }
  });
});

describe.skipIf(!hasJq)('step 4 (needs jq)', () => {
  /** A service that has what was sent to it. */
  const service = `case "$*" in
*POST*envgroups) cat >> ../groups;;
*POST*attachments) cat >> ../attached;;
*attachments[?]*) jq -s '{environmentGroupAttachments: .}' < ../attached;;
*envgroups[?]*) jq -s '{environmentGroups: .}' < ../groups;;
*) exit 22;;
esac`;
  const count = (cluster: FakeCluster): number => cluster.calls().match(/<POST>/g)?.length ?? 0;
  const operator = (curl: string): FakeCluster => {
    const cluster = before('steps/04-groups.sh', { curl });
    for (const name of ['groups', 'attached']) mark(cluster, name);
    return cluster;
  };
  const answering = service.replace('*) exit 22', `*) echo '{"state":"ACTIVE"}'`);

  test('makes no group and attachment twice', () => {
    const cluster = operator(answering);
    run(cluster, 'steps/04-groups.sh');
    const made = count(cluster);
    expect(made).toBeGreaterThan(3);
    expect(run(cluster, 'steps/04-groups.sh').stdout).toContain('It is attached already.');
    expect(count(cluster)).toBe(made);
  });

  test('saves the groups of before from wherever it goes on', () => {
    const cluster = operator(answering);
    keepJournal(cluster, [...doneUpTo(3), '04 begun']);
    run(cluster, 'steps/04-groups.sh --from 5');
    expect(cluster.read('groups-first-acme.json')).toContain('"environmentGroups": []');
    expect(cluster.calls()).toContain('<POST>');
  });

  test('attaches nothing to a group of that name that has other host names', () => {
    const cluster = operator(answering);
    writeFileSync(join(cluster.folder, '..', 'groups'), '{"name":"public","hostnames":["other.example.com"]}');
    const { status, stderr } = run(cluster, 'steps/04-groups.sh');
    expect(status).toBe(1);
    expect(stderr).toContain('Its host names must be those of the plan');
    expect(count(cluster)).toBe(0);
  });

  test('makes nothing, and the undo takes nothing away, where there are more groups than a page has', () => {
    const paged = answering.replace('{environmentGroups: .}', '{environmentGroups: .[0:1], nextPageToken: "p2"}');
    const groups = ['one', 'public', 'partners'].map((name) => JSON.stringify({ name, hostnames: [] })).join('');
    const cluster = operator(paged);
    writeFileSync(join(cluster.folder, '..', 'groups'), groups);
    expect(run(cluster, 'steps/04-groups.sh').status).toBe(1);
    expect(count(cluster)).toBe(0);
    expect(run(cluster, 'undo/04-groups.sh').status).toBe(0);
    expect(cluster.calls()).not.toContain('<DELETE>');
  });

  test.each(['exit 22', 'echo "<html>"', ':'])('makes nothing where the service says nothing of groups: %s', (curl) => {
    const cluster = operator(curl);
    expect(run(cluster, 'steps/04-groups.sh').status).toBe(1);
    expect(cluster.calls()).not.toContain('<POST>');
    expect(has(cluster, 'groups-first-acme.json')).toBe(false);
  });
});

describe.skipIf(!hasJq)('step 6 (needs jq)', () => {
  const kubectl = `case "$*" in
*all,hpa,configmaps*) echo mesh-of-now;;
*'get hpa'*) [ ! -e ../no-hpa ] && echo '{"items":[{"metadata":{"name":"a"},"spec":{"minReplicas":1}},{"metadata":{"name":"b"},"spec":{"minReplicas":1}}]}';;
*'patch hpa a'*) [ ! -e ../no-patch ];;
*) echo '{"items":[{"kind":"Deployment","metadata":{"name":"d"},"spec":{"replicas":2}}]}';;
esac`;

  test('keeps the picture of the old mesh', () => {
    const cluster = before('steps/06-mesh.sh', { kubectl });
    cluster.run('echo mesh-of-1.4.6 > istio-1.4.6-resources.yaml');
    run(cluster, 'steps/06-mesh.sh');
    expect(cluster.read('istio-1.4.6-resources.yaml')).toBe('mesh-of-1.4.6\n');
  });

  test.each(['no-hpa', 'no-patch'])('stops where replicas cannot be set: %s', (fault) => {
    const cluster = before('steps/06-mesh.sh', { kubectl });
    mark(cluster, fault);
    const { status, stderr } = run(cluster, 'steps/06-mesh.sh');
    expect(status).toBe(1);
    expect(stderr).toContain('Command 2 of plan/steps/06-mesh.sh failed');
  });

  test('takes no cert-manager away before the new one is there', () => {
    const cluster = before('steps/06-mesh.sh', { kubectl, curl: '[ -e ../network ] && echo manifest > "$3"' });
    expect(run(cluster, 'steps/06-mesh.sh').status).toBe(1);
    expect(cluster.calls()).not.toContain('<delete>');
    mark(cluster, 'network');
    run(cluster, 'steps/06-mesh.sh');
    expect(cluster.calls()).toMatch(/<delete> <deployment>[\s\S]*<apply> .*<cert-manager-v0\.14\.2\.yaml>/);
  });
});

describe.skipIf(!hasJq)('step 7 (needs jq)', () => {
  const tools = {
    mkdir: 'exec /bin/mkdir "$@"',
    curl: 'case "$*" in *apigeectl*) : > "$3";; esac',
    tar: `[ ! -e ../no-tar ] || { : > "$4/apigeectl"; exit 2; }
printf '#!/bin/sh\\necho Version: 1.3.6\\n' > "$4/apigeectl"; exec /bin/chmod +x "$4/apigeectl"`,
  };
  const version = (cluster: FakeCluster, name: string): string => cluster.run(`./${name}/apigeectl version`).stdout;

  test.each([
    ['at the beginning', { tool: '1.2.0' }],
    ['unpacked', { tool: '1.2.0', 'tool-1.3.6': '1.3.6' }],
    ['half renamed', { 'tool-1.2': '1.2.0', 'tool-1.3.6': '1.3.6' }],
    ['done', { tool: '1.3.6', 'tool-1.2': '1.2.0' }],
  ])('ends what is %s', (_, versions) => {
    const cluster = before('steps/07-apigeectl.sh', tools);
    placeTools(cluster, versions);
    for (let time = 0; time < 2; time += 1) {
      expect(run(cluster, 'steps/07-apigeectl.sh')).toMatchObject({
        status: 0,
        stderr: expect.not.stringMatching('NOT'),
      });
      expect(version(cluster, 'tool')).toContain('1.3.6');
      expect(version(cluster, 'tool-1.2')).toContain('1.2.0');
      expect(has(cluster, 'tool-1.3.6')).toBe(false);
    }
  });

  test('puts nothing half unpacked in the place of 1.2', () => {
    const cluster = before('steps/07-apigeectl.sh', tools);
    placeTools(cluster, { tool: '1.2.0' });
    mark(cluster, 'no-tar');
    expect(run(cluster, 'steps/07-apigeectl.sh').status).toBe(1);
    expect(run(cluster, 'steps/07-apigeectl.sh --from 3').status).toBe(1);
    expect(version(cluster, 'tool')).toContain('1.2.0');
    cluster.run('rm ../no-tar');
    expect(run(cluster, 'steps/07-apigeectl.sh').status).toBe(0);
  });

  test('leaves a folder of another version alone', () => {
    const cluster = before('steps/07-apigeectl.sh', tools);
    placeTools(cluster, { tool: '1.2.0', 'tool-1.2': '1.1.0' });
    expect(run(cluster, 'steps/07-apigeectl.sh').status).toBe(1);
    expect(version(cluster, 'tool') + version(cluster, 'tool-1.2')).toMatch(/1\.2\.0\s+.*1\.1\.0/s);
  });
});

describe.skipIf(!hasJq)('step 3 (needs jq)', () => {
  test('makes no account where the first ones cannot be seen, from wherever it goes on', () => {
    const cluster = before('steps/03-watcher.sh', { gcloud: GCLOUD_OF_PROJECT });
    placeProject(cluster, [], []);
    mark(cluster, 'no-accounts');
    run(cluster, 'steps/03-watcher.sh');
    for (const from of [1, 2, 3]) {
      run(cluster, `steps/03-watcher.sh --from ${from}`);
      const isMade = cluster.calls().includes('<service-accounts> <create>');
      expect({ from, isMade }).toEqual({ from, isMade: false });
    }
    cluster.run('rm ../no-accounts');
    expect(run(cluster, 'steps/03-watcher.sh --from 1').stderr).not.toContain('Command');
    run(cluster, 'undo/03-watcher.sh');
    expect(cluster.calls()).toContain('<service-accounts> <delete>');
  });
});

describe.skipIf(!hasJq)('step 11 (needs jq)', () => {
  const SEED = 'overrides-1.3-seed.yaml';

  test('deletes the temporary copy; its checks change nothing', () => {
    const cluster = before('steps/11-ring.sh');
    placeTools(cluster, { tool: '1.3.6' });
    cluster.run(`: > overrides-1.3.yaml; : > ${SEED}`);
    expect(run(cluster, 'steps/11-ring.sh --check').status).toBe(0);
    expect(has(cluster, SEED)).toBe(true);
    expect(run(cluster, 'steps/11-ring.sh').status).toBe(0);
    expect(has(cluster, SEED)).toBe(false);
  });
});

describe.skipIf(!hasJq)('the undo of step 3 (needs jq)', () => {
  const FIRST = 'accounts-first-acme.json';

  /** An operator who did the step. */
  function afterStep(): FakeCluster {
    const cluster = before('undo/03-watcher.sh', { gcloud: GCLOUD_OF_PROJECT });
    placeProject(cluster, [], []);
    cluster.run(doing(plan, 'watcher'));
    return cluster;
  }
  const count = (cluster: FakeCluster, call: string): number => cluster.calls().split(call).length - 1;

  test('ends what was cut off', () => {
    const cluster = afterStep();
    mark(cluster, 'cut-off');
    const stopped = run(cluster, 'undo/03-watcher.sh');
    expect(stopped.status).toBe(1);
    expect(stopped.stderr).not.toContain('--from 3');
    expect(has(cluster, FIRST)).toBe(true);
    cluster.run('rm ../cut-off');
    const { status, stderr } = run(cluster, 'undo/03-watcher.sh');
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('This account is gone already') });
    expect(has(cluster, FIRST)).toBe(false);
    expect(count(cluster, '<service-accounts> <delete>')).toBe(1);
    expect(count(cluster, 'remove-iam-policy-binding')).toBe(1);
  });

  test('does not take an account for gone where the accounts cannot be seen', () => {
    const cluster = afterStep();
    mark(cluster, 'no-accounts');
    expect(run(cluster, 'undo/03-watcher.sh').status).toBe(1);
    expect(has(cluster, FIRST)).toBe(true);
    cluster.run('rm ../no-accounts');
    expect(run(cluster, 'undo/03-watcher.sh').status).toBe(0);
    expect(count(cluster, '<service-accounts> <delete>')).toBe(1);
  });
});

describe.skipIf(!hasJq)('undos (needs jq)', () => {
  test('5 puts a file that may have been edited aside', () => {
    const cluster = before('undo/05-overrides.sh');
    cluster.run('echo edited > overrides-1.3.yaml');
    expect(run(cluster, 'undo/05-overrides.sh').status).toBe(0);
    expect(has(cluster, 'overrides-1.3.yaml')).toBe(false);
    expect(cluster.read('overrides-1.3.yaml.undone')).toBe('edited\n');
  });

  test('5 leaves what an earlier undo put aside', () => {
    const cluster = before('undo/05-overrides.sh');
    for (const text of ['first', 'second', 'third']) {
      cluster.run(`for name in overrides-1.3.yaml environment-groups.json; do echo ${text} > "$name"; done`);
      keepJournal(cluster, doneUpTo(5));
      expect(run(cluster, 'undo/05-overrides.sh').status).toBe(0);
    }
    for (const name of ['overrides-1.3.yaml', 'environment-groups.json'])
      expect(['.undone', '.undone-2', '.undone-3'].map((end) => cluster.read(`${name}${end}`))).toEqual([
        'first\n',
        'second\n',
        'third\n',
      ]);
  });

  test.each(['overrides-1.3.yaml', 'environment-groups.json'])(
    '5 stops where a file cannot be put aside: %s',
    (name) => {
      const cluster = before('undo/05-overrides.sh');
      cluster.run('for name in overrides-1.3.yaml environment-groups.json; do : > "$name"; done');
      const mv = join(cluster.folder, '..', 'bin', 'mv');
      rmSync(mv);
      writeFileSync(mv, `#!/bin/sh\ncase "$*" in *'${name} '*) exit 1;; esac\nexec /bin/mv "$@"\n`, { mode: 0o755 });
      expect(run(cluster, 'undo/05-overrides.sh').status).toBe(1);
      expect(has(cluster, name)).toBe(true);
    },
  );

  test.each([
    [{}, false],
    [{ REPAIR_OLD: 'yes' }, true],
  ])('8 installs the old mesh over the new one only if asked: %j', (more, isAsked) => {
    const cluster = before('undo/08-init.sh');
    placeTools(cluster, { tool: '1.3.6', 'tool-1.2': '1.2.0' });
    expect(run(cluster, 'undo/08-init.sh', more).status).toBe(0);
    expect(cluster.calls().includes('tool-1.2 init')).toBe(isAsked);
  });

  test('10 takes 1.3 away only when 1.2 is ready', () => {
    const cluster = before('undo/10-components.sh');
    placeTools(cluster, { tool: '1.3.6', 'tool-1.2': '1.2.0' });
    mark(cluster, 'fail-tool-1.2-check-ready');
    expect(run(cluster, 'undo/10-components.sh', { OLD_INGRESS_IP: '203.0.113.1' }).status).toBe(1);
    expect(cluster.calls()).not.toContain('tool delete');
    cluster.run('rm ../fail-tool-1.2-check-ready');
    expect(run(cluster, 'undo/10-components.sh', { OLD_INGRESS_IP: '203.0.113.1' }).status).toBe(0);
    expect(cluster.calls()).toMatch(/tool-1\.2 check-ready[\s\S]*tool delete .*--all-envs/);
  });

  test('12 puts the tools of 1.2 in their place only when they are whole', () => {
    const cluster = before('undo/12-clean-up.sh', {
      mkdir: 'exec /bin/mkdir "$@"',
      tar: `printf '#!/bin/sh\\necho Version: 1.2.0\\n' > "$4/apigeectl"; [ ! -e ../no-tar ] && exec /bin/chmod +x "$4/apigeectl"`,
    });
    mark(cluster, 'no-tar');
    expect(run(cluster, 'undo/12-clean-up.sh').status).toBe(1);
    expect(has(cluster, 'tool-1.2')).toBe(false);
    cluster.run('rm ../no-tar');
    expect(run(cluster, 'undo/12-clean-up.sh').status).toBe(0);
    expect(cluster.run('./tool-1.2/apigeectl version').stdout).toContain('1.2.0');
    expect(has(cluster, 'tool-1.2.new')).toBe(false);
  });
});
