import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Aim, atMost, round } from './aims.ts';

export type BundlesResults = {
  aims: readonly Aim[];
  workers: Readonly<Record<string, { rawKiB: number; gzipKiB: number }>>;
};

const root = new URL('..', import.meta.url).pathname;
const DEPLOY_TIMEOUT_MS = 60_000;

/** Each Worker as it is deployed, and what its bundle may weigh: docs/project/adr/0083. */
const WORKERS = [
  { name: 'api', config: 'wrangler.toml', script: 'worker.js', limitKiB: 1_638 },
  { name: 'models', config: 'wrangler.models.toml', script: 'models-worker.js', limitKiB: 512 },
  { name: 'control', config: 'wrangler.control.toml', script: 'control-worker.js', limitKiB: 704 },
  { name: 'webhook', config: 'wrangler.webhook.toml', script: 'webhook-worker.js', limitKiB: 256 },
  { name: 'pdf', config: 'wrangler.pdf.toml', script: 'pdf-worker.js', limitKiB: 640 },
] as const;

/** Sizes of what `wrangler deploy` would upload, of all Workers. */
export function measureBundles(log: (line: string) => void): BundlesResults {
  const measured = WORKERS.map(({ name, config, script, limitKiB }) => {
    const text = bundleAsDeployed(config, script);
    const [rawKiB, gzipKiB] = [Buffer.byteLength(text), gzipSync(text).byteLength].map((bytes) => round(bytes / 1_024));
    log(`bundle of ${name}: ${rawKiB} KiB, gzip ${gzipKiB} KiB`);
    return { name, limitKiB, size: { rawKiB: rawKiB ?? 0, gzipKiB: gzipKiB ?? 0 } };
  });
  return {
    aims: measured.map(({ name, size, limitKiB }) => atMost(`bundle of ${name}, gzip`, size.gzipKiB, limitKiB, 'KiB')),
    workers: Object.fromEntries(measured.map(({ name, size }) => [name, size])),
  };
}

/** What `wrangler deploy` would upload of a Worker, of this checkout or of another. */
export function bundleAsDeployed(config: string, script: string, checkout = root): string {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bundles-'));
  try {
    const wrangler = join(checkout, 'node_modules/wrangler/bin/wrangler.js');
    execFileSync(process.execPath, [wrangler, 'deploy', '--dry-run', '--config', config, '--outdir', folder], {
      cwd: checkout,
      env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: '1' },
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: DEPLOY_TIMEOUT_MS,
    });
    return readFileSync(join(folder, script), 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
