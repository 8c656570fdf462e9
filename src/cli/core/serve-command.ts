import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CommandEnd } from './failure.ts';
import { findCloneNode, findFolderWith } from './package-root.ts';
import { EXIT } from './usage.ts';

/**
 * Runs the local stack (`npm start`) in the foreground and returns its exit status. It needs the checkout around it:
 * chain, facilitator and Worker come from its development dependencies.
 */
export function serveCommand(args: readonly string[]): Promise<CommandEnd> {
  const root = findFolderWith('package.json', dirname(fileURLToPath(import.meta.url)));
  const script = root === undefined ? undefined : join(root, 'local', 'start.ts');
  if (root === undefined || script === undefined || !existsSync(script))
    return Promise.resolve({
      reason: 'checkout_missing',
      message: 'sightline serve runs the whole service from a checkout of the repository, and this is none.',
      next: 'Clone the repository, then run npm ci and npm start there.',
      exit: EXIT.usage,
    });
  const child = spawn(findCloneNode(root), [script, ...args], { stdio: 'inherit', cwd: root });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
