import { expect } from 'vitest';
import type { SoldRow } from '../../../../src/capabilities/credit-packs.ts';
import { soldRoutes } from '../../../../src/capabilities/sold-routes.ts';
import { SOLANA } from '../../../../src/payment/terms/networks-data.ts';
import { getSeller } from '../../../../src/sales/seller.ts';
import { apiWorkerSettingsSchema } from '../../../../src/sales/settings.ts';
import { PAY_TO } from '../../terms/offer-cases.ts';
import { find, withTransaction } from '../cases/x402-svm.ts';
import type { RailCase } from '../support/rail-case.ts';
import { SVM_FEE_PAYER, SVM_PAY_TO } from '../support/svm-parties.ts';
import { codeOf, openWorld, PRICE } from '../support/world.ts';
import { limitsRuns, withFacilitator } from './settlement.ts';

/** P5: and none of them spends engine money. */
export async function limitsUnpaid(rail: RailCase): Promise<void> {
  await limitsRuns(rail);
  await refuses(rail, ({ engineBacked }) => engineBacked);
}

/** P6: accounts are of other addresses, so packs of credits are sold on other networks alone. */
export async function creditsNobody(rail: RailCase): Promise<void> {
  await refuses(rail, ({ forPayerOnly }) => forPayerOnly === true);
}

/** What is not sold on Solana is not sold to a message that is made for it all the same. */
async function refuses(rail: RailCase, isOne: (row: SoldRow) => boolean): Promise<void> {
  const row = { network: SOLANA.id, rpc_url: 'https://rpc.test', pay_to: SVM_PAY_TO, fee_payer: SVM_FEE_PAYER };
  const settings = apiWorkerSettingsSchema.parse({
    BASE_URL: 'https://sightline.test',
    PAY_TO,
    RPC_URL: 'https://rpc.test',
    FACILITATOR_URL: 'https://facilitator.test',
    PAYMENTS_SINCE: '1700000000',
    LEDGER_SECRET: 'test-ledger-secret-of-32-bytes-or-more',
    PAYMENT_NETWORKS: JSON.stringify([row]),
  });
  const onSolana = (await getSeller(settings, false))?.on.get(SOLANA.id);
  const world = openWorld(rail);
  const rows = soldRoutes.map(({ row: sold }) => sold).filter(isOne);
  expect(rows.length).toBeGreaterThan(0);
  for (const { name, priceMicroUsdc: microUsdc } of rows) {
    const offer = onSolana?.offers.get(name)?.offer;
    if (offer === undefined) throw new TypeError('no offer');
    const order = { capability: name, microUsdc };
    const paid = await rail.pay(world, order);
    expect(codeOf(await world.buy(paid, { order, offer: { ...offer, feePayer: offer.feePayer } }))).toBe('wrong_terms');
  }
  expect(world.calls).toEqual({ verify: 0, settle: 0, work: 0 });
}

/** P16: when the ledger has forgotten a message, its recent block is long gone, and the chain refuses it. */
export async function outlivesMessage(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const paid = await rail.pay(world);
  const { text, key } = paid.place();
  expect(codeOf(await world.buy(paid))).toBe('sold');
  await world.pass(3_600_000);
  expect(await world.stateOf(text, key)).toBe('settled');
  await world.pass(48 * 3_600_000);
  expect(await world.stateOf(text, key)).toBe('absent');
  expect(codeOf(await world.buy(paid))).toBe('payment_refused');
  expect(world.calls.work).toBe(1);
  expect(world.chain.receivedFrom(paid.payer.address)).toBe(PRICE);
  const open = await rail.pay(world);
  const silent = withFacilitator(() => ({ settle: async () => ({ kind: 'unknown', detail: 'no answer came' }) }));
  world.chain.state.safeS = world.nowS();
  expect(codeOf(await world.buy(open, { change: silent }))).toBe('settlement_unknown');
  await world.pass(48 * 3_600_000);
  expect(await world.stateOf(open.place().text, open.place().key)).toBe('unsettled');
}

/** P17: a message ends with its recent block; one that never ends is none. */
export async function takesRecentBlocks(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const paid = await rail.pay(world);
  const { wire } = find(paid);
  // The program that advances a durable nonce, in the place of the compute budget.
  const durable = Buffer.from(wire.toString('hex').replace(COMPUTE_BUDGET, SYSTEM), 'hex');
  expect(durable.equals(wire)).toBe(false);
  expect(codeOf(await world.buy(withTransaction(find(paid), durable.toString('base64'))))).toBe('invalid_payload');
  expect(world.calls).toEqual({ verify: 0, settle: 0, work: 0 });
  const old = await rail.pay(world, {}, { lifeS: 60 });
  await world.pass(61_000);
  expect(codeOf(await world.buy(old))).toBe('payment_refused');
  expect(world.calls).toEqual({ verify: 1, settle: 0, work: 0 });
}

const COMPUTE_BUDGET = '0306466fe5211732ffecadba72c39be7bc8ce5bbc5f7126b2c439b3a40000000';
const SYSTEM = '0'.repeat(64);

/** P20: what was carried out is the same payment as what was signed, and its signature alone is none. */
export async function sellsNoCarriedOut(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const paid = await rail.pay(world);
  const answer = await world.buy(paid);
  if (answer.kind !== 'sold') throw new Error(codeOf(answer));
  const { payment } = JSON.parse(answer.body) as { payment: { transaction: string } };
  expect(codeOf(await world.buy({ ...paid, text: payment.transaction }))).toBe('invalid_payload');
  const carriedOut = world.svm.findWire(find(paid).hash) ?? '';
  expect(carriedOut.length).toBeGreaterThan(100);
  expect(codeOf(await world.buy(withTransaction(find(paid), carriedOut)))).toBe('payment_already_used');
  expect(world.reports.size).toBe(1);
}
