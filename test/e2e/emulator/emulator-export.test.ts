import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  emailsOf,
  killEmulators,
  LIST_USERS,
  startEmulator,
  userBody,
  USERS,
  writeTemporaryFile,
} from '../../support/stack/emulator.ts';

const root = mkdtempSync(join(tmpdir(), 'emulator-exports-'));
afterAll(() => {
  killEmulators();
  rmSync(root, { recursive: true, force: true });
});

/** Of the answers of objects in one piece, and of a snapshot. */
const MIB = 1_048_576;
const SNAPSHOT_MIB = 64;

test('a tenant with as many snapshots as it may have is exported', async () => {
  const folder = join(root, 'snapshots');
  const emulator = await startEmulator(['--no-auth', '--export-on-exit', folder]);
  await emulator.call(USERS, { body: userBody('ada') });
  for (let n = 0; n < 10; n += 1)
    expect((await emulator.call('/v1/tenants/C00000001:snapshot', { body: { name: `s${n}` } })).status).toBe(200);
  expect((await emulator.call('/v1/tenants/C00000001:snapshot', { body: { name: 's10' } })).status).toBe(403);
  expect(await emulator.stop()).toMatchObject({ code: 0, said: `Exported 1 tenants to ${folder}.\n` });
  const next = await startEmulator(['--no-auth', '--import', folder]);
  expect(emailsOf((await next.call(LIST_USERS)).body)).toEqual(['ada@example.com']);
  await next.stop();
});

test('a tenant that is larger than any snapshot is exported, and comes back', async () => {
  const folder = join(root, 'large');
  const emulator = await startEmulator(['--no-auth', '--export-on-exit', folder]);
  // Its first bytes say that it is a picture.
  const photoData = Buffer.alloc(MIB, Buffer.from('ffd8ff', 'hex')).toString('base64url');
  const users = SNAPSHOT_MIB * (3 / 4) + 2; // Base64 has four characters for three bytes.
  for (let n = 0; n < users; n += 1) {
    await emulator.call(USERS, { body: userBody(`u${n}`) });
    const photo = `${USERS}/u${n}@example.com/photos/thumbnail`;
    const put = await emulator.call(photo, { method: 'PUT', body: { photoData, mimeType: 'JPEG' } });
    expect(put.status).toBe(200);
  }
  expect(await emulator.stop()).toMatchObject({ code: 0 });
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  expect(manifest.tenants[0].resources.bytes).toBeGreaterThan(SNAPSHOT_MIB * MIB);
  const next = await startEmulator(['--no-auth', '--import', folder]);
  expect((await next.call('/v1/tenants/C00000001')).body.rows['directory.users']).toBe(users);
  await next.call(`${USERS}/u7@example.com`, { method: 'DELETE' });
  await next.call('/v1/reset', { method: 'POST' });
  const { body } = await next.call(`${USERS}/u7@example.com/photos/thumbnail`);
  expect(body.photoData.length).toBeGreaterThan(MIB);
  await next.stop();
});

const list = { body: { resourceNames: ['projects/local'], pageSize: 1_000 } };
const toEntry = (textPayload: string, more: object = {}) => ({
  logName: 'projects/local/logs/app',
  resource: { type: 'global' },
  textPayload,
  ...more,
});

test('log entries that are too many bytes for one write come back, of a folder and of a seed', async () => {
  const folder = join(root, 'entries');
  const entries = Array.from({ length: 700 }, (_, n) => toEntry(`${n} ${'é'.repeat(10_000)}`));
  const seed = writeTemporaryFile('seed.json', { version: 1, tenants: [{ id: 'C00000001', entries }] });
  const emulator = await startEmulator(['--no-auth', '--seed', seed, '--export-on-exit', folder]);
  expect(await emulator.stop()).toMatchObject({ code: 0, said: `Exported 1 tenants to ${folder}.\n` });
  const next = await startEmulator(['--no-auth', '--import', folder, '--export-on-exit', folder]);
  expect(await next.stop()).toMatchObject({ code: 0, said: `Exported 1 tenants to ${folder}.\n` });
  const { entries: kept } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')).tenants[0];
  expect(kept.count).toBe(entries.length);
});

test('log entries that an import cannot take are counted on standard error', async () => {
  const folder = join(root, 'later');
  const emulator = await startEmulator(['--no-auth', '--clock', '2030-01-01T00:00:00Z', '--export-on-exit', folder]);
  await emulator.call('/v2/entries:write', { body: { entries: [toEntry('one'), toEntry('two')] } });
  expect((await emulator.call('/v2/entries:list', list)).body.entries).toHaveLength(2);
  await emulator.stop();
  const next = await startEmulator(['--no-auth', '--import', folder]);
  expect((await next.stop()).said).toMatch(/^C00000001: 2 of 2 log entries were not taken: .*--clock/);
  const again = await startEmulator(['--no-auth', '--import', folder, '--clock', '2030-01-01T00:00:00Z']);
  expect((await again.call('/v2/entries:list', list)).body.entries).toHaveLength(2);
  expect((await again.stop()).said).toBe('');
});
