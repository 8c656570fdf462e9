import { describe, expect, test } from 'vitest';
import {
  runInSteps,
  type QueueWork,
  type ConcurrencyLimits,
  runConcurrentQueues,
} from '../../../src/notifications/worker/concurrent-queues.ts';

/** Nobody looks by itself: what goes on does so because it was told. */
const NEVER_MS = 1_000_000;
const limits: ConcurrencyLimits = { isOver: () => false, most: 100, lookMs: NEVER_MS };

/** A lane that does what stands in `due`, each when `gate` lets it. */
function laneOf(
  due: string[],
  did: string[],
  gate: (what: string) => Promise<void> = async () => undefined,
): QueueWork {
  return async (changed) => {
    const what = due.shift();
    if (what === undefined) return 0;
    await gate(what);
    did.push(what);
    changed();
    return 1;
  };
}

describe('lanes', () => {
  test('end when none finds anything, and tell how much they did', async () => {
    const did: string[] = [];
    expect(await runConcurrentQueues([laneOf(['a', 'b'], did), laneOf(['c'], did)], limits)).toBe(3);
    expect(did.toSorted()).toEqual(['a', 'b', 'c']);
    expect(await runConcurrentQueues([], limits)).toBe(0);
  });

  test('one that found nothing is told when another one left something for it', async () => {
    const did: string[] = [];
    const tells: string[] = [];
    const reads = laneOf(['a', 'b', 'c'], did, async (what) => {
      await new Promise((resolve) => setImmediate(resolve)); // The other one has nothing, and waits.
      tells.push(`tell ${what}`);
    });
    expect(await runConcurrentQueues([laneOf(tells, did), reads], limits)).toBe(6);
    expect(did.filter((what) => what.startsWith('tell'))).toEqual(['tell a', 'tell b', 'tell c']);
  });

  test('one that was just finding nothing looks again after what happened meanwhile', async () => {
    const did: string[] = [];
    const due: string[] = [];
    const found = Promise.withResolvers<void>();
    const looks: QueueWork = async () => {
      const what = due.shift();
      if (what !== undefined) return did.push(what);
      await found.promise; // It has looked, and has not said so yet.
      return 0;
    };
    const leaves = laneOf(['left'], did, async () => void due.push('for the other'));
    const done = runConcurrentQueues([looks, leaves], limits);
    await expect.poll(() => did).toEqual(['left']);
    found.resolve();
    await done;
    expect(did).toEqual(['left', 'for the other']);
  });

  test('one that takes its time holds up no other, which looks again meanwhile', async () => {
    const did: string[] = [];
    const due: string[] = [];
    const slow = Promise.withResolvers<void>();
    const done = runConcurrentQueues([laneOf(['slow'], did, () => slow.promise), laneOf(due, did)], {
      ...limits,
      lookMs: 1,
    });
    for (const what of ['a', 'b', 'c']) {
      due.push(what); // From outside: nobody tells.
      await expect.poll(() => did.at(-1)).toBe(what);
    }
    slow.resolve();
    expect(await done).toBe(4);
  });

  test('each ends by itself once it did the most', async () => {
    let calls = 0;
    const busy: QueueWork = async () => {
      calls += 1;
      return 1;
    };
    expect(await runConcurrentQueues([busy], { ...limits, most: 7 })).toBe(7);
    expect(calls).toBe(7);
  });

  test('nothing new is begun when the time is over', async () => {
    const did: string[] = [];
    const lanes = [laneOf(['a', 'b', 'c', 'd'], did)];
    expect(await runConcurrentQueues(lanes, { ...limits, isOver: () => did.length >= 2 })).toBe(2);
  });

  test('one that throws ends all: those under way are waited for, and begin nothing new', async () => {
    const did: string[] = [];
    const broken: QueueWork = async () => {
      throw new Error('disk');
    };
    const other = laneOf(['a', 'b', 'c'], did, async () => {
      await new Promise((resolve) => setImmediate(resolve));
    });
    await expect(runConcurrentQueues([other, broken], limits)).rejects.toThrow('disk');
    expect(did).toEqual(['a']);
  });
});

describe('steps', () => {
  test.each([
    [{ atOnce: 1, most: 10 }, 5, 1],
    [{ atOnce: 3, most: 10 }, 5, 3],
    [{ atOnce: 3, most: 4 }, 4, 3],
  ])('%j: %i of five are done, %i at once', async (order, done, atOnce) => {
    let [left, now, most, changes] = [5, 0, 0, 0];
    const step = async (): Promise<boolean> => {
      if (left === 0) return false;
      left -= 1;
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return true;
    };
    const changed = () => void (changes += 1);
    expect(await runInSteps({ ...order, isOver: () => false, step, changed })).toBe(done);
    expect([most, changes]).toEqual([atOnce, done]);
  });
});
