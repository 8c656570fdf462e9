import { expect } from 'vitest';
import {
  createFacilitator,
  type Facilitator,
  type SettleOutcome,
} from '../../../../src/payment/facilitator/facilitator.ts';
import { LedgerUnavailable } from '../../../../src/payment/ledger/protocol.ts';
import { buildRequirements } from '../../../../src/payment/terms/terms.ts';
import { getReasonRow, type PaymentReason } from '../../../../src/payment/terms/reasons.ts';
import { BASE } from '../../../../src/payment/terms/networks-data.ts';
import { base64 } from '../../terms/offer-cases.ts';
import { prove, showHash } from '../cases/transfer.ts';
import type { RailCase } from '../support/rail-case.ts';
import {
  type BuyOptions,
  BODIES,
  codeOf,
  DONE,
  drive,
  makeGate,
  openWorld,
  ORDER,
  PRICE,
  settleDown,
  type Tools,
  type World,
} from '../support/world.ts';

const ONE_DOLLAR = 1_000_000;
const UNKNOWN = { kind: 'unknown', detail: 'no answer came' } as const;

/** Another facilitator for one purchase. */
export const withFacilitator =
  (change: (honest: Facilitator) => Partial<Facilitator>) =>
  (tools: Tools): Tools => ({ ...tools, facilitator: { ...tools.facilitator, ...change(tools.facilitator) } });

/** A facilitator that answers at once, and whose transaction lands when the test says so. */
function sendLate(says: SettleOutcome) {
  const late = { land: async (): Promise<unknown> => undefined };
  const change = withFacilitator(({ settle }) => ({
    settle: async (...given) => {
      late.land = () => settle(...given);
      return says;
    },
  }));
  return { change, land: () => late.land() };
}

const silent = withFacilitator(() => ({ settle: async () => UNKNOWN }));
const refuses = ({ wordOfUnsent: reason }: RailCase) =>
  withFacilitator(() => ({ settle: async () => ({ kind: 'refused', reason }) }));

const statusOf = (code: string): number => getReasonRow(code as PaymentReason).status;

async function expectNothing(world: World, place: { text: string; key: string }): Promise<void> {
  expect(await world.stateOf(place.text, place.key)).toBe('absent');
  expect(world.calls.work).toBe(0);
}

/** P4: of the first settlement, of one after another, and of what comes of that. */
export async function asksChainAfterRefusal(rail: RailCase): Promise<void> {
  await asksChainAfterFirstRefusal(rail);
  await doubtsLaterRefusal(rail);
  await findsLateAfterRefusal(rail);
  await endsDoubtUnpaid(rail);
}

/** P4: refused, and the money moved; refused, and it did not; refused, and it moves later. */
async function asksChainAfterFirstRefusal(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const moved = withFacilitator(({ settle }) => ({
    settle: async (...given) => {
      await settle(...given);
      return { kind: 'refused', reason: 'transaction_failed' };
    },
  }));
  expect(codeOf(await world.buy(await rail.pay(world), { change: moved }))).toBe('sold');

  const paid = await rail.pay(world);
  expect(codeOf(await world.buy(paid, { change: refuses(rail) }))).toBe('settlement_refused');
  expect(world.chain.receivedFrom(paid.payer.address)).toBe(0);

  const late = await rail.pay(world);
  const sent = sendLate({ kind: 'refused', reason: rail.wordOfUnsent });
  expect(codeOf(await world.buy(late, { change: sent.change }))).toBe('settlement_refused');
  await sent.land();
  await world.pass(75_000);
  expect(codeOf(await world.buy(late))).toBe('sold');
  expect(world.chain.receivedFrom(late.payer.address)).toBe(PRICE);
}

/** P4: where an earlier settlement may be under way, the refusal of a later one says nothing of the money. */
async function doubtsLaterRefusal(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const paid = await rail.pay(world);
  const pending = sendLate(UNKNOWN);
  const code = codeOf(await world.buy(paid, { change: pending.change }));
  expect([code, statusOf(code)]).toEqual(['settlement_unknown', 503]);
  for (let repeat = 0; repeat < 2; repeat += 1) {
    const answer = await world.buy(await rail.showAgain(world, paid), { change: refuses(rail) });
    expect(answer).toMatchObject({
      kind: 'problem',
      problem: { code: 'settlement_unknown', status: 503, retryAfterS: expect.any(Number) },
    });
  }
  await pending.land();
  expect(codeOf(await world.buy(await rail.showAgain(world, paid), { change: refuses(rail) }))).toBe('sold');
  expect(world.chain.receivedFrom(paid.payer.address)).toBe(PRICE);
  expect(world.calls.work).toBe(1);
}

