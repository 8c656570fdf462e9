import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { isPrintable } from '../../../src/hybrid/plan/shell.ts';
import { waitFor } from '../../../src/hybrid/plan/commands.ts';
import type { UpgradePlan } from '../../../src/hybrid/plan/plan.ts';
import { checking, commandsOf, migrated, planFor, scriptsIn, stepNamed } from './example.ts';
import { fakeCluster, hasJq, type FakeCluster } from './fake-cluster.ts';
import { budgetFor, sampleRows } from '../../support/runner/budget.ts';

const clusters: FakeCluster[] = [];
const cluster = (tools?: Readonly<Record<string, string>>): FakeCluster => {
  const one = fakeCluster(tools);
  clusters.push(one);
  return one;
};
afterEach(() => {
  for (const one of clusters.splice(0)) one.remove();
});

/** With the same text wherever a file or a caller can put one. */
const hostilePlan = (text: string): UpgradePlan =>
  planFor(
    migrated(
      {
        org: text,
        projectId: text,
        namespace: text,
        environments: [text, 'prod'],
        martServiceAccountPath: text,
        watcherServiceAccountPath: text,
        connectAgentServiceAccountPath: `${text}c`,
      },
      {
        groups: [
          { group: text, hostnames: [text, `*.${text}`], environments: [text], basePaths: { [text]: [`/${text}`] } },
        ],
        notes: [{ line: 1, column: 1, key: `ingress ${text}`, message: text }],
      },
    ),
    { fileName: text, newFileName: `${text}.new`, envsOneByOne: true, platform: 'multi-cloud' },
    { groups: { [text]: text }, instanceId: text, region: text, metricsServiceAccountPath: text },
  );

const parses = (command: string): { status: number | null; stderr: string } => {
  const { status, stderr } = spawnSync('/bin/sh', ['-n', '-c', command], { encoding: 'utf8' });
  return { status, stderr };
};

/** Each by itself: quotes that two commands leave open could close each other. */
const notParsed = (commands: readonly string[]): readonly string[] => {
  const files = commands.map((command, index) => [`${index}.sh`, command] as const);
  const folder = fakeCluster();
  clusters.push(folder);
  for (const [name, command] of files) writeFileSync(join(folder.folder, name), command);
  const { stdout } = folder.run('for file in *.sh; do sh -n "$file" 2>/dev/null || echo "$file"; done');
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((name) => Object.fromEntries(files)[name] ?? name);
};

const HOSTILE = [
  'x; touch PWNED',
  '$(touch PWNED)',
  '`touch PWNED`',
  '"; touch PWNED; "',
  "'; touch PWNED; '",
  '\'"; touch PWNED #',
  '${X:-$(touch PWNED)}',
  '$X$(touch PWNED)',
  '$X"; touch PWNED; "',
  'a && touch PWNED || touch PWNED',
  '| touch PWNED',
  '> PWNED',
  '\\',
  '$X\\',
  '-n; touch PWNED',
  '--help',
  '"}]}, {"name": "x',
  '../../x?y#z',
  '{a,b} [c] * ? ~',
  'é😀',
];

test('a command that does not parse would be seen', () => {
  expect(notParsed(['echo "', 'echo a', 'fi'])).toEqual(['echo "', 'fi']);
});

