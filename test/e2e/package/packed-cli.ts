import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const RUN_TIMEOUT_MS = 90_000;

export type PackedFile = { path: string; mode: number; size: number };
export type Ran = { code: number; stdout: string; stderr: string };
export type InstalledCli = {
  packed: { filename: string; size: number; unpackedSize: number; files: readonly PackedFile[] };
  /** An empty folder with the package in its `node_modules`. */
  project: string;
  /** A home folder without anything. */
  home: string;
  /** What a program gets as its environment: no path but that of the Node it runs with. */
  envFor: (node: string) => Record<string, string>;
  run: (node: string, args: readonly string[]) => Promise<Ran>;
  remove: () => void;
};

/** Packs dist/package and installs the file into an empty folder without a network, as someone who was handed it does. */
export function installPackedCli(): InstalledCli {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-package-'));
  const [home, project] = [join(folder, 'home'), join(folder, 'project')];
  for (const each of [home, project]) mkdirSync(each);
  const npm = (cwd: string, args: readonly string[]): string =>
    execFileSync('npm', [...args], {
      cwd,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { PATH: process.env['PATH'] ?? '', HOME: home, npm_config_cache: join(folder, 'cache') },
    });
  const [packed] = JSON.parse(npm(join(ROOT, 'dist/package'), ['pack', '--json', '--pack-destination', folder])) as [
    InstalledCli['packed'],
  ];
  writeFileSync(join(project, 'package.json'), '{ "name": "project", "private": true }');
  npm(project, ['install', '--offline', '--no-audit', '--no-fund', join(folder, packed.filename)]);
  const envFor = (node: string): Record<string, string> => ({
    PATH: [join(project, 'node_modules/.bin'), dirname(node), '/usr/bin', '/bin'].join(':'),
    HOME: home,
    NO_COLOR: '1',
  });
  return {
    packed,
    project,
    home,
    envFor,
    run: (node, args) =>
      new Promise((resolve) => {
        const options = { cwd: project, env: envFor(node), timeout: RUN_TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 };
        execFile(join(project, 'node_modules/.bin/sightline'), [...args], options, (error, stdout, stderr) => {
          resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr });
        });
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
