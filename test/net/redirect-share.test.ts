import { describe, expect, test } from 'vitest';
import { createRedirectShares } from '../../src/net/redirect-share.ts';

/** How many redirects each of some requests got, which want `wanted` each and whose answers come in `order`. */
async function share(left: number, wanted: readonly number[], order: readonly number[]): Promise<readonly number[]> {
  const shares = createRedirectShares(left);
  const members = wanted.map(() => shares.join());
  const got = wanted.map(() => 0);
  const follow = async (index: number): Promise<void> => {
    const member = members[index];
    while ((got[index] ?? 0) < (wanted[index] ?? 0) && ((await member?.mayFollow()) ?? false))
      got[index] = (got[index] ?? 0) + 1;
    member?.end();
  };
  await Promise.all(order.map(follow));
  return got;
}

const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

describe('redirects that requests share', () => {
  test.each([
    ['enough for all', 9, [1, 2, 3], [1, 2, 3]],
    ['none', 0, [1, 2, 3], [0, 0, 0]],
    ['an earlier one goes first', 3, [1, 2, 3], [1, 2, 0]],
    ['what is left goes to a later one', 4, [0, 2, 5], [0, 2, 2]],
  ])('%s, whatever is answered first', async (_name, left, wanted, expected) => {
    for (const order of ORDERS) expect(await share(left, wanted, order)).toEqual(expected);
  });

  test('a later one does not wait where all that earlier ones may follow is left', async () => {
    const shares = createRedirectShares(6);
    shares.join();
    expect(await shares.join().mayFollow()).toBe(true);
  });

  test('one whose time is over while it waits takes nothing of what is left', async () => {
    const shares = createRedirectShares(1);
    const [first, late, last] = [shares.join(), shares.join(), shares.join()];
    const waited = late.mayFollow();
    late.end();
    first.end();
    expect([await waited, await last.mayFollow()]).toEqual([false, true]);
  });
});
