import { expect, test } from 'vitest';
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
