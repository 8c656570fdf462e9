import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds the command line once for all end-to-end tests: they run beside each other, and `dist/` is one folder. */
export function setup(): void {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  execFileSync(process.execPath, ['scripts/build-cli.js'], { cwd: root });
}
