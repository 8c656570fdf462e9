import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Builds the command line once for all end-to-end tests: they run beside each other, and `dist/` is one folder. Bundles of
 * Workers are kept for them too, in a folder of this run.
 */
export function setup(): () => void {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  execFileSync(process.execPath, ['scripts/build-cli.js'], { cwd: root });
  const bundles = mkdtempSync(join(tmpdir(), 'sightline-bundles-'));
  process.env['LOCAL_BUNDLES'] = bundles;
  return () => rmSync(bundles, { recursive: true, force: true });
}
