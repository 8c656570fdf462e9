import { mkdirSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { planUpgrade } from '../../../src/hybrid/plan/plan-upgrade.ts';
import type { UpgradePlan } from '../../../src/hybrid/plan/plan.ts';
import {
  checking,
  commandsOf,
  doing,
  migrated,
  options,
  overridesFile,
  planFor,
  stepNamed,
  undoing,
  writing,
} from './example.ts';
import { fakeCluster, hasEnvsubst, hasJq, type FakeCluster } from './fake-cluster.ts';

const clusters: FakeCluster[] = [];
const cluster = (tools?: Readonly<Record<string, string>>): FakeCluster => {
  const one = fakeCluster(tools);
  clusters.push(one);
  return one;
};
afterEach(() => {
  for (const one of clusters.splice(0)) one.remove();
});

const planOfText = (text: string): UpgradePlan => {
  const outcome = planUpgrade(text, {}, options);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome));
  return outcome.plan;
};
const commandWith = (commands: readonly { command?: string }[], part: string): string =>
  commands.find(({ command }) => command?.includes(part))?.command ?? '';

describe('a file with variables', () => {
  const text = `# $COMMENT\n${overridesFile.replace('org: acme', 'org: $ORG').replace('name: c1', 'name: "${CLUSTER}"').replace('acme-metrics', '$ORG-metrics')}axHashSalt: a$b_c\n`;
  const plan = planOfText(text);

  test('is filled before it is applied: old in step 1, new in step 5, and nothing else is applied', () => {
    const all = commandsOf(plan);
    const applied = all.flatMap((command) =>
      [...command.matchAll(/apigeectl" \S+ -f ([^\s;]+)/g)].map((match) => match[1] ?? ''),
    );
    expect(new Set(applied)).toEqual(
      new Set(['overrides-filled.yaml', 'overrides-1.3-filled.yaml', 'overrides-1.3-seed.yaml']),
    );
    expect(doing(plan, 'datastore')).toContain('seed-host overrides-1.3-filled.yaml');
    expect(doing(plan, 'backups')).toContain('< overrides.yaml > overrides-filled.yaml');
    expect(doing(plan, 'overrides')).toContain('< overrides-1.3.yaml > overrides-1.3-filled.yaml');
    expect(checking(plan, 'overrides')).toContain('sightline hybrid check overrides-1.3-filled.yaml');
  });

  test('has all of them among the variables, not those of comments', () => {
    const names = plan.variables.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['ORG', 'CLUSTER', 'b_c']));
    expect(names).not.toContain('COMMENT');
  });

  test.skipIf(!hasEnvsubst)('is filled by its own variables only, for its owner’s eyes', () => {
    const tools = cluster();
    const fill = commandWith(stepNamed(plan, 'backups').commands, 'envsubst');
    const check = commandWith(stepNamed(plan, 'backups').check.commands, 'grep -nE');
    tools.run(`cat > overrides.yaml <<'END'\n${text}END`);
    expect(tools.run(fill, { ORG: 'acme' }).status).not.toBe(0);
    expect(tools.files()).not.toContain('overrides-filled.yaml');
    const set = { ORG: 'acme', CLUSTER: 'c1', b_c: 'd', COMMENT: 'no' };
    expect(tools.run(fill, set).status).toBe(0);
    expect(tools.run(check).status).toBe(0);
    const made = tools.read('overrides-filled.yaml');
    expect(made).toContain('org: acme\n');
    expect(made).toContain('name: "c1"');
    expect(made).toContain('# $COMMENT\n');
    tools.run('cat overrides.yaml > overrides-filled.yaml');
    expect(tools.run(check).status).not.toBe(0);
  });
});

test('without variables nothing is filled', () => {
  const all = commandsOf(planOfText(`# costs $5, or $MORE\n${overridesFile}`)).join('\n');
  expect(all).not.toMatch(/envsubst|filled/);
});

