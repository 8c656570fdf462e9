import { describe, expect, test } from 'vitest';
import {
  judgeCircuit,
  createTokenBucket,
  type Circuit,
  CLOSED,
  countFailure,
  postponeProbe,
} from '../../../src/notifications/channels/breaker.ts';

const NOW_MS = 1_000_000;
const failedTimes = (times: number): Circuit & { opened: boolean } => {
  let circuit = { ...CLOSED, opened: false };
  for (let time = 0; time < times; time += 1) circuit = countFailure(circuit, NOW_MS);
  return circuit;
};

describe('the circuit of a customer', () => {
  test.each([
    [0, NOW_MS, 'go'],
    [4, NOW_MS, 'go'],
    [5, NOW_MS, 'wait'],
    [5, NOW_MS + 59_999, 'wait'],
    [5, NOW_MS + 60_000, 'probe'],
    [50, NOW_MS + 60_000, 'probe'],
    [5, NOW_MS - 86_400_000, 'probe'], // Our clock was set back.
  ])('after %d failures in a row, at %d: %s', (failures, atMs, may) => {
    expect(judgeCircuit(failedTimes(failures), atMs)).toBe(may);
  });

  test('opens once, with the fifth', () => {
    expect([4, 5, 6].map((times) => failedTimes(times).opened)).toEqual([false, true, false]);
  });

  test('lets one probe through and holds the others for another minute', () => {
    const circuit = postponeProbe(failedTimes(5), NOW_MS + 60_000);
    expect(judgeCircuit(circuit, NOW_MS + 60_000)).toBe('wait');
    expect(judgeCircuit(circuit, NOW_MS + 120_000)).toBe('probe');
  });
});

describe('the bucket', () => {
  const taken = (bucket: ReturnType<typeof createTokenBucket>, nowMs: number): number => {
    let count = 0;
    while (bucket.take(nowMs)) count += 1;
    return count;
  };

  test('gives a burst and then so many a second', () => {
    const bucket = createTokenBucket({ perSecond: 30, burst: 60 });
    expect([0, 0, 1_000, 1_500, 3_600_000].map((atMs) => taken(bucket, NOW_MS + atMs))).toEqual([60, 0, 30, 15, 60]);
  });

  test('a clock that goes back gives nothing', () => {
    const bucket = createTokenBucket({ perSecond: 30, burst: 1 });
    expect([0, -5_000].map((atMs) => taken(bucket, NOW_MS + atMs))).toEqual([1, 0]);
  });

  test('says when there is a second of them to take, and now while there are some', () => {
    const bucket = createTokenBucket({ perSecond: 30, burst: 60 });
    expect(bucket.readyAtMs(NOW_MS)).toBe(NOW_MS);
    taken(bucket, NOW_MS);
    expect(bucket.count(NOW_MS)).toBe(0);
    expect(bucket.readyAtMs(NOW_MS)).toBe(NOW_MS + 1_000);
    expect(bucket.count(NOW_MS + 1_000)).toBe(30);
  });
});
