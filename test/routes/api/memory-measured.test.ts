import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Hold, heldBytes, MAX_HELD_BYTES } from '../../../src/net/held-bytes.ts';
import { ENGINE_CLAIMS } from '../../../src/payment/ledger/row.ts';
import { buy, engineWorld, type EngineWorld } from './sales/engine-world.ts';
import { settleOnChain, transferOnChain } from './sales/settling-chain.ts';
import { problemOf, type World, world } from './world.ts';

let seen: World;
let engine: EngineWorld;
let taken: Hold | undefined;
beforeEach(() => {
  seen = world();
  engine = engineWorld();
  settleOnChain(seen);
});
afterEach(() => {
  taken?.release();
  vi.restoreAllMocks();
});

test('B4: no memory uses up no claim of a measurement that is paid: no engine was asked', async () => {
  const credential = transferOnChain(seen, 1_950_000);
  // There is room when it is looked for, and none when the work begins: others took it meanwhile.
  const looked = vi.spyOn(heldBytes, 'hasRoom').mockReturnValue(true);
  taken = heldBytes.take('body', MAX_HELD_BYTES - heldBytes.held());
  for (let tried = 0; tried <= ENGINE_CLAIMS; tried += 1)
    expect(await problemOf(await buy({ credential }))).toEqual({ status: 503, code: 'service_busy' });
  taken?.release();
  looked.mockRestore();
  expect(engine.asked).toHaveLength(0);
  expect((await buy({ credential })).status).toBe(200);
});
