import { afterEach, describe, expect, test, vi } from 'vitest';
import { toPaymentLine } from '../../../src/payment/ledger/list.ts';
import { askShards, PARALLEL_SHARDS, SHARDS_MS } from '../../../src/payment/ledger/survey.ts';
import { settledPhase, signedRow, transferRow } from './cases.ts';

afterEach(() => {
  vi.useRealTimers();
});

const names = Array.from({ length: 100 }, (_, shard) => shard.toString(16).padStart(2, '0'));

describe('shards that are asked', () => {
  test('are asked so many at once, and one that fails or declines is not among those that answered', async () => {
    let asking = 0;
    let most = 0;
    const answered = await askShards(names, async (name) => {
      asking += 1;
      most = Math.max(most, asking);
      await Promise.resolve();
      asking -= 1;
      if (name === '03') throw new Error('away');
      return name !== '04';
    });
    expect(new Set(answered)).toEqual(new Set(names.filter((name) => name !== '03' && name !== '04')));
    expect(most).toBeLessThanOrEqual(PARALLEL_SHARDS);
  });

  test('have the time of a page: what hangs is left out, and nothing more is begun', async () => {
    vi.useFakeTimers();
    const asked: string[] = [];
    const asking = askShards(names, async (name) => {
      asked.push(name);
      if (name === '00') return true;
      return new Promise<boolean>(() => undefined);
    });
    await vi.advanceTimersByTimeAsync(SHARDS_MS);
    expect(await asking).toEqual(['00']);
    expect(asked).toHaveLength(PARALLEL_SHARDS + 1);
  });
});

test.each([
  ['a settlement that no look was drawn for says so', signedRow(settledPhase), 'not_chosen'],
  ['of a transfer whose look left no word nothing is said', transferRow(settledPhase), undefined],
  ['a transfer whose look is to come says so', transferRow({ ...settledPhase, checkAtMs: 1 }), 'due'],
] as const)('%s', (_, row, seen) => {
  expect(toPaymentLine(row).proof.seen).toBe(seen);
});

test('a payment whose address may sign in by another person says so, and no other does', () => {
  const row = signedRow(settledPhase);
  expect(toPaymentLine({ ...row, isUnlisted: true }).isUnlisted).toBe(true);
  expect(toPaymentLine(row)).not.toHaveProperty('isUnlisted');
});
