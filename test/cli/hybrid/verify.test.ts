import { expect, test } from 'vitest';
import { hybrid, OVERRIDES, temporaryFolder, WRONG } from './world.ts';

const { put } = temporaryFolder();

type Told = { ok: boolean; preconditions: readonly { id: string; state: string; seen: string; needed: string }[] };
const json = (text: string): Told => JSON.parse(text) as Told;

test('each precondition is a line of a table: what holds, what fails, what is unknown', async () => {
  const facts = put('facts.json', JSON.stringify({ certManager: 'v0.14.2', hybridVersion: '1.1.0' }));
  const { status, out, err } = await hybrid(['verify', facts]);
  expect({ status, err }).toEqual({ status: 1, err: '' });
  expect(out).toMatch(/^holds {4}\S.* {2}v0\.14\.2 {2,}\S/m);
  expect(out).toMatch(/^fails {4}\S.* {2}1\.1\.0 {2,}\S/m);
  expect(out).toMatch(/^unknown {2}\S.* {2}not in the facts {2,}\S/m);
  const column = (line: string): number => line.search(/v0\.14\.2 |1\.1\.0 |not in the facts /);
  expect(new Set(out.trimEnd().split('\n').map(column)).size).toBe(1);
});

test('unknown is not enough: it ends with 0 only where all hold', async () => {
  const { status, out } = await hybrid(['verify', put('facts.json', '{}'), '--json']);
  expect(status).toBe(1);
  expect(json(out).ok).toBe(false);
  expect(new Set(json(out).preconditions.map(({ state }) => state))).toEqual(new Set(['unknown']));
});

test('each line tells its step; with --step only conditions up to it count', async () => {
  const version = { major: '1', minor: '18+' };
  const known = { kubectl: { clientVersion: version, serverVersion: version }, platform: 'managed' };
  const facts = put('facts.json', JSON.stringify({ ...known, apigeectl: '1.2.0', hybridVersion: '1.2.0' }));
  const { status, out } = await hybrid(['verify', facts, '--step', '0']);
  expect(status).toBe(0);
  expect(out).toMatch(/^holds +step 0: apigeectl is of 1\.2 {2}/m);
  expect(out).toMatch(/^unknown +step 6: The service mesh .* \(not counted\)/m);
  expect((await hybrid(['verify', facts, '--step', '1'])).status).toBe(1);
  expect((await hybrid(['verify', facts])).status).toBe(1);
  const later = json((await hybrid(['verify', facts, '--step', '7', '--json'])).out) as unknown as {
    preconditions: readonly { id: string; counts: boolean }[];
  };
  expect(later.preconditions.find(({ id }) => id === 'apigeectl-version')?.counts).toBe(false);
});

test.each(['13', '-1', 'x', '', '1.5'])('--step takes no %j', async (step) => {
  const { status, err } = await hybrid(['verify', put('facts.json', '{}'), `--step=${step}`]);
  expect(status).toBe(2);
  expect(err).toContain('--step takes the number of a step, 0 to 12');
});

test('--overrides compares the groups of the file with those of the organization', async () => {
  const groups = [{ name: 'main', hostnames: ['api.example.com'], environments: ['test'] }];
  const facts = put('facts.json', JSON.stringify({ groups }));
  const overrides = put('overrides.yaml', OVERRIDES);
  const run = async (...more: readonly string[]) => json((await hybrid(['verify', facts, '--json', ...more])).out);
  const states = ({ preconditions }: Told): readonly string[] =>
    preconditions.flatMap(({ id, state }) => (id.includes('group') ? [state] : []));
  expect(states(await run('--overrides', overrides))).toContain('fails');
  expect(states(await run('--overrides', overrides, '--group', 'default=main'))).not.toContain('fails');
});

test('an overrides file with errors is refused with its problems', async () => {
  const run = ['verify', put('facts.json', '{}'), '--overrides', put('overrides.yaml', WRONG)];
  const { status, out, err } = await hybrid(run);
  expect({ status, out }).toEqual({ status: 1, out: '' });
  expect(err).toContain(':6:6 name-too-long ');
});

test.each([
  ['{\n  "a": }', '2:8'],
  ['{"a": 1', '1:8'],
  ['', '1:1'],
  ['\uFEFF{"a": 1,}', '1:8'],
])('%j is no JSON, and it is said where', async (text, place) => {
  const file = put('facts.json', text);
  expect(await hybrid(['verify', file])).toEqual({ status: 2, out: '', err: `${file}:${place} is no JSON.\n` });
});

test('bytes that are no UTF-8 are told', async () => {
  const file = put('facts.json', Buffer.from([0x7b, 0xff, 0x7d]));
  expect(await hybrid(['verify', file])).toEqual({ status: 2, out: '', err: `${file}:1:1 is no UTF-8.\n` });
});

test('facts of another shape are told by where they are', async () => {
  const file = put('facts.json', JSON.stringify({ certManager: 14, cassandra: { replicas: -1 }, other: true }));
  const { status, out, err } = await hybrid(['verify', file]);
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toContain(`${file} has no facts of a cluster:\n`);
  expect(err).toContain('  /certManager: ');
  expect(err).toContain('  /cassandra/replicas: ');
  expect(err).toContain('  (document): Unrecognized key: "other"\n');
});

test('facts come from standard input too, but not both files', async () => {
  expect((await hybrid(['verify', '-'], { stdin: '{}' })).status).toBe(1);
  expect(await hybrid(['verify', '-', '--overrides', '-'])).toMatchObject({ status: 2 });
});