/** P4: the alarm finds what lands after the refusal, whether or not the buyer comes back before. */
async function findsLateAfterRefusal(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const paid = await rail.pay(world);
  const { text, key } = paid.place();
  const pending = sendLate(UNKNOWN);
  await world.buy(paid, { change: pending.change });
  await world.buy(await rail.showAgain(world, paid), { change: refuses(rail) });
  await pending.land();
  await world.pass(75_000);
  expect(await world.stateOf(text, key)).toBe('settled');
  const settled = world.calls.settle;
  expect(codeOf(await world.buy(await rail.showAgain(world, paid)))).toBe('sold');
  expect(world.calls.settle).toBe(settled);
  expect(world.chain.receivedFrom(paid.payer.address)).toBe(PRICE);
}

/** P4: the doubt ends at a safe block past the end of the payment, and then another payment is the right next step. */
async function endsDoubtUnpaid(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const paid = await rail.pay(world);
  const { text, key } = paid.place();
  world.chain.state.safeS = world.nowS();
  await world.buy(paid, { change: silent });
  await world.buy(await rail.showAgain(world, paid), { change: refuses(rail) });
  await world.pass(600_000);
  expect(await world.stateOf(text, key)).toBe('unsettled');
  const open = await world.buy(await rail.showAgain(world, paid), { change: refuses(rail) });
  expect(codeOf(open)).toBe('settlement_unknown');
  world.chain.state.safeS = undefined;
  await world.pass(75_000);
  expect(await world.stateOf(text, key)).toBe('absent');
  expect(world.reports.size).toBe(0);
  const over = codeOf(await world.buy(await rail.showAgain(world, paid), { change: refuses(rail) }));
  expect([over, statusOf(over)]).toEqual([rail.wordOfEnded, 402]);
  expect(codeOf(await world.buy(await rail.pay(world, {}, { payer: paid.payer })))).toBe('sold');
  expect(world.chain.receivedFrom(paid.payer.address)).toBe(PRICE);
}

/** P5: at most four runs of a payer are unpaid, and only as far as its balance goes; engine money has a limit for all. */
export async function limitsUnpaid(rail: RailCase): Promise<void> {
  await limitsRuns(rail);
  const world = openWorld(rail);
  const order = { engine: true };
  const full = (tools: Tools): Tools => ({ ...tools, meter: { ...tools.meter, reserve: async () => 'full' } });
  expect(codeOf(await world.buy(await rail.pay(world, order), { order, change: full }))).toBe('transfers_only');
}

/** P5: of work that spends no engine money. */
export async function limitsRuns(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const rich = world.newPayer('rich');
  const gate = makeGate();
  const purchases: Promise<unknown>[] = [];
  for (let run = 0; run < 4; run += 1) {
    world.works.push(async () => gate.opened.then(() => DONE));
    purchases.push(world.begin(await rail.pay(world, {}, { payer: rich })));
    await settleDown();
  }
  expect(codeOf(await world.buy(await rail.pay(world, {}, { payer: rich })))).toBe('too_many_in_flight');

  const poor = world.newPayer('poor');
  world.chain.setBalance(poor.address, BigInt(PRICE) + 1n);
  world.works.push(async () => gate.opened.then(() => DONE));
  purchases.push(world.begin(await rail.pay(world, {}, { payer: poor })));
  await settleDown();
  expect(codeOf(await world.buy(await rail.pay(world, {}, { payer: poor })))).toBe('too_many_in_flight');
  gate.open();
  await drive(Promise.all(purchases));
}

