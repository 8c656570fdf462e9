import { describe, expect, test } from 'vitest';
import { buildUpgradePlan, planUpgrade } from '../../../src/hybrid/plan/plan-upgrade.ts';
import { planRequest } from '../../../src/hybrid/plan/plan.ts';
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
} from './example.ts';

const IDS = [
  'versions',
  'backups',
  'connect',
  'watcher',
  'groups',
  'overrides',
  'mesh',
  'apigeectl',
  'init',
  'datastore',
  'components',
  'ring',
  'clean-up',
];

describe('the procedure', () => {
  const plan = planFor();

  test('has all steps in the order of the vendor, numbered from 0', () => {
    expect(plan.steps.map(({ id }) => id)).toEqual(IDS);
    expect(plan.steps.map(({ number }) => number)).toEqual(IDS.map((_, index) => index));
  });

  test('has exactly one point of no return: the last step', () => {
    expect(plan.steps.filter(({ isPointOfNoReturn }) => isPointOfNoReturn).map(({ id }) => id)).toEqual(['clean-up']);
  });

  test.each(IDS)('step %s says why, what to do, what must be seen and how to undo it', (id) => {
    const step = stepNamed(plan, id);
    expect(step.title).not.toBe('');
    expect(step.why).not.toBe('');
    expect(step.commands.length).toBeGreaterThan(0);
    expect(step.check.commands.length).toBeGreaterThan(0);
    expect(step.check.expect).not.toBe('');
    expect(step.undo.length).toBeGreaterThan(0);
    expect([...step.commands, ...step.undo].every(({ command, text }) => Boolean(command ?? text))).toBe(true);
  });

  test('the same file gives the same plan', () => {
    expect(planFor()).toEqual(plan);
  });

  test('carries groups, proposals, notes and warnings of the migration', () => {
    const { groups, proposals, notes, problems } = migrated();
    expect(plan).toMatchObject({ from: '1.2', to: '1.3.6', org: 'acme', groups, proposals, notes, problems });
  });
});