describe('in a shell', () => {
  test.each(['managed', 'multi-cloud', 'attached'] as const)('every command for %s parses', (platform) => {
    for (const envsOneByOne of [true, false]) {
      const plan = planFor(migrated(), { platform, envsOneByOne });
      expect(notParsed([...commandsOf(plan), ...scriptsIn(plan)])).toEqual([]);
      expect(scriptsIn(plan)).toHaveLength(3);
    }
  });

  test.each(sampleRows(HOSTILE, 3))('every command with %s parses', (text) => {
    const plan = hostilePlan(text);
    for (const all of [commandsOf(plan), scriptsIn(plan)])
      expect(parses(all.join('\n'))).toEqual({ status: 0, stderr: '' });
  });

  test('every command with any printable text parses', () => {
    const spicy = fc.string({
      unit: fc.constantFrom(...Array.from('ab $(){}`"\'\\;|&<>*!~#=-/')),
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.oneof(spicy, fc.string({ unit: 'binary', minLength: 1, maxLength: 8 })), (text) => {
        fc.pre(isPrintable(text));
        const plan = hostilePlan(text);
        for (const all of [commandsOf(plan), scriptsIn(plan)])
          expect(parses(all.join('\n'))).toEqual({ status: 0, stderr: '' });
      }),
      { numRuns: budgetFor(10, 40) },
    );
  });

  const together = [
    HOSTILE.filter((text) => !/["'\\]/.test(text)).join(' '),
    HOSTILE.filter((text) => text.includes('"')).join(' '),
    HOSTILE.filter((text) => text.includes("'")).join(' '),
    '$X\\',
  ];

  test.skipIf(!hasJq).each(together)('nothing in %s is run, whatever command it is in', (text) => {
    const tools = cluster({ curl: 'echo "{}"', kubectl: 'echo "{}"', gcloud: 'echo "{}"', apigeectl: 'exit 0' });
    const all = waitsOnce(commandsOf(hostilePlan(text))).map((command) => `(${command}\n) </dev/null`);
    tools.run(all.join('\n'), { X: '1', CLEAN_UP: 'yes', STOP_JOINING: 'apigee-cassandra-default-1' });
    expect(tools.files().filter((name) => name.startsWith('PWNED'))).toEqual([]);
    expect(tools.calls()).toContain('kubectl');
  });
});

describe('the JSON that is sent', () => {
  const sendable = HOSTILE.filter((text) => !text.includes('$X'));

  test.skipIf(!hasJq).each(sampleRows(sendable, 3))('is right for %s', (text) => {
    const tools = cluster({
      curl: 'case "$*" in *@-*) cat > "../body$$"; cat "../body$$" >> ../bodies;; *) echo "{\\"state\\":\\"ACTIVE\\"}";; esac',
    });
    for (const command of waitsOnce(commandLines(hostilePlan(text), 'groups'))) tools.run(command);
    const { stdout } = tools.run('jq -c . ../bodies');
    const expected = [{ name: text, hostnames: [text, `*.${text}`] }, { environment: text }];
    expect(
      stdout
        .trim()
        .split('\n')
        .map((row) => JSON.parse(row) as unknown),
    ).toEqual(expected);
  });

  test.skipIf(!hasJq)('is checked: hosts in any order are right, one too few is not', () => {
    const check = checking(planFor(), 'groups').split('\n').slice(0, 2).join('\n');
    const answer = (hosts: readonly string[]): string => `echo '${JSON.stringify({ hostnames: hosts })}'`;
    expect(cluster({ curl: answer(['*.example.org', 'api.example.com']) }).run(check).status).toBe(0);
    expect(cluster({ curl: answer(['api.example.com']) }).run(check).status).not.toBe(0);
    expect(cluster({ curl: 'exit 22' }).run(check).status).not.toBe(0);
  });
});

describe('a wait', () => {
  test('ends with the first success', () => {
    expect(cluster().run(waitFor('curl', 3, 10)).status).toBe(0);
  });

  test('fails after the last try, and says so', () => {
    const tools = cluster({ curl: 'exit 1' });
    const { status, stderr } = tools.run(waitFor('curl', 3, 10));
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'Not ready: look before you go on.\n' });
    expect(tools.calls().match(/^curl/gm)).toHaveLength(3);
  });
});

describe('the temporary copy', () => {
  test('is not asked for without the address of an old node', () => {
    const tools = cluster({ kubectl: 'exit 0' });
    const seed = commandLines(planFor(), 'datastore').find((command) => command.includes('seed-host')) ?? '';
    expect(tools.run(seed).status).not.toBe(0);
    expect(tools.calls()).not.toContain('sightline');
  });

  test('is not left in the new file: the check of step 11 sees it', () => {
    const check = commandLines(planFor(), 'ring')[0] ?? '';
    const tools = cluster();
    tools.run('echo "  externalSeedHost: 10.0.0.1" > overrides-1.3.yaml');
    expect(tools.run(check).status).toBe(1);
    tools.run('printf "org: acme\\n# externalSeedHost: used once\\n" > overrides-1.3.yaml');
    expect(tools.run(check).status).toBe(0);
  });
});

const commandLines = (plan: UpgradePlan, id: string): readonly string[] =>
  stepNamed(plan, id).commands.flatMap(({ command }) => command ?? []);

/** Tests need no patience. */
const waitsOnce = (commands: readonly string[]): readonly string[] =>
  commands.map((command) => command.replaceAll(/"\$tries" -lt \d+/g, '"$tries" -lt 1'));
