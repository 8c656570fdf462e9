import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { compatibilityDate, workerdVersion } from './workerd.ts';

const benchFolder = new URL('.', import.meta.url).pathname;

/** Installs the peers and the load generator exactly as locked, without running scripts of theirs. */
export function installPeers(): void {
  // `npm ci` empties what a link leads to, which is another checkout's.
  const modules = `${benchFolder}node_modules`;
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink() === true) rmSync(modules);
  execFileSync('npm', ['ci', '--prefix', benchFolder, '--ignore-scripts', '--no-audit', '--no-fund'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 180_000,
  });
}

/** Versions of everything that a figure depends on. */
export function versions(): Record<string, string> {
  const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return { node: process.version, workerd: workerdVersion, 'compatibility date': compatibilityDate, ...dependencies };
}

export const load = (): number[] => loadavg().map((value) => Math.round(value * 100) / 100);

export const machine = (): { cores: number; cpu: string } => ({
  cores: availableParallelism(),
  cpu: cpus()[0]?.model ?? 'unknown',
});
