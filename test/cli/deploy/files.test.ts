import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  getMadeSecretsFile,
  hashWorkerSources,
  readMadeSecrets,
  readSecretsFile,
  writeMadeSecrets,
} from '../../../src/cli/deploy/files.ts';

const OF = { env: 'staging', accountId: 'acc-1' };

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'deploy-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function writeSecrets(folder: string, mode = 0o600): string {
  const file = join(folder, 'api.env');
  writeFileSync(file, 'PAY_TO=0xaa\n');
  chmodSync(file, mode);
  return file;
}

test('a file of this user alone is read', () => {
  expect(readSecretsFile(writeSecrets(makeFolder()))).toEqual({ ok: true, values: new Map([['PAY_TO', '0xaa']]) });
  expect(readSecretsFile(writeSecrets(makeFolder(), 0o400))).toMatchObject({ ok: true });
});

test.each([0o640, 0o604, 0o644, 0o660, 0o610])('mode %o is refused, with the remedy', (mode) => {
  const file = writeSecrets(makeFolder(), mode);
  expect(readSecretsFile(file)).toMatchObject({ ok: false, reason: 'secrets_file_open', next: `chmod 600 ${file}` });
});

test('a file that is not there, a folder and a huge file are refused', () => {
  const folder = makeFolder();
  expect(readSecretsFile(join(folder, 'none'))).toMatchObject({ ok: false, reason: 'secrets_file_missing' });
  mkdirSync(join(folder, 'sub'), { mode: 0o700 });
  expect(readSecretsFile(join(folder, 'sub'))).toMatchObject({ ok: false });
  const file = join(folder, 'huge.env');
  writeFileSync(file, `#${'x'.repeat(300_000)}`, { mode: 0o600 });
  expect(readSecretsFile(file)).toMatchObject({ ok: false, reason: 'secrets_file_unusable' });
});

test('a file under version control is refused, one beside it is not', () => {
  const folder = makeFolder();
  const file = writeSecrets(folder);
  execFileSync('git', ['init', '-q'], { cwd: folder });
  expect(readSecretsFile(file)).toMatchObject({ ok: true });
  execFileSync('git', ['add', 'api.env'], { cwd: folder });
  expect(readSecretsFile(file)).toMatchObject({ ok: false, reason: 'secrets_file_tracked' });
});

test('a link to a file under version control is refused', () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'repository'));
  const file = writeSecrets(join(folder, 'repository'));
  execFileSync('git', ['init', '-q'], { cwd: dirname(file) });
  execFileSync('git', ['add', 'api.env'], { cwd: dirname(file) });
  symlinkSync(file, join(folder, 'link.env'));
  expect(readSecretsFile(join(folder, 'link.env'))).toMatchObject({ ok: false, reason: 'secrets_file_tracked' });
});

test('where there is a repository that git cannot read, nothing is taken as untracked', () => {
  const folder = makeFolder();
  const file = writeSecrets(folder);
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, '.git', 'HEAD'), 'not of a repository');
  expect(readSecretsFile(file)).toMatchObject({ ok: false, reason: 'secrets_file_unusable' });
  expect(writeMadeSecrets(join(folder, 'made.env'), OF, new Map())).toMatchObject({ reason: 'secrets_file_tracked' });
});

test('secrets of one deployment are none of another', () => {
  const file = join(makeFolder(), 'made.env');
  const values = new Map([['OPERATOR_SECRET', 'abc=']]);
  writeMadeSecrets(file, OF, values);
  const other = readMadeSecrets(file, { ...OF, env: 'production' });
  expect(other).toMatchObject({ ok: false, reason: 'secrets_file_unusable' });
  expect(JSON.stringify(other)).toContain('Of staging in the account acc-1.');
});

test('made secrets are written for this user alone, read again, and never into a repository', () => {
  const folder = makeFolder();
  const file = join(folder, 'new', 'made.env');
  const values = new Map([['OPERATOR_SECRET', 'abc=']]);
  expect(readMadeSecrets(file, OF)).toEqual({ ok: true, values: new Map() });
  expect(writeMadeSecrets(file, OF, values)).toEqual({ ok: true, file });
  expect([statSync(file).mode & 0o777, statSync(join(folder, 'new')).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(readMadeSecrets(file, OF)).toEqual({ ok: true, values });
  expect(writeMadeSecrets(file, OF, new Map([['OPERATOR_SECRET', 'def']]))).toMatchObject({ ok: true });
  expect(readFileSync(file, 'utf8')).toContain('OPERATOR_SECRET=def\n');
  expect(readdirSync(join(folder, 'new'))).toEqual(['made.env']);
  execFileSync('git', ['init', '-q'], { cwd: folder });
  expect(writeMadeSecrets(join(folder, 'made.env'), OF, values)).toMatchObject({
    ok: false,
    reason: 'secrets_file_tracked',
  });
  expect(writeMadeSecrets(join(file, 'sub', 'made.env'), OF, values)).toMatchObject({
    ok: false,
    reason: 'secrets_file_unwritable',
  });
});

test('the file of made secrets is one for each deployment, below the folder of settings', () => {
  const of = { env: 'staging', accountId: 'acc-1' };
  expect(getMadeSecretsFile(undefined, of, { XDG_CONFIG_HOME: '/etc/ada' })).toBe(
    '/etc/ada/sightline/deployments/staging-acc-1.env',
  );
  expect(getMadeSecretsFile('/tmp/x.env', of, {})).toBe('/tmp/x.env');
});

test('the hash of a Worker changes with its sources, and with nothing else', () => {
  const root = makeFolder();
  const write = (file: string, text: string): void => {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  for (const file of [
    'src/worker.ts',
    'routes/api/app.ts',
    'durable-objects/ledger.ts',
    'docs/index.md',
    'scripts/build-web.js',
  ])
    write(file, '1');
  for (const file of [
    'wrangler.toml',
    'wrangler.pdf.toml',
    'package-lock.json',
    'src/cli/main.ts',
    'docs/node_modules/x.md',
  ])
    write(file, '1');
  const hash = () => [hashWorkerSources(root, 'api'), hashWorkerSources(root, 'pdf')];
  const first = hash();
  expect(first[0]).toMatch(/^[0-9a-f]{16}$/);
  expect(hash()).toEqual(first);
  write('src/cli/main.ts', '2');
  write('docs/node_modules/x.md', '2');
  expect(hash()).toEqual(first);
  write('docs/index.md', '2');
  expect([hash()[0] === first[0], hash()[1] === first[1]]).toEqual([false, true]);
  write('src/worker.ts', '2');
  expect(hash()[1]).not.toBe(first[1]);
});
