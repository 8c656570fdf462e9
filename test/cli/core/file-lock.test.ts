import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { runUnderLock } from '../../../src/cli/core/file-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-lock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TIMES = { waitMs: 10_000, staleMs: 10_000 };
/** Each finds two holders in one of three tries where a stale lock is removed without a turn. */
const ROUNDS = 12;
const CALLERS = 8;

/** The most callers that were in their work at the same time; they come a little apart. */
async function countHolders(lock: string): Promise<number> {
  let [holders, most] = [0, 0];
  const work = async (): Promise<void> => {
    holders += 1;
    most = Math.max(most, holders);
    await nextTurn();
    holders -= 1;
  };
  await Promise.all(
    Array.from({ length: CALLERS }, async (_caller, turns) => {
      for (let turn = 0; turn < turns; turn += 1) await nextTurn();
      await runUnderLock(lock, TIMES, work);
    }),
  );
  return most;
}

test('one at a time holds a lock', async () => {
  expect(await countHolders(join(folder, 'free.lock'))).toBe(1);
});

test('one at a time takes over the lock of a process that died', async () => {
  const longAgo = new Date(Date.now() - 2 * TIMES.staleMs);
  for (let round = 0; round < ROUNDS; round += 1) {
    const lock = join(folder, `stale-${round}.lock`);
    writeFileSync(lock, '');
    utimesSync(lock, longAgo, longAgo);
    expect(await countHolders(lock)).toBe(1);
  }
});

test('a lock that another process holds is waited for, and then refused', async () => {
  const lock = join(folder, 'held.lock');
  writeFileSync(lock, '');
  await expect(runUnderLock(lock, { waitMs: 100, staleMs: 10_000 }, async () => 1)).rejects.toThrow('another process');
  expect(existsSync(lock)).toBe(true);
});

test('a takeover that was cut off holds up no one for good', async () => {
  const lock = join(folder, 'cut-off.lock');
  const longAgo = new Date(Date.now() - 2 * TIMES.staleMs);
  for (const file of [lock, `${lock}.stale`]) {
    writeFileSync(file, '');
    utimesSync(file, longAgo, longAgo);
  }
  expect(await runUnderLock(lock, TIMES, async () => 'done')).toBe('done');
  expect([existsSync(lock), existsSync(`${lock}.stale`)]).toEqual([false, false]);
});