describe('--dry-run', () => {
  test.each([
    ['1.17.17-gke.1', 'true'],
    ['1.18+', 'client'],
  ])('with kubectl %s is %s in every command', (kubectl, dryRun) => {
    const plan = planFor(migrated(), { kubectl });
    const values = commandsOf(plan).flatMap((command) => [...command.matchAll(/--dry-run=(\S+)/g)].map((m) => m[1]));
    expect(plan.dryRun).toBe(dryRun);
    expect(values.length).toBeGreaterThan(4);
    expect(new Set(values)).toEqual(new Set([dryRun]));
  });

  test.each(['init', 'datastore', 'components', 'ring'])('comes before the real run in step %s', (id) => {
    const rows = doing(planFor(), id)
      .split('\n')
      .filter((row) => /apigeectl" (?:init|apply)/.test(row));
    expect(rows.map((row) => row.includes('--dry-run='))).toEqual(rows.map((_, index) => index % 2 === 0));
  });
});

describe('steps', () => {
  test('2 keeps all other properties of the organization', () => {
    expect(doing(planFor(), 'connect')).toContain('roles/apigeeconnect.Agent');
    expect(doing(planFor(), 'connect')).toContain('-X PUT');
    expect(undoing(planFor(), 'connect')).toContain('organization-first-acme.json');
  });

  test('3 puts the key where the new file names it', () => {
    expect(doing(planFor(), 'watcher')).toContain('keys create ./keys/watcher.json');
    expect(doing(planFor(), 'watcher')).toContain('--role roles/apigee.runtimeAgent');
  });

  test('4 creates, checks and deletes every group and attachment', () => {
    const plan = planFor();
    const posts = [...doing(plan, 'groups').matchAll(/-X POST .* (\S+)$/gm)].map((match) => match[1]);
    const groups = 'https://apigee.googleapis.com/v1/organizations/acme/envgroups';
    expect(posts).toEqual([
      groups,
      `${groups}/public/attachments`,
      `${groups}/public/attachments`,
      groups,
      `${groups}/partners/attachments`,
    ]);
    expect(checking(plan, 'groups').match(/jq -ne/g)).toHaveLength(5);
    expect(undoing(plan, 'groups')).toContain(`-X DELETE ${groups}/partners`);
  });

  test('5 repeats the migration with the flags that were given', () => {
    const plan = planFor(
      migrated(),
      {},
      {
        groups: { default: 'public', 'b c': 'd' },
        instanceId: 'c1',
        region: 'us-east1',
        connectAgentServiceAccountPath: 'a.json',
        metricsServiceAccountPath: 'm.json',
        watcherServiceAccountPath: 'w.json',
        enableConnect: true,
        production: false,
      },
    );
    expect(doing(plan, 'overrides')).toBe(
      "sightline hybrid migrate overrides.yaml -o overrides-1.3.yaml --group default=public --group 'b c=d' --instance-id c1 --region us-east1 --connect-agent-sa a.json --metrics-sa m.json --watcher-sa w.json --enable-connect --no-production",
    );
    const hyphen = planFor(migrated(), {}, { instanceId: '-x', watcherServiceAccountPath: '-w.json' });
    expect(doing(hyphen, 'overrides')).toMatch(/ --instance-id=-x --watcher-sa=-w\.json$/);
    expect(undoing(plan, 'overrides')).toContain('put_aside overrides-1.3.yaml && put_aside environment-groups.json');
    expect(undoing(planFor(migrated(), { newFileName: 'a/b.yaml' }), 'overrides')).toContain(
      'put_aside a/b.yaml && put_aside a/environment-groups.json',
    );
    expect(doing(planFor(migrated(), {}, { production: true }), 'overrides')).toMatch(/ --production$/);
    expect(checking(plan, 'overrides')).toContain('sightline hybrid check overrides-1.3.yaml');
  });

  test('6 scales first, and names only the notes of the mesh', () => {
    const step = stepNamed(planFor(), 'mesh');
    const all = step.commands.map(({ command, text }) => `${text}\n${command}`).join('\n');
    expect(all.indexOf('--replicas=2')).toBeLessThan(all.indexOf('Anthos Service Mesh 1.5.7'));
    expect(all).toContain('ingress.runtime.loadBalancerIP');
    expect(all).not.toContain('dnsPolicy');
    expect(all).toContain('download/v0.14.2/cert-manager.yaml');
  });

  test('6 shakes hands for each host name, a wildcard by a name that fits it', () => {
    expect(checking(planFor(), 'mesh')).toContain(
      'for host in api.example.com probe.example.org partners.example.com; do',
    );
  });

  test('7 keeps the old tools under another name', () => {
    expect(doing(planFor(), 'apigeectl')).toContain('mv -- "$APIGEECTL_HOME" "${APIGEECTL_HOME}-1.2"');
    expect(doing(planFor(), 'apigeectl')).toContain('1.3.6/apigeectl_"$system".tar.gz');
  });

  test('9 and 11: only the copy has the external seed, and it is applied first and removed last', () => {
    const plan = planFor();
    expect(doing(plan, 'datastore')).toContain('-o overrides-1.3-seed.yaml');
    expect(doing(plan, 'datastore')).toContain('apply -f overrides-1.3-seed.yaml --datastore');
    expect(doing(plan, 'ring')).toContain('apply -f overrides-1.3.yaml --datastore');
    expect(doing(plan, 'ring')).not.toContain('-f overrides-1.3-seed.yaml');
    expect(doing(plan, 'ring').split('\n').at(-1)).toBe('rm -f -- overrides-1.3-seed.yaml');
  });

  test.each([
    [1, '2 nodes'],
    [3, '6 nodes'],
    [6, '12 nodes'],
  ])('with %i replicas the joined ring has %s', (cassandraReplicas, nodes) => {
    const plan = planFor(migrated({ cassandraReplicas }));
    for (const id of ['datastore', 'ring']) {
      expect(stepNamed(plan, id).check.expect).toContain(nodes);
      expect(checking(plan, id)).toContain('sh ring.sh apigee-cassandra-default-0 both');
    }
  });

  test('10 applies telemetry, the organization, then all environments', () => {
    expect(scopes(doing(planFor(), 'components'))).toEqual(['--telemetry', '--org', '--all-envs']);
  });

  test('10 applies the environments one by one when asked, and probes each before the next', () => {
    const commands = doing(planFor(migrated(), { envsOneByOne: true }), 'components');
    expect(scopes(commands)).toEqual(['--telemetry', '--org', '--env test', '--env prod']);
    const [test1 = '', prod = ''] = commands.split('--env prod --dry-run');
    expect(test1).toContain('sh probes.sh compare test');
    expect(test1).not.toContain('compare prod');
    expect(prod).toContain('sh probes.sh compare prod');
  });

  test('12 removes nothing unless it was confirmed, and never everything', () => {
    const step = stepNamed(planFor(), 'clean-up');
    const removals = step.commands.flatMap(({ command }) =>
      command && /delete |decommission/.test(command) ? [command] : [],
    );
    expect(removals).toHaveLength(3);
    expect(removals.every((command) => command.startsWith('if [ "${CLEAN_UP-}" = yes ]; then\n'))).toBe(true);
    expect(commandsOf(planFor()).join('\n')).not.toMatch(/delete [^\n]*--all(?!-envs)/);
  });

  test('no password is in a plan, only variables that it names', () => {
    const plan = planFor();
    expect(commandsOf(plan).join('\n')).toContain('-pw "$CASSANDRA_PASSWORD"');
    expect(plan.variables.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['APIGEECTL_HOME', 'CASSANDRA_USER', 'CASSANDRA_PASSWORD', 'INGRESS_IP']),
    );
  });

  test('a namespace of one’s own is used everywhere', () => {
    const all = commandsOf(planFor(migrated({ namespace: 'runtime' }))).join('\n');
    expect(all).toContain('-n runtime apigee-cassandra-default-0');
    expect(all).not.toMatch(/-n apigee /);
  });
});

