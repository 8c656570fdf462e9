import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { movableClock } from './ledger-shard.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const HOUR_MS = 3_600_000;
const LIMIT = 1_000_000;

const meter = () => env.ENGINE_METER.getByName('a-meter');
const reserve = (id: string) => meter().reserve(id, 400_000, LIMIT);
const storedKeys = () =>
  runInDurableObject(meter(), async (_, state) => Array.from(await state.storage.list(), ([key]) => key));
const alarmAtMs = () => runInDurableObject(meter(), (_, state) => state.storage.getAlarm());

/** Two runs of 0.40 USD fit into 1 USD. */
async function fill(): Promise<void> {
  expect([await reserve('a'), await reserve('b'), await reserve('c')]).toEqual(['admitted', 'admitted', 'full']);
}

describe('P5: the meter of unpaid engine money', () => {
  test('stays full when its object is restarted', async () => {
    await fill();
    await evictDurableObject(meter());
    expect(await reserve('c')).toBe('full');
    expect(await meter().reserve('c', 200_000, LIMIT)).toBe('admitted'); // What is left.
  });

  test('remembers a restart later how often one payment began', async () => {
    for (let run = 0; run < 3; run += 1) {
      expect(await meter().reserve('a', 1, LIMIT)).toBe('admitted');
      await evictDurableObject(meter());
    }
    expect(await meter().reserve('a', 1, LIMIT)).toBe('spent');
  });

  test('is freed by a payment, for good', async () => {
    await fill();
    await meter().paid('a');
    await evictDurableObject(meter());
    expect([await reserve('c'), await reserve('d')]).toEqual(['admitted', 'full']);
  });

  test('admits no more than fits when many come together', async () => {
    const verdicts = await Promise.all(Array.from({ length: 50 }, (_, run) => reserve(`payment-${run}`)));
    expect(verdicts.filter((verdict) => verdict === 'admitted')).toHaveLength(2);
  });

  test('is freed by time an hour after the money was spent, and not before', async () => {
    const clock = movableClock();
    await fill();
    clock.advance(HOUR_MS - 60_000);
    expect(await reserve('c')).toBe('full');
    clock.advance(60_000);
    expect(await reserve('c')).toBe('admitted');
  });

  test('keeps nothing once its alarm has come, an hour after the last that was asked of it', async () => {
    const clock = movableClock();
    await fill();
    clock.advance(HOUR_MS / 2);
    const before = Date.now();
    expect(await reserve('c')).toBe('full');
    const at = await alarmAtMs();
    expect(at).toBeGreaterThanOrEqual(before + HOUR_MS);
    expect(at).toBeLessThanOrEqual(Date.now() + HOUR_MS);
    expect(await runDurableObjectAlarm(meter())).toBe(true);
    expect(await storedKeys()).toEqual([]);
    expect(await reserve('c')).toBe('admitted');
  });
});
