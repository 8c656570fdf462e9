import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startCron } from '../../local/stack.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('runs each minute, and no more once it is stopped', async () => {
  let runs = 0;
  const cron = startCron(
    async () => {
      runs += 1;
    },
    { everyMs: 60_000 },
  );
  await vi.advanceTimersByTimeAsync(59_999);
  expect(runs).toBe(0);
  await vi.advanceTimersByTimeAsync(120_001);
  expect(runs).toBe(3);
  await cron.stop();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(runs).toBe(3);
});

test('a run that fails is logged, and the next one comes all the same', async () => {
  const logged: string[] = [];
  let runs = 0;
  const cron = startCron(
    async () => {
      runs += 1;
      if (runs === 1) throw new Error('the Worker is down');
    },
    { everyMs: 1_000, log: (level, message) => logged.push(`${level}: ${message}`) },
  );
  await vi.advanceTimersByTimeAsync(2_000);
  await cron.stop();
  expect(runs).toBe(2);
  expect(logged).toEqual(['error: cron: the Worker is down']);
});

test('one that takes long is not run beside itself, and stop waits for it', async () => {
  const finish = Promise.withResolvers<void>();
  let runs = 0;
  const cron = startCron(
    () => {
      runs += 1;
      return finish.promise;
    },
    { everyMs: 1_000 },
  );
  await vi.advanceTimersByTimeAsync(5_000);
  expect(runs).toBe(1);
  let isStopped = false;
  const stopping = cron.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(isStopped).toBe(false);
  finish.resolve();
  await stopping;
  expect(isStopped).toBe(true);
});
