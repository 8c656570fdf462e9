import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { budgetFor } from '../../support/runner/budget.ts';
import { TABLED_RAILS, tabledRails } from './rail-cases.ts';
import { type Death, makeDyingWorker } from './support/dying-worker.ts';
import { codeOf, drive, openWorld, PRICE, startClock, stopClock, type World } from './support/world.ts';
import type { Paid, RailCase } from './support/rail-case.ts';

/** Deaths of one Worker after another, over all the calls that a purchase makes; the soak kills those who repeat it as well. */
const KILLS = 20;
const ROUNDS = budgetFor(1, 5);
/** Longer than a lease, the look at an open settlement, and the time a facilitator has. */
const AFTER_DEATH_MS = 75_000;
/** An authorization outlives all deaths of one purchase; a transfer has no end, and each repeat brings a fresh proof. */
const LONG_LIFE = { authorization: { lifeS: 3_000 }, made: {} } as const;

beforeEach(startClock);
afterEach(stopClock);

/** The calls that an undisturbed purchase makes. */
async function listCalls(rail: RailCase): Promise<readonly string[]> {
  const world = openWorld(rail);
  const worker = makeDyingWorker();
  const answer = await world.buy(await rail.pay(world), { change: worker.change });
  expect(codeOf(answer)).toBe('sold');
  return worker.calls;
}

const buyUntilDeath = async (world: World, paid: Paid, death: Death): Promise<string> => {
  const worker = makeDyingWorker(death);
  const ended = world.begin(paid, { change: worker.change }).then(codeOf);
  return drive(Promise.race([worker.died, ended]));
};

describe.each(TABLED_RAILS)('%s', (name) => {
  const rail = tabledRails[name];

  /** One payment whose Worker dies, and as many Workers more that repeat it; then its buyer comes back. */
  async function dieAndComeBack(world: World, death: Death, more: number) {
    const paid = await rail.pay(world, {}, LONG_LIFE[rail.flow]);
    const first = await buyUntilDeath(world, paid, death);
    for (let again = 0; again < more; again += 1) {
      await world.pass(AFTER_DEATH_MS);
      await buyUntilDeath(world, await rail.showAgain(world, paid), { ...death, call: death.call + again });
    }
    await world.pass(AFTER_DEATH_MS);
    const answer = await world.buy(await rail.showAgain(world, paid));
    const repeat = await world.buy(await rail.showAgain(world, paid));
    const isSameRepeat =
      answer.kind === 'sold' && repeat.kind === 'sold' && repeat.isRepeat && repeat.body === answer.body;
    const { text, key } = paid.place();
    return {
      first,
      again: codeOf(answer),
      isSameRepeat,
      paidMicroUsdc: world.chain.receivedFrom(paid.payer.address),
      state: await world.stateOf(text, key),
    };
  }

  test('the calls of a purchase are known: a Worker is killed at each of them', async () => {
    const calls = await listCalls(rail);
    const money = calls.filter((call) => /^(ledger\.(claim|beginSettle|settled|sell)|facilitator\.settle)$/.test(call));
    expect(money).toEqual(
      rail.flow === 'authorization'
        ? ['ledger.claim', 'ledger.beginSettle', 'facilitator.settle', 'ledger.settled']
        : ['ledger.claim', 'ledger.sell'],
    );
  });

  test(`after ${KILLS} kills each payer is charged once and served once, and nothing is lost`, async () => {
    const calls = await listCalls(rail);
    const deaths = Array.from({ length: KILLS }, (_, kill): Death => ({
      call: Math.floor(kill / 2) % calls.length,
      when: kill % 2 === 0 ? 'before' : 'after',
    }));
    // As many kills as there are moments: none is left out where a purchase makes more calls than that.
    const left = calls.flatMap((_name, call): Death[] =>
      call < KILLS / 2
        ? []
        : [
            { call, when: 'before' },
            { call, when: 'after' },
          ],
    );
    const world = openWorld(rail);
    const ends = [];
    for (let round = 0; round < ROUNDS; round += 1)
      for (const death of [...deaths, ...left])
        ends.push({ at: `${calls[death.call] ?? ''}, ${death.when}`, ...(await dieAndComeBack(world, death, round)) });
    expect(ends.length).toBeGreaterThanOrEqual(KILLS * ROUNDS);
    const good = { first: 'died', again: 'sold', isSameRepeat: true, paidMicroUsdc: PRICE, state: 'settled' };
    expect(ends).toEqual(ends.map(({ at }) => ({ at, ...good })));
  });
});
