import { afterEach, describe, expect, test, vi } from 'vitest';
import { toPaymentLine } from '../../../src/payment/ledger/list.ts';
import { PARALLEL_SHARDS, SHARDS, SHARD_MS, readEachShard, surveyShards } from '../../../src/payment/ledger/survey.ts';
import { type DayTotal, openMerge } from '../../../src/payment/ledger/totals.ts';
import { settledPhase, signedRow, transferRow } from './cases.ts';

afterEach(() => {
  vi.useRealTimers();
});

const lineAt = (day: string, count: number): DayTotal => ({
  day,
  kind: 'sale',
  capability: 'check_health',
  method: 'x402',
  reason: '',
  count,
  microUsdc: count * 60_000,
});

describe('a survey of the shards', () => {
  test('hands each answer on as it arrives, so that nobody holds them all', async () => {
    let read = 0;
    let taken = 0;
    let mostHeld = 0;
    const unread = await readEachShard(
      async (name) => {
        await Promise.resolve();
        read += 1;
        mostHeld = Math.max(mostHeld, read - taken);
        return name;
      },
      () => {
        taken += 1;
      },
    );
    expect({ unread, taken }).toEqual({ unread: 0, taken: SHARDS });
    expect(mostHeld).toBeLessThanOrEqual(PARALLEL_SHARDS);
  });

  test('is in the order of the shards, whichever answers first; one that fails is unread', async () => {
    const { found, unread } = await surveyShards(async (name, shard) => {
      if (shard === 3) throw new Error('away');
      if (shard % 2 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      return name;
    });
    expect(unread).toBe(1);
    expect(found.map(({ shard }) => shard)).toEqual(
      Array.from({ length: SHARDS }, (_, index) => index).filter((i) => i !== 3),
    );
    expect(found.at(-1)?.value).toBe('ff');
  });

  test('with a shard that hangs ends when that one has had its time, and counts it as unread', async () => {
    vi.useFakeTimers();
    let taken = 0;
    const survey = readEachShard(
      (_, shard) => (shard === 7 ? new Promise<number>(() => undefined) : Promise.resolve(shard)),
      () => {
        taken += 1;
      },
    );
    await vi.advanceTimersByTimeAsync(SHARD_MS);
    expect(await survey).toBe(1);
    expect(taken).toBe(SHARDS - 1);
  });
});

test('lines of many shards add up to one each; the shards keep theirs, and what came to nothing is left out', () => {
  const merge = openMerge();
  const first = [lineAt('2026-11-21', 1), lineAt('2026-11-22', 2)];
  merge.add(first);
  merge.add([lineAt('2026-11-22', 3), lineAt('2026-11-21', -1)]);
  expect(merge.lines()).toEqual([lineAt('2026-11-22', 5)]);
  expect(first).toEqual([lineAt('2026-11-21', 1), lineAt('2026-11-22', 2)]);
});

test.each([
  ['a settlement that no look was drawn for says so', signedRow(settledPhase), 'not_chosen'],
  ['of a transfer whose look left no word nothing is said', transferRow(settledPhase), undefined],
  ['a transfer whose look is to come says so', transferRow({ ...settledPhase, checkAtMs: 1 }), 'due'],
] as const)('%s', (_, row, seen) => {
  expect(toPaymentLine(row).proof.seen).toBe(seen);
});
