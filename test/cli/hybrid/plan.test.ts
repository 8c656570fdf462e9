import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hybrid, OVERRIDES, temporaryFolder, WRONG } from './world.ts';

const { at, put, listing } = temporaryFolder();

const plan = (file: string, ...more: readonly string[]) => hybrid(['plan', file, '--kubectl', '1.18', ...more]);

test('the plan goes to standard output, with the names of the old and the new file, and nothing is written', async () => {
  const file = put('overrides.yaml', OVERRIDES);
  const before = listing();
  const { status, out, err } = await plan(file);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(out).toContain(at('overrides-1.3.yaml'));
  expect(out).toContain('--dry-run=client');
  expect(out.endsWith('\n')).toBe(true);
  expect(listing()).toEqual(before);
});

test('--kubectl decides what --dry-run takes', async () => {
  const file = put('overrides.yaml', OVERRIDES);
  expect((await hybrid(['plan', file, '--kubectl', '1.17'])).out).toContain('--dry-run=true');
});

type Plan = { org: string; dryRun: string; platform: string; groups: readonly object[]; steps: readonly object[] };

test('--json is the plan as data, with the flags of a migration', async () => {
  const flags = '--json --platform attached --group default=main --out-name made.yaml';
  const { out } = await plan(put('overrides.yaml', OVERRIDES), ...flags.split(' '));
  const made = JSON.parse(out) as Plan;
  expect(made).toMatchObject({ org: 'my-org', dryRun: 'client', platform: 'attached', groups: [{ group: 'main' }] });
  expect(made.steps.length).toBeGreaterThan(5);
  expect(out).toContain('made.yaml');
});

test('--markdown has a heading', async () => {
  const { out } = await plan(put('overrides.yaml', OVERRIDES), '--markdown');
  expect(out).toMatch(/^# \S/);
});

test('--envs-one-by-one applies each environment by itself', async () => {
  const file = put('overrides.yaml', OVERRIDES);
  expect((await plan(file)).out).toContain('--all-envs');
  expect((await plan(file, '--envs-one-by-one')).out).toMatch(/--env[ =]test/);
});

test('- is standard input, called overrides.yaml', async () => {
  const { status, out } = await hybrid(['plan', '-', '--kubectl', '1.18'], { stdin: OVERRIDES });
  expect(status).toBe(0);
  expect(out).toContain('overrides-1.3.yaml');
});

test('a file with errors has no plan: the problems on standard error', async () => {
  const file = put('overrides.yaml', WRONG);
  const { status, out, err } = await plan(file);
  expect({ status, out }).toEqual({ status: 1, out: '' });
  expect(err).toMatch(/:6:6 name-too-long /);
});

test('nor has a file of 1.3, which says so', async () => {
  await hybrid(['migrate', put('overrides.yaml', OVERRIDES), '-o', at('new.yaml')]);
  const { status, out, err } = await plan(at('new.yaml'));
  expect({ status, out }).toEqual({ status: 1, out: '' });
  expect(err).toContain(`${at('new.yaml')}: `);
});

describe('--out', () => {
  const foldersOf = (folder: string): readonly string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();

  test('writes a folder to review and to run, and says what to read first', async () => {
    const file = put('overrides.yaml', OVERRIDES, 0o640);
    const { status, out, err } = await plan(file, '--out', at('plan'));
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toContain(`${at('plan/plan.md')} says what is done`);
    const files = foldersOf(at('plan'));
    expect(files).toEqual(
      expect.arrayContaining(['plan.md', 'lib.sh', 'facts.sh', 'steps/02-connect.sh', 'undo/02-connect.sh']),
    );
    expect(statSync(at('plan/lib.sh')).mode & 0o777).toBe(0o640);
  });

  test('a folder that is not empty is refused, and left as it was; --force replaces the plan in it', async () => {
    const file = put('overrides.yaml', OVERRIDES);
    mkdirSync(at('plan'));
    writeFileSync(at('plan/notes.txt'), 'mine');
    const { status, err } = await plan(file, '--out', at('plan'));
    expect(status).toBe(2);
    expect(err).toContain('is not empty');
    expect(foldersOf(at('plan'))).toEqual(['notes.txt']);
    expect((await plan(file, '--out', at('plan'), '--force')).status).toBe(0);
    writeFileSync(at('plan/plan.md'), 'changed');
    expect((await plan(file, '--out', at('plan'), '--force')).status).toBe(0);
    expect(readFileSync(at('plan/plan.md'), 'utf8')).toMatch(/^# Upgrade of the hybrid runtime of my-org/);
    expect(readFileSync(at('plan/notes.txt'), 'utf8')).toBe('mine');
  });

  test('an empty folder is taken', async () => {
    mkdirSync(at('plan'));
    expect((await plan(put('overrides.yaml', OVERRIDES), '--out', at('plan'))).status).toBe(0);
  });

  test('links and files in its place are refused, also with --force', async () => {
    const file = put('overrides.yaml', OVERRIDES);
    mkdirSync(at('elsewhere'));
    symlinkSync(at('elsewhere'), at('link'));
    mkdirSync(at('inner'));
    symlinkSync(at('elsewhere'), at('inner/steps'));
    put('file', 'x');
    for (const name of ['link', 'inner', 'file', 'overrides.yaml'])
      expect((await plan(file, '--out', at(name), '--force')).status).toBe(2);
    expect(foldersOf(at('elsewhere'))).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe(OVERRIDES);
  });

  test('a file that is refused writes nothing', async () => {
    expect((await plan(put('overrides.yaml', WRONG), '--out', at('plan'))).status).toBe(1);
    expect(Object.keys(listing())).toEqual(['overrides.yaml']);
  });

  test.each([
    [['--out', 'plan', '--json'], 'leave --json'],
    [['--out', 'plan', '--markdown'], 'leave --json'],
    [['--force'], '--force goes with --out'],
    [['--out', ''], 'names no folder'],
  ])('%j is wrong usage', async (flags, why) => {
    const { status, err } = await plan(put('overrides.yaml', OVERRIDES), ...flags);
    expect(status).toBe(2);
    expect(err).toContain(why);
  });
});
