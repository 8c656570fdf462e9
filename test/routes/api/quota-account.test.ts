import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { signedIn } from '../../durable-objects/authorization-world.ts';
import { balanceOf, postPack, signedPack } from './sales/credit-world.ts';
import { rpcOf } from './mcp/world.ts';
import { type Call, deployed, repeated, statuses, told, tools } from './quota-world.ts';
import { settleOnChain } from './sales/settling-chain.ts';
import { PAYER, world } from './world.ts';

beforeEach(() => {
  settleOnChain(world());
  const nowMs = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Requests of an account to the protected endpoint. */
async function account(scope: string[]) {
  const { access } = await signedIn({ scope, address: PAYER });
  const own = (call: Call): Call => ({
    ...call,
    path: '/mcp-account',
    headers: { ...call.headers, authorization: `Bearer ${access}` },
  });
  return {
    audit: own(tools('tools/call', { name: 'check_health', arguments: { url: 'https://shop.example/' } })),
    index: own(tools('tools/call', { name: 'index', arguments: {} })),
    list: own(tools('tools/list')),
  };
}

describe('calls that an account pays by credits', () => {
  test('meet no limit of free and MCP requests, and use none of it', async () => {
    await postPack(5, { credential: await signedPack(5) });
    const { audit, index } = await account(['audit:run', 'credits:use']);
    const worker = await deployed({ mcp: 10, free: 10 });
    expect(await statuses(worker, '192.0.2.240', 11, index)).toEqual([...repeated(200, 10), 429]);
    const answer = await worker.call('192.0.2.240', audit);
    expect([answer.status, ...told(answer)]).toEqual([200, '"mcp";q=10;w=60', null]);
    expect((await rpcOf(answer)).result).toMatchObject({ structuredContent: { payment: { method: 'credits' } } });
    await worker.call('192.0.2.241', audit);
    expect(told(await worker.call('192.0.2.241', index))[1]).toBe('"mcp";r=9;t=60');
  });

  test('come under the operator’s ceiling, before the account is asked', async () => {
    await postPack(5, { credential: await signedPack(5) });
    const { audit, list } = await account(['audit:run', 'credits:use']);
    const worker = await deployed({ paid: 30 });
    const paid = { 'payment-signature': 'x' };
    await statuses(worker, '192.0.2.242', 30, { ...audit, headers: { ...audit.headers, ...paid } });
    const refused = await worker.call('192.0.2.242', audit);
    expect([refused.status, ...told(refused)]).toEqual([429, '"paid";q=30;w=60', '"paid";r=0;t=60']);
    expect(await balanceOf()).toBe(5_000_000);
    expect((await worker.call('192.0.2.242', list)).status).toBe(200);
  });

  test('are none without the scope to spend: what is refused for that counts as free', async () => {
    const { audit, list } = await account(['audit:run']);
    const worker = await deployed({ mcp: 10 });
    expect(told(await worker.call('192.0.2.243', audit))).toEqual(['"mcp";q=10;w=60', '"mcp";r=9;t=60']);
    expect(told(await worker.call('192.0.2.243', list))[1]).toBe('"mcp";r=8;t=60');
  });
});
