import { expect, test } from 'vitest';
import {
  countEvents,
  readEventAllowance,
  type RateCounters,
  type RateOrder,
  createRateWindows,
} from '../../../src/rate-limits/rate-counts.ts';

/** A counter object that writes down what it is asked, and answers when it is told to. */
function counting() {
  const asked: RateOrder[] = [];
  const waiting: (() => void)[] = [];
  const windows = createRateWindows();
  const take = async (order: RateOrder) => {
    asked.push(order);
    await new Promise<void>((resolve) => void waiting.push(resolve));
    return windows.take(order, 0);
  };
  const counters: RateCounters = { getByName: () => ({ take }) };
  const answerAll = (): void => {
    for (const answer of waiting.splice(0)) answer();
  };
  return { asked, counters, answerAll };
}

const events = (caller: string, count = 1, quota = 300) => ({ policy: 'free', caller, quota, count });

test('of questions that are asked at once, one alone takes more than it needs', async () => {
  const { asked, counters, answerAll } = counting();
  const burst = Promise.all([0, 1, 2].map(() => countEvents(counters, events('burst'), 0)));
  expect(asked.map(({ needed, ahead }) => [needed, ahead])).toEqual([
    [1, 3],
    [1, 0],
    [1, 0],
  ]);
  answerAll();
  expect((await burst).map(({ isAllowed }) => isAllowed)).toEqual([true, true, true]);
  await Promise.all([0, 1, 2].map(() => countEvents(counters, events('burst'), 0)));
  expect(asked).toHaveLength(3);
});

test('what can never happen together asks the object until the minute is spent, and then no more', async () => {
  const { asked, counters, answerAll } = counting();
  const ask = async () => {
    const asking = countEvents(counters, events('batch', 11, 10), 0);
    answerAll();
    return asking;
  };
  for (let left = 9; left >= 0; left -= 1)
    expect(await ask()).toEqual({ isAllowed: false, isTooLarge: true, retryAfterS: 60, left });
  expect([await ask(), await ask()]).toEqual([
    { isAllowed: false, retryAfterS: 60, left: 0 },
    { isAllowed: false, retryAfterS: 60, left: 0 },
  ]);
  expect(asked).toHaveLength(10);
});

test('to look whether there is room counts nothing, and sees what was counted elsewhere', async () => {
  const windows = createRateWindows();
  const counters: RateCounters = { getByName: () => ({ take: async (order) => windows.take(order, 0) }) };
  const peek = async () => readEventAllowance(counters, { policy: 'free', caller: 'peeking', quota: 2 }, 0);
  for (let look = 0; look < 5; look += 1) expect(await peek()).toMatchObject({ isAllowed: true, left: 2 });
  windows.take({ key: 'free peeking', quota: 2, needed: 2, ahead: 0 }, 0);
  expect(await peek()).toEqual({ isAllowed: false, retryAfterS: 60, left: 0 });
});