describe('platforms', () => {
  test.each([
    ['managed', '1.15'],
    ['multi-cloud', '1.5'],
    ['attached', '1.16'],
  ] as const)('%s asks for its version %s', (platform, version) => {
    const plan = planFor(migrated(), { platform });
    expect(plan.platform).toBe(platform);
    const look = stepNamed(plan, 'versions').commands.find(({ command }) => command === 'kubectl version -o json');
    expect(look?.text).toContain(version);
    expect(plan.variables.some(({ name }) => name === 'ANTHOS_VERSION')).toBe(platform === 'multi-cloud');
  });
});

describe('variables', () => {
  test('of the overrides file stay variables, and are named', () => {
    const plan = planFor(
      migrated({
        org: '$ORG',
        projectId: '${PROJECT}',
        martServiceAccountPath: './sa/$PROJECT-mart.json',
        environments: ['$ENV'],
      }),
    );
    expect(doing(plan, 'connect')).toContain('"https://apigee.googleapis.com/v1/organizations/$ORG"');
    expect(doing(plan, 'connect')).toContain('"./sa/${PROJECT}-mart.json"');
    expect(plan.variables.map(({ name }) => name)).toEqual(expect.arrayContaining(['ORG', 'PROJECT', 'ENV']));
  });

  test('stand for what the file does not say', () => {
    const plan = planFor(
      migrated({}, { values: { org: 'acme', namespace: 'apigee', environments: ['test', 'prod'] } }),
    );
    expect(stepNamed(plan, 'datastore').check.expect).toContain('twice as many nodes');
    expect(plan.variables.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['PROJECT_ID', 'MART_ACCOUNT', 'WATCHER_KEY']),
    );
    expect(new Set(plan.variables.map(({ name }) => name)).size).toBe(plan.variables.length);
  });

  test('name the account of Connect where a secret of its own holds it', () => {
    const text = 'mart:\n  serviceAccountRef: mart-sa\nconnectAgent:\n  serviceAccountRef: connect-sa\n';
    const values = { org: 'acme', namespace: 'apigee', environments: ['test', 'prod'] };
    const plan = planFor(migrated({}, { values, text }));
    expect(plan.variables.map(({ name }) => name)).toContain('CONNECT_ACCOUNT');
    expect(doing(plan, 'connect')).toContain('--member "serviceAccount:""${CONNECT_ACCOUNT-}"');
    const same = planFor(migrated({}, { values, text: text.replace('connect-sa', 'mart-sa') }));
    expect(same.variables.map(({ name }) => name)).not.toContain('CONNECT_ACCOUNT');
    expect(doing(same, 'connect')).toContain('"${MART_ACCOUNT-}"');
  });

  test('every variable that a command uses is named, or set in the command', () => {
    const plan = planFor(migrated({ org: '$ORG' }), { platform: 'multi-cloud' });
    const named = new Set(plan.variables.map(({ name }) => name));
    const ours = new Set(['OLD_CASSANDRA_IP', 'STOP_JOINING', 'LOST_HOST_ID', 'CLEAN_UP', 'REPAIR_OLD', 'NF', 'NR']);
    const used = commandsOf(plan).flatMap((command) =>
      [...command.matchAll(/\$\{?([A-Z][A-Z_0-9]*)/g)].map((m) => m[1]),
    );
    expect([...new Set(used)].filter((name) => name !== undefined && !named.has(name) && !ours.has(name))).toEqual([]);
  });
});

