import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call, postPack, rowOf, signedPack } from '../sales/credit-world.ts';
import { badge, buy, historyOf, orderOf, tell, type Bought } from './publish-world.ts';
import { settleOnChain } from '../sales/settling-chain.ts';
import { post, world } from '../world.ts';

beforeEach(() => {
  settleOnChain(world());
});
afterEach(() => {
  vi.restoreAllMocks();
});

const HOST = 'shop.example';
const ASKED = { url: `https://${HOST}/`, publish: true };

/** A sale that can be repeated, by each way of paying. */
const ways: Record<string, () => Promise<() => Promise<Bought>>> = {
  'a signed payment': async () => {
    const order = await orderOf(ASKED);
    return async () => (await (await post(order)).json()) as Bought;
  },
  'prepaid credits': async () => {
    await postPack(5, { credential: await signedPack(5) });
    return async () => {
      const answer = await call({ row: rowOf('full_audit'), args: ASKED, idempotencyKey: 'the-same' });
      if (answer.kind !== 'sold') throw new Error(`not sold: ${answer.problem.code}`);
      return JSON.parse(answer.body) as Bought;
    };
  },
};

test.each(Object.keys(ways))(
  'X5: a repeat of a purchase by %s leaves alone what was taken back, until its buyer publishes it',
  async (way) => {
    const sell = await ways[way]?.();
    if (!sell) throw new Error(`no way ${way}`);
    const { report_id: id, publish_token: token = '' } = await sell();
    const publishedIds = async () => ((await historyOf(HOST))?.entries ?? []).map((entry) => entry.report_id);
    const afterRepeat = async () => {
      expect((await sell()).report_id).toBe(id);
      return publishedIds();
    };
    expect(await afterRepeat()).toEqual([id]);
    expect((await tell('unpublish', id, token)).status).toBe(200);
    expect(await afterRepeat()).toEqual([]);
    expect(await badge(HOST)).toContain('not published');
    const { report_id: other } = await buy({ publish: true });
    expect(await afterRepeat()).toEqual([other]);
    expect((await tell('publish', id, token)).status).toBe(200);
    expect((await afterRepeat()).toSorted()).toEqual([id, other].toSorted());
  },
);
