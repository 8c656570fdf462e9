import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { applyPatch } from 'diff';
import { describe, expect, test } from 'vitest';
import { formatFileArgument, formatNewName } from '../../../src/cli/hybrid/input.ts';
import { hybrid, OVERRIDES, temporaryFolder, WRONG } from './world.ts';

const { at, put, read, listing } = temporaryFolder();

const PATCH = 'patch';
const hasPatch = spawnSync(PATCH, ['--version']).status === 0;

type Told = {
  version: string;
  isFragment: boolean;
  ok: boolean;
  overrides: string;
  changed: boolean;
  written: object;
  environmentGroups: readonly object[];
  proposals: readonly { key: string; value: string; flag: string }[];
  notes: readonly { key: string }[];
  problems: readonly { code: string }[];
  diff: string;
};
const json = (text: string): Told => JSON.parse(text) as Told;

const migrated = async (text: string): Promise<string> => {
  await hybrid(['migrate', put('for-text.yaml', text), '-o', at('of-text.yaml'), '--force']);
  return read('of-text.yaml');
};

describe('by default', () => {
  test('it prints a diff that leads to the new file, and writes nothing', async () => {
    const file = put('overrides.yaml', OVERRIDES);
    const before = listing();
    const { status, out, err } = await hybrid(['migrate', file]);
    expect(status).toBe(0);
    expect(listing()).toEqual(before);
    expect(out).toMatch(/^--- overrides\.yaml\n\+\+\+ overrides\.yaml\n@@ -1,/);
    expect(applyPatch(OVERRIDES, out)).toBe(await migrated(OVERRIDES));
    expect(err).toContain('Nothing was written. Next:\n');
    expect(err).toContain(`  sightline hybrid migrate ${file} -o ${at('overrides-1.3.yaml')}\n`);
    expect(err).toContain(`  sightline hybrid plan ${file} --kubectl VERSION\n`);
  });

  test.runIf(hasPatch)('the system takes that diff', async () => {
    put('overrides.yaml', OVERRIDES);
    const { out } = await hybrid(['migrate', at('overrides.yaml')]);
    const wanted = await migrated(OVERRIDES);
    execFileSync(PATCH, ['-p0', '--silent'], { cwd: at('.'), input: out });
    expect(read('overrides.yaml')).toBe(wanted);
  });

  test('it says on standard error what it added, with the flags, and what left the file', async () => {
    const { err } = await hybrid(['migrate', put('overrides.yaml', OVERRIDES)]);
    expect(err).toMatch(/^ {2}instanceID: "?apigee-europe-west1"? .*--instance-id/m);
    expect(err).toMatch(/^ {2}watcher\.serviceAccountPath: \.\/sa\/apigee-watcher\.json .*--watcher-sa/m);
    expect(err).toMatch(/^ {2}\d+: \S*hostAliases moves /m);
  });

  test.each([
    ['a byte order mark', `\uFEFF${OVERRIDES}`],
    ['CRLF', OVERRIDES.replaceAll('\n', '\r\n')],
    ['no newline at its end', OVERRIDES.trimEnd()],
    ['letters of other scripts', OVERRIDES.replace('production', 'Prod – für 東京 🙂')],
  ])('a file with %s keeps it', async (_, text) => {
    const { status, out } = await hybrid(['migrate', put('overrides.yaml', text)]);
    expect(status).toBe(0);
    const made = await migrated(text);
    expect(applyPatch(text, out, { autoConvertLineEndings: false })).toBe(made);
    const gone = new Set(out.split('\n').flatMap((line) => (line.startsWith('-') ? [line.slice(1)] : [])));
    const kept = text.split('\n').filter((line) => !gone.has(line));
    expect(made.split('\n')).toEqual(expect.arrayContaining(kept));
    expect(made.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'));
    expect(made.includes('\r')).toBe(text.includes('\r'));
  });

  test('on a terminal the diff has no carriage return', async () => {
    const file = put('overrides.yaml', OVERRIDES.replaceAll('\n', '\r\n'));
    const shown = await hybrid(['migrate', file], { isTerminal: true });
    const piped = await hybrid(['migrate', file]);
    expect(shown.out).not.toContain('\r');
    expect(piped.out).toContain('\r\n');
    expect(shown.out.split('\n')).toHaveLength(piped.out.split('\n').length);
  });

  test('- is standard input', async () => {
    const { status, out } = await hybrid(['migrate', '-'], { stdin: OVERRIDES });
    expect(status).toBe(0);
    expect(applyPatch(OVERRIDES, out)).toBe(await migrated(OVERRIDES));
  });

  test('a file that is migrated already changes no more', async () => {
    const file = put('new.yaml', await migrated(OVERRIDES));
    const { status, out, err } = await hybrid(['migrate', file]);
    expect({ status, out }).toEqual({ status: 0, out: '' });
    expect(err).toContain(`${file}: nothing to change (version 1.3).\n`);
  });
});

describe('what to do next', () => {
  const next = async (...args: readonly string[]): Promise<string> =>
    (await hybrid(['migrate', ...args], { stdin: OVERRIDES })).err.replace(/^[^]*?(?=Nothing was|Next:|$)/, '');
  const FLAGS = ['--production', '--group', 'default=it main', '--instance-id=-x'];
  const SHOWN = `--group 'default=it main' --instance-id=-x --production`;

  test('has the flags that were given', async () => {
    const file = put('overrides.yaml', OVERRIDES.replace('mart:', 'cassandra:\n  replicaCount: 3\nmart:'));
    const named = FLAGS.map((word) => word.replace('it main', 'main'));
    const shown = SHOWN.replace("'default=it main'", 'default=main');
    expect(await next(file, ...named)).toBe(
      `Nothing was written. Next:\n  sightline hybrid migrate ${file} -o ${at('overrides-1.3.yaml')} ${shown}\n` +
        `  sightline hybrid plan ${file} --kubectl VERSION ${shown}\n`,
    );
    expect(await next(file, ...named, '-o', at('new.yaml'))).toBe(
      `Next:\n  sightline hybrid check ${at('new.yaml')} ${shown}\n` +
        `  sightline hybrid plan ${file} --kubectl VERSION --out-name ${at('new.yaml')} ${shown}\n`,
    );
  });

  test('is no plan of a part of a file, which has none', async () => {
    const file = put('part.yaml', OVERRIDES.replace('org: my-org\n', ''));
    expect(await next(file)).not.toContain('hybrid plan');
    expect(await next(file, '-o', at('new.yaml'))).toBe(`Next:\n  sightline hybrid check ${at('new.yaml')}\n`);
  });

  test('is no command that would wait for standard input', async () => {
    expect(await next('-')).toBe('Nothing was written: -o <file> writes it.\n');
    expect(await next('-', '-o', at('new.yaml'))).toBe(`Next:\n  sightline hybrid check ${at('new.yaml')}\n`);
  });

  test('takes a name with a hyphen in front for no flag', () => {
    expect(formatNewName('-o.yaml')).toBe('./-o-1.3.yaml');
    expect(formatNewName('./-o.yaml')).toBe('./-o-1.3.yaml');
    expect(formatFileArgument('-o.yaml')).toBe('./-o.yaml');
  });
});

test('-o - writes the new file to standard output, and the groups only where --groups-file says', async () => {
  const file = put('overrides.yaml', `\uFEFF${OVERRIDES.replaceAll('\n', '\r\n')}`);
  const made = await migrated(read('overrides.yaml'));
  const before = listing();
  const piped = await hybrid(['migrate', file, '-o', '-']);
  expect(piped).toMatchObject({ status: 0, out: made });
  expect(piped.err).toContain('Added values:\n');
  expect(piped.err).not.toContain('Next:');
  expect(listing()).toEqual(before);
  const { status, err } = await hybrid(['migrate', file, '-o', '-', '--groups-file', at('groups.json')]);
  expect(status).toBe(0);
  expect(err).toContain(`Wrote ${at('groups.json')}.\n`);
  expect(read('groups.json')).toContain('api.example.com');
  const none = await hybrid(['migrate', file, '-o', '-', '--groups-file', at('none/groups.json')]);
  expect(none).toMatchObject({ status: 2, out: '' });
  expect((await hybrid(['migrate', file, '-o', '-'], { isTerminal: true })).out).not.toContain('\r');
});

test('a file with errors is refused: the problems on standard error, nothing on standard output', async () => {
  const file = put('overrides.yaml', WRONG);
  const before = listing();
  for (const more of [[], ['--write'], ['-o', at('new.yaml')]]) {
    const { status, out, err } = await hybrid(['migrate', file, ...more]);
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(err).toContain(`${file}:6:6 name-too-long `);
    expect(listing()).toEqual(before);
  }
});

test('every proposed value can be given by a flag', async () => {
  const given =
    '--group default=main --instance-id prod-1 --connect-agent-sa ./sa/connect.json --watcher-sa ./sa/w.json';
  const { out } = await hybrid(['migrate', put('overrides.yaml', OVERRIDES), ...given.split(' '), '--json']);
  const { proposals, diff, environmentGroups } = json(out);
  expect(environmentGroups).toMatchObject([{ group: 'main' }]);
  for (const value of ['main', 'prod-1', './sa/connect.json', './sa/w.json']) expect(diff).toContain(value);
  expect(Object.fromEntries(proposals.map(({ flag, value }) => [flag, value]))).toMatchObject({
    '--instance-id': expect.stringContaining('prod-1') as string,
    '--watcher-sa': expect.stringContaining('./sa/w.json') as string,
  });
});

test('--region and --metrics-sa give what the file does not have', async () => {
  const lacking = OVERRIDES.replace('gcpRegion: europe-west1\n', '').replace(/metrics:\n.*\n/, '');
  const { out } = await hybrid([
    'migrate',
    put('overrides.yaml', lacking),
    '--region',
    'us-east1',
    '--metrics-sa',
    './m.json',
    '--json',
  ]);
  expect(json(out).diff).toMatch(/^\+.*us-east1$/m);
  expect(json(out).diff).toMatch(/^\+.*\.\/m\.json$/m);
});

test('connectAgent.enabled: false needs --enable-connect', async () => {
  const file = put('overrides.yaml', `${OVERRIDES}connectAgent:\n  enabled: false\n`);
  const refused = await hybrid(['migrate', file]);
  expect(refused).toMatchObject({ status: 1, out: '' });
  expect(refused.err).toContain('connect-disabled');
  expect((await hybrid(['migrate', file, '--enable-connect'])).status).toBe(0);
});

test('--json has what was found, changed and written', async () => {
  const file = put('overrides.yaml', OVERRIDES);
  const shown = json((await hybrid(['migrate', file, '--json'])).out);
  expect(shown).toMatchObject({ file, version: '1.2', isFragment: false, ok: true, changed: true });
  expect(shown).toMatchObject({ written: {}, problems: [] });
  expect(shown.environmentGroups).toEqual([
    { group: 'default', hostnames: ['api.example.com'], environments: ['test'], basePaths: { test: ['/'] } },
  ]);
  expect(shown.notes.length).toBeGreaterThan(0);
  const plain = await hybrid(['migrate', file]);
  expect(shown.diff).toBe(plain.out);
  const written = await hybrid(['migrate', file, '-o', at('new.yaml'), '--json']);
  expect(written.err).toBe('');
  expect(json(written.out).written).toEqual({ file: at('new.yaml'), groupsFile: at('environment-groups.json') });
  expect([shown.overrides, json(written.out).overrides]).toEqual([read('new.yaml'), read('new.yaml')]);
  const refused = await hybrid(['migrate', put('wrong.yaml', WRONG), '--json']);
  expect(refused.status).toBe(1);
  expect(json(refused.out)).toMatchObject({
    ok: false,
    isFragment: false,
    changed: false,
    written: {},
    diff: '',
    problems: [{ code: 'name-too-long' }],
  });
  expect(json(refused.out)).not.toHaveProperty('overrides');
});

test.each([
  [['migrate', 'FILE', '-o', 'x', '--write'], '-o and --write exclude each other.'],
  [['migrate', '-', '--write'], '--write needs a file, not standard input.'],
  [['migrate', 'FILE', '-o', '-', '--json'], '-o - and --json exclude each other.'],
  [['migrate', 'FILE', '-o', '-', '--write'], '-o and --write exclude each other.'],
  [['migrate', 'FILE', '-o', 'x', '--groups-file', '-'], 'Files cannot be written to -: name a file.'],
  [['migrate', 'FILE', '-o', ''], 'The name of a file to write is empty.'],
  [['migrate', 'FILE', '--groups-file', 'x'], '--groups-file and --force need -o or --write.'],
  [['migrate', 'FILE', '--group', 'default'], '--group takes OLD=NEW, not default.'],
  [['migrate', 'FILE', '--group', 'a=b', '--group', 'a=c'], '--group names a twice.'],
  [['migrate', 'FILE', '--instance-id', 'a\nb'], '--instance-id: has a character that is not printable.'],
  [['migrate', 'FILE', '--instance-id', ''], '--instance-id: is empty.\n'],
  [['check', 'FILE', '--instance-id', ''], '--instance-id: is empty.\n'],
  [['migrate', 'FILE', '--region', 'r'.repeat(1_025)], '--region: has over 1024 characters.\n'],
  [['migrate', 'FILE', '--production', '--no-production'], '--production and --no-production exclude each other.'],
  [['migrate', 'FILE', 'FILE'], 'One file at a time: '],
  [['migrate'], 'The file is missing.'],
  [['check', 'FILE', '--write'], "Unknown option '--write'.\n"],
  [['plan', 'FILE'], '--kubectl <version> is missing'],
  [['plan', 'FILE', '--kubectl', '1.18', '--json', '--markdown'], '--json and --markdown exclude each other.'],
  [['plan', 'FILE', '--kubectl', '1.18', '--platform', 'moon'], '--platform: takes managed, multi-cloud, attached.\n'],
  [['plan', 'FILE', '--kubectl', 'newest'], '--kubectl: '],
  [['seed-host', 'FILE', '-o', 'x'], '--set takes the IPv4 or IPv6 address of a node of the old ring.'],
  [
    ['seed-host', 'FILE', '--set', 'node-1', '-o', 'x'],
    '--set takes the IPv4 or IPv6 address of a node of the old ring, not node-1.',
  ],
  [
    ['seed-host', 'FILE', '--set', 'fe80::1%eth0', '-o', 'x'],
    '--set takes the IPv4 or IPv6 address of a node of the old ring, not fe80::1%eth0.',
  ],
  [['seed-host', 'FILE', '--set', '10.0.0.1'], '-o <file> is missing.'],
])('%j is wrong usage: it is said what, and how the command goes', async (args, detail) => {
  const file = put('overrides.yaml', OVERRIDES);
  mkdirSync(at('other'));
  const before = listing();
  const { status, out, err } = await hybrid(args.map((word) => (word === 'FILE' ? file : word)));
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err.startsWith(detail)).toBe(true);
  expect(err).toContain(`\n\n  sightline hybrid ${args[0]} <`);
  expect(listing()).toEqual(before);
});