describe('probes', () => {
  const probed = (code: string): FakeCluster => {
    const tools = cluster({ curl: `printf %s "$(cat ../code)"; [ "$(cat ../code)" != 000 ]` });
    tools.run(`echo ${code} > ../code`);
    tools.run(writing(planFor(), 'probes.sh'));
    return tools;
  };
  const first = commandWith(stepNamed(planFor(), 'backups').commands, 'probes-before.new');

  test('compare with what was answered before anything was changed', () => {
    const tools = probed('401');
    expect(tools.run(first).status).toBe(0);
    expect(tools.read('probes-before.txt')).toBe(
      [
        '401 api.example.com /orders',
        '401 api.example.com /items',
        '401 probe.example.org /orders',
        '401 probe.example.org /items',
        '401 api.example.com /',
        '401 probe.example.org /',
        '401 partners.example.com /',
        '',
      ].join('\n'),
    );
    expect(tools.run('sh probes.sh compare').status).toBe(0);
    expect(tools.run('sh probes.sh dns prod').status).toBe(0);
    tools.run('echo 503 > ../code');
    for (const how of ['compare', 'compare test', 'dns']) expect(tools.run(`sh probes.sh ${how}`).status).toBe(1);
    expect(tools.run(first).stderr).toContain('There is one already');
    expect(tools.read('probes-before.txt')).toContain('401');
  });

  test.each(['000', '500', '503'])(
    'that nobody answers, or with an error, are no state to compare with: %s',
    (code) => {
      const tools = probed(code);
      expect(tools.run(first).status).not.toBe(0);
      expect(tools.files()).not.toContain('probes-before.txt');
    },
  );

  test('go past DNS unless they are to go by it, and trust what the operator says', () => {
    const tools = probed('200');
    tools.run('sh probes.sh write prod');
    expect(tools.calls()).toContain('curl <-gsS>');
    expect(tools.calls()).toContain(
      '<--resolve> <partners.example.com:443:203.0.113.1> <https://partners.example.com/>',
    );
    tools.run('sh probes.sh dns prod', { CURL_OPTIONS: '--cacert ca.pem' });
    expect(tools.calls()).toMatch(/^curl <--cacert> <ca\.pem> <-gsS>.* <%\{http_code\}> <https:\/\/partners/m);
  });
});

describe('backups', () => {
  const tar = commandWith(stepNamed(planFor(), 'backups').commands, 'tar -czf');

  test.each([
    ['Version: 1.2.0', true],
    ['v1.2.3', true],
    ['Version: 1.3.6', false],
    ['11.2.0', false],
  ])('of a tool that says %s: %s', (version, isMade) => {
    const tools = cluster({ apigeectl: `echo "${version}"` });
    tools.run(tar);
    expect(tools.calls().includes('tar <-czf>')).toBe(isMade);
  });

  test('are never written over', () => {
    const tools = cluster({ apigeectl: 'echo 1.2.0' });
    tools.run('echo 1 > ../bin-1.2-backup.tar.gz; echo 2 > overrides.yaml.1.2-backup');
    for (const command of doing(planFor(), 'backups').split(/\n(?=if )/)) tools.run(command);
    expect(tools.calls()).not.toMatch(/^(?:tar <-czf>|cp )/m);
  });
});

describe('the tools of step 7', () => {
  const undo = undoing(planFor(), 'apigeectl').split('\n"$APIGEECTL_HOME/apigeectl" version')[0] ?? '';
  const HOME = { APIGEECTL_HOME: './tool' };

  test.each([
    ['done', ['tool', 'tool-1.2'], ['tool', 'tool-1.3.6'], 0],
    ['not begun', ['tool'], ['tool'], 0],
    ['unpacked only', ['tool', 'tool-1.3.6'], ['tool', 'tool-1.3.6'], 0],
    ['half renamed', ['tool-1.2', 'tool-1.3.6'], ['tool', 'tool-1.3.6'], 0],
    ['a riddle', ['tool', 'tool-1.2', 'tool-1.3.6'], ['tool', 'tool-1.2', 'tool-1.3.6'], 1],
  ])('are put back where the step is %s', (_, before, after, status) => {
    const tools = cluster();
    for (const name of before) mkdirSync(`${tools.folder}/${name}`);
    expect(tools.run(undo, HOME).status).toBe(status);
    expect(tools.files().toSorted()).toEqual(after);
  });
});

