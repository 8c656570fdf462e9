import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservePort } from '../../local/ports.ts';
import { bundleForWorkerd } from '../bundle-worker.ts';
import { cpuMsOf } from '../process-usage.ts';
import { serveWorkerd } from '../workerd.ts';

const TIMEOUT_MS = 120_000;

/** The objects of stores-worker.ts in a process of their own. */
export type Stores = {
  /** Calls `ours.<name>` or `raw.<name>` of the objects of a name. */
  ask: <T>(object: string, call: string, ...args: readonly unknown[]) => Promise<T>;
  /** CPU that the process has used, milliseconds. */
  cpuMs: () => number;
};

/** Runs what needs the objects, in a folder of their own that is gone afterwards. */
export async function withStores<T>(work: (stores: Stores) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  mkdirSync(folder, { recursive: true });
  const port = await reservePort(0, 'the benchmark', '');
  const running = await serveWorkerd(
    {
      folder,
      port,
      script: await bundleForWorkerd(new URL('stores-worker.ts', import.meta.url).pathname),
      durableObjects: [
        { className: 'EntryStore', binding: 'ENTRY_STORE' },
        { className: 'RawRows', binding: 'RAW_ROWS' },
      ],
    },
    { method: 'GET', path: '/' },
  );
  const ask = async <A>(object: string, call: string, ...args: readonly unknown[]): Promise<A> => {
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: JSON.stringify({ object, call, args }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`${call} answers ${response.status}: ${await response.text()}`);
    return (await response.json()) as A;
  };
  try {
    return await work({ ask, cpuMs: () => cpuMsOf(running.pid) });
  } finally {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