describe('no plan', () => {
  test.each(['', '2.0', '8', 'client'])('kubectl %j: kubectl_version', (kubectl) => {
    expect(buildUpgradePlan(migrated(), {}, { ...options, kubectl })).toMatchObject({
      ok: false,
      reason: 'kubectl_version',
    });
  });

  test.each([
    [
      'a refused migration: its problems',
      { ok: false, version: '1.1', isFragment: false, problems: migrated().problems },
      { problems: migrated().problems },
    ],
    ['a file of 1.3: already_1_3', migrated({}, { version: '1.3', groups: [] }), { reason: 'already_1_3' }],
    ['a fragment: fragment', migrated({}, { isFragment: true }), { reason: 'fragment' }],
    ['no virtual hosts: no_groups', migrated({}, { groups: [] }), { reason: 'no_groups' }],
    ['a line feed in a name: unprintable_value', migrated({ org: 'a\nrm -rf ~' }), { reason: 'unprintable_value' }],
    [
      'an escape in a name: unprintable_value',
      migrated({ environments: ['\u001b[2J'] }),
      { reason: 'unprintable_value' },
    ],
  ] as const)('for %s', (_, migration, expected) => {
    expect(buildUpgradePlan(migration, {}, options)).toMatchObject({ ok: false, ...expected });
  });
});

test.each([
  ['overrides.yaml', 'overrides.yaml'],
  ['overrides.yaml', './overrides.yaml'],
  ['a/./b.yaml', 'a//b.yaml'],
  ['overrides-seed.yaml', 'overrides.yaml'],
])('%s is never written over: no plan with %s', (fileName, newFileName) => {
  expect(buildUpgradePlan(migrated(), {}, { ...options, fileName, newFileName })).toMatchObject({
    reason: 'same_file_names',
  });
});

test('a plan grows with the file, not with host names times paths', () => {
  const hostnames = Array.from({ length: 700 }, (_, index) => `h${index}.example.com`);
  const paths = Array.from({ length: 700 }, (_, index) => `/p${index}`);
  const groups = [{ group: 'a', hostnames, environments: ['test'], basePaths: { test: paths } }];
  expect(JSON.stringify(planFor(migrated({}, { groups }))).length).toBeLessThan(300_000);
});

test('checks judge the facts of the moment, with what the step needs', () => {
  const plan = planFor(migrated(), {}, { groups: { default: 'public' } });
  const verified = commandsOf(plan).filter((command) => command.includes('hybrid verify'));
  expect(verified).toEqual([
    ...[0, 1, 2, 3].map((step) => `sh facts.sh && sightline hybrid verify facts.json --step ${step}`),
    ...[4, 6].map(
      (step) =>
        `sh facts.sh && sightline hybrid verify facts.json --step ${step} --overrides overrides.yaml --group default=public`,
    ),
  ]);
  const trial = checking(planFor(migrated({ cassandraReplicas: 1 })), 'backups');
  expect(trial).toContain('--step 1 --no-production');
});