/** P7: a client that changes terms, and what the facilitator gets of them. */
export async function keepsOurTerms(rail: RailCase): Promise<void> {
  await refusesOtherFlow(rail);
  const world = openWorld(rail);
  for (const terms of [{ microUsdc: 1 }, { payTo: rail.foreign.payTo }]) {
    expect(['wrong_amount', 'wrong_recipient']).toContain(codeOf(await world.buy(await rail.pay(world, {}, terms))));
  }
  expect(world.calls).toEqual({ verify: 0, settle: 0, work: 0 });
  const asked: unknown[] = [];
  const watching = withFacilitator(({ verify, settle }) => ({
    verify: (payment, requirements) => {
      asked.push(requirements);
      return verify(payment, requirements);
    },
    settle: (payment, requirements) => {
      asked.push(requirements);
      return settle(payment, requirements);
    },
  }));
  const paid = await rail.pay(world, {}, { extra: { name: 'Fake Coin', note: 'mine' } });
  expect(codeOf(await world.buy(paid, { change: watching }))).toBe('sold');
  const ours = buildRequirements(world.buildOffer(ORDER), PRICE);
  expect(asked).toMatchObject([ours, ours]);
}

/** P7: another way to pay than the one that is sold is no payment. */
export async function refusesOtherFlow(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  for (const extra of [{ assetTransferMethod: 'permit2' }, { paymentFlow: 'upfront' }]) {
    expect(codeOf(await world.buy(await rail.pay(world, {}, { extra })))).toBe('invalid_payload');
  }
  expect(world.calls).toEqual({ verify: 0, settle: 0, work: 0 });
}

/** P12: a forged signature costs no call and leaves no row. */
export async function keepsNoForgery(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const paid = await rail.pay(world, {}, { signer: world.newPayer('stranger') });
  expect(codeOf(await world.buy(paid))).toBe('invalid_signature');
  await expectNothing(world, paid.place());
  expect(world.calls.verify).toBe(0);
  const poor = await rail.pay(world);
  world.chain.setBalance(poor.payer.address, 0n);
  expect(codeOf(await world.buy(poor))).toBe(rail.wordOfPoor);
  await expectNothing(world, poor.place());
}

/** P13: a facilitator that cannot say, a chain that cannot be read, and a payment that bought something else. */
export async function answersDoubt(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const away = withFacilitator(() => ({ verify: async () => ({ kind: 'unavailable', detail: 'x' }) }));
  const paid = await rail.pay(world);
  const unverified = codeOf(await world.buy(paid, { change: away }));
  expect([unverified, statusOf(unverified)]).toEqual(['payment_unverifiable', 503]);
  const open = codeOf(await world.buy(paid, { change: silent }));
  expect([open, statusOf(open)]).toEqual(['settlement_unknown', 503]);
  const sold = await rail.pay(world);
  expect(codeOf(await world.buy(sold))).toBe('sold');
  const used = codeOf(await world.buy(sold, { order: { body: BODIES[1] } }));
  expect([used, statusOf(used)]).toEqual(['payment_already_used', 409]);
}

/** P17: too short for the work, too long to be decided. */
export async function boundsLife(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const buyWith = async (lifeS: number) => codeOf(await world.buy(await rail.pay(world, {}, { lifeS })));
  expect(await buyWith(0)).toBe('authorization_expired');
  expect(await buyWith(64)).toBe('authorization_expires_too_soon');
  expect(await buyWith(3_601)).toBe('authorization_expires_too_late');
  expect(world.calls).toEqual({ verify: 0, settle: 0, work: 0 });
  expect(await buyWith(65)).toBe('sold');
  expect(await buyWith(3_600)).toBe('sold');
}

/** P18: our clock releases nothing. */
export async function waitsForSafeBlock(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const paid = await rail.pay(world);
  world.chain.state.safeS = world.nowS();
  expect(codeOf(await world.buy(paid, { change: silent }))).toBe('settlement_unknown');
  const { text, key } = paid.place();
  await world.pass(600_000);
  expect(await world.stateOf(text, key)).toBe('unsettled');
  world.chain.state.safeS = undefined;
  await world.pass(75_000);
  expect(await world.stateOf(text, key)).toBe('absent');
  expect(world.reports.size).toBe(0);
}

