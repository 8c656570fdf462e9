import { expect, test } from 'vitest';
import { MAX_OVERRIDES_CHARS } from '../../../src/hybrid/core/source.ts';
import { hybrid, OVERRIDES, temporaryFolder, WRONG } from './world.ts';

const { at, put } = temporaryFolder();

const json = (text: string): unknown => JSON.parse(text);

test('each problem is a line of file, line, column, code, message and what to do; an error ends with 1', async () => {
  const file = put('overrides.yaml', WRONG);
  const { status, out, err } = await hybrid(['check', file]);
  expect({ status, err }).toEqual({ status: 1, err: '' });
  expect(out).toMatch(/^\S+overrides\.yaml:6:6 name-too-long [^;\n]+[^.]; 1\.3 takes 32 at most\.\n$/);
});

test('problems come in the order of their places', async () => {
  const file = put('overrides.yaml', `${WRONG.replace('default', 'Not_A_Group')}cassandra:\n  replicaCount: 4\n`);
  const { out } = await hybrid(['check', file, '--production']);
  const lines = out.split('\n').flatMap((line) => /:(\d+):\d+ /.exec(line)?.[1] ?? []);
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.map(Number)).toEqual(lines.map(Number).toSorted((one, other) => one - other));
});

test('a file without errors ends with 0 and says of which version it is, on standard error', async () => {
  const file = put('overrides.yaml', OVERRIDES);
  expect(await hybrid(['check', file])).toEqual({
    status: 0,
    out: '',
    err: `${file}: a file of version 1.2, no errors.\n`,
  });
});

test('a warning is marked as one and ends with 0, with --strict with 1', async () => {
  const file = put('overrides.yaml', `${OVERRIDES}cassandra:\n  replicaCount: 1\n`);
  const lax = await hybrid(['check', file]);
  expect(lax).toMatchObject({ status: 0, err: expect.stringContaining('no errors') as string });
  expect(lax.out).toContain(':31:3 cassandra-trial warning: ');
  expect(await hybrid(['check', file, '--strict'])).toEqual({ ...lax, status: 1 });
});

test('with --production a number of replicas that is no multiple of three is an error', async () => {
  const file = put('overrides.yaml', `${OVERRIDES}cassandra:\n  replicaCount: 1\n`);
  expect((await hybrid(['check', file, '--production'])).status).toBe(1);
  expect((await hybrid(['check', file, '--no-production'])).status).toBe(0);
});

test('the flags of a migration are taken, so that a file passes that is migrated with them', async () => {
  const disabled = put('disabled.yaml', `${OVERRIDES}connectAgent:\n  enabled: false\n`);
  const refused = await hybrid(['check', disabled]);
  expect(refused.status).toBe(1);
  expect(refused.out).toContain('; agree with --enable-connect.\n');
  expect((await hybrid(['check', disabled, '--enable-connect'])).status).toBe(0);
  const named = put('named.yaml', OVERRIDES.replace('name: default', 'name: Default'));
  expect((await hybrid(['check', named])).status).toBe(1);
  expect((await hybrid(['check', named, '--group', 'Default=default'])).status).toBe(0);
});

test('the new file passes with the flags of its migration', async () => {
  const flags = '--group default=main --instance-id prod-1 --region europe-west1 --connect-agent-sa ./c.json'.split(
    ' ',
  );
  await hybrid(['migrate', put('overrides.yaml', OVERRIDES), ...flags, '-o', at('new.yaml')]);
  expect((await hybrid(['check', at('new.yaml'), ...flags])).status).toBe(0);
});

test('after the message stands what to do, as the end of the sentence', async () => {
  const file = put('overrides.yaml', `${OVERRIDES}cassandra:\n  replicaCount: 4\norg: my-org\n`);
  expect((await hybrid(['check', file])).out).toMatch(/duplicate-key [^;\n]+; keep one of them\.\n$/);
});

