import { expect, test } from 'vitest';
import { createArming } from '../../../src/payment/ledger/arming.ts';

/** A storage whose writes end when a test says so. */
function openStorage() {
  const written: number[] = [];
  const waiting: (() => void)[] = [];
  const arming = createArming((atMs) => {
    written.push(atMs);
    return new Promise((resolve) => waiting.push(resolve));
  });
  return { arming, written, end: () => waiting.splice(0).forEach((resolve) => resolve()) };
}

test('an alarm is set to the earliest time, and not written again for a later one', async () => {
  const { arming, written, end } = openStorage();
  const first = arming.arm(500);
  end();
  await first;
  await arming.arm(900);
  expect(written).toEqual([500]);
  const sooner = arming.arm(100);
  end();
  await sooner;
  expect(written).toEqual([500, 100]);
});

test('a later call repeats the time of an earlier one that is still under way, since the last write holds', async () => {
  const { arming, written, end } = openStorage();
  const calls = [arming.arm(100), arming.arm(900)];
  end();
  await Promise.all(calls);
  expect(written).toEqual([100, 100]);
});

test('what was being set when the alarm went off is over', async () => {
  const { arming, written, end } = openStorage();
  const call = arming.arm(100);
  arming.know(null);
  end();
  await call;
  const next = arming.arm(900);
  end();
  await next;
  expect(written).toEqual([100, 900]);
  arming.know(50);
  await arming.arm(60);
  expect(written).toEqual([100, 900]);
});
