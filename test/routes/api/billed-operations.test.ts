import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readRegisters } from '../../../routes/api/bindings/console-counters.ts';
import { countedOperations } from '../../../scripts/docs/costs-data.ts';
import { type BilledOperations, countBilled, openDirect } from '../../support/workers/billed-operations.ts';
import { listOpenedShards } from '../../support/workers/counted-payment-ledger.ts';
import { buy, engineWorld } from './sales/engine-world.ts';
import { settleOnChain } from './sales/settling-chain.ts';
import { post, signedCredential, world } from './world.ts';

beforeEach(() => {
  settleOnChain(world());
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const bindings = () => ({
  namespace: env.PAYMENT_LEDGER,
  object: env.PAYMENT_LEDGER.getByName('counted'),
  bucket: env.REPORTS,
});

const delivered = async (pending: Promise<Response>): Promise<void> => {
  const answer = await pending;
  expect(answer.status).toBe(200);
  await answer.text();
};

/** What differs from what the page of costs states: nothing may exceed it, and it is not far above the truth. */
const differences = (counted: BilledOperations, stated: BilledOperations): readonly string[] =>
  (Object.keys(stated) as (keyof BilledOperations)[]).flatMap((name) =>
    counted[name] <= stated[name] && stated[name] <= 3 * counted[name]
      ? []
      : [`${name}: ${counted[name]}, stated ${stated[name]}`],
  );

/** Sends now what shards report a second after a sale, so that it counts for the sale that it belongs to. */
async function reportToBooks(): Promise<void> {
  for (const id of listOpenedShards()) {
    const shard = openDirect(env.PAYMENT_LEDGER.get(env.PAYMENT_LEDGER.idFromString(id)));
    await runInDurableObject(shard, async (instance) => {
      expect(await instance.report()).not.toBe('failed');
    });
  }
}

/** One sale, with its report to the books. */
async function sell(capability: string, credential: string): Promise<void> {
  await delivered(capability === 'visibility_check' ? buy({ credential }) : post({ capability, credential }));
  await reportToBooks();
}

/** The first sale of a payer opens the objects, whose tables are made once. */
const openObjects = async (capability: string): Promise<void> => sell(capability, await signedCredential(capability));

test('an unpaid request uses no object and no bucket', async () => {
  // An isolate reports once in ten seconds how many there were: so long after all others it does, and then no more.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11_000 });
  await post({ capability: 'full_audit' });
  await vi.waitFor(async () => {
    const { unpaid } = await readRegisters(env).readDays('2020-01-01');
    expect(unpaid).not.toEqual([]);
  });
  const counted = await countBilled(bindings(), () => post({ capability: 'full_audit' }));
  expect(counted).toEqual(countedOperations.unpaid);
});

test('an audit uses what the page of costs says', async () => {
  await openObjects('full_audit');
  const credential = await signedCredential('full_audit');
  const counted = await countBilled(bindings(), () => sell('full_audit', credential));
  expect(differences(counted, countedOperations.audit)).toEqual([]);
});

test('a measurement uses what the page of costs says', async () => {
  engineWorld();
  await openObjects('visibility_check');
  const credential = await signedCredential('visibility_check');
  const counted = await countBilled(bindings(), () => sell('visibility_check', credential));
  expect(differences(counted, countedOperations.measurement)).toEqual([]);
});
