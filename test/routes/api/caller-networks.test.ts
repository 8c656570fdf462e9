import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { NETWORK_SHARES } from '../../../src/rate-limits/caller-counts.ts';
import { PREVIEW_QUOTA } from '../../../routes/api/pages/preview.ts';
import { askPreview, fromOurPage } from './pages/preview-world.ts';
import { deployed, repeated, statuses } from './quota-world.ts';
import { world } from './world.ts';

/** Addresses of one owner are in one /48, each in a /64 of its own. */
const address = (network: string, host: number): string => `2001:db8:${network}:${host.toString(16)}::1`;
const QUOTA = 10;

let nowMs = 0;
beforeEach(() => {
  world();
  nowMs = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('free answers', () => {
  test('the owner of a /48 has four shares, however many addresses ask, and hears when the next may', async () => {
    const worker = await deployed({ free: QUOTA });
    for (let host = 0; host < NETWORK_SHARES; host += 1)
      expect(await statuses(worker, address('a1', host), QUOTA)).toEqual(repeated(200, QUOTA));
    nowMs += 20_000;
    const refused = await worker.call(address('a1', NETWORK_SHARES));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40']);
    expect((await worker.call(address('a2', 0))).status).toBe(200);
    nowMs += 40_000;
    expect((await worker.call(address('a1', NETWORK_SHARES))).status).toBe(200);
  });

  test('an address that has used up its own takes nothing more from its network', async () => {
    const worker = await deployed({ free: QUOTA });
    expect(await statuses(worker, address('b1', 0), QUOTA * NETWORK_SHARES)).toEqual([
      ...repeated(200, QUOTA),
      ...repeated(429, QUOTA * (NETWORK_SHARES - 1)),
    ]);
    expect(await statuses(worker, address('b1', 1), QUOTA)).toEqual(repeated(200, QUOTA));
  });

  test('without a preference of the operator the platform is asked about the network, under four keys in turn', async () => {
    const limit = vi.fn<(asked: { key: string }) => Promise<{ success: boolean }>>(async ({ key }) => ({
      success: !key.startsWith('2001:db8:c1::/48'),
    }));
    const worker = await deployed({}, { FREE_LIMIT: { limit } });
    const found: number[] = [];
    // 30 of each key are free of a question.
    for (let host = 0; host < 30 * NETWORK_SHARES; host += 1)
      found.push((await worker.call(address('c1', host))).status);
    expect(found).toEqual(repeated(200, 30 * NETWORK_SHARES));
    expect(limit).not.toHaveBeenCalled();
    const answers = [];
    for (let host = 0; host < NETWORK_SHARES; host += 1) answers.push(await worker.call(address('c1', 200 + host)));
    expect(answers.map(({ status }) => status)).toEqual(repeated(429, NETWORK_SHARES));
    expect(answers.map(({ headers }) => headers.get('retry-after'))).toEqual(Array(NETWORK_SHARES).fill('60'));
    expect(new Set(limit.mock.calls.map(([{ key }]) => key)).size).toBe(NETWORK_SHARES);
    expect((await worker.call(address('c2', 0))).status).toBe(200);
  });

  test('paid calls are counted for each caller alone', async () => {
    const worker = await deployed({ paid: QUOTA });
    const call = { path: '/api/agent/check_health', method: 'POST', body: { url: 'https://shop.example/' } };
    const found = [];
    for (let host = 0; host <= NETWORK_SHARES; host += 1)
      found.push(...(await statuses(worker, address('d1', host), QUOTA, call)));
    expect(found).not.toContain(429);
  });
});

test('previews: the owner of a /48 has four shares a minute and in ten minutes, and hears when the next may', async () => {
  const status = async (host: number, run: number) => {
    const headers = fromOurPage({ 'cf-connecting-ip': address('e1', host) });
    const answer = await askPreview(`https://host-${host}-${run}.example/`, { headers });
    await answer.text();
    return [answer.status, answer.headers.get('retry-after')] as const;
  };
  const perMinute = PREVIEW_QUOTA.perMinute * NETWORK_SHARES;
  for (let run = 0; run < perMinute; run += 1) expect(await status(run, run)).toEqual([200, null]);
  const [code, wait] = await status(perMinute, 0);
  expect(code).toBe(429);
  expect(Number(wait)).toBeLessThanOrEqual(60);
  nowMs += 60_000;
  const left = (PREVIEW_QUOTA.perWindow - PREVIEW_QUOTA.perMinute) * NETWORK_SHARES;
  for (let run = 0; run < left; run += 1) expect(await status(100 + run, run)).toEqual([200, null]);
  nowMs += 60_000;
  expect(await status(200, 0)).toEqual([429, '480']);
});
