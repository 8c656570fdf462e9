import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  emailsOf,
  type Ended,
  killEmulators,
  LIST_USERS,
  runEmulatorToItsEnd,
  startEmulator,
  userBody,
  USERS,
  writeTemporaryFile,
} from '../../support/stack/emulator.ts';

const root = mkdtempSync(join(tmpdir(), 'emulator-folders-'));
const exported = join(root, 'exported');
const second = { 'x-emulator-tenant': 'C00000002' };
const entry = { logName: 'projects/other/logs/app', resource: { type: 'global' }, textPayload: 'kept' };

let issued: unknown;
let firstEnd: Ended;
beforeAll(async () => {
  const emulator = await startEmulator(['--no-auth', '--export-on-exit', exported]);
  await emulator.call(USERS, { body: userBody('ada') });
  const asp = {
    calls: [
      {
        method: 'emulator.asps.issue',
        params: { userKey: 'ada@example.com' },
        body: { codeId: 7, name: 's3cret-asp' },
      },
    ],
  };
  issued = (await emulator.call('/v1/tenants/C00000001:seed', { body: asp })).body;
  await emulator.call(USERS, { body: userBody('bo', 'c00000002.example.com'), headers: second });
  await emulator.call('/v2/entries:write', { body: { entries: [entry] } });
  await emulator.call('/v1/faults', { body: { method: '*', status: 503 } });
  firstEnd = await emulator.stop('SIGTERM');
});
afterAll(() => {
  killEmulators();
  rmSync(root, { recursive: true, force: true });
});

test('an emulator that is stopped exports, whatever faults there are', () => {
  expect(issued).toMatchObject({ calls: [{ ok: true }] });
  expect(firstEnd).toMatchObject({ code: 0, said: `Exported 2 tenants to ${exported}.\n` });
});

test('what an emulator exported, the next one begins with', async () => {
  const again = join(root, 'again');
  const emulator = await startEmulator(['--no-auth', '--import', exported, '--export-on-exit', again]);
  expect(emailsOf((await emulator.call(LIST_USERS)).body)).toEqual(['ada@example.com']);
  expect(emailsOf((await emulator.call(LIST_USERS, { headers: second })).body)).toEqual(['bo@c00000002.example.com']);
  const list = { body: { resourceNames: ['projects/other'] } };
  expect((await emulator.call('/v2/entries:list', list)).body.entries).toMatchObject([{ textPayload: 'kept' }]);
  expect((await emulator.call('/v2/entries:list', { ...list, headers: second })).status).toBe(403);
  await emulator.call(`${USERS}/ada@example.com`, { method: 'DELETE' });
  await emulator.call('/v1/reset', { method: 'POST' });
  expect(emailsOf((await emulator.call(LIST_USERS)).body)).toEqual(['ada@example.com']);
  expect((await emulator.call('/v2/entries:list', list)).body.entries).toHaveLength(1);
  expect((await emulator.stop()).code).toBe(0);
  const [before, after] = [exported, again].map((folder) =>
    JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')),
  );
  expect(after.tenants.map((tenant: any) => tenant.resources)).toEqual(
    before.tenants.map((tenant: any) => tenant.resources),
  );
});

test('a project that an exported tenant had is its project again, whoever had the usual one', async () => {
  const folder = join(root, 'projects');
  const seed = {
    version: 1,
    tenants: [
      { id: 'C00000001', project: 'first' },
      { id: 'C00000002', project: 'local' },
    ],
  };
  const before = await startEmulator([
    '--no-auth',
    '--seed',
    writeTemporaryFile('seed.json', seed),
    '--export-on-exit',
    folder,
  ]);
  expect(before.env['GOOGLE_CLOUD_PROJECT']).toBe('first');
  await before.stop();
  const after = await startEmulator(['--no-auth', '--import', folder]);
  expect(after.env['GOOGLE_CLOUD_PROJECT']).toBe('first');
  const list = { body: { resourceNames: ['projects/local'] } };
  expect((await after.call('/v2/entries:list', list)).status).toBe(403);
  expect((await after.call('/v2/entries:list', { ...list, headers: second })).status).toBe(200);
  await after.stop();
});

test('credentials are not in the folder, and its manifest says what else is not', () => {
  const manifest = JSON.parse(readFileSync(join(exported, 'manifest.json'), 'utf8'));
  expect(manifest).toMatchObject({ format: 'sightline-emulator', version: 1 });
  expect(manifest.left_out.join()).toMatch(/app passwords.*traces.*AI Search/);
  for (const name of readdirSync(join(exported, 'data')))
    expect(readFileSync(join(exported, 'data', name), 'utf8')).not.toContain('s3cret-asp');
  expect(readdirSync(exported).toSorted()).toEqual(['data', 'manifest.json']);
});

const listFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true }).map(String).toSorted();
const copied = (change: (folder: string) => void): string => {
  const folder = mkdtempSync(join(root, 'copy-'));
  cpSync(exported, folder, { recursive: true });
  change(folder);
  return folder;
};
const editManifest = (folder: string, change: (manifest: any) => void): void => {
  const file = join(folder, 'manifest.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  change(manifest);
  writeFileSync(file, JSON.stringify(manifest));
};
const firstFile = (folder: string): string =>
  join(folder, JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')).tenants[0].resources.file);

test.each<[string, (folder: string) => void, string]>([
  ['without a manifest', (folder) => rmSync(join(folder, 'manifest.json')), 'there is no manifest.json'],
  [
    'of another version',
    (folder) => editManifest(folder, (one) => (one.version = 2)),
    'it is of version 2, and this emulator reads 1',
  ],
  [
    'with a broken manifest',
    (folder) => writeFileSync(join(folder, 'manifest.json'), '{"format":'),
    'manifest.json is broken',
  ],
  ['with unknown members', (folder) => editManifest(folder, (one) => (one.more = 1)), 'manifest.json is broken'],
  [
    'with a file that leads elsewhere',
    (folder) => editManifest(folder, (one) => (one.tenants[0].resources.file = '../../etc/passwd')),
    'manifest.json is broken',
  ],
  ['with a missing file', (folder) => rmSync(firstFile(folder)), 'is missing'],
  [
    'with a file that was cut off',
    (folder) => writeFileSync(firstFile(folder), readFileSync(firstFile(folder)).subarray(0, -5)),
    'is cut off',
  ],
  [
    'with a file that was changed',
    (folder) => writeFileSync(firstFile(folder), readFileSync(firstFile(folder), 'utf8').replace('ada', 'eve')),
    'was changed',
  ],
])('a folder %s is refused with status 2, and stays as it is', async (_what, change, said) => {
  const folder = copied(change);
  const files = listFiles(folder);
  const ended = await runEmulatorToItsEnd(['--port', '0', '--import', folder]);
  expect(ended.said).toContain(said);
  expect(ended.code).toBe(2);
  expect(listFiles(folder)).toEqual(files);
});

test('a snapshot of another tenant is refused: nothing is put back', async () => {
  const folder = copied((one) =>
    editManifest(one, (manifest) => Object.assign(manifest.tenants[0], { id: 'C00000009', containers: [] })),
  );
  const ended = await runEmulatorToItsEnd(['--port', '0', '--import', folder]);
  expect(ended.said).toContain('does not fit this tenant');
  expect(ended.code).toBe(2);
});

test('two emulators on one folder: the second is refused, and neither loses anything', async () => {
  const folder = copied(() => undefined);
  const first = await startEmulator(['--no-auth', '--import', folder, '--export-on-exit', folder]);
  for (const args of [
    ['--export-on-exit', folder],
    ['--import', folder],
  ]) {
    const ended = await runEmulatorToItsEnd(['--port', '0', ...args]);
    expect(ended.said).toContain(`another emulator (process ${first.pid}) holds this folder`);
    expect(ended.code).toBe(2);
  }
  await first.call(USERS, { body: userBody('cy') });
  expect((await first.stop()).code).toBe(0);
  const next = await startEmulator(['--no-auth', '--import', folder]);
  expect(emailsOf((await next.call(LIST_USERS)).body)).toEqual(['ada@example.com', 'cy@example.com']);
  await next.stop();
});

test('the folder of an emulator that was killed has what was there before, and can be taken again', async () => {
  const folder = copied(() => undefined);
  const killed = await startEmulator(['--no-auth', '--import', folder, '--export-on-exit', folder]);
  await killed.call(USERS, { body: userBody('cy') });
  await killed.stop('SIGKILL');
  expect(existsSync(join(folder, '.lock'))).toBe(true);
  copyFileSync(firstFile(folder), `${firstFile(folder)}.999.new`); // A draft that it left.
  const next = await startEmulator(['--no-auth', '--import', folder, '--export-on-exit', folder]);
  expect(emailsOf((await next.call(LIST_USERS)).body)).toEqual(['ada@example.com']);
  expect((await next.stop()).code).toBe(0);
  expect(readdirSync(join(folder, 'data')).filter((name) => name.endsWith('.new'))).toEqual([]);
});

test('a folder with other files in it is not written', async () => {
  const folder = mkdtempSync(join(root, 'other-'));
  writeFileSync(join(folder, 'thesis.txt'), 'years of work');
  const ended = await runEmulatorToItsEnd(['--port', '0', '--export-on-exit', folder]);
  expect(ended).toMatchObject({ code: 2 });
  expect(ended.said).toContain('there are other files in it (thesis.txt)');
  expect(readdirSync(folder)).toEqual(['thesis.txt']);
});