test('--json has the version, whether all is well, and the problems', async () => {
  const file = put('overrides.yaml', OVERRIDES);
  const good = await hybrid(['check', file, '--json']);
  expect(json(good.out)).toEqual({ file, version: '1.2', isFragment: false, ok: true, problems: [] });
  const bad = await hybrid(['check', put('wrong.yaml', WRONG), '--json']);
  expect(bad.status).toBe(1);
  expect(json(bad.out)).toMatchObject({
    ok: false,
    problems: [{ line: 6, column: 6, code: 'name-too-long', severity: 'error' }],
  });
});

test('- is standard input', async () => {
  const { status, out } = await hybrid(['check', '-'], { stdin: WRONG });
  expect(status).toBe(1);
  expect(out).toMatch(/^-:6:6 name-too-long /);
});

test('characters that steer a terminal are taken out of what is printed', async () => {
  const file = put('over\u001B[31m\u202Erides.yaml', WRONG);
  const { out } = await hybrid(['check', file]);
  expect(out).toContain('/over[31mrides.yaml:6:6 ');
  expect((await hybrid(['check', file, '--json'])).out).toContain('over\\u001b[31m\\u202erides.yaml');
});

test.each([
  ['Latin-1', '1:11', Buffer.from(OVERRIDES.replace('production', 'producción'), 'latin1')],
  ['Latin-1 in a later line', '3:17', Buffer.from(OVERRIDES.replace('my-project', 'myé'), 'latin1')],
  ['UTF-16', '1:1', Buffer.from(`\uFEFF${OVERRIDES}`, 'utf16le')],
  ['UTF-8 but for its end', '1:4', Buffer.from('# ö🙂').subarray(0, -1)],
  ['UTF-8 with a byte order mark', '2:3', Buffer.concat([Buffer.from('\uFEFFa: 1\nb:'), Buffer.of(0xff, 0x0a)])],
])('a file in %s has the problem not-utf8 at %s, its first wrong byte', async (_, place, bytes) => {
  const file = put('overrides.yaml', bytes);
  for (const command of ['check', 'migrate']) {
    const { status, out, err } = await hybrid([command, file]);
    expect(status).toBe(1);
    expect(out + err).toContain(`${file}:${place} not-utf8 The bytes here are no UTF-8; save it as UTF-8.\n`);
  }
  expect(json((await hybrid(['check', file, '--json'])).out)).toMatchObject({
    ok: false,
    problems: [{ code: 'not-utf8' }],
  });
});

const MIB = 1_048_576;

test('a file of over 1 MiB is not read', async () => {
  const file = put('large.yaml', `${'#'.repeat(MIB)}\n`);
  expect(await hybrid(['check', file])).toEqual({
    status: 2,
    out: '',
    err: `${file} is larger than 1 MiB, which no overrides file is.\n`,
  });
  expect(await hybrid(['check', '-'], { stdin: `${'#'.repeat(MIB)}\n` })).toMatchObject({
    status: 2,
    err: 'Standard input is larger than 1 MiB, which no overrides file is.\n',
  });
});

test('a file of as many characters as it may have is read, and one more is told', async () => {
  const full = `${OVERRIDES}${'#'.repeat(MAX_OVERRIDES_CHARS - OVERRIDES.length)}`;
  expect((await hybrid(['check', put('full.yaml', full)])).status).toBe(0);
  const { status, out } = await hybrid(['check', put('over.yaml', `${full}#`)]);
  expect([status, out]).toEqual([1, expect.stringContaining(':1:1 too-large ')]);
});

test.each(['check', 'migrate', 'plan', 'verify', 'seed-host'])(
  '%s says in one line that a file is not there, or a folder',
  async (command) => {
    const more: Readonly<Record<string, readonly string[]>> = {
      plan: ['--kubectl', '1.18'],
      'seed-host': ['--set', '10.0.0.1', '-o', at('seed.yaml')],
    };
    const run = (file: string) => hybrid([command, file, ...(more[command] ?? [])]);
    const none = `${at('none.yaml')} cannot be read: there is no such file or folder.\n`;
    expect(await run(at('none.yaml'))).toEqual({ status: 2, out: '', err: none });
    expect(await run(at('.'))).toEqual({ status: 2, out: '', err: `${at('.')} cannot be read: it is a folder.\n` });
  },
);
