import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { buildPlanFolder, type PlanFile } from '../../../src/hybrid/plan/folder/plan-folder.ts';
import type { UpgradePlan } from '../../../src/hybrid/plan/plan.ts';
import { DURATIONS, EFFECTS } from '../../../src/hybrid/plan/folder/durations-data.ts';
import { migrated, planFor } from './example.ts';
import { type FakeCluster, hasJq } from './fake-cluster.ts';
import { doneUpTo, JOURNAL, keepJournal, placePlan, placeTools } from './operator-folder.ts';

/** Lines of four A4 pages. */
const MAX_LINES = 180;
const MAX_CHARS = 14_000;

const folders: { remove: () => void }[] = [];
afterEach(() => {
  for (const one of folders.splice(0)) one.remove();
});

const plan = planFor(migrated({ martServiceAccountPath: './mart.json' }));
const find = (files: readonly PlanFile[], path: string): string =>
  files.find((file) => file.path === path)?.content ?? '';

/** An operator's folder that goes when the test ends. */
function placed(made: UpgradePlan, tools: Readonly<Record<string, string>> = {}): FakeCluster {
  const cluster = placePlan(made, tools);
  folders.push(cluster);
  return cluster;
}

test('the folder has a plan, a script and an undo for each step, and what they share', () => {
  const paths = buildPlanFolder(plan).map(({ path }) => path);
  expect(paths.slice(0, 6)).toEqual(['plan.md', 'details.md', 'lib.sh', 'facts.sh', 'ring.sh', 'probes.sh']);
  const steps = plan.steps.map(({ number, id }) => `${String(number).padStart(2, '0')}-${id}.sh`);
  expect(paths.slice(6)).toEqual([...steps.map((name) => `steps/${name}`), ...steps.map((name) => `undo/${name}`)]);
  expect(new Set(paths).size).toBe(paths.length);
});

