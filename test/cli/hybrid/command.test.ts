import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runOnFullDisk, runWithoutReader } from '../../support/runner/gone-reader.ts';
import { type Ended, hybrid, OVERRIDES, temporaryFolder, WRONG } from './world.ts';

const CLI = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));
const COMMANDS = ['check', 'migrate', 'plan', 'verify', 'seed-host'];
const { at, put, read } = temporaryFolder();

describe('help', () => {
  test.each(['--help', '-h', 'help'])('%s leads from the old file to the plan', async (word) => {
    const { status, out, err } = await hybrid([word]);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    const places = COMMANDS.map((name) => out.search(new RegExp(String.raw`^  \d\. ${name} `, 'm')));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
    expect(out).toContain('Example:\n  sightline hybrid sample > overrides.yaml');
    expect(out).toContain('Exit status: 0 done');
  });

  test('names every flag that a command takes', async () => {
    const { out } = await hybrid(['--help']);
    const own = '--json --strict --production --no-production -o --write --force --groups-file --overrides --set';
    const values = '--group --instance-id --region --connect-agent-sa --metrics-sa --watcher-sa --enable-connect';
    const plan = '--kubectl --platform --envs-one-by-one --out-name --markdown';
    for (const flag of `${own} ${values} ${plan}`.split(' ')) expect(out).toContain(` ${flag} `);
  });

  test('says how large a file may be, what --production is when it is not said, and what stays when a command fails', async () => {
    const { out } = await hybrid(['--help']);
    for (const words of ['262,144 characters', '1 MiB', 'one replica passes as a trial', 'all files are as they were'])
      expect(out).toContain(words);
  });

  test('has no line that a terminal of 130 columns would break', async () => {
    const { out } = await hybrid(['--help']);
    expect(out.split('\n').filter((line) => line.length > 130)).toEqual([]);
  });

  test.each(COMMANDS)('%s --help is about it alone, wherever the word stands', async (name) => {
    const { status, out, err } = await hybrid([name, 'overrides.yaml', '--help']);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out.match(/^ {2}sightline hybrid \S+/gm)).toEqual([`  sightline hybrid ${name}`]);
  });

  test('after -- it is a file name', async () => {
    expect((await hybrid(['check', '--', '--help'])).err).toContain('--help cannot be read');
  });
});

test.each([[[]], [['upgrade']], [['constructor']]])('%j is wrong usage', async (args) => {
  const { status, out, err } = await hybrid(args);
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toMatch(/^sightline hybrid takes one of sample, check, migrate, plan, verify, seed-host\.\n\n/);
});

/** As a process of its own, in the folder. */
const sightline = (args: readonly string[], stdin = ''): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [CLI, 'hybrid', ...args], { cwd: at('.') });
    const ended = { out: '', err: '' };
    child.stdout.on('data', (text: Buffer) => void (ended.out += text.toString()));
    child.stderr.on('data', (text: Buffer) => void (ended.err += text.toString()));
    child.on('close', (status) => resolve({ status: status ?? -1, ...ended }));
    child.stdin.end(stdin);
  });

test('as a process it ends with its status, takes standard input and writes beside relative names', async () => {
  put('overrides.yaml', OVERRIDES);
  expect((await sightline(['check', '-'], WRONG)).out).toMatch(/^-:6:6 name-too-long /);
  expect((await sightline(['check', '-'], WRONG)).status).toBe(1);
  const diff = await sightline(['migrate', 'overrides.yaml']);
  expect(diff.out).toMatch(/^--- overrides\.yaml\n/);
  expect(await sightline(['migrate', 'overrides.yaml', '-o', 'new.yaml'])).toMatchObject({ status: 0, out: '' });
  expect(JSON.parse(read('environment-groups.json'))).toHaveLength(1);
  expect((await sightline([])).status).toBe(2);
});

test('a reader that goes away, as head does, is no fault', async () => {
  const file = put('wrong.yaml', `org: my-org\nenvs:\n${'  - name: "Wrong Name"\n'.repeat(9_000)}`);
  expect(await runWithoutReader(CLI, ['hybrid', 'check', file])).toEqual({ status: 1, err: '' });
});

test.runIf(existsSync('/dev/full'))('a full disk behind standard output is a sentence, not a stack trace', async () => {
  expect(await runOnFullDisk(CLI, ['hybrid', '--help'])).toEqual({
    status: 2,
    err: 'Standard output cannot be written: no space is left on the device.\n',
  });
});

test('plan --json tells a refusal as JSON too: the problems, or the reason', async () => {
  const file = put('overrides.yaml', WRONG);
  const wrong = await hybrid(['plan', file, '--kubectl', '1.18', '--json']);
  expect(wrong).toMatchObject({ status: 1, err: '' });
  expect(JSON.parse(wrong.out)).toMatchObject({ file, ok: false, problems: [{ line: 6, code: 'name-too-long' }] });
  const part = put('part.yaml', OVERRIDES.replace('org: my-org\n', ''));
  const none = await hybrid(['plan', part, '--kubectl', '1.18', '--json']);
  expect(none).toMatchObject({ status: 1, err: '' });
  expect(JSON.parse(none.out)).toEqual({
    file: part,
    ok: false,
    reason: 'fragment',
    detail: expect.any(String) as string,
  });
  const good = await hybrid(['plan', put('good.yaml', OVERRIDES), '--kubectl', '1.18', '--json']);
  expect(JSON.parse(good.out)).toMatchObject({
    file: at('good.yaml'),
    ok: true,
    to: '1.3.6',
  });
});
