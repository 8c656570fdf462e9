import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatEmulatorInstall } from '../../../src/lib/release.ts';
import { killEmulators, LIST_USERS, startEmulator } from '../../support/stack/emulator.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
let folder: string;
let packed: { filename: string; files: { path: string; mode: number }[]; size: number };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'emulator-package-'));
  const printed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(root, 'dist', 'emulator'),
    encoding: 'utf8',
    env: { ...process.env, npm_config_cache: join(folder, 'cache') },
  });
  [packed] = JSON.parse(printed) as [typeof packed];
});
afterAll(() => {
  killEmulators();
  rmSync(folder, { recursive: true, force: true });
});

/** `grpc-front.js` is there where this build has a gRPC front. */
const FILES = [
  'LICENSE',
  'README.md',
  'guard.sh',
  'package.json',
  'run.js',
  'sightline-emulator.js',
  'watchdog.sh',
  'worker.js',
];

test('the tarball has exactly the files of the emulator, and no source, test or secret', () => {
  const names = packed.files.map(({ path }) => path).filter((path) => path !== 'grpc-front.js');
  expect(names.toSorted()).toEqual(FILES);
  expect(packed.size).toBeLessThan(2 * 1_048_576);
});

test('its package.json names what it needs, at the versions that were built with', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'dist/emulator/package.json'), 'utf8'));
  const workerd = JSON.parse(readFileSync(join(root, 'node_modules/workerd/package.json'), 'utf8')).version;
  expect(manifest).toMatchObject({ name: '@sightline/emulator', license: 'MIT', engines: { node: '>=20.19' } });
  expect(manifest.dependencies).toEqual({ workerd });
  expect(Object.keys(manifest.peerDependencies)).toEqual(Object.keys(manifest.peerDependenciesMeta));
});

test('installed from the tarball into an empty project, it starts and answers a call; the command line finds it there', async () => {
  const project = join(folder, 'project');
  const modules = join(project, 'node_modules');
  const installed = join(modules, '@sightline', 'emulator');
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "name": "project", "private": true }');
  execFileSync('tar', ['-xzf', join(folder, packed.filename), '--strip-components=1', '-C', installed]);
  // What npm would fetch for it.
  for (const name of ['workerd', '@cloudflare']) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  const emulator = await startEmulator(['--no-auth'], join(installed, 'sightline-emulator.js'));
  expect((await emulator.call(LIST_USERS)).status).toBe(200);
  expect((await emulator.stop()).code).toBe(0);
  cpSync(join(root, 'dist', 'cli.js'), join(project, 'cli', 'cli.js'));
  cpSync(join(root, 'dist', 'chunks'), join(project, 'cli', 'chunks'), { recursive: true });
  const help = execFileSync(process.execPath, [join(project, 'cli', 'cli.js'), 'emulator', '--help'], {
    cwd: project,
    encoding: 'utf8',
  });
  expect(help).toContain('usage: sightline emulator');
});

test('where it is not installed, the command line says what to install', () => {
  const project = join(folder, 'without');
  cpSync(join(root, 'dist', 'cli.js'), join(project, 'cli', 'cli.js'));
  cpSync(join(root, 'dist', 'chunks'), join(project, 'cli', 'chunks'), { recursive: true });
  const run = () =>
    execFileSync(process.execPath, [join(project, 'cli', 'cli.js'), 'emulator'], {
      cwd: project,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  expect(run).toThrow(formatEmulatorInstall());
});

test('in a checkout, the command line runs the emulator that was built', async () => {
  const emulator = await startEmulator(['--no-auth'], join(root, 'test/support/stack/emulator-by-cli.js'));
  expect((await emulator.call(LIST_USERS)).status).toBe(200);
  expect((await emulator.stop()).code).toBe(0);
});
