import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs the local stack (`npm start`) in the foreground and returns its exit status. It needs the checkout around it:
 * chain, facilitator and Worker come from its development dependencies.
 */
export function serveCommand(args: readonly string[]): Promise<number> {
  const root = findPackageRoot(dirname(fileURLToPath(import.meta.url)));
  const script = root === undefined ? undefined : join(root, 'local', 'start.ts');
  if (root === undefined || script === undefined || !existsSync(script)) {
    process.stderr.write('sightline serve needs a checkout of the repository: run it there after `npm ci`.\n');
    return Promise.resolve(2);
  }
  const bundledNode = join(root, 'node_modules', '.bin', 'node');
  const node = existsSync(bundledNode) ? bundledNode : process.execPath;
  const child = spawn(node, [script, ...args], { stdio: 'inherit', cwd: root });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** The nearest folder upwards that holds a package.json, at most four levels up. */
function findPackageRoot(from: string): string | undefined {
  let folder = from;
  for (let level = 0; level < 4; level += 1) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    folder = dirname(folder);
  }
  return undefined;
}
