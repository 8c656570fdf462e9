import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { movableClock } from '../../../durable-objects/ledger-shard.ts';
import { buy, engineWorld, type EngineWorld, until } from './engine-world.ts';
import { settleOnChain } from './settling-chain.ts';
import { emptyChain, get, problemOf, type World, world } from '../world.ts';

let seen: World;
let engine: EngineWorld;
beforeEach(() => {
  seen = world();
  engine = engineWorld();
  settleOnChain(seen);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const DAY_MS = 86_400_000;
const hidden = { status: 404, code: 'run_not_found' };

/** What is answered under the id of the run that the queue was sent. */
const answers = (): Promise<Response> => get(`/runs/${engine.sent[0]?.runId ?? 'none'}.json`);

describe('the answers of a run', () => {
  test('P3, P11: are hidden while it is measured and settled, and open once that is done', async () => {
    const settle = seen.settle as () => Response;
    const facilitator = Promise.withResolvers<void>();
    seen.settle = async () => {
      await facilitator.promise;
      return settle();
    };
    engine.hold = true;
    const sale = buy();
    await until(() => engine.sent.length === 30);
    expect(await problemOf(await answers())).toEqual(hidden);
    await engine.deliver();
    await until(() => seen.calls.settle.length === 1);
    expect(await problemOf(await answers())).toEqual(hidden);
    facilitator.resolve();
    const { run_id } = (await (await sale).json()) as { run_id: string };
    const open = await answers();
    expect(open.status).toBe(200);
    expect(await open.json()).toMatchObject({ run: { runId: run_id } });
  });

  test('P3, P11: stay hidden when the settlement is refused', async () => {
    seen.settle = { success: false, errorReason: 'insufficient_funds', transaction: '', network: 'eip155:8453' };
    expect((await buy()).status).toBe(402);
    expect(engine.asked).toHaveLength(30);
    expect(await problemOf(await answers())).toEqual(hidden);
  });

  test('P3, P11: stay hidden when nobody knows whether the settlement was made', async () => {
    seen.settle = () => new Response('bad gateway', { status: 502 });
    seen.rpc = emptyChain;
    expect((await buy()).status).toBe(503);
    expect(await problemOf(await answers())).toEqual(hidden);
  });

  test('can be read for 30 days and no longer', async () => {
    const clock = movableClock();
    expect((await buy()).status).toBe(200);
    clock.advance(30 * DAY_MS - 60_000);
    expect((await answers()).status).toBe(200);
    clock.advance(60_000 + 1000);
    expect(await problemOf(await answers())).toEqual({ status: 410, code: 'report_expired' });
  });
});
