import { expect } from 'vitest';
import { creditPacks } from '../../../../src/capabilities/credit-packs.ts';
import { getReasonRow, type PaymentReason } from '../../../../src/payment/terms/reasons.ts';
import { find, prove, showHash } from '../cases/transfer.ts';
import type { RailCase } from '../support/rail-case.ts';
import {
  BODIES,
  type BuyOptions,
  codeOf,
  DONE,
  drive,
  failWork,
  makeGate,
  openWorld,
  PRICE,
  settleDown,
  type Tools,
  type World,
} from '../support/world.ts';
import { base64 } from '../../terms/offer-cases.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const statusOf = (code: string): number => getReasonRow(code as PaymentReason).status;

/** P6: what is topped up is the account of the address that paid, once. */
export async function creditsPayer(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const pack = creditPacks.find(({ dollars }) => dollars === 5);
  if (pack === undefined) throw new Error('no such pack');
  const order = { capability: pack.name, body: '{}', microUsdc: pack.priceMicroUsdc };
  const topUps: [string, number][] = [];
  const recording = (tools: Tools): Tools => ({
    ...tools,
    topUp: async (payer, { amountMicroUsdc }) => void topUps.push([payer, amountMicroUsdc]),
  });
  const options: BuyOptions = { order, row: pack, change: recording };
  const paid = await rail.pay(world, order);
  if (rail.flow === 'made') {
    const bare = await world.buy(await rail.rebuild(world, paid), { ...options, caller: 'onlooker' });
    expect(codeOf(bare)).toBe('payer_proof_required');
  }
  expect(codeOf(await world.buy(paid, options))).toBe('sold');
  expect(codeOf(await world.buy(await rail.showAgain(world, paid, order), options))).toBe('sold');
  expect(topUps).toEqual([[paid.payer.address, pack.priceMicroUsdc]]);
}

/** P8: what is signed for a test network is worth nothing here. */
export async function takesItsNetwork(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  expect(rail.foreign.networks.length).toBeGreaterThan(1);
  for (const network of rail.foreign.networks) {
    const paid = await rail.pay(world, {}, { network });
    expect(codeOf(await world.buy(paid))).toBe('wrong_terms');
    const { text, key } = paid.place();
    expect(await world.stateOf(text, key)).toBe('absent');
  }
  expect(world.calls).toEqual({ verify: 0, settle: 0, work: 0 });
}

/** P9: after three failures a credential waits a minute. */
export async function restsAfterFailures(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const paid = await rail.pay(world);
  for (let failure = 0; failure < 3; failure += 1) {
    failWork(world);
    expect(codeOf(await world.buy(await rail.showAgain(world, paid)))).toBe('target_unreachable');
  }
  expect(codeOf(await world.buy(await rail.showAgain(world, paid)))).toBe('too_many_failures');
  await world.pass(61_000);
  expect(codeOf(await world.buy(await rail.showAgain(world, paid)))).toBe('sold');
}

/** P9: the payer takes over what an onlooker holds. */
export async function takesOverUnproven(rail: RailCase): Promise<void> {
  await restsAfterFailures(rail);
  const world = openWorld(rail);
  const gate = makeGate();
  const paid = await rail.pay(world);
  world.works.push(async () => gate.opened.then(() => DONE));
  const onlooker = world.begin(await rail.rebuild(world, paid), { caller: 'onlooker' });
  await settleDown();
  const second = await world.buy(await rail.rebuild(world, paid), { caller: 'another onlooker' });
  expect(codeOf(second)).toBe('payment_in_progress');
  expect(codeOf(await world.buy(paid))).toBe('sold');
  gate.open();
  expect(codeOf(await drive(onlooker))).toBe('payment_in_progress');
  expect(world.reports.size).toBe(1);
}

