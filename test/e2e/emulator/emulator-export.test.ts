import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { emailsOf, killEmulators, LIST_USERS, startEmulator, userBody, USERS } from '../../support/stack/emulator.ts';

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