/** P16: the ledger forgets an authorization when the chain itself would refuse it. */
export async function outlivesAuthorization(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const paid = await rail.pay(world);
  const { text, key } = paid.place();
  expect(codeOf(await world.buy(paid))).toBe('sold');
  await world.pass(3_600_000);
  expect(await world.stateOf(text, key)).toBe('settled');
  await world.pass(48 * 3_600_000);
  expect(await world.stateOf(text, key)).toBe('absent');
  expect(codeOf(await world.buy(paid))).toBe('authorization_expired');
  const open = await rail.pay(world);
  world.chain.state.safeS = world.nowS();
  expect(codeOf(await world.buy(open, { change: silent }))).toBe('settlement_unknown');
  await world.pass(48 * 3_600_000);
  expect(await world.stateOf(open.place().text, open.place().key)).toBe('unsettled');
}

/** P20: what a facilitator settled is no transfer that buys again. */
export async function sellsNoSettlement(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const paid = await rail.pay(world);
  const answer = await world.buy(paid);
  if (answer.kind !== 'sold') throw new Error(codeOf(answer));
  const { payment } = JSON.parse(answer.body) as { payment: { transaction: string } };
  const { carrier } = showHash(payment.transaction);
  const proof = await prove(world, payment.transaction, {}, { signer: paid.payer });
  expect(codeOf(await world.buy({ carrier, text: base64(proof) }))).toBe('transfer_is_settlement');
  // A bare hash is looked for on the first network alone.
  if (rail.network === BASE)
    expect(codeOf(await world.buy(showHash(payment.transaction)))).toBe('transfer_is_settlement');
  expect(world.reports.size).toBe(1);
}

/** P29: the headers that authorise go nowhere else. */
export async function followsNoRedirect(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const asked: string[] = [];
  const redirecting = createFacilitator({
    url: 'https://facilitator.test',
    authHeaders: async () => ({ authorization: 'Bearer secret' }),
    fetch: async (url, init) => {
      asked.push(`${url} ${String(init.redirect)}`);
      return new Response(null, { status: 302, headers: { location: 'https://evil.test/' } });
    },
  });
  const both = withFacilitator(() => redirecting);
  const settling = withFacilitator(() => ({ settle: redirecting.settle }));
  expect(codeOf(await world.buy(await rail.pay(world), { change: both }))).toBe('payment_unverifiable');
  expect(codeOf(await world.buy(await rail.pay(world), { change: settling }))).toBe('settlement_unknown');
  expect(asked).toEqual(['https://facilitator.test/verify manual', 'https://facilitator.test/settle manual']);
}

/** P30: from 1 USD on the receipt comes before the result; below it is looked for afterwards. */
export async function readsReceipts(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const lying = withFacilitator(() => ({
    settle: async (payment) => ({
      kind: 'settled',
      transaction: rail.foreign.transaction,
      payer: 'authorization' in payment ? payment.authorization.from : payment.payer,
    }),
  }));
  const dear: BuyOptions = { order: { microUsdc: ONE_DOLLAR }, change: lying };
  expect(codeOf(await world.buy(await rail.pay(world, { microUsdc: ONE_DOLLAR }), dear))).toBe('settlement_unknown');
  const paid = await rail.pay(world);
  expect(codeOf(await world.buy(paid, { change: lying }))).toBe('sold');
  for (let look = 0; look < 12; look += 1) await world.pass(3_600_000);
  expect(world.logged).toContainEqual(expect.objectContaining({ event: 'settlement_mismatch' }));
}

/** P31: at whichever call the ledger is away, nothing is sold and no answer asks for another payment. */
export async function failsClosed(rail: RailCase): Promise<void> {
  const methods =
    rail.flow === 'authorization' ? (['claim', 'beginSettle', 'settled'] as const) : (['claim', 'sell'] as const);
  for (const method of methods) {
    const world = openWorld(rail);
    const paid = await rail.pay(world);
    const down = world.withLedger((ledger) => ({
      ...ledger,
      [method]: async () => {
        throw new LedgerUnavailable(method);
      },
    }));
    const code = codeOf(await world.buy(paid, { change: down }));
    expect([method, code]).toEqual([method, method === 'settled' ? 'settlement_unknown' : 'ledger_unavailable']);
    expect(statusOf(code)).toBe(503);
    await world.pass(75_000);
    expect(codeOf(await world.buy(await rail.showAgain(world, paid)))).toBe('sold');
    expect(world.chain.receivedFrom(paid.payer.address)).toBe(PRICE);
  }
}