/** P10: another capability, body, deployment or signer, and too old. */
export async function bindsProof(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const paid = await rail.pay(world);
  const { hash, payer } = find(paid);
  const buyWith = async (...[order, by]: [Parameters<typeof prove>[2], Partial<Parameters<typeof prove>[3]>]) =>
    codeOf(
      await world.buy({
        carrier: paid.carrier,
        text: base64(await prove(world, hash, order, { signer: payer, ...by })),
      }),
    );
  expect(await buyWith({ capability: 'full_audit' }, {})).toBe('payer_proof_invalid');
  expect(await buyWith({ body: BODIES[1] }, {})).toBe('payer_proof_invalid');
  expect(await buyWith({}, { salt: `0x${'0d'.repeat(32)}` })).toBe('payer_proof_invalid');
  expect(await buyWith({}, { signer: world.newPayer('stranger') })).toBe('payer_proof_invalid');
  expect(await buyWith({}, { terms: { lifeS: 601 } })).toBe('payer_proof_expired');
  await world.pass(301_000);
  expect(codeOf(await world.buy(paid))).toBe('payer_proof_expired');
  expect(await buyWith({}, {})).toBe('sold');
}

/** P12: a hash that no node knows makes no row, and is asked for once in 5 s. */
export async function asksOnceForUnknown(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const paid = await rail.pay(world);
  const unknown = showHash(`0x${'9d'.repeat(32)}`);
  expect(codeOf(await world.buy(unknown))).toBe('payment_pending');
  const { reads } = world.chain.state;
  expect(codeOf(await world.buy(unknown))).toBe('payment_pending');
  expect(world.chain.state.reads).toBe(reads);
  const key = paid.place().key.replace(find(paid).hash, unknown.text);
  expect(await world.stateOf(unknown.text, key)).toBe('absent');
  expect(world.calls).toEqual({ verify: 0, settle: 0, work: 0 });
}

/** P13: what may yet become a payment is 503; what bought something else is 409. */
export async function waitsForChain(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const paid = await rail.pay(world);
  const strict = (tools: Tools): Tools => ({
    ...tools,
    seller: { ...tools.seller, confirmations: { small: 3, large: 'safe' } },
  });
  const early = codeOf(await world.buy(paid, { change: strict }));
  expect([early, statusOf(early)]).toEqual(['payment_pending', 503]);
  world.chain.state.isDown = true;
  const unread = codeOf(await world.buy(paid, { change: strict }));
  expect([unread, statusOf(unread)]).toEqual(['payment_unverifiable', 503]);
  world.chain.state.isDown = false;
  world.chain.confirm(2n);
  expect(codeOf(await world.buy(paid, { change: strict }))).toBe('sold');
  const other = { body: BODIES[1] };
  const used = codeOf(await world.buy(await rail.showAgain(world, paid, other), { order: other }));
  expect([used, statusOf(used)]).toEqual(['payment_already_used', 409]);
}

/** P14: an hour after the change the old price is none any more. */
export async function honoursOldPrice(rail: RailCase): Promise<void> {
  const buyAfter = async (minutes: number) => {
    const world = openWorld(rail);
    const changedAtMs = world.now() - minutes * 60_000;
    const offer = { amountMicroUsdc: 90_000, previous: { amountMicroUsdc: PRICE, changedAtMs } };
    return codeOf(await world.buy(await rail.pay(world), { offer }));
  };
  expect(await buyAfter(59)).toBe('sold');
  expect(await buyAfter(61)).toBe(rail.flow === 'made' ? 'transfer_too_small' : 'wrong_amount');
}

/** P15: a transfer whose work failed buys for 30 days, also something cheaper. */
export async function staysRedeemable(rail: RailCase): Promise<void> {
  const fail = async (): Promise<{ world: World; paid: Awaited<ReturnType<RailCase['pay']>> }> => {
    const world = openWorld(rail);
    const paid = await rail.pay(world);
    failWork(world);
    expect(codeOf(await world.buy(paid))).toBe('target_unreachable');
    return { world, paid };
  };
  const cheaper = { capability: 'check_schema', body: BODIES[1], microUsdc: 40_000 } as const;
  const { world, paid } = await fail();
  await world.pass(29 * DAY_MS);
  expect(codeOf(await world.buy(await rail.showAgain(world, paid, cheaper), { order: cheaper }))).toBe('sold');
  const later = await fail();
  await later.world.pass(31 * DAY_MS);
  expect(codeOf(await later.world.buy(await rail.showAgain(later.world, later.paid)))).toBe('transfer_too_old');
}

