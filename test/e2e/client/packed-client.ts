import { execFile, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PROGRAMS = fileURLToPath(new URL('programs/', import.meta.url));
const RUN_TIMEOUT_MS = 90_000;

type Packed = { filename: string; size: number; unpackedSize: number; files: readonly { path: string }[] };

export type InstalledClient = {
  packed: Packed;
  /** A folder with the package in its `node_modules`, `viem` as its user has it, and the programs of this folder. */
  project: string;
  /** Where the module of the package is, for a bundler. */
  entry: string;
  /** The module, as a program gets it. */
  load: () => Promise<typeof import('../../../src/client/index.ts')>;
  /** Runs a program with its orders as JSON, and returns what it prints as JSON. */
  run: (program: string, orders: object, node?: string) => Promise<unknown>;
  /** Begins a program, to be killed. */
  start: (program: string, orders: object) => { kill: () => Promise<void> };
  remove: () => void;
};

/** Packs dist/client and installs it with its dependencies into an empty folder, without a network. */
export function installPackedClient(): InstalledClient {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-client-'));
  const [home, project] = [join(folder, 'home'), join(folder, 'project')];
  for (const each of [home, project]) mkdirSync(each);
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, npm_config_cache: join(folder, 'cache') };
  const npm = (cwd: string, ...args: string[]): string =>
    execFileSync('npm', args, { cwd, env, encoding: 'utf8', stdio: 'pipe' });
  const pack = (from: string): Packed => {
    const printed = npm(join(ROOT, from), 'pack', '--json', '--ignore-scripts', '--pack-destination', folder);
    return (JSON.parse(printed) as [Packed])[0];
  };
  const packed = pack('dist/client');
  const needed = ['node_modules/@x402/core', 'node_modules/@x402/core/node_modules/zod'].map(pack);
  writeFileSync(join(project, 'package.json'), '{ "name": "project", "private": true, "type": "module" }');
  const files = [packed, ...needed].map(({ filename }) => join(folder, filename));
  npm(project, 'install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...files);
  symlinkSync(join(ROOT, 'node_modules/viem'), join(project, 'node_modules/viem'));
  for (const name of readdirSync(PROGRAMS)) copyFileSync(join(PROGRAMS, name), join(project, name));
  const entry = join(project, 'node_modules/@sightline/client/index.js');
  return {
    packed,
    project,
    entry,
    load: () => import(pathToFileURL(entry).href) as ReturnType<InstalledClient['load']>,
    run: (program, orders, node = process.execPath) =>
      new Promise((resolve, reject) => {
        const options = { cwd: project, env, timeout: RUN_TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 };
        execFile(node, [program, JSON.stringify(orders)], options, (error, stdout, stderr) => {
          if (error === null) resolve(JSON.parse(stdout));
          else reject(new Error(`${program}: ${stderr}`, { cause: error }));
        });
      }),
    start: (program, orders) => {
      const child = spawn(process.execPath, [program, JSON.stringify(orders)], { cwd: project, env, stdio: 'ignore' });
      const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
      return {
        kill: async () => {
          child.kill('SIGKILL');
          await ended;
        },
      };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
