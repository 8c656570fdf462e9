import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countedOperations } from '../../../scripts/docs/costs-data.ts';
import { type BilledOperations, countBilled } from '../../support/workers/billed-operations.ts';
import { buy, engineWorld } from './sales/engine-world.ts';
import { settleOnChain } from './sales/settling-chain.ts';
import { post, signedCredential, world } from './world.ts';

beforeEach(() => {
  settleOnChain(world());
});
afterEach(() => {
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

/** The first sale of a payer opens the objects, whose tables are made once. */
async function openObjects(capability: string): Promise<void> {
  const credential = await signedCredential(capability);
  await delivered(capability === 'visibility_check' ? buy({ credential }) : post({ capability, credential }));
}

test('an unpaid request uses no object and no bucket', async () => {
  // An isolate reports once in ten seconds how many there were.
  await post({ capability: 'full_audit' });
  const counted = await countBilled(bindings(), () => post({ capability: 'full_audit' }));
  expect(counted).toEqual(countedOperations.unpaid);
});

test('an audit uses what the page of costs says', async () => {
  await openObjects('full_audit');
  const credential = await signedCredential('full_audit');
  const counted = await countBilled(bindings(), () => delivered(post({ capability: 'full_audit', credential })));
  expect(differences(counted, countedOperations.audit)).toEqual([]);
});

test('a measurement uses what the page of costs says', async () => {
  engineWorld();
  await openObjects('visibility_check');
  const credential = await signedCredential('visibility_check');
  const counted = await countBilled(bindings(), () => delivered(buy({ credential })));
  expect(differences(counted, countedOperations.measurement)).toEqual([]);
});
