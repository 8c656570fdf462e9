import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TRUST_OBJECT, type TrustKeeper } from '../../../../src/payment/facilitator/trust.ts';
import { settleOnChain } from './settling-chain.ts';
import { post, problemOf, signedCredential, type World, world } from '../world.ts';

let seen: World;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

test('B11.8: a facilitator whose settlements were not on chain three times delivers nothing by its word alone', async () => {
  const errors: string[] = [];
  vi.spyOn(console, 'error').mockImplementation((line: unknown) => void errors.push(String(line)));
  const keeper = env.PAYMENT_LEDGER.getByName(TRUST_OBJECT) as unknown as TrustKeeper;
  expect((await post({ credential: await signedCredential() })).status).toBe(200); // Nothing of it is on chain.
  for (const key of ['a', 'b', 'c']) await keeper.noteMismatch(key);
  expect(errors).toContain('{"event":"facilitator_distrusted","mismatches":3}');

  // Later than any test of this isolate before, which may have looked on a clock of its own.
  const laterMs = Date.now() + 3_600_000;
  vi.spyOn(Date, 'now').mockReturnValue(laterMs);
  expect(await problemOf(await post({ credential: await signedCredential() }))).toEqual({
    status: 503,
    code: 'settlement_unknown',
  });
  settleOnChain(seen);
  const { rpc } = seen;
  // The balance covers the sale that is in doubt as well.
  seen.rpc = (method, params) =>
    method === 'eth_call' ? `0x${'f'.repeat(10).padStart(64, '0')}` : rpc(method, params);
  expect((await post({ credential: await signedCredential() })).status).toBe(200);
  expect(await keeper.isDistrusted()).toBe(true);

  vi.spyOn(Date, 'now').mockReturnValue(laterMs + 3_600_000);
  for (let count = 0; count < 20; count += 1) await keeper.noteGoodLook();
  expect(await keeper.isDistrusted()).toBe(false);
  // The isolate looks again after a while, and takes its word again: later tests of this isolate meet no distrust.
  vi.spyOn(Date, 'now').mockReturnValue(laterMs + 3_600_000 + 31_000);
  seen.rpc = rpc;
  expect((await post({ credential: await signedCredential() })).status).toBe(200);
});
