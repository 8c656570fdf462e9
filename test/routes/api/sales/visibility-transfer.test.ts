import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { buy, engineWorld, type EngineWorld, failing, saying, versus } from './engine-world.ts';
import { settleOnChain, transferOnChain } from './settling-chain.ts';
import { PAYER, problemOf, signedCredential, type World, world } from '../world.ts';

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

const meter = () => env.ENGINE_METER.getByName('engine-meter');

describe('a measurement that is paid by transaction hash', () => {
  test.each([
    ['visibility_check', undefined, 1_950_000],
    ['visibility_vs_competitor', versus, 3_500_000],
  ])(
    'P5: %s is sold while the meter is full for signed payments, and leaves nothing unpaid',
    async (capability, asked, price) => {
      expect(await meter().reserve('somebody', 4_900_000, 5_000_000)).toBe('admitted');
      const buying = { capability, ...(asked ? { asked } : {}) };
      const signed = await signedCredential(capability);
      expect(await problemOf(await buy({ ...buying, credential: signed }))).toEqual({
        status: 503,
        code: 'transfers_only',
      });
      const hash = transferOnChain(seen, price);
      const answer = await buy({ ...buying, credential: hash });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({
        capability,
        prompts: { total: 30, valid: 30 },
        payment: { method: 'transfer', transaction: hash, payer: PAYER, amount: String(price) },
      });
      expect(engine.asked).toHaveLength(30);
      expect(await meter().reserve('another', 100_000, 5_000_000)).toBe('admitted'); // What was left before.
      expect(seen.calls.settle).toEqual([]);
    },
  );

  test('is 502 with 23 answers, and the hash stays usable until it has bought one', async () => {
    let failures = 7;
    engine.answer = ({ index }) => (index < failures ? failing : saying('**Acme** is one.'));
    const credential = transferOnChain(seen, 1_950_000);
    expect(await problemOf(await buy({ credential }))).toEqual({ status: 502, code: 'measurement_incomplete' });
    failures = 6;
    const answer = await buy({ credential });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ degraded: true, mention_rate: { n: 24 } });
    expect(engine.asked).toHaveLength(60);
    const again = await buy({ credential });
    const { detail } = await again.clone().json<{ detail: string }>();
    expect(await problemOf(again)).toEqual({ status: 409, code: 'payment_already_used' });
    // P28: anyone knows the hash, and learns from it neither what was bought nor when.
    expect(detail).toMatch(/^It paid for one request\. .*payer proof .*\/reports\/<report_id>\.$/);
    expect(engine.asked).toHaveLength(60);
  });

  test('P5: that measures nothing costs engine money each time: it counts as unpaid, and a hash begins three in an hour', async () => {
    engine.answer = () => failing;
    const credential = transferOnChain(seen, 1_950_000);
    for (let run = 0; run < 3; run += 1)
      expect(await problemOf(await buy({ credential }))).toEqual({ status: 502, code: 'measurement_incomplete' });
    const unpaid = await meter().unpaidMicroUsd();
    expect(unpaid).toBeGreaterThan(0);
    expect(await problemOf(await buy({ credential }))).toEqual({ status: 429, code: 'too_many_failures' });
    expect(engine.asked).toHaveLength(90);
    // Another hash has its own three.
    engine.answer = () => saying('**Acme** is one.');
    expect((await buy({ credential: transferOnChain(seen, 1_950_000) })).status).toBe(200);
    expect(await meter().unpaidMicroUsd()).toBe(unpaid);
  });

  test('is refused when the transfer is smaller than its price, and no engine is asked', async () => {
    const credential = transferOnChain(seen, 1_949_999);
    expect(await problemOf(await buy({ credential }))).toEqual({ status: 402, code: 'transfer_too_small' });
    expect(engine.sent).toEqual([]);
  });
});
