import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RAIL_IDS } from '../../../src/payment/rails/rail-ids.ts';
import { budgetFor } from '../../support/runner/budget.ts';
import { railCases } from './rail-cases.ts';
import { type Death, makeDyingWorker } from './support/dying-worker.ts';
import { codeOf, drive, openWorld, startClock, stopClock, type World } from './support/world.ts';
import type { Paid } from './support/rail-case.ts';

/** Deaths of one Worker after another, over all the calls that a purchase makes; the soak kills those who repeat it as well. */
const KILLS = 20;
const ROUNDS = budgetFor(1, 5);
/** Longer than a lease, the look at an open settlement, and the time a facilitator has. */
const AFTER_DEATH_MS = 75_000;

beforeEach(startClock);
afterEach(stopClock);

/** The calls that an undisturbed purchase makes. */
async function listCalls(id: (typeof RAIL_IDS)[number]): Promise<readonly string[]> {
  const world = openWorld();
  const worker = makeDyingWorker();
  const answer = await world.buy(await railCases[id].pay(world), { change: worker.change });
  expect(codeOf(answer)).toBe('sold');
  return worker.calls;
}

const buyUntilDeath = async (world: World, paid: Paid, death: Death): Promise<string> => {
  const worker = makeDyingWorker(death);
  const ended = world.begin(paid, { change: worker.change }).then(codeOf);
  return drive(Promise.race([worker.died, ended]));
};

describe.each(RAIL_IDS)('%s', (id) => {
  const rail = railCases[id];

  test('the calls of a purchase are known: a Worker is killed at each of them', async () => {
    const calls = await listCalls(id);
    const money = calls.filter((call) => /^(ledger\.(claim|beginSettle|settled|sell)|facilitator\.settle)$/.test(call));
    expect(money).toEqual(
      rail.flow === 'authorization'
        ? ['ledger.claim', 'ledger.beginSettle', 'facilitator.settle', 'ledger.settled']
        : ['ledger.claim', 'ledger.sell'],
    );
  });

  test(`after ${KILLS} kills each payer is charged once and served once, and nothing is lost`, async () => {
    const calls = await listCalls(id);
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
    const world = openWorld();
    for (let round = 0; round < ROUNDS; round += 1)
      for (const death of [...deaths, ...left]) {
        const before = world.reports.size;
        const paid = await rail.pay(world);
        const what = `${calls[death.call] ?? ''}, ${death.when}`;
        expect(await buyUntilDeath(world, paid, death), what).toBe('died');
        // Each round one Worker more dies before the buyer gets its answer.
        for (let again = 0; again < round; again += 1) {
          await world.pass(AFTER_DEATH_MS);
          await buyUntilDeath(world, await rail.showAgain(world, paid), { ...death, call: death.call + again });
        }
        await world.pass(AFTER_DEATH_MS);
        const answer = await world.buy(await rail.showAgain(world, paid));
        expect(codeOf(answer), what).toBe('sold');
        const repeat = await world.buy(await rail.showAgain(world, paid));
        expect(repeat, what).toMatchObject({ kind: 'sold', isRepeat: true });
        expect(repeat.kind === 'sold' && answer.kind === 'sold' && repeat.body === answer.body, what).toBe(true);
        expect(world.chain.receivedFrom(paid.payer.address), what).toBe(60_000);
        const { text, key } = paid.place();
        expect(await world.stateOf(text, key), what).toBe('settled');
        expect(world.reports.size, what).toBeGreaterThan(before);
      }
  });
});
