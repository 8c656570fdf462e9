import { describe, expect, test } from 'vitest';
import { computeUtilisation, computeWaitMs, simulateQueue } from '../../../bench/scale/queueing.ts';

describe('the model of one object', () => {
  test('is busy for its calls times their service', () => {
    expect(computeUtilisation([{ perS: 500, serviceMs: 1 }])).toBe(0.5);
    expect(
      computeUtilisation([
        { perS: 200, serviceMs: 1.5 },
        { perS: 50, serviceMs: 4 },
      ]),
    ).toBeCloseTo(0.5, 9);
  });

  // M/D/1: busy / (2 (1 - busy)) services.
  test.each([
    [0.5, 0.5],
    [0.8, 2],
    [0.9, 4.5],
  ])('a call of an object that is %d busy waits %d services', (busy, services) => {
    expect(computeWaitMs([{ perS: busy * 500, serviceMs: 2 }])).toBeCloseTo(services * 2, 9);
  });

  test('calls of different service wait longer than those of their mean', () => {
    const mixed = computeWaitMs([
      { perS: 100, serviceMs: 1 },
      { perS: 100, serviceMs: 7 },
    ]);
    expect(mixed).toBeGreaterThan(computeWaitMs([{ perS: 200, serviceMs: 4 }]));
  });

  test('an object that is busy all the time has a queue without end', () => {
    expect(computeWaitMs([{ perS: 1_000, serviceMs: 1 }])).toBe(Infinity);
    expect(computeWaitMs([])).toBe(0);
  });

  test.each([
    [[{ perS: 250, serviceMs: 2 }]],
    [
      [
        { perS: 200, serviceMs: 1.5 },
        { perS: 100, serviceMs: 4 },
      ],
    ],
  ])('calls that are played through wait as the formula says, within 5 percent: %j', (arrivals) => {
    const { meanWaitMs, utilisation } = simulateQueue(arrivals, 300_000, 1);
    expect(Math.abs(utilisation / computeUtilisation(arrivals) - 1)).toBeLessThan(0.02);
    expect(Math.abs(meanWaitMs / computeWaitMs(arrivals) - 1)).toBeLessThan(0.05);
  });
});
