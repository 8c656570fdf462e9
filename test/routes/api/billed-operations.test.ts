import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readRegisters } from '../../../routes/api/bindings/console/console-counters.ts';
import { countedOperations } from '../../../scripts/docs/costs-data.ts';
import { type BilledOperations, countBilled } from '../../support/workers/billed-operations.ts';
import { buy, check, engineWorld } from './sales/engine-world.ts';
import { settleOnChain } from './sales/settling-chain.ts';
import { computeShardName } from '../../../src/payment/ledger/payment-key.ts';
import { createApp } from '../../../routes/api/app.ts';
import { localAnswers } from '../../../src/models/registry-local.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import { PAYER, post, signedCredential, world } from './world.ts';

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

const UNREPORTED = `SELECT (SELECT count(*) FROM outbox) +
  (SELECT count(*) FROM outbox_marks WHERE name = 'payments') AS found`;

/** A sale, and its reports to the books, which follow it: no buyer waits for them, and they are billed all the same. */
async function countSale(sell: () => Promise<void>): Promise<BilledOperations> {
  const shard = env.PAYMENT_LEDGER.getByName(await computeShardName(env.LEDGER_SECRET, PAYER));
  const exec = await runInDurableObject(shard, (_, { storage }) => storage.sql.exec.bind(storage.sql)); // Not counted.
  const countUnreported = () => runInDurableObject(shard, () => exec(UNREPORTED).one()['found']);
  const whenReported = async () => {
    await expect.poll(countUnreported, { timeout: 10_000 }).toBe(0);
  };
  await whenReported();
  return countBilled(bindings(), async () => {
    await sell();
    await whenReported();
  });
}

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
  const counted = await countSale(() => delivered(post({ capability: 'full_audit', credential })));
  expect(differences(counted, countedOperations.audit)).toEqual([]);
});

test('a measurement uses what the page of costs says', async () => {
  engineWorld();
  await openObjects('visibility_check');
  const credential = await signedCredential('visibility_check');
  const counted = await countSale(() => delivered(buy({ credential })));
  expect(differences(counted, countedOperations.measurement)).toEqual([]);
});

const app = createApp({ policy: () => allowPublicOnly({ alternatePorts: true }), local: false, engines: localAnswers });
const ANSWER_ENGINES = JSON.stringify(
  ['alpha', 'beta', 'gamma', 'delta'].map((name) => ({ name, kind: 'simulated', usd_per_run: 0.1 })),
);

/** Orders a panel where four engines are configured. */
async function orderPanel(engines: number, credential?: string): Promise<Response> {
  const context = createExecutionContext();
  const answer = await app.fetch(
    new Request(`${env.BASE_URL}/api/panels/visibility_panel_${engines}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'cf-connecting-ip': '203.0.113.77',
        ...(credential === undefined ? {} : { 'payment-signature': credential }),
      },
      body: JSON.stringify(check),
    }),
    { ...env, ANSWER_ENGINES },
    context,
  );
  await waitOnExecutionContext(context);
  return answer;
}

test.each([
  [2, countedOperations.panel2],
  [4, countedOperations.panel4],
])('a panel of %i engines uses what the page of costs says', async (engines, stated) => {
  engineWorld();
  const pay = async () => signedCredential('panel', { quote: await orderPanel(engines) });
  await delivered(orderPanel(engines, await pay()));
  const credential = await pay();
  const counted = await countSale(() => delivered(orderPanel(engines, credential)));
  expect(differences(counted, stated)).toEqual([]);
});
