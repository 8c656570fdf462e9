import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isBuilt } from '../scripts/build-docs.js';
import { GUARD, prepareGuarded } from './processes/guarded.ts';

const SCRIPT = fileURLToPath(new URL('../scripts/build-docs.js', import.meta.url));
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Builds the documentation site beside the running stack where its sources changed: everything else works meanwhile, and
 * without it too. @returns what to say of it now, and a function that ends the build
 */
export function buildDocsBeside(say: (line: string) => void): { note: string; stop: () => void } {
  if (isBuilt()) return { note: '', stop: () => undefined };
  const guard = prepareGuarded(process.execPath);
  const child = spawn(GUARD, [SCRIPT], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...guard.env },
  });
  let errors = '';
  child.stderr.on('data', (bytes: Buffer) => {
    errors += bytes.toString();
  });
  child.stdout.on('data', (bytes: Buffer) => say(bytes.toString().trim()));
  child.on('exit', (code) => {
    guard.forget();
    if (code !== 0 && code !== null)
      say(
        `The documentation could not be built; \`npm run docs:site\` says more. ${errors.trim().split('\n')[0] ?? ''}`,
      );
  });
  return { note: '  (being built)', stop: () => child.kill() };
}
