import { expect, test } from 'vitest';
import type { WorkReport } from '../../../src/notifications/core/protocol.ts';
import { createSingleRun } from '../../../src/notifications/worker/single-run.ts';

const report: WorkReport = { read: 1, delivered: 2, failed: 0, more: false };
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Runs that end when the test says so. */
function world() {
  const ends: { resolve: (report: WorkReport) => void; reject: (error: unknown) => void }[] = [];
  const runs = createSingleRun(() => new Promise((resolve, reject) => ends.push({ resolve, reject })), 3);
  return { runs, ends };
}

test('who asks during a run starts none beside it, but makes it go on, and gets the sum', async () => {
  const { runs, ends } = world();
  const first = runs.ask();
  const second = runs.ask();
  const third = runs.ask();
  expect([ends.length, runs.isUnderWay()]).toEqual([1, true]);
  ends[0]?.resolve(report);
  await turn();
  expect(ends).toHaveLength(2);
  ends[1]?.resolve({ ...report, more: true });
  const sum = { read: 2, delivered: 4, failed: 0, more: true };
  expect(await Promise.all([first, second, third])).toEqual([sum, sum, sum]);
  expect([ends.length, runs.isUnderWay()]).toEqual([2, false]);
});

test('it goes on only so often, however often somebody asks', async () => {
  const { runs, ends } = world();
  const asked = runs.ask();
  for (let n = 0; n < 3; n += 1) {
    void runs.ask();
    ends[n]?.resolve(report);
    await turn();
  }
  expect(await asked).toEqual({ read: 3, delivered: 6, failed: 0, more: false });
  expect(ends).toHaveLength(3);
});

test('a run that fails fails for all who asked, and the next one begins anew', async () => {
  const { runs, ends } = world();
  const asked = Promise.allSettled([runs.ask(), runs.ask()]);
  ends[0]?.reject(new Error('storage'));
  expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const next = runs.ask();
  ends[1]?.resolve(report);
  expect(await next).toEqual(report);
});

test('a run that throws before it waits for anything holds up nobody after it', async () => {
  let isBroken = true;
  const runs = createSingleRun(() => {
    if (isBroken) throw new Error('settings');
    return Promise.resolve(report);
  }, 3);
  await expect(runs.ask()).rejects.toThrow('settings');
  isBroken = false;
  expect(await runs.ask()).toEqual(report);
});
