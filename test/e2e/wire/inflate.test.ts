import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zeroBomb } from '../../support/audit/bombs.ts';
import { startBareWorkerd } from '../../support/stack/bare-workerd.ts';

const ENTRY = fileURLToPath(new URL('../../support/stack/inflate-worker.ts', import.meta.url));
const MIB = 1_024 * 1_024;
const GIGABYTE = 1_000_000_000;

let workerd: Miniflare;
let pid: string;
beforeAll(async () => {
  const bundled = await build({ entryPoints: [ENTRY], bundle: true, write: false, format: 'esm', logLevel: 'error' });
  workerd = await startBareWorkerd(bundled.outputFiles[0]?.text ?? '');
  // Linux tells which processes this one has started; elsewhere the tests are skipped.
  if (process.platform === 'linux')
    pid =
      readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
        .trim()
        .split(' ')
        .find((child) => readFileSync(`/proc/${child}/comm`, 'utf8').trim() === 'workerd') ?? '';
});
afterAll(() => workerd.dispose());

/** Bytes of memory that workerd holds, and the most it has held since it began. */
function memory(): { now: number; most: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1_024;
  return { now: bytes('VmRSS'), most: bytes('VmHWM') };
}

async function sent(query: string, body: Uint8Array<ArrayBuffer>): Promise<unknown> {
  const answer = await workerd.dispatchFetch(`http://inflate.test/${query}`, { method: 'POST', body });
  expect(answer.status).toBe(200);
  return answer.json();
}

describe.skipIf(process.platform !== 'linux')('B2, B3: in workerd', () => {
  test('a gzip of 1 MB that holds 1 GB takes at most 64 MB', async () => {
    const bomb = await zeroBomb(GIGABYTE);
    await sent('?limit=10', bomb);
    const { now } = memory();
    expect(await sent(`?limit=${8 * MIB}`, bomb)).toEqual({ size: 8 * MIB, end: 'cut' });
    expect(memory().most - now).toBeLessThan(64 * MIB);
  });

  test('a stored gzip of 200 MB is streamed in less than it holds', async () => {
    const bomb = await zeroBomb(GIGABYTE / 5);
    const { now } = memory();
    expect(await sent('', bomb)).toEqual({ size: GIGABYTE / 5 });
    expect(memory().most - now).toBeLessThan(128 * MIB);
  });
});