describe('an account in a secret', () => {
  const values = { org: 'acme', projectId: 'p', namespace: 'apigee', environments: ['test', 'prod'] };
  const plan = planFor(
    migrated({}, { values, text: 'mart:\n  serviceAccountRef: mart-sa\nwatcher:\n  serviceAccountRef: watcher-sa\n' }),
  );

  test.skipIf(!hasJq)('of the watcher is made as that of MART is', () => {
    const tools = cluster({ kubectl: `echo '{"data":{"client_secret.json":"e30="}}'` });
    tools.run(commandWith(stepNamed(plan, 'watcher').commands, 'create secret'), { WATCHER_KEY: 'w.json' });
    expect(tools.calls()).toContain(
      '<create> <secret> <generic> <watcher-sa> <-n> <apigee> <--from-file=client_secret.json=w.json>',
    );
    expect(undoing(plan, 'watcher')).toContain('kubectl delete secret watcher-sa');
  });

  test.skipIf(!hasJq)('is not made where that of MART has several keys', () => {
    const tools = cluster({ kubectl: `echo '{"data":{"a":"e30=","b":"e30="}}'` });
    tools.run(commandWith(stepNamed(plan, 'watcher').commands, 'create secret'), { WATCHER_KEY: 'w.json' });
    expect(tools.calls()).not.toContain('<create>');
  });

  test('needs no step where the new file names a key', () => {
    expect(doing(planFor(), 'watcher')).not.toContain('secret');
  });
});

describe('the mesh', () => {
  const check = commandWith(stepNamed(planFor(), 'mesh').commands, 'length > 0');
  const items = (replicas: number, minReplicas: number): string =>
    `echo '${JSON.stringify({
      items: [
        { kind: 'Deployment', metadata: { name: 'd' }, spec: { replicas } },
        { kind: 'HorizontalPodAutoscaler', metadata: { name: 'h' }, spec: { minReplicas } },
      ],
    })}'`;

  test.skipIf(!hasJq).each([
    [items(2, 2), 0],
    [items(1, 2), 1],
    [items(2, 1), 1],
    [`echo '{"items":[]}'`, 1],
    ['exit 1', 5],
  ])('is seen to have two replicas before it is upgraded: %#', (kubectl, status) => {
    expect(cluster({ kubectl }).run(check).status === 0).toBe(status === 0);
  });
});

describe('the move of the traffic', () => {
  const check = commandWith(stepNamed(planFor(), 'components').check.commands, 'kubectl logs');
  const log = (line: string): string =>
    `case "$*" in *logs*) echo '${line}';; *) echo '{"items":[{"spec":{"containers":[{"image":"gcr.io/x/apigee-runtime:1.3.6"}]},"status":{"podIP":"10.0.0.1"}},{"spec":{"containers":[{"image":"gcr.io/x/apigee-runtime:1.2.0"}]},"status":{"podIP":"10.0.0.2"}}]}';; esac`;

  test.skipIf(!hasJq).each([
    ['GET / 200 10.0.0.1:8443', 0],
    ['GET / 200 10.0.0.2:8443', 1],
    ['GET / 200 10.0.0.10:8443', 1],
  ])('is seen in the log of the ingress: %s', (line, status) => {
    expect(cluster({ kubectl: log(line) }).run(check).status).toBe(status);
  });

  test.skipIf(!hasJq)('is not seen where no pod is of 1.3', () => {
    const tools = cluster({ kubectl: `case "$*" in *logs*) echo any;; *) echo '{"items":[]}';; esac` });
    expect(tools.run(check).status).not.toBe(0);
  });

  test('comes before the clean-up', () => {
    const ids = planFor().steps.map(({ id }) => id);
    expect(ids.indexOf('components')).toBeLessThan(ids.indexOf('clean-up'));
    expect(checking(planFor(), 'components')).toContain('sh probes.sh dns');
  });
});
