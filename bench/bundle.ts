import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { reservePort } from '../local/ports.ts';
import { bundleForWorkerd } from './bundle-worker.ts';
import { cpuMsOf, median } from './process-usage.ts';
import { serveWorkerd, type WorkerdWorker } from './workerd.ts';

export type BundleResults = {
  rawBytes: number;
  gzipBytes: number;
  /** CPU of workerd from its start to the first answer, less that of an empty Worker, in milliseconds. */
  startUpCpuMs: { ours: number; peer: number; emptyWorker: number };
};

const RUNS = 7;
const EMPTY = 'export default { fetch() { return new Response("ok"); } };';
const root = new URL('..', import.meta.url).pathname;
const fileOf = (path: string): string => new URL(path, import.meta.url).pathname;

/** Size of what `wrangler deploy` would upload, and what it costs workerd to start it and answer once. */
export async function measureBundle(): Promise<BundleResults> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  try {
    execFileSync(
      process.execPath,
      [join(root, 'node_modules/wrangler/bin/wrangler.js'), 'deploy', '--dry-run', '--outdir', join(folder, 'out')],
      {
        cwd: root,
        env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: '1' },
        stdio: ['ignore', 'ignore', 'inherit'],
        timeout: 60_000,
      },
    );
    const script = readFileSync(join(folder, 'out/worker.js'), 'utf8');
    const peerScript = await bundleForWorkerd(fileOf('x402/peer-worker.mjs'));
    const workers: Record<string, Pick<WorkerdWorker, 'script' | 'bindings' | 'durableObject' | 'flags'>> = {
      ours: {
        script,
        bindings: { BASE_URL: 'http://127.0.0.1' },
        durableObject: { className: 'PaymentLedger', binding: 'PAYMENT_LEDGER' },
      },
      peer: { script: peerScript, flags: ['nodejs_compat'] },
      empty: { script: EMPTY },
    };
    const times: Record<string, number[]> = { ours: [], peer: [], empty: [] };
    for (let run = 0; run < RUNS; run += 1) {
      for (const [name, worker] of Object.entries(workers))
        times[name]?.push(await startOnce(join(folder, name), worker));
    }
    const emptyWorker = median(times['empty'] ?? []);
    return {
      rawBytes: Buffer.byteLength(script),
      gzipBytes: gzipSync(script).byteLength,
      startUpCpuMs: {
        ours: median(times['ours'] ?? []) - emptyWorker,
        peer: median(times['peer'] ?? []) - emptyWorker,
        emptyWorker,
      },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Neither side builds its payment parts for this path: what is compared is loading the code. */
async function startOnce(folder: string, worker: Omit<WorkerdWorker, 'folder' | 'port'>): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const port = await reservePort(0, 'the benchmark', '');
  const running = await serveWorkerd({ folder, port, ...worker }, { method: 'GET', path: '/health' });
  const cpuMs = cpuMsOf(running.pid);
  await running.stop();
  return cpuMs;
}