describe('plan.md', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `name-${index}`);
  const large = planFor(
    migrated(
      { org: 'o'.repeat(32), environments: many.slice(0, 50) },
      {
        groups: many
          .slice(0, 50)
          .map((group) => ({ group, hostnames: many.slice(0, 50), environments: [], basePaths: {} })),
        notes: many.map((key, index) => ({ line: index + 1, column: 1, key, message: 'x'.repeat(500) })),
        problems: many.map((message, index) => ({
          line: index + 1,
          column: 1,
          code: 'default-key',
          severity: 'warning',
          message,
          fix: 'Rotate.',
        })),
        text: many.map((name) => `${name}: $VARIABLE_${name.slice(5)}`).join('\n'),
      },
    ),
  );

  test.each([
    ['a small file', plan],
    ['a file as large as one can be', large],
  ])('has four pages at most for %s', (_what, made) => {
    const text = find(buildPlanFolder(made), 'plan.md');
    expect(text.split('\n').length).toBeLessThanOrEqual(MAX_LINES);
    expect(text.length).toBeLessThanOrEqual(MAX_CHARS);
  });

  test('says what, in which order, how long, and how to go back', () => {
    const text = find(buildPlanFolder(plan), 'plan.md');
    const rows = [...text.matchAll(/^\| (\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)];
    expect(rows.map(([, number]) => Number(number))).toEqual(plan.steps.map(({ number }) => number));
    expect(rows.filter(([, , , time]) => time?.trim() === '')).toEqual([]);
    expect(rows.map(([, , , , , back]) => back)).toEqual([
      ...plan.steps.slice(0, -1).map(({ number }) => `undo/${String(number).padStart(2, '0')}`),
      '**none: only the backups**',
    ]);
    for (const { name } of plan.variables) expect(text).toContain(`\`${name}\``);
  });

  test('every duration and effect is of a step', () => {
    const ids = plan.steps.map(({ id }) => id);
    expect(Object.keys(DURATIONS)).toEqual(ids);
    expect(Object.keys(EFFECTS).filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('what has no room in it is in details.md', () => {
    const files = buildPlanFolder(large);
    expect(find(files, 'plan.md')).toContain('and 992 more: details.md');
    expect(find(files, 'details.md')).toContain('name-999');
  });
});

const SHELLS = ['sh', 'bash', 'dash'].filter((shell) => spawnSync(shell, ['-c', ':']).status === 0);

test.each(SHELLS)('%s parses every script, whatever the file says', (shell) => {
  const folder = mkdtempSync(join(tmpdir(), 'plan-folder-'));
  folders.push({ remove: () => rmSync(folder, { recursive: true, force: true }) });
  const texts = ["'; touch PWNED; '", '"$(touch PWNED)`touch PWNED`', '\\', 'END_OF_SCRIPT', '$X fi; done'];
  const scripts = [plan, ...texts.map(hostilePlan)].flatMap((made, index) =>
    buildPlanFolder(made)
      .filter(({ path }) => path.endsWith('.sh'))
      .map(({ path, content }) => [join(folder, `${index}-${path.replace('/', '-')}`), content] as const),
  );
  for (const [path, content] of scripts) writeFileSync(path, content);
  const { stdout, stderr } = spawnSync(
    'sh',
    ['-c', `for file in "$1"/*.sh; do ${shell} -n "$file" || echo "$file"; done`, 'sh', folder],
    { encoding: 'utf8' },
  );
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
  expect(scripts.length).toBeGreaterThan(6 * 26);
});

/** 26 scripts, some with hundreds of processes. */
const MAX_MS_OF_ALL_SCRIPTS = 120_000;

const hostilePlan = (text: string): UpgradePlan =>
  planFor(
    migrated(
      { org: text, projectId: text, namespace: text, environments: [text], martServiceAccountPath: text },
      {
        groups: [{ group: text, hostnames: [text], environments: [text], basePaths: { [text]: [`/${text}`] } }],
        notes: [{ line: 1, column: 1, key: `ingress ${text}`, message: text }],
      },
    ),
    { fileName: text, newFileName: `${text}.new` },
  );

test.skipIf(!hasJq)('no script runs what the file says (needs jq)', { timeout: MAX_MS_OF_ALL_SCRIPTS }, () => {
  const text = `'; touch PWNED; '"$(touch PWNED)\`touch PWNED\` *`;
  const made = hostilePlan(text);
  const cluster = placed(made, { kubectl: `echo '{"items":[]}'`, gcloud: 'echo "[]"', curl: `echo '{}'` });
  writeFileSync(join(cluster.folder, text), 'org: x\n');
  cluster.run(
    'sh plan/facts.sh; : > plan/facts.sh; for name in facts.sh ring.sh probes.sh; do cat "plan/$name" > "$name"; done',
  );
  // No command stops a script, no guard an undo, and nothing is waited for: all of them run.
  for (const name of ['passed', 'guard_context', 'guard_undo'])
    cluster.run(`echo '${name}() { PLAN_ALL=yes; }' >> plan/lib.sh`);
  const set = {
    APIGEECTL_HOME: './tool',
    PLAN_YES: 'yes',
    PLAN_ANYWAY: 'yes',
    CLEAN_UP: 'yes',
    REPAIR_OLD: 'yes',
    OLD_INGRESS_IP: '203.0.113.1',
    CASSANDRA_BACKUP: 'b',
  };
  const files = buildPlanFolder(made);
  const scripts = [
    ...files.filter(({ path }) => /^steps\/.*\.sh$/.test(path)),
    ...files.filter(({ path }) => /^undo\/.*\.sh$/.test(path)).toReversed(),
  ];
  expect(scripts.length).toBe(26);
  for (const { path, content } of scripts) {
    placeTools(cluster, { tool: '1.2.0 1.3.6', 'tool-1.2': '1.2.0' });
    writeFileSync(join(cluster.folder, 'plan', path), content.replaceAll(/-lt \d+/g, '-lt 1'));
    const { stdout, stderr } = cluster.run(`sh plan/${path}`, set);
    expect({ path, stdout, stderr }).toMatchObject({ stdout: expect.stringMatching(/^# \[1\]/m) });
    expect(stderr).not.toMatch(/syntax|unterminated/i);
  }
  expect(cluster.files()).not.toContain('PWNED');
  expect(cluster.calls()).toContain(`<${text}>`);
});

describe.skipIf(!hasJq)('the scripts run (needs jq)', () => {
  const PROPERTIES = { 'features.hybrid.enabled': 'true', 'features.mart.connect.enabled': 'true' };
  const organization = JSON.stringify({
    name: 'acme',
    properties: { property: Object.entries(PROPERTIES).map(([name, value]) => ({ name, value })) },
  });
  const policy = JSON.stringify({
    bindings: [{ role: 'roles/apigeeconnect.Agent', members: ['serviceAccount:mart@acme'] }],
  });
  const tools = {
    gcloud: `case "$*" in *get-iam-policy*) printf %s '${policy}';; *'services list'*) echo apigeeconnect.googleapis.com;; esac`,
    curl: `printf %s '${organization}'`,
  };
  const runStep = (cluster: FakeCluster, script: string, more: Readonly<Record<string, string>> = {}) => {
    cluster.run(`printf %s '{"client_email":"mart@acme"}' > mart.json; : > facts.sh`);
    const number = Number(/\d\d/.exec(script)?.[0]);
    if (!cluster.files().includes(JOURNAL))
      keepJournal(cluster, doneUpTo(script.startsWith('undo') ? number : number - 1));
    return cluster.run(`sh plan/${script}`, { CASSANDRA_BACKUP: 'gs://b', PLAN_YES: 'yes', ...more });
  };

  test('a step does its commands, then its checks, and says what must be seen', () => {
    const cluster = placed(plan, tools);
    const { status, stdout, stderr } = runStep(cluster, 'steps/02-connect.sh');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/# \[1\]/);
    expect(stdout).toContain('# Must be seen:');
    expect(cluster.calls()).toMatch(/add-iam-policy-binding> .*<serviceAccount:mart@acme>/);
    expect(cluster.calls()).toContain('<Authorization: Bearer ');
  });

  test('--check changes nothing', () => {
    const cluster = placed(plan, tools);
    cluster.run(`printf %s '${organization}' > organization-before-acme.json`);
    expect(runStep(cluster, 'steps/02-connect.sh --check').status).toBe(0);
    expect(cluster.calls()).not.toMatch(/add-iam-policy-binding|<PUT>|<enable>/);
  });

  test('a command that fails stops the script, which says how to go on; --from goes on', () => {
    const failing = { ...tools, gcloud: `case "$*" in *'services enable'*) exit 7;; esac\n${tools.gcloud}` };
    const cluster = placed(plan, failing);
    const stopped = runStep(cluster, 'steps/02-connect.sh');
    expect(stopped.status).toBe(1);
    expect(stopped.stderr).toContain('Command 1 of plan/steps/02-connect.sh failed with status 7');
    expect(cluster.calls()).not.toContain('add-iam-policy-binding');
    expect(runStep(cluster, 'steps/02-connect.sh --from 2').status).toBe(0);
    expect(cluster.calls()).toContain('add-iam-policy-binding');
  });

  test('a check that fails makes the script fail', () => {
    const cluster = placed(plan, { ...tools, sightline: 'exit 1' });
    const { status, stderr } = runStep(cluster, 'steps/02-connect.sh');
    expect(status).toBe(1);
    expect(stderr).toContain('1 check(s) failed.');
  });

  test('an undo goes back', () => {
    const cluster = placed(plan, tools);
    cluster.run(
      `printf '{"name":"acme","properties":{}}' > organization-first-acme.json; echo '{}' > iam-policy-first-acme.json`,
    );
    expect(runStep(cluster, 'undo/02-connect.sh').status).toBe(0);
    expect(cluster.calls()).toContain('remove-iam-policy-binding');
  });

  test('nothing runs while a variable is missing, and what is to be done by hand is asked for', () => {
    const cluster = placed(plan, tools);
    const missing = cluster.run('unset INGRESS_IP; sh plan/steps/02-connect.sh');
    expect(missing.status).not.toBe(0);
    expect(missing.stderr).toContain('INGRESS_IP');
    expect(cluster.calls()).toBe('');
    const unasked = cluster.run('sh plan/steps/04-groups.sh --from 8 </dev/null');
    expect(unasked.status).not.toBe(0);
  });

  test('the scripts of the plan are copied to where later commands look for them', () => {
    const cluster = placed(plan, tools);
    runStep(cluster, 'steps/00-versions.sh');
    expect(cluster.read('facts.sh')).toBe(cluster.read('plan/facts.sh'));
  });
});