/** P16: what was pruned, or is older than the deployment, buys nothing. */
export async function forgetsNoTransfer(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const paid = await rail.pay(world);
  expect(codeOf(await world.buy(paid))).toBe('sold');
  await world.pass(2 * DAY_MS);
  const { text, key } = paid.place();
  expect(await world.stateOf(text, key)).toBe('absent');
  expect(codeOf(await world.buy(await rail.showAgain(world, paid)))).toBe('transfer_too_old');
  const since = (tools: Tools): Tools => ({ ...tools, seller: { ...tools.seller, paymentsSinceS: world.nowS() } });
  const before = await rail.pay(world, {}, { ageS: 60 });
  expect(codeOf(await world.buy(before, { change: since }))).toBe('transfer_too_old');
}

/** P19: clocks apart are no refusal. */
export async function allowsSkew(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  expect(codeOf(await world.buy(await rail.pay(world, {}, { ageS: -60 })))).toBe('sold');
  expect(codeOf(await world.buy(await rail.pay(world, {}, { ageS: -61 })))).toBe('payment_unverifiable');
}

/** P20: several transfers of one transaction are several payments, each of its payer. */
export async function tellsLogsApart(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const { carrier } = await rail.pay(world);
  const [ada, ben] = [world.newPayer('ada'), world.newPayer('ben')];
  const hash = world.chain.sendTogether([ada, ben].map(({ address }) => ({ from: address, microUsdc: PRICE })));
  expect(codeOf(await world.buy(showHash(hash)))).toBe('ambiguous_transfer');
  for (const signer of [ada, ben]) {
    const shown = { carrier, text: base64(await prove(world, hash, {}, { signer })) };
    expect(codeOf(await world.buy(shown))).toBe('sold');
  }
  expect(world.reports.size).toBe(2);
}

/** P25: from 1 USD on a block must be safe; a sale that is reorganised away stays consumed. */
export async function waitsForFinality(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const order = { microUsdc: 2_000_000 };
  const dear = await rail.pay(world, order);
  world.chain.state.lag = 5n;
  expect(codeOf(await world.buy(dear, { order }))).toBe('payment_pending');
  world.chain.state.lag = 0n;
  expect(codeOf(await world.buy(dear, { order }))).toBe('sold');
  const small = await rail.pay(world);
  expect(codeOf(await world.buy(small))).toBe('sold');
  world.chain.reorg(find(small).hash);
  for (let look = 0; look < 12; look += 1) await world.pass(HOUR_MS);
  const { text, key } = small.place();
  expect(await world.stateOf(text, key)).toBe('settled');
  const reorged = (): number => world.logged.filter(({ event }) => event === 'payment_reorged').length;
  expect(reorged()).toBe(1);
  // Mined again, and it failed there.
  const failed = await rail.pay(world);
  expect(codeOf(await world.buy(failed))).toBe('sold');
  world.chain.revert(find(failed).hash);
  await world.pass(HOUR_MS);
  expect(reorged()).toBe(2);
}

/** P27: work that fails on purpose is no free probe. */
export async function limitsFailures(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const payer = world.newPayer('ada');
  const codes: string[] = [];
  for (let purchase = 0; purchase < 21; purchase += 1) {
    failWork(world);
    codes.push(codeOf(await world.buy(await rail.pay(world, {}, { payer }))));
  }
  expect(codes).toEqual([...Array.from({ length: 20 }, () => 'target_unreachable'), 'too_many_failures']);
  expect(world.calls.work).toBe(20);
}
