import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import {
  EMULATOR,
  isRunning,
  killEmulators,
  LIST_USERS,
  runEmulatorToItsEnd,
  startEmulator,
  userBody,
  waitUntilGone,
  writeTemporaryFile,
} from '../../support/stack/emulator.ts';

afterEach(killEmulators);

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s ends the emulator with status 0, and workerd with it',
  async (signal) => {
    const emulator = await startEmulator();
    expect((await emulator.call(LIST_USERS)).status).toBe(200);
    expect(await emulator.stop(signal)).toMatchObject({ code: 0, said: '' });
    expect(isRunning(emulator.workerd)).toBe(false);
  },
);

test('an emulator that is killed leaves nothing running', async () => {
  const emulator = await startEmulator();
  expect(isRunning(emulator.workerd)).toBe(true);
  expect(await emulator.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
  await waitUntilGone(emulator.workerd);
});

test('an emulator under npx ends when npx is killed, and exports first', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'emulator-npx-')), 'exported');
  const program = writeTemporaryFile('npx.mjs', NPX);
  const npx = spawn(process.execPath, [program, EMULATOR, '--port', '0', '--json', '--export-on-exit', folder]);
  const [line] = (await once(createInterface(npx.stdout), 'line')) as [string];
  const { pid, workerd } = JSON.parse(line) as { pid: number; workerd: number };
  npx.kill('SIGKILL');
  await Promise.all([waitUntilGone(pid), waitUntilGone(workerd)]);
  expect(readdirSync(folder).toSorted()).toEqual(['data', 'manifest.json']);
});

/** Starts a program as npx does: it sets this variable, and passes no signal on. */
const NPX = `import { spawn } from 'node:child_process';
spawn(process.execPath, process.argv.slice(2), { stdio: 'inherit', env: { ...process.env, npm_execpath: 'npx-cli.js' } });`;

test('the program ends with status 1 when its Worker is gone', async () => {
  const emulator = await startEmulator();
  process.kill(emulator.workerd, 'SIGKILL');
  const ended = await emulator.stop('SIGCONT');
  expect(ended.code).toBe(1);
  expect(ended.said).toContain("The emulator's Worker ended");
});

test('a shell takes the export lines, and clients of each family find the emulator by them', async () => {
  const emulator = await startEmulator();
  expect(emulator.env).toMatchObject({
    SIGHTLINE_EMULATOR: emulator.control,
    STORAGE_EMULATOR_HOST: emulator.control,
    CLOUDFLARE_API_BASE_URL: `${emulator.control}/client/v4`,
    CLOUDFLARE_API_TOKEN: emulator.token,
    GOOGLE_CLOUD_PROJECT: 'local',
    OTEL_EXPORTER_OTLP_ENDPOINT: emulator.control,
  });
  const lines = await printedLines();
  const seen = execFileSync('/bin/sh', ['-c', `${lines}\necho "$SIGHTLINE_EMULATOR $CLOUDFLARE_API_BASE_URL"`], {
    encoding: 'utf8',
  });
  expect(seen).toMatch(/^http:\/\/127\.0\.0\.1:(\d+) http:\/\/127\.0\.0\.1:\1\/client\/v4\n$/);
});

/** What the program prints without `--json`. */
async function printedLines(): Promise<string> {
  const child = spawn(process.execPath, [EMULATOR, '--port', '0', '--no-auth']);
  let printed = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    printed += String(text);
    if (printed.includes('Ctrl-C')) break;
  }
  child.kill('SIGTERM');
  return printed;
}

test.each(['0.0.0.0', '::', '192.168.1.5', '10.0.0.1', 'example.com', '[::1]'])(
  '--host %s is refused: others could reach it',
  async (host) => {
    const ended = await runEmulatorToItsEnd(['--host', host, '--port', '0', '--no-auth']);
    expect(ended.code).toBe(2);
    expect(ended.said).toContain('An emulator listens on 127.0.0.1, localhost or ::1 only.');
  },
);

test('a taken port is a clear error', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const ended = await runEmulatorToItsEnd(['--port', String(port)]);
  server.close();
  expect(ended.code).toBe(2);
  expect(ended.said).toContain(`Port ${port} is taken`);
});

const call = { method: 'directory.users.insert', body: userBody('ada') };

test.each([
  ['no JSON', '{"version": 1,', 'it is no JSON'],
  ['no version', { tenants: [{ id: 'C00000001' }] }, 'it says no version'],
  ['another version', { version: 2, tenants: [] }, 'it is of version 2, and this emulator reads 1'],
  ['an unknown member', { version: 1, tenants: [{ id: 'C00000001' }], users: [] }, 'Unrecognized key: "users"'],
  [
    'an unknown member of a tenant',
    { version: 1, tenants: [{ id: 'C00000001', user: [] }] },
    'Unrecognized key: "user"',
  ],
  ['no id of a tenant', { version: 1, tenants: [{ id: 'example.com' }] }, 'tenants.0.id'],
  ['a tenant twice', { version: 1, tenants: [{ id: 'C00000001' }, { id: 'C00000001' }] }, 'a tenant is there twice'],
  [
    'a call that is refused',
    { version: 1, tenants: [{ id: 'C00000001', calls: [call, call] }] },
    'calls[1] (directory.users.insert): Entity already exists.',
  ],
  [
    'an unknown method',
    { version: 1, tenants: [{ id: 'C00000001', calls: [{ method: 'users.make' }] }] },
    'calls[0] (users.make)',
  ],
  [
    'an entry that is wrong',
    { version: 1, tenants: [{ id: 'C00000001', entries: [{ logName: 'x' }] }] },
    'entries from 0 on',
  ],
  [
    'an unknown scope',
    { version: 1, tenants: [{ id: 'C00000001', accounts: [{ name: 'ci', scopes: ['root'] }] }] },
    'account ci: unknown_scope',
  ],
])('a seed with %s ends the start with status 2 and says where', async (_what, seed, said) => {
  const ended = await runEmulatorToItsEnd(['--port', '0', '--seed', writeTemporaryFile('seed.json', seed)]);
  expect(ended.said).toContain(said);
  expect(ended.code).toBe(2);
  expect(ended.printed).toBe('');
});

test('a seed that is not there, an unknown option and a wrong clock are status 2; --help is 0', async () => {
  for (const args of [['--seed', '/nowhere/seed.json'], ['--no-such'], ['--clock', 'yesterday'], ['--port', '70000']])
    expect((await runEmulatorToItsEnd(args)).code).toBe(2);
  const help = await runEmulatorToItsEnd(['--help']);
  expect(help).toMatchObject({ code: 0, said: '' });
  expect(help.printed).toContain('--export-on-exit');
});