describe('of a file', () => {
  test('1.2 has a plan', () => {
    const outcome = planUpgrade(overridesFile, {}, options);
    expect(outcome).toMatchObject({ ok: true, plan: { org: 'acme', dryRun: 'client' } });
    if (!outcome.ok) return;
    expect(doing(outcome.plan, 'watcher')).toContain('./keys/acme-watcher.json');
    expect(stepNamed(outcome.plan, 'datastore').check.expect).toContain('6 nodes');
    expect(outcome.plan.groups).toEqual([
      {
        group: 'public',
        hostnames: ['api.example.com'],
        environments: ['test', 'prod'],
        basePaths: { test: ['/orders'], prod: ['/'] },
      },
    ]);
  });

  test.each([
    ['broken', 'org: [', 'problems'],
    ['with an undefined environment', overridesFile.replace('- env: prod', '- env: stage'), 'problems'],
    ['of 1.1', 'org: a\nenvs:\n  - name: test\n    hostAlias: api.example.com\n', 'problems'],
    ['without org', overridesFile.replace('org: acme\n', ''), 'reason'],
  ])('%s has none', (_, text, why) => {
    const outcome = planUpgrade(text, {}, options);
    expect(outcome.ok).toBe(false);
    expect(outcome).toHaveProperty(why);
  });
});

describe('a request', () => {
  test('has defaults for all but kubectl', () => {
    expect(planRequest.parse({ kubectl: '1.18' })).toEqual(options);
  });

  test.each([
    {},
    { kubectl: '' },
    { kubectl: '1'.repeat(65) },
    { kubectl: '1.18', platform: 'cloud' },
    { kubectl: '1.18', envsOneByOne: 'yes' },
    { kubectl: '1.18', fileName: '' },
    { kubectl: '1.18', fileName: '-rf' },
    { kubectl: '1.18', fileName: 'a\nb' },
    { kubectl: '1.18', newFileName: 'x'.repeat(256) },
    { kubectl: '1.18', other: 1 },
  ])('%j is refused', (body) => {
    expect(planRequest.safeParse(body).success).toBe(false);
  });
});

const scopes = (commands: string): readonly string[] =>
  [...commands.matchAll(/apply -f \S+ (--(?!dry)\S+(?: (?!--)\S+)?)$/gm)].map((match) => match[1] ?? '');

describe('metrics', () => {
  const without = overridesFile.replace(/^metrics:\n(?: .*\n)+/m, '');
  const watcherOf = (text: string) => {
    const outcome = planUpgrade(text, {}, options);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome));
    return stepNamed(outcome.plan, 'watcher');
  };

  test('a file without an account for them gets one, with role, key and check', () => {
    expect(without).not.toBe(overridesFile);
    const step = watcherOf(without);
    const todo = step.commands.map(({ command }) => command ?? '').join('\n');
    expect(todo).toContain('iam service-accounts create apigee-metrics');
    expect(todo).toContain('--role roles/monitoring.metricWriter');
    expect(todo).toMatch(/keys create \S*metrics\S*/);
    const checks = step.check.commands.map(({ command }) => command ?? '').join('\n');
    expect(checks).toContain('roles/monitoring.metricWriter');
  });

  test('where MART has no name of a role its account gets this one too, and no key is made or asked for', () => {
    const step = JSON.stringify(watcherOf(without.replaceAll(/\S*mart\.json/g, './sa/all.json')));
    expect(step).toContain('roles/monitoring.metricWriter');
    expect(step).not.toMatch(/apigee-metrics|keys create/);
  });

  test('a file with one is left alone', () => {
    expect(JSON.stringify(watcherOf(overridesFile))).not.toContain('apigee-metrics');
  });
});

describe('one account for all', () => {
  const shared = planFor(
    migrated({ martServiceAccountPath: './sa/all.json', watcherServiceAccountPath: './sa/all.json' }),
  );
  const whole = JSON.stringify(stepNamed(shared, 'watcher'));

  test('no key and no account is made, and none goes', () => {
    expect(whole).not.toMatch(/keys create|service-accounts (?:create|delete)|rm -f/);
  });

  test('the account of MART gets the role, and is asked for it', () => {
    expect(doing(shared, 'watcher')).toContain('--role roles/apigee.runtimeAgent');
    expect(doing(shared, 'watcher')).toContain('.client_email // empty');
    expect(checking(shared, 'watcher')).toContain('roles/apigee.runtimeAgent');
    expect(JSON.stringify(stepNamed(shared, 'versions'))).not.toContain('apigee-watcher@');
  });

  test('a key that is there is never written over, and one of another account never deleted', () => {
    expect(doing(planFor(), 'watcher')).toMatch(/\[ -e \.\/keys\/watcher\.json \] \|\| .*keys create/);
    expect(undoing(planFor(), 'watcher')).toMatch(/client_email == \$email.*; then rm -f -- \.\/keys\/watcher\.json/);
  });
});
