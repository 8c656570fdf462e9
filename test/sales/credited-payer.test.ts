import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { creditPacks, type SoldRow } from '../../src/capabilities/credit-packs.ts';
import type { ClaimRequest } from '../../src/payment/ledger/protocol.ts';
import { BASE, type PaymentNetwork, POLYGON } from '../../src/payment/terms/networks-data.ts';
import { refuseCreditedPayer } from '../../src/sales/credited-payer.ts';
import { find, prove, transfer } from '../payment/rails/cases/transfer.ts';
import { x402Evm } from '../payment/rails/cases/x402-evm.ts';
import { base64 } from '../payment/terms/offer-cases.ts';
import {
  type BuyOptions,
  codeOf,
  openWorld,
  startClock,
  stopClock,
  type Tools,
  type World,
} from '../payment/rails/support/world.ts';

beforeEach(startClock);
afterEach(stopClock);

const [pack] = creditPacks;
if (pack === undefined) throw new Error('no packs');
const order = { capability: pack.name, body: '{}', microUsdc: pack.priceMicroUsdc };

/** The deployment sells on Base and on Polygon, and this payment is for `network`; its facilitator finds all good. */
function on(network: PaymentNetwork, claims: ClaimRequest[] = []): BuyOptions & { change: (tools: Tools) => Tools } {
  return {
    offer: { network },
    change: ({ seller, shardOf, facilitator, ...tools }) => ({
      ...tools,
      seller: { ...seller, network, on: new Map([BASE, POLYGON].map((one) => [one.id, seller] as const)) },
      facilitator: {
        ...facilitator,
        verify: async (payment) => ({
          kind: 'valid',
          payer: 'authorization' in payment ? payment.authorization.from : '',
        }),
      },
      topUp: async () => undefined,
      shardOf: async (text) => {
        const { shard, ledger } = await shardOf(text);
        return { shard, ledger: { ...ledger, claim: (request) => (claims.push(request), ledger.claim(request)) } };
      },
    }),
  };
}

const rails = [x402Evm, transfer];

describe.each(rails)('P6: credits by $id', (rail) => {
  const payOn = async (world: World, network: PaymentNetwork, isContract: boolean) =>
    rail.pay(world, order, { network, payer: world.newPayer('wallet', isContract) });

  test('are sold to a contract wallet on the first network alone', async () => {
    const elsewhere = openWorld({ network: POLYGON });
    const claims: ClaimRequest[] = [];
    const paid = await payOn(elsewhere, POLYGON, true);
    const refused = await elsewhere.buy(paid, { order, row: pack, ...on(POLYGON, claims) });
    expect(codeOf(refused)).toBe('payer_key_required');
    expect([claims, elsewhere.calls.settle]).toEqual([[], 0]);
    const world = openWorld();
    expect(codeOf(await world.buy(await payOn(world, BASE, true), { order, row: pack, ...on(BASE) }))).toBe('sold');
  });

  test('are sold to the holder of a key on each network', async () => {
    for (const network of [BASE, POLYGON]) {
      const world = openWorld({ network });
      const paid = await payOn(world, network, false);
      expect(codeOf(await world.buy(paid, { order, row: pack, ...on(network) }))).toBe('sold');
    }
  });

  test.each([
    [BASE, true, undefined],
    [POLYGON, true, true],
    [POLYGON, false, undefined],
  ])('on %o a report of a contract wallet (%s) is on no list: %s', async (network, isContract, isUnlisted) => {
    const world = openWorld({ network });
    const claims: ClaimRequest[] = [];
    const paid = await rail.pay(world, {}, { network, payer: world.newPayer('wallet', isContract) });
    expect(codeOf(await world.buy(paid, on(network, claims)))).toBe('sold');
    expect(claims.at(-1)?.isUnlisted).toBe(isUnlisted);
  });
});

test('P6: a transfer of a contract wallet that buys no credits still buys a report', async () => {
  const world = openWorld({ network: POLYGON });
  const paid = await transfer.pay(world, order, { network: POLYGON, payer: world.newPayer('wallet', true) });
  expect(codeOf(await world.buy(paid, { order, row: pack, ...on(POLYGON) }))).toBe('payer_key_required');
  const { hash, payer } = find(paid);
  const text = base64(await prove(world, hash, {}, { signer: payer, terms: { network: POLYGON } }));
  expect(codeOf(await world.buy({ ...paid, text }, on(POLYGON)))).toBe('sold');
});

describe.each(rails)('P6: a removed wallet by $id', (rail) => {
  /** The store says so from the given question on. */
  const shutFrom = (question: number): BuyOptions => {
    let asked = 0;
    return { change: (tools) => ({ ...on(BASE).change(tools), isShutOut: async () => (asked += 1) >= question }) };
  };

  test('buys nothing, before anything is claimed', async () => {
    const world = openWorld();
    const paid = await rail.pay(world, order);
    expect(codeOf(await world.buy(paid, { order, row: pack, ...shutFrom(1) }))).toBe('wallet_removed');
    const { text, key } = paid.place();
    expect(await world.stateOf(text, key)).toBe('absent');
    expect(codeOf(await world.buy(paid, { order, row: pack, ...on(BASE) }))).toBe('sold');
  });

  test('that is removed while it pays is not charged, and buys once it is back', async () => {
    const world = openWorld();
    const paid = await rail.pay(world, order);
    expect(codeOf(await world.buy(paid, { order, row: pack, ...shutFrom(2) }))).toBe('wallet_removed');
    expect([world.calls.settle, world.reports.size]).toEqual([0, 0]);
    const { text, key } = paid.place();
    expect(await world.stateOf(text, key)).toBe('unsettled');
    expect(codeOf(await world.buy(paid, { order, row: pack, ...on(BASE) }))).toBe('sold');
  });

  test('gets again what it bought before', async () => {
    const world = openWorld();
    const paid = await rail.pay(world, order);
    expect(codeOf(await world.buy(paid, { order, row: pack, ...on(BASE) }))).toBe('sold');
    expect(codeOf(await world.buy(paid, { order, row: pack, ...shutFrom(1) }))).toBe('sold');
  });

  test('buys reports as before: those are credited to no account', async () => {
    const world = openWorld();
    expect(codeOf(await world.buy(await rail.pay(world), shutFrom(1)))).toBe('sold');
  });
});

test('what is credited to no account asks no store who its payer is', async () => {
  const never = (): never => {
    throw new Error('asked');
  };
  const row: Pick<SoldRow, 'forPayerOnly'> = {};
  const tools = { seller: { on: new Map() } as Tools['seller'], isShutOut: never };
  expect(await refuseCreditedPayer(tools, row, { payer: '0x1', network: POLYGON, isByKey: never })).toBeUndefined();
});
