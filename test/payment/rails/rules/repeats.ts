import { expect } from 'vitest';
import type { RailCase } from '../support/rail-case.ts';
import { makeDyingWorker } from '../support/dying-worker.ts';
import { BODIES, codeOf, DONE, drive, failWork, makeGate, openWorld, PRICE, settleDown } from '../support/world.ts';

/** Longer than a lease. */
const LEASE_ENDS_MS = 31_000;

/** P1: an onlooker of the chain can rebuild the payment, and gets nothing. */
export async function needsSecret(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const paid = await rail.pay(world);
  const sold = await world.buy(paid);
  expect(codeOf(sold)).toBe('sold');
  const stolen = await world.buy(await rail.rebuild(world, paid), { caller: 'onlooker' });
  expect(codeOf(stolen)).toBe('payment_already_used');
  expect(JSON.stringify(stolen)).not.toContain([...world.reports.keys()][0]);
  const repeat = await world.buy(await rail.showAgain(world, paid));
  expect(repeat).toEqual({ ...sold, isRepeat: true });
}

/** P1: without a secret a credential is good for its own repeat only for 300 s. */
export async function endsSecretless(rail: RailCase): Promise<void> {
  await needsSecret(rail);
  const world = openWorld(rail);
  const paid = await rail.pay(world, {}, { isSecretless: true, lifeS: 900 });
  expect(codeOf(await world.buy(paid))).toBe('sold');
  expect(codeOf(await world.buy(paid))).toBe('sold');
  await world.pass(301_000);
  expect(codeOf(await world.buy(paid))).toBe('payment_already_used');
}

/** P1: a bare hash fetches no stored answer, not even for who showed it first. */
export async function givesBareHashNothing(rail: RailCase): Promise<void> {
  await needsSecret(rail);
  const world = openWorld(rail);
  const paid = await rail.pay(world, {}, { isSecretless: true });
  expect(codeOf(await world.buy(paid))).toBe('sold');
  expect(codeOf(await world.buy(paid))).toBe('payment_already_used');
  expect(codeOf(await world.buy(await rail.showAgain(world, paid)))).toBe('sold');
}

/** P2: a Worker that works on holds its payment, and one that stalls past its lease discards its result. */
export async function discardsStalled(rail: RailCase): Promise<void> {
  await holdsWhileWorking(rail);
  const world = openWorld(rail);
  const gate = makeGate();
  world.works.push(async () => gate.opened.then(() => DONE));
  const paid = await rail.pay(world);
  const cutOff = world.withLedger((ledger) => ({ ...ledger, renew: async () => false }));
  const stalled = world.begin(paid, { change: cutOff });
  await settleDown();
  await world.pass(LEASE_ENDS_MS);
  expect(codeOf(await world.buy(await rail.showAgain(world, paid)))).toBe('sold');
  gate.open();
  expect(codeOf(await drive(stalled))).toBe('payment_in_progress');
  expect(world.reports.size).toBe(1);
  expect(world.chain.receivedFrom(paid.payer.address)).toBe(PRICE);
}

async function holdsWhileWorking(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const gate = makeGate();
  world.works.push(async () => gate.opened.then(() => DONE));
  const paid = await rail.pay(world);
  const working = world.begin(paid);
  await settleDown();
  await world.pass(2 * LEASE_ENDS_MS);
  expect(codeOf(await world.buy(await rail.showAgain(world, paid)))).toBe('payment_in_progress');
  gate.open();
  expect(codeOf(await drive(working))).toBe('sold');
}

/** P3: after a death at the moment of sale, and after a loss of the stored result. */
export async function finishesWhatDied(rail: RailCase): Promise<void> {
  const moment = rail.flow === 'authorization' ? 'facilitator.settle' : 'ledger.sell';
  const rehearsal = openWorld(rail);
  const counting = makeDyingWorker();
  await rehearsal.buy(await rail.pay(rehearsal), { change: counting.change });
  const world = openWorld(rail);
  const paid = await rail.pay(world);
  const dying = makeDyingWorker({ call: counting.calls.indexOf(moment), when: 'after' });
  const ended = world.begin(paid, { change: dying.change });
  expect(await drive(Promise.race([dying.died, ended]))).toBe('died');
  await world.pass(75_000);
  const { text, key } = paid.place();
  expect(await world.stateOf(text, key)).toBe('settled'); // Whether or not the buyer comes back.
  expect(codeOf(await world.buy(await rail.showAgain(world, paid)))).toBe('sold');
  world.reports.clear();
  expect(codeOf(await world.buy(await rail.showAgain(world, paid)))).toBe('sold');
  expect(world.chain.receivedFrom(paid.payer.address)).toBe(PRICE);
}

const isOnSolana = ({ network }: RailCase): boolean => network.id.startsWith('solana:');

/** P11: what runs and what is not paid names no id to anyone, and no two sales share one. */
export async function keepsIds(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const gate = makeGate();
  world.works.push(async () => gate.opened.then(() => DONE));
  const order = { engine: !isOnSolana(rail) }; // Engines are not paid on Solana.
  const paid = await rail.pay(world, order);
  const running = world.begin(paid, { order });
  await settleDown();
  const onlooker = await world.buy(await rail.rebuild(world, paid), { order, caller: 'onlooker' });
  expect(codeOf(onlooker)).toBe('payment_in_progress');
  gate.open();
  const sold = await drive(running);
  expect(codeOf(sold)).toBe('sold');
  const other = await world.buy(await rail.pay(world));
  const ids = [sold, other].flatMap((answer) => (answer.kind === 'sold' ? [answer.reportId] : []));
  expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]);
  expect(ids[0]).not.toBe(ids[1]);
  expect(JSON.stringify(onlooker)).not.toContain(ids[0]);
}

