import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Builds the packages and what browsers load once for all end-to-end tests: they run beside each other, and `dist/` and `public/` are one folder each. Bundles of
 * Workers are kept for them too, in a folder of this run.
 */
export function setup(): () => void {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  for (const script of [
    'scripts/build-cli.js',
    'scripts/build-package.js',
    'scripts/build-emulator.js',
    'scripts/build-client.js',
    'scripts/build-web.js',
  ])
    execFileSync(process.execPath, [script], { cwd: root });
  const bundles = mkdtempSync(join(tmpdir(), 'sightline-bundles-'));
  process.env['LOCAL_BUNDLES'] = bundles;
  return () => rmSync(bundles, { recursive: true, force: true });
}