/** P15: a failure of ours costs nothing, and the same payment still buys. */
export async function buysAfterFailure(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const paid = await rail.pay(world);
  failWork(world);
  expect(codeOf(await world.buy(paid))).toBe('target_unreachable');
  expect(codeOf(await world.buy(await rail.showAgain(world, paid)))).toBe('sold');
  expect(world.chain.receivedFrom(paid.payer.address)).toBe(PRICE);
}

/** P21: whichever spelling comes, it is one payment. */
export async function hasOneKey(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const paid = await rail.pay(world);
  const spellings = rail.respell(paid);
  expect(spellings.length).toBeGreaterThan(1);
  const answers = [];
  for (const shown of [...spellings, paid]) answers.push(await world.buy(shown));
  const sold = answers.filter((answer) => answer.kind === 'sold' && !answer.isRepeat);
  expect(sold).toHaveLength(1);
  for (const code of answers.map(codeOf)) expect(['sold', 'payment_already_used']).toContain(code);
  expect(world.reports.size).toBe(1);
  const { text, key } = paid.place();
  expect(await world.stateOf(text, key)).toBe('settled');
}

/** P22: two payments of one payer under one name are one purchase; another payer's name is another. */
export async function scopesIdentifier(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const payer = world.newPayer('ada');
  const identifier = 'order-2027-01-15-0001';
  expect(codeOf(await world.buy(await rail.pay(world, {}, { payer, identifier })))).toBe('sold');
  const second = await rail.pay(world, {}, { payer, identifier });
  expect(codeOf(await world.buy(second))).toBe('payment_identifier_reused');
  expect(world.chain.receivedFrom(payer.address)).toBe(PRICE);
  expect(codeOf(await world.buy(await rail.pay(world, {}, { identifier })))).toBe('sold');
}

/** P23: a named resource is the route, or the tool of the same name. */
export async function bindsResource(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  for (const resource of ['https://sightline.test/api/agent/full_audit', 'https://other.test/api/agent/check_health']) {
    expect(codeOf(await world.buy(await rail.pay(world, {}, { resource })))).toBe('wrong_route');
  }
  expect(world.calls).toEqual({ verify: 0, settle: 0, work: 0 });
  const ours = await rail.pay(world, {}, { resource: 'mcp://tool/check_health' });
  expect(codeOf(await world.buy(ours))).toBe('sold');
}

/** P24: the row knows what was signed. */
export async function refusesSecondUnderNonce(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const payer = world.newPayer('ada');
  const nonce = `0x${'7e'.repeat(32)}` as const;
  expect(codeOf(await world.buy(await rail.pay(world, {}, { payer, nonce })))).toBe('sold');
  const other = await rail.pay(world, {}, { payer, nonce, lifeS: 299 });
  expect(codeOf(await world.buy(other))).toBe('payment_already_used');
  expect(world.chain.receivedFrom(payer.address)).toBe(PRICE);
  // Nor where the first one is free again, since nothing could be delivered for it.
  const ben = { payer: world.newPayer('ben'), nonce: `0x${'8f'.repeat(32)}` as const };
  const first = await rail.pay(world, {}, ben);
  failWork(world);
  expect(codeOf(await world.buy(first))).toBe('target_unreachable');
  expect(codeOf(await world.buy(await rail.pay(world, {}, { ...ben, lifeS: 299 })))).toBe('payment_already_used');
  expect(codeOf(await world.buy(first))).toBe('sold');
}

/** P26: the Worker holds on to what moves money, whether or not anyone waits for the answer. */
export async function outlivesBuyer(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const gate = makeGate();
  const paid = await rail.pay(world);
  const begun = world.begin(paid, {
    change: (tools) => ({
      ...world.withLedger((ledger) => ({
        ...ledger,
        sell: async (...given) => {
          await gate.opened;
          return ledger.sell(...given);
        },
      }))(tools),
      facilitator: {
        ...tools.facilitator,
        settle: async (...given) => {
          await gate.opened;
          return tools.facilitator.settle(...given);
        },
      },
    }),
  });
  await settleDown();
  const held = [...world.background]; // What the runtime keeps alive when the request is gone.
  expect(held.length).toBeGreaterThan(0);
  gate.open();
  await drive(Promise.all(held));
  const { text, key } = paid.place();
  expect(await world.stateOf(text, key)).toBe('settled');
  await drive(begun);
  expect(codeOf(await world.buy(await rail.showAgain(world, paid)))).toBe('sold');
}

/** P28: the buyer is in the buyer's own answer alone. */
export async function storesNoBuyer(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const paid = await rail.pay(world);
  const answer = await world.buy(paid);
  if (answer.kind !== 'sold') throw new Error(codeOf(answer));
  const { payment } = JSON.parse(answer.body) as { payment: { payer: string; transaction: string } };
  expect(payment.payer).toBe(paid.payer.address);
  const stored = world.reports.get(answer.reportId)?.json ?? '';
  expect(stored).not.toContain(payment.payer);
  expect(stored).not.toContain(payment.transaction);
  expect(stored).not.toContain('"payment"');
  expect(JSON.stringify(world.logged)).not.toContain(payment.payer);
}

/** P2, P23: a used payment buys nothing else. */
export async function buysOnce(rail: RailCase): Promise<void> {
  const world = openWorld(rail);
  const paid = await rail.pay(world);
  expect(codeOf(await world.buy(paid))).toBe('sold');
  const other = { body: BODIES[1] };
  const again = await rail.showAgain(world, paid, other);
  expect(codeOf(await world.buy(again, { order: other }))).toBe('payment_already_used');
}
